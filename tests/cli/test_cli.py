"""The command: what it prints, what it writes, and how it complains."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.units import all_units
from phalanx.cli import demo as demo_module
from phalanx.cli import scenes, warmup
from phalanx.cli.main import app
from phalanx.cli.warmup import prepare
from phalanx.native import build, cache, runtime
from phalanx.native.entry import Entry
from phalanx.native.target import host_target


def run(*arguments: str):
    """The result of `phalanx ...`, with the output on one line."""
    result = CliRunner().invoke(app, list(arguments))
    result.text = " ".join(result.output.split())
    return result


def assert_complains(result, *words: str) -> None:
    """One line on the standard error, exit code 1."""
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    for word in ("phalanx: ", *words):
        assert word in result.stderr


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache of our own, with nothing loaded."""
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(runtime, "_images", {})
    return tmp_path


@pytest.fixture
def compiled(empty_cache, monkeypatch):
    """Names of the units that were compiled, without compiling anything: an empty file appears instead."""
    names = []

    def ensure(units, tell=None):
        for unit in build.missing(units):
            names.append(unit.name)
            cache.keep(unit.name, build.local_key(unit, host_target(), False), host_target(), b"")

    monkeypatch.setattr(build, "ensure", ensure)
    return names


# --- the command itself


def test_help_lists_the_commands():
    result = run("--help")
    assert result.exit_code == 0
    for command in ("models", "info", "check", "simulate", "compare", "bench", "demo", "warmup", "doctor"):
        assert command in result.text


def test_the_version_is_printed():
    assert run("--version").text == phalanx.__version__


def test_an_unknown_command_is_a_usage_error():
    result = run("wramup")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_error_of_ours_is_one_line_too(monkeypatch):
    def fail(time):
        raise ZeroDivisionError("over\nand out")

    monkeypatch.setattr(demo_module, "prepare", lambda units: 0)
    monkeypatch.setattr(demo_module, "run_humanoid", fail)
    assert_complains(run("demo"), "ZeroDivisionError: over and out", "--debug")
    assert isinstance(run("--debug", "demo").exception, ZeroDivisionError)


# --- warmup


def test_warmup_compiles_all_there_is(compiled, empty_cache):
    result = run("warmup")
    assert result.exit_code == 0
    assert sorted(compiled) == sorted(unit.name for unit in all_units())
    assert {"caller", "world_f64", "batch_f64x8", "rays_f32x1", "core_f32x16_varied", "shapes_f64"} <= set(compiled)
    assert f"{len(compiled)} parts ready, {len(compiled)} of them compiled" in result.text
    assert str(cache.cache_folder(host_target())) in result.output.replace("\n", "")


def test_warmup_compiles_only_what_is_missing(compiled):
    run("warmup", "--dtype", "float64")
    before = len(compiled)
    result = run("warmup")
    assert len(compiled) == len(all_units())
    assert f"{len(compiled)} parts ready, {len(compiled) - before} of them compiled" in result.text


@pytest.mark.parametrize(
    "arguments, kinds",
    [
        (("--dtype", "float32"), {"f64", "f32x1", "f32x1s", "f32x16", "f32x16_varied"}),
        (("--dtype", "float64", "--lanes", "4"), {"f64", "f64s", "f64x4", "f64x4_varied"}),
        (("--dtype", "float64", "--lanes", "1"), {"f64", "f64s"}),
        (("--dtype", "float64", "--no-vary"), {"f64", "f64s", "f64x8"}),
        (("--dtype", "float64", "--no-vary", "--lanes", "all"), {"f64", "f64s", "f64x2", "f64x4", "f64x8", "f64x16"}),
    ],
)
def test_warmup_compiles_what_is_asked_for(compiled, arguments, kinds):
    assert run("warmup", *arguments).exit_code == 0
    # pictures are drawn in one way, whatever the numbers of the physics are
    others = {"caller", "absent", "render_f64x8"}
    endings = {re.sub(r"^.*?_(?=f64|f32)", "", name) for name in compiled if name not in others}
    assert endings == kinds


def test_warmup_refuses_a_width_that_does_not_exist(compiled):
    assert_complains(run("warmup", "--lanes", "3"), "--lanes", "not 3")
    assert compiled == []


def test_warmup_refuses_a_precision_that_does_not_exist(compiled):
    result = run("warmup", "--dtype", "float16")
    assert result.exit_code == 2
    assert "float16" in result.text


def test_warmup_says_when_the_cache_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "file"))
    monkeypatch.setattr(warmup, "all_units", lambda *_: [Entry("cli_test_unwritable", build_sum, arity=2)])
    result = run("warmup")
    assert result.exit_code == 1
    assert f"cannot be written (Not a directory): set {cache.CACHE_VARIABLE}" in result.text
    assert "compiling" not in result.text


def build_sum():
    """What the entries of the next test compile."""

    def add(a, b):
        return a + b

    return add


@pytest.mark.parametrize("count", [1, 2])
def test_entries_are_really_compiled_once(empty_cache, count):
    entries = [Entry(f"cli_test_{k}", build_sum, arity=2) for k in range(count)]
    assert prepare(entries) == count
    assert prepare(entries) == 0
    assert all(runtime.load(entry)(3, 4) == 7 for entry in entries)
    files = cache.cache_folder(host_target()).glob("cli_test_*.so")
    assert sorted(path.stem.rpartition("-")[0] for path in files) == [entry.name for entry in entries]


