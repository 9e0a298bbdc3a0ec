"""Code of OpenCL: the module of an entry in the words of SPIR, LLVM IR in which every pointer says where it points.

Memory of the device is address space 1, tables of constants are 2, and local variables are those of a thread, 0. Locals
never leave their function, and tables are read where they are found, so the text of a function tells all of them.
"""

from __future__ import annotations

import re

from phalanx.native.build import deep_recursion
from phalanx.native.device_entry import OPENCL, DeviceEntry

#: What a kernel of OpenCL must say of its parameters: where they are, how they are used, and their types.
_ARGUMENTS = {
    "kernel_arg_addr_space": "i32 0",
    "kernel_arg_access_qual": '!"none"',
    "kernel_arg_type": '!"long"',
    "kernel_arg_base_type": '!"long"',
    "kernel_arg_type_qual": '!""',
}
_HEAD = """target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
"""
_TAIL = """
!opencl.ocl.version = !{!900000}
!opencl.spir.version = !{!900000}
!900000 = !{i32 1, i32 2}
"""
_LOCAL = re.compile(r'^\s*(%[\w."]+) = alloca ', re.MULTILINE)
_FOUND = re.compile(r'^\s*(%[\w."]+) = getelementptr (?:inbounds )?\S+ ptr @constant\.', re.MULTILINE)
_POINTER = re.compile(r'\bptr\b(?: ([%@][\w."]+))?')
_CALL = re.compile(r"\bcall (?!spir_func)([^@%]+)@(?!llvm\.)")
#: What newer versions of LLVM declare themselves.
_CUT = "declare i64 @llvm.fptosi.sat.i64.f64(double)"


def spir_text(entry: DeviceEntry) -> str:
    """The module of an entry for threads of OpenCL, as text of LLVM IR."""
    assert entry.threads == OPENCL
    with deep_recursion():
        text = entry.text(False)
    tables, *functions = re.split(r"^(?=define )", text, flags=re.MULTILINE)
    tables = tables.replace("internal constant", "internal addrspace(2) constant")
    if _CUT not in text:
        functions.append(_CUT + "\n")
    said = " ".join(f"!{name} !{{{', '.join([word] * entry.integers)}}}" for name, word in _ARGUMENTS.items())
    module = tables + "".join(map(_placed, functions))
    return _HEAD + re.sub(r"(define spir_kernel .*\) #0) {", rf"\1 {said} {{", module, count=1) + _TAIL


def _placed(function: str) -> str:
    """A function with the address space of every pointer."""
    own, of_tables = {*_LOCAL.findall(function)}, {*_FOUND.findall(function)}

    def placed(at: re.Match[str]) -> str:
        name = at[1] or ""
        if name in own:
            return at[0]
        space = 2 if name in of_tables or name.startswith("@constant.") else 1
        return f"ptr addrspace({space}) {name}".rstrip()

    text = function.replace("define internal ", "define internal spir_func ", 1)
    return _CALL.sub(r"call spir_func \1@", _POINTER.sub(placed, text))
