"""Attack on the readers of models: extreme attributes, damaged texts, meshes and pictures, files that want too much.

Whatever a file holds, loading it gives a Model or one of our own errors, in bounded time and memory, without a warning
of NumPy. Cases run in a worker with a limit of memory; one that hangs or dies is found by its number.
"""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import random
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import phalanx
from phalanx.tables.mjcf_row import MANY, Attribute, ElementRow, Holds
from phalanx.tables.mjcf_schema import ELEMENTS
from tools.attack_damage import EXTREME, damaged_bytes, damaged_text
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with


class Case(NamedTuple):
    """A model text with the files that it names, and what was done to it."""

    text: str | bytes
    assets: dict[str, bytes]
    what: str


# --- a small model with one object of each kind

NAMES = {
    "body": "b", "joint": "j", "geom": "g", "site": "s", "camera": "c", "light": "l", "mesh": "m", "hfield": "h",
    "texture": "t", "material": "w", "tendon": "n", "actuator": "a", "sensor": "e", "default": "k", "key": "y",
    "frame": "f", "numeric": "u", "text": "x", "equality": "q", "pair": "p", "exclude": "v", "skin": "z", "tuple": "r",
}  # fmt: skip
#: Tag of each section -> what it holds.
SECTIONS = {
    "compiler": "", "option": "", "size": "", "statistic": "", "visual": "", "extension": "",
    "default": '<default class="k"><geom rgba="1 0 0 1"/></default>',
    "asset": '<mesh name="m" file="a.obj"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>'
    '<texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="w" texture="t"/>',
    "worldbody": '<light name="l"/><camera name="c" resolution="2 2"/><site name="s"/><body name="o"><joint name="i"/>'
    '<geom name="d" size=".1"/><site name="s2" pos="1 0 0"/></body><body name="p"><joint name="l0" type="ball"/>'
    '<geom size=".1"/></body><frame name="f"><geom type="plane" size="1 1 1"/>'
    '</frame><body name="b" pos="0 0 1"><joint name="j" range="-9 9"/><geom name="g" size=".1"/>{body}</body>{world}',
    "deformable": "", "contact": "", "equality": "",
    "tendon": '<spatial name="n" range="0 1"><site site="s"/><site site="s2"/></spatial>',
    "actuator": '<motor name="a" joint="j"/>', "sensor": '<jointpos name="e" joint="j"/>',
    "keyframe": '<key name="y"/>', "custom": '<numeric name="u" data="1"/><text name="x" data="y"/>',
}  # fmt: skip
TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def _place_of() -> dict[str, tuple[str, ...]]:
    """Key of each element -> keys of the elements around it, outermost first."""
    found: dict[str, tuple[str, ...]] = {"mujoco": ()}
    queue = ["mujoco"]
    for key in queue:
        for inner, _ in ELEMENTS[key].children.values():
            if inner not in found:
                found[inner] = (*found[key], key)
                queue.append(inner)
    return found


PLACES = _place_of()


def _plain(row: Attribute, rng: random.Random) -> str:
    """A value that an attribute is made for."""
    if row.holds in (Holds.KEYWORD, Holds.KEYWORDS):
        return rng.choice([*row.keywords])
    if row.holds is Holds.BOOL:
        return rng.choice(("true", "false"))
    if row.holds in (Holds.REAL, Holds.INT):
        count = rng.randint(max(row.least, 1), min(row.most, 12)) if row.most < MANY else 3 * rng.randint(1, 4)
        return " ".join(
            str(rng.choice((0, 1, 2, 3)) if row.holds is Holds.INT else rng.choice((0, 0.1, 1, 2)))
            for _ in range(count)
        )
    if row.holds is Holds.FILE:
        return rng.choice(("a.obj", "a.png", "a.stl", "a.xml", "nowhere.obj"))
    return NAMES.get(row.kind, "new") if row.holds is Holds.REFERENCE else rng.choice(("new", "body", "geom", "g", "s"))


def _extreme(row: Attribute, rng: random.Random) -> str:
    """A value that an attribute is not made for, or the right count of extreme values."""
    is_numeric = row.holds in (Holds.REAL, Holds.INT) and rng.random() < 0.8
    value = rng.choice(EXTREME[2:33] if is_numeric else EXTREME)
    count = rng.choice((1, row.least, min(row.most, 12), row.least + 1, 3))
    kind = rng.randrange(4)
    if kind == 0 or not value.strip():
        return value
    if kind == 1:
        return " ".join([value] * max(count, 1)) if len(value) < 1000 else value
    if kind == 2:
        return " ".join(rng.choice(EXTREME[:34]) for _ in range(max(count, 1)))
    words = _plain(row, rng).split()
    words[rng.randrange(len(words))] = value
    return " ".join(words)


