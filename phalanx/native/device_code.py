"""Code of devices: PTX for GPUs of NVIDIA, assembled by `ptxas` where it is installed, and objects for those of AMD.

Arithmetic is that of the CPU: LLVM writes every operation with its rounding (`add.rn.f64`, `div.rn.f64`), so the
assembler may fuse none of them, and is told so as well; numbers below the normal range are kept.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import subprocess
import tempfile
from importlib import util
from pathlib import Path
from typing import NamedTuple

from phalanx.native import cache
from phalanx.native.build import deep_recursion
from phalanx.native.device_entry import DeviceEntry
from phalanx.native.errors import CacheError, DamagedFileError, NativeError
from phalanx.native.interruptible import interruptible
from phalanx.native.key import key_of
from phalanx.native.target import Target, host_target

#: Generations of NVIDIA's GPUs by compute capability, ten times; code of one runs on later ones, as PTX.
CUDA_TARGETS: dict[int, Target] = {
    level: Target(f"cuda-sm-{level}", "nvptx64-nvidia-cuda", f"sm_{level}", "") for level in (75, 80, 90, 100, 120, 121)
}
#: Generations of AMD's GPUs.
AMD_TARGETS: dict[str, Target] = {
    name: Target(f"amd-{name}", "amdgcn-amd-amdhsa", name, "") for name in ("gfx90a", "gfx942", "gfx1100")
}
#: No contraction. How division and roots round, and that small numbers are kept, the PTX says in each instruction.
_EXACT = ("--fmad=false",)
#: What `ptxas` is told about its own time: without it, registers are shared out over all functions of a kernel at once,
#: which takes ten times as long and saves a few percent of the memory traffic of a step (docs/gpu.md).
_QUICK, _QUICK_SINCE = "--Ofast-compile=min", "--Ofast-compile"
#: Words in place of that one.
PTXAS_VARIABLE = "PHALANX_PTXAS"


def cuda_target(capability: int) -> Target | None:
    """The newest target whose code a GPU of a compute capability (times ten) runs, or None if it is too old."""
    fitting = [level for level in CUDA_TARGETS if level <= capability]
    return CUDA_TARGETS[max(fitting)] if fitting else None


# --- NVIDIA


def ptx_of(entry: DeviceEntry, target: Target) -> str:
    """The PTX of an entry."""
    from phalanx.native.llvm import assembly

    with deep_recursion():
        text = entry.text(False)
    return interruptible(lambda: assembly(text, target, entry.effort))


def find_ptxas() -> str | None:
    """The assembler of NVIDIA: on the path, of $CUDA_HOME, or of the wheel nvidia-cuda-nvcc; None if there is none."""
    homes = [Path(home) / "bin" for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda") if home]
    found = util.find_spec("nvidia")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        homes += [Path(folder) / "cuda_nvcc" / "bin", *Path(folder).glob("cu*/bin")]
    return shutil.which("ptxas") or next((name for home in homes if (name := shutil.which("ptxas", path=home))), None)


@functools.cache
def _knows_quick(ptxas: str) -> bool:
    """Does this assembler know the option that saves time? Older ones do not."""
    done = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=False)
    return _QUICK_SINCE in done.stdout


def _effort(ptxas: str) -> list[str]:
    """Options about how much time the assembler takes: those of the user, else the quick one where it is known."""
    given = os.environ.get(PTXAS_VARIABLE)
    if given is not None:
        return given.split()
    return [_QUICK] if _knows_quick(ptxas) else []


class Assembled(NamedTuple):
    """What the assembler made of PTX.

    Attributes:
        code: for one generation of GPUs.
        report: what the assembler says of registers, stacks and spills.
    """

    code: bytes
    report: str


def assembled(ptx: str, target: Target, ptxas: str) -> Assembled:
    """Assemble PTX.

    Raises:
        NativeError: the assembler refuses it.
    """
    with tempfile.TemporaryDirectory(prefix="phalanx-") as folder:
        source, result = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(ptx)
        options = [f"--gpu-name={target.cpu}", *_EXACT, *_effort(ptxas), "--verbose"]
        command = [ptxas, *options, str(source), "--output-file", str(result)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NativeError(f"{ptxas} refuses the kernels of {target.name}: {done.stderr[-2000:]}")
        return Assembled(result.read_bytes(), done.stderr)


class Needs(NamedTuple):
    """What a thread of a kernel needs, as the assembler says.

    Attributes:
        registers: of 32 bits.
        stack: bytes of local memory, of the kernel and all that it calls.
        spill_stores, spill_loads: bytes of registers that are kept in memory for a while, all functions together.
    """

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int


def needs_of(report: str) -> Needs:
    """The numbers of an assembler's report."""
    registers = [int(count) for count in re.findall(r"Used (\d+) registers", report)]
    stacks = re.findall(r"(\d+) bytes cumulative stack size", report) or re.findall(r"(\d+) bytes stack frame", report)
    stores = re.findall(r"(\d+) bytes spill stores", report)
    loads = re.findall(r"(\d+) bytes spill loads", report)
    return Needs(max(registers), max(map(int, stacks), default=0), sum(map(int, stores)), sum(map(int, loads)))


def cuda_code(entry: DeviceEntry, target: Target) -> bytes:
    """Code that the driver loads: assembled where the assembler is installed, else PTX; from the cache, or made now."""
    ptxas = find_ptxas()
    name = f"{entry.name}_{'cubin' if ptxas else 'ptx'}"
    key = _key(entry, target, " ".join(_effort(ptxas)) if ptxas else "")
    kept = cache.find(name, key, key, target)
    if kept is not None:
        try:
            with cache.opened(kept, target) as (code, _):
                return code
        except (OSError, DamagedFileError):
            cache.discard(kept, target)
    ptx = ptx_of(entry, target)
    # the driver takes PTX as a text that ends with a zero
    code = assembled(ptx, target, ptxas).code if ptxas else ptx.encode() + b"\0"
    # where the folder cannot be written, the next process compiles again
    with contextlib.suppress(CacheError):
        cache.keep(name, key, target, code)
    return code


@functools.cache
def _key(entry: DeviceEntry, target: Target, options: str) -> str:
    from phalanx.native.llvm import version

    return key_of([*entry.roots(), entry.effort, version(), options], target, checked=False)


# --- AMD

_CONSTANT = re.compile(r"^(@constant\.\d+ = internal (?:unnamed_addr )?)constant", re.MULTILINE)
_USE = re.compile(r"ptr (@constant\.\d+)\b")
_LOCAL = re.compile(r"^(\s*)(%[\w.\"]+) = alloca (.*)$", re.MULTILINE)


def amd_object(entry: DeviceEntry, target: Target) -> bytes:
    """The object of an entry: optimized as for the CPU, then in the address spaces of the GPU."""
    from phalanx.native.llvm import object_of_optimized, optimized_text

    with deep_recursion():
        text = entry.text(False)
    head, mark, tail = optimized_text(text, host_target(), entry.effort).partition("\ndefine")
    head = _CONSTANT.sub(r"\1addrspace(4) constant", head)
    tail = _USE.sub(r"ptr addrspacecast (ptr addrspace(4) \1 to ptr)", tail)
    tail = _LOCAL.sub(
        r"\1\2.local = alloca \3, addrspace(5)\n\1\2 = addrspacecast ptr addrspace(5) \2.local to ptr", tail
    )
    return object_of_optimized(head + mark + tail, target)
