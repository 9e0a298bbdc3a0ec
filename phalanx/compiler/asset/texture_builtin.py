"""Textures that are painted (texture/builtin): gradients, checkers, plain colors, with marks. MuJoCo's, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from phalanx.compiler.text.defaults import Values
from phalanx.mesh import cache

#: Red, green and blue between 0 and 1.
Color = tuple[float, ...]


@lru_cache(maxsize=1)
def _version() -> str:
    """Hash of this file, part of the keys on disk: a change of the painting makes them anew."""
    return sha256(Path(__file__).read_bytes()).hexdigest()


def bytes_of(color: Color) -> tuple[int, ...]:
    """A color in 0..1 as bytes, rounded down."""
    return tuple([int(255 * channel) & 255 for channel in color])


#: Pixels that are painted at a time, so few that their values stay in a fast cache.
_PIXELS = 1 << 15


def _paint(picture: np.ndarray, one: Color, two: Color, place: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    """Colors from `two` where `place` is -1 to `one` where it is 1, along a sigmoid (MuJoCo's `interp`).

    `place` is a function of the coordinates x and y, which go from -1 to 1; y points up.
    """
    height, width = picture.shape[:2]
    x, y = _coordinates(height, width)
    step = max(_PIXELS // width, 1)
    for start in range(0, height, step):
        rows = slice(start, start + step)
        at = place(x, y[rows])
        alpha = 0.5 * (1 + at / np.sqrt(1 + at * at) / (1.0 / np.sqrt(2)))
        alpha = np.clip(alpha, 0.0, 1.0)
        rest = 1 - alpha
        for channel in range(3):
            color = 255 * (alpha * one[channel] + rest * two[channel])
            picture[rows, :, channel] = color.astype(np.uint8)


def _fill(picture: np.ndarray, color: Color) -> None:
    """Fill with one color, a row at a time, which is faster than pixel by pixel."""
    row = bytes(bytes_of(color)) * picture.shape[-2]
    picture[...] = np.frombuffer(row, np.uint8).reshape(-1, 3)


def _checker(height: int, width: int, one: Color, two: Color) -> np.ndarray:
    """Two by two fields."""
    picture = np.empty((height, width, 3), np.uint8)
    upper, left = height // 2, width // 2
    for color, part in ((one, picture[:upper, :left]), (two, picture[:upper, left:]),
                        (two, picture[upper:, :left]), (one, picture[upper:, left:])):  # fmt: skip
        _fill(part, color)
    return picture


def _coordinates(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """x of each column and y of each row, from -1 to 1; 0 for a picture of one pixel."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = 2 * np.arange(width) / np.float64(width - 1) - 1
        y = 1 - 2 * np.arange(height) / np.float64(height - 1)
    return np.nan_to_num(x)[None, :], np.nan_to_num(y)[:, None]


def make_flat(values: Values, width: int, height: int) -> np.ndarray:
    """Pixels (height, width, 3) of a flat texture."""
    one, two = values["rgb1"], values["rgb2"]
    if values["builtin"] == "gradient":
        picture = np.empty((height, width, 3), np.uint8)
        _paint(picture, two, one, lambda x, y: 2 * np.sqrt(x * x + y * y) - 1)
    elif values["builtin"] == "checker":
        picture = _checker(height, width, one, two)
    else:
        picture = np.empty((height, width, 3), np.uint8)
        _fill(picture, one)
    _mark(picture[None], values)
    return picture


def make_cube(values: Values, width: int, height: int) -> np.ndarray:
    """Pixels of a cube: six pictures below each other, right, left, up, down, front, back."""
    one, two = values["rgb1"], values["rgb2"]
    sides = np.empty((6, width, width, 3), np.uint8)
    if values["builtin"] == "gradient":
        around, sides[2], sides[3] = _gradient_sides(width, one, two)
        sides[[0, 1, 4, 5]] = around
    elif values["builtin"] == "checker":
        sides[:4] = _checker(width, width, one, two)
        sides[4:] = _checker(width, width, two, one)
    else:
        _fill(sides, one)
        _fill(sides[3], two)
    _mark(sides, values)
    return sides.reshape(height, width, 3)


def _gradient_sides(width: int, one: Color, two: Color) -> np.ndarray:
    """Pictures of the four sides around, the side above and the one below.

    They are kept on disk, because painting takes longer than reading.
    """
    key = cache.key_of(b"gradient", _version(), width, *one, *two)
    try:
        return cache.read_arrays(key)["sides"]
    except KeyError:
        sides = np.empty((3, width, width, 3), np.uint8)
    _paint(sides[0], one, two, lambda x, y: np.arcsin(y / np.sqrt(1 + x * x + y * y)) / (0.5 * np.pi))
    _paint(sides[1], one, two, _height)
    _paint(sides[2], one, two, lambda x, y: -_height(x, y))
    cache.write_arrays(key, [("sides", sides)])
    return sides


def _height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Elevation of the points of the upper side, seen from the center of the cube: 1 straight up."""
    return 1 - np.arccos(1.0 / np.sqrt(1 + x * x + y * y)) / (0.5 * np.pi)


def _mark(sides: np.ndarray, values: Values) -> None:
    """Draw edges, crosses or random dots on each side."""
    color = np.array(bytes_of(values["markrgb"]), np.uint8)
    rows, columns = sides.shape[1:3]
    if values["mark"] == "edge":
        sides[:, :, [0, -1]] = sides[:, [0, -1], :] = color
    elif values["mark"] == "cross":
        sides[:, :, columns // 2] = color
        sides[:, rows // 2, :] = color
    elif values["mark"] == "random" and values["random"] > 0:
        count = len(sides) * rows * columns
        sides.reshape(-1, 3)[random_dots(count, values["random"])] = color


@lru_cache(maxsize=4)
def random_dots(count: int, probability: float) -> np.ndarray:
    """Indices of the pixels that get a dot.

    They are kept on disk, because the generator is slow and skies have many pixels.
    """
    key = cache.key_of(b"random dots", _version(), count, probability)
    try:
        bits = cache.read_arrays(key)["bits"]
    except KeyError:
        bits = np.packbits(random_values(count) < probability)
        cache.write_arrays(key, [("bits", bits)])
    return np.flatnonzero(np.unpackbits(bits, count=count))


# --- random values of the 64-bit Mersenne Twister (Nishimura, "Tables of 64-bit Mersenne Twisters", ACM TOMACS 2000),
# seeded with 42 as in MuJoCo

_WORDS, _HALF, _BITS = 312, 156, 64
_TWIST = 0xB5026F5AA96619E9
#: Words that are tempered at a time, so few that they stay in a fast cache.
_CHUNK = 1 << 14


def _in_each_word(word: int) -> int:
    """A long integer that repeats a word over half a state."""
    return int.from_bytes(word.to_bytes(8, "little") * _HALF, "little")


_HIGH, _LOW = _in_each_word(0xFFFFFFFF80000000), _in_each_word(0x7FFFFFFF)
_LAST, _REST = _in_each_word(1), _in_each_word(0x7FFFFFFFFFFFFFFF)
_WORD = (1 << _BITS) - 1


def _seeded(seed: int) -> bytes:
    """The first state of the generator."""
    words = [seed]
    for k in range(1, _WORDS):
        last = words[-1]
        words.append((6364136223846793005 * (last ^ (last >> 62)) + k) & _WORD)
    return b"".join(word.to_bytes(8, "little") for word in words)


def _untempered(count: int, seed: int) -> np.ndarray:
    """Words of the generator. Half a state is one long integer of Python, so that 156 words step together."""
    state = _seeded(seed)
    old, new = (int.from_bytes(part, "little") for part in (state[: 8 * _HALF], state[8 * _HALF :]))
    parts = []
    for _ in range(-(-count // _HALF)):
        following = (old >> _BITS) | ((new & _WORD) << (_BITS * (_HALF - 1)))
        mixed = (old & _HIGH) | (following & _LOW)
        old, new = new, new ^ ((mixed >> 1) & _REST) ^ ((mixed & _LAST) * _TWIST)
        parts.append(new.to_bytes(8 * _HALF, "little"))
    return np.frombuffer(b"".join(parts), "<u8")[:count]


def random_values(count: int, seed: int = 42) -> np.ndarray:
    """Uniform values between 0 and 1."""
    words, values = _untempered(count, seed), np.empty(count)
    for start in range(0, count, _CHUNK):
        x = words[start : start + _CHUNK]
        x = x ^ ((x >> np.uint64(29)) & np.uint64(0x5555555555555555))
        x ^= (x << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        x ^= (x << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        x ^= x >> np.uint64(43)
        values[start : start + _CHUNK] = x / 2.0**64
    return values
