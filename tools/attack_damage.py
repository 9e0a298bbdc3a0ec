"""Damage to files: values that hardly any attribute is made for, texts and bytes with parts changed or cut out."""

from __future__ import annotations

import random
import re
import struct

#: Values that no attribute, or hardly any, is made for.
EXTREME = (
    "", " ", "0", "-0", "1", "-1", "2", "7", "100", "1000", "1e-320", "1e-300", "1e-30", "1e10", "1e20", "1e38", "1e39",
    "1e154", "1e155", "1e300", "1e308", "-1e308", "1.7976931348623157e308", "1e309", "nan", "inf", "-inf",
    "2147483647", "-2147483648", "2147483648", "4294967296", "9223372036854775807", "18446744073709551616",
    "99999999999999999999", "-99999999999999999999",
    "1" + "0" * 400, "0x10", "1_0", "1,2", "١", "é", "日本", "\U0001f600", "&#0;", "&lt;", "a" * 70_000, "true",
    "none", "../../x", "/dev/zero", "/proc/self/maps", ".", "/", "%s%n", "main", "world", "xyz", "zzz",
    "1 2 3 4 5 6 7 8 9 10 11 12",
)  # fmt: skip
#: Integers where programs go wrong.
_WORDS = (0, 1, -1, 2**31 - 1, -(2**31), 1000, 2**16, 2**30)


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """A file with some bytes changed, cut out, repeated or replaced by extreme integers and floats."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(found) + 1)
        kind = rng.randrange(7)
        if kind == 0 and place < len(found):
            found[place] = rng.randrange(256)
        elif kind == 1:
            del found[place : place + rng.randint(1, 40)]
        elif kind == 2:
            found[place:place] = found[place : place + rng.randint(1, 80)]
        elif kind == 3:
            found[place & ~3 : (place & ~3) + 4] = struct.pack("<i", rng.choice(_WORDS))
        elif kind == 4:
            extreme = rng.choice((0.0, 1e38, -1e38, 1e-40, float("nan"), float("inf"), 2.0**31))
            found[place & ~3 : (place & ~3) + 4] = struct.pack("<f", extreme)
        elif kind == 5:
            found[place:place] = rng.choice(
                (b" 1e38", b" nan", b"\nf 1 2 3 4 5", b"\nf -1 -2 -3", b"/", b"\0", b"\nv 1", b"\xff")
            )
        else:
            found[place:] = b""
    return bytes(found)


def damaged_text(text: str, rng: random.Random) -> str:
    """A text of XML with parts cut out, repeated, exchanged, or with other characters."""
    for _ in range(rng.randint(1, 5)):
        place, length = rng.randrange(len(text)), rng.randint(1, 60)
        kind = rng.randrange(5)
        tags = [match.span() for match in re.finditer(r"<[^<>]*>", text)] or [(0, 1)]
        values = [match.span(1) for match in re.finditer(r'="([^"]*)"', text)] or [(0, 0)]
        if kind == 0:
            text = text[:place] + text[place + length :]
        elif kind == 1:
            text = text[:place] + chr(rng.choice((1, 9, 60, 62, 38, 34, 0x130, 0x661, 0x1F600))) + text[place + 1 :]
        elif kind == 2:
            (a, b), (c, d) = rng.choice(tags), rng.choice(tags)
            text = text[:a] + text[c:d] + text[b:]
        elif kind == 3:
            a, b = rng.choice(tags)
            text = text[:b] + text[a:b] + text[b:]
        else:
            a, b = rng.choice(values)
            text = text[:a] + _escaped(rng.choice(EXTREME)) + text[b:]
        text = text or "<"
    return text


def _escaped(value: str) -> str:
    return value.replace('"', "&quot;").replace("<", "&lt;")
