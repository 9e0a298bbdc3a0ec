"""A folder that only this user can change, and the files in it.

What is kept there runs as code later, so it must come from nobody else. The folder is opened, and owner and mode are
those of the open folder; files are opened through it, never by path, and no symbolic link is followed. So nothing can
be exchanged between a check and the use of what was checked. Files appear whole or not at all.

Windows has neither modes nor folders that are open: there the rights of the user's profile protect the cache.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from phalanx.native.errors import CacheError, DamagedFileError, UnwritableCacheError
from phalanx.native.notice import say

#: What a file is called until it is whole.
TEMPORARY = ".tmp"
#: Seconds after which another process that holds a lock is no longer waited for.
PATIENCE = 300.0
#: Seconds after which a temporary file counts as left behind, where there are no locks.
OLD = 3600.0
#: Bytes that must be free for a folder to count as writable.
ROOM = 1 << 20

_HAS_MODES = os.name == "posix"
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
#: Opening must not wait either: a pipe would let it wait without end.
_READ = os.O_RDONLY | _NO_LINKS | getattr(os, "O_NONBLOCK", 0)
_LOCK = os.O_RDWR | os.O_CREAT | _NO_LINKS | getattr(os, "O_NONBLOCK", 0)
_UNFINISHED = os.O_RDWR | _NO_LINKS | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS
_FOLDER = os.O_RDONLY | _NO_LINKS | getattr(os, "O_DIRECTORY", 0)
#: What opening a file says of links, sockets, folders and files that we may not read.
_NO_FILE_OF_OURS = (errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ENODEV)

#: Cache: folders in which files of dead processes were deleted, once in a process.
_swept: set[Path] = set()


# --- opening


def private_folder(path: Path, root: Path, advice: str, create: bool = False) -> Folder:
    """Open a folder, and check it and those above it up to `root`, if it is below; `create` makes what is missing.

    Args:
        advice: what to do when the folder cannot be used; the end of the message.

    Raises:
        FileNotFoundError: there is no such folder, and it is not to be created.
        CacheError: it is a symbolic link, belongs to somebody else, or can be written by others.
        UnwritableCacheError: it cannot be made.
    """
    names = path.relative_to(root).parts if path.is_relative_to(root) else ()
    first = root if names else path
    try:
        if create:
            first.parent.mkdir(parents=True, exist_ok=True)
        if not _HAS_MODES:
            path.mkdir(parents=True, exist_ok=True) if create else path.stat()
            return Folder(path, None, advice)
        # each folder is opened through the one above, so that none can be exchanged on the way
        descriptor = _enter(first, None, advice, create)
        for k in range(len(names)):
            outer = descriptor
            try:
                descriptor = _enter(first.joinpath(*names[: k + 1]), outer, advice, create)
            finally:
                os.close(outer)
    except FileNotFoundError:
        if create:
            raise cannot_be_written(path, os.strerror(errno.ENOENT), advice) from None
        raise
    except FileExistsError:  # a file is in the place of a folder above it
        raise cannot_be_written(path, os.strerror(errno.ENOTDIR), advice) from None
    except OSError as error:
        raise cannot_be_written(path, error.strerror or str(error), advice) from None
    return Folder(path, descriptor, advice)


def cannot_be_written(path: Path, reason: str, advice: str) -> UnwritableCacheError:
    """The error about a folder in which nothing can be kept."""
    return UnwritableCacheError(f"{path} cannot be written ({reason}): {advice}")


def _enter(path: Path, outer: int | None, advice: str, create: bool) -> int:
    """Open one folder, through the one that it is in, if that is open."""
    name = path if outer is None else path.name
    is_new = False
    try:
        descriptor = os.open(name, _FOLDER, dir_fd=outer)
    except FileNotFoundError:
        if not create:
            raise
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.mkdir(name, 0o700, dir_fd=outer)
            is_new = True
        descriptor = os.open(name, _FOLDER, dir_fd=outer)
    except OSError:
        if stat.S_ISLNK(os.stat(name, dir_fd=outer, follow_symlinks=False).st_mode):
            raise CacheError(f"{path} is a symbolic link, so it is not used: {advice}") from None
        raise
    try:
        _check_folder(path, os.fstat(descriptor), advice)
        # a folder that the user has made keeps its mode; those inside are ours
        if is_new:
            os.fchmod(descriptor, 0o700)
        elif create and outer is not None:
            _close_to_others(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_folder(path: Path, status: os.stat_result, advice: str) -> None:
    mode = stat.S_IMODE(status.st_mode)
    if not _is_trusted(status.st_uid):
        raise CacheError(f"{path} belongs to {_user(status.st_uid)}, not to you, so it is not used: {advice}")
    if mode & 0o022:
        raise CacheError(
            f"{path} can be written by others (mode {mode:03o}), so it is not used: chmod go-w {path}, or {advice}"
        )


def _close_to_others(descriptor: int) -> None:
    """Let nobody else look into a folder, either, unless it is the administrator's."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & 0o077:
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, mode & 0o700)


