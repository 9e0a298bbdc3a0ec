"""Asset files: pictures, height fields, meshes in every format, from disk and from memory."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import io
import struct

import mujoco
import numpy as np
import pytest

from phalanx import MjcfError, Model
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.png import colors, decode, gray_levels
from phalanx.compiler.texture_builtin import random_numbers
from tests.compiler.compare import HULL_ORDER, differences

Image = pytest.importorskip("PIL.Image")

RNG = np.random.default_rng(3)
SMOOTH = (np.add.outer(np.arange(40), np.arange(30)) * 3 % 256).astype(np.uint8)
PICTURES = {
    "gray": Image.fromarray(SMOOTH),
    "noise": Image.fromarray(RNG.integers(0, 256, (17, 23, 3), np.uint8)),
    "color": Image.fromarray(np.stack([SMOOTH, SMOOTH.T[:30].repeat(2, 0)[:40, :30], 255 - SMOOTH], axis=2)),
    "alpha": Image.fromarray(RNG.integers(0, 256, (9, 9, 4), np.uint8)),
    "palette": Image.fromarray(SMOOTH).convert("P"),
    "two levels": Image.fromarray(SMOOTH > 99),
}


def png(name: str) -> bytes:
    stream = io.BytesIO()
    PICTURES[name].save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_decoded(name):
    expected = np.asarray(PICTURES[name].convert("RGB" if name != "alpha" else "RGBA"))
    np.testing.assert_array_equal(colors(png(name), "x.png", expected.shape[2]), expected)


def test_a_broken_picture_is_an_error():
    data = png("color")
    for broken in (b"", data[:40], b"x" + data, data[:-30]):
        with pytest.raises(ElementProblem, match="is not a PNG picture"):
            decode(broken, "x.png")


def test_gray_levels_are_the_first_channel():
    np.testing.assert_array_equal(gray_levels(png("gray"), "x.png"), SMOOTH)


def compare(xml: str, files: dict[str, bytes]) -> None:
    ours, theirs = Model.from_xml_string(xml, files), mujoco.MjModel.from_xml_string(xml, files)
    assert differences(ours, theirs, (*HULL_ORDER, "paths", "npaths")) == {}


@pytest.mark.parametrize("name", ["gray", "noise", "color"])
def test_a_height_field_from_a_picture(name):
    xml = '<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 .1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    compare(xml, {"h.png": png(name)})


def test_a_height_field_from_a_binary_file():
    data = struct.pack("<ii", 3, 4) + RNG.random(12, np.float32).tobytes()
    xml = '<mujoco><asset><hfield name="h" file="h.bin" size="1 1 1 .1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    compare(xml, {"h.bin": data})
    with pytest.raises(MjcfError, match="does not hold 3 x 4 heights"):
        Model.from_xml_string(xml, {"h.bin": data[:-1]})


@pytest.mark.parametrize(
    "attributes",
    [
        'type="2d" file="t.png"', 'type="2d" file="t.png" hflip="true" vflip="true"', 'type="2d" file="t.png" nchannel="4"',
        'type="2d" file="t.png" colorspace="sRGB"', 'type="cube" file="s.png"',
        'type="cube" fileup="s.png" filefront="s.png" rgb1="1 0 0"',
        'type="skybox" file="grid.png" gridsize="3 4" gridlayout=".U..LFRB.D.."',
    ],
)  # fmt: skip
def test_textures_from_pictures(attributes):
    stream = io.BytesIO()
    Image.fromarray(RNG.integers(0, 256, (9, 12, 3), np.uint8)).save(stream, "PNG")
    square = io.BytesIO()
    Image.fromarray(RNG.integers(0, 256, (8, 8, 3), np.uint8)).save(square, "PNG")
    files = {"t.png": png("noise"), "s.png": square.getvalue(), "grid.png": stream.getvalue()}
    compare(f'<mujoco><asset><texture name="t" {attributes}/></asset></mujoco>', files)


def test_random_numbers_are_those_of_the_mersenne_twister():
    # the C++ standard gives the ten thousandth number of the generator with its standard seed
    assert random_numbers(10_000, 5489)[-1] == 9981545732273789042 / 2.0**64


STL = b"\0" * 80 + struct.pack("<I", 4) + b"".join(
    struct.pack("<12fH", *(0.0,) * 3, *corners, 0)
    for corners in ((0, 0, 0, 0, 1, 0, 1, 0, 0), (0, 0, 0, 1, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1, 0, 1, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1))
)  # fmt: skip
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.mark.parametrize("name, data", [("m.stl", STL), ("m.obj", OBJ), ("dir/m.OBJ", OBJ)])
def test_meshes_from_files(name, data):
    xml = f'<mujoco><asset><mesh name="m" file="{name}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    compare(xml, {name: data})


def test_a_mesh_is_named_by_its_file():
    xml = '<mujoco><asset><mesh file="dir/part.obj"/></asset><worldbody><geom type="mesh" mesh="part"/></worldbody></mujoco>'
    compare(xml, {"dir/part.obj": OBJ})


def test_content_types_say_the_format():
    xml = '<mujoco><asset><mesh name="m" file="m.bin" content_type="model/obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    assert Model.from_xml_string(xml, {"m.bin": OBJ}).nmeshface == 4
