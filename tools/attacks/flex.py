"""Attack on deformables: texts of flexes with extreme attributes and damage, damaged GMSH files, a few steps of each.

Whatever a file holds, loading it gives a Model or one of our own errors; a Model can be stepped, asked and drawn.
"""

from __future__ import annotations

import random
import re
import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import phalanx
from phalanx.tables.mjcf_schema import ELEMENTS
from tools import attack_models
from tools.attack_damage import EXTREME, damaged_bytes, damaged_text
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with

#: Elements of deformables, whose attributes are made extreme.
KEYS = sorted(
    key for key in ELEMENTS
    if key.startswith("deformable") or ("flex" in key and not key.startswith("default"))
)  # fmt: skip
TEXTS = {name: text for name, text in attack_models.TEXTS.items() if "flex" in text}
#: Largest model of which steps are taken: number of dofs.
MOST_DOFS = 400


class Case(NamedTuple):
    """A model text with the files that it names, and what was done to it."""

    text: str
    assets: dict[str, bytes]
    what: str


def gmsh(rng: random.Random) -> bytes:
    """A sound GMSH file of version 2.2 or 4.1, as text or binary: tetrahedra or triangles."""
    dim, is_binary, is_new = rng.choice((2, 3)), rng.random() < 0.5, rng.random() < 0.5
    points = np.random.default_rng(rng.randrange(99)).normal(size=(8, 3)).round(3)
    elements = np.array([[(k + j * j) % 8 + 1 for j in range(dim + 1)] for k in range(6)])
    kind, version = {2: 2, 3: 4}[dim], "4.1" if is_new else "2.2"
    head = f"$MeshFormat\n{version} {int(is_binary)} 8\n".encode()
    head += (struct.pack("<i", 1) + b"\n" if is_binary else b"") + b"$EndMeshFormat\n$Nodes\n"
    if is_binary:
        nodes, more = _binary(points, elements, dim, kind, is_new)
    else:
        nodes, more = _written(points, elements, dim, kind, is_new)
    return head + nodes + b"$EndNodes\n$Elements\n" + more + b"$EndElements\n"


def _binary(points: np.ndarray, elements: np.ndarray, dim: int, kind: int, is_new: bool) -> tuple[bytes, bytes]:
    n, k = len(points), len(elements)
    if is_new:
        tagged = np.c_[np.arange(1, k + 1), elements].astype("<u8")
        nodes = struct.pack("<4Q3iQ", 1, n, 1, n, dim, 1, 0, n) + np.arange(1, n + 1, dtype="<u8").tobytes()
        return (nodes + points.astype("<f8").tobytes() + b"\n",
                struct.pack("<4Q3iQ", 1, k, 1, k, dim, 1, kind, k) + tagged.tobytes() + b"\n")  # fmt: skip
    nodes = f"{n}\n".encode() + b"".join(struct.pack("<i3d", i + 1, *point) for i, point in enumerate(points))
    rows = (struct.pack(f"<{7 + dim}i", kind, 1, 2, i + 1, 1, 1, *row) for i, row in enumerate(elements.tolist()))
    return nodes + b"\n", f"{k}\n".encode() + b"".join(rows) + b"\n"


def _written(points: np.ndarray, elements: np.ndarray, dim: int, kind: int, is_new: bool) -> tuple[bytes, bytes]:
    n, k = len(points), len(elements)
    places = [" ".join(map(str, point)) for point in points.tolist()]
    rows = [" ".join(map(str, row)) for row in elements.tolist()]
    if is_new:
        nodes = [f"1 {n} 1 {n}", f"{dim} 1 0 {n}", *map(str, range(1, n + 1)), *places]
        more = [f"1 {k} 1 {k}", f"{dim} 1 {kind} {k}", *(f"{i + 1} {row}" for i, row in enumerate(rows))]
    else:
        nodes = [str(n), *(f"{i + 1} {place}" for i, place in enumerate(places))]
        more = [str(k), *(f"{i + 1} {kind} 2 1 1 {row}" for i, row in enumerate(rows))]
    return ("\n".join(nodes) + "\n").encode(), ("\n".join(more) + "\n").encode()


def file_case(rng: random.Random) -> Case:
    """A flexcomp of a file with damage."""
    data = damaged_bytes(gmsh(rng), rng)
    text = "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='a.msh' dim='{}'><edge equality='true'/></flexcomp>"
    return Case(text.format(rng.choice((2, 3))) + "</worldbody></mujoco>", {"a.msh": data}, f"GMSH {zlib.crc32(data)}")


def attribute_case(rng: random.Random) -> Case:
    """One or two attributes of a sound text with another value."""
    name = rng.choice([*TEXTS])
    text, told = TEXTS[name], []
    for _ in range(rng.randint(1, 2)):
        element = rng.choice(
            [*re.finditer(r"<(flexcomp|edge|elasticity|contact|pin|flex|flexstrain|skin|bone)\b", text)]
        )
        tag, end = element[1], element.end()
        rows = [row for key in KEYS if ELEMENTS[key].tag == tag for row in ELEMENTS[key].attributes]
        if not rows:
            continue
        attribute, value = rng.choice(rows), rng.choice((*EXTREME[2:33], *EXTREME[2:12], "0 0 0", "3 1 2", "1 1 1 1"))
        inside = re.sub(rf' {attribute}="[^"]*"', "", text[end:].partition(">")[0])
        text = f'{text[:end]} {attribute}="{value[:2000]}"{inside}>{text[end:].partition(">")[2]}'
        told.append(f"{tag} {attribute}={value[:40]!r}")
    return Case(text, {}, f"{name}: {', '.join(told)}")


def text_case(rng: random.Random) -> Case:
    """A text with damage."""
    text = damaged_text(rng.choice([*TEXTS.values()]), rng)
    return Case(text, {}, f"damaged text {zlib.crc32(text.encode('utf-8', 'replace'))}")


def case_of(number: int) -> Case:
    """The case with a number."""
    rng = random.Random(number)
    return rng.choice((attribute_case, attribute_case, file_case, text_case))(rng)


def read(case: Case) -> phalanx.Model:
    """Load a model."""
    return phalanx.Model.from_xml_string(case.text, case.assets)


def step(case: Case) -> None:
    """Load a model, step it, ask and draw it."""
    model = read(case)
    if model.nv <= MOST_DOFS:
        data = model.make_data().step(2)
        data.flex_energy()
        data.flex_rays((0.0, 0.0, 2.0), (0.0, 0.0, -1.0))
        phalanx.Renderer(model, 8, 6).render(data)


def finding(case: Case, seconds: float = LONGEST, use: Callable[[Case], object] = step) -> str:
    """What is wrong with how a case is treated, "" if nothing is."""
    return found_with(case.what, lambda: use(case), seconds, phalanx.PhalanxError)


def attack(seed: int, seconds: float) -> list[str]:
    """Load damaged deformables for some seconds; everything that was found, one line each."""
    return attack_with("flex", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
