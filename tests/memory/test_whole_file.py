"""Files are written whole: what cannot be written to its end leaves what was there before, and nothing beside it."""

from __future__ import annotations

import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import phalanx

XML = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><body><joint name="j"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(XML)


def trajectory() -> Any:
    data = model().make_data()
    recorder = phalanx.Trajectory.recorder(data)
    for _ in range(50):
        data.step()
        recorder.capture()
    return recorder.trajectory


WRITERS: dict[str, Callable[[Path], Any]] = {
    "model.npz": lambda path: model().save(path),
    "model.mjb": lambda path: model().save(path),
    "model.urdf": lambda path: model().to_urdf(path),
    "model.xml": lambda path: phalanx.Spec.from_string(XML).save(path),
    "model.zip": lambda path: phalanx.Spec.from_string(XML).to_zip(path),
    "motion.npz": lambda path: trajectory().save(path),
    "motion.csv": lambda path: trajectory().save(path),
    "data.npz": lambda path: model().make_data().save(path),
}


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can be longer than so many bytes."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_file_that_was_there(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"what was there")
    with full_disk(100), pytest.raises(phalanx.ModelError, match="cannot be written: File too large"):
        WRITERS[name](path)
    assert path.read_bytes() == b"what was there"
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == [name]
    WRITERS[name](path)
    assert path.read_bytes() != b"what was there"


def test_a_full_disk_leaves_no_new_file(tmp_path: Path) -> None:
    with full_disk(100), pytest.raises(phalanx.ModelError, match="cannot be written"):
        model().save(tmp_path / "new.npz")
    assert list(tmp_path.iterdir()) == []


def test_links_stay_and_rights_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target.npz", tmp_path / "link.npz"
    link.symlink_to(target)
    model().save(link)  # to what is not there yet
    target.chmod(0o640)
    model().save(link)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert phalanx.Model.load(target).fingerprint() == model().fingerprint()
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(phalanx.ModelError, match="cannot be written"):
        model().save(link)


def test_pipes_and_devices_are_written_as_they_are(tmp_path: Path) -> None:
    pipe, full = tmp_path / "pipe.mjb", tmp_path / "full.npz"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    model().save(pipe)
    reader.join()
    model().save(tmp_path / "file.mjb")
    assert found == [(tmp_path / "file.mjb").read_bytes()]
    assert pipe.is_fifo()
    full.symlink_to("/dev/full")
    with pytest.raises(phalanx.ModelError, match="No space left on device"):
        model().save(full)
    assert full.is_char_device()


def test_new_files_have_the_rights_that_the_user_gives(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    before = os.umask(0o027)
    try:
        model().save(path)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_to_the_pipe_of_a_process_is_written(tmp_path: Path) -> None:
    """Such a link leads to a name that no file has."""
    read, write = os.pipe()
    link, copy = tmp_path / "link.npz", tmp_path / "copy.npz"
    link.symlink_to(f"/dev/fd/{write}")
    reader = threading.Thread(target=lambda: copy.write_bytes(Path(f"/dev/fd/{read}").read_bytes()))
    reader.start()
    try:
        model().save(link)
    finally:
        os.close(write)
        reader.join()
        os.close(read)
    assert phalanx.Model.load(copy).fingerprint() == model().fingerprint()


def test_a_working_folder_that_was_deleted_is_an_error_of_ours(tmp_path: Path) -> None:
    spec = phalanx.Spec.from_string(XML.replace("<asset>", '<asset><texture file="a.png" name="t" type="2d"/>'))
    calls: list[Callable[[], Any]] = [
        lambda: model().save("a.npz"),
        lambda: spec.save("a.xml"),
        lambda: phalanx.Model.from_xml_string("<mujoco><include file='a.xml'/></mujoco>"),
        lambda: phalanx.Spec.from_urdf("a.urdf"),
    ]
    before, gone = os.getcwd(), tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        for call in calls:
            with pytest.raises(phalanx.ModelError):
                call()
    finally:
        os.chdir(before)
