"""A model in one file: written with all that it reads, and read without trust."""

from __future__ import annotations

import io
import random
import stat
import zipfile

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import Limits, MjcfError, ModelError, Spec
from tests.compiler.compare import differences

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
XML = """<mujoco model="rob"><compiler meshdir="sub"/><asset><mesh file="m.obj"/><mesh name="q" file="x/m.obj"/></asset>
<worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m"/><geom type="mesh" mesh="q"/></body></worldbody>
<keyframe><key name="k" qpos="1 2 3 1 0 0 0"/></keyframe></mujoco>"""
ASSETS = {"sub/m.obj": OBJ, "sub/x/m.obj": OBJ.replace(b"0 0 3", b"0 0 4")}


def robot() -> Spec:
    return Spec.from_string(XML, ASSETS)


def archive_of(spec: Spec) -> io.BytesIO:
    file = io.BytesIO()
    spec.to_zip(file)
    file.seek(0)
    return file


def names_in(file: io.BytesIO) -> list[str]:
    names = zipfile.ZipFile(file).namelist()
    file.seek(0)
    return names


def zipped(members: dict[str, bytes], **attributes: int) -> io.BytesIO:
    """An archive whose members have some attributes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name)
            for attribute, value in attributes.items():
                setattr(member, attribute, value)
            archive.writestr(member, data)
    file.seek(0)
    return file


def check_equal(a: phalanx.Model, b: phalanx.Model) -> None:
    for name, array in a._store.arrays.items():
        if not name.endswith(("paths", "pathadr")):
            assert np.array_equal(array, b._store.arrays[name]), name


def test_an_archive_holds_the_model_and_its_assets():
    file = archive_of(robot())
    assert names_in(file) == ["model.xml", "assets/m.obj", "assets/m_2.obj"]
    check_equal(Spec.from_zip(file).compile(), robot().compile())


def test_equal_models_make_equal_archives():
    assert archive_of(robot()).getvalue() == archive_of(robot()).getvalue()


def test_an_archive_is_loaded_by_its_ending(tmp_path):
    robot().to_zip(tmp_path / "robot.zip")
    check_equal(phalanx.load(tmp_path / "robot.zip"), robot().compile())
    # and it is an archive of plain files
    with zipfile.ZipFile(tmp_path / "robot.zip") as archive:
        archive.extractall(tmp_path / "out")
    check_equal(phalanx.load(tmp_path / "out" / "robot.xml"), robot().compile())


def test_mujoco_reads_the_archive(tmp_path):
    robot().to_zip(tmp_path / "robot.zip")
    with open(tmp_path / "robot.zip", "rb") as file:
        theirs = mujoco.MjSpec.from_zip(file).compile()
    skip = ("paths", "npaths", "mesh_pathadr", "mesh_graph", "mesh_extrema")
    assert differences(robot().compile(), theirs, skip) == {}


def test_archives_of_mujoco_are_read(tmp_path):
    spec = mujoco.MjSpec.from_string(XML, assets=ASSETS)
    spec.compile()
    with open(tmp_path / "theirs.zip", "wb") as file:
        spec.to_zip(file)
    assert phalanx.load(tmp_path / "theirs.zip").nmesh == 2


def test_attached_models_are_beside_the_model():
    leg = Spec.from_string(
        '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body name="leg"><joint name="k"/>'
        '<geom type="mesh" mesh="m"/></body></worldbody><keyframe><key name="z" qpos="1"/></keyframe></mujoco>',
        {"m.obj": OBJ.replace(b"0 2 0", b"0 5 0")},
    )
    foot = Spec.from_string('<mujoco><worldbody><body name="foot"><geom size=".1"/></body></worldbody></mujoco>')
    leg.attach(foot, leg.body("leg"), prefix="f_")
    spec = robot()
    spec.attach(leg, spec.body("b"), prefix="l_")
    file = archive_of(spec)
    models = [name for name in names_in(file) if name.endswith(".xml")]
    assert models == ["model.xml", "model_1.xml", "model_1_1.xml"]
    model = Spec.from_zip(file).compile()
    assert model.body("l_f_foot").id == 3
    check_equal(model, spec.compile())


def test_models_attached_by_their_files_come_along(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "m.obj").write_bytes(OBJ)
    (tmp_path / "parts" / "leg.xml").write_text(
        '<mujoco><asset><mesh file="m.obj"/></asset><worldbody><body name="leg"><geom type="mesh" mesh="m"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "main.xml").write_text(
        '<mujoco><asset><model name="leg" file="parts/leg.xml"/></asset><worldbody>'
        '<attach model="leg" body="leg" prefix="l_"/></worldbody></mujoco>'
    )
    spec = Spec.from_file(tmp_path / "main.xml")
    check_equal(Spec.from_zip(archive_of(spec)).compile(), spec.compile())


def test_an_edited_model_keeps_its_keyframes():
    spec = robot()
    spec.worldbody.add_body(name="new").add_joint()
    spec.body("new").add_geom(size=0.1)
    check_equal(Spec.from_zip(archive_of(spec)).compile(), spec.compile())


def test_a_model_in_a_folder_is_found():
    members = {"bot/other/readme.xml": b"<mujoco/>", "bot/bot.xml": XML.encode()}
    members |= {f"bot/{name}": data for name, data in ASSETS.items()}
    check_equal(Spec.from_zip(zipped(members)).compile(), robot().compile())
    assert Spec.from_zip(zipped(members), main="bot/other/readme.xml").compile().nbody == 1
    with pytest.raises(ModelError, match="holds no file 'x'; its models"):
        Spec.from_zip(zipped(members), main="x")
    with pytest.raises(ModelError, match="holds no model"):
        Spec.from_zip(zipped({"a.txt": b""}))


def test_a_missing_file_writes_nothing(tmp_path):
    spec = Spec.from_string('<mujoco><asset><mesh name="m" file="none.obj"/></asset></mujoco>')
    with pytest.raises(MjcfError, match=r"none\.obj"):
        spec.to_zip(tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_a_model_in_an_archive_reads_nothing_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.obj").write_bytes(OBJ)
    for path in ("m.obj", str(tmp_path / "m.obj"), "../m.obj"):
        xml = f'<mujoco><asset><mesh name="m" file="{path}"/></asset></mujoco>'
        with pytest.raises(MjcfError, match="is not in the archive"):
            Spec.from_zip(zipped({"m.xml": xml.encode()})).compile()
    (tmp_path / "part.xml").write_text("<mujoco/>")
    with pytest.raises(MjcfError, match="is not in the archive"):
        Spec.from_zip(zipped({"m.xml": b'<mujoco><include file="part.xml"/></mujoco>'})).compile()


@pytest.mark.parametrize("name", ["../m.xml", "/etc/m.xml", "a/../../m.xml", "C:/m.xml", "a\\m.xml"])
def test_members_that_lead_out_of_the_archive_are_refused(name):
    file = zipped({"m.xml": b"<mujoco/>", name: b"x"})
    with pytest.raises(ModelError, match="is not in the archive's own folder"):
        Spec.from_zip(file)


def test_links_and_devices_are_refused():
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):
        with pytest.raises(ModelError, match="link or a device"):
            Spec.from_zip(zipped({"m.xml": b"/etc/passwd"}, external_attr=(kind | 0o777) << 16))


def test_archives_that_would_fill_the_memory_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m.xml", b"<mujoco/>")
        for k in range(4):
            archive.writestr(f"{k}.bin", bytes(2**20))
    for limits, name in (
        (Limits(file_bytes=2**19), "file_bytes"),
        (Limits(asset_bytes=3 * 2**20), "asset_bytes"),
        (Limits(elements=4), "elements"),
        (Limits(file_bytes=100), "file_bytes"),
    ):
        file.seek(0)
        with pytest.raises(ModelError, match=name):
            Spec.from_zip(file, limits=limits)


def test_a_member_that_lies_about_its_size_is_refused():
    data = archive_of(robot()).getvalue()
    size = len(zipfile.ZipFile(io.BytesIO(data)).read("model.xml"))
    place = data.index(b"PK\x01\x02") + 24
    lie = data[:place] + (size - 7).to_bytes(4, "little") + data[place + 4 :]
    with pytest.raises(ModelError):
        Spec.from_zip(io.BytesIO(lie))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("m.xml", b"<mujoco/>")
        archive.writestr("./m.xml", b"<mujoco/>")
    file.seek(0)
    with pytest.raises(ModelError, match="there twice"):
        Spec.from_zip(file)


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"not an archive")
    for file in (tmp_path / "x.zip", tmp_path / "none.zip", tmp_path):
        with pytest.raises(ModelError):
            Spec.from_zip(file)
    with pytest.raises(ModelError, match="binary mode"):
        Spec.from_zip(io.StringIO("x"))  # type: ignore[arg-type]


def test_damaged_archives_raise_our_errors():
    data, rng = archive_of(robot()).getvalue(), random.Random(5)
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if rng.random() < 0.2:
            damaged = damaged[: rng.randrange(len(damaged))]
        try:
            Spec.from_zip(io.BytesIO(bytes(damaged)))
        except ModelError:
            continue
