"""Fields by name, as users write them."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.memory.errors import FieldError, UnknownNameError
from phalanx.show.viewer.plot_fields import MOST_LINES, plot_field
from phalanx.show.viewer.plots import MOST_SAMPLES, Curves


@pytest.fixture(scope="module")
def data() -> phalanx.Data:
    return phalanx.load("quadruped").make_data().reset("stand").forward()


@pytest.mark.parametrize(
    ("text", "expected", "labels"),
    [
        ("qpos[2]", lambda d: d.qpos[2:3], ("qpos[2]",)),
        ("qpos[0:3]", lambda d: d.qpos[:3], ("qpos[0]", "qpos[1]", "qpos[2]")),
        (" qvel[-1] ", lambda d: d.qvel[-1:], ("qvel[-1]",)),
        ("time", lambda d: [d.time], ("time",)),
        ("energy", lambda d: d.energy, ("energy[0]", "energy[1]")),
        ("xpos[1:3, 2]", lambda d: d.xpos[1:3, 2], ("xpos[1, 2]", "xpos[2, 2]")),
        ("xpos[1]", lambda d: d.xpos[1], ("xpos[1, 0]", "xpos[1, 1]", "xpos[1, 2]")),
    ],
)
def test_fields_are_read_by_name_and_index(data, text, expected, labels):
    field = plot_field(text, data)
    assert field.labels == labels
    np.testing.assert_array_equal(field.read(data), expected(data))


def test_fields_of_objects_are_read_by_their_names(data):
    model = data.model
    body, joint = model.names.names["body"][1], model.names.names["joint"][1]
    np.testing.assert_array_equal(plot_field(f"body {body} xpos", data).read(data), data.xpos[1])
    np.testing.assert_array_equal(plot_field(f"body {body}", data).read(data), data.xpos[1])
    np.testing.assert_array_equal(plot_field(f"body {body} xpos[2]", data).read(data), data.xpos[1, 2:])
    np.testing.assert_array_equal(plot_field(f"joint {joint} qpos", data).read(data), data.joint(joint).qpos)
    sensor = model.names.names["sensor"][0]
    np.testing.assert_array_equal(plot_field(f"sensor {sensor}", data).read(data), data.sensor(sensor).data)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", FieldError, "name a field"),
        ("qpso", FieldError, "did you mean 'qpos'"),
        ("qpos[", FieldError, "is no field"),
        ("qpos[1.5]", FieldError, "is no field"),
        ("qpos[1000]", FieldError, "outside of the field"),
        ("qpos[5:5]", FieldError, "is empty"),
        ("xpos", FieldError, f"a plot shows {MOST_LINES}"),
        ("body nobody xpos", UnknownNameError, "nobody"),
        ("qpos[0].__class__", FieldError, "is no field"),
    ],
)
def test_what_cannot_be_plotted_is_refused_with_a_hint(data, text, error, message):
    with pytest.raises(error, match=message):
        plot_field(text, data)


def test_curves_are_bounded_and_go_back_with_the_world(data):
    curves = Curves(plot_field("time", data))
    for k in range(3 * MOST_SAMPLES):
        data.time = 0.01 * k
        curves.add(data)
    times, values = curves.columns()
    assert len(times) == MOST_SAMPLES
    np.testing.assert_array_equal(times, values)
    assert times[-1] == data.time
    data.time = times[-100]
    curves.add(data)
    assert curves.columns()[0][-1] == times[-100]


def test_a_curve_of_one_sample_can_be_drawn(data):
    curves = Curves(plot_field("time", data))
    curves.add(data)
    assert len(curves.columns()[0]) == 2
