"""The cache of images: nothing that is damaged or foreign runs, nobody else can write it, and races do no harm."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phalanx.native import build, cache, folder, runtime
from phalanx.native.errors import CacheError, CacheWarning, DamagedFileError, NativeError
from phalanx.native.load import load_image
from phalanx.native.target import host_target
from tests.native.test_build import answer_entry
from tools.attacks.cache import attack, damaged

ROOT = Path(__file__).resolve().parent.parent.parent
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and the modes of POSIX")
NOBODY = 65534

#: Loads an entry that adds a number, and prints what it does with 1.
ANSWER_SCRIPT = """
import sys
from phalanx.native import runtime
from tests.native.test_build import answer_entry
print(runtime.load(answer_entry(int(sys.argv[1])))(1))
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A cache of our own, which does not exist yet, with nothing loaded."""
    place = tmp_path / "cache"
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(place))
    monkeypatch.setattr(runtime, "_images", {})
    monkeypatch.setattr(cache, "_rejected", set())
    monkeypatch.setattr(folder, "_swept", set())
    return place


@pytest.fixture
def said(capfd, monkeypatch):
    """What has been said on the standard error since it was asked last."""
    monkeypatch.delenv(build.QUIET_VARIABLE, raising=False)
    return lambda: capfd.readouterr().err


def images() -> Path:
    return cache.cache_folder(host_target())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def run_answer(number: int, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-c", ANSWER_SCRIPT, str(number)]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)


# --- damage


def refuses_damage(count: int, seed: int) -> None:
    chance, target = random.Random(seed), host_target()
    path, other = build.compile_and_keep(answer_entry(11)), build.compile_and_keep(answer_entry(12))
    whole, foreign = path.read_bytes(), other.read_bytes()
    for _ in range(count):
        changed = damaged(whole, foreign, chance)
        if changed == whole:
            continue
        path.write_bytes(changed)
        with pytest.raises(DamagedFileError, match=path.name), cache.opened(path, target):
            pass
    path.write_bytes(whole)
    with cache.opened(path, target) as (content, _):
        assert whole.startswith(content)


def test_what_is_not_what_was_written_is_refused(root):
    refuses_damage(300, 0)


@pytest.mark.conformance
def test_what_is_not_what_was_written_is_refused_always(root):
    refuses_damage(100_000, 1)


def test_the_image_of_another_unit_is_compiled_again(root, said):
    path, other = build.compile_and_keep(answer_entry(3)), build.compile_and_keep(answer_entry(4))
    shutil.copyfile(other, path)
    assert runtime.load(answer_entry(3))(1) == 4
    assert "another name" in said()
    assert cache.is_whole(path, host_target())


def test_the_image_of_other_sources_is_compiled_again(root):
    path = build.compile_and_keep(answer_entry(3))
    stale = cache.keep(answer_entry(3).name, "0" * 24, host_target(), b"of yesterday")
    stale.replace(path)
    assert runtime.load(answer_entry(3))(1) == 4


def replace_by(path: Path, kind: str) -> None:
    """Put something in place of a file that is no regular file of ours."""
    content = path.read_bytes()
    path.unlink()
    if kind == "link":
        copy = path.with_name("elsewhere")
        copy.write_bytes(content)
        path.symlink_to(copy)
    elif kind == "dangling":
        path.symlink_to(path.with_name("nowhere"))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        before = os.getcwd()
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as it:
            it.bind(path.name)
        os.chdir(before)
    elif kind == "folder":
        path.mkdir()
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(content)
        path.chmod(0o666)


@ON_LINUX
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "socket", "folder", "zero", "writable"])
def test_links_and_special_files_are_replaced(root, kind, said):
    path = build.compile_and_keep(answer_entry(5))
    replace_by(path, kind)
    assert runtime.load(answer_entry(5))(1) == 6
    assert "compiling it again" in said()
    assert stat.S_ISREG(path.lstat().st_mode) and mode_of(path) == 0o600


@ON_LINUX
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "socket", "folder", "zero", "writable"])
def test_a_lock_that_is_no_file_is_replaced_and_nothing_behind_it_changes(root, kind, tmp_path):
    build.compile_and_keep(answer_entry(5)).unlink()
    lock = images() / f"{answer_entry(5).name}.lock"
    precious = tmp_path / "precious"
    precious.write_text("not to be cut off")
    if kind == "link":
        lock.unlink()
        lock.symlink_to(precious)
    else:
        replace_by(lock, kind)
    assert runtime.load(answer_entry(5))(1) == 6
    assert stat.S_ISREG(lock.lstat().st_mode)
    assert precious.read_text() == "not to be cut off"


def test_a_lock_keeps_its_content(root):
    with cache.alone("some", target=host_target()):
        pass
    lock = images() / "some.lock"
    lock.write_text("kept")
    with cache.alone("some", target=host_target()):
        assert lock.read_text() == "kept"


def test_a_file_that_claims_to_be_huge_is_not_read(root):
    path = build.compile_and_keep(answer_entry(5))
    os.truncate(path, 1 << 40)
    start = time.perf_counter()
    assert runtime.load(answer_entry(5))(1) == 6
    assert time.perf_counter() - start < 30.0


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[1]", '{"a": NaN}', '{"a": 1e999, "b": -1, "c": []}', "\xff"])
def test_damaged_times_are_forgotten(root, text):
    build.compile_and_keep(answer_entry(5))
    (images() / "times.json").write_bytes(text.encode("latin-1"))
    assert cache.known_times(host_target()) == {}
    cache.note_times(host_target(), {"a": 1.0})
    assert cache.known_times(host_target()) == {"a": 1.0}


@ON_LINUX
def test_what_is_loaded_is_the_file_that_was_checked(root):
    """Another file under the same name, put there after the check, is not what runs."""
    path, other = build.compile_and_keep(answer_entry(21)), build.compile_and_keep(answer_entry(22))
    with cache.opened(path, host_target()) as (content, descriptor):
        shutil.copyfile(other, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
        from phalanx.native.load import load_checked

        loaded = load_checked(content, descriptor)
    assert loaded.way == "dlopen"
    assert runtime.NativeEntry(loaded.address(answer_entry(21).name), 1)(1) == 22


@ON_LINUX
def test_many_images_are_loaded_under_names_of_their_own(root):
    paths = [build.compile_and_keep(answer_entry(30 + k)) for k in range(12)]
    loaded = [load_image(path) for path in paths]
    assert {image.way for image in loaded} == {"dlopen"}
    assert len({image.base for image in loaded}) == len(paths)
    before = len(os.listdir("/proc/self/fd"))
    for path in paths:
        load_image(path)
    assert len(os.listdir("/proc/self/fd")) == before


# --- a private folder


@ON_LINUX
def test_folders_and_files_are_private(root):
    before = os.umask(0)
    try:
        path = build.compile_and_keep(answer_entry(5))
    finally:
        os.umask(before)
    assert [mode_of(place) for place in (root, root / "kernels", images())] == [0o700] * 3
    assert {mode_of(file) for file in images().iterdir()} == {0o600}
    assert path.is_file()


@ON_LINUX
def test_a_mask_that_forbids_everything_does_no_harm(root):
    before = os.umask(0o777)
    try:
        assert runtime.load(answer_entry(5))(1) == 6
    finally:
        os.umask(before)
    assert mode_of(images()) == 0o700


@ON_LINUX
def test_folders_that_others_could_look_into_are_closed(root):
    images().mkdir(parents=True)
    for place in (root, root / "kernels", images()):
        place.chmod(0o755)
    build.compile_and_keep(answer_entry(5))
    assert [mode_of(place) for place in (root, root / "kernels", images())] == [0o755, 0o700, 0o700]


@ON_LINUX
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777, 0o702])
def test_a_folder_that_others_can_write_is_not_used(root, level, mode, said):
    path = build.compile_and_keep(answer_entry(5))
    (root, root / "kernels", images())[level].chmod(mode)
    said()
    with pytest.raises(CacheError, match=r"can be written by others .*chmod go-w .*PHALANX_CACHE_DIR"):
        runtime.load(answer_entry(5))
    with pytest.raises(CacheError, match=r"can be written by others"):
        runtime.load(answer_entry(6))
    assert "compiling" not in said()
    assert path.exists()


@ON_LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_folder_of_somebody_else_is_not_used(root, level, said):
    build.compile_and_keep(answer_entry(5))
    os.chown((root, root / "kernels", images())[level], NOBODY, NOBODY)
    said()
    with pytest.raises(CacheError, match=r"belongs to user \w+, not to you.*PHALANX_CACHE_DIR"):
        runtime.load(answer_entry(5))
    assert said() == ""


@ON_LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_is_replaced(root, said):
    path = build.compile_and_keep(answer_entry(5))
    os.chown(path, NOBODY, NOBODY)
    assert runtime.load(answer_entry(5))(1) == 6
    assert "belongs to" in said()
    assert path.stat().st_uid == os.geteuid()


@ON_LINUX
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("is_dangling", [False, True])
def test_a_folder_that_is_a_link_is_not_used(root, level, is_dangling, tmp_path):
    build.compile_and_keep(answer_entry(5))
    place = (root, root / "kernels", images())[level]
    place.rename(tmp_path / "real")
    place.symlink_to(tmp_path / ("missing" if is_dangling else "real"))
    with pytest.raises(CacheError, match=r"is a symbolic link.*PHALANX_CACHE_DIR"):
        runtime.load(answer_entry(5))
    assert not (tmp_path / "missing").exists()


# --- where nothing can be written


def test_a_folder_that_cannot_be_made_is_said_before_compiling(tmp_path, monkeypatch, said):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "file" / "inside"))
    monkeypatch.setattr(runtime, "_images", {})
    with pytest.raises(CacheError, match=r"cannot be written \(Not a directory\): set PHALANX_CACHE_DIR"):
        build.compile_and_keep(answer_entry(6))
    assert said() == ""
    with pytest.warns(CacheWarning, match=r"cannot be written \(Not a directory\): set PHALANX_CACHE_DIR"):
        assert runtime.load(answer_entry(6))(1) == 7
    assert "compiling test_answer_6" in said()


#: Takes root's right to write everywhere away.
WITHOUT_RIGHTS = """
import ctypes
version = (ctypes.c_uint32 * 2)(0x20080522, 0)
assert ctypes.CDLL(None).capset(version, (ctypes.c_uint32 * 6)()) == 0
"""


@ON_LINUX
def test_a_read_only_folder_serves_what_it_has_and_says_what_is_missing(root):
    build.compile_and_keep(runtime.CALLER)
    damaged_file = build.compile_and_keep(answer_entry(6))
    damaged_file.write_bytes(b"")
    build.compile_and_keep(answer_entry(7))
    for place in (images(), images().parent, root):
        place.chmod(0o500)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", WITHOUT_RIGHTS + ANSWER_SCRIPT]
    results = [
        subprocess.run([*command, number], env=environment, cwd=ROOT, capture_output=True, text=True)
        for number in ("7", "8", "6")
    ]
    root.chmod(0o700)
    assert results[0].stdout.strip() == "8" and results[0].stderr == ""
    # what is missing is compiled for the process alone, after a word about it
    for result, number, answer in zip(results[1:], ("8", "6"), ("9", "7"), strict=True):
        assert result.stdout.strip() == answer, result.stderr
        before, _, after = result.stderr.partition(f"compiling test_answer_{number}")
        assert "cannot be written (Permission denied): set PHALANX_CACHE_DIR" in before, result.stderr
        assert "for this process only" in after
    assert sorted(path.suffix for path in images().iterdir()) == [".json", ".lock", ".lock", ".lock", *[".so"] * 3]


@ON_LINUX
def test_a_full_disk_gives_our_error_and_leaves_nothing_behind(root):
    def no_large_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", ANSWER_SCRIPT, "9"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, preexec_fn=no_large_files)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and "CacheError" in last and "cannot be written (File too large)" in last
    assert [path.name for path in images().iterdir() if path.suffix in (".tmp", ".so")] == []
    assert run_answer(9).stdout.strip() == "10"


def test_too_little_room_is_said_before_compiling(root, monkeypatch):
    monkeypatch.setattr(folder, "ROOM", 1 << 80)
    with pytest.raises(CacheError, match=r"No space left on device.*free some space, or set PHALANX_CACHE_DIR"):
        build.compile_and_keep(answer_entry(9))


def test_an_error_while_writing_leaves_no_temporary_file(root, monkeypatch):
    def fail(file, data):
        file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "_write_all", fail)
    with pytest.raises(CacheError, match=r"cannot be written \(No space left on device\)"):
        build.compile_and_keep(answer_entry(9))
    assert [path.suffix for path in images().iterdir()] == [".lock"]


@ON_LINUX
def test_without_a_home_the_user_is_told(monkeypatch, said):
    import pwd

    def unknown(number):
        raise KeyError(number)

    for name in ("HOME", "XDG_CACHE_HOME", cache.CACHE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    assert str(cache.root_folder()).endswith(".cache/phalanx")  # as the system knows the user
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert cache.root_folder().is_absolute()  # not wherever a program is started
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setattr(runtime, "_images", {})
    with pytest.raises(CacheError, match=r"no home folder .*set PHALANX_CACHE_DIR"):
        runtime.load(answer_entry(6))
    assert said() == ""


ODD_NAMES = ["with spaces", "mit Löchern", "'quotes' \"and\" $more", "line\nbreak"]


@pytest.mark.parametrize(
    "name", ["名前 und Löcher", *(pytest.param(name, marks=pytest.mark.conformance) for name in ODD_NAMES)]
)
def test_the_folder_may_have_any_name(tmp_path, name):
    place = tmp_path / name
    for _ in range(2):
        done = run_answer(10, PHALANX_CACHE_DIR=str(place))
        assert done.stdout.strip() == "11", done.stderr
    assert "compiling" not in done.stderr


@ON_LINUX
def test_the_folder_may_have_a_name_that_is_no_text(tmp_path):
    done = run_answer(10, PHALANX_CACHE_DIR=os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    assert done.stdout.strip() == "11", done.stderr


# --- several processes


def test_processes_that_compile_the_same_unit_all_get_it(root):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), cache.CACHE_VARIABLE: str(root)}
    command = [sys.executable, "-c", ANSWER_SCRIPT, "13"]
    options = {"env": environment, "cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **options) for _ in range(3)]
    answers = [process.communicate() for process in processes]
    assert [answer.strip() for answer, _ in answers] == ["14"] * 3, answers
    assert not list(images().glob("*.tmp"))


WRITER_SCRIPT = """
import sys, time
from pathlib import Path
from phalanx.native import cache
from phalanx.native.target import host_target
path, data, end = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), time.time() + float(sys.argv[3])
count = 0
while time.time() < end:
    with cache.open_folder(path.parent) as folder:
        folder.write(path.name, data)
        count += 1
        if count % 7 == 0:
            folder.remove(path.name)
