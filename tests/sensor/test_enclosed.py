"""Objects enclosed by sites: every shape in every shape, against MuJoCo and against the largest overhang there is."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data

ROCK = "-.1 -.1 -.1  .12 -.1 -.1  -.1 .11 -.1  .1 .1 -.12  -.1 -.1 .1  .1 -.13 .1  -.1 .1 .1 .1 .1 .14"
ASSET = f'<asset><mesh name="rock" vertex="{ROCK}"/><mesh name="cave" vertex="{ROCK}" scale="8 6 5"/></asset>'
ZONES = {
    "sphere": "1", "capsule": ".5 .6", "ellipsoid": "1 .8 .6", "cylinder": ".7 .8", "box": "1 .8 .6", "mesh": "cave",
}  # fmt: skip
OBJECTS = {
    "sphere": ".1", "capsule": ".05 .2", "ellipsoid": ".1 .2 .15", "cylinder": ".1 .2", "box": ".1 .2 .15",
    "mesh": "rock",
}  # fmt: skip
PAIRS = [(zone, thing) for zone in ZONES for thing in OBJECTS]
POSES, SWEEP = 40, 1000
#: How a site lies that is not upright.
TURN = (0.8, 0.2, -0.4, 0.4)
#: Rounding of coordinates and of the support points of shapes of size one.
ROUNDING = 1e-12


def shape(kind: str, size: str) -> str:
    return f'type="{kind}" ' + (f'mesh="{size}"' if kind == "mesh" else f'size="{size}"')


def model_of(zone: str, thing: str, sites: bool = False, option: str = "", askew: bool = False) -> Any:
    """A site, and a free object.

    In a site that lies askew MuJoCo lets rounding decide to which side of an edge or flat side a direction along an
    axis belongs, so that comparisons are with upright ones.
    """
    objtype, tag = ("site", "site") if sites else ("geom", "geom")
    extra = '<geom size=".01"/>' if sites else ""
    turned = f'quat="{" ".join(map(str, TURN))}"' if askew else ""
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco>{ASSET}<option {option}/><worldbody>
        <site name="zone" {shape(zone, ZONES[zone])} pos=".1 .2 .3" {turned}/>
        <body><freejoint/><{tag} name="thing" {shape(thing, OBJECTS[thing])}/>{extra}</body></worldbody>
        <sensor><insidesite site="zone" objtype="{objtype}" objname="thing" enclosed="true"/></sensor></mujoco>"""
    )


def poses(count: int) -> np.ndarray:
    """Deep inside, across the border, outside."""
    rng = np.random.default_rng(7)
    reach = rng.uniform(0.05, 1.0, (count, 1))
    turns = rng.normal(size=(count, 4))
    places = np.array([0.1, 0.2, 0.3]) + reach * rng.normal(size=(count, 3))
    return np.hstack([places, turns / np.linalg.norm(turns, axis=1, keepdims=True)])


def read_mujoco(model: Any, data: Any, pose: np.ndarray) -> float:
    data.qpos[:] = pose
    mujoco.mj_forward(model, data)
    return float(data.sensordata[0])


def may_mujoco_read(model: Any, data: Any, pose: np.ndarray, reading: float) -> bool:
    """Does MuJoCo end as low as `reading` for a pose that differs by rounding?"""
    rng = np.random.default_rng(0)
    disturbed = (pose + 1e-15 * rng.normal(size=7) for _ in range(20_000))
    return any(read_mujoco(model, data, near) <= reading + ROUNDING for near in disturbed)


def disagreements(zone: str, thing: str, count: int, option: str = "") -> list[tuple[Any, Any, np.ndarray, float]]:
    """Poses where the readings differ by more than rounding, and our reading there."""
    model = model_of(zone, thing, option=option)
    theirs, ours = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    found = []
    for pose in poses(count):
        ours.qpos[:] = pose
        reading = float(ours.forward().sensordata[0])
        if abs(reading - read_mujoco(model, theirs, pose)) > ROUNDING:
            found.append((model, theirs, pose, reading))
    return found


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_the_search_sets_out_as_in_mujoco(iterations: int) -> None:
    for zone, thing in PAIRS:
        assert not disagreements(zone, thing, POSES, f'ccd_iterations="{iterations}"'), (zone, thing)


def check_readings(zone: str, thing: str, count: int) -> None:
    """Readings are MuJoCo's, or not below what those may be.

    A search that stays in a plane, or returns to an edge, is led on by rounding: it may end higher or lower.
    """
    for model, theirs, pose, reading in disagreements(zone, thing, count):
        assert may_mujoco_read(model, theirs, pose, reading), f"{thing} in {zone} at {pose}"


@pytest.mark.parametrize("zone, thing", PAIRS)
def test_every_shape_in_every_shape(zone: str, thing: str) -> None:
    check_readings(zone, thing, POSES)


@pytest.mark.conformance
@pytest.mark.parametrize("zone, thing", PAIRS)
def test_every_shape_in_every_shape_often(zone: str, thing: str) -> None:
    check_readings(zone, thing, SWEEP)


def test_a_ball_in_a_ball_and_in_a_box() -> None:
    """The overhang of a ball is known. The error of a direction counts by its square: small steps leave rounding."""
    option = 'ccd_iterations="500" ccd_tolerance="1e-9"'
    for zone in ("sphere", "box"):
        ours = make_data(phalanx.Model.from_mujoco(model_of(zone, "sphere", option=option)))
        for pose in poses(POSES):
            ours.qpos[:] = pose
            ours.forward()
            place = ours.site_xmat[0].reshape(3, 3).T @ (ours.geom_xpos[0] - ours.site_xpos[0])
            height = np.linalg.norm(place) - 1 if zone == "sphere" else np.max(np.abs(place) - [1, 0.8, 0.6])
            if zone == "sphere" or height < 0:  # outside, a corner may be nearer than a face
                assert ours.sensordata[0] == pytest.approx(height + 0.1, abs=ROUNDING)


def test_sites_are_enclosed_as_geoms_are() -> None:
    for zone in ZONES:
        data = [make_data(phalanx.Model.from_mujoco(model_of(zone, "ellipsoid", sites=flag))) for flag in (False, True)]
        for pose in poses(5):
            for each in data:
                each.qpos[:] = pose
                each.forward()
            assert data[0].sensordata[0] == pytest.approx(data[1].sensordata[0], abs=ROUNDING)


def test_zone_and_object_may_turn_together() -> None:
    """Only how they lie towards each other counts. Few steps, so that rounding cannot lead them astray."""
    origin, option = np.array([0.1, 0.2, 0.3]), 'ccd_iterations="3"'
    for zone, thing in PAIRS:
        models = [model_of(zone, thing, option=option, askew=flag) for flag in (False, True)]
        data = [make_data(phalanx.Model.from_mujoco(model)) for model in models]
        for pose in poses(10):
            turned = pose.copy()
            mujoco.mju_rotVecQuat(turned[:3], pose[:3] - origin, np.array(TURN))
            mujoco.mju_mulQuat(turned[3:], np.array(TURN), pose[3:])
            turned[:3] += origin
            data[0].qpos[:], data[1].qpos[:] = pose, turned
            readings = [each.forward().sensordata[0] for each in data]
            assert readings[0] == pytest.approx(readings[1], abs=ROUNDING), (zone, thing)
