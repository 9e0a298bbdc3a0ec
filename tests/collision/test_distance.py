"""Distance of two geoms against MuJoCo, and against what its end points say.

Contacts of formulas and of polytopes agree to rounding. A search on a smooth shape ends within the tolerance of the
options, 1e-6: so close is the depth of an overlap. The distance of shapes that are apart is better by far, because it
is that of two points, and least where they are right.
"""

from __future__ import annotations

import itertools
from collections import Counter

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.collision.certificates import SEARCH, Shape, gap_of, is_placed, overlap_of
from tests.collision.test_convex import ASSETS, geom

HFIELD = """<hfield name="hills" nrow="7" ncol="9" size="1 .8 .3 .1" elevation="{}"/>""".format(
    " ".join(f"{x:.3f}" for x in np.random.default_rng(5).uniform(0, 1, 63))
)
SHAPES = {
    "plane": '<geom type="plane" size="1 1 1"/>',
    "hfield": '<geom type="hfield" hfield="hills"/>',
    **{name: geom(name) for name in ("sphere", "capsule", "ellipsoid", "cylinder", "box")},
    **{name: geom(name) for name in ("cube", "hull", "big", "plate")},
}
SOLIDS = [name for name in SHAPES if name not in ("plane", "hfield")]
PAIRS = [
    *itertools.product(["plane"], SOLIDS),
    *itertools.combinations_with_replacement(SOLIDS, 2),
]
POLYTOPES = {"box", "cube", "hull", "big", "plate"}
#: Pairs whose distance is a formula, or else a search.
FORMULAS = {
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
    ("capsule", "box"), *itertools.product(["plane"], SOLIDS),
}  # fmt: skip
IDS = ["-".join(pair) for pair in PAIRS]
DISTMAX = 0.5


class Scene:
    """Two geoms, ours and MuJoCo's; only the second moves."""

    def __init__(self, names: tuple[str, str], dtype: str = "float64", iterations: int = 35):
        text = f"""<mujoco><default><geom contype="0" conaffinity="0"/></default>
          <asset>{ASSETS}{HFIELD}</asset>
          <worldbody>
          {SHAPES[names[0]].replace("<geom ", '<geom name="first" ')}
          <body>{"<freejoint/>" if names[1] not in ("plane", "hfield") else ""}
          {SHAPES[names[1]].replace("<geom ", '<geom name="second" ')}</body></worldbody></mujoco>"""
        self.mjmodel = mujoco.MjModel.from_xml_string(text)
        self.mjmodel.opt.ccd_iterations = iterations
        self.mjdata = mujoco.MjData(self.mjmodel)
        mujoco.mj_forward(self.mjmodel, self.mjdata)
        self.data = phalanx.Data(phalanx.Model.from_mujoco(self.mjmodel), dtype=dtype)

    def poses(self, n: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        reach = self.mjmodel.geom_rbound.sum() + DISTMAX
        pos = rng.normal(size=(n, 3))
        pos *= reach * rng.uniform(0, 1.1, (n, 1)) / np.linalg.norm(pos, axis=1, keepdims=True)
        quat = rng.normal(size=(n, 4))
        return np.hstack([pos, quat / np.linalg.norm(quat, axis=1, keepdims=True)])

    def place(self, pose: np.ndarray) -> None:
        if self.mjmodel.nq:
            self.mjdata.qpos[:] = pose
        mujoco.mj_kinematics(self.mjmodel, self.mjdata)
        for name in ("geom_xpos", "geom_xmat"):
            getattr(self.data, name)[...] = getattr(self.mjdata, name)

    def mujoco(self, one: int, two: int, distmax: float = DISTMAX) -> tuple[float, np.ndarray]:
        ends = np.ones(6)
        return mujoco.mj_geomDistance(self.mjmodel, self.mjdata, one, two, distmax, ends), ends


def as_contact(dist: float, ends: np.ndarray) -> tuple:
    """A distance and its end points as a contact."""
    return dist, 0.5 * (ends[:3] + ends[3:]), (ends[3:] - ends[:3]) / dist


def is_proven(shapes: tuple[Shape, Shape], ours: tuple, theirs: tuple) -> bool:
    """A gap below the tolerance, and MuJoCo's direction does not overlap less."""
    known = overlap_of(shapes, theirs)
    return gap_of(shapes, ours) <= SEARCH and overlap_of(shapes, ours) <= known + SEARCH


def check(names: tuple[str, str], n: int, seed: int) -> Counter:
    """Distances are MuJoCo's, and end points too or others of the shapes; returns how many needed a proof.

    Formulas, polytopes and shapes that are apart: to 1e-9. Others to 1e-6 of the size.
    """
    scene, patient = Scene(names), Scene(names, iterations=400)
    exact = names in FORMULAS or set(names) <= POLYTOPES
    shapes = None if "plane" in names else tuple(Shape(scene.mjmodel, scene.mjdata, k) for k in (0, 1))
    size = float(scene.mjmodel.geom_aabb[:, 3:].max(axis=1, where=scene.mjmodel.geom_aabb[:, 3:] > 0, initial=0).min())
    counter: Counter = Counter()
    for pose in scene.poses(n, seed):
        scene.place(pose)
        theirs, ends = scene.mujoco(0, 1)
        ours, back = scene.data.geom_distance(0, 1, DISTMAX), scene.data.geom_distance(1, 0, DISTMAX)
        tolerance = 1e-9 if exact or theirs > 1e-6 else 1e-6 * size
        assert abs(back.dist - ours.dist) <= tolerance
        if names[0] != names[1]:
            assert np.array_equal(back.fromto, np.roll(ours.fromto, 3))
        if ours.dist == DISTMAX == theirs:
            assert not ours.fromto.any() and not back.fromto.any() and not ends.any()
            continue
        counter["found"] += 1
        assert abs(np.linalg.norm(ours.fromto[3:] - ours.fromto[:3]) - abs(ours.dist)) <= 1e-9
        if abs(ours.dist - theirs) > tolerance:
            counter["proven"] += 1
            known = as_contact(theirs, ends)
            if not is_proven(shapes, as_contact(ours.dist, ours.fromto), known):
                counter["unfinished"] += 1
                patient.place(pose)
                more = patient.data.geom_distance(0, 1, DISTMAX)
                assert is_proven(shapes, as_contact(more.dist, more.fromto), known), pose
        if shapes and np.abs(ours.fromto - ends).max() > 1e-6:
            # parallel faces and edges have many nearest points, and the last digits of a search choose among them
            counter["moved"] += 1
            assert is_placed(shapes, as_contact(ours.dist or 1e-300, ours.fromto)), pose
    assert counter["found"] > n / 5
    return counter


@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_distance_is_that_of_mujoco(names):
    check(names, 150, 1)


@pytest.mark.conformance
@pytest.mark.parametrize("names", PAIRS, ids=IDS)
def test_distance_is_that_of_mujoco_in_many_poses(names, record):
    counter = check(names, 2500, 2)
    record("-".join(names), "share of distances proven, not MuJoCo's", {"proven": counter["proven"] / counter["found"]})


@pytest.mark.parametrize("other", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "hull"])
def test_distance_of_a_height_field_is_that_of_mujoco(other):
    scene = Scene(("hfield", other))
    for pose in scene.poses(100, 3):
        scene.place(pose)
        theirs, ends = scene.mujoco(0, 1)
        ours = scene.data.geom_distance(0, 1, DISTMAX)
        assert abs(ours.dist - theirs) <= 2e-6
        assert ours.fromto.any() == ends.any()


