"""Which machine code is made for: the targets there are, and the one that fits this machine.

A target is an operating system with a level of CPU, not one model of CPU, so ready-made code can be shipped. Every
target asks LLVM for ELF objects, also where the system itself has another format: our own loader maps them.
"""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from phalanx.native.errors import NativeError

#: Names another row of TARGETS than the one that fits this machine; for tests.
TARGET_VARIABLE = "PHALANX_TARGET"


@dataclass(frozen=True)
class Target:
    """What code is compiled for.

    Attributes:
        name: the operating system and the level of the CPU; part of file names.
        triple: LLVM's name of the platform, which decides the calling convention; its format is ELF, but for browsers.
        cpu: LLVM's name of the CPU level.
        features: LLVM's features on top of that level, separated by commas.
        plain_cpu: the level for code without lanes, if it is another one.
    """

    name: str
    triple: str
    cpu: str
    features: str
    plain_cpu: str = ""

    @property
    def is_web(self) -> bool:
        """Is it for browsers? Then units stay objects, which are joined to a module in the end."""
        return self.triple.startswith("wasm")


_SYSTEM_V = "x86_64-unknown-linux-gnu"
_WINDOWS = "x86_64-pc-windows-elf"
_ARM = "aarch64-unknown-linux-gnu"
# LLVM would rather use two registers of 256 bits than one of 512; eight doubles are one register
_WIDE = "-prefer-256-bit"
# one world is up to a fifth faster with AVX2 on Intel's processors, where selects by masks wait, and the same on AMD's
_NARROW = "x86-64-v3"
# macOS on x86-64 calls like Linux; on AArch64 it keeps register x18 for itself
_ROWS = (
    Target("linux-x86-64-v3", _SYSTEM_V, "x86-64-v3", ""),
    Target("linux-x86-64-v4", _SYSTEM_V, "x86-64-v4", _WIDE, _NARROW),
    Target("linux-aarch64", _ARM, "generic", ""),
    Target("macos-x86-64-v3", _SYSTEM_V, "x86-64-v3", ""),
    Target("macos-aarch64", _ARM, "apple-m1", "+reserve-x18"),
    Target("windows-x86-64-v3", _WINDOWS, "x86-64-v3", ""),
    Target("windows-x86-64-v4", _WINDOWS, "x86-64-v4", _WIDE, _NARROW),
)

#: All targets by name that Python can run on.
TARGETS: dict[str, Target] = {target.name: target for target in _ROWS}
#: Browsers. No relaxed vectors, whose results differ between machines, and nothing that fuses.
WASM = Target("wasm32", "wasm32-unknown-unknown", "generic", "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext")

_SYSTEMS = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
_MACHINES = {"x86_64": "x86-64", "amd64": "x86-64", "aarch64": "aarch64", "arm64": "aarch64"}

#: What a CPU of each level has, in the words of NumPy's table. Releases of NumPy differ in the rows they have, so only
#: those that all of them know are asked for; every CPU with these has the rest of its level.
_LEVELS = {
    "v4": ("AVX2", "FMA3", "AVX512F", "AVX512CD", "AVX512BW", "AVX512DQ", "AVX512VL"),
    "v3": ("AVX2", "FMA3", "F16C"),
}
#: The same words where /proc/cpuinfo has others.
_PROC_NAMES = {"FMA3": "fma"}


@functools.cache
def host_target() -> Target:
    """The target that fits this machine best, or the one that PHALANX_TARGET names.

    Raises:
        NativeError: there is no such target.
    """
    wanted = os.environ.get(TARGET_VARIABLE)
    if wanted:
        return _named(wanted)
    name = target_name(platform.system(), platform.machine(), cpu_features())
    if name not in TARGETS:
        raise NativeError(
            f"there is no machine code for this computer ({platform.system()}, {platform.machine()}, best fit {name}); "
            f"supported are {', '.join(TARGETS)}. PHALANX_INTERPRETED=1 runs without machine code, slowly."
        )
    return TARGETS[name]


def _named(name: str) -> Target:
    if name not in TARGETS:
        raise NativeError(f"{TARGET_VARIABLE}={name} names no target; the targets are {', '.join(TARGETS)}")
    return TARGETS[name]


def target_name(system: str, machine: str, features: Mapping[str, bool]) -> str:
    """Name of the best level for a system and machine, in the words of `platform`; it may be no row of TARGETS."""
    base = f"{_SYSTEMS.get(system, system.lower())}-{_MACHINES.get(machine.lower(), machine.lower())}"
    if not base.endswith("-x86-64"):
        return base
    fitting = [level for level, needed in _LEVELS.items() if all(features.get(feature) for feature in needed)]
    names = [f"{base}-{level}" for level in fitting] or [f"{base}-below-v3"]
    return next((name for name in names if name in TARGETS), names[-1])


def cpu_features() -> Mapping[str, bool]:
    """What this x86 CPU can do, by NumPy's names of its features; empty when nobody knows."""
    try:
        from numpy._core._multiarray_umath import __cpu_features__ as features  # type: ignore[import-not-found]
    except ImportError:
        return _features_of_linux()
    return dict(features)


def _features_of_linux(path: Path = Path("/proc/cpuinfo")) -> dict[str, bool]:
    """The features the kernel lists for the first CPU, by NumPy's names."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    flags = next((line.split(":", 1)[1].split() for line in lines if line.startswith("flags")), [])
    wanted = {feature for needed in _LEVELS.values() for feature in needed}
    return {feature: _PROC_NAMES.get(feature, feature.lower()) in flags for feature in wanted}
