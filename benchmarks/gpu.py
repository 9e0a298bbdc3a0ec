"""Worlds on a GPU: steps per second beside the CPU and MuJoCo Warp, and what a step takes, which needs no GPU to know.

python -m benchmarks.gpu                       all measurements; needs a GPU of NVIDIA and phalanx[cuda]
python -m benchmarks.gpu --static              registers, memory and traffic, on any machine (ptxas: if installed)
python -m benchmarks.gpu humanoid --worlds 1024 8192 --dtype float32
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np

import phalanx
from benchmarks.gpu_traffic import CountedBatch
from phalanx.algebra.number_type import spread
from phalanx.device.world_kernel import device_entry
from phalanx.native.device_code import CUDA_TARGETS, assembled, find_ptxas, needs_of, ptx_of
from phalanx.native.device_entry import CUDA
from phalanx.pipeline.parts import needed

MODELS = ("cartpole", "quadruped", "humanoid")
WORLDS = (1024, 4096, 16384)
DTYPES = ("float64", "float32")
#: Steps of a measurement, and how often it is repeated; the best counts.
STEPS, RUNS = 100, 5
#: Steps after which worlds are in the midst of their contacts, and over how many traffic is counted.
SETTLE, COUNTED = 300, 20


def best(run: Callable[[], object]) -> float:
    """The least of several times [s]."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def stir(batch: phalanx.BatchSim) -> None:
    """Worlds that move, each in its own way."""
    rng = np.random.default_rng(0)
    batch.qvel[...] = rng.normal(size=(batch.n, batch.model.nv))
    batch.ctrl[...] = rng.uniform(-0.3, 0.3, (batch.n, batch.model.nu))


def batch_speed(model: phalanx.Model, n: int, dtype: str, device: str) -> float:
    """Steps of worlds per second."""
    batch = phalanx.BatchSim(model, n, dtype=dtype, device=device)
    stir(batch)
    batch.step(SETTLE)
    return n * STEPS / best(lambda: batch.step(STEPS))


def warp_speed(model: phalanx.Model, n: int) -> float:
    """Steps of worlds per second of MuJoCo Warp, in single precision: a graph of STEPS steps, launched at once."""
    import mujoco
    import mujoco_warp
    import warp

    mjmodel = mujoco.MjModel.from_xml_string(model.to_xml())
    mjdata = mujoco.MjData(mjmodel)
    mujoco.mj_forward(mjmodel, mjdata)
    m = mujoco_warp.put_model(mjmodel)
    d = mujoco_warp.put_data(mjmodel, mjdata, nworld=n)
    rng = np.random.default_rng(0)
    warp.copy(d.qvel, warp.array(rng.normal(size=(n, model.nv)), dtype=float))
    warp.copy(d.ctrl, warp.array(rng.uniform(-0.3, 0.3, (n, model.nu)), dtype=float))
    mujoco_warp.step(m, d)
    with warp.ScopedCapture() as capture:
        for _ in range(STEPS):
            mujoco_warp.step(m, d)

    def run() -> None:
        warp.capture_launch(capture.graph)
        warp.synchronize()

    for _ in range(SETTLE // STEPS):
        run()
    return n * STEPS / best(run)


def show_speeds(names: Sequence[str], worlds: Sequence[int], dtypes: Sequence[str]) -> None:
    """Steps per second, line by line."""
    print("| model | worlds | dtype | GPU steps/s | CPU steps/s | MuJoCo Warp steps/s |\n|---|---|---|---|---|---|")
    has_warp = find_spec("mujoco_warp") is not None
    for name in names:
        model = phalanx.load(name)
        for n in worlds:
            for dtype in dtypes:
                gpu, cpu = (batch_speed(model, n, dtype, device) for device in ("cuda", "cpu"))
                rival = f"{warp_speed(model, n):,.0f}" if has_warp and dtype == "float32" else "-"
                print(f"| {name} | {n} | {dtype} | {gpu:,.0f} | {cpu:,.0f} | {rival} |", flush=True)
    if not has_warp:
        print("\nMuJoCo Warp is not installed: pip install mujoco-warp")


def show_static(names: Sequence[str], dtypes: Sequence[str], level: int) -> None:
    """What a step takes: memory and traffic of a world, registers and spills of a thread."""
    ptxas = find_ptxas()
    print(
        "| model | dtype | bytes per world | read | written | shared | + - * | / sqrt | registers | stack | spilled |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for name in names:
        model = phalanx.load(name)
        for dtype in dtypes:
            batch = CountedBatch(model, 16, dtype=dtype, device="emulated")
            stir(batch)
            batch.step(SETTLE)
            traffic = batch.traffic(COUNTED)
            memory = batch.use.bytes_per_world
            numbers = [f"{count:,.0f}" for count in (memory, *traffic)]
            numbers += _needs(model, dtype, level, ptxas)
            print(f"| {name} | {dtype} | {' | '.join(numbers)} |", flush=True)
    print(f"\nregisters, stack and spills: sm_{level}" if ptxas else "\nptxas is not installed: no registers")


def _needs(model: phalanx.Model, dtype: str, level: int, ptxas: str | None) -> list[str]:
    if ptxas is None:
        return ["-"] * 3
    target = CUDA_TARGETS[level]
    entry = device_entry(spread(dtype), False, needed(model._store), CUDA)
    needs = needs_of(assembled(ptx_of(entry, target), target, ptxas).report)
    return [f"{needs.registers}", f"{needs.stack:,}", f"{needs.spill_stores + needs.spill_loads:,}"]


def main() -> None:
    """Print tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", default=MODELS, help="built-in models")
    parser.add_argument("--worlds", type=int, nargs="+", default=WORLDS)
    parser.add_argument("--dtype", nargs="+", default=DTYPES, choices=DTYPES)
    parser.add_argument("--static", action="store_true", help="what a step takes, without a GPU")
    parser.add_argument("--level", type=int, default=80, choices=tuple(CUDA_TARGETS), help="compute capability x 10")
    given = parser.parse_args()
    if given.static:
        show_static(given.names, given.dtype, given.level)
        return
    try:
        phalanx.GpuBatchSim(phalanx.load(given.names[0]), 1)
    except phalanx.DeviceError as error:
        raise SystemExit(f"there is nothing to measure: {error}. --static needs no GPU.") from None
    show_speeds(given.names, given.worlds, given.dtype)


if __name__ == "__main__":
    main()
