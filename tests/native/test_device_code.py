"""Code of GPUs: what LLVM writes, what the assembler says of it, and that arithmetic is that of the CPU.

A few kernels stand for all of them here; whole steps are in `tests/device/test_gpu_code.py`.
"""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path

import pytest

from phalanx.algebra.elementary import atan2, sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import sqrt
from phalanx.algebra.number_type import spread
from phalanx.algebra.vector import cross
from phalanx.native import device_code
from phalanx.native.cache import CACHE_VARIABLE
from phalanx.native.device_code import (
    AMD_TARGETS,
    CUDA_TARGETS,
    PTXAS_VARIABLE,
    Assembled,
    amd_object,
    assembled,
    cuda_code,
    find_ptxas,
    needs_of,
    ptx_of,
)
from phalanx.native.device_entry import AMD, CUDA, DeviceEntry, Linked
from phalanx.native.errors import NativeError
from phalanx.native.target import Target
from phalanx.pipeline.parts import letters


@kernel
def turn(d, body):
    """A few stages of arithmetic on a field, with a division, a root, an angle."""
    a, b = load3(d.xpos, body), load3(d.xipos, body)
    x, y, z = cross(a, b)
    sine, cosine = sincos(x / sqrt(y * y + z * z + 1.0))
    store3(d.xpos, body, (sine, cosine, atan2(y, z)))


def _build():
    from phalanx.memory.view import view_at

    data_at = view_at("data", spread("float64"), constant=False)

    def small(data, nworld, bodies, thread):
        d = data_at(data, thread, nworld)
        for body in range(bodies):
            turn(d, body)

    return small


@cache
def entry(threads: str) -> DeviceEntry:
    return DeviceEntry(
        f"small_{threads}", _build, 3, lambda: letters(spread("float64"), False), Linked, threads, effort=4
    )


def arithmetic(ptx: str) -> set[str]:
    """Instructions with numbers that round."""
    return set(re.findall(r"^\s+((?:add|sub|mul|mad|fma|div|sqrt)\.[\w.]*f(?:32|64))\s", ptx, re.MULTILINE))