@pytest.mark.parametrize("names", [("plane", "plane"), ("plane", "hfield"), ("hfield", "hfield")])
def test_types_that_do_not_collide_have_the_largest_distance(names):
    scene = Scene(names)
    assert scene.mujoco(0, 1, 0.7) == (0.7, pytest.approx(0.0))
    ours = scene.data.geom_distance("first", "second", 0.7)
    assert ours.dist == 0.7
    assert not ours.fromto.any()
    assert scene.data.geom_distance(0, 1).dist == np.inf


@pytest.mark.parametrize("names", [("plane", "box"), ("sphere", "box"), ("box", "hull"), ("capsule", "ellipsoid")])
@pytest.mark.parametrize("distmax", [np.inf, 1e31, 1e10, 0.5, 0.01, 0.0])
def test_any_limit(names, distmax):
    scene = Scene(names)
    for pose in scene.poses(20, 4):
        scene.place(pose)
        theirs, _ = scene.mujoco(0, 1, distmax)
        ours = scene.data.geom_distance(0, 1, distmax)
        assert abs(ours.dist - theirs) <= (1e-9 if theirs > 1e-6 or "ellipsoid" not in names else 1e-6)
        assert ours.fromto.any() == (ours.dist < distmax)


def test_geoms_by_name():
    scene = Scene(("sphere", "box"))
    scene.place(np.array([0.7, 0, 0, 1, 0, 0, 0]))
    dist, fromto = scene.data.geom_distance("second", "first")
    assert dist == pytest.approx(0.5)
    np.testing.assert_allclose(fromto, [0.6, 0, 0, 0.1, 0, 0], atol=1e-12)
    with pytest.raises(phalanx.UnknownNameError, match="third"):
        scene.data.geom_distance("first", "third")


@pytest.mark.parametrize("names", list(itertools.combinations_with_replacement(SOLIDS, 2)))
def test_coincident_geoms_have_a_finite_distance(names):
    scene = Scene(names)
    for quat in ([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5], [np.sqrt(0.5), 0, np.sqrt(0.5), 0]):
        scene.place(np.array([0, 0, 0, *quat]))
        ours, theirs = scene.data.geom_distance(0, 1), scene.mujoco(0, 1)[0]
        assert np.isfinite(ours.fromto).all()
        assert ours.dist == pytest.approx(theirs, abs=1e-9) if names in FORMULAS else -1.0 < ours.dist < -0.005


@pytest.mark.parametrize("names", [("plane", "hull"), ("sphere", "box"), ("cylinder", "box"), ("capsule", "hull")])
def test_interpreted_compiled_and_single_precision(names):
    compiled, single, plain = Scene(names), Scene(names, "float32"), Scene(names)
    with interpreted():
        plain.data.geom_distance(0, 1)  # the first call decides how it runs
    for pose in compiled.poses(12, 6):
        for scene in (compiled, plain, single):
            scene.place(pose)
        ours, same, rough = (scene.data.geom_distance(0, 1, DISTMAX) for scene in (compiled, plain, single))
        assert ours.dist == same.dist
        assert ours.fromto.tobytes() == same.fromto.tobytes()
        assert abs(rough.dist - ours.dist) < 1e-5
