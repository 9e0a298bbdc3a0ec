"""Elements of the kinematic tree, from the fields of bodies and of what they carry."""

from __future__ import annotations

from collections.abc import Callable

from phalanx.compiler.decompile.compiled_fields import CompiledFields, words_of
from phalanx.compiler.decompile.plugin_elements import add_plugin
from phalanx.compiler.object.rotation import compose, cross, invert, rotate, subtract
from phalanx.compiler.text.element import Element
from phalanx.tables.enums import GeomType, JointType, SleepPolicy
from phalanx.tables.mjcf_schema import ELEMENTS

#: Policies of sleep that a model file asks for.
_ASKED = {int(SleepPolicy.NEVER): "never", int(SleepPolicy.ALLOWED): "allowed", int(SleepPolicy.INIT): "init"}


def worldbody_of(m: CompiledFields) -> Element:
    """The world body with everything that hangs from it."""
    world = Element(ELEMENTS["worldbody"])
    holders = [world]
    for body in range(m.sizes["nbody"]):
        if body:
            # parents come before their children
            holders.append(holders[m.integer("body_parentid", body)].append(_body(m, body)))
    for kind, (short, make) in _CARRIED.items():
        for objid in range(len(m.names[kind])):
            holders[m.integer(f"{short}_bodyid", objid)].append(make(m, objid))
    return world


def _body(m: CompiledFields, body: int) -> Element:
    element = m.element("body", "body", body)
    m.put(element, "pos", m.values("body_pos", body))
    m.put(element, "quat", m.values("body_quat", body))
    m.put(element, "mocap", m.integer("body_mocapid", body) >= 0)
    tree = m.integer("body_treeid", body)
    if tree >= 0 and m.integer("body_rootid", body) == body:
        m.put(element, "sleep", _ASKED.get(m.integer("tree_sleep_policy", tree), "auto"))
    mass, inertia = float(m["body_mass"][body]), m.values("body_inertia", body)
    if mass or any(inertia):
        element.append(_inertial(m, body, mass, inertia))
    return element


def _inertial(m: CompiledFields, body: int, mass: float, inertia: tuple[float, ...]) -> Element:
    element = Element(ELEMENTS["inertial"])
    element.attributes.update(pos=m.values("body_ipos", body), mass=mass, diaginertia=inertia)
    m.put(element, "quat", m.values("body_iquat", body))
    return element


def _joint(m: CompiledFields, joint: int) -> Element:
    element = m.element("joint", "joint", joint)
    kind, dof, qpos = JointType(m.integer("jnt_type", joint)), m.integer("jnt_dofadr", joint), 0
    if kind is not JointType.FREE:
        m.put(element, "pos", m.values("jnt_pos", joint))
    if kind in (JointType.HINGE, JointType.SLIDE):
        qpos = m.integer("jnt_qposadr", joint)
        m.put(element, "axis", m.values("jnt_axis", joint))
        m.put(element, "ref", float(m["qpos0"][qpos]))
        m.put(element, "springref", float(m["qpos_spring"][qpos]))
    # all dofs of a joint have the same values
    for name, field in (("armature", "dof_armature"), ("frictionloss", "dof_frictionloss")):
        m.put(element, name, float(m[field][dof]))
    m.put(element, "solreffriction", m.values("dof_solref", dof))
    m.put(element, "solimpfriction", m.values("dof_solimp", dof))
    m.put(element, "stiffness", (float(m["jnt_stiffness"][joint]), *m.values("jnt_stiffnesspoly", joint)))
    m.put(element, "damping", (float(m["dof_damping"][dof]), *m.values("dof_dampingpoly", dof)))
    limit(m, element, "limited", "jnt_limited", joint)
    limit(m, element, "actuatorfrclimited", "jnt_actfrclimited", joint)
    return element


def limit(m: CompiledFields, element: Element, name: str, field: str, objid: int) -> None:
    """Write whether a range is enforced, if there is one."""
    bounds = name.removesuffix("limited") + "range"
    if m[field][objid]:
        element.attributes[name] = "true"
    elif bounds in element:
        element.attributes[name] = "false"


