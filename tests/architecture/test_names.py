"""Names of files: two share one only if it means the same in both. `tests/` mirrors the folders of the package."""

from __future__ import annotations

import importlib
from collections import defaultdict
from pathlib import Path

import pytest

from phalanx.algebra.dispatch import Table
from tests.architecture.sources import PACKAGE, ROOT, package_files

#: Name of files in several folders -> its one meaning.
SHARED_NAMES = {
    "__init__": "what the folder is for",
    "table": "the tables of kernels of its folder, and what a row is",
    "errors": "exceptions of its folder",
    "cache": "what its folder keeps on disk",
    # a table, and the code for it
    "hooks": "functions of the user in the step: the table of places, and the hooks of one Model",
    "parts": "parts of compiled code: the table of them, and which of them a model loads",
    "profile": "where time and memory of a simulation go: measured, or shown by the command",
    # words of the language, and what they compile to
    "number": "numbers of the physics: operations of the language, and their types in the compiler",
    "sharing": "memory that threads share: words of the language, and what they compile to",
    "user_call": "calls of functions of the user: interpreted, and what they compile to",
    # an object or quantity: its physics, its compilation from MJCF, its sensors
    "actuator": "actuators: compiled, or read by sensors",
    "anchor": "the point of a body at which a joint or an equality holds it",
    "camera_light": "cameras and lights: compiled, or their frames computed",
    "contact": "contacts: compiled, made, or read by sensors",
    "distance": "distances of geoms or points: computed, kept by an equality, or read by sensors",
    "energy": "energies: computed, or read by sensors",
    "equality": "equality constraints: compiled, or in the constraint space",
    "geom": "geoms: compiled, or in the physics",
    "history": "samples of the past: declared, compiled, kept, or read by sensors",
    "inertia": "mass and inertia: of meshes, or of the moving system",
    "joint": "joints: compiled, in the physics, tied by an equality, or read by sensors",
    "limit": "limits of joints and tendons: as constraint rows, or read by sensors",
    "sensor": "sensors: compiled, or in the physics",
    "subtree": "subtrees: momentum, or read by sensors",
    "rotation": "rotations: of a frame in a model file, or by a joint",
    "tendon": "tendons: compiled, in the physics, tied by an equality, or read by sensors",
    "user": "what the user computes: forces and controls, or readings of sensors",
    # a type of geom: the shape itself, its contacts with others
    "camera": "cameras: placed by the user, or read by sensors",
    "shapes": "shapes: that touch without a Model, or that a scene is made of",
    "view": "views: of data by a kernel, or of a world by a camera",
    "box": "boxes: the shape, or its contacts",
    "capsule": "capsules: the shape, or its contacts",
    "hfield": "height fields: the shape, or its contacts",
    "mesh": "triangle meshes: made from files and arrays, or as a shape",
    "plane": "planes: the shape, or its contacts",
    "sphere": "spheres: the shape, or its contacts",
    # a robot: in the tasks of Gymnasium, in those of dm_control
    "hopper": "tasks of a robot with one leg",
    "humanoid": "tasks of a person",
    "reacher": "tasks of an arm in a plane",
    "swimmer": "tasks of a chain of links that swims",
}
#: Folders of tests that mirror no folder of the package.
OTHER_TESTS = {"architecture", "conformance", "models", "properties", "reference"}


def files_by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in package_files():
        found[path.stem].append(path.relative_to(PACKAGE).as_posix())
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_files_that_share_a_name_mean_the_same():
    unexplained = {k: v for k, v in files_by_name().items() if k not in SHARED_NAMES}
    assert not unexplained, "rename one of them, or say in SHARED_NAMES what the name means in all of them"


def test_a_file_named_table_has_tables_of_kernels():
    for path in package_files():
        if path.stem == "table":
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            assert any(isinstance(value, Table) for value in vars(module).values()), path


@pytest.mark.parametrize("name", ["utils", "util", "common", "helpers", "misc", "core", "base"])
def test_no_file_has_a_name_that_says_nothing(name):
    assert not [path for path in package_files() if path.stem == name]


def folders_with_code(root: Path) -> set[str]:
    """Folders that hold Python files, relative to the root, with all above them."""
    holding = {path.parent.relative_to(root) for path in root.rglob("*.py") if "__pycache__" not in path.parts}
    return {folder.as_posix() for path in holding for folder in (path, *path.parents)} - {"."}


def test_folders_of_tests_mirror_those_of_the_package():
    folders = {name for name in folders_with_code(ROOT / "tests") if name.split("/")[0] not in OTHER_TESTS}
    assert folders - folders_with_code(PACKAGE) == set()


def test_every_folder_of_the_package_has_tests():
    tested = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} - tested == set()
