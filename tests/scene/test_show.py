"""Show: settings from the tables, checked."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

import phalanx
from phalanx.scene.decor import DECOR, LOOKS
from phalanx.scene.show import DEFAULTS, GROUPS
from tests.scene.reference import FLAGS, mujoco


def test_every_row_of_the_tables_is_a_switch():
    for name, row in {**DECOR, **LOOKS}.items():
        assert getattr(phalanx.Show(), name) is row.default
        assert getattr(phalanx.Show(**{name: not row.default}), name) is not row.default
        assert row.doc and name in inspect.signature(phalanx.Show).parameters
    assert not set(DECOR) & set(LOOKS)


def test_defaults_are_those_of_mujoco():
    option = mujoco.MjvOption()
    for name, flag in FLAGS.items():
        assert getattr(phalanx.Show(), name) == option.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{flag}")], name
    for group in GROUPS:
        assert list(getattr(phalanx.Show(), group)) == list(getattr(option, group))


@pytest.mark.parametrize(
    "wanted, expected",
    [
        (None, phalanx.Show()),
        ("contacts", phalanx.Show(contacts=True)),
        ("contacts, joints", phalanx.Show(contacts=True, joints=True)),
        (["contacts", "joints"], phalanx.Show(contacts=True, joints=True)),
        ({"tendons": False, "frames": "body"}, phalanx.Show(tendons=False, frames="body")),
        (phalanx.Show(fog=True), phalanx.Show(fog=True)),
    ],
)
def test_what_a_user_may_ask_for(wanted, expected):
    assert phalanx.Show.of(wanted) == expected


@pytest.mark.parametrize(
    "wanted, words",
    [
        ("contact", "did you mean 'contacts'"),
        ({"contacts": "off"}, "contacts is True or False"),
        ({"geomgroup": (1, 1)}, "geomgroup is 6 flags"),
        ({"geomgroup": 1}, "geomgroup is 6 flags"),
        ({"labels": "bodys"}, "did you mean 'body'"),
        ({"frames": 3}, "frames is one of none, body"),
        ("labels", "labels is not a switch"),
        (3, "show takes"),
        ([1, 2], "show takes"),
    ],
)
def test_what_does_not_exist_is_named(wanted, words):
    with pytest.raises(phalanx.FieldError, match=words):
        phalanx.Show.of(wanted)


def test_a_show_is_immutable_and_can_be_kept():
    show = phalanx.Show(contacts=True, geomgroup=[1, 1, 1, 1, 0, 0])
    with pytest.raises(phalanx.FieldError, match=r"show.replace\(contacts"):
        show.contacts = False
    with pytest.raises(phalanx.FieldError, match="did you mean 'contacts'"):
        _ = show.contact
    assert show.replace(contacts=False) == phalanx.Show(geomgroup=[1, 1, 1, 1, 0, 0])
    for same in (pickle.loads(pickle.dumps(show)), copy.deepcopy(show), eval(repr(show), {"Show": phalanx.Show})):
        assert same == show and hash(same) == hash(show)
    assert set(DEFAULTS) <= set(dir(show))


def test_groups_beyond_the_last_count_as_the_last():
    show = phalanx.Show(geomgroup=[1, 0, 0, 0, 0, 1])
    np.testing.assert_array_equal(show.in_group("geomgroup", np.array([-3, 0, 1, 5, 9])), [1, 1, 0, 1, 1])