def _element(row: ElementRow, values: dict[str, str], inside: str = "") -> str:
    written = "".join(f" {name}={_quoted(value)}" for name, value in values.items())
    return f"<{row.tag}{written}>{inside}</{row.tag}>"


def _quoted(value: str) -> str:
    return '"' + value.replace('"', "&quot;").replace("<", "&lt;") + '"'


#: Ways to write a sound element, by its key or the first part of it: attributes, and what it holds.
SOUND: dict[str, tuple[tuple[str, str], ...]] = {
    "actuator/adhesion": (('body="b" ctrlrange="0 1"', ""),),
    "actuator/dcmotor": (('joint="j" motorconst="1" resistance="1"', ""),),
    "actuator/orientation": (('site="s2"', ""), ('joint="l0"', "")),
    "actuator/muscle": (('joint="j" lengthrange="0 1"', ""), ('tendon="n"', "")),
    "actuator/cylinder": (('joint="j" area="1"', ""), ('joint="j" diameter="1"', "")),
    "actuator": (
        ('joint="j"', ""), ('tendon="n"', ""), ('site="s2"', ""), ('body="b"', ""), ('jointinparent="l0"', ""),
        ('cranksite="s2" slidersite="s" cranklength="2"', ""), ('site="s2" refsite="s"', ""),
    ),
    "equality/connect": (('body1="b" anchor="0 0 0"', ""), ('site1="s" site2="s2"', "")),
    "equality/weld": (('body1="b"', ""), ('site1="s" site2="s2"', "")),
    "equality/joint": (('joint1="j"', ""), ('joint1="j" joint2="i"', "")),
    "equality/tendon": (('tendon1="n"', ""),),
    "equality/distance": (('site1="s" site2="s2"', ""),),
    "contact/pair": (('geom1="g" geom2="d"', ""),),
    "contact/exclude": (('body1="b" body2="o"', ""),),
    "tendon/spatial/site": (('site="s"', ""),),
    "tendon/spatial/geom": (('geom="g"', ""),),
    "tendon/spatial": (
        ("", '<site site="s"/><site site="s2"/>'), ("", '<site site="s"/><geom geom="g"/><site site="s2"/>'),
    ),
    "tendon/fixed": (("", '<joint joint="j" coef="1"/>'),),
    "asset/mesh": (
        ('name="new" file="a.obj"', ""), ('name="new" file="a.stl"', ""), ('name="new" vertex="0 0 0 1 0 0 0 1 0 0 0 1"', ""),
        ('name="new" builtin="sphere" params="2"', ""), ('name="new" builtin="cone" params="5 1"', ""),
        ('name="new" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 2 0 3"', ""),
    ),
    "asset/hfield": (
        ('name="new" nrow="2" ncol="2" size="1 1 1 1"', ""), ('name="new" file="a.hf" size="1 1 1 1"', ""),
        ('name="new" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"', ""),
    ),
    "asset/texture": (
        ('name="new" builtin="checker" width="4" height="4" mark="edge"', ""), ('name="new" type="2d" file="a.png"', ""),
        ('name="new" type="2d" builtin="gradient" width="4" height="4" mark="random"', ""),
        ('name="new" type="cube" file="a.png"', ""),
    ),
    "asset/material": (('name="new"', ""),),
    "asset/skin": (
        ('name="new" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"', '<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'),
        ('name="new" file="a.skn"', ""),
    ),
    "asset/model": (('name="new" file="a.xml"', ""),),
    "body": (("", '<freejoint/><geom size=".1"/>'), ("", '<joint/><geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>')),
    "frame": (("", '<geom size=".1"/>'), ("", '<body><joint/><geom type="mesh" mesh="m"/></body>')),
    "replicate": (('count="3"', '<geom size=".1"/>'), ('count="2"', '<body name="r"><joint/><geom size=".1"/></body>')),
    "attach": (('body="b" prefix="new"', ""), ('frame="f" prefix="new"', "")),
    "inertial": (('pos="0 0 0" mass="1" diaginertia="1 1 1"', ""), ('pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"', "")),
    "joint": (('type="hinge" range="-1 1"', ""), ('type="slide"', ""), ('type="ball"', ""), ("", "")),
    "geom": (
        ('size=".1"', ""), ('type="box" size=".1 .2 .3"', ""), ('type="capsule" size=".1 .2"', ""), ('type="plane" size="1 1 1"', ""),
        ('type="mesh" mesh="m"', ""), ('type="hfield" hfield="h"', ""), ('type="cylinder" size=".1" fromto="0 0 0 1 0 0"', ""),
        ('type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"', ""), ('type="box" mesh="m"', ""), ('type="sdf" mesh="m"', ""),
    ),
    "site": (("", ""), ('type="box" size=".1 .2 .3"', ""), ('type="capsule" size=".1" fromto="0 0 0 1 0 0"', "")),
    "camera": (("", ""), ('sensorsize="1 1" resolution="4 4" focal="1 1"', "")),
    "sensor/rangefinder": (('site="s"', ""), ('camera="c"', "")),
    "sensor/camprojection": (('site="s" camera="c"', ""),),
    "sensor/insidesite": (('site="s" objtype="body" objname="b"', ""),),
    "sensor/contact": (('geom1="g"', ""), ('body1="b" body2="o" data="found force"', ""), ('site="s" num="3"', "")),
    "sensor/distance": (('geom1="g" geom2="d"', ""),), "sensor/normal": (('geom1="g" body2="o"', ""),),
    "sensor/fromto": (('geom1="g" geom2="d"', ""),), "sensor/user": (('dim="3"', ""),),
    "sensor/frame": (('objtype="body" objname="b"', ""), ('objtype="site" objname="s2" reftype="body" refname="o"', "")),
    "sensor/ball": (('joint="l0"', ""),), "sensor/tactile": (('geom="g" mesh="m"', ""),),
    "sensor/jointactuatorfrc": (('joint="j"', ""),),
    "custom/numeric": (('name="new" data="1 2"', ""),), "custom/text": (('name="new" data="y"', ""),),
    "custom/tuple": (('name="new"', '<element objtype="body" objname="b"/>'),),
    "custom/tuple/element": (('objtype="body" objname="b"', ""),),
    "keyframe/key": (("", ""), ('qpos="0 0 1 0 0 0"', "")),
}  # fmt: skip