def undefined_symbols(content: bytes) -> list[str]:
    """Names that an ELF object of 64 bits refers to and does not have."""
    sections_at, size, count = struct.unpack_from("<Q10xHH", content, 40)
    rows = [struct.unpack_from("<IIQQQQIIQQ", content, sections_at + k * size) for k in range(count)]
    table = next(row for row in rows if row[1] == 2)
    names_at = rows[table[6]][4]
    found = []
    for start in range(table[4] + 24, table[4] + table[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", content, start)
        if section == 0:
            found.append(content[names_at + name : content.index(b"\0", names_at + name)].decode())
    return found


def test_no_operation_is_fused_or_approximate():
    ptx = ptx_of(entry(CUDA), CUDA_TARGETS[80])
    found = arithmetic(ptx)
    assert {"add.rn.f64", "mul.rn.f64", "div.rn.f64", "sqrt.rn.f64"} <= found
    assert all(name.split(".")[1] == "rn" and "ftz" not in name for name in found), found
    assert not any(name.startswith(("fma", "mad")) for name in found), found
    # nothing is called that is not there, and nothing by address
    assert ".extern" not in ptx and "prototype" not in ptx


@pytest.mark.parametrize("options", [None, ""], ids=["quick", "thorough"])
@pytest.mark.parametrize("level", [75, 80, 90, max(CUDA_TARGETS)])
def test_an_assembler_takes_it(level: int, options: str | None, monkeypatch: pytest.MonkeyPatch):
    ptxas = find_ptxas()
    if ptxas is None:
        pytest.skip("ptxas is not installed: pip install nvidia-cuda-nvcc")
    monkeypatch.delenv(PTXAS_VARIABLE, raising=False)
    if options is not None:
        monkeypatch.setenv(PTXAS_VARIABLE, options)
    target = CUDA_TARGETS[level]
    ptx = ptx_of(entry(CUDA), target)
    assert f".target sm_{level}" in ptx
    result = assembled(ptx, target, ptxas)
    assert result.code.startswith(b"\x7fELF")
    needs = needs_of(result.report)
    # in quick code, functions save registers of their callers: what they store at the beginning, they load at the end
    saved = needs.spill_loads if options is None else 0
    assert 0 < needs.registers <= 255 and needs.spill_stores == saved
    with pytest.raises(NativeError, match=f"refuses the kernels of cuda-sm-{level}"):
        assembled("nonsense", target, ptxas)


def test_the_newest_target_is_the_newest_that_llvm_knows():
    """LLVM says so of one that it does not know, and writes code for the oldest."""
    newest = max(CUDA_TARGETS)
    small = entry(CUDA)
    known = ptx_of(small, CUDA_TARGETS[newest])
    assert f".target sm_{newest}" in known
    later = Target("cuda-later", "nvptx64-nvidia-cuda", f"sm_{newest + 1}", "")
    version = re.compile(r"^\.version (\d+)\.(\d+)", re.MULTILINE)
    major, minor = (int(number) for number in version.search(known).groups())
    assert tuple(int(number) for number in version.search(ptx_of(small, later)).groups()) < (major, minor)


def test_code_is_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    target, made = CUDA_TARGETS[80], []
    monkeypatch.setattr(device_code, "find_ptxas", lambda: None)
    monkeypatch.setattr(device_code, "ptx_of", lambda *given: made.append(given) or "text of PTX")
    first = cuda_code(entry(CUDA), target)
    # the driver takes PTX as a text that ends with a zero
    assert first == b"text of PTX\0"
    assert cuda_code(entry(CUDA), target) == first and len(made) == 1
    # with an assembler it is other code, kept by another name
    monkeypatch.setattr(device_code, "find_ptxas", lambda: "ptxas")
    monkeypatch.setattr(device_code, "_knows_quick", lambda _: True)
    monkeypatch.setattr(device_code, "assembled", lambda ptx, *_: Assembled(ptx.encode() + b" assembled", ""))
    for _ in range(2):
        assert cuda_code(entry(CUDA), target) == b"text of PTX assembled"
    assert len(made) == 2
    # and so it is with other options of it
    monkeypatch.setenv(PTXAS_VARIABLE, "-O3")
    for _ in range(2):
        cuda_code(entry(CUDA), target)
    assert len(made) == 3


def test_options_of_the_assembler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One that does not know the quick way is not asked for it; the user may ask for other words."""

    def given(knows: str) -> str:
        program = tmp_path / f"ptxas{knows}"
        program.write_text(
            f'#!/bin/sh\nif [ "$1" = --help ]; then echo "{knows}"; exit; fi\n'
            'echo "$@" >&2\nwhile [ "$1" != --output-file ]; do shift; done\necho code > "$2"\n'
        )
        program.chmod(0o755)
        return assembled("text", CUDA_TARGETS[80], str(program)).report

    monkeypatch.delenv(PTXAS_VARIABLE, raising=False)
    assert "--fmad=false --Ofast-compile=min --verbose" in given("--Ofast-compile")
    assert "--fmad=false --verbose" in given("--opt-level")
    monkeypatch.setenv(PTXAS_VARIABLE, "-O2 --warn-on-spills")
    assert "--fmad=false -O2 --warn-on-spills --verbose" in given("--Ofast-compile")


def test_an_object_for_gpus_of_amd_refers_to_nothing_outside():
    content = amd_object(entry(AMD), AMD_TARGETS["gfx90a"])
    assert content.startswith(b"\x7fELF") and not undefined_symbols(content)


def test_numbers_of_a_report():
    report = """
ptxas info    : Function properties for small
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Function properties for other
    0 bytes stack frame, 2 bytes spill stores, 1 bytes spill loads
ptxas info    : Used 80 registers, used 0 barriers, 48 bytes cumulative stack size
"""
    assert needs_of(report) == (80, 48, 10, 5)
