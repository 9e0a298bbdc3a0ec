"""The recipe of mechanisms, followed to the letter in a copy of the package."""

from __future__ import annotations

from tests.recipe import blocks, changed, copy_package, insert, run

SCRIPT = """
import json, phalanx
text = '''<mujoco><worldbody>
  <body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  <body pos="1 0 0"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <equality><jaws name="grip" joint1="a" joint2="b" parallel="true"/></equality></mujoco>'''
spec = phalanx.Spec.from_string(text)
model = phalanx.Model.from_xml_string(spec.to_xml())
pose = phalanx.assemble(model, [0.0, 0.3], joints=["a"])
try:
    phalanx.mechanism.add(spec, "jawz")
except phalanx.FieldError as error:
    message = str(error)
print(json.dumps({"qpos": pose.qpos.tolist(), "plain": "jaws" not in spec.to_xml(), "message": message}))
"""


def test_a_mechanism_is_a_row_and_a_file(tmp_path):
    row, file = blocks("mechanism.md")
    package = copy_package(tmp_path)
    insert(package / "tables" / "mechanisms.py", "MECHANISMS: dict", "\n)}  # fmt: skip", row)
    (package / "compiler" / "mechanism" / "jaws.py").write_text(file, encoding="utf-8")
    found = run(package, SCRIPT)
    assert abs(found["qpos"][0] + 0.3) < 1e-9
    assert found["plain"] and "did you mean 'jaws'" in found["message"]
    assert changed(package) == {"tables/mechanisms.py", "compiler/mechanism/jaws.py"}
