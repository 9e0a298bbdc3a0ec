"""Objects and the state of a compilation: initial values, values that could not be read, lists by kind."""

import pytest

from phalanx.compiler.model_build import KINDS, Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.joint import Joint
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files
from phalanx.tables.mjcf_schema import ELEMENTS


@pytest.fixture
def scope():
    return Scope(Element(ELEMENTS["mujoco"]), Files("", None), [])


def test_an_object_starts_with_the_values_of_its_class(scope):
    one, two = (ModelObject(Element(ELEMENTS["site"]), {"name": name}, scope) for name in ("a", "b"))
    one.id = 3
    assert (one.name, two.name, two.id, two.scale) == ("a", "b", -1, None)


def test_reading_a_value_that_could_not_be_read_ends_a_check_without_a_message(scope):
    element = Element(ELEMENTS["geom"])
    element.bad = ("size",)
    geom = ModelObject(element, {"size": (0.1,), "group": 2}, scope)
    assert geom["group"] == 2 and geom.knows("group") and not geom.knows("size")
    assert geom.guess("size") == (0.1,)
    with pytest.raises(ElementProblem, match=r"^$"):
        geom["size"]


def test_a_pose_that_could_not_be_read_does_not_end_checks(scope):
    element = Element(ELEMENTS["geom"])
    element.bad = ("pos", "euler")
    assert ModelObject(element, {"pos": (0.0, 0.0, 0.0)}, scope)["pos"] == (0.0, 0.0, 0.0)


def test_a_doubted_value_counts_as_not_read(scope):
    obj = ModelObject(Element(ELEMENTS["geom"]), {"mass": 1.0}, scope)
    obj.doubt("mass")
    assert not obj.knows("mass") and obj.guess("mass") == 1.0


def test_every_kind_has_a_list_in_the_order_of_names(scope):
    build = Build(scope_root(), scope, [])
    assert list(build.objects) == list(KINDS)
    assert build.of_kind("joint") is build.joints and build.of_kind("equality") is build.equalities


def test_objects_are_found_by_kind_and_name(scope):
    build = Build(scope_root(), scope, [])
    joint = Joint(Element(ELEMENTS["joint"]), {"name": "knee"}, scope, None, None)
    build.add("joint", joint)
    assert build.find("joint", "knee", "joint") is joint and joint.id == 0
    with pytest.raises(ElementProblem, match="there is no such joint; did you mean 'knee'"):
        build.find("joint", "kne", "joint1")


def scope_root():
    return Element(ELEMENTS["mujoco"])
