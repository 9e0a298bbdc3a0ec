"""Policies, the start, random piles: the same trees asleep at the same step as in MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from tests.sleep.side_by_side import LISTS, SideBySide, all_asleep

POLICIES = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 .1" sleep="{a}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="b" pos="1 0 .1" sleep="{b}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="c" pos="{x} 0 .299" sleep="{c}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="d" pos="3 0 1" sleep="{d}"><joint name="j" type="slide" damping="5"/><geom size=".1"/></body>
  </worldbody>
  <actuator><general joint="j" dyntype="filter" dynprm="1" gainprm="1e-6"/></actuator>
  <sensor>
    <jointpos joint="j"/><jointvel joint="j" nsample="5" delay=".006"/><jointpos joint="j" nsample="4" interval=".01"/>
    <framelinvel objtype="body" objname="a"/><framepos objtype="body" objname="c" reftype="body" refname="a"/><clock/>
    <subtreelinvel body="b"/>
  </sensor>
</mujoco>
"""


@pytest.mark.filterwarnings("ignore::phalanx.AwakeWarning")
@pytest.mark.parametrize("policies", ["aaa3a", "iaa0a", "iai0l", "nni1l", "lnl0l", "iii0i", "nal0n", "aai1l"])
def test_policies_are_those_of_mujoco(policies):
    words = {"a": "auto", "n": "never", "l": "allowed", "i": "init"}
    a, b, c, x, d = (words.get(letter, letter) for letter in policies)
    pair = SideBySide(POLICIES.format(a=a, b=b, c=c, d=d, x=x))
    for name in LISTS[:7]:
        assert np.array_equal(getattr(pair.data, name), getattr(pair.mjdata, name)), name
    pair.set("ctrl", 0, 1.0)
    pair.steps(100)
    pair.set("qvel", 18, 0.01)
    pair.steps(60)


def test_trees_that_cannot_sleep_from_the_start_are_named():
    xml = POLICIES.format(a="init", b="auto", c="auto", d="auto", x=0)
    with pytest.warns(phalanx.AwakeWarning, match="1 of 1 trees .* body 'a'"):
        phalanx.Model.from_xml_string(xml).make_data()


def test_worlds_of_a_batch_begin_asleep():
    model = phalanx.Model.from_xml_string(POLICIES.format(a="init", b="auto", c="init", d="auto", x=0))
    data, batch = model.make_data(), phalanx.BatchSim(model, 3)
    assert list(data.tree_asleep) == [2, -10, 0, -11]
    data.step(50)
    batch.step(50)
    assert data.fingerprint() == batch.fingerprint(2)
    batch.reset(1)
    assert np.array_equal(batch.tree_asleep[1], data.reset().tree_asleep)
    assert data.fingerprint() == batch.fingerprint(1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('integrator="RK4"', "another integrator than RK4"),
        ('integrator="discrete"', "needs islands"),
    ],
)
def test_what_cannot_sleep_is_refused(change, words):
    xml = POLICIES.format(a="auto", b="auto", c="auto", d="auto", x=0).replace("<option", f"<option {change}")
    xml = xml.replace("<flag", '<flag island="disable"')
    with pytest.raises(phalanx.ModelError, match=words):
        phalanx.Model.from_xml_string(xml).make_data()


def test_equalities_of_tendons_are_refused():
    tendons = '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
    xml = POLICIES.format(a="auto", b="auto", c="auto", d="auto", x=0)
    xml = xml.replace("<actuator>", f'{tendons}<equality><tendon name="e" tendon1="t"/></equality><actuator>')
    with pytest.raises(phalanx.ModelError, match="equalities of tendons, such as equality 'e'"):
        phalanx.Model.from_xml_string(xml).make_data()


def test_finite_differences_are_refused():
    data = phalanx.Model.from_xml_string(POLICIES.format(a="auto", b="auto", c="auto", d="auto", x=0)).make_data()
    with pytest.raises(phalanx.ModelError, match="do not go with sleep"):
        data.transition_fd()


# --- random piles


#: Options with which each solver comes to the minimum. CG and PGS that end when the cost falls by less than a tolerance
#: are further from it than states are compared: a cost that is right to eps has a minimum that is right to sqrt(eps).
TO_THE_MINIMUM = {
    "Newton": 'iterations="300" tolerance="1e-14"',
    "CG": 'solver="CG" iterations="2000" tolerance="0"',
    "PGS": 'solver="PGS" iterations="1000" tolerance="0"',
}