def test_units_can_be_made_from_their_names():
    for unit in all_units():
        module, _, function = unit.origin.partition(":")
        assert getattr(importlib.import_module(module), function)(unit.name) is unit


def test_units_are_listed_once():
    names = [unit.name for unit in all_units()]
    assert len(names) == len(set(names))


# --- doctor


def test_doctor_shows_versions_cache_and_threads(empty_cache):
    result = run("doctor")
    assert result.exit_code == 0
    for word in (phalanx.__version__, "llvmlite", "mujoco 4.0.0", "available to this process", "nothing yet"):
        assert word in result.text
    assert "device cuda" in result.text and "device emulated a device that the CPU emulates" in result.text
    assert re.search(r"; (of user \w+, mode 7\d\d|will be made in [^;]+); \d+\.\d GB free", result.text)
    assert result.output.strip().splitlines()[-1] == "no problems"
    assert str(cache.cache_folder(host_target())) in result.output.replace("\n", "").replace(" ", "")


def test_doctor_names_a_cache_that_cannot_be_used(tmp_path, monkeypatch):
    for place, words in ((tmp_path / "file", "cannot be written"), (tmp_path / "open", "can be written by others")):
        monkeypatch.setenv(cache.CACHE_VARIABLE, str(place))
        place.write_text("") if place.name == "file" else place.mkdir()
        place.chmod(0o777)
        result = run("doctor")
        assert result.exit_code == 1
        assert words in result.text and f"set {cache.CACHE_VARIABLE}" in result.text
        # not to be missed: at the end, in a line of its own
        *_, problem, count = result.output.strip().splitlines()
        assert problem.startswith("PROBLEM: compiled kernels cannot be kept") and words in problem
        assert count == "1 problem"


def test_doctor_names_damaged_images(compiled):
    run("warmup", "--dtype", "float64")
    path = next(cache.cache_folder(host_target()).glob("core_f64-*.so"))
    path.write_bytes(b"")
    result = run("doctor")
    assert result.exit_code == 0
    assert "damaged core_f64-" in result.text and "compiled again when they are needed" in result.text


def test_doctor_works_without_a_home(monkeypatch):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv(cache.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    result = run("doctor")
    assert result.exit_code == 1
    assert "PROBLEM: compiled kernels cannot be kept" in result.text and "there is no home folder" in result.text


def test_doctor_knows_what_is_compiled(compiled):
    run("warmup", "--dtype", "float64")
    text = run("doctor").text
    assert re.search(r"compiled basics \(2\), f64 \(\d+\), f64x8 \(\d+\), f64s \(\d+\), f64x8 varied \(\d+\)", text)
    assert re.search(r"not compiled f32x1 \(\d+\), f32x1s \(\d+\), f32x16 \(\d+\), f32x16 varied \(\d+\)", text)


def test_doctor_counts_folders_of_older_sources(empty_cache):
    (empty_cache / "0123").mkdir()
    (empty_cache / "0123" / "world_f64.o").write_bytes(b"x" * 2_000_000)
    assert "1 folders of earlier versions, 2.0 MB" in run("doctor").text


def test_doctor_tells_interpreted_mode():
    with interpreted():
        assert "interpreted (PHALANX_INTERPRETED is set)" in run("doctor").text


# --- demo


def test_demo_simulates_and_draws(tmp_path):
    picture = tmp_path / "pictures" / "demo.png"
    result = run("demo", "--time", "0.2", "--out", str(picture))
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    for name in ("demo.html", "demo-batch.html"):
        assert "</html>" in (picture.parent / name).read_text(encoding="utf-8")
        assert name in result.text
    for word in ("humanoid", "goes limp", "0 worlds failed", "equals one stepped alone, bit for bit"):
        assert word in result.text


def test_demo_does_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setattr(demo_module.importlib.util, "find_spec", lambda name: None)
    result = run("demo", "--time", "0.02", "--out", str(tmp_path / "demo.png"))
    assert result.exit_code == 0, result.output
    assert "with plots: pip install" in result.text
    with Image.open(tmp_path / "demo.png") as strip:
        assert strip.width > 3 * strip.height


def test_the_humanoid_stands_and_falls_when_it_goes_limp(monkeypatch):
    trace = scenes.run_humanoid(3.0)
    limp = int(np.searchsorted(trace.time, trace.limp))
    standing = trace.height[:limp]
    assert np.ptp(standing) < 0.02
    assert trace.height[-1] < scenes.FALLEN / 2
    assert trace.contacts[limp] == 8
    # it was held in place: nothing but friction takes energy away afterwards
    assert trace.energy[limp].sum() > trace.energy[-1].sum()


def test_demo_refuses_interpreted_mode():
    with interpreted():
        assert_complains(run("demo"), "unset PHALANX_INTERPRETED")


@pytest.mark.parametrize("time", ["-1", "0", "nan", "1e9"])
def test_demo_refuses_a_time_that_makes_no_sense(time):
    assert_complains(run("demo", "--time", time), "--time")
