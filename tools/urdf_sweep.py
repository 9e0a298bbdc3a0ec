"""Robots of others, read by us and by MuJoCo: one row of a table for each URDF file of some folders.

Usage: python -m tools.urdf_sweep FOLDER... [--seconds N] [--jobs N] [--wrong]

For each file: is the model in MuJoCo's style MuJoCo's, field by field, or do both refuse it, as the file is and with
settings that keep visuals and fixed links and correct inertias? Does it load in our style, as it is or repaired, or why
not? Is the model of the MJCF file that its Spec writes the same, bit for bit? Does its physics come back from the URDF
file that it writes? The exit code is 1 if any row says that something is wrong.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np

import phalanx
from phalanx import MjcfError, Model, Spec
from phalanx.cli.differences import model_differences
from phalanx.compiler.text.files import Files
from phalanx.compiler.urdf.addresses import Addresses
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.tables.enums import GeomType
from phalanx.tables.field import Kind
from phalanx.world.fingerprint import PHYSICS

#: Relative error of numbers next to MuJoCo's, and of numbers that were written as Euler angles and read again.
RELATIVE, AGAIN = 1e-12, 1e-11
#: Formats of meshes that MuJoCo reads.
THEIRS = (".stl", ".obj", ".msh")
#: Settings of MuJoCo's compiler that keep what it leaves out of URDF files, and correct what it refuses.
KEEPING = (
    '<compiler discardvisual="false" fusestatic="false" balanceinertia="true" boundmass="1e-3" boundinertia="1e-6"/>'
)
#: Fields that have the digits of meshes.
OF_MESHES = ("mesh_", "bvh_", "oct_", "dof_length", "stat.")
#: Fields that tell materials by their numbers: these come in the order of the links of a file. Colors are compared.
NUMBERED = ("geom_matid", "geom_rgba", "mat_")
#: Fields that depend on the order of principal axes, which the shapes of a link decide if it has no inertial.
FRAMED = ("body_inertia", "body_iquat", "body_sameframe", "geom_sameframe", "bvh_aabb")
#: What a cell begins with if something is wrong.
WRONG = ("differs", "only ", "error", "died", "takes")
_MESH = re.compile(r"<mesh\b([^>]*?)/?>(\s*</mesh\s*>)?", re.DOTALL)
_WORLD = re.compile(r"""<link\s+(?:[^>]*\s)?name\s*=\s*["']world["'][^>]*>.*?</link\s*>""", re.DOTALL)
_INERTIAL = re.compile(r"<inertial\b.*?</inertial\s*>", re.DOTALL)
_FILENAME = re.compile(r"""filename\s*=\s*(?:"([^"]*)"|'([^']*)')""")


class Row(NamedTuple):
    """What became of a file.

    Attributes:
        file: its path.
        mujoco: the model in MuJoCo's style, next to MuJoCo's.
        kept: the same with visuals and fixed links.
        ours: the model in our style.
        mjcf: the models of both styles again, from the MJCF that their Spec writes.
        urdf: the model of our style again, from the URDF that it writes.
        seconds: how long all of it took.
    """

    file: str
    mujoco: str = "-"
    kept: str = "-"
    ours: str = "-"
    mjcf: str = "-"
    urdf: str = "-"
    seconds: float = 0.0

    @property
    def is_wrong(self) -> bool:
        """Is there anything to mend?"""
        return any(getattr(self, column).startswith(WRONG) for column in COLUMNS)


#: What is asked of each file.
COLUMNS = ("mujoco", "kept", "ours", "mjcf", "urdf")


# --- MuJoCo's style


def with_paths(text: str, path: Path) -> str:
    """A URDF text in which every file is named by its absolute path: MuJoCo knows no packages."""
    addresses = Addresses(Files(str(path.parent)), ())

    def named(match: re.Match[str]) -> str:
        name = match[1] if match[1] is not None else match[2]
        return f'filename="{path.parent / addresses.path_of(name)}"'

    return _FILENAME.sub(named, text)


def without_mass_of_the_world(text: str) -> str:
    """A text whose link `world` has no inertial: MuJoCo gives the world its mass, and we do not."""
    return _WORLD.sub(lambda link: _INERTIAL.sub("", link[0]), text)


def with_stand_ins(text: str) -> tuple[str, int]:
    """A text in which a box stands for each mesh that MuJoCo cannot read, and their number."""
    replaced = 0

    def shape(match: re.Match[str]) -> str:
        nonlocal replaced
        name = _FILENAME.search(match[1])
        if name is not None and _is_theirs(Path(name[1] or name[2] or "")):
            return match[0]
        replaced += 1
        return '<box size="0.1 0.2 0.3"/>'

    return _MESH.sub(shape, text), replaced


def _is_theirs(path: Path) -> bool:
    """Can MuJoCo read the file of a mesh? It reads no STL text, and no continued lines of OBJ."""
    if path.suffix.lower() not in THEIRS or not path.is_file():
        return False
    if path.suffix.lower() == ".obj":
        return not re.search(rb"\\\r?\n", path.read_bytes())
    size, head = path.stat().st_size, path.open("rb").read(84)
    return path.suffix.lower() != ".stl" or (
        len(head) == 84 and size == 84 + 50 * int.from_bytes(head[80:84], "little")
    )


def as_mujoco(path: Path, folder: Path) -> tuple[str, str]:
    """How the model in MuJoCo's style compares with MuJoCo's, as the file is and with what MuJoCo would leave out."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    text = without_mass_of_the_world(with_paths(text, path))
    kept = "-"
    if "<mujoco" not in text:
        kept = _readable(
            re.sub(r"(<robot\b[^>]*>)", rf"\1<mujoco>{KEEPING}</mujoco>", text, count=1), folder / path.name
        )
    return _readable(text, folder / path.name), kept


def _readable(text: str, file: Path) -> str:
    """A comparison of what both can read: without the meshes that MuJoCo cannot read."""
    said = _compared(text, file)
    if not said.startswith(("only ours", "both", "differs")):
        return said
    text, replaced = with_stand_ins(text)
    if not replaced:
        return said
    meshes = "1 mesh that MuJoCo cannot read is a box" if replaced == 1 else f"{replaced} meshes are boxes"
    return f"{_compared(text, file)} ({meshes})"


def _compared(text: str, file: Path) -> str:
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    theirs, ours, refusal, error = None, None, "", ""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as caught:
        refusal = _line(caught)
    try:
        ours = phalanx.load(file, style="mujoco")
    except MjcfError as caught:
        error = _line(caught)
    if theirs is None or ours is None:
        if theirs is ours:
            return f"both refuse: {refusal}"
        return f"only ours loads: {refusal}" if theirs is None else f"only MuJoCo's loads: {error}"
    found = [str(difference) for difference in model_differences(ours, theirs, RELATIVE)
             if "invweight0" not in difference.field or difference.error > _rounding(theirs)]  # fmt: skip
    return f"differs in {len(found)} fields: {found[0]}" if found else "equal"


def _rounding(model: mujoco.MjModel) -> float:
    """The relative error that rounding makes in the inverse of the inertia matrix: it grows with its condition."""
    if not model.nv:
        return RELATIVE
    data, matrix = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, matrix)
    return max(RELATIVE, float(np.finfo(float).eps * np.linalg.cond(matrix)))


# --- our style


def in_our_style(path: Path) -> tuple[str, Spec | None, Model | None]:
    """Whether a file loads as it is, or with repairs; its Spec and its Model if so."""
    notes = ""
    for repair in (False, True):
        try:
            spec = Spec.from_urdf(path, repair=repair)
            model = spec.compile()
        except MjcfError as error:
            placeless = [problem for problem in error.problems if not problem.line]
            if placeless:
                return f"error: a problem without a place: {placeless[0]}", None, None
            notes = "; ".join(f"{count} x {kind}" for kind, count in _kinds(error.problems).items())
            continue
        lost = [note for note in model.report if not note.line]
        if lost:
            return f"error: a note without a place: {lost[0]}", None, None
        links = re.findall(
            r"<link\s[^>]*name\s*=", re.sub(r"<!--.*?-->", "", path.read_text(errors="replace"), flags=re.DOTALL)
        )
        if model.nbody < len(links):
            return f"error: {len(links)} links became {model.nbody} bodies", None, None
        return f"repaired: {notes}" if repair else "loads", spec, model
    return f"refused: {notes}", None, None


def _kinds(problems: Iterable[phalanx.compiler.text.errors.Problem]) -> Counter[str]:
    """Messages without the names and numbers in them, and how often each is there."""
    return Counter(re.sub(r"'[^']*'|-?\d[\d.e+-]*", "_", problem.message)[:90] for problem in problems)


# --- round trips


def through_mjcf(spec: Spec, model: Model, file: Path) -> str:
    """Is a model the same, bit for bit, after its Spec was written as MJCF and read?"""
    try:
        spec.save(file)
        again = phalanx.load(file)
    except phalanx.ModelError as error:
        return f"error: {_line(error)}"
    found = [
        name
        for name in MODEL_SCHEMA.fields
        if not np.array_equal(model._store.arrays[name], again._store.arrays[name], equal_nan=_is_number(name))
    ]
    return f"differs in {len(found)} fields: {', '.join(found[:5])}" if found else "equal"


def _is_number(name: str) -> bool:
    return MODEL_SCHEMA.fields[name].kind in (Kind.REAL, Kind.FLOAT32)


def through_urdf(model: Model, file: Path) -> str:
    """Is the physics of a model the same after it was written as URDF and read? What was lost, if not."""
    try:
        lost = model.to_urdf(file)
        again = phalanx.load(file, repair=bool(lost))
    except phalanx.ModelError as error:
        return f"error: {_line(error)}"
    if lost:
        return "lost: " + "; ".join(f"{count} x {kind}" for kind, count in _kinds(lost).items())
    found = physics_differences(again, model)
    return f"differs in {len(found)} fields: {', '.join(found[:5])}" if found else "equal"


def physics_differences(ours: Model, other: Model) -> list[str]:
    """Fields of the physics in which two models differ by more than rounding.

    A mesh is written with the points that it has in its geom, in single precision: frames and boxes of its geoms have
    those digits. So its points in the frame of the body are compared.
    """
    found = []
    solid = other.geom_type != GeomType.MESH
    for name in PHYSICS:
        row = MODEL_SCHEMA.fields[name]
        if name.startswith(NUMBERED) or name in FRAMED or (other.nmesh and name.startswith(OF_MESHES)):
            continue
        a, b = (model._store.arrays[name].astype(float) for model in (ours, other))
        if a.shape == b.shape and name.startswith("geom_"):
            a, b = a[solid], b[solid]
        if a.shape == b.shape and name.startswith("eq_"):
            # mimics come in the order of the joints
            a, b = (array[np.argsort(model.eq_obj1id)] for array, model in ((a, ours), (b, other)))
        if a.shape != b.shape or _gap(name, a, b) > (1e-6 if row.kind is Kind.FLOAT32 else AGAIN):
            found.append(name)
    if ours.nbody == other.nbody:
        found += ["inertia"] if _gap("inertia", _inertias(ours), _inertias(other)) > AGAIN else []
    if ours.ngeom == other.ngeom:
        found += ["colors"] if not np.allclose(_colors(ours), _colors(other), rtol=0, atol=1e-6) else []
        found += [f"mesh of geom {geom}" for geom in np.flatnonzero(~solid) if _are_moved(ours, other, int(geom))]
    return found


def _inertias(model: Model) -> np.ndarray:
    """Inertia matrices of bodies, along their own axes."""
    matrices = np.zeros((model.nbody, 3, 3))
    for body in range(model.nbody):
        axes = np.zeros(9)
        mujoco.mju_quat2Mat(axes, model.body_iquat[body])
        axes = axes.reshape(3, 3)
        matrices[body] = axes @ np.diag(model.body_inertia[body]) @ axes.T
    return matrices


def _colors(model: Model) -> np.ndarray:
    """The color of each geom, its own or that of its material."""
    color = model.geom_rgba.copy()
    has = model.geom_matid >= 0
    color[has] = model.mat_rgba[model.geom_matid[has]]
    return color


def _gap(name: str, a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, as a part of the largest number."""
    gap = np.abs(a - b)
    if "quat" in name and a.shape[-1:] == (4,):
        # the sign of a quaternion says nothing
        gap = np.minimum(gap.max(axis=-1), np.abs(a + b).max(axis=-1))
    return float(gap.max(initial=0.0)) / max(float(np.abs(b).max(initial=0.0)), 1e-30)


def _are_moved(ours: Model, other: Model, geom: int) -> bool:
    """Are the points of the mesh of a geom elsewhere in its body?"""
    a, b = (_points(model, geom) for model in (ours, other))
    return a.shape != b.shape or bool(np.abs(a - b).max(initial=0.0) > 1e-5 * max(float(np.abs(b).max()), 1e-9))


def _points(model: Model, geom: int) -> np.ndarray:
    """Points of the mesh of a geom, in the frame of its body."""
    mesh = int(model.geom_dataid[geom])
    start = int(model.mesh_vertadr[mesh])
    points = model.mesh_vert[start : start + int(model.mesh_vertnum[mesh])].astype(float)
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, model.geom_quat[geom])
    return np.asarray(points @ matrix.reshape(3, 3).T + model.geom_pos[geom])


