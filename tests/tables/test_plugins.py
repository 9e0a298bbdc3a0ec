"""The rows of plugins against the plugins that MuJoCo registers."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from phalanx.tables.plugins import _LIBRARIES, NCONFIG, PLUGINS, PLUGINS_BY_NAME, PluginKind, PluginType, type_of
from tests.conformance.plugin_models import SHAPES, registered, their_box


def test_rows_are_the_plugins_of_the_wheel():
    theirs = {plugin.name.decode(): plugin for plugin in registered()}
    assert set(theirs) == set(PLUGINS_BY_NAME)
    for name, plugin in theirs.items():
        row = PLUGINS_BY_NAME[name]
        assert plugin.capabilityflags == row.kind
        assert [plugin.attributes[k].decode() for k in range(plugin.nattribute)] == [key.name for key in row.keys]


def test_a_slot_tells_the_plugin_whatever_the_order_of_libraries():
    for order in permutations(_LIBRARIES):
        for slot, kind in enumerate(kind for library in order for kind in library):
            row = PLUGINS[kind]
            assert type_of(slot, row.kind, len(row.keys)) == kind


def test_other_plugins_are_not_taken_for_ours():
    assert type_of(7, PluginKind.ACTUATOR, 5) is None
    assert type_of(0, PluginKind.ACTUATOR, 4) is None
    assert type_of(2, PluginKind.PASSIVE, 1) is None


@pytest.mark.parametrize(
    ("kind", "texts", "message"),
    [
        (PluginType.PID, {"kp": "x"}, "kp is 'x', not a number"),
        (PluginType.PID, {"kp": "1 2"}, "not a number"),
        (PluginType.PID, {"slewmax": "-1"}, "slewmax is -1; it must be at least 0"),
        (PluginType.PID, {"ki": "-2", "imax": "1"}, "imax must be positive, or have the sign of ki"),
        (PluginType.PID, {"kp": "inf"}, "kp is inf; it must be finite"),
        (PluginType.TOUCH_GRID, {"size": "7 7"}, "fov is missing"),
        (PluginType.TOUCH_GRID, {"size": "7", "fov": "1 1"}, "size is '7', not 2 numbers"),
        (PluginType.TOUCH_GRID, {"size": "7 0", "fov": "1 1"}, "size is 0; it must be at least 1"),
        (PluginType.TOUCH_GRID, {"size": "7 7", "fov": "1 91"}, "above 0 and at most 90"),
        (PluginType.TOUCH_GRID, {"size": "7 7", "fov": "1 1", "nchannel": "7"}, "at most 6"),
        (PluginType.TOUCH_GRID, {"size": "7 7", "fov": "1 1", "gamma": "1.5"}, "at most 1"),
        (PluginType.BOWL, {"height": "2"}, "at most the radius"),
        (PluginType.GEAR, {"teeth": "0"}, "must be positive"),
    ],
)
def test_a_wrong_configuration_is_refused(kind, texts, message):
    row = PLUGINS[kind]
    with pytest.raises(ValueError, match=message):
        row.numbers(row.texts(texts))


def test_numbers_follow_the_keys():
    row = PLUGINS[PluginType.TOUCH_GRID]
    assert row.numbers(row.texts({"size": "7 8", "fov": "10 20", "gamma": ".5"})) == (1, 7, 8, 10, 20, 0.5)
    assert (row.first("nchannel"), row.first("size"), row.first("fov"), row.first("gamma")) == (0, 1, 3, 5)
    assert NCONFIG == 6


@pytest.mark.parametrize("kind", SHAPES)
def test_boxes_are_those_of_mujoco(kind):
    row, rng = PLUGINS[kind], np.random.default_rng(0)
    for _ in range(20):
        config = tuple(abs(x) * rng.uniform(0.3, 1.9) + (kind == PluginType.GEAR) for x in row.numbers(row.texts({})))
        np.testing.assert_allclose(their_box(row.name, config)[3:], row.half_sizes(config), rtol=1e-15)
