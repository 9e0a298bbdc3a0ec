"""The seal of a file in the cache: its size, and a checksum of its bytes and of the name it was written under.

    content | magic, 16 bytes | size of the content, 8 bytes | SHA-256 of name and content, 32 bytes

A file that is cut off, damaged, or the content of another name has no valid seal. It stands at the end, as the content
of an image must stand at the beginning for the system to load it. It is no signature: who can write the file can write
the seal, so the folder must be private (`folder.py`).
"""

from __future__ import annotations

import hashlib
import os
import struct
from typing import BinaryIO

from phalanx.native.errors import DamagedFileError

_MAGIC = b"phalanx sealed\n\0"
_SEAL = struct.Struct("<16sQ32s")
#: No sealed content is larger; what claims to be is not read [bytes].
LARGEST = 1 << 31


def sealed(content: bytes, name: str) -> bytes:
    """The content with the seal behind it."""
    return content + _SEAL.pack(_MAGIC, len(content), _digest(content, name))


def is_sealed(data: bytes) -> bool:
    """Does it end with a seal, valid or not?"""
    return data[-_SEAL.size :].startswith(_MAGIC)


def read_sealed(file: BinaryIO, name: str) -> bytes:
    """The content of an open file, without the seal.

    Raises:
        DamagedFileError: the seal is missing, or is not that of this content and this name.
    """
    size = file.seek(0, os.SEEK_END) - _SEAL.size
    if size < 0:
        raise DamagedFileError("it is cut off")
    # the seal comes first: a huge file that is none of ours is not read
    file.seek(size)
    seal = file.read(_SEAL.size)
    magic, expected, digest = _SEAL.unpack(seal) if len(seal) == _SEAL.size else (b"", 0, b"")
    if magic != _MAGIC or expected != size or size > LARGEST:
        raise DamagedFileError("it is cut off, damaged or not ours: its size does not match its seal")
    file.seek(0)
    content = file.read(size)
    if len(content) != size or _digest(content, name) != digest:
        raise DamagedFileError("it is damaged, or of another name: its checksum does not match its content")
    return content


def _digest(content: bytes, name: str) -> bytes:
    digest = hashlib.sha256(name.encode(errors="surrogateescape") + b"\0")
    digest.update(content)
    return digest.digest()
