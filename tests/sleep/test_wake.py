"""What wakes trees, rule by rule, as MuJoCo has it."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.tables.scratch_fields import WAKING
from tests.sleep.side_by_side import SideBySide, all_asleep

BOXES = """
<mujoco>
  <option {options}><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="lower" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="apart" pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="upper" pos="0 0 .299"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="top"/></body>
    {more}
  </worldbody>
  {sections}
</mujoco>
"""


def boxes(options: str = "", more: str = "", sections: str = "") -> SideBySide:
    return SideBySide(BOXES.format(options=options, more=more, sections=sections))


def asleep(options: str = "", more: str = "", sections: str = "") -> SideBySide:
    """Boxes that sleep."""
    pair = boxes(options, more, sections)
    pair.until(all_asleep)
    pair.steps(3)
    return pair


@pytest.mark.parametrize(
    ("name", "index", "value", "wakes"),
    [
        ("qpos", 7, 1.01, True),
        ("qpos", 16, 0.3, True),
        ("qvel", 0, 1e-9, True),
        ("qvel", 0, -0.0, True),
        ("qvel", 0, 0.0, False),
        ("qfrc_applied", 8, 2.0, True),
        ("qfrc_applied", 8, -0.0, True),
        ("xfrc_applied", (3, 1), 1.0, True),
        ("xfrc_applied", (3, 5), -0.0, True),
        ("xfrc_applied", (0, 0), 1.0, False),
    ],
)
def test_what_the_user_sets_wakes_the_island(name, index, value, wakes):
    pair = asleep()
    pair.set(name, index, value)
    pair.step()
    assert all_asleep(pair.mjdata.tree_asleep) != wakes
    pair.steps(5)
    pair.set(name, index, 0.0 if name != "qpos" else pair.mjdata.qpos[index])
    pair.steps(60)


def test_a_longer_quaternion_is_the_same_pose_and_wakes_nobody():
    pair = asleep()
    quat = 2.0 * pair.mjdata.qpos[3:7]
    pair.set("qpos", slice(3, 7), quat)
    pair.step()
    assert all_asleep(pair.mjdata.tree_asleep)
    pair.set("qpos", slice(3, 7), -quat)
    pair.step()
    assert not all_asleep(pair.mjdata.tree_asleep)
    pair.steps(40)


def test_contact_with_an_awake_tree_wakes_and_passes_on_its_counter():
    pair = asleep(more='<body pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>')
    pair.set("qpos", slice(21, 24), (1.05, 0.02, 0.5))
    pair.steps(400)
    pair.until(all_asleep)


def test_contact_with_a_mocap_body_wakes():
    hand = '<body name="hand" mocap="true" pos="0 3 .1"><geom type="box" size=".1 .1 .1"/></body>'
    pair = asleep(more=hand)
    pair.steps(5)
    for y in np.linspace(3, 0.1, 60):
        pair.set("mocap_pos", 0, (0.0, y, 0.1))
        pair.step()
    pair.steps(100)


def test_a_tree_on_a_mocap_body_wakes_with_it():
    arm = (
        '<body name="hand" mocap="true" pos="0 3 1"><geom size=".1"/>'
        '<body pos="0 .3 0"><joint axis="1 0 0" damping="1"/><geom size=".05" fromto="0 0 0 0 0 -.3" type="capsule"/>'
        "</body></body>"
    )
    pair = asleep(more=arm)
    pair.set("mocap_pos", 0, (0.0, 3.1, 1.0))
    pair.step()
    assert (pair.mjdata.tree_asleep < 0).sum() == 1
    pair.steps(200)


def test_a_tendon_at_its_limit_wakes_the_other_tree():
    more = '<body name="free" pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="end"/></body>'
    tendon = (
        '<tendon><spatial limited="true" range="0 {length}"><site site="top"/><site site="end"/></spatial></tendon>'
    )
    pair = asleep(more=more, sections=tendon.format(length=2.2))
    pair.set("qvel", 18, 0.8)
    pair.steps(300)
    pair.until(all_asleep)


@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_equalities_that_are_switched_on_wake(kind):
    anchor = 'anchor=".1 0 0"' if kind == "connect" else ""
    pair = asleep(sections=f'<equality><{kind} body1="lower" body2="apart" {anchor} active="false"/></equality>')
    pair.set("eq_active", 0, 1)
    pair.step()
    assert not all_asleep(pair.mjdata.tree_asleep)
    pair.steps(200)
    # and to a tree that is awake
    pair = asleep(sections=f'<equality><{kind} body1="lower" body2="apart" {anchor} active="false"/></equality>')
    pair.set("qvel", 6, 0.1)
    pair.step()
    pair.set("eq_active", 0, 1)
    pair.steps(100)


def test_an_equality_to_a_mocap_body_keeps_awake():
    hand = '<body name="hand" mocap="true" pos="1 0 1"/>'
    pair = asleep(more=hand, sections='<equality><weld body1="hand" body2="apart" active="false"/></equality>')
    pair.set("eq_active", 0, 1)
    pair.steps(100)


def test_equalities_of_joints_and_sites_wake():
    more = (
        '<body pos="3 0 1"><joint name="a" type="slide" damping="2"/><geom size=".05"/></body>'
        '<body pos="3 1 1"><joint name="b" type="slide" damping="2"/><geom size=".05"/><site name="s"/></body>'
    )
    pair = asleep('gravity="0 0 -9.81"', more, '<equality><joint joint1="a" joint2="b"/><joint joint1="b"/></equality>')
    pair.set("qvel", 18, 0.2)
    pair.steps(100)
    pair.until(all_asleep)


@pytest.mark.parametrize("options", ['sleep_tolerance="0"', 'sleep_tolerance="0.05"', 'sleep_tolerance="1e-6"'])
def test_the_tolerance_decides_when_trees_fall_asleep(options):
    boxes(options).steps(300)


@pytest.mark.parametrize(
    "options",
    [
        'integrator="implicit"', 'integrator="implicitfast"', 'integrator="discrete"', 'solver="CG"', 'solver="PGS"',
        'cone="elliptic"', 'noslip_iterations="4"', 'jacobian="sparse"',
    ],
)  # fmt: skip
@pytest.mark.conformance
def test_solvers_and_integrators_sleep_alike(options):
    pair = asleep(options)
    pair.set("xfrc_applied", (2, 2), 0.3)
    pair.steps(30)
    pair.set("xfrc_applied", (2, 2), 0.0)
    pair.set("qvel", 12, 0.7)
    pair.steps(200)


@pytest.mark.parametrize("flag", ["island", "contact", "constraint", "gravity", "warmstart", "midphase"])
@pytest.mark.conformance
def test_disabled_parts_of_the_physics_sleep_alike(flag):
    pair = SideBySide(BOXES.format(options="", more="", sections="").replace("<flag ", f'<flag {flag}="disable" '))
    pair.steps(100)
    pair.set("qvel", 12, 0.7)
    pair.steps(100)


# --- rows that nobody has got hold of are not compared


PLAIN = BOXES.format(options="", more="", sections="")


def quiet_boxes(model: phalanx.Model | None = None) -> phalanx.Data:
    """Boxes that sleep, in a Data of which no row that wakes was asked for."""
    data = (model or phalanx.Model.from_xml_string(PLAIN)).make_data()
    data.step(400)
    data.step()
    assert all_asleep(data.tree_asleep)
    assert data._store.arrays["is_unseen"].tolist() == [1, 1, 1, 1]
    return data


def row_of(data: phalanx.Data, name: str) -> np.ndarray:
    """Numbers of the box that stands apart."""
    return {
        "qpos": lambda: data.qpos[7:8],
        "qvel": lambda: data.qvel[6:7],
        "qfrc_applied": lambda: data.qfrc_applied[6:7],
        "xfrc_applied": lambda: data.xfrc_applied[2, :1],
    }[name]()


@pytest.mark.parametrize("name", WAKING)
def test_whoever_gets_a_row_wakes_with_it_for_ever(name):
    data = quiet_boxes()
    row = row_of(data, name)
    row += 0.5
    data.step()
    assert data.tree_asleep[1] < 0 and data.tree_asleep[0] >= 0
    assert data._store.arrays["is_unseen"].sum() == 3
    # the array that was kept wakes after a reset, a snapshot and in a state that sleeps again
    data.reset()
    data.step(400)
    snapshot = data.snapshot()
    row += 0.5
    data.step()
    assert data.tree_asleep[1] < 0
    data.restore(snapshot).step()
    assert all_asleep(data.tree_asleep)
    row += 0.5
    data.step()
    assert data.tree_asleep[1] < 0


@pytest.mark.parametrize("name", WAKING)
def test_all_ways_to_write_a_row_wake(name):
    def assigned(data):
        values = np.array(data._store.arrays[name])
        values.reshape(-1)[values.size // 3 + 1] += 0.5
        setattr(data, name, values)

    def by_name(data):
        if name == "xfrc_applied":
            data.body("apart").xfrc_applied[0] = 0.5
        else:
            getattr(data.joint(1), name)[0] += 0.5

    def by_state(data):
        state = data.get_state(name.upper())
        state[state.size // 3 + 1] += 0.5
        data.set_state(state, name.upper())

    for change in (assigned, by_name, by_state):
        data = quiet_boxes()
        change(data)
        data.step()
        assert (data.tree_asleep < 0).any(), change.__name__


# --- large rows are compared as long as somebody has them


MANY = 600


@pytest.fixture(scope="module")
def many() -> phalanx.Model:
    """Boxes apart from each other that sleep from the start."""
    boxes = "".join(
        f'<body name="b{k}" pos="{0.3 * (k % 25):g} {0.3 * (k // 25):g} .1" sleep="init"><freejoint/>'
        '<geom type="box" size=".1 .1 .1"/></body>'
        for k in range(MANY)
    )
    xml = f'<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>{boxes}'
    return phalanx.Model.from_xml_string(f"{xml}</worldbody></mujoco>")


def unseen(data: phalanx.Data) -> list[int]:
    return data._store.arrays["is_unseen"].tolist()


def parts_of(array: np.ndarray) -> dict[str, object]:
    """Ways to have a part of an array, of which none is the array."""
    return {
        "part": array[14:15] if array.ndim == 1 else array[3, :1],
        "view": array.view(),
        "shape": array.reshape(-1),
        "bytes": array.view(np.uint8),
        "part of a part": array.reshape(-1)[10:30][::2],
        "buffer": memoryview(array.reshape(-1)),
        "object": array.reshape(-1).__dlpack__(),
    }


@pytest.mark.parametrize("row", range(len(WAKING)))
def test_large_rows_that_nobody_has_any_more_are_not_compared(many, row):
    data, name = many.make_data(), WAKING[row]
    data.step()
    assert unseen(data) == [1, 1, 1, 1]
    getattr(data, name)[...] += 0.0
    data.step()
    assert all_asleep(data.tree_asleep) and unseen(data) == [1, 1, 1, 1]
    # what is changed in passing wakes in the next step, and is compared no longer
    for _ in range(2):
        array = getattr(data, name)
        array.reshape(-1)[array.size // 2] += 0.01
        del array
        assert unseen(data)[row] == 0
        data.forward()
        data.step()
        assert int((data.tree_asleep < 0).sum()) == 1 and unseen(data) == [1, 1, 1, 1]
        data.reset()


@pytest.mark.parametrize("row", range(len(WAKING)))
@pytest.mark.parametrize("way", ["array", *parts_of(np.zeros(60))])
def test_who_keeps_a_part_of_a_large_row_wakes_with_it(many, row, way):
    data, name = many.make_data(), WAKING[row]
    kept = getattr(data, name) if way == "array" else parts_of(getattr(data, name))[way]
    for _ in range(3):
        data.step()
        assert unseen(data)[row] == 0
    array = kept if isinstance(kept, np.ndarray) and kept.dtype == np.float64 else getattr(data, name)
    array.reshape(-1)[-1] += 0.01
    del array
    data.step()
    assert (data.tree_asleep < 0).sum() == 1
    del kept
    data.step()
    assert unseen(data)[row] == 1


def test_large_rows_of_copies_and_snapshots_wake(many):
    data = many.make_data()
    data.step()
    snapshot = data.snapshot()
    data.qvel[12] = 0.1
    disturbed, twin = data.snapshot(), data.copy()
    for each in (data, twin, many.make_data().restore(disturbed), data.restore(snapshot).restore(disturbed)):
        assert int((each.step().tree_asleep < 0).sum()) == 1
    assert all_asleep(data.restore(snapshot).step().tree_asleep)
    assert data.qvel is not data.qpos and np.shares_memory(data.qvel, data.qvel)


def test_a_step_that_fails_has_not_seen_what_was_changed(many):
    data = many.make_data()
    data.step()
    data.qvel[12] = 0.1
    data.qfrc_applied[0] = np.nan
    with pytest.raises(phalanx.WorldError):
        data.step()
    assert unseen(data)[1] == 0
    data.qfrc_applied[0] = 0.0
    data.step()
    assert data.tree_asleep[2] < 0


def test_functions_of_the_user_wake_without_an_array():
    def push(m, d):
        d.qfrc_applied[6] = 0.5 if d.time > 0.85 and d.time < 0.86 else 0.0

    model = phalanx.Model.from_xml_string(PLAIN).with_hooks(control=push)
    data = model.make_data()
    awake = []
    for _ in range(440):
        data.step()
        awake.append(bool(data.tree_asleep[1] < 0))
    assert not awake[415] and any(awake[424:]) and data._store.arrays["is_unseen"].all()


def test_a_copy_that_was_not_asked_for_goes_on_alike():
    data, touched = quiet_boxes(), quiet_boxes()
    for name in WAKING:
        getattr(touched, name)
    for each in (data, touched):
        each.body("apart").xpos  # noqa: B018
        each.step(7)
        each.step()
    assert data.fingerprint() == touched.fingerprint()
