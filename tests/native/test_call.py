"""Calling entries: results for all arities and bindings, errors, references, threads, and the code of the caller."""

from __future__ import annotations

import ctypes
import functools
import gc
import itertools
import random
import struct
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from phalanx.native.call import CALLER, CALLER_IR, MAX_ARITY, bind, has_builtins

LARGEST, SMALLEST = 2**63 - 1, -(2**63)
#: Turns of `spin` that take about ten seconds: so long it waits for another thread before it gives up.
MANY_TURNS = 10**10
ARITIES = range(1, MAX_ARITY + 1)
#: Where the IR must compile to code that stands alone.
TRIPLES = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-pc-windows-msvc-elf",
    "aarch64-pc-windows-msvc-elf",
)
WAYS = pytest.mark.parametrize("through_ctypes", [False, True], ids=["builtin", "ctypes"])


# --- entries


def polynomial_ir(arity: int) -> str:
    """An entry that tells its arguments apart: their values, read as digits in base 1000003."""
    lines = ["  %sum.0 = add i64 0, 0"]
    for i in range(arity):
        lines.append(f"  %scaled.{i} = mul i64 %sum.{i}, 1000003")
        lines.append(f"  %sum.{i + 1} = add i64 %scaled.{i}, %{i}")
    parameters = ", ".join(f"i64 %{i}" for i in range(arity))
    body = "\n".join(lines)
    return f"define i64 @polynomial_{arity}({parameters}) {{\nstart:\n{body}\n  ret i64 %sum.{arity}\n}}\n"


def polynomial(values: tuple[int, ...]) -> int:
    """What `polynomial_ir` computes, in 64 bits."""
    total = functools.reduce(lambda total, value: total * 1000003 + value, values, 0)
    return (total + 2**63) % 2**64 - 2**63


#: `spin` waits until a number in memory is not 0, for so many turns, and returns what it saw. `meet` first sets a
#: number of its own to 1, so that two of them return 1 only if both run at the same time. `same` returns its argument.
ENTRIES_IR = """
define i64 @spin(i64 %address, i64 %limit) {
start:
  %flag = inttoptr i64 %address to ptr
  br label %look
look:
  %i = phi i64 [ 0, %start ], [ %next, %look ]
  %next = add i64 %i, 1
  %seen = load volatile i64, ptr %flag
  %set = icmp ne i64 %seen, 0
  %late = icmp sge i64 %next, %limit
  %end = or i1 %set, %late
  br i1 %end, label %done, label %look
done:
  ret i64 %seen
}
define i64 @meet(i64 %own, i64 %other, i64 %limit) {
  %flag = inttoptr i64 %own to ptr
  store volatile i64 1, ptr %flag
  %seen = call i64 @spin(i64 %other, i64 %limit)
  ret i64 %seen
}
define i64 @same(i64 %value) {
  ret i64 %value
}
"""