def _sound(row: ElementRow, rng: random.Random) -> tuple[dict[str, str], str]:
    """Attributes of a sound element, and what it holds."""
    longest = max((key for key in SOUND if row.key.startswith(key)), key=len, default="")
    if longest:
        written, inside = rng.choice(SOUND[longest])
        return dict(re.findall(r'(\w+)="([^"]*)"', written)), inside
    needed = (a for a in row.attributes.values() if a.required or (a.holds is Holds.REFERENCE and a.kind != "default"))
    is_default = row.key.startswith("default")
    return {} if is_default else {attribute.name: _plain(attribute, rng) for attribute in needed}, ""


def _values(row: ElementRow, rng: random.Random, wanted: dict[str, str], written: dict[str, str]) -> dict[str, str]:
    """Attributes of an element: those of a sound one, a few others, and those wanted."""
    others = {a.name: _plain(a, rng) for a in row.attributes.values() if rng.random() < 0.02}
    return {**others, **written, **wanted}


def model_with(key: str, wanted: dict[str, str], rng: random.Random) -> str:
    """The small model with one more element that has some attributes."""
    around = PLACES[key]
    text, inside = "", ""
    # from the element outwards
    for outer in reversed((*around[2:], key) if len(around) > 1 else (key,)):
        written, inside = _sound(ELEMENTS[outer], rng)
        values = _values(ELEMENTS[outer], rng, wanted if outer == key else {}, written)
        text = _element(ELEMENTS[outer], values, inside + text)
    if key == "mujoco":
        return text
    if key in ("joint", "freejoint", "inertial"):
        return _model({}, world=f'<body>{text}<geom size=".1"/></body>')
    if "worldbody" in around:
        return _model({}, world=text) if rng.random() < 0.5 else _model({}, body=text)
    return _model({ELEMENTS[around[1] if len(around) > 1 else key].tag: text})


def _model(more: dict[str, str], body: str = "", world: str = "") -> str:
    parts = []
    for tag, inside in SECTIONS.items():
        inside = inside.format(body=body, world=world) if tag == "worldbody" else inside
        added = more.get(tag, "")
        if added.startswith(f"<{tag}") and not inside:
            parts.append(added)
        elif inside or added:
            parts.append(f"<{tag}>{inside}{added}</{tag}>")
    return f"<mujoco>{''.join(parts)}</mujoco>"


