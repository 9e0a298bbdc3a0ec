"""The linker: objects become one image that needs nothing, exports what it should, and that other tools can read."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess

import pytest

from phalanx.native import elf
from phalanx.native.errors import LinkError, NativeError
from phalanx.native.image import IDENTITY_SIZE, check_whole, exported, functions, layout, undefined
from phalanx.native.link import link
from phalanx.native.target import TARGETS
from tests.native.objects import EVEN, EXPORTED, LOCAL, ODD, PROGRAM, compiled

SMALL = "define double @twice(double %x) { %y = fmul double %x, 0x4000CCCCCCCCCCCD\n ret double %y }"

MAIN = """
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
int main(int count, char **words) {
  void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) { puts(dlerror()); return 1; }
  double (*pick)(int64_t, double) = dlsym(library, "pick");
  double (*look)(int64_t) = dlsym(library, "look");
  int64_t (*tick)(void) = dlsym(library, "count");
  void *(*place)(int64_t) = dlsym(library, "place"), *(*place_of_pick)(void) = dlsym(library, "place_of_pick");
  double numbers[8] = {0}, (*chain)(double) = dlsym(library, "chain");
  ((void (*)(double *))dlsym(library, "add_vector"))(numbers);
  tick();
  printf("%g %g %g ", pick(0, 0.25), pick(11, 0.25), pick(12, 0.25));
  printf("%g %g ", look(0), look(3));
  printf("%d %d ", (int)tick(), place(1) == (void *)pick && place_of_pick() == (void *)pick);
  printf("%g %g %g", numbers[0], numbers[7], chain(1.0));
  return 0;
}
"""
MAIN_PRINTS = "0.75 121.75 -1 108 148 13 1 1 8 20.625"


@pytest.fixture(scope="module", params=TARGETS)
def image(request):
    return link([compiled(PROGRAM, request.param)])


@pytest.fixture(scope="module")
def program():
    return link([compiled(PROGRAM, "linux-x86-64-v3")])


def run(tool, *arguments):
    """What a tool of binutils prints; it must have nothing to complain about."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


# --- what is in the image


def test_global_functions_are_exported_and_nothing_is_needed(image):
    assert set(exported(image)) == EXPORTED
    assert undefined(image) == []


def test_names_of_all_functions_are_kept(image):
    rows = functions(image)
    assert {name for name, _, _ in rows} == EXPORTED | LOCAL
    assert all(size > 0 for _, _, size in rows)
    ends = [offset + size for _, offset, size in rows]
    assert all(end <= offset for end, (_, offset, _) in zip(ends, rows[1:], strict=False))
    assert {name: offset for name, offset, _ in rows if name in EXPORTED} == exported(image)


def test_no_segment_is_writable_and_executable(image):
    flags = [segment.flags for segment in layout(image).segments]
    # headers and constants; code; addresses, read-only in the end; variables
    assert flags == [elf.PF_R, elf.PF_R | elf.PF_X, elf.PF_R, elf.PF_R | elf.PF_W]
    stack = [segment.flags for segment in elf.read_elf(image).segments if segment.type == elf.PT_GNU_STACK]
    assert stack == [elf.PF_R | elf.PF_W]


def test_code_without_variables_and_addresses_needs_no_relocation():
    plan = layout(link([compiled(SMALL, "linux-x86-64-v3")]))
    assert plan.relocations == ()
    assert [segment.flags for segment in plan.segments] == [elf.PF_R, elf.PF_R | elf.PF_X, elf.PF_R]


def test_a_large_switch_becomes_a_table_of_relative_jumps():
    file = elf.read_object(compiled(PROGRAM, "linux-x86-64-v3"))
    rows = [row for section in file.sections if section.name == ".rela.rodata" for row in file.relocations(section)]
    assert len(rows) >= 8


def test_the_same_objects_give_the_same_bytes():
    objects = [compiled(EVEN, "linux-x86-64-v3"), compiled(ODD, "linux-x86-64-v3")]
    assert link(objects) == link(objects)
    assert link(objects) != link(objects[::-1])


