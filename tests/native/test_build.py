"""Units become images: complete, named by all that decides them, compiled once, in several processes, with a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from phalanx.algebra.jit import Part, kernel
from phalanx.batch.units import all_units
from phalanx.native import build, cache, image, runtime
from phalanx.native.entry import Entry
from phalanx.native.errors import NativeError
from phalanx.native.key import PARTS_INSIDE, Walk, key_of
from phalanx.native.target import TARGETS, host_target
from tests.algebra.lane_harness import Suite

ROOT = Path(__file__).resolve().parent.parent.parent


@kernel
def clears_and_copies(a, b):
    total = a * 0.0
    for _ in range(3):
        total = total + a * b
    return total


SUITE = Suite("ahead_of_time", clears_and_copies, arity=2)


def is_everyday(name: str) -> bool:
    """Is it a unit that everybody uses? The others are compiled by the long test run only."""
    return name.endswith(("_f64", "_f64x8")) or "_f" not in name


UNITS = [
    pytest.param(unit, id=unit.name, marks=() if is_everyday(unit.name) else pytest.mark.conformance)
    for unit in all_units()
]


@pytest.mark.parametrize("unit", UNITS)
def test_an_image_refers_to_nothing_outside_itself(unit):
    data = build.compile_and_keep(unit).read_bytes()
    assert image.undefined(data) == []
    names = [name for name, _, _ in image.functions(data)]
    assert names and not any(word in name for name in names for word in ("malloc", "printf", "PyErr"))


#: Loads the images named on the command line; gigabytes are reserved in between, so that free addresses lie far apart.
LOADS_IN_A_FULL_PROCESS = """
import mmap, sys
from pathlib import Path
from phalanx.native.load import load_image
reserved = []
for path in map(Path, sys.argv[1:]):
    reserved.append(mmap.mmap(-1, 3 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ))
    assert load_image(path).base
