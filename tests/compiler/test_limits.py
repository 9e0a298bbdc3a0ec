"""Files and sizes: what may be read, how large a model may become, and that costs are bounded before memory is taken."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import contextlib
import os
import socket
import time
import tracemalloc
from collections.abc import Callable

import pytest

import phalanx
from phalanx import FieldError, Limits, MjcfError, Model, ModelError, Spec
from phalanx.mesh.read import parse_obj
from tools.attacks.mjcf import TETRAHEDRON, msh, png, stl

WORLD = "<mujoco><worldbody>{}</worldbody></mujoco>"
MESH = '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
FIELD = '<mujoco><asset><hfield name="h" file="{}" size="1 1 1 1"/></asset></mujoco>'
GEOM = '<geom size=".1" contype="0" conaffinity="0"/>'


# --- special files


def _pipe(folder) -> str:
    os.mkfifo(folder / "pipe.xml")
    return str(folder / "pipe.xml")


def _socket(folder) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket.xml"))
    return str(folder / "socket.xml")


SPECIAL: dict[str, Callable[..., str]] = {
    "zero": lambda folder: "/dev/zero", "null": lambda folder: "/dev/null", "proc": lambda folder: "/proc/self/maps",
    "log": lambda folder: "/proc/kmsg", "folder": str, "pipe": _pipe, "socket": _socket,
}  # fmt: skip


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("use", ["model", "include", "asset", "attached"])
def test_only_regular_files_are_read(tmp_path, kind, use):
    path = SPECIAL[kind](tmp_path)
    text = {"include": '<mujoco><include file="{}"/></mujoco>', "asset": FIELD, "model": "",
            "attached": '<mujoco><asset><model file="{}"/></asset><worldbody><attach model="x"/></worldbody></mujoco>'}[use]  # fmt: skip
    start = time.monotonic()
    with pytest.raises(MjcfError, match="cannot be read"):
        Model.from_xml_path(path) if use == "model" else Model.from_xml_string(text.format(path))
    assert time.monotonic() - start < 2


def test_a_file_that_became_a_pipe_is_noticed(tmp_path):
    (tmp_path / "a.obj").write_bytes(TETRAHEDRON)
    os.utime(tmp_path / "a.obj", (1, 1))
    text = MESH.format(tmp_path / "a.obj")
    Model.from_xml_string(text)
    (tmp_path / "a.obj").unlink()
    os.mkfifo(tmp_path / "a.obj")
    with pytest.raises(MjcfError, match="it is a pipe, not a regular file"):
        Model.from_xml_string(text)


# --- limits


def _chain(count: int) -> dict[str, str]:
    chain = {f"i{k}.xml": f'<mujoco><include file="i{k + 1}.xml"/></mujoco>' for k in range(count)}
    return {**chain, f"i{count}.xml": "<mujoco/>"}


ASSETS: dict[str, bytes | str] = {"a.obj": TETRAHEDRON, "a.stl": stl(), "a.msh": msh(), "a.png": png(9, 9)}
#: Limit -> models that are just within it with this value, and beyond it with one less.
BOUNDED = {
    "elements": ((8, WORLD.format(f'<replicate count="2">{GEOM}</replicate>')), (4, WORLD.format(GEOM * 2))),
    "nesting": ((5, WORLD.format("<body><frame><geom size='1'/></frame></body>")),),
    "bodies": ((3, WORLD.format("<body/>" * 3)), (4, WORLD.format('<replicate count="4"><body/></replicate>'))),
    "mesh_vertices": tuple((4, MESH.format(name)) for name in ("a.obj", "a.stl", "a.msh")),
    "mesh_faces": tuple((4, MESH.format(name)) for name in ("a.obj", "a.stl", "a.msh")),
    "texture_pixels": (
        (81, '<mujoco><asset><texture name="t" type="2d" file="a.png"/></asset></mujoco>'), (81, FIELD.format("a.png")),
        (12, '<mujoco><asset><texture name="t" type="2d" builtin="flat" width="3" height="4"/></asset></mujoco>'),
        (6, '<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="1 1 1 1"/></asset></mujoco>'),
    ),
    "include_depth": ((4, '<mujoco><include file="i7.xml"/></mujoco>'),),
    "asset_bytes": ((243, '<mujoco><asset><texture name="t" type="2d" file="a.png"/></asset></mujoco>'),),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDED)
def test_a_limit_is_named_and_can_be_raised(name):
    for value, text in BOUNDED[name]:
        assets = {**ASSETS, **_chain(10)}
        Model.from_xml_string(text, assets, limits=Limits(**{name: value}))
        with pytest.raises(MjcfError, match=name):
            Model.from_xml_string(text, assets, limits=Limits(**{name: value - 1}))
        with pytest.raises(MjcfError, match=name):
            Spec.from_string(text, assets, limits=Limits(**{name: value - 1})).compile()


def test_large_files_are_not_read(tmp_path):
    (tmp_path / "a.xml").write_text(WORLD.format(GEOM))
    size = os.path.getsize(tmp_path / "a.xml")
    assert phalanx.load(tmp_path / "a.xml", limits=Limits(file_bytes=size)).ngeom == 1
    for read in (phalanx.load, Model.from_xml_path, Spec.from_file):
        with pytest.raises(MjcfError, match=f"it has {size} bytes; the limit is file_bytes={size - 1}"):
            read(tmp_path / "a.xml", limits=Limits(file_bytes=size - 1))


def test_a_file_that_was_read_before_is_measured_again(tmp_path):
    (tmp_path / "a.obj").write_bytes(TETRAHEDRON)
    os.utime(tmp_path / "a.obj", (1, 1))
    Model.from_xml_string(MESH.format(tmp_path / "a.obj"))
    with pytest.raises(MjcfError, match="file_bytes=10"):
        Model.from_xml_string(MESH.format(tmp_path / "a.obj"), limits=Limits(file_bytes=10))
    with pytest.raises(MjcfError, match="mesh_vertices=3"):
        Model.from_xml_string(MESH.format(tmp_path / "a.obj"), limits=Limits(mesh_vertices=3))


def test_limits_that_make_no_sense_are_refused():
    for value in (-1, 1.5, True, "1"):
        with pytest.raises(ModelError, match=r"Limits\.elements"):
            Limits(elements=value)


JOINT = '<mujoco><worldbody><body><joint name="j"/><geom name="g" size="1"/></body></worldbody>{}</mujoco>'
#: Small texts that ask for more than there is.
GREEDY = {
    "replicate": (WORLD.format(f'<replicate count="2000000000">{GEOM}</replicate>'), "elements"),
    "nested replicate": (WORLD.format('<replicate count="99">' * 9 + GEOM + "</replicate>" * 9), "elements"),
    "free bodies": (WORLD.format(f'<replicate count="20000"><body><freejoint/>{GEOM}</body></replicate>'), "model_bytes"),
    "contact sensor": (JOINT.format('<sensor><contact geom1="g" num="2000000000"/></sensor>'), "model_bytes"),
    "camera": ('<mujoco><worldbody><camera name="c" resolution="100000 100000"/></worldbody><sensor><rangefinder camera="c"/></sensor></mujoco>', "model_bytes"),
    "user sensor": ('<mujoco><sensor><user dim="2000000000"/></sensor></mujoco>', "model_bytes"),
    "activations": (JOINT.format('<actuator><general joint="j" dyntype="user" actdim="2000000000"/></actuator>'), "model_bytes"),
    "textures": ("<mujoco><asset>" + "".join(f'<texture name="t{k}" builtin="flat" type="2d" width="8000" height="8000"/>' for k in range(20)) + "</asset></mujoco>", "asset_bytes"),
    "height fields": ("<mujoco><asset>" + "".join(f'<hfield name="t{k}" nrow="8000" ncol="8000" size="1 1 1 1"/>' for k in range(20)) + "</asset></mujoco>", "asset_bytes"),
    "nesting": (WORLD.format("<body>" * 5000 + "</body>" * 5000), "nesting"),
}  # fmt: skip
SLOW = ("free bodies", "height fields", "textures")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.conformance) if n in SLOW else n for n in GREEDY])
def test_sizes_are_checked_before_memory_is_taken(name):
    text, limit = GREEDY[name]
    tracemalloc.start()
    try:
        with pytest.raises(MjcfError, match=limit):
            Model.from_xml_string(text)
        assert tracemalloc.get_traced_memory()[1] < (2.5e9 if name in SLOW else 5e7)
    finally:
        tracemalloc.stop()


def test_a_picture_is_measured_before_it_is_decoded():
    text = '<mujoco><asset><texture name="t" type="2d" file="a.png"/></asset></mujoco>'
    for size in (9_000, 2**16, 2**31):
        with pytest.raises(MjcfError, match="texture_pixels"):
            Model.from_xml_string(text, {"a.png": png(size, size, data=bytes(9))})


def test_pictures_beyond_the_limit_of_pillow_are_our_error():
    text = '<mujoco><asset><texture name="t" type="2d" file="a.png"/></asset></mujoco>'
    with pytest.raises(MjcfError, match="larger than Pillow decodes"):
        Model.from_xml_string(
            text, {"a.png": png(2**15, 2**15, data=bytes(9))}, limits=Limits(texture_pixels=2**31, asset_bytes=2**40)
        )


def test_long_chains_of_includes_are_refused():
    for count in (300, 5000):
        with pytest.raises(MjcfError, match="include_depth"):
            Model.from_xml_string('<mujoco><include file="i0.xml"/></mujoco>', _chain(count))


def test_a_body_that_attaches_itself_is_refused():
    with pytest.raises(MjcfError, match="attached without end"):
        Model.from_xml_string(WORLD.format('<body name="b"><attach body="b" prefix="p"/></body>'))
    text = '<body name="a"><attach body="c" prefix="p"/></body><body name="c"><attach body="a" prefix="q"/></body>'
    with pytest.raises(MjcfError, match=r"attach_depth|without end"):
        Model.from_xml_string(WORLD.format(text))


def test_an_attached_part_may_hold_others():
    text = f'<body name="a"><attach body="c" prefix="p"/></body><body name="c"><replicate count="2"><body name="d">{GEOM}</body></replicate></body>'
    model = Model.from_xml_string(WORLD.format(text))
    assert model.nbody == 8 and model.body("pd1").id > 0


# --- costs


def _seconds(text: str, assets: dict | None = None) -> float:
    start = time.process_time()
    with contextlib.suppress(MjcfError):
        Model.from_xml_string(text, assets)
    return time.process_time() - start


def _polygon(corners: int) -> str:
    import numpy as np

    angles = np.arange(corners) * 2 * np.pi / corners
    lines = [f"v {x:.7f} {y:.7f} 0" for x, y in zip(np.cos(angles), np.sin(angles), strict=True)]
    return "\n".join([*lines, "v 0 0 1", "f " + " ".join(map(str, range(1, corners + 1)))])


#: Texts of a size; ten times the size must not take much more than ten times as long.
LINEAR = {
    "unknown attributes": lambda n: ("<mujoco " + " ".join(f'a{k}="1"' for k in range(n)) + "/>", None),
    "attributes of a geom": lambda n: (WORLD.format("<geom " + " ".join(f'a{k}="1"' for k in range(n)) + "/>"), None),
    "passed over": lambda n: (WORLD.format("<foo>" + '<geom name="a"/>' * n + "</foo>"), None),
    "mistakes": lambda n: (WORLD.format('<geom size="-1"/>' * n), None),
    "mistakes with accents": lambda n: (WORLD.format('<geom name="é" size="-1"/>' * n), None),
    "a long name": lambda n: (WORLD.format(f'<geom size="1" name="{"n" * 30 * n}"/>'), None),
    "empty replicate": lambda n: (WORLD.format(f'<replicate count="{n}00"><frame/></replicate>'), None),
}


@pytest.mark.parametrize("name", LINEAR)
def test_costs_grow_no_faster_than_the_file(name):
    small, large = (min(_seconds(*LINEAR[name](n)) for _ in range(2)) for n in (1_000, 10_000))
    assert large < 30 * small + 0.5


@pytest.mark.filterwarnings("ignore::phalanx.MjcfWarning")
@pytest.mark.parametrize("corners", [100, 2_000])
def test_faces_with_many_corners_take_no_time(corners):
    assert _seconds(MESH.format("a.obj"), {"a.obj": _polygon(corners)}) < 5


@pytest.mark.parametrize("corners", [10_000, 100_000])
def test_faces_with_very_many_corners_are_read_quickly(corners):
    """Reading only: the time of qhull for the hull of so many points on a circle grows with their square."""
    data = _polygon(corners).encode()
    start = time.process_time()
    assert parse_obj(data).dropped == 1
    assert time.process_time() - start < 2


# --- trust


@pytest.fixture
def folders(tmp_path):
    (tmp_path / "model" / "meshes").mkdir(parents=True)
    (tmp_path / "model" / "meshes" / "in.obj").write_bytes(TETRAHEDRON)
    (tmp_path / "out.obj").write_bytes(TETRAHEDRON)
    (tmp_path / "out.xml").write_text("<mujoco/>")
    (tmp_path / "model" / "link.obj").symlink_to(tmp_path / "out.obj")
    (tmp_path / "model" / "linked").symlink_to(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["meshes/in.obj", "./meshes/../meshes/in.obj", "meshes\\\\in.obj"])
def test_a_model_that_is_not_trusted_reads_its_folder(folders, name):
    (folders / "model" / "a.xml").write_text(MESH.format(name))
    assert phalanx.load(folders / "model" / "a.xml", trusted=False).nmesh == 1


@pytest.mark.parametrize("name", ["../out.obj", "{}/out.obj", "link.obj", "linked/out.obj", "meshes/../../out.obj",
                                  "..\\\\out.obj", "nowhere/../../out.obj", "../nowhere.obj"])  # fmt: skip
def test_a_model_that_is_not_trusted_reads_nothing_else(folders, name):
    (folders / "model" / "a.xml").write_text(MESH.format(name.format(folders)))
    with pytest.raises(MjcfError, match="outside of the folder of the model"):
        Model.from_xml_path(folders / "model" / "a.xml", trusted=False)
    if "nowhere.obj" not in name:
        assert Model.from_xml_path(folders / "model" / "a.xml").nmesh == 1


@pytest.mark.parametrize("text", ['<mujoco><include file="../out.xml"/></mujoco>',
    '<mujoco><compiler meshdir=".."/><asset><mesh file="out.obj"/></asset></mujoco>',
    '<mujoco><asset><model name="o" file="../out.xml"/></asset><worldbody><attach model="o" prefix="p"/></worldbody></mujoco>'])  # fmt: skip
def test_no_way_leads_out_of_the_folder(folders, text):
    (folders / "model" / "a.xml").write_text(text)
    Model.from_xml_path(folders / "model" / "a.xml")
    with pytest.raises(MjcfError, match="outside of the folder of the model"):
        Spec.from_file(folders / "model" / "a.xml", trusted=False).compile()


def test_an_attached_model_is_trusted_no_more_than_the_one_around_it(folders):
    (folders / "model" / "inner").mkdir()
    attach = '<mujoco><asset><model name="o" file="{}"/></asset><worldbody><attach model="o" prefix="p"/></worldbody></mujoco>'
    (folders / "model" / "a.xml").write_text(attach.format("inner/b.xml"))
    (folders / "model" / "inner" / "b.xml").write_text(MESH.format("../meshes/in.obj"))
    assert Model.from_xml_path(folders / "model" / "a.xml", trusted=False).nmesh == 1
    (folders / "model" / "inner" / "b.xml").write_text(MESH.format("../../out.obj"))
    with pytest.raises(MjcfError, match="outside of the folder of the model"):
        Model.from_xml_path(folders / "model" / "a.xml", trusted=False)


def test_a_text_that_is_not_trusted_reads_no_file(folders, monkeypatch):
    monkeypatch.chdir(folders / "model")
    for name in ("meshes/in.obj", str(folders / "out.obj")):
        assert Model.from_xml_string(MESH.format(name)).nmesh == 1
        with pytest.raises(MjcfError, match="reads no files; give it in assets"):
            Model.from_xml_string(MESH.format(name), trusted=False)
    assert Model.from_xml_string(MESH.format("a.obj"), {"a.obj": TETRAHEDRON}, trusted=False).nmesh == 1


# --- real models


@pytest.mark.conformance
def test_real_models_are_far_from_the_limits():
    from tests.compiler.test_files import FILES

    small = Limits(
        file_bytes=2**24, elements=20_000, nesting=90, include_depth=10, attach_depth=3, bodies=5_000,
        mesh_vertices=500_000, mesh_faces=500_000, texture_pixels=2**24, asset_bytes=2**30, model_bytes=2**30,
    )  # fmt: skip
    for path in FILES.values():
        try:
            Model.from_xml_path(path, limits=small)
        except MjcfError as error:
            assert "phalanx.Limits" not in str(error)


@pytest.mark.parametrize("text", [None, 5, ["<mujoco/>"], object()])
def test_a_text_of_another_type_is_refused(text):
    with pytest.raises(FieldError, match="xml takes str or bytes, not"):
        Model.from_xml_string(text)
