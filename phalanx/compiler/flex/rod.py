"""Rods."""

from __future__ import annotations


class Rod:
    joints = ()


def find_rod(build, flex):
    raise NotImplementedError


def is_chain(elements):
    return False


def twist_bodies(name, points, pinned, elements, mass, radius, elasticity):
    return []
