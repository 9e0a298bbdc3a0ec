"""Entries of devices: one thread runs one world, and all that it calls is in one module.

The body is the same for all kinds of threads; the frame around it says how a thread gets to know its number: as the
round of a loop (the device is emulated by the CPU), or from registers of a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from phalanx.algebra.jit import Part
from phalanx.native.entry import Letters
from phalanx.native.key import PARTS_INSIDE

#: Effort of LLVM: no loop becomes one of vectors, since neighbors in memory are numbers of other worlds.
DEVICE_EFFORT = 4

#: Threads of an AMD GPU that start together; on others the one who starts them chooses.
AMD_BLOCK = 64

#: Kinds of threads.
LOOP, CUDA, AMD, OPENCL = "loop", "cuda", "amd", "opencl"
#: Integers that the frame of each kind takes behind those of the body.
EXTRA = {LOOP: 2, CUDA: 1, AMD: 1, OPENCL: 1}

_GPU_BODY = """
  %is_inside = icmp slt i64 %thread, %last
  br i1 %is_inside, label %body, label %done
body:
  {call}
  br label %done
done:
  ret void
}}
"""

#: How threads are started: all numbers from %first to %last in turn, or each below %last in a thread of its own.
FRAMES = {
    LOOP: """
define i64 @"{name}"({given}, i64 %first, i64 %last) #0 {{
entry:
  br label %head
head:
  %thread = phi i64 [ %first, %entry ], [ %next, %body ]
  %is_inside = icmp slt i64 %thread, %last
  br i1 %is_inside, label %body, label %done
body:
  {call}
  %next = add i64 %thread, 1
  br label %head
done:
  ret i64 0
}}
""",
    CUDA: """
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @"{name}"({given}, i64 %last) #0 {{
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block.wide = zext i32 %block to i64
  %size.wide = zext i32 %size to i64
  %place.wide = zext i32 %place to i64
  %start = mul i64 %block.wide, %size.wide
  %thread = add i64 %start, %place.wide"""
    + _GPU_BODY,
    AMD: f"""
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @"{{name}}"({{given}}, i64 %last) #1 {{{{
  %block = call i32 @llvm.amdgcn.workgroup.id.x()
  %place = call i32 @llvm.amdgcn.workitem.id.x()
  %block.wide = zext i32 %block to i64
  %place.wide = zext i32 %place to i64
  %start = mul i64 %block.wide, {AMD_BLOCK}
  %thread = add i64 %start, %place.wide{_GPU_BODY}
attributes #1 = {{{{ nounwind "no-builtins" "amdgpu-flat-work-group-size"="{AMD_BLOCK},{AMD_BLOCK}" }}}}
""",
    OPENCL: """
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @"{name}"({given}, i64 %last) #0 {{
  %thread = call spir_func i64 @_Z13get_global_idj(i32 0)"""
    + _GPU_BODY,
}


@dataclass(frozen=True)
class Linked:
    """What a linked module has.

    Attributes:
        parts: that are in it.
        absent: slot of a part -> what is noted in `absent_part` if it is called and is not there.
        places: slot of a function of the user -> its place among `functions`, counted from 1; 0 if there is none.
        functions: of the user.
        unkept: aliases of fields that have no memory: nothing is stored there, and what is read is zero.
    """

    parts: frozenset[Part] = frozenset()
    absent: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    functions: tuple[Part, ...] = ()
    unkept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DeviceEntry:
    """A function of integers, the last of which is the number of a thread. It returns nothing.

    Attributes:
        name: tells the entry from all others; the exported symbol.
        build: makes the Python function.
        arity: how many integers the function takes before the number of the thread.
        letters: makes the types that parts take.
        linked: makes the list of parts and functions that are in the module.
        threads: LOOP, CUDA, AMD or OPENCL.
        origin, effort: see `Unit`.
    """

    name: str
    build: Callable[[], Callable[..., Any]]
    arity: int
    letters: Callable[[], Letters]
    linked: Callable[[], Linked]
    threads: str
    origin: str = ""
    effort: int = DEVICE_EFFORT

    @property
    def integers(self) -> int:
        """How many integers the exported function takes."""
        return self.arity + EXTRA[self.threads]

    def text(self, checked: bool) -> str:
        """The entry and everything that it calls. It has no checks: kernels are checked on the CPU."""
        from phalanx.native.program import Program

        program = Program(letters=self.letters(), linked=self.linked())
        program.export_threads(self.name, self.build(), self.arity, FRAMES[self.threads])
        return program.module()

    def roots(self) -> list[Any]:
        """The function, what is in the module, and the types of what parts take."""
        linked = self.linked()
        parts = sorted(part.slot for part in linked.parts)
        places = str(parts), str(dict(linked.absent)), str(dict(linked.places)), str(sorted(linked.unkept))
        inside = [*places, *linked.functions]
        return [PARTS_INSIDE, self.build(), self.arity, FRAMES[self.threads], *inside, *self.letters().values()]
