"""The command: what it prints, what it writes, and how it complains."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from typer.testing import CliRunner

import phalanx
from phalanx.native import runtime as compiler
from phalanx.algebra.compile import Entry
from phalanx.algebra.jit import interpreted
from phalanx.batch.entries import default_entries
from phalanx.cli import demo as demo_module
from phalanx.cli import scenes, warmup
from phalanx.cli.main import app
from phalanx.cli.warmup import prepare


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
    monkeypatch.setenv(compiler.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(compiler, "_loaded", {})
    return tmp_path


@pytest.fixture
def loaded(empty_cache, monkeypatch):
    """Names of the entries that were loaded, without compiling anything: an object file appears instead."""
    names = []

    def compile_all(entries):
        for entry in entries:
            compiler._write_atomically(compiler.cache_folder() / f"{entry.name}.o", b"")
            yield entry.name, 0.0

    monkeypatch.setattr(warmup, "compile_all", compile_all)
    monkeypatch.setattr(compiler, "load", lambda entry: names.append(entry.name))
    return names


# --- the command itself


def test_help_lists_the_commands():
    result = run("--help")
    assert result.exit_code == 0
    for command in ("info", "check", "simulate", "compare", "bench", "demo", "warmup", "doctor"):
        assert command in result.text


def test_the_version_is_printed():
    assert run("--version").text == phalanx.__version__


def test_an_unknown_command_is_a_usage_error():
    result = run("wramup")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_an_error_of_ours_is_one_line_too(loaded, monkeypatch):
    def fail(time):
        raise ZeroDivisionError("over\nand out")

    monkeypatch.setattr(demo_module, "run_humanoid", fail)
    assert_complains(run("demo"), "ZeroDivisionError: over and out", "--debug")
    assert isinstance(run("--debug", "demo").exception, ZeroDivisionError)


# --- warmup


def test_warmup_compiles_what_one_world_and_a_batch_need(loaded, empty_cache):
    result = run("warmup")
    assert result.exit_code == 0
    assert loaded == ["constants_f64", "world_f64", "batch_f64x8", "world_f32x1", "batch_f32x16"]
    assert "5 entries ready, 0 of them were there before" in result.text
    assert str(compiler.cache_folder()) in result.output
    assert "world_f64 compiled in" in result.text


def test_warmup_says_what_was_in_the_cache(loaded):
    run("warmup", "--dtype", "float64")
    result = run("warmup")
    assert "5 entries ready, 3 of them were there before" in result.text
    assert "world_f64 in the cache" in result.text
    assert "world_f32x1 compiled in" in result.text


@pytest.mark.parametrize(
    "arguments, names",
    [
        (("--dtype", "float32"), ["constants_f64", "world_f32x1", "batch_f32x16"]),
        (("--dtype", "float64", "--lanes", "4"), ["constants_f64", "world_f64", "batch_f64x4"]),
        (("--dtype", "float64", "--lanes", "1", "--vary"), ["constants_f64", "world_f64", "batch_f64"]),
        (
            ("--dtype", "float64", "--vary"),
            ["constants_f64", "world_f64", "batch_f64x8", "constants_f64x8_varied", "batch_f64x8_varied"],
        ),
    ],
)
def test_warmup_compiles_what_is_asked_for(loaded, arguments, names):
    assert run("warmup", *arguments).exit_code == 0
    assert loaded == names


def test_warmup_refuses_a_width_that_does_not_exist(loaded):
    assert_complains(run("warmup", "--lanes", "3"), "--lanes", "not 3")
    assert loaded == []


def test_warmup_refuses_a_precision_that_does_not_exist(loaded):
    result = run("warmup", "--dtype", "float16")
    assert result.exit_code == 2
    assert "float16" in result.text


def test_warmup_says_when_the_cache_cannot_be_written(empty_cache, monkeypatch):
    monkeypatch.setattr(warmup, "compile_all", lambda entries: [])
    monkeypatch.setattr(compiler, "load", lambda entry: None)
    result = run("warmup")
    assert result.exit_code == 1
    assert f"cannot be written: set {compiler.CACHE_VARIABLE}" in result.text


def build_sum():
    """What the entries of the next test compile."""

    def add(a, b):
        return a + b

    return add


@pytest.mark.parametrize("count", [1, 2])
def test_entries_are_really_compiled_once(empty_cache, capfd, count):
    entries = [Entry(f"cli_test_{k}", build_sum, arity=2) for k in range(count)]
    assert prepare(entries) == 0
    assert prepare(entries) == count
    assert all(compiler.load(entry).address != 0 for entry in entries)
    assert sorted(path.stem for path in compiler.cache_folder().glob("*.o")) == [entry.name for entry in entries]
    output, errors = capfd.readouterr()
    assert output.count("compiled in") == count
    assert errors == ""


def test_entries_can_be_handed_to_another_process():
    entries = default_entries(vary=True)
    assert [entry.name for entry in pickle.loads(pickle.dumps(entries))] == [entry.name for entry in entries]


def test_entries_are_listed_once():
    names = [entry.name for entry in default_entries(vary=True)]
    assert len(names) == len(set(names))


# --- doctor


def test_doctor_shows_versions_cache_and_threads(empty_cache):
    result = run("doctor")
    assert result.exit_code == 0
    for word in (phalanx.__version__, "numba", "mujoco 4.0.0", "available to this process", "nothing yet"):
        assert word in result.text
    assert str(compiler.cache_folder()) in result.output.replace("\n", "").replace(" ", "")


def test_doctor_knows_what_is_compiled(loaded):
    run("warmup", "--dtype", "float64")
    text = run("doctor").text
    assert "compiled constants_f64, world_f64, batch_f64x8" in text
    assert "not compiled" in text


def test_doctor_counts_folders_of_older_sources(empty_cache):
    (empty_cache / "0123").mkdir()
    (empty_cache / "0123" / "world_f64.o").write_bytes(b"x" * 2_000_000)
    assert "1 folders of other sources or versions, 2.0 MB" in run("doctor").text


def test_doctor_tells_interpreted_mode():
    with interpreted():
        assert "interpreted (PHALANX_INTERPRETED is set)" in run("doctor").text


# --- demo


def test_demo_simulates_and_draws(tmp_path):
    picture = tmp_path / "pictures" / "demo.png"
    result = run("demo", "--time", "0.2", "--out", str(picture))
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    for word in ("humanoid", "goes limp", "0 worlds failed", "equals one stepped alone, bit for bit"):
        assert word in result.text


def test_demo_does_without_matplotlib(loaded, tmp_path, monkeypatch):
    monkeypatch.setattr(demo_module.importlib.util, "find_spec", lambda name: None)
    for name in ("run_humanoid", "run_batch"):
        trace = scenes.Trace(scenes.Run(name, 1, 10, 0.1, 0.01, "fine"), np.zeros(1), np.zeros(1))
        monkeypatch.setattr(demo_module, name, lambda time, trace=trace: trace)
    result = run("demo", "--out", str(tmp_path / "demo.png"))
    assert result.exit_code == 0
    assert "no picture without matplotlib" in result.text
    assert not (tmp_path / "demo.png").exists()


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
