"""Wheels: ready-made code for every target needs nothing, is found without a compiler, and is as the manifest says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phalanx.native.errors import NativeError
from phalanx.native.target import TARGETS, host_target
from tools.build_wheels import MANIFEST, PLATFORMS, PREBUILT, WheelError, check_images, check_wheel, choose

ROOT = Path(__file__).resolve().parent.parent.parent
#: Small units of each kind: text, parts, an entry.
UNITS = ("caller", "absent", "constants_f64")
ALL_TARGETS = [(platform, target) for platform, row in PLATFORMS.items() for target in row.targets]

#: Loads every unit that is named, and says what was found where.
FIND_SCRIPT = """
import sys
from phalanx.batch.units import unit_named
from phalanx.native import build, runtime

for unit in map(unit_named, sys.argv[1:]):
    path = build.find(unit)
    if path is not None:
        runtime.prepare([unit])
    print(path)
assert "llvmlite" not in sys.modules
"""

#: What a program does first: one world, then a batch.
STEP_SCRIPT = """
import sys
import time

start = time.perf_counter()
import phalanx

model = phalanx.load(sys.argv[1])
model.make_data().step()
print("first step", time.perf_counter() - start)
batch = phalanx.BatchSim(model, 64)
batch.step()
print("first step of a batch", time.perf_counter() - start)
print(phalanx.__file__)
assert "llvmlite" not in sys.modules
"""


def build(folder, *options, keep_cache=False):
    """Run the tool; by default with a cache of its own, so that everything is compiled."""
    environment = {**os.environ} if keep_cache else {**os.environ, "PHALANX_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "tools.build_wheels", "--work", str(folder), *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def run_with(package_root, home, script, *arguments):
    """Run a script that sees only this package, a home without any cache, and no llvmlite."""
    blocked = home / "blocked"
    blocked.mkdir(parents=True, exist_ok=True)
    (blocked / "llvmlite.py").write_text("raise ImportError('nothing is to be compiled here')\n")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PHALANX", "XDG", "PYTHON"))}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": os.pathsep.join([str(blocked), str(package_root)])}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (home / ".cache").exists()
    return done.stdout.split("\n")


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """Packages of all platforms with images of a few units."""
    return build(tmp_path_factory.mktemp("wheels"), "--platform", "all", "--unit", *UNITS, "--no-wheel")


@pytest.fixture(scope="module")
def host_package(staged):
    platform = next(platform for platform, target in ALL_TARGETS if target == host_target().name)
    return staged / platform


def files_of(staged, platform, target):
    return {path.name: path.read_bytes() for path in (staged / platform / PREBUILT / target).iterdir()}


def test_every_target_is_in_one_wheel():
    assert sorted(target for _, target in ALL_TARGETS) == sorted(TARGETS)
    assert choose(["all"], []).keys() == PLATFORMS.keys()
    assert choose([], ["linux-x86-64-v3"]) == {"linux-x86-64": ("linux-x86-64-v3",)}


@pytest.mark.parametrize(("platform", "target"), ALL_TARGETS)
def test_images_are_as_the_manifest_says_and_need_nothing(staged, platform, target):
    files = files_of(staged, platform, target)
    assert check_images(files, target) == len(UNITS)
    manifest = json.loads(files[MANIFEST])
    assert manifest["target"]["name"] == target
    assert manifest["units"].keys() == set(UNITS)


def test_large_frames_of_windows_bring_their_own_stack_probe():
    from phalanx.native.image import functions, undefined
    from phalanx.native.link import link
    from phalanx.native.llvm import object_code

    text = """
    define i64 @large(i64 %n) {
      %room = alloca [4000 x i64]
      %place = getelementptr i64, ptr %room, i64 %n
      store volatile i64 %n, ptr %place
      ret i64 %n
    }
    """
    image = link([object_code(text, TARGETS["windows-x86-64-v3"])])
    assert undefined(image) == []
    assert {name for name, _, _ in functions(image)} == {"large", "__chkstk"}


def test_changed_images_are_noticed(staged):
    platform, target = ALL_TARGETS[0]
    files = files_of(staged, platform, target)
    name = next(name for name in files if name.startswith("caller"))
    damaged = bytearray(files[name])
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(NativeError, match="damaged"):
        check_images({**files, name: bytes(damaged)}, target)
    other = next(name for name in files if name.startswith("absent"))
    with pytest.raises(WheelError, match="not the image"):
        check_images({**files, name: files[other]}, target)
    with pytest.raises(WheelError, match="other files"):
        check_images({**files, "more.so": b""}, target)


def test_a_program_loads_shipped_images_without_a_compiler(host_package, tmp_path):
    found = run_with(host_package, tmp_path, FIND_SCRIPT, *UNITS)
    folder = host_package / PREBUILT / host_target().name
    assert [Path(line).parent for line in found[: len(UNITS)]] == [folder] * len(UNITS)


def test_other_sources_do_not_use_shipped_images(host_package, tmp_path):
    shutil.copytree(host_package, tmp_path / "edited")
    with (tmp_path / "edited" / "phalanx" / "native" / "number.py").open("a") as source:
        source.write("\n# an edit\n")
    metadata = tmp_path / "edited" / "llvmlite-0.dist-info" / "METADATA"  # keys of the cache ask for the version
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: llvmlite\nVersion: 0\n")
    assert run_with(tmp_path / "edited", tmp_path, FIND_SCRIPT, *UNITS)[: len(UNITS)] == ["None"] * len(UNITS)


@pytest.mark.conformance
def test_a_program_with_the_wheel_compiles_nothing(tmp_path):
    out = tmp_path / "dist"
    build(tmp_path / "work", "--target", host_target().name, "--out", str(out), keep_cache=True)
    [wheel] = out.glob("*.whl")
    assert check_wheel(wheel)[host_target().name] > 100
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True, env={**os.environ, "PIP_FIND_LINKS": ""})
    humanoid = site / "phalanx" / "robots" / "humanoid.xml"
    run_with(site, tmp_path / "home", STEP_SCRIPT, humanoid)
    start = time.perf_counter()
    lines = run_with(site, tmp_path / "home", STEP_SCRIPT, humanoid)
    assert lines[2] == str(site / "phalanx" / "__init__.py")
    assert time.perf_counter() - start < 5.0, lines
