"""Bases of Model, Data and BatchSim that tell editors and type checkers which fields they have.

The attributes come from the tables at run time (`__getattr__`), so these classes are empty. What a type checker sees is
`typed.pyi`, which `tools/write_stubs.py` writes from the same rows.
"""

from __future__ import annotations


class OptionFields:
    """The options of the physics: `model.opt`."""

    __slots__ = ()


class StatisticFields:
    """The statistics of a model: `model.stat`."""

    __slots__ = ()


class ModelFields:
    """Sizes, fields and named objects of a Model."""

    __slots__ = ()


class DataFields:
    """Fields and named objects of a Data."""

    __slots__ = ()


class BatchFields:
    """Fields of a BatchSim: state, inputs, and outputs that can be bound."""

    __slots__ = ()
