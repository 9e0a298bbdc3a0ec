"""Proof that a Model is safe: every integer that a kernel may index or count with is what its row allows.

`check_model(sizes, arrays)` runs before a kernel sees a Model that does not come from our own compiler: from a file,
a pickle, the `mujoco` package, or `Model.replace`. The rules are the domains of the table rows; those that concern
several rows at once are functions here, by name. Each answers with a mask of the elements that break it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any, NoReturn

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.layout import MODEL_SCHEMA, shape_of
from phalanx.pipeline import derive
from phalanx.tables.domain import (
    Among,
    Anything,
    Arrays,
    Between,
    Bits,
    Columns,
    Decided,
    Domain,
    Index,
    Inside,
    Rule,
    Stretch,
)
from phalanx.tables.enums import (
    ContactData,
    CtrlChart,
    CtrlInput,
    DynType,
    EqType,
    GainType,
    JointType,
    ObjType,
    RayData,
    SensorType,
    TrnType,
)
from phalanx.tables.field import Kind
from phalanx.tables.joints import NV
from phalanx.tables.model_domains import dofs, positions
from phalanx.tables.sensors import CONTACT_SIZES, RAY_SIZES, SENSORS

Sizes = Mapping[str, int]
#: (mask of the elements that break a rule, the rule in words)
Broken = tuple[np.ndarray, str]


def check_model(sizes: Sizes, arrays: Arrays) -> None:
    """Refuse a Model that a kernel could leave its memory with.

    Raises:
        ModelError: names the field, the element, its value and the rule.
    """
    _check_rows(PLAIN, sizes, arrays)
    for name, expected in STRUCTURE.items():
        array, wanted = arrays[name], expected(sizes, arrays)
        if array.shape != wanted.shape:
            raise ModelError(f"{name} has {len(array)} elements; its joints give {len(wanted)}")
        if (array != wanted).any():
            refuse(name, array, array != wanted, "the tree of bodies and their joints give another value")
    _check_rows(RELATED, sizes, arrays)
    for size, least in _least_sizes(sizes, arrays):
        if sizes[size] < least:
            raise ModelError(f"{size} is {sizes[size]}; the rows of the model need {least}")


def _check_rows(rows: Mapping[str, Domain], sizes: Sizes, arrays: Arrays) -> None:
    for name, domain in rows.items():
        array = arrays[name]
        if array.size and not _is_within(domain, array, sizes):
            for mask, rule in broken(domain, name, array, sizes, arrays):
                if mask.any():
                    refuse(name, array, mask, rule)


def _is_within(domain: Domain, array: np.ndarray, sizes: Sizes) -> bool:
    """Are all values in a range that the domain allows as a whole? Most rows are, and need no mask."""
    if isinstance(domain, Index) and not domain.order:
        low, high = (
            -len(domain.none) if domain.none == (-1, -2)[: len(domain.none)] else 0,
            _total(domain.size, sizes) - 1,
        )
    elif isinstance(domain, Between):
        low, high = domain.low, sizes[domain.high] if isinstance(domain.high, str) else domain.high
    elif isinstance(domain, Among) and domain.values == tuple(range(len(domain.values))):
        low, high = 0, len(domain.values) - 1
    else:
        return False
    return bool(array.min() >= low and array.max() <= high)


def check_sizes(sizes: Sizes) -> None:
    """Refuse sizes that are negative, or that no memory could hold."""
    for name, count in sizes.items():
        if name not in ("njmax", "nconmax") and not 0 <= count < 2**40:
            raise ModelError(f"the size {name} is {count}; it cannot be")


def check_shape(name: str, shape: tuple[int, ...], dtype: np.dtype, sizes: Sizes) -> None:
    """Refuse an array that has not the shape and the kind of numbers of its row."""
    row = MODEL_SCHEMA.fields[name]
    if shape != shape_of(row, sizes):
        raise ModelError(f"{name} has shape {shape}; its sizes say {shape_of(row, sizes)}")
    is_real = row.kind in (Kind.REAL, Kind.FLOAT32, Kind.FLOAT64)
    if dtype.kind not in ("f" if is_real else "biu"):
        raise ModelError(f"{name} holds {dtype}; it should hold {'numbers' if is_real else 'integers'}")


def refuse(name: str, array: np.ndarray, mask: np.ndarray, rule: str) -> NoReturn:
    """The error that names the first element that breaks a rule."""
    if mask.ndim < array.ndim:
        place: Any = [int(np.flatnonzero(mask)[0])]
        value = array[place[0]].tolist()
    else:
        place = np.argwhere(mask)[0].tolist() if array.ndim else ""
        value = array[tuple(place)].item() if array.ndim else array.item()
    raise ModelError(f"{name}{place} is {value}; {rule}")


# --- domains of one row


def broken(domain: Domain, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """What breaks a domain."""
    if isinstance(domain, Rule):
        yield from RULES[domain.name](name, array, sizes, arrays)
    elif isinstance(domain, Decided):
        yield from _decided(domain, name, array, sizes, arrays)
    elif isinstance(domain, Columns):
        for k, column in enumerate(domain.each):
            for mask, rule in broken(column, name, array[:, k], sizes, arrays):
                full = np.zeros(array.shape, bool)
                full[:, k] = mask
                yield full, rule
    else:
        yield CHECKS[type(domain)](domain, array, sizes, arrays)


def _among(domain: Among, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    is_allowed = np.zeros(array.shape, bool)
    for value in domain.values:
        is_allowed |= array == value
    return ~is_allowed, f"it must be one of {', '.join(map(str, domain.values))}"


def _between(domain: Between, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    high = sizes[domain.high] if isinstance(domain.high, str) else domain.high
    words = f"{domain.high}, which is {high}" if isinstance(domain.high, str) else str(high)
    return (array < domain.low) | (array > high), f"it must be from {domain.low} to {words}"


def _bits(domain: Bits, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    return (array & ~domain.flags) != 0, f"it must consist of the flags {domain.flags:#x}"


def _total(size: str, sizes: Sizes) -> int:
    """A size, or the sum of several."""
    return sum(sizes[part] for part in size.split("+"))


def _or_none(none: tuple[int, ...]) -> str:
    return f", or {' or '.join(map(str, none))} for none" if none else ""


def _index(domain: Index, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    top = _total(domain.size, sizes)
    bad = (array < 0) | (array >= top)
    rule = f"it must be from 0 to {top - 1} ({domain.size} is {top}){_or_none(domain.none)}"
    if domain.order:
        own = np.arange(len(array)).reshape(-1, *(1,) * (array.ndim - 1))
        later = array > own if domain.order == "not later" else (array >= own) & (own > 0)
        bad |= later
        rule = f"it must be {domain.order} than the element itself{_or_none(domain.none)}"
    for value in domain.none:
        bad &= array != value
    return bad, rule


def _stretch(domain: Stretch, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    top, num = _total(domain.size, sizes), domain.num
    count = arrays[num] if isinstance(num, str) else num if isinstance(num, int) else num(arrays)
    start = array.astype(np.int64)
    bad = (start < 0) | (start + count > top)
    for value in domain.none:
        bad &= ~((start == value) & (np.equal(count, 0) | domain.optional))
    many = f", as many as {num} says," if isinstance(num, str) else ""
    return bad, f"its elements{many} must lie in {domain.size}, which is {top}{_or_none(domain.none)}"


def _inside(domain: Inside, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    owner = owners(arrays[domain.first], arrays[domain.num], len(array))
    # what nobody owns is read by nobody
    limit = np.where(owner >= 0, arrays[domain.limit][owner], np.iinfo(np.int32).max)
    limit = limit.reshape(-1, *(1,) * (array.ndim - 1))
    bad = (array >= limit) | ((array < 0) & (limit < np.iinfo(np.int32).max))
    for value in domain.none:
        bad &= array != value
    return bad, f"it must be less than {domain.limit} of its owner{_or_none(domain.none)}"


def owners(first: np.ndarray, num: np.ndarray, length: int) -> np.ndarray:
    """Who owns each element of stretches: the index of the owner, -1 for nobody."""
    has = np.flatnonzero(num > 0)
    counts = num[has].astype(np.int64)
    before = np.cumsum(counts) - counts
    start = first[has].astype(np.int64)
    shift = start - before
    # stretches that follow each other without a gap, as they nearly always do, need no search for places
    if len(has) and (shift == shift[0]).all() and shift[0] >= 0 and start[-1] + counts[-1] <= length:
        owner = np.full(length, -1, np.int32)
        owner[start[0] : start[-1] + counts[-1]] = np.repeat(has.astype(np.int32), counts)
        return owner
    owner = np.full(length, -1, np.int32)
    places = np.repeat(shift, counts) + np.arange(counts.sum())
    is_there = (places >= 0) & (places < length)
    owner[places[is_there]] = np.repeat(has, counts)[is_there]
    return owner


def _decided(domain: Decided, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    kinds = arrays[domain.by]
    rest = np.ones(len(kinds), bool)
    for kind, case in domain.cases.items():
        chosen = kinds == kind
        rest &= ~chosen
        yield from _where(chosen, case, name, array, sizes, arrays, f" where {domain.by} is {kind}")
    yield from _where(rest, domain.otherwise, name, array, sizes, arrays, "")


def _where(
    chosen: np.ndarray, domain: Domain, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays, words: str
) -> Iterator[Broken]:
    if chosen.any() and not isinstance(domain, Anything):
        for mask, rule in broken(domain, name, array, sizes, arrays):
            yield mask & chosen.reshape(-1, *(1,) * (mask.ndim - 1)), rule + words


CHECKS: dict[type[Domain], Callable[[Any, np.ndarray, Sizes, Arrays], Broken]] = {
    Among: _among,
    Between: _between,
    Bits: _bits,
    Index: _index,
    Stretch: _stretch,
    Inside: _inside,
}


# --- trees of boxes


def _volume_tree(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Children come after their node in the tree of the same owner, one level deeper: searches end, stacks suffice."""
    start, num = _trees(arrays, len(array))
    place = np.arange(len(array), dtype=np.int32) - start
    is_child = array != -1
    bad = is_child & ((array <= place[:, None]) | (array >= num[:, None]))
    depth = arrays["bvh_depth"]
    node, side = np.nonzero(is_child & ~bad)
    below = depth[start[node] + array[node, side]]
    bad[node, side] = below != depth[node] + 1
    yield bad, "a child comes after its node in the same tree, one level deeper; -1 is none"


