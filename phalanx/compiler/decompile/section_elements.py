"""Elements of the sections beside the tree, from the fields of assets, constraints, tendons, actuators and so on."""

from __future__ import annotations

from collections.abc import Iterator

from phalanx.compiler.decompile.compiled_fields import CompiledFields, numbers
from phalanx.compiler.decompile.plugin_elements import add_plugin, maker_of, refer_to_plugin
from phalanx.compiler.decompile.sensor_elements import history
from phalanx.compiler.decompile.tree_elements import limit
from phalanx.compiler.object.rotation import compose, quaternion
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.tables.actuators import CHART_CODES, GAINS, INPUT_CODES, TRANSMISSIONS
from phalanx.tables.enums import DynType, EqType, GainType, ObjType, TendonType, TrnType, WrapType
from phalanx.tables.equalities import EQUALITIES
from phalanx.tables.mjcf_schema import ELEMENTS


def new(key: str) -> Element:
    """An element without attributes."""
    return Element(ELEMENTS[key])


# --- assets


def assets_of(m: CompiledFields) -> Iterator[Element]:
    """Meshes, height fields, materials and skins; pictures have no text."""
    for mesh in range(m.sizes["nmesh"]):
        yield _mesh(m, mesh)
    for field in range(m.sizes["nhfield"]):
        yield _hfield(m, field)
    for material in range(m.sizes["nmat"]):
        yield m.element("asset/material", "material", material)
    for skin in range(m.sizes["nskin"]):
        yield _skin(m, skin)


def _part(m: CompiledFields, name: str, part: str, objid: int) -> slice:
    """Where the elements of an asset are in the array of all."""
    return slice(
        m.integer(f"{name}_{part}adr", objid),
        m.integer(f"{name}_{part}adr", objid) + m.integer(f"{name}_{part}num", objid),
    )


def _mesh(m: CompiledFields, mesh: int) -> Element:
    """A mesh as it was before the compiler moved it to its center and axes."""
    element = new("asset/mesh")
    element.attributes["name"] = m.names["mesh"][mesh]
    maker = maker_of(m, mesh)
    if maker >= 0:
        add_plugin(m, element, maker)
        return element
    pos, quat = m.values("mesh_pos", mesh), quaternion(m["mesh_quat"][mesh])
    vertices = m["mesh_vert"][_part(m, "mesh", "vert", mesh)].astype(float).tolist()
    moved = [compose(pos, quat, (x, y, z), (1.0, 0.0, 0.0, 0.0))[0] for x, y, z in vertices]
    element.attributes["vertex"] = tuple(x for vertex in moved for x in vertex)
    element.attributes["face"] = numbers(m["mesh_face"][_part(m, "mesh", "face", mesh)])
    return element


def _hfield(m: CompiledFields, field: int) -> Element:
    element = m.element("asset/hfield", "hfield", field)
    rows, columns = m.integer("hfield_nrow", field), m.integer("hfield_ncol", field)
    start = m.integer("hfield_adr", field)
    heights = m["hfield_data"][start : start + rows * columns].reshape(rows, columns)
    # a text lists the rows from the far side
    element.attributes.update(nrow=rows, ncol=columns, elevation=numbers(heights[::-1]))
    return element


def _skin(m: CompiledFields, skin: int) -> Element:
    element = m.element("asset/skin", "skin", skin)
    m.refer(element, "material", "material", m.integer("skin_matid", skin))
    vertices = _part(m, "skin", "vert", skin)
    element.attributes["vertex"] = numbers(m["skin_vert"][vertices])
    element.attributes["face"] = numbers(m["skin_face"][_part(m, "skin", "face", skin)])
    start = m.integer("skin_texcoordadr", skin)
    if start >= 0:
        count = m.integer("skin_vertnum", skin)
        element.attributes["texcoord"] = numbers(m["skin_texcoord"][start : start + count])
    bones = _part(m, "skin", "bone", skin)
    for bone in range(bones.start, bones.stop):
        child = element.append(new("asset/skin/bone"))
        m.refer(child, "body", "body", m.integer("skin_bonebodyid", bone))
        pulled = _part(m, "skin", "bonevert", bone)
        child.attributes.update(
            bindpos=m.values("skin_bonebindpos", bone),
            bindquat=m.values("skin_bonebindquat", bone),
            vertid=numbers(m["skin_bonevertid"][pulled]),
            vertweight=numbers(m["skin_bonevertweight"][pulled]),
        )
    return element


