"""The last stage: arrays are filled, constants at the reference pose and what depends on them are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.algebra.vector import MINVAL
from phalanx.compiler.finish.length_range import find_length_ranges, rest_tendons
from phalanx.compiler.model_build import KINDS, Build
from phalanx.compiler.object.options import visual_settings
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError, Problem, in_order
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store, plan_of
from phalanx.memory.visual import Visual
from phalanx.pipeline import derive
from phalanx.pipeline.derived import derive_constants, list_candidates_in
from phalanx.pipeline.elimination_order import order_rows
from phalanx.pipeline.flex_constants import edge_reaches
from phalanx.pipeline.plugin_rows import plugin_rows
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import SameFrame
from phalanx.tables.field import group_of
from phalanx.tables.model_fields import MODEL
from phalanx.tables.sizes import LARGEST_INT, extent

if TYPE_CHECKING:
    from phalanx.compiler.object.actuator import Actuator

#: Names of sizes that count the objects of a kind.
_COUNTS = {"joint": "njnt", "camera": "ncam", "equality": "neq", "texture": "ntex", "material": "nmat"}
#: Smallest size of a body and of the model.
SMALLEST = 1e-5


class Compiled(NamedTuple):
    """What the compiler makes: the memory of all fields of a Model, and its settings of pictures."""

    store: Store
    vis: Visual


def make_model(build: Build) -> Compiled:
    """The compiled form of a build without problems."""
    store = _allocate(build)
    _fill(store, build)
    _check_finite(store, build)
    derive.derive_structure(store.arrays, store.sizes)
    for name, values in order_rows(store.sizes, store.arrays).items():
        store.arrays[name][...] = values
    store.arrays["body_sameframe"][0] = SameFrame.BODY
    if build.scope["settotalmass"] > 0:
        _scale_masses(store, build.scope["settotalmass"])
    pose = derive_constants(store)
    _resolve_springs(store, build)
    _resolve_ratios(store, build, pose)
    _write_statistics(store, build, pose)
    rest_tendons(store)
    _rest_keys(store, build)
    _check_finite(store, build, most=1)
    for name, values in plugin_rows(store.sizes, store.arrays).items():
        store.arrays[name][...] = values
    list_candidates_in(store)
    find_length_ranges(store, build)
    return Compiled(store, visual_settings(build))


def _allocate(build: Build) -> Store:
    """The memory of a Model with the sizes of a build, zero everywhere."""
    sizes = dict.fromkeys(MODEL_SCHEMA.sizes, 0)
    for kind in KINDS:
        sizes[_COUNTS.get(kind, f"n{kind}")] = len(build.of_kind(kind))
    sizes.update(build.sizes)
    sizes["nbvhstatic"] = sum(len(tree) for tree in build.trees)
    sizes["nbvhdynamic"] = sum(len(tree) for tree in build.moving_trees)
    sizes["nbvh"] = sizes["nbvhstatic"] + sizes["nbvhdynamic"]
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    _check_memory(build, "model", store.sizes)
    _check_memory(build, "data", {**store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)})
    store.allocate_all()
    return store


def _check_memory(build: Build, schema: str, sizes: dict[str, int]) -> None:
    """Refuse a model whose Model or Data would need too much memory, before it is taken."""
    plan = plan_of(schema, NumberType("float64"))
    length = np.array([float(sizes[axis] if axis in sizes else extent(axis, sizes)) for axis in plan.axes])
    needed = np.multiply.reduce(length.take(plan.shapes)) * plan.itemsize
    limits = build.scope.files.limits
    for name, count in sizes.items():
        if count > LARGEST_INT and name != "narena":
            raise MjcfError([build.root.problem(f"{name} would be {count}, which is beyond 32 bits")])
    # sizes may be absurd, so bytes are counted as floats
    if not needed.sum() <= limits.model_bytes:
        worst = int(np.argmax(needed[plan.place]))
        name, (_, shape, _, _) = list(plan.rows.items())[worst]
        axes = " x ".join(f"{axis}={sizes[axis]}" if axis in sizes else str(axis) for axis in shape)
        message = f"the {schema} needs {needed.sum():.3g} bytes, most of them for {name} ({axes})"
        raise MjcfError([build.root.problem(f"{message}, {limits.beyond('model_bytes')}")])


def _fill(store: Store, build: Build) -> None:
    """Columns to arrays, by the rows of the Model table."""
    store.fill(build.columns)
    for name, parts in build.pieces.items():
        np.concatenate(parts, out=store.arrays[name])
    # boxes that move are not in the Model
    for name in ("depth", "child", "nodeid", "aabb"):
        trees = build.trees if name == "aabb" else [*build.trees, *build.moving_trees]
        if trees:
            np.concatenate([getattr(tree, name) for tree in trees], out=store.arrays[f"bvh_{name}"])


#: Group of Model rows -> kind of object, where the names differ.
_OWNERS = {"dof": "joint", "wrap": "tendon", "pose": "", "bvh": "", "tree": ""}
_GROUPS = group_of(MODEL)


def _check_finite(store: Store, build: Build, most: int | None = None) -> None:
    """Refuse a model with values that are not finite: written too large, or computed from such values.

    Args:
        store: the memory of the Model.
        build: where each value comes from.
        most: how many elements to report; None for all. Each is reported once, with its first such field.
    """
    if store.is_finite():
        return
    found: dict[int, Problem] = {}
    for name, array in store.arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            message = f"a number is too large: {name} would not be finite"
            for element in _owners(build, name, array):
                found.setdefault(id(element), element.problem(message))
    raise MjcfError(in_order([*found.values()][:most]))


def _owners(build: Build, name: str, array: np.ndarray) -> list[Element]:
    """The elements whose rows of a field are not finite; the model, if these are not rows of elements."""
    group = _GROUPS.get(name, "")
    kind = _OWNERS.get(group, group)
    objects = build.of_kind(kind) if kind in KINDS else ()
    rows = np.unique(np.argwhere(~np.isfinite(array))[:, 0]).tolist() if array.ndim else []
    if group == "dof":
        rows = [int(build.columns["dof_jntid"][row]) for row in rows]
    return [objects[row].element for row in rows] if rows and max(rows) < len(objects) else [build.root]


def _scale_masses(store: Store, total: float) -> None:
    """compiler/settotalmass."""
    arrays = store.arrays
    scale = max(MINVAL, total / max(MINVAL, float(arrays["body_mass"][1:].sum())))
    arrays["body_mass"][1:] *= scale
    arrays["body_inertia"][1:] *= scale


# --- springs and ratios


def _resolve_springs(store: Store, build: Build) -> None:
    """Stiffness and damping of joints whose springdamper gives a time constant and a damping ratio."""
    arrays = store.arrays
    for joint in build.joints:
        time, ratio = joint["springdamper"]
        if time > 0 and ratio > 0:
            dofs = slice(joint.dofadr, joint.dofadr + joint.row.nv)
            inertia = joint.row.nv / max(MINVAL, float(arrays["dof_invweight0"][dofs].sum()))
            arrays["jnt_stiffness"][joint.id] = inertia / max(MINVAL, time * time * ratio * ratio)
            arrays["dof_damping"][dofs] = 2 * inertia / max(MINVAL, time)


def _rest_keys(store: Store, build: Build) -> None:
    """Tendons that can yield start a keyframe at the rest length of their springs."""
    for tendon, start in enumerate(store.arrays["tendon_plasticadr"].tolist()):
        for key in build.keys:
            if start >= 0 and (key["plastic"] is None or len(key["plastic"]) < start + 2):
                store.arrays["key_plastic"][key.id, start : start + 2] = store.arrays["tendon_lengthspring"][tendon]


def _resolve_ratios(store: Store, build: Build, pose: Store) -> None:
    """Damping of servos from their damping ratios: until here, a positive biasprm[2] is a ratio.

    kv = 2 ratio sqrt(kp m), with m the inertia that the actuator feels: 1 / (J M^-1 J'), of several outputs the mean.
    """
    m, d = store.arrays, pose.arrays
    servos = [actuator for actuator in build.actuators if _has_ratio(actuator)]
    for actuator in servos:
        first, inverse = int(m["actuator_outadr"][actuator.id]), 0.0
        for row in range(first, first + actuator.outnum):
            moment = np.zeros(store.sizes["nv"])
            start = int(d["moment_rowadr"][row])
            entries = slice(start, start + int(d["moment_rownnz"][row]))
            moment[d["moment_colind"][entries]] = d["actuator_moment"][entries]
            inverse += _inverse_inertia(store, pose, moment) / actuator.outnum
        ratio, kp = float(m["actuator_biasprm"][actuator.id, 2]), -float(m["actuator_biasprm"][actuator.id, 1])
        felt = 1.0 / inverse if inverse > MINVAL else 0.0
        m["actuator_biasprm"][actuator.id, 2] = -ratio * 2 * np.sqrt(kp * felt)


def _has_ratio(actuator: Actuator) -> bool:
    gain, bias = actuator["gainprm"], actuator["biasprm"]
    kinds = actuator["gaintype"], actuator["biastype"]
    is_servo = kinds in (("pid", "affine"), ("so3", "so3")) or (kinds == ("fixed", "affine") and gain[0] == -bias[1])
    return is_servo and bias[2] > 0 and bias[1] < 0


def _inverse_inertia(store: Store, pose: Store, moment: np.ndarray) -> float:
    """J M^-1 J' of a moment J, with the factor M = L' D L of the pose: the sum of z² / D, where L' z = J'.

    In a fixed order of additions, so that all machines compile the same model. Costs follow the dofs that J reaches.
    """
    m, d = store.arrays, pose.arrays
    rest = moment.copy()
    terms = []
    for dof in range(len(rest) - 1, -1, -1):
        if rest[dof] != 0.0:
            start, count = int(m["M_rowadr"][dof]), int(m["M_rownnz"][dof])
            above = slice(start, start + count - 1)
            rest[m["M_colind"][above]] -= d["qLD"][above] * rest[dof]
            terms.append(float(rest[dof] * rest[dof] * d["qLDiagInv"][dof]))
    return sum(terms)


# --- statistics


def _write_statistics(store: Store, build: Build, pose: Store) -> None:
    """stat.*: computed, then as the user wants them."""
    m, d, sizes = store.arrays, pose.arrays, store.sizes
    # defaults of a model without bodies are those of MuJoCo (setStat in engine_setconst.c)
    low, high = _extent(m, d)
    center = (low + high) * 0.5
    extent = 2.0
    if high[0] > low[0]:
        extent = max(SMALLEST, float((high - low).max()))
    bodies = _body_sizes(m, d)
    count = sizes["nbody"] - 1
    meansize, meanmass = 0.2, 1.0
    if count:
        # added one by one, in the order of MuJoCo
        meansize = 0.0
        for size in bodies[1:]:
            meansize += max(size, SMALLEST) / count
        meanmass = 0.0
        for mass in m["body_mass"][1:].tolist():
            meanmass += mass
        meanmass /= count
    diagonal = d["M"][m["M_rowadr"] + m["M_rownnz"] - 1]
    meaninertia = float(diagonal.sum() / sizes["nv"]) if sizes["nv"] else 1.0
    values: dict[str, np.ndarray | float | tuple[float, ...]] = {
        "center": center, "extent": max(extent, 2 * meansize), "meansize": meansize, "meanmass": meanmass,
        "meaninertia": meaninertia,
    }  # fmt: skip
    for section in build.root.children:
        if section.tag == "statistic":
            values.update(section.attributes)
    for name, value in values.items():
        m[f"stat.{name}"][...] = value


def _extent(m: dict[str, np.ndarray], d: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box around bodies, joints, sites and geoms."""
    points = [d["xpos"][1:], d["xipos"][1:], d["xanchor"], d["site_xpos"]]
    centers, radius = d["geom_xpos"], m["geom_rbound"].copy()
    plane = (m["geom_type"] == 0) & (radius <= 0)
    largest = m["geom_size"][:, :2].max(axis=1, initial=0.0)
    radius[plane] = np.where(largest > 0, largest * 0.1, 0.01)[plane]
    spheres = np.concatenate([centers - radius[:, None], centers + radius[:, None]])
    every = np.concatenate([*points, spheres])
    if not len(every):
        return np.full(3, 1e10), np.full(3, -1e10)
    return every.min(axis=0), every.max(axis=0)


def _body_sizes(m: dict[str, np.ndarray], d: dict[str, np.ndarray]) -> list[float]:
    """How far each body reaches from its center of mass: to joints, around geoms, and along the edges of flexes."""
    sizes = np.zeros(len(m["body_mass"]))
    moved, anchors, radius = m["jnt_bodyid"], d["xanchor"], m["geom_rbound"]
    is_round = radius > 0
    # a joint is reached from its body and from the parent of that
    bodies = np.concatenate([moved, m["body_parentid"][moved], m["geom_bodyid"][is_round]])
    points = np.concatenate([anchors, anchors, d["geom_xpos"][is_round]])
    distance = np.sqrt(((d["xipos"][bodies] - points) ** 2).sum(axis=1))
    distance[2 * len(moved) :] += radius[is_round]
    np.maximum.at(sizes, bodies, distance)
    if len(m["flex_dim"]):
        np.maximum.at(sizes, *edge_reaches(m, d))
    return sizes.tolist()