print(count)
"""


def race(root: Path, seconds: float) -> None:
    """A reader sees the whole file, or none, while two writers replace and delete it."""
    target = host_target()
    path = build.compile_and_keep(answer_entry(14))
    source = root / "source"
    source.write_bytes(path.read_bytes())
    with cache.opened(path, target) as (expected, _):
        pass
    environment = {**os.environ, "PYTHONPATH": str(ROOT), cache.CACHE_VARIABLE: str(root)}
    command = [sys.executable, "-c", WRITER_SCRIPT, str(path), str(source), str(seconds)]
    writers = [subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        try:
            with cache.opened(path, target) as (content, _):
                assert content == expected
                seen += 1
        except FileNotFoundError:
            pass
    assert [writer.wait() for writer in writers] == [0, 0] and seen
    assert all(int(writer.communicate()[0]) > 0 for writer in writers)
    assert not list(images().glob("*.tmp"))


def test_readers_see_whole_files_while_others_write(root):
    race(root, 0.3)


@pytest.mark.conformance
def test_readers_see_whole_files_while_others_write_for_long(root):
    race(root, 30.0)


KILLED_SCRIPT = """
import sys, time
from phalanx.native import cache, folder
from phalanx.native.target import host_target

def stop(file, data):
    file.write(data[:10])
    print("writing", flush=True)
    time.sleep(600)