def pile(rng: np.random.Generator, solver: str = "Newton") -> str:
    """Boxes, capsules and pairs of links that fall on a floor, tied by an equality now and then."""
    bodies = []
    for k in range(rng.integers(3, 9)):
        x, y, z = rng.uniform(-0.35, 0.35), rng.uniform(-0.35, 0.35), 0.1 + 0.16 * k * rng.random()
        size = " ".join(f"{s:.3f}" for s in rng.uniform(0.05, 0.1, 3))
        shape = rng.choice(["box", "box", "capsule"])
        link = (
            '<body pos=".15 0 0"><joint axis="0 1 0" damping=".01"/><geom type="box" size=".05 .05 .05"/></body>'
            if rng.random() < 0.25
            else ""
        )
        sleep = rng.choice(["auto", "auto", "auto", "allowed"])
        bodies.append(
            f'<body name="b{k}" pos="{x:.3f} {y:.3f} {z:.3f}" sleep="{sleep}"><freejoint/>'
            f'<geom type="{shape}" size="{size}"/>{link}</body>'
        )
    cone = rng.choice(["pyramidal", "elliptic"])
    tolerance = rng.choice(["1e-3", "1e-2", "3e-2"])
    return (
        f'<mujoco><option cone="{cone}" sleep_tolerance="{tolerance}" {TO_THE_MINIMUM[solver]}>'
        '<flag sleep="enable"/></option><default><geom solref=".01 1" condim="3"/></default>'
        f'<worldbody><geom type="plane" size="5 5 .1"/>{"".join(bodies)}'
        '<body name="hand" mocap="true" pos="2 0 .1"><geom size=".1"/></body></worldbody>'
        '<equality><weld body1="b0" body2="b1" active="false"/></equality>'
        '<sensor><framepos objtype="body" objname="b0"/><framelinvel objtype="body" objname="b1"/></sensor></mujoco>'
    )


def disturb(pair: SideBySide, rng: np.random.Generator) -> None:
    """Wake trees in one of all manners."""
    nv, nbody = pair.mjmodel.nv, pair.mjmodel.nbody
    manner = rng.integers(0, 7)
    if manner == 0:
        pair.set("qvel", rng.integers(0, nv), rng.choice([-0.0, 0.3, -1.0]))
    elif manner == 1:
        pair.set("qpos", 7 * rng.integers(0, 2) + rng.integers(0, 3), rng.uniform(0, 0.4))
    elif manner == 2:
        pair.set("xfrc_applied", (rng.integers(1, nbody - 1), rng.integers(0, 6)), rng.choice([-0.0, 3.0]))
    elif manner == 3:
        pair.set("qfrc_applied", rng.integers(0, nv), rng.choice([-0.0, 2.0]))
    elif manner == 4:
        pair.set("eq_active", 0, 1 - int(pair.mjdata.eq_active[0]))
    elif manner == 5:
        pair.set("mocap_pos", 0, rng.uniform(-0.4, 0.4, 3) + (0, 0, 0.2))
    else:
        pair.set("mocap_pos", 0, (2.0, 0.0, 0.1))


def run_pile(seed: int, steps: int, solver: str = "Newton") -> int:
    """A pile that falls asleep and is disturbed; how many times a tree fell asleep."""
    rng = np.random.default_rng(seed)
    pair, fallen = SideBySide(pile(rng, solver)), 0
    before = pair.mjdata.tree_asleep.copy()
    for k in range(steps):
        if k % 60 == 59:
            disturb(pair, rng)
        elif k % 60 == 10:
            pair.set("xfrc_applied", slice(None), 0.0)
            pair.set("qfrc_applied", slice(None), 0.0)
        pair.step()
        fallen += int(((pair.mjdata.tree_asleep >= 0) & (before < 0)).sum())
        before = pair.mjdata.tree_asleep.copy()
    return fallen


def test_piles_sleep_and_wake_as_in_mujoco():
    assert sum(run_pile(seed, 400) for seed in range(6)) > 0


@pytest.mark.conformance
@pytest.mark.parametrize("block", range(20))
def test_many_piles_sleep_and_wake_as_in_mujoco(block):
    assert sum(run_pile(1000 + 50 * block + k, 250) for k in range(50)) > 50


@pytest.mark.conformance
@pytest.mark.parametrize("solver", ["CG", "PGS"])
@pytest.mark.parametrize("block", range(4))
def test_many_piles_of_other_solvers_sleep_and_wake_as_in_mujoco(block, solver):
    assert sum(run_pile(3000 + 25 * block + k, 250, solver) for k in range(25)) > 25


# --- what keeps trees awake, in words


def test_sleeping_names_what_sleeps_and_why_others_do_not():
    model = phalanx.Model.from_xml_string(POLICIES.format(a="auto", b="never", c="auto", d="auto", x=0))
    data = model.make_data()
    data.step(300)
    found = data.sleeping()
    assert [tree.is_asleep for tree in found] == [True, False, True, False]
    assert str(found[0]) == "body 'a' sleeps with body 'c'"
    assert "never" in found[1].reason
    assert "actuator" in found[3].reason
    data.qvel[2] = 0.5
    data.step()
    assert "too fast" in data.sleeping()[0].reason
    data.xfrc_applied[3, 0] = 1e-9
    data.step(5)
    assert "xfrc_applied acts on body 'c'" in data.sleeping()[2].reason
    assert len(data.sleeping().awake) == 4


def test_sleeping_names_the_neighbor_that_is_not_ready():
    xml = POLICIES.format(a="auto", b="auto", c="never", d="auto", x=0)
    data = phalanx.Model.from_xml_string(xml).make_data()
    data.step(300)
    assert "neighbor body 'c' is not" in data.sleeping()[0].reason
    assert all_asleep(data.tree_asleep[1:2])


def test_without_the_flag_nothing_sleeps():
    xml = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    assert "flag sleep" in phalanx.Model.from_xml_string(xml).make_data().sleeping()[0].reason
