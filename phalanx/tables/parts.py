"""Parts: kernels that are compiled together, apart from the rest, and called through addresses in the table of a Data.

A row says which kernels an image has and which models need it; a model loads those. Where a row is wrong about that,
the step notices that a part is absent, stops before the state changes, loads it and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from phalanx.tables.enums import DisableBit, EnableBit, EqType, FlexSelf, GeomType, Integrator, SensorType
from phalanx.tables.integrators import IMPLICIT, STAGED, acceleration_kernels, compiled_in
from phalanx.tables.sizes import MANY_TREES
from phalanx.tables.solvers import DUAL, FACTORING


@dataclass(frozen=True)
class PartRow:
    """Kernels that are compiled together.

    Attributes:
        name: of the image.
        kernels: "module:kernel" each, all of them decorated with `@part`.
        doc: what they compute.
        needed: which models (as kernels see them) need them; only how soon the image is loaded depends on it.
        effort: how hard LLVM tries, more than 1 where it was measured to pay: 2 looks for vectors in straight code, as
            kernels have that take worlds one by one, and not in loops; 3 is the highest level; 5 looks for vectors in
            both, in one world.
        sleeps: do the kernels ask whether trees may fall asleep? Others are compiled once for both answers.
    """

    name: str
    kernels: tuple[str, ...]
    doc: str
    needed: Callable[[Any], bool] = lambda m: True
    effort: int = 1
    sleeps: bool = True

    @property
    def slots(self) -> tuple[str, ...]:
        """Attributes of `d` in kernels: the addresses of the compiled kernels."""
        return tuple(f"part_{path.partition(':')[2]}" for path in self.kernels)


#: Geoms of these types have colliders of their own, without a search, against all that come before them in this order.
_SIMPLE = (GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE)


def _has(values: Any, *kinds: int) -> bool:
    return any(bool((values == kind).any()) for kind in kinds)


def _searches(m: Any) -> bool:
    """Are there geoms whose contacts are searched for, one world after another?"""
    return any(int(kind) not in tuple(map(int, _SIMPLE)) for kind in set(m.geom_type.tolist()))


def _has_contacts(m: Any) -> bool:
    return m.ngeom > 1 and not m.opt.disableflags & (DisableBit.CONTACT | DisableBit.CONSTRAINT)


def has_flex_contacts(m: Any) -> bool:
    """Is there a flex that accepts contacts?"""
    accepts = bool(((m.flex_contype != 0) | (m.flex_conaffinity != 0)).any()) if m.nflex else False
    return accepts and not m.opt.disableflags & (DisableBit.CONTACT | DisableBit.CONSTRAINT)


def _searches_flexes(m: Any) -> bool:
    """May flexes touch what has no formula: most geoms, or flexes that are no lines?"""
    others = m.nflex > 1 or bool((m.flex_selfcollide != FlexSelf.NONE).any())
    return has_flex_contacts(m) and (_searches(m) or (others and bool((m.flex_dim > 1).any())))


def _has_boxed_rods(m: Any) -> bool:
    """May rods with a box section touch something? The last number of a record is not zero (`elastic_rod.py`)."""
    if not has_flex_contacts(m):
        return False
    starts = m.flex_bendingadr[(m.flex_dim == 1) & (m.flex_plasticadr >= 0)]
    return any(start >= 0 and m.flex_bending[start] > 0 and m.flex_bending[start + 10] != 0 for start in starts)


def _has_heaps(m: Any) -> bool:
    return m.ntree >= MANY_TREES and m.nflex == 0


def _has_constraints(m: Any) -> bool:
    return _has_contacts(m) or has_flex_contacts(m) or m.neq > 0 or any(bool(rows.any()) for rows in _constraining(m))


def _constraining(m: Any) -> tuple[Any, ...]:
    """Fields of which a number that is not zero makes a constraint."""
    return m.jnt_limited, m.tendon_limited, m.dof_frictionloss, m.tendon_frictionloss


_DISTANCES = (SensorType.GEOMDIST, SensorType.GEOMNORMAL, SensorType.GEOMFROMTO)

PARTS: dict[str, PartRow] = {
    row.name: row
    for row in (
        PartRow(
            "core",
            (
                "phalanx.pipeline.step:steps",
                "phalanx.pipeline.forward:forward",
                "phalanx.pipeline.forward:dynamics",
                "phalanx.pipeline.forward:fwd_position",
                "phalanx.pipeline.forward:fwd_velocity",
            ),
            "the order of the stages, and smooth dynamics",
        ),
        PartRow(
            "tendon",
            ("phalanx.smooth.tendon.tendon:tendon",),
            "paths of tendons",
            lambda m: m.ntendon > 0,
            sleeps=False,
        ),
        PartRow(
            "flex",
            ("phalanx.smooth.flex.vertices:flex", "phalanx.smooth.flex.vertices:flex_velocity"),
            "vertices and edges of flexes",
            lambda m: m.nflex > 0,
            sleeps=False,
        ),
        PartRow(
            "flex_restore",
            ("phalanx.smooth.flex.restart:restore_flexes",),
            "flexes at the start of a step in stages",
            lambda m: m.nflex > 0 and m.nplastic > 0 and m.opt.integrator in STAGED,
        ),
        PartRow(
            "flex_force",
            ("phalanx.smooth.flex.forces:flex_passive", "phalanx.smooth.flex.yielding:flex_advance"),
            "forces that resist the deformation of flexes",
            lambda m: m.nflex > 0,
        ),
        PartRow(
            "actuator",
            ("phalanx.smooth.actuator.transmission:transmission", "phalanx.smooth.actuator.actuation:actuate"),
            "transmissions and forces of actuators",
            lambda m: m.nactuator > 0,
        ),
        PartRow(
            "plugin_actuator",
            (
                "phalanx.smooth.actuator.plugin_actuation:plugin_rates",
                "phalanx.smooth.actuator.plugin_actuation:plugin_forces",
            ),
            "actuators of plugins",
            lambda m: bool((m.actuator_plugin >= 0).any()),
            sleeps=False,
        ),
        PartRow("collision", ("phalanx.collision.narrowphase:find_contacts",), "contacts by formula", _has_contacts),
        PartRow(
            "broad",
            ("phalanx.collision.broad.broadphase:broadphase",),
            "which of many geoms are near",
            lambda m: _has_contacts(m) and bool(m.flg_sweep),
        ),
        PartRow(
            "convex",
            ("phalanx.collision.collide:collide_by_world",),
            "contacts by search: convex shapes, boxes, height fields, SDFs",
            lambda m: _has_contacts(m) and _searches(m),
            sleeps=False,
        ),
        PartRow(
            "flex_contact",
            (
                "phalanx.collision.flex.flex_contacts:flex_contacts",
                "phalanx.constraint.flex_rows:add_flex_contact",
                "phalanx.constraint.flex_rows:pull_flex",
                "phalanx.constraint.passive_contact:passive_contacts",
            ),
            "contacts of flexes: which elements are near, contacts by formula, their constraint rows or passive forces",
            has_flex_contacts,
        ),
        PartRow(
            "flex_search",
            (
                "phalanx.collision.flex.search:search_geom",
                "phalanx.collision.flex.search:search_elements",
                "phalanx.collision.flex.ground:search_field",
                "phalanx.collision.flex.ground:search_sdf",
            ),
            "contacts of flexes by search",
            _searches_flexes,
            sleeps=False,
        ),
        PartRow(
            "plugin_sdf",
            (
                "phalanx.collision.sdf.plugin_field:plugin_field",
                "phalanx.collision.sdf.plugin_field:plugin_field_gradient",
            ),
            "signed distances of plugins",
            lambda m: _has_contacts(m) and bool((m.geom_plugin >= 0).any()),
            sleeps=False,
        ),
        PartRow(
            "ahead",
            ("phalanx.collision.ahead.look_ahead:look_ahead",),
            "contacts that velocities will make within the step",
            lambda m: _has_contacts(m) and bool(m.opt.enableflags & EnableBit.SPECULATIVE),
            sleeps=False,
        ),
        PartRow(
            "rows",
            (
                "phalanx.constraint.make_constraint:append_all",
                "phalanx.constraint.reference:reference_constraint",
                "phalanx.constraint.projection:project_constraint",
                "phalanx.constraint.hessian_size:count_hessian",
            ),
            "constraint rows",
            effort=5,
        ),
        PartRow(
            "flex_rows",
            ("phalanx.constraint.equality.flex:flex_edge_rows",),
            "constraint rows of flexes",
            lambda m: _has(m.eq_type, EqType.FLEX),
            sleeps=False,
        ),
        PartRow(
            "flex_islands",
            ("phalanx.solver.flex_islands:join_flexes",),
            "islands of elastic flexes",
            lambda m: m.nflex > 0 and _has_constraints(m),
            sleeps=False,
        ),
        PartRow(
            "strain_rows",
            ("phalanx.constraint.equality.flex_strain:flex_strain_rows",),
            "constraint rows that keep the shape of cells",
            lambda m: _has(m.eq_type, EqType.FLEXSTRAIN),
            sleeps=False,
        ),
        PartRow(
            "solver",
            ("phalanx.solver.constrain:solve_constraints", "phalanx.solver.coupled:coupled_acceleration"),
            "constraint forces, primal solvers",
            _has_constraints,
            effort=5,
        ),
        PartRow(
            "heap",
            ("phalanx.solver.heap_factor:divide_by_heap_hessian", "phalanx.constraint.heap_panels:heap_room"),
            "Newton's direction in islands of many trees",
            lambda m: _has_heaps(m) and m.opt.solver in FACTORING and _has_constraints(m),
            effort=2,
        ),
        PartRow(
            "dual",
            (
                "phalanx.solver.dual:start_forces",
                "phalanx.solver.dual:projected_gauss_seidel",
                "phalanx.solver.noslip:noslip",
            ),
            "constraint forces, dual solvers",
            lambda m: m.opt.solver in DUAL or m.opt.noslip_iterations > 0,
            effort=2,
        ),
        PartRow(
            "sensor",
            (
                "phalanx.sensor.stages:sensor_pos",
                "phalanx.sensor.stages:sensor_vel",
                "phalanx.sensor.stages:sensor_acc",
                "phalanx.sensor.force.post_constraint:rne_post_constraint",
            ),
            "readings of sensors, forces between bodies",
            lambda m: m.nsensor > 0,
        ),
        PartRow(
            "rays",
            ("phalanx.collision.ray.ray:rays", "phalanx.sensor.read.rangefinder:rangefinder"),
            "rays",
            lambda m: _has(m.sensor_type, SensorType.RANGEFINDER),
            effort=3,
            sleeps=False,
        ),
        PartRow(
            "flex_rays",
            ("phalanx.collision.ray.flex_ray:flex_rays",),
            "rays against flexes",
            lambda m: False,
            sleeps=False,
        ),
        PartRow(
            "plugin_sensor",
            ("phalanx.sensor.read.plugin_sensor:plugin_sensor",),
            "sensors of plugins",
            lambda m: _has(m.sensor_type, SensorType.PLUGIN),
            sleeps=False,
        ),
        PartRow(
            "distance",
            ("phalanx.collision.distance:asked_distance", "phalanx.sensor.read.distance:distance"),
            "distances of geoms",
            lambda m: _has(m.sensor_type, *_DISTANCES),
            sleeps=False,
        ),
        PartRow(
            "implicit",
            acceleration_kernels(IMPLICIT),
            "implicit integrators",
            lambda m: m.opt.integrator in compiled_in(IMPLICIT),
        ),
        PartRow(
            "discrete",
            ("phalanx.integrator.discrete:effective_metric", "phalanx.integrator.free_flight:free_flight"),
            "the metric of a step of the discrete integrator",
            lambda m: m.opt.integrator == Integrator.DISCRETE,
            sleeps=False,
        ),
        PartRow(
            "flex_metric",
            ("phalanx.constraint.flex_room:flex_metric_room", "phalanx.integrator.flex_metric:flex_terms"),
            "flexes in the metric of a step of the discrete integrator",
            lambda m: m.opt.integrator == Integrator.DISCRETE and m.nflex > 0,
            sleeps=False,
        ),
        PartRow(
            "stages",
            ("phalanx.pipeline.step:step_in_stages",),
            "integrators that compute forward dynamics more than once in a step, as Runge-Kutta does",
            lambda m: m.opt.integrator in STAGED,
        ),
        PartRow(
            "inverse",
            (
                "phalanx.pipeline.inverse:inverse",
                "phalanx.pipeline.inverse:inverse_of_forward",
                "phalanx.pipeline.inverse:compare_fwd_inv",
            ),
            "inverse dynamics",
            lambda m: bool(m.opt.enableflags & EnableBit.FWDINV),
        ),
        PartRow(
            "sleep",
            (
                "phalanx.sleep.wake:wake_disturbed",
                "phalanx.sleep.wake:wake_pulled",
                "phalanx.sleep.wake:wake_touched",
                "phalanx.sleep.wake:wake_tied",
                "phalanx.sleep.wake:settle_down",
                "phalanx.sleep.wake:sleep_again",
                "phalanx.sleep.fall_asleep:fall_asleep",
                "phalanx.pipeline.step:put_first_sleepers",
            ),
            "which trees sleep, and which wake up",
            lambda m: m.nsleep > 0,
            effort=3,
        ),
        PartRow(
            "requested",
            ("phalanx.pipeline.requested:requested_rows",),
            "rows that a step computes only on request",
            lambda m: False,
            sleeps=False,
        ),
        PartRow(
            "flex_energy",
            ("phalanx.smooth.flex.elastic_energy:flex_energies",),
            "elastic energy of flexes",
            lambda m: False,
            sleeps=False,
        ),
        PartRow(
            "flex_stiffness",
            ("phalanx.integrator.flex_stiffness:flex_blocks", "phalanx.integrator.flex_stiffness:flex_matrix"),
            "the stiffness of flexes as blocks and as a matrix",
            lambda m: False,
            sleeps=False,
        ),
        PartRow(
            "queries",
            ("phalanx.pipeline.world_queries:jacobians", "phalanx.pipeline.world_queries:list_contacts"),
            "what a batch is asked about its worlds: Jacobians, contacts",
            lambda m: False,
        ),
        PartRow(
            "rod_box",
            (
                "phalanx.collision.flex.rod_box:rod_frames",
                "phalanx.collision.flex.rod_box:section_on_plane",
                "phalanx.collision.flex.rod_box:box_on_geom",
                "phalanx.collision.flex.rod_box:box_on_box",
                "phalanx.collision.flex.rod_box:segment_on_box",
            ),
            "contacts of rods with a box section",
            _has_boxed_rods,
            sleeps=False,
        ),
    )
}

#: All slots, in the order of the rows.
PART_SLOTS: tuple[str, ...] = tuple(slot for row in PARTS.values() for slot in row.slots)
