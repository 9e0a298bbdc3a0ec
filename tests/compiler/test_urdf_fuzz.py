"""Robots with random mistakes: each compiles, or is refused with problems; nothing else is raised."""

from __future__ import annotations

import random
import re

import pytest

from phalanx import MjcfError, Spec
from tests.compiler.robots import ROBOTS

#: Words, numbers and marks of a text.
_TOKEN = re.compile(r"[\w.-]+|[^\w\s]|\s+")
_NUMBERS = ("0", "-1", "1e308", "nan", "1e-320", "x", "", "1 2 3 4", "0 0 0", "j", "base", "world")


def spoiled(text: str, rng: random.Random) -> str:
    """A text with a few words exchanged, doubled, replaced or left out."""
    tokens = _TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                tokens[at] = rng.choice(_NUMBERS)
            case 1:
                tokens[at] = rng.choice(tokens)
            case 2:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                # a whole element
                start, end = text.find("<", rng.randrange(len(text))), text.find(">", rng.randrange(len(text)))
                text = text[:start] + text[end:] if 0 < start < end else text
                tokens = _TOKEN.findall(text)
    return "".join(tokens)


@pytest.mark.parametrize("name", sorted(ROBOTS)[::3])
def test_a_spoiled_robot_compiles_or_is_refused(name):
    rng = random.Random(name)
    for _ in range(8):
        text = spoiled(ROBOTS[name], rng)
        for settings in ({"style": "mujoco"}, {"repair": True, "actuators": "position", "base": "floating"}):
            try:
                Spec.from_urdf(text, **settings).compile()
            except MjcfError as error:
                assert error.problems
