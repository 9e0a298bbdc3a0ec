"""What a step on a device does: bytes that a world reads and writes, and its operations, counted while it runs.

The emulated device runs the kernel with a counter in every block of its optimized code. Nothing is estimated: these are
the loads, stores and operations that a thread executes. What caches of a GPU make of them is another matter.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

from phalanx.device.emulated import EmulatedDevice
from phalanx.device.gpu_batch import GpuBatchSim
from phalanx.device.protocol import Launch
from phalanx.native.build import deep_recursion
from phalanx.native.device_entry import DeviceEntry
from phalanx.native.link import link
from phalanx.native.llvm import object_of_optimized, optimized_text
from phalanx.native.load import load_checked
from phalanx.native.runtime import NativeEntry
from phalanx.native.target import host_target

_BYTES = {"double": 8, "float": 4, "i64": 8, "ptr": 8, "i32": 4, "i16": 2, "i8": 1, "i1": 1}
_ACCESS = re.compile(r"(?:= load|^\s*store) (double|float|i64|ptr|i32|i16|i8|i1)\b")
_SIMPLE = re.compile(r"= (?:fadd|fsub|fmul|fneg) ")
_SLOW = re.compile(r"= fdiv |@llvm\.sqrt\.")
_LABEL = re.compile(r"^[\w.$\"]+:")


class Traffic(NamedTuple):
    """Of one world in one step.

    Attributes:
        read: bytes of its own memory that are read.
        written: bytes that are written.
        shared: bytes that are read of what all worlds share: the Model, and addresses of fields.
        simple: additions, subtractions, multiplications.
        slow: divisions and roots.
    """

    read: float
    written: float
    shared: float
    simple: float
    slow: float


COUNTERS = len(Traffic._fields)


def counted(text: str) -> str:
    """An optimized module with counters in all of its blocks, and a function that tells where they are."""
    lines: list[str] = []
    block: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line.startswith("define "):
            is_inside = True
            lines.append(line)
        elif is_inside and (line == "}" or _LABEL.match(line)):
            lines += _with_counters(block, len(lines))
            block = []
            lines.append(line)
            is_inside = line != "}"
        else:
            (block if is_inside else lines).append(line)
    lines.append(f"@traffic = internal global [{COUNTERS} x i64] zeroinitializer")
    lines.append("define i64 @traffic_at() {\n  ret i64 ptrtoint (ptr @traffic to i64)\n}")
    return "\n".join(lines) + "\n"


def _with_counters(block: list[str], place: int) -> list[str]:
    found = dict.fromkeys(Traffic._fields, 0)
    for line in block:
        access = _ACCESS.search(line)
        if access is not None:
            kind = "shared" if "!invariant.load" in line else "read" if "= load" in line else "written"
            found[kind] += _BYTES[access[1]]
        found["simple"] += len(_SIMPLE.findall(line))
        found["slow"] += len(_SLOW.findall(line))
    added = []
    for k, (name, count) in enumerate(found.items()):
        if count:
            mark = f"%traffic.{place}.{name}"
            added += [
                f"  {mark}.at = getelementptr i64, ptr @traffic, i64 {k}",
                f"  {mark}.before = load i64, ptr {mark}.at",
                f"  {mark}.after = add i64 {mark}.before, {count}",
                f"  store i64 {mark}.after, ptr {mark}.at",
            ]
    first = next((k for k, line in enumerate(block) if " = phi " not in line), len(block))
    return [*block[:first], *added, *block[first:]]


class CountingDevice(EmulatedDevice):
    """The emulated device with counters."""

    def __init__(self) -> None:
        self.counters: Any = None

    def kernel(self, entry: DeviceEntry) -> Launch:
        """The kernel with counters, compiled for this process."""
        with deep_recursion():
            text = entry.text(False)
        ir = counted(optimized_text(text, host_target(), entry.effort))
        image = load_checked(link([object_of_optimized(ir, host_target())]), None)
        address = ctypes.CFUNCTYPE(ctypes.c_int64)(image.address("traffic_at"))()
        self.counters = (ctypes.c_int64 * COUNTERS).from_address(address)
        call = NativeEntry(image.address(entry.name), entry.integers).call

        def launch(*arguments: int) -> None:
            *given, count = arguments
            call(*given, 0, count)

        return launch


class CountedBatch(GpuBatchSim):
    """A batch whose loads, stores and operations are counted."""

    def _find_device(self, name: str) -> CountingDevice:
        self._counting = CountingDevice()
        return self._counting

    def traffic(self, steps: int) -> Traffic:
        """Of a world in a step, on average over so many steps from now on."""
        before = list(self._counting.counters)
        self.step(steps)
        return Traffic(*((b - a) / (steps * self.n) for a, b in zip(before, self._counting.counters, strict=True)))
