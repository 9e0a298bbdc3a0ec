"""LLVM: optimize a module and make an object file of it. The only file that imports llvmlite."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

from phalanx.native.device_entry import DEVICE_EFFORT
from phalanx.native.entry import USUAL_EFFORT
from phalanx.native.errors import NativeError
from phalanx.native.target import Target

#: Effort of the code generator.
EMIT_LEVEL = 3

#: Effort of a unit -> level of LLVM's optimizer, and whether it looks for vectors in straight code and in loops.
LEVELS = {
    1: (1, False, True), 2: (1, True, False), 3: (3, False, True), 5: (1, True, True), DEVICE_EFFORT: (1, False, False)
}  # fmt: skip

#: Windows: a function whose variables take more than a page calls `__chkstk` before it moves the stack pointer by the
#: count of bytes in rax, so that pages are touched one after another. It changes no register. There is no library that
#: could have it, so every image has its own.
_STACK_PROBE = r"""
define internal void @__chkstk() naked noinline nounwind {
  call void asm sideeffect "
    pushq %rcx
    pushq %rax
    leaq 24(%rsp), %rcx
    cmpq $$4096, %rax
    jb 2f
    1:
    subq $$4096, %rcx
    testq %rcx, (%rcx)
    subq $$4096, %rax
    cmpq $$4096, %rax
    ja 1b
    2:
    subq %rax, %rcx
    testq %rcx, (%rcx)
    popq %rax
    popq %rcx
    retq", ""()
  unreachable
}
@llvm.used = appending global [1 x ptr] [ptr @__chkstk], section "llvm.metadata"
"""

#: A function that every module may declare: it waits for a few dozen nanoseconds.
PAUSE = "phalanx.pause"
_PAUSES = {"x86_64": ("llvm.x86.sse2.pause", ""), "aarch64": ("llvm.aarch64.hint", "i32 1")}

#: CPU levels where a store under a mask takes many cycles: of AVX2, on AMD's processors; with AVX-512 it takes none.
_SLOW_MASKS = frozenset({"x86-64-v3"})
#: A vector that is written to memory; not to a variable, which becomes a register.
_VECTOR_STORE = re.compile(r"^(\s*)store (<\d+ x \w+>) (%[^ ,]+), ptr (?!%s\d)", re.MULTILINE)

_MISSING = "compiling needs llvmlite, which is not installed: pip install llvmlite"


@functools.cache
def _initialized() -> Any:
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise NativeError(_MISSING) from None

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()  # for the stack probe of Windows
    return llvm


def version() -> str:
    """Version of llvmlite, which decides that of LLVM."""
    from importlib import metadata

    try:
        return metadata.version("llvmlite")
    except metadata.PackageNotFoundError:
        raise NativeError(_MISSING) from None


def target_machine(target: Target, has_lanes: bool = True) -> Any:
    """LLVM's code generator for a target, for modules with lanes or without."""
    llvm = _initialized()
    # position-independent: an image is mapped wherever there is room, and its code is never changed after that
    reloc = "static" if target.is_web else "pic"
    is_narrow = target.plain_cpu and not has_lanes
    cpu, features = (target.plain_cpu, "") if is_narrow else (target.cpu, target.features)
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=cpu, features=features, opt=EMIT_LEVEL, reloc=reloc, codemodel="default"
    )


def _with_pause(text: str, target: Target) -> str:
    """A module with the pause that it declares, in the words of the target."""
    declaration = f"declare void @{PAUSE}()\n"
    if declaration not in text:
        return text
    name, given = _PAUSES[target.triple.partition("-")[0]]
    return text.replace(declaration, f"declare void @{name}({given.partition(' ')[0]})\n") + (
        f"define internal void @{PAUSE}() alwaysinline {{\n  call void @{name}({given})\n  ret void\n}}\n"
    )


def _with_whole_stores(text: str, target: Target) -> str:
    """A module whose vectors are stored whole, where a store under a mask is slow.

    Kernels say `x[i] = where(chosen, value, x[i])`, and LLVM would make a store under the mask `chosen` of it. It does
    not look through `freeze`, which is no instruction of the machine.
    """
    if target.cpu not in _SLOW_MASKS:
        return text
    names = (f"%whole.{k}" for k in itertools.count())

    def whole(found: re.Match[str]) -> str:
        indent, kind, value = found.groups()
        name = next(names)
        return f"{indent}{name} = freeze {kind} {value}\n{indent}store {kind} {name}, ptr "

    return _VECTOR_STORE.sub(whole, text)


def optimized(text: str, target: Target, effort: int = USUAL_EFFORT) -> tuple[Any, Any]:
    """(module, target machine): the module of a text, optimized; see LEVELS."""
    llvm, has_lanes = _initialized(), "x double>" in text or "x float>" in text
    machine = target_machine(target, has_lanes)
    try:
        # without them LLVM optimizes for a default data layout, in which vectors have other alignments
        header = f'target triple = "{target.triple}"\ntarget datalayout = "{machine.target_data}"\n'
        probe = _STACK_PROBE if "windows" in target.triple else ""
        module = llvm.parse_assembly(header + _with_whole_stores(_with_pause(text, target), target) + probe)
    except RuntimeError as error:
        raise NativeError(f"the compiler wrote LLVM IR that LLVM refuses: {error}") from None
    level, is_straight, has_loops = LEVELS[effort]
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    # worth it in one world, for loops over dofs; what lanes compute is vectors already
    is_plain = has_loops and not has_lanes
    options.loop_vectorization = options.loop_unrolling = options.loop_interleaving = is_plain
    # worth it in lanes only for kernels that take worlds one by one
    options.slp_vectorization = is_straight and (is_plain or not has_loops)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module, machine


def object_code(text: str, target: Target, effort: int = USUAL_EFFORT) -> bytes:
    """The object file of a module."""
    module, machine = optimized(text, target, effort)
    return machine.emit_object(module)


def assembly(text: str, target: Target, effort: int = USUAL_EFFORT) -> str:
    """The assembler text of a module: for devices whose driver reads text (PTX)."""
    module, machine = optimized(text, target, effort)
    return str(machine.emit_assembly(module))


def optimized_text(text: str, target: Target, effort: int = USUAL_EFFORT) -> str:
    """The optimized module as text of LLVM IR, without the lines that name its target."""
    module, _ = optimized(text, target, effort)
    return "\n".join(line for line in str(module).splitlines() if not line.startswith("target "))


def object_of_optimized(text: str, target: Target) -> bytes:
    """The object file of a module that has been optimized, for a target."""
    llvm, machine = _initialized(), target_machine(target)
    header = f'target triple = "{target.triple}"\ntarget datalayout = "{machine.target_data}"\n'
    try:
        return bytes(machine.emit_object(llvm.parse_assembly(header + text)))
    except RuntimeError as error:
        raise NativeError(f"LLVM makes no object for {target.name}: {error}") from None
