"""Paths of tendons: wrapped around geoms and hanging loosely, as in MuJoCo."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.scene.show import Show
from phalanx.scene.tendon_path import catenary
from tests.scene.reference import MujocoWorld, actual_rows, differences, expected_rows


def compare(xml: str) -> int:
    """Compare a model with MuJoCo; returns how many rows there are."""
    mjmodel = mujoco.MjModel.from_xml_string(xml)
    mjdata = mujoco.MjData(mjmodel)
    mujoco.mj_forward(mjmodel, mjdata)
    seen = MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)
    actual, expected = actual_rows(seen.model, seen, Show()), expected_rows(mjmodel, mjdata, Show())
    assert not (found := differences(actual, expected)), "\n".join(found[:3])
    return len(actual)


def two_sites(first: Any, second: Any, attributes: str, inside: str = "", gravity: str = "0 0 -9.81") -> str:
    """A tendon between two points."""
    places = [" ".join(str(x) for x in point) for point in (first, second)]
    return f"""<mujoco><option gravity="{gravity}"/><worldbody>
      <geom name="round" type="sphere" size=".1" pos="0 0 0"/>
      <geom name="tube" type="cylinder" size=".1 .5" euler="90 0 0"/>
      <site name="a" pos="{places[0]}"/><site name="b" pos="{places[1]}"/><site name="side" pos="0 0 .3"/>
      <body><joint type="slide"/><geom size=".01" pos="3 0 0"/></body></worldbody>
      <tendon><spatial width=".01" {attributes}><site site="a"/>{inside}<site site="b"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("height", [0.095, 0.05, -0.1, -0.3])
@pytest.mark.parametrize("across", [0.0, 0.4])
@pytest.mark.parametrize("geom", ["round", "tube"])
def test_a_tendon_lies_on_what_it_wraps_around(geom, across, height):
    inside = f'<geom geom="{geom}" sidesite="side"/>'
    count = compare(two_sites((-0.3, 0, height), (0.25, across, height), "", inside))
    assert count > 6 or height > 0


@pytest.mark.parametrize("ends", [((0, 0, 1), (1, 0, 1.5)), ((0, 0, 1), (0.001, 0, 1.2)), ((0, 0, 1), (0, 0, 1.7))])
@pytest.mark.parametrize("attributes", ["limited='true' range='0 1.9'", "stiffness='10' springlength='0 1.9'"])
@pytest.mark.parametrize("gravity", ["0 0 -9.81", "3 1 -5", "0 0 0"])
def test_a_loose_tendon_hangs_as_in_mujoco(ends, attributes, gravity):
    compare(two_sites(*ends, attributes, gravity=gravity))


@pytest.mark.parametrize("attributes", ["damping='1'", "frictionloss='.1'", "range='.1 1.9' limited='true'", ""])
def test_other_tendons_are_straight(attributes):
    assert compare(two_sites((0, 0, 1), (1, 0, 1.5), attributes)) == 7


def test_the_length_of_a_hanging_string_is_that_of_the_tendon():
    down = np.array([0, 0, -9.81])
    for end, length in (((1, 0, 0), 1.5), ((1, 2, 0.7), 3.0), ((0.3, 0, -0.9), 2.0)):
        points = catenary(np.zeros(3), np.array(end), down, length, 2000)
        # the last of the pieces, which MuJoCo spaces a little apart, spoils the second order
        assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(length, rel=2e-3)
    taut = catenary(np.zeros(3), np.array([2.0, 0, 0]), down, 1.5, 10)
    np.testing.assert_array_equal(taut, [(0, 0, 0), (2, 0, 0)])
    for excess in (0.0, 1e-15, 1e-12, 1e-9):
        nearly = catenary(np.zeros(3), np.array([1.5, 0, 0]), down, 1.5 * (1 + excess), 10)
        assert np.isfinite(nearly).all() and np.abs(nearly[:, 2]).max() < 1e-4