#: Every attribute of every element that can be reached from the root.
ATTRIBUTES = [(key, name) for key in sorted(PLACES) for name in ELEMENTS[key].attributes]


def attribute_case(key: str, name: str, rng: random.Random) -> Case:
    """An element with an extreme attribute, or two of them."""
    row = ELEMENTS[key]
    wanted = {name: _extreme(row.attributes[name], rng)}
    if rng.random() < 0.3:
        other = rng.choice([*row.attributes])
        wanted[other] = _extreme(row.attributes[other], rng)
    shown = ", ".join(f"{name}={value[:60]!r}" for name, value in wanted.items())
    return Case(model_with(key, wanted, rng), files(), f"{key}: {shown}")


# --- files


def png(width: int = 2, height: int = 2, color: int = 2, data: bytes | None = None) -> bytes:
    """A small PNG picture; `data` replaces its pixels."""
    channels = {0: 1, 2: 3, 4: 2, 6: 4}.get(color, 1)
    pixels = b"".join(b"\0" + bytes(width * channels) for _ in range(height)) if data is None else data
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in ((b"IHDR", head), (b"IDAT", zlib.compress(pixels)), (b"IEND", b""))
    )


def stl() -> bytes:
    """A tetrahedron as binary STL."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
    triangles = b"".join(
        bytes(12) + corners[list(face)].tobytes() + bytes(2) for face in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
    )
    return bytes(80) + struct.pack("<i", 4) + triangles


def msh() -> bytes:
    """A tetrahedron in MuJoCo's format."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "<i4")
    return struct.pack("<4i", 4, 0, 0, 4) + corners.tobytes() + faces.tobytes()


def skn() -> bytes:
    """A skin of three vertices and one bone."""
    bone = (
        b"b".ljust(40, b"\0")
        + np.array([0, 0, 0, 1, 0, 0, 0], "<f4").tobytes()
        + struct.pack("<i3i3f", 3, 0, 1, 2, 1, 1, 1)
    )
    return struct.pack("<4i", 3, 0, 1, 1) + bytes(36) + struct.pack("<3i", 0, 1, 2) + bone


def heights() -> bytes:
    """A height field of 2 x 2."""
    return struct.pack("<ii4f", 2, 2, 0, 1, 2, 3)


def files() -> dict[str, bytes]:
    """A file of each kind."""
    return {
        "a.obj": TETRAHEDRON, "a.stl": stl(), "a.msh": msh(), "a.png": png(), "a.skn": skn(), "a.hf": heights(),
        "a.xml": b"<mujoco><worldbody><geom size='1'/></worldbody></mujoco>",
    }  # fmt: skip


#: Models that read a file of each kind.
READING = {
    "a.obj": '<asset><mesh name="f" file="a.obj"/></asset><worldbody><geom type="mesh" mesh="f"/></worldbody>',
    "a.stl": '<asset><mesh name="f" file="a.stl"/></asset><worldbody><geom type="sdf" mesh="f"/></worldbody>',
    "a.msh": '<asset><mesh name="f" file="a.msh"/></asset><worldbody><geom type="mesh" mesh="f"/></worldbody>',
    "a.png": '<asset><texture type="2d" name="f" file="a.png"/><hfield name="e" file="a.png" size="1 1 1 1"/></asset>',
    "a.skn": '<worldbody><body name="b"/></worldbody><deformable><skin name="f" file="a.skn"/></deformable>',
    "a.hf": '<asset><hfield name="f" file="a.hf" size="1 1 1 1"/></asset>',
    "a.xml": '<include file="a.xml"/><asset><model name="o" file="a.xml"/></asset><worldbody><attach model="o" prefix="o"/></worldbody>',
}


def file_case(rng: random.Random) -> Case:
    """A model with a damaged file."""
    name = rng.choice([*READING])
    assets = files()
    assets[name] = damaged_bytes(assets[name], rng)
    if name == "a.png" and rng.random() < 0.5:
        assets[name] = png(rng.choice((0, 1, 2, 2**16, 2**31)), rng.choice((1, 2, 2**16)), rng.randrange(8), bytes(8))
    return Case(f"<mujoco>{READING[name]}</mujoco>", assets, f"damaged {name}: {assets[name][:60]!r}")


# --- texts


def _texts() -> list[str]:
    folder = Path(phalanx.__file__).parent / "robots"
    return [_model({}), *(path.read_text() for path in sorted(folder.glob("*.xml")))]


def text_case(rng: random.Random) -> Case:
    """A model text with parts cut out, repeated, exchanged, or with other characters."""
    text = damaged_text(rng.choice(_texts()), rng)
    return Case(text, files(), f"damaged text {zlib.crc32(text.encode('utf-8', 'replace'))}")