# --- all files


def row_of(path: Path) -> Row:
    """Everything that is asked of a file."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        place = Path(folder)
        theirs, kept = as_mujoco(path, place)
        ours, spec, model = in_our_style(path)
        mjcf, urdf = "-", "-"
        if spec is not None and model is not None:
            mjcf = through_mjcf(spec, model, place / "again.xml")
            urdf = through_urdf(model, place / "again.urdf")
        if theirs.startswith("equal") and mjcf in ("-", "equal"):
            try:
                merged = Spec.from_urdf(path, style="mujoco")
                mjcf = through_mjcf(merged, merged.compile(), place / "merged.xml")
            except MjcfError:
                # meshes that are not there
                pass
        return Row(str(path), theirs, kept, ours, mjcf, urdf, time.monotonic() - start)


def _answer(path: Path, pipe: Connection) -> None:
    """The worker: a row for one file."""
    os.environ["PHALANX_QUIET"] = "1"
    os.chdir(tempfile.gettempdir())
    try:
        pipe.send(row_of(path))
    except Exception as error:
        pipe.send(Row(str(path), f"error: {type(error).__name__}: {_line(error)}"))


def row_apart(path: Path, seconds: float) -> Row:
    """The row of a file, made in a process of its own: one that dies or hangs is a row, too."""
    context = multiprocessing.get_context("forkserver")
    here, there = context.Pipe(duplex=False)
    worker = context.Process(target=_answer, args=(path, there), daemon=True)
    worker.start()
    there.close()
    try:
        row = here.recv() if here.poll(seconds) else Row(str(path), f"takes more than {seconds:g} s")
    except EOFError:
        row = Row(str(path), "died")
    worker.kill()
    worker.join()
    return row


def files_of(folders: Iterable[Path]) -> Iterator[Path]:
    """All URDF files in some folders, each once, in the order of their names."""
    found = {
        path.resolve() for folder in folders for path in ([folder] if folder.is_file() else folder.rglob("*.urdf"))
    }
    yield from sorted(found)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]


def lines(row: Row, root: str) -> Iterator[str]:
    """A row as text."""
    yield f"{os.path.relpath(row.file, root) if root else row.file}  ({row.seconds:.1f} s)"
    yield from (f"    {column:>6}: {getattr(row, column)}" for column in COLUMNS)


def sums(rows: list[Row]) -> Iterator[str]:
    """How often each column says what."""
    yield f"\n{len(rows)} files"
    for column in COLUMNS:
        words = Counter(re.split(r"[:(]| in \d", getattr(row, column))[0].strip() for row in rows)
        yield f"{column:>8}: " + ", ".join(f"{count} {word}" for word, count in words.most_common())


def main(arguments: list[str]) -> int:
    """Print the table; 1 if any row says that something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.urdf_sweep", description="Read robots of others.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="folders with URDF files, or files")
    parser.add_argument("--seconds", type=float, default=300.0, help="most time for one file")
    parser.add_argument("--jobs", type=int, default=1, help="how many files at a time")
    parser.add_argument("--wrong", action="store_true", help="print only rows that say that something is wrong")
    options = parser.parse_args(arguments)
    paths = list(files_of(options.folders))
    multiprocessing.get_context("forkserver").set_forkserver_preload(
        ["mujoco", "phalanx.cli.differences", "phalanx.compiler.compile"]
    )
    root = os.path.commonpath(paths) if len(paths) > 1 else ""
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(partial(row_apart, seconds=options.seconds), paths):
            rows.append(row)
            if row.is_wrong or not options.wrong:
                print("\n".join(lines(row, root)), flush=True)
    print("\n".join(sums(rows)))
    return 1 if any(row.is_wrong for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