folder._write_all = stop
cache.keep("some", "0" * 24, host_target(), bytes(1000))
"""


@ON_LINUX
def test_what_a_killed_process_left_behind_is_deleted_and_no_more(root, monkeypatch):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), cache.CACHE_VARIABLE: str(root)}
    command = [sys.executable, "-c", KILLED_SCRIPT]
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"writing\n"
    (left,) = images().glob("*.tmp")
    cache.sweep(host_target())
    assert left.exists()  # it is being written
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    cache.keep("other", "0" * 24, host_target(), b"")
    assert not list(images().glob("*.tmp"))


def test_a_process_that_hangs_is_not_waited_for_without_end(root, monkeypatch):
    monkeypatch.setattr(folder, "PATIENCE", 0.1)
    with cache.alone("some", host_target()):
        start = time.perf_counter()
        with cache.alone("some", host_target()):
            assert time.perf_counter() - start < 5.0


def test_an_image_that_stays_damaged_is_an_error(root, monkeypatch):
    """A disk that changes what is written to it."""
    write = folder.Folder.write
    monkeypatch.setattr(folder.Folder, "write", lambda self, name, data: write(self, name, data[:-1]))
    with pytest.raises(NativeError, match="check the disk"):
        runtime.load(answer_entry(15))


# --- ready-made images


@pytest.fixture
def shipped(root, tmp_path, monkeypatch):
    """A package with a ready-made image, of an entry that the cache does not have."""
    place, entry, target = tmp_path / "prebuilt", answer_entry(16), host_target()
    monkeypatch.setattr(cache, "SHIPPED", place)
    cache._manifest.cache_clear()
    image = build.image_of(entry, target)
    path = place / target.name / f"{entry.name}-{build.shipped_key(entry, target)}.so"
    path.parent.mkdir(parents=True)
    path.write_bytes(image)
    row = {"file": path.name, "size": len(image), "sha256": hashlib.sha256(image).hexdigest()}
    (path.parent / cache.MANIFEST).write_text(json.dumps({"units": {entry.name: row}}))
    yield path
    cache._manifest.cache_clear()


def test_a_ready_made_image_needs_no_cache(shipped, monkeypatch):
    build.compile_and_keep(runtime.CALLER)
    runtime.prepare([])
    monkeypatch.setenv(cache.CACHE_VARIABLE, "/dev/null/nowhere")
    assert runtime.load(answer_entry(16))(1) == 17


def damage_package(path: Path, how: str) -> None:
    manifest, image = path.parent / cache.MANIFEST, path.read_bytes()
    if how == "changed":
        path.write_bytes(image[:-9] + b"\1" + image[-8:])
    elif how == "cut":
        path.write_bytes(image[:1000])
    elif how == "foreign":
        path.write_bytes(build.image_of(answer_entry(17), host_target()))
    elif how == "no manifest":
        manifest.unlink()
    else:
        manifest.write_text({"no json": "[" * 100_000, "other": '{"units": [1]}', "row": '{"units": {"a": 1}}'}[how])


@pytest.mark.parametrize("how", ["changed", "cut", "foreign", "no manifest", "no json", "other", "row"])
def test_a_damaged_ready_made_image_is_compiled_instead(shipped, how, said):
    damage_package(shipped, how)
    before = shipped.read_bytes()
    assert runtime.load(answer_entry(16))(1) == 17
    assert "install phalanx again; compiling it again" in said()
    assert shipped.read_bytes() == before
    assert build.find_whole(answer_entry(16)).parent == images()


def test_other_processes_pass_over_a_damaged_ready_made_image(shipped):
    """The process that compiles does not know what this one has found."""
    damage_package(shipped, "changed")
    assert build.compile_and_keep(answer_entry(16)).parent == images()


# --- attacks


def test_a_short_attack_finds_nothing():
    assert attack(seed=0, seconds=2.0) == []


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [1, 2])
def test_an_attack_finds_nothing(seed):
    assert attack(seed, seconds=150.0) == []