# --- contacts and equalities


def contacts_of(m: CompiledFields) -> Iterator[Element]:
    """Pairs and excludes."""
    for pair in range(m.sizes["npair"]):
        element = m.element("contact/pair", "pair", pair)
        m.refer(element, "geom1", "geom", m.integer("pair_geom1", pair))
        m.refer(element, "geom2", "geom", m.integer("pair_geom2", pair))
        yield element
    for exclude in range(m.sizes["nexclude"]):
        element = m.element("contact/exclude", "exclude", exclude)
        signature = m.integer("exclude_signature", exclude)
        m.refer(element, "body1", "body", signature >> 16)
        m.refer(element, "body2", "body", signature & 0xFFFF)
        yield element


def equalities_of(m: CompiledFields) -> Iterator[Element]:
    """Every equality."""
    for equality in range(m.sizes["neq"]):
        row = EQUALITIES[EqType(m.integer("eq_type", equality))]
        if not row.tag:
            raise ModelError(f"equality {equality} has no element in MJCF")
        element = m.element(f"equality/{row.tag}", "equality", equality)
        if row.of == ("flex",):
            m.refer(element, "flex", "flex", m.integer("eq_obj1id", equality))
            yield element
            continue
        kind = ObjType(m.integer("eq_objtype", equality)).name.lower() if "body" in row.of else row.of[0]
        m.refer(element, f"{kind}1", kind, m.integer("eq_obj1id", equality))
        m.refer(element, f"{kind}2", kind, m.integer("eq_obj2id", equality))
        data = m.values("eq_data", equality)
        if row.data:
            m.put(element, "polycoef", data[:5])
        elif kind == "body":
            element.attributes["anchor"] = data[:3]
        if row.kind is EqType.WELD:
            m.put(element, "torquescale", data[10])
            # the last number says that the pose is that of qpos0, whatever was written
            if kind == "body" and not data[11]:
                element.attributes["relpose"] = data[3:10]
        yield element


# --- tendons


def tendons_of(m: CompiledFields) -> Iterator[Element]:
    """Every tendon with its path."""
    for tendon in range(m.sizes["ntendon"]):
        is_spatial = m.integer("tendon_type", tendon) == TendonType.SPATIAL
        element = m.element("tendon/spatial" if is_spatial else "tendon/fixed", "tendon", tendon)
        if is_spatial:
            m.refer(element, "material", "material", m.integer("tendon_matid", tendon))
        limit(m, element, "limited", "tendon_limited", tendon)
        limit(m, element, "actuatorfrclimited", "tendon_actfrclimited", tendon)
        element.attributes["springlength"] = m.values("tendon_lengthspring", tendon)
        for name in ("stiffness", "damping"):
            first = float(m[f"tendon_{name}"][tendon])
            m.put(element, name, (first, *m.values(f"tendon_{name}poly", tendon)))
        start = m.integer("tendon_adr", tendon)
        for wrap in range(start, start + m.integer("tendon_num", tendon)):
            element.append(_step(m, wrap))
        yield element


def _step(m: CompiledFields, wrap: int) -> Element:
    """An element of the path of a tendon."""
    kind, objid, prm = WrapType(m.integer("wrap_type", wrap)), m.integer("wrap_objid", wrap), float(m["wrap_prm"][wrap])
    if kind is WrapType.JOINT:
        element = new("tendon/fixed/joint")
        m.refer(element, "joint", "joint", objid)
        element.attributes["coef"] = prm
    elif kind is WrapType.PULLEY:
        element = new("tendon/spatial/pulley")
        element.attributes["divisor"] = prm
    elif kind is WrapType.SITE:
        element = new("tendon/spatial/site")
        m.refer(element, "site", "site", objid)
    else:
        element = new("tendon/spatial/geom")
        m.refer(element, "geom", "geom", objid)
        m.refer(element, "sidesite", "site", int(prm))
    return element


# --- actuators