# --- what wants too much


def _nested(tag: str, count: int, inside: str = "", more: str = "") -> str:
    return f"<{tag}{more}>" * count + inside + f"</{tag}>" * count


def _chain(count: int) -> dict[str, bytes]:
    chain = {f"i{k}.xml": f'<mujoco><include file="i{k + 1}.xml"/></mujoco>'.encode() for k in range(count)}
    return {**chain, f"i{count}.xml": b"<mujoco/>"}


def _large_faces(corners: int) -> bytes:
    angles = np.arange(corners) * 2 * np.pi / corners
    lines = [f"v {x:.7f} {y:.7f} 0" for x, y in zip(np.cos(angles), np.sin(angles), strict=True)]
    return "\n".join([*lines, "v 0 0 1", "f " + " ".join(map(str, range(1, corners + 1)))]).encode()


def _greedy(rng: random.Random) -> Iterator[Callable[[], Case]]:
    """Small files that ask for much memory or time."""
    n = rng.choice((300, 1000, 5000))
    geom, many = '<geom size=".1"/>', rng.choice((10**5, 10**6, 2 * 10**9))
    world = "<mujoco><worldbody>{}</worldbody></mujoco>"
    yield lambda: Case(
        world.format(f'<replicate count="{many}">{rng.choice(("", "<frame/>", geom))}</replicate>'),
        {},
        f"replicate {many}",
    )
    yield lambda: Case(world.format(_nested("replicate", n // 10, geom, ' count="9"')), {}, "nested replicate")
    yield lambda: Case(world.format(_nested("body", n, geom)), {}, f"{n} nested bodies")
    yield lambda: Case(world.format(_nested("frame", n, geom)), {}, f"{n} nested frames")
    yield lambda: Case(f"<mujoco>{_nested('default', n)}</mujoco>", {}, f"{n} nested defaults")
    yield lambda: Case('<mujoco><include file="i0.xml"/></mujoco>', _chain(n), f"{n} includes")
    yield lambda: Case(
        "<mujoco " + " ".join(f'a{k}="1"' for k in range(20 * n)) + "/>", {}, f"{20 * n} unknown attributes"
    )
    yield lambda: Case(world.format(f'<body name="{"n" * 200 * n}"/>'), {}, f"a name of {200 * n} letters")
    yield lambda: Case(world.format("<foo/>" * 20 * n), {}, f"{20 * n} unknown elements")
    yield lambda: Case(world.format("<foo>" + '<geom name="a"/>' * 20 * n + "</foo>"), {}, "elements in an unknown one")
    yield lambda: Case(world.format('<geom size="-1"/>' * n), {}, f"{n} mistakes")
    yield lambda: Case(
        world.format("".join(f'<geom name="g{k}" size="1" material="g{k}"/>' for k in range(n))), {}, "wrong names"
    )
    yield lambda: Case(f"<mujoco>{READING['a.obj']}</mujoco>", {"a.obj": _large_faces(n)}, f"face of {n} corners")
    yield lambda: Case(
        f"<mujoco>{READING['a.png']}</mujoco>", {"a.png": png(n * 10, n * 10, 0, bytes(9))}, "large picture"
    )
    yield lambda: Case(
        f'<mujoco><size {rng.choice(("njmax", "nconmax", "nstack", "nuserdata", "nkey"))}="{many}"/></mujoco>',
        {},
        "size",
    )
    yield lambda: Case(f'<mujoco><sensor><user dim="{many}"/></sensor></mujoco>', {}, "sensor of many numbers")


def greedy_case(rng: random.Random) -> Case:
    """A small file that asks for much memory or time."""
    return rng.choice([*_greedy(rng)])()


# --- running


def case_of(seed: int) -> Case:
    """The case with a number."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < 0.6:
        return attribute_case(*rng.choice(ATTRIBUTES), rng)
    if kind < 0.8:
        return file_case(rng)
    return text_case(rng) if kind < 0.985 else greedy_case(rng)


def finding(case: Case, seconds: float = LONGEST) -> str:
    """What is wrong with how a case is treated, "" if nothing is: only our errors, no foreign warnings, in time."""
    return found_with(case.what, lambda: phalanx.Model.from_xml_string(case.text, case.assets), seconds)


def attack(seed: int, seconds: float) -> list[str]:
    """Load damaged and greedy models for some seconds; everything that was found, one line each."""
    return attack_with("mjcf", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
