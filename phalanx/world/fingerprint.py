"""Fingerprints: short hashes of a state or of a model that are the same on every machine where every bit is.

A fingerprint is the first 128 bits of a SHA-256, in hexadecimal. It hashes the names, shapes and elements of fields, in
the order of their names, little-endian whatever the machine. Fields without elements are left out, so that a row that
is added to a table changes nothing for models that have none of it. Minus zero is another number than zero. NaN is NaN:
its sign and payload, which processors choose freely, do not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np

from phalanx.algebra.number_type import NumberType, one_world
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA, dtype_of, shape_of
from phalanx.tables.field import Field, group_of
from phalanx.tables.model_fields import MODEL

#: Rows of Data that are hashed: the complete state, inputs among it, sorted by name.
STATE = tuple(sorted(name for name, row in DATA_SCHEMA.fields.items() if row.state))

#: What no kernel reads: words, and how the model looks.
_LOOKS = frozenset(("names", "text", "skin", "texture"))
_LOOK_ROWS = frozenset(
    """
    geom_castshadow site_matid site_rgba cam_ipd cam_output
    light_type light_texid light_castshadow light_bulbradius light_intensity light_range light_active
    light_attenuation light_cutoff light_softness light_exponent light_ambient light_diffuse light_specular
    flex_matid flex_rgba flex_flatskin flex_texcoord flex_texcoordadr flex_elemtexcoord
    mesh_texcoordadr mesh_texcoordnum mesh_texcoord mesh_facetexcoord mesh_pathadr hfield_pathadr
    mat_texid mat_texuniform mat_texrepeat mat_emission mat_specular mat_shininess mat_reflectance mat_metallic
    mat_roughness tendon_matid tendon_width tendon_rgba stat.meanmass stat.meansize stat.extent stat.center
""".split()
)
_GROUPS = group_of(MODEL)
#: Rows of Model that the physics reads, sorted by name: all but words and looks.
PHYSICS = tuple(
    sorted(name for name in MODEL_SCHEMA.fields if name not in _LOOK_ROWS and _GROUPS.get(name) not in _LOOKS)
)
#: What follows from other rows: the order of elimination.
FOLLOWING = frozenset(("place_dof", "dof_place", "flg_order"))
#: Rows of Model that are hashed.
HASHED = tuple(name for name in PHYSICS if name not in FOLLOWING)
_DIGITS = 32


def canonical(array: np.ndarray) -> np.ndarray:
    """The elements little-endian and without gaps, every NaN the same."""
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    if plain.dtype.kind == "f" and np.isnan(plain).any():
        plain = np.where(np.isnan(plain), plain.dtype.type(np.nan), plain).astype(plain.dtype)
    return plain


def _title(name: str, dtype: np.dtype, shape: Iterable[int]) -> bytes:
    """What comes before the elements of a field."""
    return f"{name} {dtype.newbyteorder('<').str} {tuple(shape)};".encode()


def fingerprint_of(arrays: Mapping[str, np.ndarray], names: Iterable[str], more: bytes = b"") -> str:
    """Fingerprint of some fields of one world or of a model."""
    present = [name for name in names if arrays[name].size]
    digest = hashlib.sha256(b"".join(_title(name, arrays[name].dtype, arrays[name].shape) for name in present))
    for name in present:
        digest.update(canonical(arrays[name]).tobytes())
    digest.update(more)
    return digest.hexdigest()[:_DIGITS]


def fingerprints_of_worlds(kept: Mapping[str, np.ndarray], sizes: Mapping[str, int], n: int) -> list[str]:
    """Fingerprints of the states of n worlds; each is that of a Data in the same state.

    Args:
        kept: the state rows that a batch keeps, (n, ...); no step changes the others.
        sizes: sizes of the model.
        n: how many worlds.
    """
    number = one_world(kept["qpos"].dtype.name)
    arrays = {
        name: kept[name] if name in kept else _unchanged(DATA_SCHEMA.fields[name], sizes, n, number) for name in STATE
    }
    present = [name for name in STATE if arrays[name].size]
    title = b"".join(_title(name, arrays[name].dtype, arrays[name].shape[1:]) for name in present)
    columns = [canonical(arrays[name]).reshape(n, -1).view(np.uint8) for name in present]
    rows = np.concatenate(columns, axis=1) if columns else np.zeros((n, 0), np.uint8)
    return [hashlib.sha256(title + row.tobytes()).hexdigest()[:_DIGITS] for row in rows]


def _unchanged(row: Field, sizes: Mapping[str, int], n: int, number: NumberType) -> np.ndarray:
    """A state row that stays as it begins, in n worlds, in their precision."""
    return np.full((n, *shape_of(row, sizes)), row.default, dtype_of(row, number))


def fingerprint_of_all(fingerprints: Iterable[str]) -> str:
    """One fingerprint of many, in order."""
    return hashlib.sha256("".join(fingerprints).encode()).hexdigest()[:_DIGITS]
