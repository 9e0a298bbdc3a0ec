"""Marks: drawings of the user, by name and for a time."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.scene import SceneBuilder
from phalanx.tables.enums import GeomType, ObjType


def test_every_kind_of_mark_is_decor_without_an_object():
    marks = phalanx.Marks()
    marks.arrow("arrow", (0, 0, 0), (0, 0, 2), width=0.1)
    marks.line("line", [(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    marks.frame("frame", (1, 2, 3), quat=(1, 0, 0, 0))
    marks.text("text", (0, 0, 1), "hello")
    marks.point_cloud("cloud", np.zeros((5, 3)), np.linspace(0, 1, 15).reshape(5, 3))
    marks.sphere("sphere", (0, 0, 0), 0.3, label="ball")
    marks.box("box", (0, 0, 0), (1, 2, 3), mat=np.eye(3))
    marks.capsule("capsule", (0, 0, 0), (0, 0, 4), 0.2)
    shapes = marks.shapes(0.0)
    assert len(shapes) == 1 + 2 + 3 + 1 + 5 + 1 + 1 + 1 and len(marks) == 8
    assert shapes.decor.all() and (shapes.objtype == ObjType.UNKNOWN).all() and (shapes.objid == -1).all()
    assert [text for text in shapes.labels if text] == ["hello", "ball"]
    np.testing.assert_allclose(shapes.size[0], (0.1, 0.175, 2))
    np.testing.assert_allclose(shapes.size[-1], (0.2, 2, 0))
    assert shapes.kind[0] == GeomType.ARROW and shapes.kind[6] == GeomType.LABEL


def test_a_name_drawn_again_replaces_the_old_one():
    marks = phalanx.Marks()
    marks.sphere("a", (0, 0, 0))
    marks.sphere("b", (5, 0, 0))
    marks.line("a", [(0, 0, 0), (0, 0, 2)])
    assert len(marks) == 2 and marks.shapes(0).kind.tolist() == [GeomType.CAPSULE, GeomType.SPHERE]
    marks.remove("a")
    assert "a" not in marks and "b" in marks
    marks.clear()
    assert len(marks.shapes(0)) == 0


def test_a_mark_lives_for_its_time_from_when_it_is_shown():
    marks = phalanx.Marks()
    marks.sphere("short", (0, 0, 0), lifetime=0.5)
    marks.sphere("long", (0, 0, 0))
    assert [len(marks.shapes(time)) for time in (3.0, 3.4, 3.5, 9.0)] == [2, 2, 1, 1]


def test_a_mark_survives_that_the_world_is_reset():
    marks = phalanx.Marks()
    marks.sphere("short", (0, 0, 0), lifetime=0.5)
    assert [len(marks.shapes(time)) for time in (3.0, 0.0, 0.4, 0.5)] == [1, 1, 1, 0]


def test_a_trail_remembers_as_many_points_as_asked_for():
    marks = phalanx.Marks()
    marks.trail("hand", (0, 0, 0), length=3)
    assert marks.shapes(0).kind.tolist() == [GeomType.SPHERE]
    for k in range(1, 6):
        marks.trail("hand", (k, 0, 0), length=3)
    shapes = marks.shapes(0)
    np.testing.assert_allclose(shapes.pos[:, 0], [3.5, 4.5])
    marks.remove("hand")
    marks.trail("hand", (0, 0, 0))
    assert len(marks.shapes(0)) == 1, "it begins anew"


@pytest.mark.parametrize(
    "method, arguments, words",
    [
        ("arrow", {"start": (0, 0, 0)}, "'x': give either end or direction"),
        ("arrow", {"start": (0, 0), "end": (0, 0, 0)}, r"'x': start has shape \(3,\), not \(2,\)"),
        ("arrow", {"start": (0, 0, 0), "end": (0, np.nan, 0)}, "'x': end has a number that is NaN"),
        ("line", {"points": [(0, 0, 0)]}, "at least two points"),
        ("line", {"points": (0, 0, 0)}, r"\(n, 3\)"),
        ("frame", {"pos": (0, 0, 0), "mat": np.eye(2)}, "'x': mat has shape"),
        ("frame", {"pos": (0, 0, 0), "mat": np.eye(3), "quat": (1, 0, 0, 0)}, "either mat or quat"),
        ("frame", {"pos": (0, 0, 0), "quat": (0, 0, 0, 0)}, "quat must have a length"),
        ("sphere", {"pos": (0, 0, 0), "radius": -1}, "radius is a positive length"),
        ("sphere", {"pos": (0, 0, 0), "color": (2, 0, 0)}, "from 0 to 1"),
        ("sphere", {"pos": (0, 0, 0), "color": "red"}, "'x': color takes numbers"),
        ("sphere", {"pos": (0, 0, 0), "lifetime": 0}, "lifetime is positive"),
        ("box", {"pos": (0, 0, 0), "size": (1, 0, 1)}, "positive"),
        ("point_cloud", {"points": np.zeros((4, 3)), "colors": np.zeros((3, 3))}, "a color is"),
        ("trail", {"point": (0, 0, 0), "length": 0}, "length"),
    ],
)
def test_what_is_wrong_with_a_mark_is_said_with_its_name(method, arguments, words):
    marks = phalanx.Marks()
    marks.sphere("x", (1, 2, 3))
    with pytest.raises(phalanx.FieldError, match=words):
        getattr(marks, method)("x", **arguments)
    np.testing.assert_array_equal(marks.shapes(0).pos, [(1, 2, 3)], err_msg="the old one stays")


def test_a_mark_that_does_not_exist_cannot_be_removed():
    marks = phalanx.Marks()
    marks.sphere("elbow", (0, 0, 0))
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'elbow'"):
        marks.remove("elbows")


def test_marks_are_part_of_the_scene():
    model = phalanx.Model.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    builder, data, marks = SceneBuilder(model), model.make_data().forward(), phalanx.Marks()
    assert len(builder.shapes(data, marks)) == 1
    marks.text("here", (0, 0, 1), "here")
    assert builder.shapes(data, marks).labels == ["", "here"]
