"""How Numba is driven: only the passes that kernels need, and one optimization of the whole program.

Numba optimizes and emits machine code for every function it compiles, then does it again wherever the function is
inlined. Kernels are never called one by one, so here a function only becomes LLVM IR; when the entry is complete, all
of it is linked into one module, everything but the entry is made private, and LLVM optimizes once. Compiling takes
about a third of the time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numba
from numba.core import codegen, types
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

from phalanx.algebra.jit import KERNEL_OPTIONS


class KernelCompiler(CompilerBase):
    """Numba's pipeline without closures, with-blocks, parallel loops, object mode and array rewrites."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernel")
        passes.add_pass(TranslateByteCode, "bytecode to IR")
        passes.add_pass(FixupArgs, "arguments")
        passes.add_pass(IRProcessing, "process IR")
        passes.add_pass(GenericRewrites, "constant indices of tuples")
        passes.add_pass(ReconstructSSA, "single assignment")
        passes.add_pass(NopythonTypeInference, "types")
        passes.add_pass(PreLowerStripPhis, "remove phi nodes")
        passes.add_pass(IRLegalization, "legal IR")
        passes.add_pass(NativeLowering, "lower to LLVM IR")
        passes.add_pass(NoPythonBackend, "result")
        passes.finalize()
        return [passes]


def dispatcher_of(function: Callable[..., Any]) -> Any:
    """The Numba dispatcher of a kernel. Integer arguments that are literals do not make a copy of their own."""
    dispatcher = numba.njit(pipeline_class=KernelCompiler, **KERNEL_OPTIONS)(function)
    template_of = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_of(tuple(map(types.unliteral, args)), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


@contextlib.contextmanager
def _ir_only() -> Iterator[None]:
    """Keep Numba from linking, optimizing and emitting each function on its own."""
    library, generator = codegen.CPUCodeLibrary, codegen.JITCPUCodegen
    saved = library.add_llvm_module, library.finalize, generator.set_env

    def add_llvm_module(self: Any, module: Any) -> None:
        self._final_module.link_in(module)

    def finalize(self: Any) -> None:
        self._finalized = True

    library.add_llvm_module, library.finalize = add_llvm_module, finalize
    generator.set_env = lambda self, name, env: None
    try:
        yield
    finally:
        library.add_llvm_module, library.finalize, generator.set_env = saved


def _linked(library: Any) -> list[Any]:
    """A library and all that it calls, each once."""
    found: dict[int, Any] = {}
    waiting = [library]
    while waiting:
        current = waiting.pop()
        if id(current) not in found:
            found[id(current)] = current
            waiting += current._linking_libraries
    return list(found.values())


def compile_program(function: Callable[..., int], arity: int) -> tuple[Any, str]:
    """Compile a function of integers and all it calls into one optimized LLVM module. Returns (module, symbol)."""
    with _ir_only():
        dispatcher = dispatcher_of(function)
        dispatcher.compile((types.int64,) * arity)
        (result,) = dispatcher.overloads.values()
        symbol = result.fndesc.llvm_func_name
        module = result.library._final_module.clone()
        for library in _linked(result.library)[1:]:
            module.link_in(library._final_module.clone())
    for defined in module.functions:
        if not defined.is_declaration and defined.name != symbol:
            defined.linkage = "internal"
    generator = result.library.codegen
    module.data_layout = generator._data_layout
    manager, builder = generator._module_pass_manager()
    manager.run(module, builder)
    module.verify()
    return module, symbol
