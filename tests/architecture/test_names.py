"""Names of files: two share one only if it means the same in both. `tests/` mirrors the folders of the package."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.architecture.remaining import NAMES_OF_TWO_MEANINGS
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
    # words of the language, and what they compile to
    "number": "numbers of the physics: operations of the language, and their types in the compiler",
    "user_call": "calls of functions of the user: interpreted, and what they compile to",
    # an object or quantity: its physics, its compilation from MJCF, its sensors
    "actuator": "actuators: compiled, or read by sensors",
    "camera_light": "cameras and lights: compiled, or their frames computed",
    "contact": "contacts: compiled, made, or read by sensors",
    "distance": "distances of geoms: computed, or read by sensors",
    "energy": "energies: computed, or read by sensors",
    "equality": "equality constraints: compiled, or in the constraint space",
    "geom": "geoms: compiled, or in the physics",
    "history": "samples of the past: compiled, kept, or read by sensors",
    "inertia": "mass and inertia: of meshes, or of the moving system",
    "joint": "joints: compiled, in the physics, or read by sensors",
    "limit": "limits of joints and tendons: as constraint rows, or read by sensors",
    "sensor": "sensors: compiled, or in the physics",
    "subtree": "subtrees: momentum, or read by sensors",
    "tendon": "tendons: compiled, in the physics, or read by sensors",
    "user": "what the user computes: forces and controls, or readings of sensors",
}
#: Folders of tests that mirror no folder of the package.
OTHER_TESTS = {"architecture", "conformance", "models", "properties", "reference"}


def files_by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in package_files():
        found[path.stem].append(path.relative_to(PACKAGE).as_posix())
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_files_that_share_a_name_mean_the_same():
    unexplained = {k: v for k, v in files_by_name().items() if k not in SHARED_NAMES and k not in NAMES_OF_TWO_MEANINGS}
    assert not unexplained, "rename one of them, or say in SHARED_NAMES what the name means in all of them"


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