def _is_trusted(user: int) -> bool:
    """Is it this user, or the administrator, who can change every file anyway?"""
    return user in (os.geteuid(), 0)


def _user(number: int) -> str:
    try:
        import pwd

        return f"user {pwd.getpwuid(number).pw_name}"
    except (ImportError, KeyError):
        return f"user {number}"


# --- files


class Folder:
    """An open folder. Names are those of files in it.

    Attributes:
        path: what it was opened as; for messages.
    """

    def __init__(self, path: Path, descriptor: int | None, advice: str):
        self.path = path
        self._descriptor = descriptor
        self._advice = advice

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def _place(self, name: str) -> str:
        return name if self._descriptor is not None else str(self.path / name)

    def _open(self, name: str, flags: int) -> int:
        return os.open(self._place(name), flags, 0o600, dir_fd=self._descriptor)

    def open(self, name: str) -> BinaryIO:
        """A file to be read.

        Raises:
            FileNotFoundError: there is none.
            DamagedFileError: it is a symbolic link, a pipe or the like, or a file that others can change.
        """
        try:
            descriptor = self._open(name, _READ)
        except FileNotFoundError:
            raise
        except OSError as error:
            if error.errno not in _NO_FILE_OF_OURS:
                raise CacheError(f"{self.path / name} cannot be opened: {error.strerror}") from None
            link = "it is a symbolic link" if error.errno == errno.ELOOP else f"it cannot be opened ({error.strerror})"
            raise DamagedFileError(f"{self.path / name}: {link}") from None
        flaw = _flaw(os.fstat(descriptor))
        if flaw:
            os.close(descriptor)
            raise DamagedFileError(f"{self.path / name}: {flaw}")
        return open(descriptor, "rb", buffering=0)

    def write(self, name: str, data: bytes) -> None:
        """Write a file that appears whole or not at all; raises OSError if there is no room."""
        self.sweep(only_once=True)
        for attempts_left in (2, 1, 0):
            try:
                return self._write(name, data)
            except FileNotFoundError:
                # another process took the file for one that was left behind, in the instant before it was locked
                if not attempts_left:
                    raise

    def _write(self, name: str, data: bytes) -> None:
        temporary = _temporary_name(name)
        descriptor = self._open(temporary, _NEW)
        try:
            with open(descriptor, "wb", buffering=0) as file:
                _try_lock(descriptor)
                if _HAS_MODES:
                    os.fchmod(descriptor, 0o600)
                _write_all(file, data)
                if _HAS_MODES:  # still locked, so that it counts as being written until it has its name
                    self._rename(temporary, name)
            if not _HAS_MODES:  # Windows renames no open file
                self._rename(temporary, name)
        except BaseException:
            self.remove(temporary)
            raise

    def _rename(self, before: str, after: str) -> None:
        os.replace(self._place(before), self._place(after), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        """Delete a file, or an empty folder in its place, if it is there and we can."""
        with contextlib.suppress(OSError):
            try:
                os.unlink(self._place(name), dir_fd=self._descriptor)
            except (IsADirectoryError, PermissionError):
                os.rmdir(self._place(name), dir_fd=self._descriptor)

    def touch(self, name: str) -> None:
        """Note that a file was used now."""
        with contextlib.suppress(OSError, NotImplementedError):
            os.utime(self._place(name), dir_fd=self._descriptor, follow_symlinks=not _HAS_MODES)

    def names(self) -> list[tuple[str, float]]:
        """All names with the times of their last change; empty if the folder cannot be listed."""
        rows = []
        with (
            contextlib.suppress(OSError),
            os.scandir(self.path if self._descriptor is None else self._descriptor) as all,
        ):
            for entry in all:
                with contextlib.suppress(OSError):
                    rows.append((entry.name, entry.stat(follow_symlinks=False).st_mtime))
        return rows

    def sweep(self, only_once: bool = False) -> None:
        """Delete temporary files of processes that were ended; `only_once` in the life of this process."""
        if only_once and self.path in _swept:
            return
        unfinished = [row for row in self.names() if row[0].endswith(TEMPORARY)]
        left_behind = [name for name, changed in unfinished if not self._is_being_written(name, changed)]
        for name in left_behind:
            self.remove(name)
        # who is writing now may be ended later
        if len(left_behind) == len(unfinished):
            _swept.add(self.path)

    def _is_being_written(self, name: str, changed: float) -> bool:
        """Does a process hold its lock? Windows refuses to delete open files, so there nothing needs to be known."""
        if not _HAS_MODES:
            return False
        try:
            descriptor = self._open(name, _UNFINISHED)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            is_free = _try_lock(descriptor)
        finally:
            os.close(descriptor)
        return time.time() - changed < OLD if is_free is None else not is_free

    def check_writable(self) -> None:
        """Find out whether files can be written, by writing one.

        Raises:
            UnwritableCacheError: they cannot.
        """
        name = _temporary_name("probe")
        try:
            os.close(self._open(name, _NEW))
        except OSError as error:
            raise cannot_be_written(self.path, error.strerror or str(error), self._advice) from None
        self.remove(name)
        if self._descriptor is not None:
            room = os.fstatvfs(self._descriptor)
            if room.f_blocks and room.f_bavail * room.f_frsize < ROOM:
                raise cannot_be_written(self.path, os.strerror(errno.ENOSPC), f"free some space, or {self._advice}")

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Keep other processes out, where the system offers file locks; what goes wrong is done without."""
        descriptor = self._open_lock(name)
        try:
            if descriptor is not None:
                _wait_for(descriptor, self.path / name)
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _open_lock(self, name: str) -> int | None:
        for _ in range(2):
            try:
                descriptor = self._open(name, _LOCK)
            except OSError:
                self.remove(name)
                continue
            if not _flaw(os.fstat(descriptor)):
                return descriptor
            os.close(descriptor)
            self.remove(name)
        return None


def _temporary_name(name: str) -> str:
    """A name that no process on any machine uses for something else."""
    return f"{name}.{os.urandom(8).hex()}{TEMPORARY}"


def _flaw(status: os.stat_result) -> str:
    """Why an open file is not to be trusted; "" if it is."""
    if not stat.S_ISREG(status.st_mode):
        return "it is no regular file"
    if not _HAS_MODES:
        return ""
    if not _is_trusted(status.st_uid):
        return f"it belongs to {_user(status.st_uid)}"
    return "others can write it" if status.st_mode & 0o022 else ""


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write every byte: the system may take fewer at a time."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _try_lock(descriptor: int) -> bool | None:
    """Lock an open file, unless somebody else has; None where there are no locks."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _wait_for(descriptor: int, path: Path) -> None:
    """Wait for a lock, but not for a process that hangs: what it protects from is work done twice, and no more."""
    start, is_said = time.monotonic(), False
    while _try_lock(descriptor) is False:
        waited = time.monotonic() - start
        if waited > PATIENCE:
            return
        if waited > 30.0 and not is_said:
            say(f"phalanx: waiting for another process that holds {path}")
            is_said = True
        time.sleep(0.02)
