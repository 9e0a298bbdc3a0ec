"""Imports point down, and ARCHITECTURE.md describes the tree as it is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.check_layers import LATE, LAYERS, main, violations

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def make_package(root: Path, files: dict[str, str]) -> Path:
    """A package `phalanx` from path -> source."""
    package = root / "phalanx"
    for name, source in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return package


def test_no_import_of_the_package_points_up():
    assert violations() == []


@pytest.mark.parametrize(
    "source",
    [
        "from phalanx.smooth.kinematics import kinematics",
        "from phalanx import smooth",
        "import phalanx.smooth.kinematics as k",
        "from ..smooth import kinematics",
        "from .. import smooth",
        "def late():\n    from phalanx.smooth import kinematics",
        "if TYPE_CHECKING:\n    import phalanx.smooth",
        "importlib.import_module('phalanx.smooth')",
        "import phalanx",
        "from phalanx import Model",
    ],
)
def test_an_import_that_points_up_is_found(tmp_path, source):
    (message,) = violations(make_package(tmp_path, {"memory/store.py": source}))
    assert message.startswith("phalanx/memory/store.py:")


@pytest.mark.parametrize(
    "source",
    [
        "from phalanx.tables.field import Field",
        "from phalanx.algebra import number",
        "from . import view",
        "from ..algebra.jit import kernel",
        "import llvmlite, numpy",
    ],
)
def test_an_import_that_points_down_is_allowed(tmp_path, source):
    assert violations(make_package(tmp_path, {"memory/store.py": source})) == []


@pytest.mark.parametrize("file", ["memory/store.py", "memory/deep/store.py"])
@pytest.mark.parametrize(
    "source, is_allowed",
    [
        ("def late():\n    from phalanx.tables.field import Field", False),
        ("class A:\n    def late(self):\n        if self:\n            import phalanx.algebra.jit", False),
        ("def late():\n    return importlib.import_module('phalanx.algebra.jit')", False),
        ("def late():\n    from phalanx.native.llvm import version", True),
        ("def late():\n    from phalanx.native import llvm", True),
        ("def late():\n    import numpy", True),
        ("if TYPE_CHECKING:\n    from phalanx.tables.field import Field", True),
    ],
)
def test_an_import_inside_a_function_is_found(tmp_path, file, source, is_allowed):
    found = violations(make_package(tmp_path, {file: source}))
    assert len(found) == (0 if is_allowed else 1)


def test_files_in_subfolders_belong_to_their_layer(tmp_path):
    up = {"smooth/tendon/wrap.py": "from phalanx.solver.primal import newton"}
    assert violations(make_package(tmp_path, up)) == [
        "phalanx/smooth/tendon/wrap.py:1: smooth imports solver, a higher layer"
    ]
    relative = {"smooth/tendon/wrap.py": "from ..chain import add\nfrom ...algebra.jit import kernel"}
    assert violations(make_package(tmp_path, relative)) == []


def test_modules_that_are_imported_late_exist():
    assert [name for name in LATE if not (ROOT / "phalanx" / f"{name.replace('.', '/')}.py").is_file()] == []


def test_importing_phalanx_does_not_load_the_compiler():
    code = "import sys, phalanx; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"llvmlite", *(f"phalanx.{name}" for name in LATE)} & set(loaded.split()) == set()


def test_relative_imports_of_a_folder_are_resolved(tmp_path):
    assert violations(make_package(tmp_path, {"memory/__init__.py": "from .store import Store"})) == []
    assert violations(make_package(tmp_path, {"memory/__init__.py": "from ..pipeline import step"})) != []


def test_algebra_stands_alone(tmp_path):
    files = {"algebra/jit.py": "def late():\n    import llvmlite", "algebra/bad.py": "import phalanx.tables.field"}
    assert violations(make_package(tmp_path, files)) == [
        "phalanx/algebra/bad.py:1: algebra imports tables, but it must stand alone"
    ]


def test_the_top_of_the_package_imports_anything(tmp_path):
    top = "from phalanx.cli import main\nfrom phalanx import batch"
    assert violations(make_package(tmp_path, {"__init__.py": top, "cli/main.py": f"import phalanx\n{top}"})) == []


def test_a_file_of_no_layer_is_found(tmp_path, capsys):
    assert main([str(make_package(tmp_path, {"utils.py": "", "helpers/misc.py": ""}))]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


# --- ARCHITECTURE.md


def test_architecture_names_the_layers_in_order():
    line = next(line for line in ARCHITECTURE.splitlines() if "←" in line)
    assert tuple(name.strip(" `") for name in line.split("←")) == LAYERS


def test_every_folder_named_in_architecture_exists():
    named = re.findall(r"`([\w./]+)/`", ARCHITECTURE)
    assert named
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_every_folder_of_the_package_is_named_in_architecture():
    holding_code = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "phalanx").rglob("*.py")}
    named = set(re.findall(r"`(phalanx/\w+)/`", ARCHITECTURE))
    assert {"/".join(name.split("/")[:2]) for name in holding_code - {"phalanx"}} <= named