def test_the_identity_covers_every_byte(program):
    plan = layout(program)
    check_whole(program, plan)
    others = [at for at in range(len(program)) if not 0 <= at - plan.identity_at < IDENTITY_SIZE]
    for at in random.Random(1).sample(others, 200):
        changed = bytearray(program)
        changed[at] ^= 1
        with pytest.raises(NativeError, match="damaged"):
            check_whole(bytes(changed), plan)


def test_constants_keep_their_alignment(program):
    file = elf.read_elf(program)
    sections = {section.name: section for section in file.sections}
    assert sections[".rodata"].alignment >= 32
    assert sections[".bss"].alignment == 4096
    assert all(section.address % section.alignment == 0 for section in file.sections if section.flags & elf.SHF_ALLOC)


def test_a_constant_of_an_aarch64_function_is_where_its_instructions_say():
    image = link([compiled(SMALL, "linux-aarch64")])
    start = exported(image)["twice"]
    code = next(segment for segment in layout(image).segments if segment.flags & elf.PF_X)
    words = struct.unpack_from("<3I", image, start - code.address + code.offset)
    page_word = next(number for number, word in enumerate(words) if word & 0x9F000000 == 0x90000000)
    load_word = next(word for word in words if word & 0xFFC00000 == 0xFD400000)
    pages = (words[page_word] >> 5 & 0x7FFFF) << 2 | words[page_word] >> 29 & 3
    page = ((start + 4 * page_word) & ~0xFFF) + ((pages ^ 1 << 20) - (1 << 20) << 12)
    address = page + (load_word >> 10 & 0xFFF) * 8
    assert struct.unpack_from("<d", image, address) == (2.1,)


# --- what is refused


def test_undefined_symbols_are_refused_by_name():
    text = """
    declare void @first()
    declare double @second(double)
    define double @caller(double %x) { call void @first()
      %y = call double @second(double %x)
      ret double %y }
    """
    with pytest.raises(LinkError, match="first, second"):
        link([compiled(text, "linux-x86-64-v3")])


def test_a_library_function_that_llvm_calls_by_itself_is_refused():
    text = """
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
    define void @clear(ptr %p, i64 %n) { call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
      ret void }
    """
    with pytest.raises(LinkError, match="memset"):
        link([compiled(text, "linux-x86-64-v3")])


def test_a_function_defined_twice_is_refused_by_name():
    with pytest.raises(LinkError, match="more than once: twice"):
        link([compiled(SMALL, "linux-x86-64-v3")] * 2)


def test_a_strong_definition_wins_over_a_weak_one():
    weak = compiled("define weak double @twice(double %x) { ret double %x }", "linux-x86-64-v3")
    strong = compiled(SMALL, "linux-x86-64-v3")
    [(_, _, expected)] = functions(link([strong]))
    for objects in ([weak, strong], [strong, weak]):
        image = link(objects)
        sizes = {offset: size for _, offset, size in functions(image)}
        assert len(sizes) == 2
        assert sizes[exported(image)["twice"]] == expected


def test_objects_of_two_machines_are_refused():
    with pytest.raises(LinkError, match="aarch64, x86-64"):
        link([compiled(SMALL, "linux-x86-64-v3"), compiled(SMALL, "linux-aarch64")])


def test_nothing_is_refused():
    with pytest.raises(LinkError, match="not of none"):
        link([])
    with pytest.raises(LinkError, match="no function"):
        link([compiled("@x = constant i64 1", "linux-x86-64-v3")])


def test_an_image_is_no_object(program):
    with pytest.raises(LinkError, match="not a relocatable object"):
        link([program])
    with pytest.raises(LinkError, match="not an image"):
        exported(compiled(SMALL, "linux-x86-64-v3"))


