"""The loader: an image runs, whether the system maps it or we do, and a damaged one never does."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from phalanx.native import load
from phalanx.native.errors import NativeError
from phalanx.native.image import exported, functions, layout
from phalanx.native.link import link
from phalanx.native.load import LoadedImage, PosixMemory, WindowsMemory, load_image, map_by_hand
from phalanx.native.target import TARGETS, host_target
from tests.native.objects import EVEN, EXPORTED, LOCAL, ODD, PROGRAM, check_program, compiled, function

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="dlopen takes ELF files on Linux only")

SCRIPT = """
import os
import sys
from pathlib import Path
from phalanx.native.load import load_image
from tests.native.objects import check_program

image = load_image(Path(sys.argv[1]))
assert image.way == "memory"
check_program(image)
for line in Path("/proc/self/maps").read_text().splitlines():
    start, end = (int(word, 16) for word in line.split()[0].split("-"))
    if image.base <= start < image.base + 0x40000:
        assert "wx" not in line.split()[1], line
names = Path(f"/tmp/perf-{os.getpid()}.map")
print(f"{image.base:x}", names.read_text(), sep="\\n")
names.unlink()
"""


@pytest.fixture(scope="module")
def program():
    return link([compiled(PROGRAM)])


@pytest.fixture
def path(program, tmp_path):
    file = tmp_path / "program.so"
    file.write_bytes(program)
    return file


@ON_LINUX
def test_the_system_loads_an_image_and_it_runs(path):
    image = load_image(path)
    assert image.way == "dlopen"
    check_program(image)


def test_an_image_mapped_by_hand_runs(path, monkeypatch):
    monkeypatch.setenv("PHALANX_LOADER", "memory")
    image = load_image(path)
    assert image.way == "memory"
    check_program(image)


@ON_LINUX
def test_a_process_can_map_all_images_by_hand_and_tell_perf(path, program):
    environment = {**os.environ, "PHALANX_LOADER": "memory", "PHALANX_PERF_MAP": "1"}
    command = [sys.executable, "-c", SCRIPT, str(path)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    base, *lines = done.stdout.split("\n")
    rows = [line.split() for line in lines if line]
    assert {name for _, _, name in rows} == {f"phalanx:{name}" for name in EXPORTED | LOCAL}
    found = [(name, int(start, 16) - int(base, 16), int(size, 16)) for start, size, name in rows]
    assert found == [(f"phalanx:{name}", offset, size) for name, offset, size in functions(program)]


@ON_LINUX
def test_an_image_that_the_system_refuses_is_mapped_by_hand(path, monkeypatch):
    real = ctypes.CDLL

    def refusing(name, *arguments, **options):
        if name is not None and str(name).startswith("/proc/self/fd/"):
            raise OSError("failed to map segment from shared object")
        return real(name, *arguments, **options)

    monkeypatch.setattr(load.ctypes, "CDLL", refusing)
    image = load_image(path)
    assert image.way == "memory"
    check_program(image)


@ON_LINUX
def test_new_content_under_a_name_that_is_loaded_already_is_the_one_that_runs(path):
    assert load_image(path).way == "dlopen"
    new = path.with_suffix(".new")
    new.write_bytes(link([compiled("define i64 @answer() { ret i64 42 }")]))
    new.replace(path)
    assert function(load_image(path), "answer", ctypes.c_int64)() == 42


def test_objects_that_call_each_other_run(tmp_path):
    file = tmp_path / "both.so"
    file.write_bytes(link([compiled(EVEN), compiled(ODD)]))
    image = load_image(file)
    even, odd = (function(image, name, ctypes.c_int64, ctypes.c_int64) for name in ("even", "odd"))
    assert [even(n) for n in range(6)] == [1, 0, 1, 0, 1, 0]
    assert [odd(n) for n in range(6)] == [0, 1, 0, 1, 0, 1]
    assert function(image, "where_is_odd", ctypes.c_int64)() == image.address("odd")


@pytest.mark.skipif(host_target().triple != TARGETS["linux-x86-64-v3"].triple, reason="calls as Linux on x86-64 does")
@pytest.mark.parametrize("by", ["posix", "windows"])
def test_code_for_windows_runs_under_its_own_calling_convention(by):
    image = link([compiled(PROGRAM, "windows-x86-64-v3")])
    pages = PosixMemory(ctypes.CDLL(None, use_errno=True))
    memory = pages if by == "posix" else WindowsMemory(pretended_kernel32(pages))
    base = map_by_hand(image, layout(image), memory)
    windows = LoadedImage(base, exported(image), "memory")

    text = """
    define double @call(ptr %f, i64 %k, double %x) {
      %r = call win64cc double %f(i64 %k, double %x)
      ret double %r
    }
    """
    bridge = link([compiled(text)])
    linux = LoadedImage(map_by_hand(bridge, layout(bridge), pages), exported(bridge), "memory")
    call = function(linux, "call", ctypes.c_double, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double)
    assert [call(windows.address("pick"), case, 0.25) for case in (0, 5, 11, 12)] == [0.75, 25.75, 121.75, -1.0]
    assert call(windows.address("look"), 3, 0.0) == 8.0 + ord("d") + 40.0


def pretended_kernel32(pages):
    """The functions of Windows, on pages of POSIX. None of them is asked for writable and executable memory."""

    def allocate(address, size, kind, protection):
        assert (address, kind, protection) == (None, 0x3000, 0x04)
        return pages.reserve(size)

    def protect(address, size, protection, before):
        pages.protect(address, size, {0x02: 4, 0x04: 6, 0x20: 5}[protection])
        return True

    def flush(process, address, size):
        assert process == -1
        return True

    return SimpleNamespace(
        VirtualAlloc=allocate,
        VirtualProtect=protect,
        VirtualFree=lambda address, size, kind: True,
        GetCurrentProcess=lambda: -1,
        FlushInstructionCache=flush,
    )


# --- what is refused


@pytest.mark.parametrize("way", ["dlopen", "memory"])
def test_a_damaged_image_is_refused(program, tmp_path, monkeypatch, way):
    monkeypatch.setenv("PHALANX_LOADER", way)
    chance, file = random.Random(4), tmp_path / "damaged.so"
    for turn in range(150):
        copy = bytearray(program)
        if turn % 3 == 0:
            del copy[chance.randrange(len(copy)) :]
        else:
            at = chance.choice([chance.randrange(576), chance.randrange(len(copy))])
            copy[at] ^= 1 << chance.randrange(8)
        file.write_bytes(copy)
        with pytest.raises(NativeError, match=r"damaged\.so: "):
            load_image(file)


def test_code_for_another_machine_is_refused(tmp_path):
    other = "linux-x86-64-v3" if load.platform.machine() in ("aarch64", "arm64") else "linux-aarch64"
    file = tmp_path / "other.so"
    file.write_bytes(link([compiled(PROGRAM, other)]))
    with pytest.raises(NativeError, match="cannot run on"):
        load_image(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(NativeError, match="No such file"):
        load_image(tmp_path / "missing.so")


def test_a_missing_function_is_refused_by_name(path):
    with pytest.raises(NativeError, match=r"no function kernel\.1 .* chain, count"):
        load_image(path).address("kernel.1")


def test_an_unknown_loader_is_refused(path, monkeypatch):
    monkeypatch.setenv("PHALANX_LOADER", "magic")
    with pytest.raises(NativeError, match="dlopen or memory"):
        load_image(path)


def test_memory_that_cannot_be_protected_is_given_back(program):
    class Stubborn(PosixMemory):
        def protect(self, address, size, flags):
            raise PermissionError("not here")

        def release(self, address, size):
            released.append(size)
            super().release(address, size)

    released = []
    with pytest.raises(NativeError, match=r"not here.*PHALANX_INTERPRETED=1"):
        map_by_hand(program, layout(program), Stubborn(ctypes.CDLL(None, use_errno=True)))
    assert released == [(layout(program).size + 0xFFF) & ~0xFFF]


@ON_LINUX
def test_a_hardened_process_gets_pages_for_compilers(program):
    switches = []

    class Hardened(PosixMemory):
        """A macOS process that may not make memory executable; only its functions that Linux lacks are pretended."""

        def __init__(self):
            super().__init__(ctypes.CDLL(None, use_errno=True))
            self.libc.pthread_jit_write_protect_np = ctypes.CFUNCTYPE(None, ctypes.c_int)(switches.append)
            self.has_jit_pages = True

        def protect(self, address, size, flags):
            raise PermissionError("not here")

    constant = link([compiled("define i64 @answer() { ret i64 42 }")])
    base = map_by_hand(constant, layout(constant), Hardened())
    assert switches == [0, 1]
    assert function(LoadedImage(base, exported(constant), "memory"), "answer", ctypes.c_int64)() == 42
    with pytest.raises(NativeError, match="variables"):
        map_by_hand(program, layout(program), Hardened())


@ON_LINUX
def test_debuggers_are_told_the_path_of_an_image(path):
    """`dladdr` reads what they read."""
    image = load_image(path)
    found = (ctypes.c_void_p * 4)()
    assert ctypes.CDLL(None).dladdr(ctypes.c_void_p(image.address("pick")), found)
    assert ctypes.string_at(found[0]) == os.fsencode(path)
