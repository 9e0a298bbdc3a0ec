"""Whole steps as code of GPUs: assembled for each generation, with what a thread needs; objects for those of AMD."""

from __future__ import annotations

from functools import cache

import pytest

from phalanx.algebra.number_type import spread
from phalanx.device.world_kernel import device_entry
from phalanx.native.device_code import AMD_TARGETS, CUDA_TARGETS, amd_object, assembled, find_ptxas, needs_of, ptx_of
from phalanx.native.device_entry import AMD, CUDA, DeviceEntry
from phalanx.pipeline.parts import needed
from tests.device.test_gpu_batch import links
from tests.native.test_device_code import arithmetic, undefined_symbols
from tools.write_gpu_table import PAGE, all_cases, read, written


@cache
def entry(threads: str, dtype: str = "float64") -> DeviceEntry:
    return device_entry(spread(dtype), False, needed(links()._store), threads)


def test_the_table_of_the_page_is_what_its_tool_writes():
    page = PAGE.read_text(encoding="utf-8")
    rows = read(page)
    assert written(page, rows) == page and set(rows) == set(all_cases())
    assert all(0 < needs.registers <= 255 and needs.stack < 8192 for needs, _ in rows.values())


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("level", CUDA_TARGETS)
def test_a_step_is_assembled_for_every_generation(level: int, dtype: str, capsys: pytest.CaptureFixture[str]):
    ptxas = find_ptxas()
    if ptxas is None:
        pytest.skip("ptxas is not installed: pip install nvidia-cuda-nvcc")
    target = CUDA_TARGETS[level]
    ptx = ptx_of(entry(CUDA, dtype), target)
    assert f".target sm_{level}" in ptx and ".extern" not in ptx
    assert all(name.split(".")[1] == "rn" and "ftz" not in name for name in arithmetic(ptx))
    result = assembled(ptx, target, ptxas)
    needs = needs_of(result.report)
    with capsys.disabled():
        print(f"\nsm_{level} {dtype}: {needs}")
    assert result.code.startswith(b"\x7fELF")
    # a stack that grows with the model would be recursion, or memory that should be a row
    assert needs.registers <= 255 and needs.stack < 8192


@pytest.mark.conformance
@pytest.mark.parametrize("target", AMD_TARGETS.values(), ids=lambda target: target.cpu)
def test_a_step_for_gpus_of_amd_refers_to_nothing_outside(target):
    content = amd_object(entry(AMD), target)
    assert content.startswith(b"\x7fELF") and not undefined_symbols(content)
