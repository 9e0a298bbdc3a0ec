"""The linker for browsers: objects become one module that needs nothing and computes what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from phalanx.native.errors import LinkError
from phalanx.native.llvm import object_code
from phalanx.native.target import WASM
from phalanx.native.wasm.wasm_link import STACK, link_module
from phalanx.native.wasm.wasm_object import CODE, LOCAL, MAGIC, UNDEFINED, Reader, read_object

#: A table of constants, a function that is not exported, one that another object has, and one that is called by number.
FIRST = """
@squares = internal constant [4 x double] [double 0.0, double 1.0, double 4.0, double 9.0]
@odd = internal constant [3 x i8] c"abc"
define internal double @inner(i64 %k) noinline {
  %p = getelementptr inbounds double, ptr @squares, i64 %k
  %x = load double, ptr %p
  ret double %x
}
define double @look(i64 %k) {
  %x = call double @inner(i64 %k)
  %y = call double @"twice as much"(double %x)
  ret double %y
}
define i64 @letter(i64 %k) {
  %p = getelementptr inbounds i8, ptr @odd, i64 %k
  %x = load i8, ptr %p
  %y = zext i8 %x to i64
  ret i64 %y
}
define double @by_number(i64 %n, double %x) {
  %f = inttoptr i64 %n to ptr
  %y = call double %f(double %x)
  ret double %y
}
declare double @"twice as much"(double)
"""
SECOND = """
@halves = internal constant [2 x double] [double 0.5, double 0.25]
define double @"twice as much"(double %x) { %y = fmul double %x, 2.0\n ret double %y }
define double @deep(i64 %n) {
  %room = alloca [64 x double], align 16
  %p = getelementptr inbounds double, ptr %room, i64 %n
  store volatile double 3.0, ptr %p
  %x = load volatile double, ptr %p
  %q = getelementptr inbounds double, ptr @halves, i64 %n
  %h = load double, ptr %q
  %y = fmul double %x, %h
  ret double %y
}
"""

RUN = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module, {});
const index = exports.table.grow(1);
exports.table.set(index, exports["twice as much"]);
const words = new TextDecoder().decode(WebAssembly.Module.customSections(module, "words")[0]);
console.log(JSON.stringify([
  WebAssembly.Module.imports(module).length, exports.look(3n), Number(exports.letter(1n)), exports.deep(1n),
  exports.by_number(BigInt(index), 21), words, exports.heap_base.value, exports.memory.buffer.byteLength,
]));
"""


def compiled(text: str) -> bytes:
    return object_code(text, WASM)


def test_two_objects_become_a_module_that_runs(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    path = tmp_path / "m.wasm"
    path.write_bytes(link_module([compiled(FIRST), compiled(SECOND)], {"words": b"said"}))
    done = subprocess.run([node, "-e", RUN, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    imports, looked, letter, deep, called, words, heap, size = json.loads(done.stdout)
    assert (imports, looked, letter, deep, called, words) == (0, 18.0, ord("b"), 0.75, 42.0, "said")
    assert STACK < heap <= size


def test_numbers_take_no_more_bytes_than_they_need():
    objects = [read_object(compiled(text)) for text in (FIRST, SECOND)]
    places = sum(len(body.places) for found in objects for body in found.bodies)
    code = sum(len(body.content) for found in objects for body in found.bodies)
    module = Reader(link_module([compiled(FIRST), compiled(SECOND)]), len(MAGIC))
    sizes = {}
    while not module.is_done:
        kind, size = module.byte(), module.number()
        sizes[kind] = len(module.take(size))
    # addresses take three bytes, all others one, of the five that were left for each
    assert places > 5 and sizes[CODE] <= code - 2 * places + 2 * sum(len(found.bodies) for found in objects)


def test_profilers_see_names_of_kernels():
    module = link_module([compiled(FIRST), compiled(SECOND)])
    names = module[module.index(b"\x04name") :]
    assert b"inner" in names and b"twice as much" in names


def test_what_no_object_has_is_an_error():
    with pytest.raises(LinkError, match="a kernel calls twice as much, which no object has"):
        link_module([compiled(FIRST)])


def test_a_fused_operation_cannot_be_linked():
    """WebAssembly rounds every operation; a kernel that wanted more would call a library, and there is none."""
    text = (
        "define double @fused(double %x) { %y = call double @llvm.fma.f64(double %x, double %x, double %x)\n"
        " ret double %y }\ndeclare double @llvm.fma.f64(double, double, double)"
    )
    with pytest.raises(LinkError, match="a kernel calls fma, which no object has"):
        link_module([compiled(text)])


def test_one_name_belongs_to_one_object():
    with pytest.raises(LinkError, match="two objects have the function twice as much"):
        link_module([compiled(SECOND), compiled(SECOND)])
    renamed = {1: {"twice as much": "other", "deep": "deeper"}}
    assert b"other" in link_module([compiled(SECOND), compiled(SECOND)], renamed=renamed)


def test_addresses_of_functions_are_no_values():
    with pytest.raises(LinkError, match="section 9 of a WebAssembly object is not understood"):
        link_module([compiled("define ptr @f() { ret ptr @f }")])


@pytest.mark.parametrize("content", [b"", b"\x7fELF", MAGIC + b"\x0d\x00", MAGIC + b"\x01\x05\x01"])
def test_what_is_no_object_is_refused(content):
    with pytest.raises(LinkError):
        link_module([content])


def test_an_object_that_is_cut_off_is_refused():
    whole = compiled(SECOND)
    # behind the symbols come relocations and what LLVM says about itself, section by section
    end = whole.index(b"reloc.CODE") - 3
    for size in range(0, end, 5):
        with pytest.raises(LinkError):
            link_module([whole[:size]])


def test_symbols_say_what_is_exported():
    symbols = {symbol.name: symbol.flags for symbol in read_object(compiled(FIRST)).symbols}
    assert symbols["inner"] & 3 == LOCAL and symbols["twice as much"] & UNDEFINED
    assert not symbols["look"] & UNDEFINED and re.search("squares", " ".join(symbols))