@pytest.fixture(scope="module")
def addresses() -> Any:
    """Address of a function in memory, by its name: the caller and the entries of this file."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, reloc="pic", codemodel="default")
    text = CALLER_IR + ENTRIES_IR + "".join(map(polynomial_ir, ARITIES))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    yield engine.get_function_address
    # no builtin may outlive its code
    gc.collect()


Bind = Callable[..., Callable[..., int]]


@pytest.fixture
def bound(addresses: Callable[[str], int]) -> Bind:
    """`bind` by the name of an entry."""

    def bound(name: str, arity: int, *arguments: int, through_ctypes: bool | None = None) -> Callable[..., int]:
        return bind(addresses(CALLER), addresses(name), arity, *arguments, through_ctypes=through_ctypes)

    return bound


# --- results


@WAYS
@pytest.mark.parametrize("arity", ARITIES)
def test_every_binding_passes_all_arguments_in_order(bound: Bind, arity: int, through_ctypes: bool) -> None:
    draw = random.Random(arity)
    for number in range(arity + 1):
        for _ in range(5):
            values = tuple(draw.randint(SMALLEST, LARGEST) for _ in range(arity))
            call = bound(f"polynomial_{arity}", arity, *values[:number], through_ctypes=through_ctypes)
            assert call(*values[number:]) == polynomial(values)


@WAYS
@pytest.mark.parametrize("value", [0, 1, -1, 256, -6, 2**31, 2**32, -(2**32), LARGEST, SMALLEST])
def test_integers_of_64_bits_come_back_unchanged(bound: Bind, value: int, through_ctypes: bool) -> None:
    assert bound("same", 1, through_ctypes=through_ctypes)(value) == value
    assert bound("same", 1, value, through_ctypes=through_ctypes)() == value


class Five:
    def __index__(self) -> int:
        return 5


@WAYS
@pytest.mark.parametrize("value", [True, False, np.int64(-7), np.uint8(7), np.intp(1 << 40), Five()])
def test_objects_with_an_index_are_integers(bound: Bind, value: Any, through_ctypes: bool) -> None:
    for result in (
        bound("same", 1, through_ctypes=through_ctypes)(value),
        bound("same", 1, value, through_ctypes=through_ctypes)(),
    ):
        assert type(result) is int
        assert result == value.__index__()


def test_cpython_gets_a_builtin_by_default(bound: Bind) -> None:
    is_builtin = type(bound("same", 1)) is type(len)
    assert is_builtin == has_builtins() == (sys.implementation.name == "cpython")


def test_other_interpreters_get_ctypes_by_default(bound: Bind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.implementation, "name", "other")
    has_builtins.cache_clear()
    try:
        call = bound("same", 1)
    finally:
        has_builtins.cache_clear()
    assert type(call) is not type(len)
    assert call(3) == 3


# --- errors


@WAYS
@pytest.mark.parametrize("value", [1.0, "1", b"1", None, [], 1j, np.float64(1), object()])
@pytest.mark.parametrize("position", range(3))
def test_other_types_raise_type_error(bound: Bind, value: object, position: int, through_ctypes: bool) -> None:
    call = bound("polynomial_4", 4, 1, through_ctypes=through_ctypes)
    arguments: list[Any] = [-1, -1, -1]
    arguments[position] = value
    for _ in range(3):
        with pytest.raises(TypeError):
            call(*arguments)
    assert call(2, 3, 4) == polynomial((1, 2, 3, 4))


@WAYS
@pytest.mark.parametrize("value", [LARGEST + 1, SMALLEST - 1, 2**64, 10**100, -(10**100), np.uint64(2**63)])
def test_larger_integers_raise_overflow_error(bound: Bind, value: Any, through_ctypes: bool) -> None:
    call = bound("polynomial_2", 2, through_ctypes=through_ctypes)
    for arguments in ((value, 1), (1, value), (-1, value)):
        with pytest.raises(OverflowError):
            call(*arguments)
    with pytest.raises(OverflowError):
        bound("polynomial_2", 2, value, through_ctypes=through_ctypes)
    assert call(1, 2) == polynomial((1, 2))


@WAYS
@pytest.mark.parametrize("number", range(4))
def test_wrong_counts_raise_type_error(bound: Bind, number: int, through_ctypes: bool) -> None:
    call = bound("polynomial_3", 3, *range(number), through_ctypes=through_ctypes)
    expected = 3 - number
    for count in {*range(20), 1000} - {expected}:
        with pytest.raises(TypeError, match=f"expected {expected} arguments, got {count}$"):
            call(*range(count))
    with pytest.raises(TypeError):
        call(*range(expected), status=1)


@WAYS
def test_errors_of_an_index_are_passed_on(bound: Bind, through_ctypes: bool) -> None:
    class Broken:
        def __index__(self) -> int:
            raise KeyError("no index today")

    with pytest.raises(KeyError, match="no index today"):
        bound("same", 1, through_ctypes=through_ctypes)(Broken())


def test_an_index_may_call_the_same_builtin(bound: Bind) -> None:
    call = bound("polynomial_2", 2)

    class Nested:
        def __index__(self) -> int:
            return call(3, 4)

    assert call(2, Nested()) == polynomial((2, polynomial((3, 4))))


@WAYS
@pytest.mark.parametrize("arity", [-1, 0, MAX_ARITY + 1])
def test_binding_an_unknown_arity_raises_value_error(bound: Bind, arity: int, through_ctypes: bool) -> None:
    with pytest.raises(ValueError, match="1 to 12 integers"):
        bound("same", arity, through_ctypes=through_ctypes)


@WAYS
def test_binding_too_many_arguments_raises_value_error(bound: Bind, through_ctypes: bool) -> None:
    with pytest.raises(ValueError, match="3 of them bound"):
        bound("polynomial_2", 2, 1, 2, 3, through_ctypes=through_ctypes)


# --- memory


def test_calls_keep_no_references(bound: Bind) -> None:
    call = bound("polynomial_3", 3, 1)
    address, wrong, self = 2**40 + 1, 1.5, call.__self__  # type: ignore[attr-defined]
    before = [sys.getrefcount(thing) for thing in (address, wrong, call, self, TypeError)]
    for _ in range(1000):
        call(address, address)
        with pytest.raises(TypeError):
            call(address, wrong)
        with pytest.raises(TypeError):
            call(address)
    assert [sys.getrefcount(thing) for thing in (address, wrong, call, self, TypeError)] == before


def test_calls_keep_no_memory(bound: Bind) -> None:
    call = bound("polynomial_3", 3, 1)
    address = 2**40

    def run(times: int) -> None:
        for _ in range(times):
            call(address, address)

    run(10)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        run(100_000)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 10_000


def test_a_builtin_takes_its_record_along_when_it_dies(bound: Bind) -> None:
    def run(times: int) -> None:
        for i in range(times):
            assert bound("same", 1, i)() == i

    run(10)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        run(2000)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 10_000


def test_builtins_keep_working_after_many_others_and_collection(bound: Bind) -> None:
    first = [bound("polynomial_5", 5, i, i + 1) for i in range(100)]
    for i in range(1000):
        bound("polynomial_12", 12, *range(i, i + 7))
    gc.collect()
    others = [bytes(400) for _ in range(1000)]
    for i, call in enumerate(first):
        assert call(7, 8, 9) == polynomial((i, i + 1, 7, 8, 9))
    assert len(others) == 1000


# --- threads


@WAYS
def test_other_threads_run_while_an_entry_does(bound: Bind, through_ctypes: bool) -> None:
    flag = ctypes.c_int64(0)
    call = bound("spin", 2, ctypes.addressof(flag), through_ctypes=through_ctypes)

    def set_flag() -> None:
        time.sleep(0.02)
        flag.value = 42

    other = threading.Thread(target=set_flag)
    other.start()
    status = call(MANY_TURNS)
    other.join()
    assert status == 42


@WAYS
def test_two_threads_are_inside_entries_at_the_same_time(bound: Bind, through_ctypes: bool) -> None:
    flags = (ctypes.c_int64 * 2)()
    places = [ctypes.addressof(flags), ctypes.addressof(flags) + 8]
    statuses: list[int] = []

    def run(own: int, other: int) -> None:
        call = bound("meet", 3, own, other, through_ctypes=through_ctypes)
        statuses.append(call(MANY_TURNS))

    threads = [threading.Thread(target=run, args=pair) for pair in (places, places[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [1, 1]


def test_many_threads_share_a_builtin(bound: Bind) -> None:
    call = bound("polynomial_4", 4, 1, 2)
    wrong: list[int] = []

    def run(start: int) -> None:
        wrong.extend(i for i in range(start, start + 5000) if call(i, -i) != polynomial((1, 2, i, -i)))

    threads = [threading.Thread(target=run, args=(10_000 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_process_ends_in_peace_while_a_thread_is_inside_an_entry() -> None:
    """The thread comes back to an interpreter that is ending, which ends the thread, or stops it, below our frame."""
    program = f"""
        import ctypes, threading, time
        import llvmlite.binding as llvm
        from phalanx.native.call import CALLER, CALLER_IR, bind

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(CALLER_IR + {ENTRIES_IR!r}), machine)
        engine.finalize_object()
        # the code must outlive the modules
        ctypes.pythonapi["Py_IncRef"](ctypes.py_object(engine))
        spin, flag = engine.get_function_address("spin"), ctypes.c_int64(0)
        call = bind(engine.get_function_address(CALLER), spin, 2, ctypes.addressof(flag))

        class Last:
            def __init__(self):
                self.sleep, self.flag = time.sleep, flag

            def __del__(self):
                print("setting", flush=True)
                self.flag.value = 1
                self.sleep(0.1)
                print("over", flush=True)

        last = Last()
        threading.Thread(target=call, args=({MANY_TURNS},), daemon=True).start()
        time.sleep(0.05)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    root = Path(__file__).parents[2]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "setting\nover\n", "")


