"""Compiled code stands alone: every entry links into a shared library that refers to nothing outside itself."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from phalanx.native import runtime as compiler
from phalanx.algebra.ahead_of_time import build_library, link_shared, load_library, runtime_object
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.batch.entries import default_entries
from phalanx.batch.group import batch_entry
from phalanx.pipeline.entries import world_entry
from tests.algebra.lane_harness import Suite


@kernel
def clears_and_copies(a, b):
    total = a * 0.0
    for _ in range(3):
        total = total + a * b
    return total


SUITE = Suite("ahead_of_time", clears_and_copies, arity=2)

#: What everybody runs; batches whose worlds differ in their Model are compiled by the long test run only.
ENTRIES = [
    entry if "varied" not in entry.name else pytest.param(entry, marks=pytest.mark.conformance)
    for entry in default_entries(vary=True)
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entry_links_with_no_undefined_symbol(entry, tmp_path):
    library = tmp_path / "kernels.so"
    link_shared([compiler.object_code(entry), runtime_object()], library)
    undefined = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    assert undefined.stdout.split() == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entry_neither_raises_nor_allocates(entry, tmp_path):
    """Numba keeps exceptions as pickled constants and allocates through its NRT: neither name may occur."""
    path = tmp_path / "entry.o"
    path.write_bytes(compiler.object_code(entry))
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    assert "NRT_" not in symbols and "Py" not in symbols
    assert not any(word in symbols for word in ("pickledata", "malloc", "printf", "numba_unpickle"))


#: Links the objects named on the command line; gigabytes are reserved in between, so that free addresses lie far apart.
LINKS_IN_A_FULL_PROCESS = """
import mmap, sys
from pathlib import Path
from phalanx.native import runtime as compiler
reserved = []
for path in map(Path, sys.argv[1:]):
    reserved.append(mmap.mmap(-1, 3 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ))
    assert compiler._link(path.read_bytes(), path.stem, 1).address
"""


@pytest.mark.skipif(sys.platform != "linux", reason="MAP_NORESERVE is Linux's")
def test_objects_load_into_a_process_with_much_memory(tmp_path):
    entries = [world_entry(NumberType("float64")), batch_entry(NumberType("float64", 8))]
    paths = [tmp_path / f"{entry.name}.o" for entry in entries]
    for path, entry in zip(paths, entries, strict=True):
        path.write_bytes(compiler.object_code(entry))
    subprocess.run([sys.executable, "-c", LINKS_IN_A_FULL_PROCESS, *paths], check=True)


def test_library_for_an_older_cpu_gives_the_same_bits(tmp_path):
    values = np.random.default_rng(0).normal(size=(2, 40))
    expected = SUITE.run("float64", 8, *values)
    entry = SUITE.entry("float64", 8)
    library = tmp_path / "older.so"
    build_library([entry], library, cpu="x86-64-v2")
    native = load_library(library, [entry])[entry.name]
    compiler._loaded[entry.name] = native
    assert SUITE.run("float64", 8, *values).tobytes() == expected.tobytes()


def test_cache_key_depends_on_the_sources(monkeypatch, tmp_path):
    before = compiler.source_hash()
    (tmp_path / "algebra").mkdir()
    (tmp_path / "algebra" / "number.py").write_text("changed = True\n")
    monkeypatch.setattr(compiler, "_PACKAGE", tmp_path)
    compiler.source_hash.cache_clear()
    try:
        assert compiler.source_hash() != before
    finally:
        compiler.source_hash.cache_clear()


def test_first_use_says_that_it_compiles(capfd, monkeypatch, tmp_path):
    monkeypatch.setenv(compiler.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(compiler.QUIET_VARIABLE, raising=False)
    entry = SUITE.entry("float64", 2)
    compiler._loaded.pop(entry.name, None)
    compiler.load(entry)
    said = capfd.readouterr().err
    assert f"compiling {entry.name}" in said and " s" in said.splitlines()[-1]
    compiler._loaded.pop(entry.name)
    compiler.load(entry)
    assert capfd.readouterr().err == ""