def actuators_of(m: CompiledFields) -> Iterator[Element]:
    """Every actuator, in full generality."""
    for actuator in range(m.sizes["nactuator"]):
        plugin = m.integer("actuator_plugin", actuator)
        element = m.element("actuator/plugin" if plugin >= 0 else "actuator/general", "actuator", actuator)
        if plugin >= 0:
            refer_to_plugin(m, element, plugin)
        _target(m, element, actuator)
        _inputs(m, element, actuator)
        history(m, element, "actuator", actuator)
        limit(m, element, "forcelimited", "actuator_forcelimited", actuator)
        limit(m, element, "actlimited", "actuator_actlimited", actuator)
        first = m.integer("actuator_outadr", actuator)
        m.put(element, "gear", m.values("actuator_gear", first))
        m.put(element, "lengthrange", m.values("actuator_lengthrange", first))
        damping = float(m["actuator_damping"][actuator]), *m.values("actuator_dampingpoly", actuator)
        m.put(element, "damping", damping)
        count = m.integer("actuator_actnum", actuator)
        if m.integer("actuator_dyntype", actuator) in _COUNTED or (plugin >= 0 and count):
            element.attributes["actdim"] = count
        yield element


#: Dynamics that have as many activations as the file asks for; of others the parameters say how many.
_COUNTED = (DynType.DCMOTOR, DynType.USER, DynType.HILL)


def _target(m: CompiledFields, element: Element, actuator: int) -> None:
    """What an actuator acts on."""
    row = TRANSMISSIONS[TrnType(m.integer("actuator_trntype", actuator))]
    target, second = m.values("actuator_trnid", actuator)
    if row.kind is TrnType.SO3:
        # of a ball joint, or of a site relative to another
        row = TRANSMISSIONS[TrnType.SITE if second >= 0 else TrnType.JOINT]
    m.refer(element, row.target, row.of, target)
    for name in row.names:
        if name != row.target:
            m.refer(element, name, "site", second)


def _inputs(m: CompiledFields, element: Element, actuator: int) -> None:
    """Which inputs an actuator has, and the bounds of each."""
    gain = GAINS[GainType(m.integer("actuator_gaintype", actuator))]
    spec, first = m.integer("actuator_ctrlspec", actuator), m.integer("actuator_ctrladr", actuator)
    words = [word for word, code in INPUT_CODES.items() if spec & code]
    if spec:
        charts = {code: word for word, code in CHART_CODES.items()}
        is_chart = GainType(gain.kind) is GainType.SO3
        element.attributes["input"] = charts[spec] if is_chart else " ".join(words)
    for k in range(m.integer("actuator_ctrlnum", actuator)):
        name = gain.ranges.get(words[k], "ctrlrange") if gain.ranges and k < len(words) else "ctrlrange"
        m.put(element, name, m.values("actuator_ctrlrange", first + k))
        if name == "ctrlrange":
            limit(m, element, "ctrllimited", "actuator_ctrllimited", first + k)


# --- custom fields and keyframes


def custom_of(m: CompiledFields) -> Iterator[Element]:
    """Numbers, texts and tuples."""
    for numeric in range(m.sizes["nnumeric"]):
        element = m.element("custom/numeric", "numeric", numeric)
        start, size = m.integer("numeric_adr", numeric), m.integer("numeric_size", numeric)
        element.attributes.update(size=size, data=numbers(m["numeric_data"][start : start + size]))
        yield element
    for text in range(m.sizes["ntext"]):
        element = m.element("custom/text", "text", text)
        start, size = m.integer("text_adr", text), m.integer("text_size", text)
        element.attributes["data"] = m["text_data"][start : start + size - 1].tobytes().decode()
        yield element
    for group in range(m.sizes["ntuple"]):
        element = m.element("custom/tuple", "tuple", group)
        start = m.integer("tuple_adr", group)
        for member in range(start, start + m.integer("tuple_size", group)):
            child = element.append(new("custom/tuple/element"))
            m.refer_typed(child, "obj", m.integer("tuple_objtype", member), m.integer("tuple_objid", member))
            m.put(child, "prm", float(m["tuple_objprm"][member]))
        yield element


#: Attribute of a keyframe -> its field.
_VECTORS = {name: f"key_{name}" for name in ("qpos", "qvel", "act", "mpos", "mquat", "ctrl", "plastic")}


def keys_of(m: CompiledFields) -> Iterator[Element]:
    """Every keyframe."""
    for key in range(m.sizes["nkey"]):
        element = m.element("keyframe/key", "key", key)
        for name, field in _VECTORS.items():
            if m[field].shape[1]:
                element.attributes[name] = m.values(field, key)
        yield element
