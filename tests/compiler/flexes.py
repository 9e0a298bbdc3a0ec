"""Models with flexes: one for each type, motion, pin and child, and random ones."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

EDGE = '<edge equality="true"/>'
PIN = '<pin id="1"/>'
BEND = '<elasticity young="1e3" thickness=".01" elastic2d="bend"/>'
BOTH = '<elasticity young="1e3" poisson=".2" damping=".1" thickness=".01" elastic2d="both"/>'
SOLID = '<elasticity young="1e3" poisson=".2"/>'
ROD = '<elasticity young="1e3" poisson=".1" damping=".1"/>'


def world(inside: str, before: str = "", after: str = "") -> str:
    """A model with something in the world."""
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


def comp(attributes: str = "", inside: str = EDGE, count: str = "3 3 1", name: str = "f") -> str:
    """A flexcomp, by default a small grid of triangles."""
    kind = "" if "type=" in attributes or "mesh=" in attributes else 'type="grid"'
    spacing = 'spacing=".1 .1 .1"' if "spacing=" not in attributes else ""
    return f'<flexcomp name="{name}" {kind} count="{count}" {spacing} {attributes}>{inside}</flexcomp>'


def words(array: Any) -> str:
    """Numbers as text."""
    return " ".join(map(repr, np.asarray(array).ravel().tolist()))


def direct(points: Any, elements: Any, dim: int, inside: str = EDGE, attributes: str = "") -> str:
    """A flexcomp of points and elements."""
    given = f'type="direct" dim="{dim}" point="{words(np.asarray(points, float))}" element="{words(elements)}"'
    return comp(f"{given} {attributes}", inside)


ARC = np.c_[np.cos(np.linspace(0, 1.5, 6)), np.sin(np.linspace(0, 1.5, 6)), np.linspace(0, 0.3, 6)]
CHAIN = [[k, k + 1] for k in range(5)]
#: The first point is the only one in its cell, and barely: it moves with the cell beside it.
BARELY = [[0.47, 0.67, -1.21], [-0.72, -0.34, -0.04], [1.36, -0.01, -3.23], [-1.38, -0.29, -0.07], [-0.5, -0.3, -0.3]]
BOX_SECTION = '<elasticity young="1e3" section="box" sectionsize=".01 .02"/>'
STRETCHING = 'quat=".5 .7 -.2 1"'
CUBE = 'dof="trilinear" dim="3"'
FREE = '<freejoint/><geom size=".1"/>'
SLIDERS = "".join(
    f'<body name="{name}" pos="{pos}"><joint type="slide"/><geom size=".1"/></body>'
    for name, pos in (("a", "0 0 0"), ("b", "1 0 0"), ("c", "0 1 0"), ("d", "0 0 1"))
)
CONTACT = (
    '<contact condim="4" friction=".5" solref=".1" solimp=".8 .9" margin=".001" gap=".002" selfcollide="none" '
    'activelayers="3" contype="2" conaffinity="4" priority="3" solmix=".3"/>'
)
TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\nvt 0 0\nvt 1 0\nvt 0 1\n" + (
    b"f 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 2/1 3/2 4/3\nf 1/1 4/2 3/3\n"
)
FILES = {
    "a.obj": TETRAHEDRON,
    "b.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nf 1 3 2\nf 5 2 4\nf 2 3 4\nf 1 4 3\n",
    "line.obj": b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 2 1 0\nl 1 2 3\nl 3 4\n",
}

#: A closed surface: an octahedron.
HULL = 'point="1 0 0 -1 0 0 0 1.5 0 0 -1 0 0 0 1 0 0 -2" element="0 2 4 2 1 4 1 3 4 3 0 4 2 0 5 1 2 5 3 1 5 0 3 5"'

#: Cells of three different sides, whose modes of strain differ in stiffness.
UNEVEN = 'spacing=".1 .12 .17"'
STRAIN = '<edge equality="strain" solref=".1 1"/>'
#: Points beside those of a pattern.
MORE = 'point="5 5 5 6 6 6 7 0 0"'

#: Points and elements of GMSH files.
POINTS = np.random.default_rng(0).normal(size=(12, 3)).round(3)
SOLIDS = [[k % 12, (k + 1) % 12, (k + 3) % 12, (k + 7) % 12] for k in range(12)]
TRIANGLES = [[k % 12, (k + 1) % 12, (k + 5) % 12] for k in range(12)]


def gmsh(version: str, dim: int, elements: list[list[int]], tags: int = 2) -> bytes:
    """A GMSH file: version "4.1" or "2.2", with a "b" if it is binary."""
    kind, count = {2: 2, 3: 4}[dim], len(POINTS)
    rows = [[node + 1 for node in element] for element in elements]
    head = f"$MeshFormat\n{version[:3]} {int('b' in version)} 8\n".encode()
    head += (struct.pack("<i", 1) + b"\n" if "b" in version else b"") + b"$EndMeshFormat\n$Nodes\n"
    middle, end = b"$EndNodes\n$Elements\n", b"$EndElements\n"
    if version == "4.1":
        text = f"1 {count} 1 {count}\n{dim} 1 0 {count}\n" + "".join(f"{k + 1}\n" for k in range(count))
        text += "".join(f"{words(point)}\n" for point in POINTS)
        more = f"1 {len(rows)} 1 {len(rows)}\n{dim} 1 {kind} {len(rows)}\n"
        more += "".join(f"{k + 1} {words(row)}\n" for k, row in enumerate(rows))
        return head + text.encode() + middle + more.encode() + end
    if version == "4.1b":
        data = struct.pack("<4Q3iQ", 1, count, 1, count, dim, 1, 0, count)
        data += np.arange(1, count + 1, dtype="<u8").tobytes() + POINTS.astype("<f8").tobytes() + b"\n"
        more_data = struct.pack("<4Q3iQ", 1, len(rows), 1, len(rows), dim, 1, kind, len(rows))
        more_data += b"".join(np.array([k + 1, *row], "<u8").tobytes() for k, row in enumerate(rows)) + b"\n"
        return head + data + middle + more_data + end
    if version == "2.2":
        text = f"{count}\n" + "".join(f"{k + 1} {words(point)}\n" for k, point in enumerate(POINTS))
        given = "1 1 " if tags else ""
        more = f"{len(rows)}\n" + "".join(f"{k + 1} {kind} {tags} {given}{words(row)}\n" for k, row in enumerate(rows))
        return head + text.encode() + middle + more.encode() + end
    data = f"{count}\n".encode() + b"".join(struct.pack("<i3d", k + 1, *point) for k, point in enumerate(POINTS))
    more_data = f"{len(rows)}\n".encode()
    more_data += b"".join(struct.pack(f"<{7 + dim}i", kind, 1, 2, k + 1, 1, 1, *row) for k, row in enumerate(rows))
    return head + data + b"\n" + middle + more_data + b"\n" + end


MODELS: dict[str, str] = {
    # patterns
    "grid 1": world(comp('dim="1"', EDGE, "4 1 1")),
    "grid 2": world(comp()),
    "grid 3": world(comp('dim="3"', EDGE, "3 2 4")),
    "square": world(comp('type="square"', EDGE, "5 4 1")),
    "disc": world(comp('type="disc"', EDGE, "5 4 1")),
    "circle": world(comp('type="circle" dim="1"', EDGE, "7 1 1")),
    **{
        f"{kind} {dim}": world(f'<body name="b">{FREE}' + comp(
            f'type="{kind}" dim="{dim}" dof="radial" material="m"', EDGE, "3 4 3") + "</body>",
            '<asset><material name="m"/></asset>')
        for kind in ("box", "cylinder", "ellipsoid") for dim in (1, 2, 3)
    },
    "direct unused": world(direct([[0, 0, 0], [5, 5, 5], [1, 0, 0], [0, 1, 0]], [[0, 2, 3]], 2)),
    "direct scaled": world(direct([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], 2, EDGE, 'scale="1 2 3"')),
    "direct solid": world(direct(POINTS, SOLIDS, 3, SOLID)),
    "material of elements": world(direct(POINTS[:4], [[0, 1, 2], [1, 2, 3]], 2, EDGE, 'material="m n"'),
                                  '<asset><material name="m"/><material name="n"/></asset>'),
    "texture 2": world(comp('material="m"'), '<asset><material name="m"/></asset>'),
    "texture 3": world(comp('material="m" dim="3"', EDGE, "3 2 2"), '<asset><material name="m"/></asset>'),
    # motions
    "2d": world(comp('dof="2d"')),
    "stretched by quat": world(comp(STRETCHING, BEND)),
    "quat in a frame": world(f'<frame pos="1 2 3">{comp(STRETCHING, BEND)}</frame>'),
    "rounded quat": world(comp('quat=".7071 .7071 0 0"')),
    "rigid": world(comp('rigid="true"', "")),
    "rigid with springs": world(comp('rigid="true"', '<edge damping=".1"/>') + comp(name="g")),
    "all pinned": world(comp("", '<pin range="0 8"/>')),
    # children
    "nothing": world(comp("", "")),
    "edge damping": world(comp("", '<edge damping=".1"/>')),
    "edge stiffness": world(comp('dim="1"', '<edge stiffness="10" damping="1"/>', "4 1 1")),
    "edge solver": world(comp("", '<edge equality="true" solref=".3" solimp=".5"/>'),
                         '<default><equality solref=".1 1"/></default>',
                         '<equality><flex flex="f" name="other"/></equality>'),
    "contact": world(comp("", EDGE + CONTACT)),
    "bend": world(comp("", BEND, "4 3 1")),
    "stretch": world(comp("", BEND.replace("bend", "stretch"))),
    "both": world(comp("", BOTH, "5 4 1")),
    "bend and equality": world(comp("", BEND + EDGE)),
    "neither": world(comp("", BEND.replace("bend", "none"))),
    "solid": world(comp('dim="3"', SOLID, "3 2 2")),
    "yield both": world(comp("", BOTH.replace("young", 'yield=".1" young'))),
    "yield bend": world(comp("", BOTH.replace("young", 'yield="0 .1" young'))),
    "yield stretch": world(comp("", BOTH.replace("young", 'yield=".2 0" young'))),
    "yield solid": world(comp('dim="3"', SOLID.replace("young", 'yield=".1" young'), "2 2 2")),
    "bend rotated": world('<body name="b" euler="0 30 0" pos="1 2 3">' + comp('euler="90 0 0"', BEND) + "</body>"),
    "bend folded": world(direct(POINTS, [[0, 1, 2], [2, 3, 4], [4, 5, 3]], 2, BOTH)),
    "bend timestep": world(comp("", BEND), '<option timestep=".01"/><default><joint armature=".1"/></default>'),
    # pins
    "pin id": world(comp("", EDGE + '<pin id="0 4"/>')),
    "pin grid": world(comp("", BEND + '<pin gridrange="0 0 1 1"/><pin grid="2 2"/>')),
    "pin grid 3": world(comp('dim="3"', SOLID + '<pin gridrange="0 0 0 1 1 0"/><pin range="2 3"/>', "2 3 2")),
    "pin to hinge": world('<body name="b"><joint/><geom size=".1"/>' + comp("", EDGE + PIN) + "</body>"),
    "pin to free": world(f'<body name="b">{FREE}' + comp("", BEND + PIN) + "</body>"),
    "pin to mocap": world('<body name="b" mocap="true">' + comp("", EDGE + PIN) + "</body>"),
    # surroundings
    "frames": world('<frame pos="1 2 3" euler="10 20 30"><frame pos="0 1 0" euler="5 6 7">'
                    + comp('pos="1 0 0" zaxis="1 1 0"', BEND) + "</frame></frame>"),
    "replicate": world('<body name="a"><replicate count="2" offset="1 0 0"><body name="c">' + comp()
                       + "</body></replicate></body>" + comp(name="g")),
    "two": world(comp() + comp("", BEND, name="g") + comp('rigid="true"', "", name="h")),
    "articulated and free": world(f'<body name="z" pos="0 0 1">{FREE}' + comp("", EDGE + PIN, name="r") + "</body>"
                                  + comp()),
    **{
        f"class {name}": world(f'<body name="b" childclass="r">{inside}</body>'
                               f'<frame childclass="r">{comp(name="g")}</frame>',
                               '<default><default class="r"><joint armature=".3"/></default></default>')
        for name, inside in (("of a body", comp()), ("of cells", comp('dim="3" dof="trilinear"', SOLID, "3 3 3")),
                             ("of a rod", comp('dim="1"', ROD, "4 1 1")),
                             ("outside", f'<body name="c">{comp()}</body>'))
    },
    # rods
    "rod": world(comp('dim="1"', ROD, "6 1 1")),
    "rod pinned": world(comp('dim="1"', ROD + '<pin id="0"/>', "6 1 1")),
    "rod clamped": world(comp('dim="1"', ROD + '<pin id="0 1 4 5"/>', "6 1 1")),
    "rod of two": world(comp('dim="1"', ROD + '<pin id="1 2"/>', "3 1 1")),
    "rod of one": world(comp('dim="1"', ROD, "2 1 1")),
    "rod curved": world(direct(ARC, CHAIN, 1, ROD)),
    "rod without twist": world(direct(ARC, CHAIN, 1, ROD, 'dof="2d"')),
    "rod box": world(direct(ARC, CHAIN, 1, BOX_SECTION)),
    "rod box equality": world(direct(ARC, CHAIN, 1, BOX_SECTION + EDGE, 'radius=".01"')),
    "rod box in body": world('<body name="b" euler="30 40 50">' + comp('dim="1"', BOX_SECTION, "5 1 1") + "</body>"),
    "rod box on hinge": world('<body name="b" euler="30 40 50"><joint/><geom size=".1"/>'
                              + comp('dim="1"', BOX_SECTION + '<pin id="2"/>', "5 1 1") + "</body>"),
    "rigid box": world(comp('dim="1" rigid="true" radius=".005"', BOX_SECTION, "4 1 1")),
    "pinned cells on mocap": world(f'<body name="b" mocap="true">{comp(CUBE, SOLID + PIN, "3 3 3")}</body>'),
    "rod shear": world(direct(ARC, CHAIN, 1, ROD.replace("young", 'shear="50" young'))),
    "rod ring": world(comp('type="circle" dim="1"', ROD, "7 1 1")),
    "rod branched": world(direct(ARC, [[0, 1], [1, 2], [1, 3], [3, 4], [4, 5]], 1, ROD)),
    "rod mixed": world(direct(ARC, [[3, 2], [0, 1], [4, 3], [5, 4], [2, 1]], 1, ROD)),
    "rod in body": world('<frame euler="0 0 90"><body name="b" pos="1 2 3">'
                         + comp('dim="1"', ROD + '<pin id="0 1"/>', "5 1 1")
                         + '<body name="x"/></body><body name="y"/></frame>'),
    # cells
    **{
        f"{dof} {name}": world(comp(f'dof="{dof}" dim="{dim}" {attributes}', inside, count))
        for dof in ("trilinear", "quadratic")
        for name, dim, attributes, inside, count in (
            ("one", 3, "", SOLID, "3 3 3"),
            ("cells", 3, 'cellcount="2 1 3"', SOLID, "3 4 3"),
            ("ellipsoid", 3, 'type="ellipsoid" cellcount="3 2 1"', SOLID, "4 5 4"),
            ("pinned", 3, 'cellcount="2 1 1"', SOLID + '<pin id="0 1"/><pin grid="1 1 0"/>', "3 3 3"),
            ("without force", 3, "", "", "3 3 3"),
            ("yield", 3, "", SOLID.replace("young", 'yield=".1" young'), "2 2 2"),
            ("surface", 2, f'type="direct" cellcount="2 2 1" {HULL}', SOLID, "4 4 4"),
            ("strain", 3, f'cellcount="2 1 1" {UNEVEN}', STRAIN, "3 4 3"),
            ("strain rotated", 3, f'{UNEVEN} euler="10 20 30"', STRAIN + '<pin id="0 1 2"/>', "3 3 3"),
            ("strain cube", 3, "", STRAIN, "3 3 3"),
            ("strain ellipsoid", 3, 'type="ellipsoid" cellcount="2 1 3"', STRAIN, "4 5 4"),
            ("strain shell", 3, f'cellcount="1 2 1" {UNEVEN}', STRAIN + BEND, "3 3 3"),
            ("shell bend", 3, f'cellcount="2 1 3" {UNEVEN}', BEND, "3 4 3"),
            ("shell stretch", 3, 'cellcount="2 1 3"', BEND.replace("bend", "stretch"), "3 4 3"),
            ("shell both", 2, f'type="box" cellcount="1 2 1" {UNEVEN}', BOTH, "3 4 3"),
            ("shell yield", 3, 'cellcount="2 1 1"', BOTH.replace("young", 'yield=".1" young'), "3 4 3"),
            ("shell yield bend", 3, "", BEND.replace("young", 'yield=".1" young'), "3 4 3"),
        )
    },
    "pins of cells around a box": world(comp('type="box" dof="trilinear" cellcount="1 2 1"',
                                             '<pin grid="1 1"/><pin gridrange="0 0 0 1"/>', "3 3 3")),
    "line in cells": world(comp('dim="1" dof="trilinear" cellcount="2 2 1" euler="10 20 30"', ROD, "5 1 1")),
    "line beside a cell": world(direct(BARELY, CHAIN[:4], 1, "", 'dof="trilinear" cellcount="3 3 3"')),
    "strain of one cell": world(comp(f'dof="trilinear" dim="3" cellcount="2 1 1" {UNEVEN}', "", "3 3 3"), "",
                                '<equality><flexstrain flex="f" cell="1 0 0" name="x" solref=".2 1"/></equality>'),
    "strain and edges": world(comp(f'dof="trilinear" dim="3" {UNEVEN}', STRAIN, "3 3 3"), "",
                              '<equality><flex flex="f"/></equality>'),
    # points and elements beside those of a pattern
    "grid and points": world(comp(f'type="grid" {MORE}')),
    "grid and elements": world(comp(f'type="grid" {MORE} element="0 1 2"')),
    "solid and points": world(comp(f'type="grid" dim="3" {MORE}', SOLID, "3 3 3")),
    "box and points": world(comp(f'type="box" {MORE}', EDGE, "3 3 3")),
    "line and elements": world(comp(f'type="grid" dim="1" {MORE} element="0 1"', EDGE, "4 1 1")),
    "bend loose": world(direct(POINTS, [[0, 1, 2], [2, 1, 3], [4, 5, 6]], 2, BEND)),
    # hulls of points
    **{
        f"hull {dim}": world(comp(f'mesh="m" dim="{dim}" origin=".1 .1 .1"'),
                             f'<asset><mesh name="m" vertex="{words(POINTS)}"/></asset>')
        for dim in (1, 2, 3)
    },
    # raw flexes
    "raw": world(SLIDERS, "", '<deformable><flex body="a b c" element="0 1 2"><edge damping="1"/></flex></deformable>'),
    "raw solid": world(SLIDERS, "", '<deformable><flex name="q" dim="3" body="a b c d" element="0 1 2 3" radius="0">'
                       '<elasticity young="10"/></flex></deformable>'),
    "raw rigid": world(SLIDERS, "", '<deformable><flex name="q" body="a" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2"/>'
                       "</deformable>"),
    "raw vertices": world(SLIDERS, "", '<deformable><flex name="q" body="a b c" vertex="0 0 .1 0 0 0 .1 0 0" '
                          'element="0 1 2" group="3" rgba="1 0 0 1" texcoord="0 0 1 1 0 1"/></deformable>'
                          '<equality><flex flex="q"/></equality>'),
}  # fmt: skip

#: Models that need files, with their names.
WITH_FILES: dict[str, str] = {
    "obj": world(comp('type="mesh" file="a.obj" scale="2 1 .5"')),
    "obj merged": world(comp('type="mesh" file="b.obj"')),
    "obj solid": world(comp('type="mesh" file="a.obj" dim="3" origin=".1 .1 .1"')),
    "obj lines": world(comp('type="mesh" file="line.obj" dim="1"')),
    "mesh": world(comp('mesh="m"'), '<asset><mesh name="m" file="a.obj" scale="2 1 1" refpos="1 2 3"/></asset>'),
    "mesh as gmsh": world(comp('mesh="m" type="gmsh"'), '<asset><mesh name="m" file="a.obj"/></asset>'),
    "mesh builtin": world(comp('mesh="m"'), '<asset><mesh name="m" builtin="sphere" params="1"/></asset>'),
    **{
        f"gmsh {version} {dim}": world(comp(f'type="gmsh" file="{version}-{dim}.msh"'))
        for version in ("4.1", "4.1b", "2.2", "2.2b")
        for dim in (2, 3)
    },
}
FILES.update({
    f"{version}-{dim}.msh": gmsh(version, dim, TRIANGLES if dim == 2 else SOLIDS)
    for version in ("4.1", "4.1b", "2.2", "2.2b")
    for dim in (2, 3)
})  # fmt: skip


# --- random models


def random_model(seed: int) -> str:
    """A model with one or two random flexcomps."""
    rng = np.random.default_rng(seed)
    inside = "".join(_placed(rng, f"flex{k}") for k in range(int(rng.integers(1, 3))))
    step = rng.choice([0.002, 0.01])
    return world(inside, f'<option timestep="{step}"/><asset><material name="m"/></asset>')


def _placed(rng: np.random.Generator, name: str) -> str:
    """A flexcomp in the world, a body or a frame."""
    flex, needs_rest = _random_comp(rng, name)
    pose = f'pos="{words(rng.normal(size=3).round(2))}" euler="{words(rng.integers(0, 360, 3))}"'
    where = rng.integers(0, 5)
    if where == 1:
        return f'<body name="{name}_body" {pose}>{flex}</body>'
    if where == 2:
        return f"<frame {pose}>{flex}</frame>"
    if where == 3 and not needs_rest:
        return f'<body name="{name}_body" {pose}>{FREE}{flex}</body>'
    return flex


def _random_comp(rng: np.random.Generator, name: str) -> tuple[str, bool]:
    """A flexcomp, and whether it must not be carried by a body that moves."""
    dim = int(rng.integers(1, 4))
    kinds = {
        1: ["grid", "circle", "direct"],
        2: ["grid", "square", "disc", "box", "cylinder"],
        3: ["grid", "box", "ellipsoid"],
    }
    kind = str(rng.choice(kinds[dim]))
    dof = str(rng.choice(["full", "full", "full", "2d", "trilinear", "quadratic"]))
    # cells need a solid; bending of a disc with flat corners is all rounding
    if dof in ("trilinear", "quadratic") and dim < 3:
        dof = "full"
    if kind == "disc":
        kind = "square"
    counts = rng.integers(2, 5, 3)
    if dim == 2 and kind not in ("box", "cylinder"):
        counts[2] = 1
    if kind == "circle":
        counts[0] = rng.integers(4, 8)
    attributes = [f'type="{kind}" dim="{dim}" dof="{dof}" mass="{rng.uniform(0.1, 2):.3f}"']
    npoint = int(np.prod(counts[:dim]))
    if kind == "direct":
        npoint = int(rng.integers(3, 8))
        order = rng.permutation(npoint)
        chain = [order[k : k + 2] if rng.random() < 0.7 else order[k : k + 2][::-1] for k in range(npoint - 1)]
        attributes.append(f'point="{words(rng.normal(size=(npoint, 3)))}" element="{words(np.array(chain))}"')
    if kind == "circle":
        npoint = int(counts[0]) - 1
    is_grid = dof in ("trilinear", "quadratic")
    if is_grid:
        cells = rng.integers(1, 3, 3)
        attributes.append(f'cellcount="{words(cells)}"')
        npoint = 8
    if rng.random() < 0.3:
        attributes.append(f'radius="{rng.choice([0.01, 0.02])}" inertiabox=".01" group="2" rgba=".1 .2 .3 1"')
    if rng.random() < 0.2 and kind != "direct":
        attributes.append('material="m"')
    if rng.random() < 0.5:
        attributes.append(f'pos="{words(rng.normal(size=3).round(2))}"')
    if rng.random() < 0.3 and not is_grid:
        attributes.append(f'euler="{words(rng.integers(0, 360, 3))}"')
    pins = [] if rng.random() < 0.5 else sorted(set(rng.integers(0, min(npoint, 8), 3).tolist()))
    inside = _random_force(rng, dim, is_grid) + (f'<pin id="{words(pins)}"/>' if pins else "")
    if rng.random() < 0.3:
        inside += CONTACT
    return comp(" ".join(attributes), inside, words(counts), name), not pins or dof == "2d"


def _random_force(rng: np.random.Generator, dim: int, is_grid: bool) -> str:
    """Elasticity, equality or springs of a flexcomp."""
    young, poisson, damping = rng.uniform(1, 1e4), rng.choice([0, 0.3]), rng.choice([0, 0.1])
    constants = f'young="{young}" poisson="{poisson}" damping="{damping}"'
    choice = rng.random()
    if choice < 0.15:
        return ""
    if choice < 0.4 and not is_grid:
        return f'<edge equality="true" solref=".{rng.integers(1, 9)}"/>'
    if dim == 2 and not is_grid:
        word = rng.choice(["none", "bend", "stretch", "both"])
        strain = rng.choice(["0", ".1", "0 .1", ".1 0"])
        return f'<elasticity {constants} thickness=".0{rng.integers(1, 9)}" elastic2d="{word}" yield="{strain}"/>'
    if dim == 1:
        return f'<elasticity {constants} shear="{rng.choice([0, 50])}"/>'
    return f'<elasticity {constants} yield="{rng.choice([0, 0.1])}"/>'


def random_cells(seed: int) -> str:
    """A model with a random interpolated flexcomp: elastic shells, constraints of strain, of cells of any shape."""
    rng = np.random.default_rng(seed)
    dof = str(rng.choice(["trilinear", "quadratic"]))
    cells, counts = rng.integers(1, 3, 3), rng.integers(2, 5, 3)
    kind = str(rng.choice(["grid", "grid", "ellipsoid", "box"]))
    attributes = f'type="{kind}" dim="3" dof="{dof}" cellcount="{words(cells)}" mass="{rng.uniform(0.1, 2):.3f}"'
    attributes += f' spacing="{words(rng.uniform(0.05, 0.2, 3).round(3))}" euler="{words(rng.integers(0, 360, 3))}"'
    word = str(rng.choice(["none", "bend", "stretch", "both"]))
    constants = f'poisson="{rng.choice([0, 0.3])}" thickness=".0{rng.integers(1, 9)}" elastic2d="{word}"'
    if rng.random() < 0.5:
        young = f'young="{rng.uniform(1, 1e4)}"' if word == "bend" else ""
        inside = f"{STRAIN}<elasticity {constants} {young}/>"
    else:
        inside = f'<elasticity {constants} young="{rng.uniform(1, 1e4)}" yield="{rng.choice([0, 0.1])}"/>'
    pins = sorted(set(rng.integers(0, 8, 3).tolist())) if rng.random() < 0.5 else []
    inside += f'<pin id="{words(pins)}"/>' if pins else ""
    return world(comp(attributes, inside, words(counts)))


#: Corners and triangles of an icosahedron.
_GOLDEN = (1 + 5**0.5) / 2
_ICOSAHEDRON = np.array([
    (-1, _GOLDEN, 0), (1, _GOLDEN, 0), (-1, -_GOLDEN, 0), (1, -_GOLDEN, 0), (0, -1, _GOLDEN), (0, 1, _GOLDEN),
    (0, -1, -_GOLDEN), (0, 1, -_GOLDEN), (_GOLDEN, 0, -1), (_GOLDEN, 0, 1), (-_GOLDEN, 0, -1), (-_GOLDEN, 0, 1),
]) / np.sqrt(1 + _GOLDEN * _GOLDEN)  # fmt: skip
_SIDES = np.array([
    (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
    (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
    (8, 6, 7), (9, 8, 1),
])  # fmt: skip


def random_open_cells(seed: int) -> str:
    """A model with cells around a crumpled icosahedron, of which triangles are missing; of a few, none."""
    rng = np.random.default_rng(seed)
    points = _ICOSAHEDRON * rng.uniform(0.5, 1.5, 3) + 0.25 * rng.normal(size=_ICOSAHEDRON.shape)
    elements = _SIDES[rng.random(len(_SIDES)) > rng.choice([0, 0.1, 0.5, 0.8])]
    elements = elements if len(elements) > 1 else _SIDES[:2]
    cells = rng.integers(1, 6, 3) if seed % 2 == 0 else rng.integers(1, 4, 3)
    attributes = f'dof="{("trilinear", "quadratic")[seed % 2]}" cellcount="{words(cells)}"'
    return world(direct(points, elements, 2, '<elasticity young="1e3" poisson=".2"/>', attributes))