def _trees(arrays: Arrays, n: int) -> tuple[np.ndarray, np.ndarray]:
    """First node and number of nodes of the tree that each node belongs to; no nodes if it belongs to none."""
    start, count = np.zeros(n, np.int32), np.zeros(n, np.int32)
    for kind in ("body", "mesh", "flex"):
        first, num = arrays[f"{kind}_bvhadr"], arrays[f"{kind}_bvhnum"]
        if len(first):
            owner = owners(first, num, n)
            is_owned = owner >= 0
            start[is_owned], count[is_owned] = first[owner[is_owned]], num[owner[is_owned]]
    return start, count


def _volume_leaf(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """A leaf names a geom of its body, or a face of its mesh; a node without children is a leaf."""
    n = len(array)
    body = owners(arrays["body_bvhadr"], arrays["body_bvhnum"], n) >= 0
    yield body & ((array < -1) | (array >= sizes["ngeom"])), f"it must be a geom (ngeom is {sizes['ngeom']}) or -1"
    if sizes["nmesh"]:
        mesh = owners(arrays["mesh_bvhadr"], arrays["mesh_bvhnum"], n)
        limit = np.where(mesh >= 0, arrays["mesh_facenum"][mesh], 0)
        yield (mesh >= 0) & ((array < -1) | (array >= limit)), "it must be a face of its mesh, or -1"
    is_empty = (array < 0) & (arrays["bvh_child"] < 0).all(axis=1)
    yield is_empty & body, "a node without children must be a leaf"


def _octree(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """All eight children or none, after their parent in the octree of the same mesh."""
    n = len(array)
    mesh = owners(arrays["mesh_octadr"], arrays["mesh_octnum"], n)
    start = np.where(mesh >= 0, arrays["mesh_octadr"][mesh], 0).astype(np.int64)
    end = np.where(mesh >= 0, start + arrays["mesh_octnum"][mesh], 0)
    is_leaf = (array == -1).all(axis=1)
    place = start[:, None] + array
    bad = ~is_leaf[:, None] & ((place <= np.arange(n)[:, None]) | (place >= end[:, None]))
    yield bad, "the eight children come after their node in the same octree; all are -1 in a leaf"


# --- meshes


def _hull(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The convex hull of each mesh: its record lies in mesh_graph, and all its addresses in the record.

    A record is: number of vertices, number of faces, address of the edges of each vertex, id of each vertex in the
    mesh, edges (neighbors of each vertex, closed by -1), faces.
    """
    if name == "mesh_graph":  # checked with mesh_graphadr
        return
    start, graph = arrays["mesh_graphadr"], arrays["mesh_graph"]
    bad, words = np.zeros(len(start), bool), "its hull is damaged (mesh_graph)"
    count = np.zeros(len(start), np.int64)
    for mesh, adr in enumerate(start.tolist()):
        if adr == -1:
            continue
        record = _hull_record(graph, adr, int(arrays["mesh_vertnum"][mesh]))
        bad[mesh], count[mesh] = record < 0, record
    if name == "mesh_graphadr":
        yield bad, words
        return
    limit = np.maximum(np.where(start >= 0, count, 0), 0)
    yield (
        (start >= 0)[:, None] & ((array < 0) | (array >= limit[:, None])),
        "it must be a vertex of the convex hull",
    )


def _hull_record(graph: np.ndarray, adr: int, vertnum: int) -> int:
    """Number of vertices of a hull; -1 if its record cannot be read safely."""
    if adr < 0 or adr + 2 > len(graph):
        return -1
    nvert, nface = int(graph[adr]), int(graph[adr + 1])
    if nvert < 1 or nface < 0 or adr + 2 + 3 * nvert + 6 * nface > len(graph):
        return -1
    edge_of, vertex_of = graph[adr + 2 :][:nvert], graph[adr + 2 + nvert :][:nvert]
    edges = graph[adr + 2 + 2 * nvert :][: nvert + 3 * nface]
    # every list of neighbors is closed by -1, the last one at the end
    is_sound = (
        len(edges) > 0
        and int(edge_of.min()) >= 0
        and int(edge_of.max()) < len(edges)
        and int(vertex_of.min()) >= 0
        and int(vertex_of.max()) < vertnum
        and int(edges.min()) >= -1
        and int(edges.max()) < nvert
        and int(edges[-1]) == -1
    )
    return nvert if is_sound else -1


def _polygons(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Polygons name vertices of their mesh, vertices name polygons of theirs."""
    if name == "mesh_polyvert":
        polygon = owners(arrays["mesh_polyvertadr"], arrays["mesh_polyvertnum"], len(array))
        mesh = owners(arrays["mesh_polyadr"], arrays["mesh_polynum"], sizes["nmeshpoly"])
        limit, words = arrays["mesh_vertnum"], "it must be a vertex of its mesh"
    else:
        polygon = owners(arrays["mesh_polymapadr"], arrays["mesh_polymapnum"], len(array))
        mesh = owners(arrays["mesh_vertadr"], arrays["mesh_vertnum"], sizes["nmeshvert"])
        limit, words = arrays["mesh_polynum"], "it must be a polygon of its mesh"
    owner = np.where(polygon >= 0, mesh[polygon], -1) if len(mesh) else np.full(len(array), -1)
    top = np.where(owner >= 0, limit[owner], 0)
    yield (polygon >= 0) & ((array < 0) | (array >= top)), words


# --- pairs, equalities, actuators, sensors


def _signature(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """body1 * 65536 + body2."""
    first, second = array.astype(np.int64) >> 16, array.astype(np.int64) & 0xFFFF
    n = sizes["nbody"]
    yield (first < 0) | (first >= n) | (second >= n), f"it must be body1 * 65536 + body2 (nbody is {n})"


#: Size that counts objects of a type.
COUNTED = {
    ObjType.BODY: "nbody", ObjType.XBODY: "nbody", ObjType.JOINT: "njnt", ObjType.DOF: "nv", ObjType.GEOM: "ngeom",
    ObjType.SITE: "nsite", ObjType.CAMERA: "ncam", ObjType.LIGHT: "nlight", ObjType.FLEX: "nflex",
    ObjType.MESH: "nmesh", ObjType.TENDON: "ntendon", ObjType.ACTUATOR: "nactuator", ObjType.SENSOR: "nsensor",
    ObjType.EQUALITY: "neq",
}  # fmt: skip


def _counts(kinds: np.ndarray, sizes: Sizes) -> np.ndarray:
    """How many objects there are of the type of each element; none of types that nothing is attached to."""
    count = np.zeros(len(kinds), np.int64)
    for kind, size in COUNTED.items():
        count[kinds == kind] = sizes[size]
    return count


#: What equalities of a type tie: objects of eq_objtype if None.
_TIED = {EqType.CONNECT: None, EqType.WELD: None, EqType.JOINT: "njnt", EqType.TENDON: "ntendon"}


def _ends(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Objects that an equality ties; couplings of joints and tendons may have no second one."""
    kinds = arrays["eq_type"]
    for kind, size in _TIED.items():
        chosen = kinds == kind
        if not chosen.any():
            continue
        if size is None:
            objtype = arrays["eq_objtype"]
            is_placed = (objtype == ObjType.BODY) | (objtype == ObjType.SITE)
            top = np.where(is_placed, _counts(objtype, sizes), 0)
        else:
            top = np.full(len(kinds), sizes[size])
        bad = chosen & ((array < 0) | (array >= top))
        if name == "eq_obj2id" and size is not None:
            bad &= array != -1
        yield bad, "it must be an object of the kind that the equality ties"
        if size == "njnt":
            joint = arrays["jnt_type"][np.clip(array, 0, max(sizes["njnt"] - 1, 0))] if sizes["njnt"] else array
            is_scalar = np.isin(joint, (JointType.HINGE, JointType.SLIDE))
            yield chosen & (array >= 0) & ~is_scalar, "only hinges and slides can be coupled"


def _outputs(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Three forces of an orientation servo, one of any other actuator."""
    wanted = np.where(arrays["actuator_trntype"] == TrnType.SO3, 3, 1)
    yield array != wanted, "an actuator has 1 force output, an orientation servo 3"


def _controls(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """As many as the inputs that the bits of actuator_ctrlspec name; three or four of an orientation."""
    gain, spec = arrays["actuator_gaintype"], arrays["actuator_ctrlspec"]
    yield (array < 0) | (array > sizes["nu"]), f"it must be from 0 to nu, which is {sizes['nu']}"
    is_servo, is_several = gain == GainType.SO3, np.isin(gain, (GainType.PID, GainType.DCMOTOR))
    wanted = np.where(is_servo, np.where(spec == CtrlChart.QUAT, 4, 3), array)
    inputs = spec & (CtrlInput.POS | CtrlInput.VEL | CtrlInput.FF | CtrlInput.VOLTAGE)
    bits = sum((inputs >> k) & 1 for k in range(31))
    wanted = np.where(is_several & (spec != 0), bits, wanted)
    yield array != wanted, "actuator_ctrlspec names another number of inputs"


def _activations(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """As many as the dynamics needs, at least."""
    yield (array < 0) | (array > sizes["na"]), f"it must be from 0 to na, which is {sizes['na']}"
    kind, p, q = arrays["actuator_dyntype"], arrays["actuator_dynprm"], arrays["actuator_gainprm"]
    needed = np.where(kind == DynType.NONE, 0, 1)
    pid = (p[:, 1] > 0).astype(int) + (q[:, 0] > 0)
    needed = np.where(kind == DynType.PID, pid, needed)
    needed = np.where(np.isin(kind, (DynType.DCMOTOR, DynType.USER)), 0, needed)
    is_servo = (arrays["actuator_gaintype"] == GainType.SO3) & (kind == DynType.INTEGRATOR)
    needed = np.where(is_servo, 3, needed)
    yield array < needed, "the dynamics of the actuator needs more activations"
    is_hill = (arrays["actuator_gaintype"] == GainType.HILL) != (kind == DynType.HILL)
    yield is_hill, "dynamics and gain of a Hill muscle go together"
    yield (kind == DynType.NONE) & (array > 0), "an actuator without dynamics has no activation"


#: What a transmission acts on, and its second object: size, and values that stand for none.
_DRIVEN: dict[TrnType, tuple[str, str, tuple[int, ...]]] = {
    TrnType.JOINT: ("njnt", "", ()),
    TrnType.JOINTINPARENT: ("njnt", "", ()),
    TrnType.SLIDERCRANK: ("nsite", "nsite", ()),
    TrnType.TENDON: ("ntendon", "", ()),
    TrnType.SITE: ("nsite", "nsite", (-1,)),
    TrnType.BODY: ("nbody", "", ()),
}


def _transmission(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Objects that an actuator acts on."""
    kinds, first, second = arrays["actuator_trntype"], array[:, 0], array[:, 1]
    bad = np.zeros(array.shape, bool)
    for kind, (size, other, none) in _DRIVEN.items():
        chosen = kinds == kind
        bad[:, 0] |= chosen & ((first < 0) | (first >= sizes[size]))
        if other:
            bad[:, 1] |= chosen & ((second < 0) | (second >= sizes[other])) & ~np.isin(second, none)
    # an orientation servo rotates a ball joint, or a site relative to another one
    servo = kinds == TrnType.SO3
    on_joint = servo & (second < 0)
    bad[:, 0] |= servo & ((first < 0) | (first >= np.where(on_joint, sizes["njnt"], sizes["nsite"])))
    bad[:, 1] |= servo & ((second < -1) | (second >= sizes["nsite"]))
    yield bad, "it must be an object of the kind that the transmission acts on"
    if sizes["njnt"] and on_joint.any():
        joint = arrays["jnt_type"][np.clip(first, 0, sizes["njnt"] - 1)]
        bad = np.zeros(array.shape, bool)
        bad[:, 0] = on_joint & (joint != JointType.BALL)
        yield bad, "an orientation servo acts on a ball joint"


def _sensor_object(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """What a sensor is of, and what it is measured against."""
    is_first = name == "sensor_objid"
    kinds = arrays["sensor_objtype" if is_first else "sensor_reftype"]
    top = _counts(kinds, sizes)
    # without a type there is no object
    is_free = (kinds == ObjType.UNKNOWN) | (arrays["sensor_type"] == SensorType.USER)
    is_free |= arrays["sensor_type"] == SensorType.PLUGIN
    bad = ~is_free & ((array < 0) | (array >= top))
    if not is_first:
        bad &= array != -1
    yield bad, "it must be an object of the type that the sensor is attached to"
    if is_first:
        yield from _sensor_kinds(kinds, array, sizes, arrays)


#: Kinds of objects that sensors of a kind of row can be of.
_ATTACHED = {
    "site": (ObjType.SITE,), "joint": (ObjType.JOINT,), "tendon": (ObjType.TENDON,), "body": (ObjType.BODY,),
    "actuator": (ObjType.ACTUATOR,),
}  # fmt: skip


def _sensor_kinds(kinds: np.ndarray, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Is the object of a kind that the sensor can be of?"""
    types = arrays["sensor_type"]
    wrong = np.zeros(len(types), bool)
    unfit = np.zeros(len(types), bool)
    for kind, row in SENSORS.items():
        chosen = types == kind
        if not chosen.any():
            continue
        if row.of in _ATTACHED:
            wrong |= chosen & ~np.isin(kinds, _ATTACHED[row.of])
        if row.joints and sizes["njnt"]:
            joint = arrays["jnt_type"][np.clip(array, 0, sizes["njnt"] - 1)]
            unfit |= chosen & ~np.isin(joint, [JointType[word.upper()] for word in row.joints])
    yield wrong, "the sensor cannot be of this type of object (sensor_objtype)"
    yield unfit & ~wrong, "the sensor cannot be of this type of joint"


def _sensor_width(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """How many numbers a sensor writes: fixed by its type, or by what it is asked for."""
    if name == "sensor_intprm":  # checked with sensor_dim
        return
    types, asked = arrays["sensor_type"], arrays["sensor_intprm"]
    wanted = array.astype(np.int64).copy()
    for sensor, kind in enumerate(types.tolist()):
        row = SENSORS.get(SensorType(kind))
        if row is not None and row.of == "actuator":
            wanted[sensor] = _output_count(int(arrays["sensor_objid"][sensor]), sizes, arrays)
        elif row is not None and row.dim:
            wanted[sensor] = row.dim
        elif kind == SensorType.RANGEFINDER:
            wanted[sensor] = _data_width(RayData, RAY_SIZES, int(asked[sensor, 0])) * _ray_count(sensor, sizes, arrays)
        elif kind == SensorType.CONTACT:
            wanted[sensor] = _data_width(ContactData, CONTACT_SIZES, int(asked[sensor, 0])) * max(
                int(asked[sensor, 2]), 0
            )
        elif kind == SensorType.TACTILE:
            mesh = int(arrays["sensor_objid"][sensor])
            wanted[sensor] = 3 * int(arrays["mesh_vertnum"][mesh]) if 0 <= mesh < sizes["nmesh"] else -1
    yield (array < 0) | (array > sizes["nsensordata"]), f"it must be from 0 to nsensordata ({sizes['nsensordata']})"
    yield array != wanted, "the type and the parameters of the sensor give another number of outputs"


def _output_count(actuator: int, sizes: Sizes, arrays: Arrays) -> int:
    """How many forces an actuator has; -1 if there is no such actuator."""
    return int(arrays["actuator_outnum"][actuator]) if 0 <= actuator < sizes["nactuator"] else -1


def _data_width(kinds: type[IntEnum], widths: Mapping[str, int], fields: int) -> int:
    """How many numbers the data have that the bits of `fields` ask for."""
    return sum(widths[datum.name.lower()] for datum in kinds if fields >> datum & 1)


def _ray_count(sensor: int, sizes: Sizes, arrays: Arrays) -> int:
    if arrays["sensor_objtype"][sensor] != ObjType.CAMERA:
        return 1
    camera = int(arrays["sensor_objid"][sensor])
    if not 0 <= camera < sizes["ncam"]:
        return -1
    width, height = arrays["cam_resolution"][camera].tolist()
    return int(width) * int(height)


# --- sparse patterns


def _row_layout(name: str, count: str, sizes: Sizes, arrays: Arrays) -> Broken:
    """Rows of a sparse pattern that do not lie one after the other, from the first entry to the last."""
    prefix = name.split("_")[0]
    num, start = arrays[f"{prefix}_rownnz"].astype(np.int64), arrays[f"{prefix}_rowadr"]
    if name.endswith("rownnz"):
        bad = (num < 1) | (num > sizes["nv"])
        return bad, f"a row of {prefix} has from 1 to nv entries ({sizes['nv']})"
    bad = (start != np.cumsum(num) - num) | (start + num > sizes[count])
    return bad, f"the rows of {prefix} must follow each other as {prefix}_rownnz says ({count} in all)"


def _inertia_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Row i holds ancestors of dof i in increasing order, then i; the row of an ancestor is a prefix of it."""
    if name != "M_colind":
        yield _row_layout(name, "nC", sizes, arrays)
        return
    num, start = arrays["M_rownnz"].astype(np.int64), arrays["M_rowadr"].astype(np.int64)
    if int(num.sum()) != len(array):
        yield np.ones(len(array), bool), "the rows of M must fill nC"
        return
    row = np.repeat(np.arange(len(num)), num)
    place = np.arange(len(array)) - start[row]
    is_last = place == num[row] - 1
    bad = np.where(is_last, array != row, (array < 0) | (array >= row))
    # before the diagonal: the row of the nearest ancestor
    nearest = np.where(num > 1, array[np.maximum(start + num - 2, 0)], 0)
    nearest = np.clip(nearest, 0, len(num) - 1)
    above = start[nearest][row] + place
    bad |= ~is_last & ((num[nearest][row] != num[row] - 1) | (array[np.clip(above, 0, len(array) - 1)] != array))
    yield bad, "a row of M holds the row of its nearest ancestor, then its own dof"


def _square_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Row i of D holds the dofs above and below i in increasing order, and i itself at D_diag."""
    num, start = arrays["D_rownnz"].astype(np.int64), arrays["D_rowadr"].astype(np.int64)
    if name in ("D_rownnz", "D_rowadr"):
        yield _row_layout(name, "nD", sizes, arrays)
    elif name == "D_diag":
        place = start + array
        is_in = (array >= 0) & (array < num)
        column = arrays["D_colind"][np.clip(place, 0, max(sizes["nD"] - 1, 0))]
        yield ~is_in | (column != np.arange(len(array))), "D_colind must have the dof itself at this place of its row"
    else:
        if int(num.sum()) != len(array):
            yield np.ones(len(array), bool), "the rows of D must fill nD"
            return
        row = np.repeat(np.arange(len(num)), num)
        expected = _square_columns(arrays, len(num))
        yield (
            array != expected if expected is not None and len(expected) == len(array) else row >= 0,
            ("a row of D holds the dofs above and below its own, in order (dof_parentid)"),
        )


def _square_columns(arrays: Arrays, nv: int) -> np.ndarray | None:
    """Columns of D as dof_parentid gives them; None if that is no tree."""
    parents = arrays["dof_parentid"].tolist()
    chains: list[list[int]] = []
    below: list[list[int]] = [[] for _ in range(nv)]
    for dof, parent in enumerate(parents):
        if not -1 <= parent < dof:
            return None
        chain = [*chains[parent], dof] if parent >= 0 else [dof]
        for ancestor in chain[:-1]:
            below[ancestor].append(dof)
        chains.append(chain)
    return np.array([column for dof in range(nv) for column in (*chains[dof], *below[dof])], np.int64)


def _joint_owners(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["body_jntadr"], arrays["body_jntnum"], sizes["njnt"])


def _dof_joints(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["jnt_dofadr"], dofs(arrays), sizes["nv"])


def _dof_bodies(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return owners(arrays["body_dofadr"], arrays["body_dofnum"], sizes["nv"])


def _body_dof_counts(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.bincount(arrays["jnt_bodyid"], weights=dofs(arrays), minlength=sizes["nbody"]).astype(np.int64)


def _dof_parents(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    """The dof before it on the same body, or the last one of the nearest ancestor that has any."""
    first, num = arrays["body_dofadr"].tolist(), arrays["body_dofnum"].tolist()
    last, parents = [-1] * sizes["nbody"], [-1] * sizes["nv"]
    for body, above in enumerate(arrays["body_parentid"].tolist()):
        last[body] = last[above] if body else -1
        for dof in range(first[body], first[body] + num[body]):
            parents[dof], last[body] = last[body], dof
    return np.array(parents, np.int64)


def _dof_trees(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.cumsum(arrays["dof_parentid"] == -1) - 1


def _welded(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    moves = (arrays["body_dofnum"] > 0) | (arrays["body_mocapid"] >= 0)
    return _inherited(arrays, moves)


def _roots(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return _inherited(arrays, arrays["body_parentid"] == 0)


def _inherited(arrays: Arrays, is_own: np.ndarray) -> np.ndarray:
    """Each body where `is_own` holds, and what its parent has elsewhere."""
    found: list[int] = []
    for body, (parent, own) in enumerate(zip(arrays["body_parentid"].tolist(), is_own.tolist(), strict=True)):
        found.append(body if own or body == 0 else found[parent])
    return np.array(found, np.int64)


def _simple_runs(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    """How many dofs of simple bodies follow each other from each dof on."""
    run, counts = 0, []
    for is_simple in reversed((arrays["body_simple"][arrays["dof_bodyid"]] > 0).tolist()):
        run = run + 1 if is_simple else 0
        counts.append(run)
    return np.array(counts[::-1], np.int64)


def _tree_first_dofs(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.flatnonzero(arrays["dof_parentid"] == -1)[: sizes["ntree"]]


def _tree_dof_counts(sizes: Sizes, arrays: Arrays) -> np.ndarray:
    return np.bincount(arrays["dof_treeid"], minlength=sizes["ntree"])


def _running(counts: np.ndarray) -> np.ndarray:
    return np.cumsum(counts) - counts


#: Row -> what it must be; each reads only rows before it, and rows that are sound by themselves.
STRUCTURE: dict[str, Callable[[Sizes, Arrays], np.ndarray]] = {
    "jnt_bodyid": _joint_owners,
    "jnt_qposadr": lambda sizes, arrays: _running(positions(arrays)),
    "jnt_dofadr": lambda sizes, arrays: _running(dofs(arrays)),
    "body_dofnum": _body_dof_counts,
    "dof_jntid": _dof_joints,
    "dof_bodyid": _dof_bodies,
    "dof_parentid": _dof_parents,
    "dof_treeid": _dof_trees,
    "dof_simplenum": _simple_runs,
    "body_weldid": _welded,
    "body_rootid": _roots,
    "geom_bodyid": lambda sizes, arrays: owners(arrays["body_geomadr"], arrays["body_geomnum"], sizes["ngeom"]),
    "tree_dofadr": _tree_first_dofs,
    "tree_dofnum": _tree_dof_counts,
}


def _tendon_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The dofs that can change the length of each tendon, row after row."""
    rows = [derive.dofs_of_tendon(dict(arrays), tendon) for tendon in range(sizes["ntendon"])]
    counts = np.array([len(row) for row in rows], np.int64)
    wanted = {
        "ten_J_rownnz": counts,
        "ten_J_rowadr": np.cumsum(counts) - counts,
        "ten_J_colind": np.array([dof for row in rows for dof in row], np.int64),
    }[name]
    is_same = len(wanted) == len(array)
    yield array != wanted if is_same else np.ones(array.shape, bool), "the path of the tendon gives another pattern"


RULES: dict[str, Callable[[str, np.ndarray, Sizes, Arrays], Iterator[Broken]]] = {
    "volume tree": _volume_tree,
    "volume leaf": _volume_leaf,
    "octree": _octree,
    "hull": _hull,
    "polygons": _polygons,
    "signature": _signature,
    "ends": _ends,
    "outputs": _outputs,
    "controls": _controls,
    "activations": _activations,
    "transmission": _transmission,
    "sensor object": _sensor_object,
    "sensor width": _sensor_width,
    "inertia pattern": _inertia_pattern,
    "square pattern": _square_pattern,
    "tendon pattern": _tendon_pattern,
}


_DOMAINS = {
    name: row.domain
    for name, row in MODEL_SCHEMA.fields.items()
    if row.domain is not None and not isinstance(row.domain, Anything)
}
#: Rows that are checked by themselves, counts before what they count, and those whose rule reads several others: they
#: come last, when each row is sound.
_ALONE = (Among, Between, Bits, Index)
PLAIN = {name: domain for name, domain in _DOMAINS.items() if isinstance(domain, _ALONE)} | {
    name: domain for name, domain in _DOMAINS.items() if not isinstance(domain, (*_ALONE, Rule))
}
RELATED = {name: domain for name, domain in _DOMAINS.items() if isinstance(domain, Rule)}


# --- sizes that memory is taken by


def _least_sizes(sizes: Sizes, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """Sizes, and how large they must be at least for what kernels write."""
    yield "npolygonmax", int(arrays["mesh_polyvertnum"].max(initial=0))
    yield "nmeshdegmax", int(arrays["mesh_polymapnum"].max(initial=0))
    yield "nJmom", _moment_entries(sizes, arrays)
    yield "nbody", 1


def _moment_entries(sizes: Sizes, arrays: Arrays) -> int:
    """Entries of the moment matrix that all actuators may need."""
    kinds, target = arrays["actuator_trntype"], arrays["actuator_trnid"]
    total = 0
    for actuator, kind in enumerate(kinds.tolist()):
        first, second = target[actuator].tolist()
        if kind in (TrnType.JOINT, TrnType.JOINTINPARENT):
            total += NV[arrays["jnt_type"][first]]
        elif kind == TrnType.SO3:
            total += 3 * sizes["nv"] if second >= 0 else 3
        elif kind == TrnType.TENDON:
            total += int(arrays["ten_J_rownnz"][first])
        elif kind == TrnType.SITE:
            chain = _chain(arrays, int(arrays["site_bodyid"][first]))
            other = _chain(arrays, int(arrays["site_bodyid"][second])) if second >= 0 else set()
            total += len(chain ^ other)
        elif kind == TrnType.SLIDERCRANK:
            sites = arrays["site_bodyid"]
            total += len(_chain(arrays, int(sites[first])) | _chain(arrays, int(sites[second])))
        elif kind == TrnType.BODY:
            total += sizes["nv"]
    return total


def _chain(arrays: Arrays, body: int) -> set[int]:
    """Dofs that move a body."""
    found: set[int] = set()
    while body > 0:
        first = int(arrays["body_dofadr"][body])
        found.update(range(first, first + int(arrays["body_dofnum"][body])))
        body = int(arrays["body_parentid"][body])
    return found
