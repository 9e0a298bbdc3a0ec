"""Physics that the engine does not simulate yet: one model for each feature, not neutralized.

Each is expected to differ from MuJoCo. When a stage arrives, its test passes, and the strict marker says to move the
model to `tests/models`, where every comparison applies to it.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import pytest

import phalanx
from tests.conformance.models import GAP_MODELS, GAPS, make_data
from tests.conformance.states import Worst, compare, random_states
from tests.conformance.states import load as load_state

TOLERANCE = 1e-9
FIELDS = (
    "qpos", "qvel", "qacc", "qfrc_passive", "qfrc_actuator", "actuator_length", "ten_length", "sensordata",
    "tree_asleep", "ncon", "nefc",
)  # fmt: skip
#: Steps from the first state, which is at rest: long enough to fall asleep.
AT_REST = 15


@pytest.mark.parametrize("feature", GAP_MODELS)
def test_gap(feature: str, record: Callable[..., None], request: pytest.FixtureRequest) -> None:
    request.applymarker(pytest.mark.xfail(reason=f"GAP: {feature.replace('_', ' ')}", strict=True))
    model = mujoco.MjModel.from_xml_path(str(GAPS / f"{feature}.xml"))
    data = make_data(phalanx.Model.from_mujoco(model))
    worst = Worst(TOLERANCE)
    for number, mjdata in enumerate(random_states(model, 8, seed=6)):
        for _ in range(AT_REST if number == 0 else 1):
            load_state(data, mjdata)
            mujoco.mj_step(model, mjdata)
            data.step()
            worst.add(compare(data, mjdata, FIELDS), f"state {number}")
    record(feature, "gap", worst.errors)
    assert not worst.failures, worst.failures


SILENT: tuple[str, ...] = ()


@pytest.mark.parametrize(
    "feature",
    [
        pytest.param(feature, marks=[pytest.mark.xfail(reason=f"GAP: {feature} is left out silently", strict=True)])
        if feature in SILENT
        else feature
        for feature in GAP_MODELS
    ],
)
def test_a_gap_is_announced(feature: str) -> None:
    """Nothing is left out silently: a warning names it, or the model is refused."""
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_path(str(GAPS / f"{feature}.xml")))
    refusals = (phalanx.UnsupportedFeatureWarning, phalanx.ModelError)
    with pytest.raises(refusals, match=r"does not simulate|is not supported"):
        model.make_data()