# --- the code of the caller


def compiled(triple: str, optimized: bool) -> bytes:
    """The object file of the caller for a target, with or without the passes of LLVM before."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=3, reloc="pic", codemodel="default")
    module = llvm.parse_assembly(CALLER_IR)
    module.triple, module.data_layout = triple, str(machine.target_data)
    module.verify()
    if optimized:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
        builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def sections(code: bytes) -> dict[str, bytes]:
    """The sections of an object file that are not empty."""
    found = llvm.ObjectFileRef.from_data(code).sections()
    return {section.name().decode(): section.data() for section in found if section.size()}


def symbols(code: bytes) -> dict[str, int]:
    """Global symbols of an ELF object and the number of their section, 0 if undefined."""
    found = sections(code)
    names, result = found[".strtab"], {}
    for name, info, _, section, _, _ in itertools.islice(struct.iter_unpack("<IBBHQQ", found[".symtab"]), 1, None):
        if info >> 4 or section == 0:
            result[names[name : names.index(b"\0", name)].decode()] = section
    return result


@pytest.mark.parametrize("optimized", [False, True], ids=["plain", "optimized"])
@pytest.mark.parametrize("triple", TRIPLES)
def test_caller_refers_to_nothing_outside_itself(triple: str, optimized: bool) -> None:
    code = compiled(triple, optimized)
    assert list(symbols(code)) == [CALLER]
    assert symbols(code)[CALLER] > 0


@pytest.mark.parametrize("optimized", [False, True], ids=["plain", "optimized"])
@pytest.mark.parametrize("triple", TRIPLES)
def test_caller_is_one_section_without_relocations(triple: str, optimized: bool) -> None:
    assert set(sections(compiled(triple, optimized))) == {".text", ".symtab", ".strtab"}


def test_text_of_the_caller_names_no_target() -> None:
    assert "target " not in CALLER_IR
    assert "declare" not in CALLER_IR
