"""Extreme attributes and damaged files: only our errors leave the compiler, in time, and nothing warns."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import random

import pytest

from tools.attacks.mjcf import ATTRIBUTES, attack, attribute_case, case_of, finding, model_with


def test_every_attribute_can_be_reached():
    assert len(ATTRIBUTES) > 1500
    plain = [model_with(key, {}, random.Random(k)) for k, (key, _) in enumerate(ATTRIBUTES[::20])]
    assert all(text.startswith("<mujoco") for text in plain)


def test_extreme_attributes_give_our_errors_only():
    rng = random.Random(0)
    chosen = rng.sample(ATTRIBUTES, 400)
    assert [found for key, name in chosen if (found := finding(attribute_case(key, name, rng)))] == []


def test_damaged_files_give_our_errors_only():
    assert [found for seed in range(300) if (found := finding(case_of(seed)))] == []


#: What once raised a foreign exception.
FOUND = {
    "angles": '<worldbody><replicate count="3" euler="1e308 0 0"><geom size=".1"/></replicate></worldbody>',
    "colors": '<asset><texture name="t" builtin="flat" mark="edge" markrgb="1e308 0 0" width="2" height="2"/></asset>',
    "rows": '<size njmax="2147483647"/>',
    "readings": '<worldbody><geom name="g" size="1"/></worldbody><sensor><contact geom1="g" num="2147483647"/></sensor>',
    "pixels": '<worldbody><camera name="c" resolution="65536 65536"/></worldbody><sensor><rangefinder camera="c"/></sensor>',
    "nodes": '<worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody><deformable>'
    '<flex dim="1" body="world b" vertex="0 0 0 0 0 0" element="0 1" nodecoord="-1"/></deformable>',
    "singular": '<worldbody><body><joint name="j" axis="-1e308 1 0"/><geom size=".1" pos="1e150 0 0"/><body><joint/>'
    '<geom size=".1" pos="1e150 0 0"/></body></body></worldbody><actuator><position joint="j" dampratio="1"/></actuator>',
    "itself": '<worldbody><body name="b"><attach body="b" prefix="p"/></body></worldbody>',
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_is_not_found_again(name):
    from tools.attacks.mjcf import Case

    assert finding(Case(f"<mujoco>{FOUND[name]}</mujoco>", {}, name)) == ""


def test_surrogates_are_no_text():
    from tools.attacks.mjcf import Case

    assert finding(Case("<mujoco model='\ud800'/>", {}, "surrogates")) == ""


def test_the_attack_is_quiet():
    assert attack(1, 3.0) == []


@pytest.mark.conformance
@pytest.mark.parametrize("part", range(10))
def test_every_attribute_with_many_extreme_values(part):
    for round_ in range(6):
        for k, (key, name) in enumerate(ATTRIBUTES[part::10]):
            assert finding(attribute_case(key, name, random.Random(1_000_000 * round_ + 10 * k + part))) == ""


@pytest.mark.conformance
def test_the_attack_finds_nothing_on_two_seeds():
    assert [*attack(11, 60.0), *attack(12, 60.0)] == []