"""


@pytest.mark.skipif(sys.platform != "linux", reason="MAP_NORESERVE is Linux's")
def test_images_load_into_a_process_with_much_memory():
    paths = [build.compile_and_keep(unit) for unit in all_units() if unit.name in ("core_f64", "core_f64x8")]
    assert len(paths) == 2
    subprocess.run([sys.executable, "-c", LOADS_IN_A_FULL_PROCESS, *paths], check=True)


def test_an_image_for_an_older_cpu_gives_the_same_bits(tmp_path):
    if not host_target().name.startswith("linux-x86-64"):
        pytest.skip("only x86-64 has levels")
    values = np.random.default_rng(0).normal(size=(2, 40))
    expected = SUITE.run("float64", 8, *values)
    script = (
        "import sys, numpy as np\nfrom tests.native.test_build import SUITE\n"
        "values = np.random.default_rng(0).normal(size=(2, 40))\n"
        "sys.stdout.buffer.write(SUITE.run('float64', 8, *values).tobytes())\n"
    )
    environment = {**os.environ, "PHALANX_TARGET": "linux-x86-64-v3", "PHALANX_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == expected.tobytes()


# --- keys


def helper_of(source: str) -> dict[str, str]:
    """Keys of a few units after an edit of a copy of the package."""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return dict(line.split() for line in done.stdout.splitlines())


def keys_of_copy(folder: Path) -> dict[str, str]:
    script = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "from phalanx.batch.units import all_units\nfrom phalanx.native.build import shipped_key\n"
        "from phalanx.native.target import host_target\n"
        "for unit in all_units(('float64',)): print(unit.name, shipped_key(unit, host_target()))\n"
    )
    return helper_of(script)


@pytest.fixture
def package_copy(tmp_path):
    """A copy of the sources that can be edited."""
    import shutil

    shutil.copytree(ROOT / "phalanx", tmp_path / "phalanx", ignore=shutil.ignore_patterns("__pycache__", "prebuilt"))
    return tmp_path


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


HEAD = "def touch(m, d, sensor, address):"


def test_an_edit_of_one_sensor_changes_one_part_per_number_type(package_copy):
    before = keys_of_copy(package_copy)
    edit(
        package_copy / "phalanx" / "sensor" / "read" / "touch.py",
        "def touch(m, d, sensor, address):",
        "def touch(m, d, sensor, address):\n    d.sensor_value[address] = 0.0",
    )
    after = keys_of_copy(package_copy)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"sensor_f64", "sensor_f64s", "sensor_f64x8", "sensor_f64x8_varied"}


def test_an_edit_of_the_compiler_changes_every_part(package_copy):
    before = keys_of_copy(package_copy)
    edit(package_copy / "phalanx" / "native" / "operators.py", '"fadd"', '"fsub"')
    after = keys_of_copy(package_copy)
    assert all(before[name] != after[name] for name in before)


def test_a_comment_outside_of_kernels_changes_nothing(package_copy):
    before = keys_of_copy(package_copy)
    edit(package_copy / "phalanx" / "sensor" / "read" / "touch.py", "from __future__", "# a comment\nfrom __future__")
    assert keys_of_copy(package_copy) == before


def digest(function) -> str:
    return key_of([function], host_target(), checked=False)


def constant_of(value):
    def kernel_with_constant(x):
        return x + value

    return kernel_with_constant


def test_captured_values_decide_the_key():
    assert digest(constant_of(1.0)) == digest(constant_of(1.0))
    different = [1.0, 2.0, 1, (1.0, 2.0), np.ones(3), np.ones((3, 1)), None]
    assert len({digest(constant_of(value)) for value in different}) == len(different)


def test_the_target_and_checks_decide_the_key():
    function = constant_of(1.0)
    keys = {key_of([function], target, checked) for target in TARGETS.values() for checked in (False, True)}
    assert len(keys) == 2 * len(TARGETS)


def test_what_is_behind_an_address_does_not_decide_the_key():
    def one(m, d):
        d.time = 1.0

    def two(m, d):
        d.time = 2.0

    one.__name__ = two.__name__ = "same"

    def caller_of(part):
        def call(m, d):
            part(m, d)

        return call

    assert digest(caller_of(Part(one, "md", ""))) == digest(caller_of(Part(two, "md", "")))
    assert digest(caller_of(kernel(one))) != digest(caller_of(kernel(two)))
    # unless it is compiled into the unit
    keys = [
        key_of([PARTS_INSIDE, caller_of(Part(body, "md", ""))], TARGETS["linux-x86-64-v3"], False)
        for body in (one, two)
    ]
    assert keys[0] != keys[1]


def test_a_walk_that_meets_a_function_twice_ends():
    def first(x):
        return second(x)

    def second(x):
        return first(x)

    walk = Walk()
    walk.visit(first)
    assert walk.digest.hexdigest()


# --- compiling


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(runtime, "_images", {})
    return tmp_path


def answer_entry(number: int) -> Entry:
    def build_answer():
        def answer(x):
            return x + number

        return answer

    return Entry(f"test_answer_{number}", build_answer, arity=1)


def test_first_use_says_that_it_compiles(empty_cache, capfd, monkeypatch):
    monkeypatch.delenv(build.QUIET_VARIABLE, raising=False)
    entry = answer_entry(1)
    assert runtime.load(entry)(41) == 42
    said = capfd.readouterr().err
    assert f"compiling {entry.name}, about" in said and f"compiled {entry.name} in" in said
    runtime.forget(entry)
    assert runtime.load(entry)(41) == 42
    assert capfd.readouterr().err == ""


def test_it_can_be_quiet(empty_cache, capfd, monkeypatch):
    monkeypatch.setenv(build.QUIET_VARIABLE, "1")
    runtime.load(answer_entry(2))
    assert capfd.readouterr().err == ""


DAMAGES = (lambda data: data[:1000], lambda data: b"", lambda data: data[:-9] + b"\1" + data[-8:])


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_image_is_compiled_again(empty_cache, capfd, damage):
    entry = answer_entry(3)
    path = build.compile_and_keep(entry)
    path.write_bytes(damage(path.read_bytes()))
    assert runtime.load(entry)(1) == 4
    assert "compiling it again" in capfd.readouterr().err


def test_units_are_compiled_in_several_processes(empty_cache, monkeypatch):
    monkeypatch.setattr(build, "_cpus", lambda: 2)
    units = [unit for unit in all_units() if unit.name in ("caller", "absent", "tendon_f64")]
    told = []
    build.ensure(units, lambda name, seconds: told.append(name))
    assert sorted(told) == ["absent", "caller", "tendon_f64"]
    assert build.missing(units) == []
    assert set(cache.known_times(host_target())) >= {"absent", "tendon_f64"}


def test_a_process_that_dies_does_not_lose_a_unit(empty_cache, monkeypatch):
    monkeypatch.setattr(build, "_cpus", lambda: 2)
    monkeypatch.setattr(build.Worker, "compile", lambda self, unit: -1.0)
    units = [unit for unit in all_units() if unit.name in ("caller", "absent")]
    build.ensure(units, lambda name, seconds: None)
    assert build.missing(units) == []


def test_a_process_that_is_ended_is_told(empty_cache, monkeypatch):
    """LLVM ends the whole process when it fails: that must not be the process of the user."""
    compile_in_worker = build.Worker.compile

    def killed(self, unit):
        self._is_ready = True
        self.stop()
        return compile_in_worker(self, unit)

    monkeypatch.setattr(build.Worker, "compile", killed)
    units = [unit for unit in all_units() if unit.name in ("caller", "absent")]
    with pytest.raises(NativeError, match=r"the process that compiled \w+ ended early"):
        build.ensure(units, lambda name, seconds: None)


def test_without_other_processes_it_compiles_here(empty_cache, monkeypatch):
    monkeypatch.setattr(build.sys, "executable", "/bin/false")
    units = [unit for unit in all_units() if unit.name in ("caller", "absent")]
    build.ensure(units, lambda name, seconds: None)
    assert build.missing(units) == []


def test_few_images_of_a_unit_are_kept(empty_cache):
    target = host_target()
    for k in range(cache.KEPT + 3):
        path = cache.keep("some_unit", f"{k:024d}", target, b"x")
        os.utime(path, (k, k))
    cache.keep("some_unit_else", "0" * 24, target, b"x")
    names = {path.name for path in cache.cache_folder(target).glob("*.so")}
    assert len(names) == cache.KEPT + 1
    assert f"some_unit-{cache.KEPT + 2:024d}.so" in names


def test_a_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(NativeError, match=r"cannot be written .*PHALANX_CACHE_DIR"):
        build.compile_and_keep(answer_entry(4))


def test_no_compiler_is_loaded_when_the_image_is_there():
    runtime.load(answer_entry(5))
    script = (
        "import sys\nfrom phalanx.native import runtime\nfrom tests.native.test_build import answer_entry\n"
        "assert runtime.load(answer_entry(5))(1) == 6\nassert 'llvmlite' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
