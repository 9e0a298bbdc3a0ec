"""Exact derivatives by `transition`: as differences say, and with the step itself; where differences take over."""

import numpy as np
import pytest

import phalanx

SLOPE = """<mujoco><option timestep="0.002" {options}/><worldbody><geom type="plane" size="1 1 1" euler="10 0 0"/>
  <body pos="0 0 .099"><freejoint/><geom type="sphere" size=".1"/></body></worldbody>
  <sensor><framepos objtype="body" objname="ball"/></sensor></mujoco>""".replace("<body ", '<body name="ball" ')


def moving(name: str) -> phalanx.Data:
    """A built-in robot after some steps, with a solver that runs to the minimum."""
    model = phalanx.load(name).replace(opt={"tolerance": 0.0})
    data = model.make_data().reset(0).step(20)
    data.qvel[:] += 0.1 * np.random.default_rng(0).standard_normal(model.nv)
    return data


def rolling(options: str = "") -> phalanx.Data:
    """A ball on a slope."""
    return phalanx.Model.from_xml_string(SLOPE.format(options=options)).make_data().step(5)


@pytest.mark.parametrize("name", ["cartpole", "quadruped"])
def test_exact_derivatives_are_what_differences_come_close_to(name):
    data = moving(name)
    before, exact = data.fingerprint(), data.transition("analytic")
    assert data.fingerprint() == before
    differences = data.transition()
    assert exact.method == "analytic" and exact.remaining == () and exact.crossed == []
    # rounding of differences over eps, through stiff contacts
    assert np.abs(exact.matrix - differences.matrix).max() < 1e-6 * np.abs(differences.matrix).max()
    assert exact.columns == differences.columns


def test_the_step_itself_comes_along():
    data = moving("quadruped")
    exact, after = data.transition("analytic"), data.copy().step()
    for found, expected in (
        (exact.next_qpos, after.qpos), (exact.next_qvel, after.qvel), (exact.sensordata, after.sensordata)
    ):  # fmt: skip
        np.testing.assert_array_equal(found, expected)
    shorter = data.transition("analytic", sensors=False)
    assert shorter.C.shape == (0, shorter.A.shape[1]) and shorter.sensordata.shape == (0,)
    np.testing.assert_array_equal(shorter.A, exact.A)


def test_worlds_of_a_batch_have_the_derivatives_of_each_alone():
    data = moving("cartpole")
    with phalanx.BatchSim(data.model, 3) as batch:
        batch.restore(data.snapshot(), np.arange(3))
        batch.qvel[1] += 0.5
        batch.qpos[2] = np.nan
        found = batch.transition("analytic")
    np.testing.assert_array_equal(found.matrix[0], data.transition("analytic").matrix)
    data.qvel[:] += 0.5
    np.testing.assert_array_equal(found.matrix[1], data.transition("analytic").matrix)
    assert found.failed.tolist() == [False, False, True] and not found.matrix[2].any()


def test_worlds_whose_models_differ_have_their_own_derivatives():
    model = phalanx.load("cartpole")
    masses = model.body_mass * np.array([[1.0], [2.0]])
    with phalanx.BatchSim(model, 2, vary={"body_mass": masses}) as batch:
        found = batch.transition("analytic")
    for world, mass in enumerate(masses):
        alone = model.replace(body_mass=mass).make_data().transition("analytic")
        np.testing.assert_array_equal(found.matrix[world], alone.matrix)


def test_with_a_noslip_pass_the_hybrid_takes_differences():
    data = rolling('noslip_iterations="3"')
    assert "noslip" in data.transition("analytic").remaining and "noslip" in repr(data.transition("analytic"))
    hybrid = data.transition("hybrid")
    assert hybrid.method == "fd"
    np.testing.assert_array_equal(hybrid.matrix, data.transition("fd").matrix)


def test_otherwise_the_hybrid_is_exact():
    data = rolling()
    np.testing.assert_array_equal(data.transition("hybrid").matrix, data.transition("analytic").matrix)


def test_single_precision_is_differentiated_in_double():
    model = phalanx.load("cartpole")
    single, double = model.make_data(dtype="float32"), model.make_data()
    np.testing.assert_allclose(single.transition("analytic").A, double.transition("analytic").A, atol=1e-6)


def test_a_model_without_joints_has_no_columns():
    data = phalanx.Model.from_xml_string("<mujoco/>").make_data()
    assert data.transition("analytic").matrix.shape == data.transition().matrix.shape == (0, 0)


def test_models_that_sleep_and_unknown_methods_are_refused():
    asleep = SLOPE.format(options="").replace("<option ", '<option><flag sleep="enable"/></option><option ')
    with pytest.raises(phalanx.ModelError, match="sleep"):
        phalanx.Model.from_xml_string(asleep).make_data().transition("analytic")
    with pytest.raises(phalanx.FieldError, match="'fd' or 'analytic' or 'hybrid'"):
        rolling().transition("exact")


def test_plans_can_be_made_with_exact_derivatives():
    start = phalanx.load("cartpole").make_data().reset("upright")
    start.qpos[:] = 0.3, 0.2
    goals = [phalanx.Goal("cart_position", weight=1.0), phalanx.Goal("pole_angle", weight=1.0, final=10.0)]
    exact, differences = (phalanx.ilqr(start, goals, steps=30, method=method) for method in ("analytic", "fd"))
    np.testing.assert_allclose(exact.ctrl, differences.ctrl, atol=1e-3)
