"""Damaged models: whatever is wrong with the text, only our own error leaves the compiler, and it always comes back."""

from __future__ import annotations

import random
import re
import time

import mujoco
import pytest

from phalanx import MjcfError, Model
from phalanx.tables.mjcf_schema import ELEMENTS
from tests.compiler.compare import HULL_ORDER, differences
from tests.compiler.snippets import SNIPPETS

#: Damage may leave text between elements, and empty attributes, which are passed over.
pytestmark = pytest.mark.filterwarnings("ignore::phalanx.MjcfWarning")

#: Seconds that one damaged model may take.
LONGEST = 20.0

TAGS = sorted({row.tag for row in ELEMENTS.values()})
ATTRIBUTES = sorted({name for row in ELEMENTS.values() for name in row.attributes})
WORDS = sorted({word for row in ELEMENTS.values() for a in row.attributes.values() for word in a.keywords})
NUMBERS = (
    "0",
    "-1",
    "1e300",
    "1e-300",
    "nan",
    "inf",
    "1e400",
    "-0",
    "99999999999999",
    "2147483647",
    ".",
    "",
    "1 2",
    "x",
)


def _attribute(text: str, rng: random.Random) -> tuple[int, int]:
    """Where the value of some attribute is."""
    places = [match.span(1) for match in re.finditer(r'="([^"]*)"', text)]
    return rng.choice(places) if places else (0, 0)


def _element(text: str, rng: random.Random) -> tuple[int, int]:
    places = [match.span() for match in re.finditer(r"<[a-z_]+[^<>]*/>", text)]
    return rng.choice(places) if places else (0, 0)


def damaged(text: str, rng: random.Random) -> str:
    """The text with one thing changed."""
    if not text:
        return text
    kind = rng.randrange(9)
    a, b = _attribute(text, rng)
    c, d = _element(text, rng)
    if kind == 0:
        return text[:a] + rng.choice(NUMBERS) + text[b:]
    if kind == 1:
        return text[:a] + rng.choice(WORDS) + text[b:]
    if kind == 2:
        return text[:a] + " ".join(rng.choice(NUMBERS) for _ in range(rng.randrange(1, 8))) + text[b:]
    if kind == 3:
        return text[:c] + text[d:]
    if kind == 4:
        return text[:d] + text[c:d] + text[d:]
    if kind == 5:
        return text[:d] + f"<{rng.choice(TAGS)}/>" + text[d:]
    if kind == 6:
        end = text.find("/>", c)
        return (
            text[:end] + f' {rng.choice(ATTRIBUTES)}="{rng.choice((*NUMBERS, *WORDS))}"' + text[end:]
            if end > 0
            else text
        )
    if kind == 7:
        place = rng.randrange(len(text))
        return text[:place] + chr(rng.randrange(1, 300)) + text[place + 1 :]
    place, other = sorted(rng.randrange(len(text)) for _ in range(2))
    return text[:place] + text[min(other, place + 30) :]


def check(seed: int) -> str:
    """Damage a model and compile it; what happened."""
    rng = random.Random(seed)
    text = SNIPPETS[rng.choice(sorted(SNIPPETS))]
    for _ in range(rng.randrange(1, 4)):
        text = damaged(text, rng)
    start = time.monotonic()
    try:
        Model.from_xml_string(text)
        outcome = "compiled"
    except MjcfError as error:
        assert error.problems and str(error)
        outcome = "refused"
    assert time.monotonic() - start < LONGEST, text
    return outcome


def test_damaged_models_are_refused_or_compiled():
    outcomes = [check(seed) for seed in range(250)]
    assert outcomes.count("refused") > 100 and outcomes.count("compiled") > 10


@pytest.mark.conformance
def test_many_damaged_models_are_refused_or_compiled():
    for seed in range(1000, 11_000):
        check(seed)


#: What is found only in a whole model without other problems.
LATE = ("would not be finite", "length range", "discardvisual")


def hidden(seed: int) -> list[str] | None:
    """Problems of a model with a wrong value that are not found once all elements have an unknown attribute, too."""
    rng = random.Random(seed)
    text = SNIPPETS[rng.choice(sorted(SNIPPETS))]
    a, b = _attribute(text, rng)
    if not b or "fusestatic" in text:  # bodies are fused when nothing else is wrong
        return None
    count = len(text[a:b].split())
    wrong = rng.choice(("x", "nowhere", *(" ".join([n] * rng.choice((1, count))) for n in ("0", "-1", "5", "1e12"))))
    found = _messages(text[:a] + wrong + text[b:])
    if not found or any(word in message for message in found for word in LATE):
        return None
    beside = _messages(re.sub(r"<([a-z_]+)(?=[\s/>])", r'<\1 zzz="1"', text[:a] + wrong + text[b:]))
    return [message for message in found if message not in beside]


def _messages(text: str) -> list[str]:
    try:
        Model.from_xml_string(text)
    except MjcfError as error:
        return [problem.message for problem in error.problems]
    return []


def test_unknown_attributes_hide_no_mistake():
    results = [hidden(seed) for seed in range(300)]
    assert not any(results) and results.count([]) > 100


@pytest.mark.conformance
def test_unknown_attributes_hide_none_of_many_mistakes():
    assert not any(hidden(seed) for seed in range(1000, 9000))


@pytest.mark.conformance
def test_damaged_models_that_compile_are_mujocos():
    equal = 0
    for seed in range(1500):
        rng = random.Random(seed)
        text = damaged(SNIPPETS[rng.choice(sorted(SNIPPETS))], rng)
        if "e300" in text:
            continue
        try:
            ours, theirs = Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
        except ValueError:
            continue
        assert differences(ours, theirs, HULL_ORDER) == {}, text
        equal += 1
    assert equal > 200
