"""MuJoCo's binary model file (.mjb): what it begins with, and what it cannot hold.

The file is a header of five 32-bit integers, then all sizes as 64-bit integers, the structs `opt`, `vis` and `stat`, a
byte for each flag, and all arrays without gaps. The order of sizes, options, statistics, flags and arrays is that of
the tables: MuJoCo's. Only settings of pictures are listed here, since the model file in XML orders some of them
otherwise. `memory/binary_file.py` reads and writes the file.
"""

from __future__ import annotations

from phalanx.tables.enums import DynType, GainType, Integrator

MUJOCO_VERSION = "4.0.0"
"""The version of MuJoCo that Phalanx follows, and whose files it reads and writes."""

MARK = 54321
"""The first integer of each file."""
NUMBER_BYTES = 8
"""The second integer: bytes of a number, 4 where MuJoCo was built for single precision."""


def version_code(version: str) -> int:
    """The integer that stands for a version in the header.

    >>> version_code("4.0.0")
    4000000
    """
    major, minor, patch = map(int, version.split("."))
    return (major * 1000 + minor) * 1000 + patch


def version_of(code: int) -> str:
    """The version that an integer of the header stands for; in older ones each part has one digit.

    >>> version_of(4000001), version_of(327)
    ('4.0.1', '3.2.7')
    """
    base = 1000 if code >= 1_000_000 else 10
    return f"{code // base**2}.{code // base % base}.{code % base}"


GLOBAL_SETTINGS = (
    "cameraid", "orthographic", "fovy", "ipd", "azimuth", "elevation", "linewidth", "glow", "realtime", "offwidth",
    "offheight", "ellipsoidinertia", "bvactive",
)  # fmt: skip
"""Settings of `vis.global_` in the order of MuJoCo's struct; those of other groups have the order of their rows."""

ARRAY_ALIGNMENT = 64
"""MuJoCo's buffer of all arrays begins each at a multiple of so many bytes, and has room to be shifted to one."""

BYTE_COUNTS = frozenset(("ntexdata", "ntextdata", "narena", "nbuffer"))
"""Sizes that count bytes and may be beyond a 32-bit integer."""
MAY_BE_AUTOMATIC = frozenset(("njmax", "nconmax"))
"""Sizes that may be -1."""

EXTENSIONS: dict[str, dict[int, str]] = {
    "actuator_dyntype": {DynType.HILL: "a Hill muscle"},
    "actuator_gaintype": {GainType.HILL: "a Hill muscle"},
    "opt.integrator": {Integrator.IMPLICITSPRINGDAMPER: "an integrator of Phalanx"},
}
"""Rows of the Model -> values that MuJoCo has not, in words."""

EXTENSION_SIZES: dict[str, str] = {"ngrid": "geoms in the shape of a signed distance grid (Model.with_sdf)"}
"""Sizes of what MuJoCo has not, in words. Lists that we make ahead of what MuJoCo finds in each step are not here."""