def test_an_unknown_relocation_is_named():
    text = "@x = thread_local global i64 1\ndefine ptr @where() { ret ptr @x }"
    with pytest.raises(LinkError, match=r"section \.tdata|symbol x"):
        link([compiled(text, "linux-x86-64-v3")])
    # code that is not position-independent holds absolute addresses
    text = "@x = internal global [9 x i64] zeroinitializer\ndefine ptr @where() { ret ptr @x }"
    with pytest.raises(LinkError, match=r"section \.text\+0x\w+, symbol .*: relocation type 1\d"):
        link([compiled(text, "linux-x86-64-v3", reloc="static")])


def test_a_constructor_is_refused():
    text = """
    @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @start, ptr null }]
    define internal void @start() { ret void }
    """
    with pytest.raises(LinkError, match=r"section \.(ctors|init_array)\S* is of a kind"):
        link([compiled(text, "linux-x86-64-v3")])


def test_an_alignment_no_loader_can_promise_is_refused():
    text = SMALL + "\n@x = constant [9 x i64] zeroinitializer, align 8192"
    with pytest.raises(LinkError, match="alignment 8192"):
        link([compiled(text, "linux-x86-64-v3")])


# --- damage


def damaged(whole, seed, count):
    """Copies of a file with a few changed bytes, mostly among the headers, and copies that are cut off."""
    chance = random.Random(seed)
    for _ in range(count):
        copy = bytearray(whole)
        if chance.random() < 0.3:
            yield bytes(copy[: chance.randrange(len(copy))])
            continue
        for _ in range(chance.randint(1, 4)):
            at = chance.choice([chance.randrange(64), chance.randrange(len(copy)), -chance.randrange(1, 1100)])
            copy[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        yield bytes(copy)


@pytest.mark.parametrize("target", ["linux-x86-64-v3", "linux-aarch64"])
def test_a_damaged_object_is_linked_or_refused_with_a_link_error(target):
    refused = 0
    for data in damaged(compiled(PROGRAM, target), 2, 400):
        try:
            layout(link([data]))
        except LinkError:
            refused += 1
    assert refused > 200


def test_a_damaged_image_is_read_or_refused_with_a_native_error(image):
    refused = 0
    for data in damaged(image, 3, 200):
        for reader in (exported, undefined, functions, layout):
            try:
                reader(data)
            except NativeError:
                refused += 1
    assert refused > 200


# --- other tools


def test_nm_sees_exported_and_local_functions(program, tmp_path):
    path = tmp_path / "image.so"
    path.write_bytes(program)
    letters = {line.split()[2]: line.split()[1] for line in run("nm", path).splitlines()}
    assert letters == {**dict.fromkeys(EXPORTED, "T"), **dict.fromkeys(LOCAL, "t")}
    dynamic = {line.split()[2]: int(line.split()[0], 16) for line in run("nm", "-D", path).splitlines()}
    assert dynamic == exported(program)


def test_binutils_read_every_image_without_a_warning(image, tmp_path):
    path = tmp_path / "image.so"
    path.write_bytes(image)
    text = run("readelf", "--wide", "--all", path)
    assert "DYN (Shared object file)" in text
    assert "R   0x" in text and "R E 0x" in text and "RWE" not in text
    assert run("readelf", "--wide", "--debug-dump=frames", path).count("FDE") == len(EXPORTED | LOCAL)
    if elf.read_elf(image).machine == elf.EM_X86_64:
        assert "<kernel.1>:" in run("objdump", "-d", path)


def test_a_c_program_loads_aarch64_images(tmp_path):
    compiler, emulator = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
    if not compiler or not emulator:
        pytest.skip("a compiler and an emulator for AArch64 are not installed")
    (tmp_path / "main.c").write_text(MAIN)
    subprocess.run([compiler, tmp_path / "main.c", "-o", tmp_path / "main", "-ldl"], check=True)
    for target in ("linux-aarch64", "macos-aarch64"):
        path = tmp_path / f"{target}.so"
        path.write_bytes(link([compiled(PROGRAM, target)]))
        command = [emulator, "-L", "/usr/aarch64-linux-gnu", tmp_path / "main", path]
        assert subprocess.run(command, capture_output=True, text=True).stdout == MAIN_PRINTS
