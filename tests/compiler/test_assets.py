"""Asset files: pictures, height fields, meshes in every format, from disk and from memory."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import io
import struct
import zlib

import mujoco
import numpy as np
import pytest
from PIL import Image

from phalanx import MjcfError, Model
from phalanx.compiler.asset.png import colors, decode, gray_levels
from phalanx.compiler.asset.texture_builtin import random_values
from phalanx.compiler.text.errors import ElementProblem
from tests.compiler.compare import HULL_ORDER, differences
from tests.compiler.pictures import DEPTHS, random_png, write_png

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


KINDS = [
    (color, depth, interlaced, transparent)
    for color, depths in DEPTHS.items()
    for depth in depths
    for interlaced in (False, True)
    for transparent in ((False, True) if color in (0, 2, 3) else (False,))
]


@pytest.mark.parametrize("color, depth, interlaced, transparent", KINDS)
def test_every_kind_of_picture_equals_mujocos(color, depth, interlaced, transparent):
    data = random_png(color, depth, interlaced, transparent)
    for channels in (1, 3, 4):
        xml = f'<mujoco><asset><texture name="t" type="2d" file="t.png" nchannel="{channels}"/></asset></mujoco>'
        theirs = mujoco.MjModel.from_xml_string(xml, {"t.png": data})
        np.testing.assert_array_equal(colors(data, "t.png", channels).ravel(), theirs.tex_data)
    compare('<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 .1"/></asset></mujoco>', {"h.png": data})


@pytest.mark.parametrize("interlaced", (False, True))
def test_a_transparent_color_of_16_bits_is_compared_with_all_of_them(interlaced):
    pixels = np.random.default_rng(3).integers(0x1234, 0x1236, (13, 11, 3))
    data = write_png(pixels, 2, 16, interlaced, ((b"tRNS", bytes.fromhex("123412351234")),))
    expected = np.where((pixels == (0x1234, 0x1235, 0x1234)).all(axis=2), 0, 255)
    assert 0 < (expected == 0).sum() < expected.size
    np.testing.assert_array_equal(colors(data, "t.png", 4)[..., 3], expected)
    compare('<mujoco><asset><texture name="t" type="2d" file="t.png" nchannel="4"/></asset></mujoco>', {"t.png": data})


@pytest.mark.parametrize("chunks", [
    (), ((b"sRGB", b"\0"),), ((b"iCCP", b"sRGB IEC61966-2.1\0\0" + zlib.compress(bytes(128))),),
    ((b"tEXt", b"Comment\0sRGB"), (b"gAMA", struct.pack(">I", 45455))),
], ids=["none", "sRGB", "profile", "text"])  # fmt: skip
def test_only_an_srgb_chunk_makes_a_picture_srgb(chunks):
    data = write_png(np.random.default_rng(4).integers(0, 256, (5, 7, 3)), 2, 8, False, chunks)
    compare('<mujoco><asset><texture name="t" type="2d" file="t.png"/></asset></mujoco>', {"t.png": data})


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


@pytest.mark.parametrize("passthrough", ["none", "textures"])
@pytest.mark.parametrize("where", ["memory", "disk"])
@pytest.mark.parametrize(
    "attributes",
    [
        'type="2d" file="t.png"', 'type="2d" file="t.png" hflip="true"', 'type="2d" file="t.png" vflip="true"',
        'type="2d" file="t.png" nchannel="4"', 'type="2d" file="t.png" nchannel="1"', 'type="2d" file="t.png" colorspace="sRGB"',
        'type="cube" file="s.png"', 'type="cube" file="s.png" vflip="true"', 'type="cube" file="s.png" nchannel="4"', 'type="cube" file="t.png"',
        'type="cube" file="g.png" gridsize="3 4" gridlayout=".U..LFRB.D.."', 'type="cube" file="g.png" gridsize="3 4"',
        'type="cube" file="s.png" gridsize="1 1" gridlayout="U"', 'type="cube" fileup="s.png"', 'type="cube" fileup="s.png" nchannel="4"',
        'type="2d" file="missing.png"', 'type="2d" file="t.jpg"', 'type="2d" file="t.jpg" content_type="image/png"',
        'type="2d" file="t.png" content_type="foo/bar"', 'type="2d" file="t.png" content_type="image/png"',
        'type="2d" file="t.ktx"', 'type="cube" file="t.ktx"', 'type="2d" file="t.ktx" hflip="true"', 'type="2d" file="t.ktx" colorspace="sRGB"',
        'type="2d" file="t.jpg" content_type="image/ktx"', 'type="2d" file="t.ktx" content_type="image/png"',
        'type="2d" file="t.png" builtin="flat" width="3" height="3"', 'type="2d" builtin="flat" width="3" height="3" content_type="image/png"',
    ],
)  # fmt: skip
def test_pictures_that_are_passed_through(attributes, where, passthrough, tmp_path):
    files = {
        "t.png": random_png(2, 8, False, False), "t.jpg": b"not a picture", "t.ktx": b"not read by anyone",
        "s.png": write_png(RNG.integers(0, 256, (8, 8, 3)), 2, 8), "g.png": write_png(RNG.integers(0, 256, (9, 12, 3)), 2, 8),
    }  # fmt: skip
    xml = f'<mujoco><compiler passthrough="{passthrough}"/><asset><texture name="t" {attributes}/><texture name="u" type="2d" builtin="flat" width="2" height="3"/></asset></mujoco>'
    path = tmp_path / "model.xml"
    path.write_text(xml)
    for name, data in files.items() if where == "disk" else ():
        (tmp_path / name).write_bytes(data)
    given = files if where == "memory" else {}
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path), given)
    except ValueError:
        with pytest.raises(MjcfError):
            Model.from_xml_path(path, given)
        return
    assert differences(Model.from_xml_path(path, given), theirs) == {}


def test_random_values_are_those_of_the_mersenne_twister():
    # the C++ standard gives the ten thousandth number of the generator with its standard seed
    assert random_values(10_000, 5489)[-1] == 9981545732273789042 / 2.0**64


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
