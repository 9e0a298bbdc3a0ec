"""Elements as users edit them: attributes, lists, adding, and what is refused."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import FieldError, MjcfError, Spec, UnknownNameError
from phalanx.compiler.edit import element_types
from phalanx.compiler.edit.typed_element import adders_of, class_name, lists_of, only_children, python_name
from phalanx.compiler.text.element import Element
from phalanx.tables.mjcf_kinds import KINDS, SETTINGS
from phalanx.tables.mjcf_row import Holds
from phalanx.tables.mjcf_schema import ELEMENTS
from tests.compiler.compare import differences

ARM = """<mujoco model="arm"><compiler angle="radian"/>
<default><geom rgba="1 0 0 1" size=".1"/><default class="soft"><geom solref=".05 1" condim="6"/><joint damping="2"/></default>
<position kp="7" gear="3"/></default>
<asset><material name="red"/><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="upper" childclass="soft"><joint name="shoulder"/><geom name="u" material="red"/><frame name="f" pos="0 0 1">
<geom name="v" class="main"/><body name="lower"><joint name="elbow"/><geom name="w"/><site name="tip"/></body></frame></body></worldbody>
<actuator><position name="servo" joint="elbow"/><motor name="m" joint="shoulder"/></actuator></mujoco>"""  # noqa: E501


@pytest.fixture
def spec() -> Spec:
    return Spec.from_string(ARM)


def test_attributes_are_what_is_written(spec):
    geom = spec.geom("floor")
    assert geom.size == (1, 1, 1)
    assert geom.type == "plane"
    assert geom.rgba is None
    assert geom.name == "floor"
    assert spec.geom("v").class_ == "main"
    assert isinstance(geom, element_types.Geom)
    assert isinstance(geom, phalanx.Element)


@pytest.mark.parametrize("value", [(0.1, 0.2, 0.3), [0.1, 0.2, 0.3], np.array([0.1, 0.2, 0.3]), "0.1 0.2 0.3"])
def test_attributes_take_what_python_has(spec, value):
    spec.geom("u").type = "box"
    spec.geom("u").size = value
    assert spec.geom("u").size == (0.1, 0.2, 0.3)
    assert spec.compile().geom("u").size.tolist() == [0.1, 0.2, 0.3]


def test_an_attribute_can_be_taken_away(spec):
    geom = spec.geom("floor")
    geom.size = None
    assert geom.size is None
    geom.rgba = 0, 0, 1, 1
    del geom.rgba
    assert geom.rgba is None


def test_default_classes_show_in_resolved_values(spec):
    assert spec.geom("u").resolved("condim") == 6  # childclass of the body around it
    assert spec.geom("v").resolved("condim") == 3  # class of its own
    assert spec.geom("w").resolved("solref") == (0.05, 1)
    assert spec.geom("floor").resolved("rgba") == (1, 0, 0, 1)  # main
    assert spec.joint("elbow").resolved("damping") == (2, 0, 0)
    assert spec.body("upper").resolved("pos") == (0, 0, 0)
    assert spec.default("soft").geom.resolved("rgba") == (1, 0, 0, 1)
    with pytest.raises(FieldError, match="did you mean 'condim'"):
        spec.geom("u").resolved("condin")


def test_actuators_resolve_what_they_share_and_what_is_their_own(spec):
    assert spec.actuator("servo").resolved("kp") == 7
    assert spec.actuator("servo").resolved("gear") == (3, 0, 0, 0, 0, 0)
    assert spec.actuator("m").resolved("gear") == (3, 0, 0, 0, 0, 0)
    assert spec.actuator("servo").resolved("joint") == "elbow"


@pytest.mark.parametrize("key", [key for key, row in ELEMENTS.items() if not row.unsupported])
def test_resolved_values_of_an_empty_element_are_those_of_the_schema(key):
    element = Spec().root._made(ELEMENTS[key])
    if key == "worldbody":
        return
    for name, row in ELEMENTS[key].attributes.items():
        if not key.startswith("default/"):
            assert element.resolved(name) == row.default


def test_unknown_names_are_refused_with_the_right_one(spec):
    geom = spec.geom("u")
    with pytest.raises(FieldError, match="geom has no attribute 'siez'; did you mean 'size'"):
        geom.siez = 1
    with pytest.raises(FieldError, match="did you mean 'friction'"):
        _ = geom.frictions
    with pytest.raises(FieldError, match="did you mean 'add_geom'"):
        spec.worldbody.add_gem(size=1)
    with pytest.raises(FieldError, match="did you mean 'geoms'"):
        _ = spec.geomss
    with pytest.raises(FieldError, match="Spec has no attribute 'timestep'"):
        spec.timestep = 1
    assert not hasattr(geom, "nothing")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("size", (1, 2, 3, 4), "size takes 1 to 3 values, not 4"),
        ("type", "bxo", "did you mean 'box'"),
        ("condim", 1.5, "condim takes whole number, not 1.5"),
        ("pos", (0, 0, float("nan")), "not a finite number"),
        ("pos", "0 0 x", "'x' is not a number"),
        ("shellinertia", 3, "true or false"),
        ("material", 7, "name of another element"),
        ("friction", object(), "friction takes number"),
    ],
)
def test_bad_values_are_refused_at_once(spec, name, value, reason):
    geom = spec.geom("u")
    before = geom[name]
    with pytest.raises(FieldError, match=reason) as caught:
        setattr(geom, name, value)
    assert "geom 'u'" in str(caught.value)
    assert geom[name] == before


def test_an_element_can_be_given_in_place_of_its_name(spec):
    spec.add_actuator("motor", name="new", joint=spec.joint("elbow"))
    assert spec.actuator("new").joint == "elbow"
    spec.add_sensor("framepos", objtype="site", objname=spec.site("tip"))
    assert spec.compile().nsensor == 1
    with pytest.raises(FieldError, match="joint takes a joint, not a geom"):
        spec.actuator("new").joint = spec.geom("u")
    with pytest.raises(FieldError, match="give it one first"):
        spec.actuator("new").joint = spec.body("upper").add_joint()


def test_an_orientation_replaces_one_of_another_form(spec):
    body = spec.body("upper")
    body.quat = 1, 0, 0, 0
    body.euler = 0, 0, 1
    assert body.quat is None
    assert spec.compile().body("upper").quat == pytest.approx([np.cos(0.5), 0, 0, np.sin(0.5)])


def test_lists_are_by_kind(spec):
    assert [geom.name for geom in spec.geoms] == ["floor", "u", "v", "w"]
    assert [joint.name for joint in spec.joints] == ["shoulder", "elbow"]
    assert [body.name for body in spec.bodies] == ["upper", "lower"]
    assert [actuator.tag for actuator in spec.actuators] == ["position", "motor"]
    assert [mesh.name for mesh in spec.meshes] == ["m"]
    assert [default.name for default in spec.defaults] == ["", "soft"]
    assert spec.sensors == []
    # frames disappear into the body
    assert [geom.name for geom in spec.body("upper").geoms] == ["u", "v"]
    assert [body.name for body in spec.body("upper").bodies] == ["lower"]
    assert [body.name for body in spec.worldbody.bodies] == ["upper"]
    assert spec.body("lower").parent is spec.frame("f")
    assert spec.body("world") is spec.worldbody


def test_elements_are_found_by_name(spec):
    assert spec.site("tip").tag == "site"
    assert spec.default("soft").geom.condim == 6
    with pytest.raises(UnknownNameError, match="there is no joint named 'elbo'; did you mean 'elbow'"):
        spec.joint("elbo")
    files = Spec.from_string('<mujoco><asset><mesh file="a/hand.obj"/></asset></mujoco>')
    assert files.mesh("hand").file == "a/hand.obj"


def test_a_model_built_from_nothing_is_mujocos():
    ours, theirs = Spec(), mujoco.MjSpec()
    ours.option.timestep = 0.005
    ours.option.flag.contact = "disable"
    theirs.option.timestep = 0.005
    theirs.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    ours.compiler.angle = "radian"
    theirs.compiler.degree = False
    a = ours.worldbody.add_body(name="a", pos=(0, 0, 1))
    b = theirs.worldbody.add_body(name="a", pos=[0, 0, 1])
    a.add_joint(name="j", axis=(0, 1, 0), range=(-1, 1), damping=0.1)
    b.add_joint(name="j", axis=[0, 1, 0], range=[-1, 1], damping=[0.1, 0, 0])
    a.add_geom(name="g", type="capsule", size=(0.05, 0.2), rgba=(0, 1, 0, 1))
    b.add_geom(name="g", type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.05, 0.2, 0], rgba=[0, 1, 0, 1])
    a.add_site(name="s", pos=(0, 0, 0.2))
    b.add_site(name="s", pos=[0, 0, 0.2])
    ours.add_actuator("motor", name="m", joint="j", gear=2)
    motor = theirs.add_actuator(name="m", target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.set_to_motor()
    motor.gear[0] = 2
    ours.add_sensor("gyro", name="y", site="s")
    gyro = mujoco.mjtSensor.mjSENS_GYRO
    theirs.add_sensor(name="y", type=gyro, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="s")
    ours.add_numeric(name="n", size=2, data=(1, 2))
    theirs.add_numeric(name="n", size=2, data=[1, 2])
    assert differences(ours.compile(), theirs.compile(), skip=("names", "nnames")) == {}


def test_kinds_with_types_need_one(spec):
    with pytest.raises(FieldError, match="add_actuator takes one type, one of general, motor"):
        spec.add_actuator(joint="elbow")
    with pytest.raises(FieldError, match="there is no actuator 'moto'; did you mean 'motor'"):
        spec.add_actuator("moto")
    with pytest.raises(FieldError, match="add_mesh takes no type"):
        spec.add_mesh("box")
    with pytest.raises(FieldError, match=r"a joint belongs to a body: spec\.body\(name\)\.add_joint"):
        spec.add_joint()


def test_default_classes_can_be_added(spec):
    spec.add_default(name="big").geom.size = 0.5
    spec.geom("u").class_ = "big"
    assert spec.compile().geom("u").size[0] == 0.5
    spec.default("big").name = "huge"
    spec.geom("u").class_ = "huge"
    assert spec.compile().geom("u").size[0] == 0.5


def test_what_may_appear_once_is_an_attribute(spec):
    spec.visual.map.znear = 0.02
    spec.visual.global_.fovy = 30
    assert spec.compile().vis.map.znear == 0.02
    assert spec.body("upper").inertial is None  # it would need a mass
    spec.body("upper").add_inertial(pos=(0, 0, 0), mass=2, diaginertia=(1, 1, 1))
    assert spec.body("upper").inertial.mass == 2
    assert spec.compile().body("upper").mass == 2
    with pytest.raises(FieldError, match="holds inertial already"):
        spec.body("upper").add_inertial(pos=(0, 0, 0), mass=2)


def test_required_values_that_are_missing_are_reported(spec):
    spec.body("upper").add_inertial(mass=2)
    spec.add_sensor("jointpos", name="p")
    with pytest.raises(MjcfError) as caught:
        spec.compile()
    found = {(problem.element, problem.message) for problem in caught.value.problems}
    assert {("inertial", "attribute 'pos' is missing"), ("jointpos 'p'", "attribute 'joint' is missing")} <= found


@pytest.mark.parametrize("key", ELEMENTS)
def test_completion_offers_what_exists(key):
    element = Spec().root._made(ELEMENTS[key])
    offered = dir(element)
    assert len(set(offered)) == len(offered)
    names = [python_name(name) for name in element.row.attributes]
    for name in (*names, *adders_of(element.row), *lists_of(element.row)):
        assert name in offered
        getattr(element, name)
    for tag in only_children(element.row):
        assert python_name(tag) in offered
        getattr(element, python_name(tag))


def test_no_attribute_hides_a_method():
    methods = set(dir(Element)) | set(Element.__slots__) | {"resolved", "delete"}
    for key, row in ELEMENTS.items():
        if not row.unsupported:
            assert {name for name in row.attributes if name in methods} <= {"name"}, key


def test_completion_of_a_spec_offers_what_exists(spec):
    for row in KINDS.values():
        assert {row.name, row.plural} <= set(dir(spec))
        assert isinstance(getattr(spec, row.plural), list)
        assert callable(getattr(spec, row.name))
        assert not row.section or f"add_{row.name}" in dir(spec)
    assert set(SETTINGS) <= set(dir(spec))


def test_every_kind_of_named_object_has_a_list():
    named = {row.kind for row in ELEMENTS.values() if row.kind and not row.unsupported}
    assert named - set(KINDS) == {"plugin"}
    for row in KINDS.values():
        assert all(ELEMENTS[key].kind == row.name for key in row.keys.values())


def test_classes_of_elements_can_be_imported():
    assert element_types.ActuatorMotor.__name__ == class_name("actuator/motor")
    assert "Geom" in dir(element_types)
    with pytest.raises(AttributeError, match="Gem"):
        _ = element_types.Gem


def test_references_are_declared_with_a_kind_that_exists():
    kinds = {row.kind for row in ELEMENTS.values()}
    for row in ELEMENTS.values():
        for attribute in row.attributes.values():
            assert attribute.holds is not Holds.REFERENCE or attribute.kind in kinds
            assert attribute.holds in (Holds.REFERENCE, Holds.REFERENCES) or not attribute.optional


def test_a_copy_can_be_edited_in_the_same_way(spec):
    twin = spec.copy()
    twin.geom("u").size = 0.3
    assert spec.geom("u").size is None
    assert twin.geom("u").size == (0.3,)
