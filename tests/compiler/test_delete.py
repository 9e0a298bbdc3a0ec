"""Deleting an element takes what refers to it, or says what does."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import mujoco
import pytest

from phalanx import FieldError, ModelError, Spec
from phalanx.compiler.edit.references import own_references
from phalanx.tables.mjcf_row import Holds
from phalanx.tables.mjcf_schema import ELEMENTS
from tests.compiler.compare import differences

XML = """<mujoco><asset><texture name="tx" builtin="flat" width="2" height="2"/><material name="mt" texture="tx"/><mesh name="me" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/>
<skin name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset>
<default><default class="meshy"><geom type="mesh" mesh="me"/></default></default>
<worldbody><camera name="cam" mode="targetbody" target="b"/><site name="w"/><site name="w2" pos="1 0 0"/>
<body name="a"><joint name="j"/><geom name="g" size=".1" material="mt"/><site name="s"/>
<body name="b" pos="0 0 1"><joint name="k"/><geom name="h" size=".1"/><site name="t"/><geom name="mg" class="meshy"/></body></body></worldbody>
<contact><exclude name="ex" body1="a" body2="b"/><pair name="pr" geom1="g" geom2="h"/></contact>
<tendon><spatial name="sp"><site site="w"/><site site="t"/><site site="w2"/></spatial><fixed name="fx"><joint joint="j" coef="1"/><joint joint="k" coef="1"/></fixed></tendon>
<equality><joint name="ej" joint1="j" joint2="k"/><weld name="ew" body1="b"/></equality>
<actuator><motor name="m" joint="k"/><motor name="mt" tendon="sp"/></actuator>
<sensor><jointpos name="jp" joint="k"/><framepos name="fp" objtype="site" objname="w" reftype="site" refname="t"/><actuatorfrc name="af" actuator="m"/><tendonpos name="tp" tendon="fx"/><contact name="ct" geom1="h"/><clock name="cl"/></sensor>
<custom><tuple name="tu"><element objtype="body" objname="a"/><element objtype="body" objname="b"/></tuple></custom>
<keyframe><key name="ky" qpos="1 2" ctrl="3 4"/></keyframe></mujoco>"""


@pytest.fixture
def spec() -> Spec:
    return Spec.from_string(XML)


def names(elements):
    return {element.name for element in elements}


@pytest.mark.parametrize(
    ("kind", "name", "gone"),
    [
        ("body", "b", {"b", "cam", "ex", "pr", "sp", "fx", "ej", "ew", "m", "mt", "jp", "fp", "af", "tp", "ct", "tu", "sk"}),
        ("joint", "k", {"k", "fx", "ej", "m", "jp", "af", "tp"}),
        ("geom", "h", {"h", "pr", "ct"}),
        ("site", "t", {"t", "sp", "mt", "fp"}),
        ("actuator", "m", {"m", "af"}),
        ("tendon", "sp", {"sp", "mt"}),
        ("mesh", "me", {"me", "mg"}),
        ("sensor", "cl", {"cl"}),
        ("key", "ky", {"ky"}),
    ],
)  # fmt: skip
def test_what_refers_to_an_element_goes_with_it(spec, kind, name, gone):
    element = getattr(spec, kind)(name)
    deletion = spec.delete(element)
    assert deletion.removed[0] is element
    assert names(deletion.removed) == gone
    assert all(other.parent is None for other in deletion.removed)
    assert str(deletion).startswith("deleted " + str(element))
    model = spec.compile()
    # nothing dangles, and the rest of the keyframe stays
    if kind == "joint":
        assert model.key("ky").qpos.tolist() == [1]
        assert model.key("ky").ctrl.tolist() == [4]


@pytest.mark.parametrize(("kind", "name"), [("material", "mt"), ("texture", "tx")])
def test_looks_can_be_missed(spec, kind, name):
    before = spec.compile()
    deletion = getattr(spec, kind)(name).delete()
    assert names(deletion.removed) == {name}
    assert [attribute for _, attribute in deletion.cleared] == [kind]
    assert "cleared" in str(deletion)
    assert spec.compile().ngeom == before.ngeom


def test_a_reference_can_refuse_the_deletion(spec):
    before = spec.to_xml()
    with pytest.raises(
        ModelError, match=r"joint 'k' is used by joint \(joint\), joint 'ej' \(joint2\), motor 'm' \(joint\)"
    ):
        spec.delete(spec.joint("k"), references="refuse")
    assert spec.to_xml() == before
    assert names(spec.delete(spec.sensor("cl"), references="refuse").removed) == {"cl"}


def test_a_default_class_in_use_is_not_deleted(spec):
    with pytest.raises(ModelError, match="is the class of geom 'mg'"):
        spec.delete(spec.default("meshy"))
    spec.geom("mg").delete()
    spec.delete(spec.default("meshy"))
    assert spec.compile().ngeom == 2


def test_what_cannot_be_deleted_is_refused(spec):
    with pytest.raises(FieldError, match="cannot be deleted"):
        spec.delete(spec.worldbody)
    with pytest.raises(FieldError, match="not an element of this model"):
        spec.delete(Spec.from_string(XML).body("a"))
    with pytest.raises(FieldError, match='"delete" or "refuse"'):
        spec.delete(spec.body("a"), references="maybe")


def test_a_deleted_body_leaves_what_mujoco_leaves():
    spec, theirs = Spec.from_string(XML), mujoco.MjSpec.from_string(XML)
    # what MuJoCo does not follow by itself
    spec.camera("cam").delete()
    spec.skin("sk").delete()
    theirs.delete(theirs.camera("cam"))
    theirs.delete(theirs.skin("sk"))
    spec.delete(spec.body("b"))
    theirs.delete(theirs.body("b"))
    assert differences(spec.compile(), theirs.compile()) == {}


def test_an_attachment_takes_what_refers_to_its_part():
    leg = Spec.from_string(
        '<mujoco><worldbody><body name="hip"><joint name="h"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    robot = Spec()
    left = robot.attach(leg, prefix="left_")
    robot.attach(leg, prefix="right_")
    robot.add_actuator("motor", name="ml", joint="left_h")
    robot.add_actuator("motor", name="mr", joint="right_h")
    assert robot.compile().nu == 2
    assert names(left.delete().removed) == {"", "ml"}
    assert robot.compile().nu == 1


@pytest.mark.parametrize(
    "key", [key for key, row in ELEMENTS.items() if not row.unsupported and not key.startswith("default")]
)
def test_every_reference_is_followed(key):
    """An element that names another goes with it, or loses the name, whatever its row is."""
    for name, row in ELEMENTS[key].attributes.items():
        if row.holds is not Holds.REFERENCE or row.kind in ("default", "model", "flex"):
            continue
        root = Spec().root
        target = next(known for known, other in ELEMENTS.items() if other.kind == row.kind)
        named, holder = root._made(ELEMENTS[target]), root._made(ELEMENTS[key])
        named["name"], holder[name] = "x", "x"
        root.append(named)
        # a piece goes with the element around it
        whole = root.append(root._made(ELEMENTS["tendon/spatial"])) if ELEMENTS[key].is_piece else root
        whole.append(holder)
        going = whole if ELEMENTS[key].is_piece else holder
        assert list(own_references(holder)) == [(name, row.kind)]
        deletion = named.delete()
        assert (going in deletion.removed) != ((holder, name) in deletion.cleared)
        assert ((holder, name) in deletion.cleared) == row.optional