def _shape(m: CompiledFields, element: Element, kind: str, objid: int) -> None:
    """Type, size, pose, mesh and material of a geom or site."""
    type_row = element.row.attributes["type"]
    code = m.integer(f"{kind}_type", objid)
    word = next(word for word, known in type_row.keywords.items() if known == code)
    m.put(element, "type", word)
    data = m.integer(f"{kind}_dataid", objid)
    pos, quat = m.values(f"{kind}_pos", objid), m.values(f"{kind}_quat", objid)
    if data >= 0 and code in (GeomType.MESH, GeomType.SDF):
        m.refer(element, "mesh", "mesh", data)
        # the compiler moves a mesh to its center and axes, and a geom against that, but not a site
        if kind == "geom":
            pos, quat = compose(pos, quat, *invert(m.values("mesh_pos", data), m.values("mesh_quat", data)))
    elif data >= 0:
        m.refer(element, "hfield", "hfield", data)
    else:
        element.attributes["size"] = m.values(f"{kind}_size", objid)
    m.put(element, "pos", pos)
    m.put(element, "quat", quat)
    m.refer(element, "material", "material", m.integer(f"{kind}_matid", objid))


def _geom(m: CompiledFields, geom: int) -> Element:
    element = m.element("geom", "geom", geom)
    _shape(m, element, "geom", geom)
    m.put(element, "surfacevel", _surface_velocity(m, geom, "mesh" in element))
    fluid = m.values("geom_fluid", geom)
    if fluid[0]:
        element.attributes["fluidshape"] = "ellipsoid"
        m.put(element, "fluidcoef", fluid[1:6])
    add_plugin(m, element, m.integer("geom_plugin", geom))
    return element


def _surface_velocity(m: CompiledFields, geom: int, has_mesh: bool) -> tuple[float, ...]:
    """Velocity of the surface at the origin of the geom as it is written, linear and angular."""
    velocity = m.values("geom_surfacevel", geom)
    if not has_mesh or not any(velocity):
        return velocity
    mesh = m.integer("geom_dataid", geom)
    pos, quat = m.values("mesh_pos", mesh), m.values("mesh_quat", mesh)
    linear, angular = rotate(velocity[:3], quat), rotate(velocity[3:], quat)
    return *subtract(linear, cross(angular, pos)), *angular


def _site(m: CompiledFields, site: int) -> Element:
    element = m.element("site", "site", site)
    _shape(m, element, "site", site)
    return element


def _camera(m: CompiledFields, camera: int) -> Element:
    element = m.element("camera", "camera", camera)
    m.put(element, "pos", m.values("cam_pos", camera))
    m.put(element, "quat", m.values("cam_quat", camera))
    outputs = element.row.attributes["output"]
    m.put(element, "output", words_of(outputs, m.integer("cam_output", camera), are_shifts=False))
    m.refer(element, "target", "body", m.integer("cam_targetbodyid", camera))
    if m["cam_sensorsize"][camera].any():
        focal = m.values("cam_intrinsic", camera)
        m.put(element, "focal", focal[:2])
        m.put(element, "principal", focal[2:])
    else:
        m.put(element, "fovy", float(m["cam_fovy"][camera]))
    return element


def _light(m: CompiledFields, light: int) -> Element:
    element = m.element("light", "light", light)
    types = element.row.attributes["type"].keywords
    m.put(element, "type", next(word for word, code in types.items() if code == m.integer("light_type", light)))
    m.put(element, "pos", m.values("light_pos", light))
    m.put(element, "dir", m.values("light_dir", light))
    m.refer(element, "target", "body", m.integer("light_targetbodyid", light))
    return element


#: What bodies carry: kind -> beginning of the names of its fields, and what makes an element of one.
_CARRIED: dict[str, tuple[str, Callable[[CompiledFields, int], Element]]] = {
    "joint": ("jnt", _joint),
    "geom": ("geom", _geom),
    "site": ("site", _site),
    "camera": ("cam", _camera),
    "light": ("light", _light),
}
