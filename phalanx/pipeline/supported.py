"""What this version simulates. Nothing a model asks for is left out silently."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError, UnsupportedFeatureWarning
from phalanx.pipeline.flex_constants import has_elastic_elements
from phalanx.smooth.flex.cells import STRAIN_EQUALITY
from phalanx.smooth.flex.stretching import SOLID_METRIC
from phalanx.tables.enums import Cone, DisableBit, EnableBit, EqType, GeomType, Integrator, Solver
from phalanx.tables.integrators import INTEGRATORS, STAGED, SUPPORTED, IntegratorRow
from phalanx.tables.plugins import FIELDS, known_plugins
from phalanx.tables.solvers import DUAL, SOLVERS, SolverRow

#: Rows that say whether a flex is elastic.
FLEX_ROWS = (
    "flex_stiffnessadr", "flex_stiffness", "flex_bendingadr", "flex_bending", "flex_interp", "flex_cellnum", "flex_dim",
    "flex_edgeadr", "flex_edgenum", "flex_edgeflap",
)  # fmt: skip


def unsupported(model: Any) -> list[str]:
    """Physics that the model asks for and this version leaves out, in words."""
    m = model
    features: list[str] = []

    def note(count: Any, words: str) -> None:
        if count:
            features.append(f"{int(count)} {words}")

    features += unsupported_flexes(m)
    unknown = np.flatnonzero(m.plugin_type < 0)
    if len(unknown):
        named = ", ".join(
            f"{m.names.label('plugin', int(instance))} (MuJoCo's plugin {m.structure['plugin'][instance]})"
            for instance in unknown
        )
        features.append(f"{named}, which is none of {known_plugins()}")
    return features


def unsupported_flexes(model: Any) -> list[str]:
    """What flexes ask for and this version leaves out, in words that name them."""
    m = model
    features: list[str] = []

    def note(is_asked: np.ndarray, words: str) -> None:
        if is_asked.any():
            named = ", ".join(m.names.label("flex", int(flex)) for flex in np.flatnonzero(is_asked))
            features.append(f"{words} of {named}")

    if not m.nflex:
        return features
    collides = (m.flex_contype != 0) | (m.flex_conaffinity != 0)
    if not m.opt.disableflags & (DisableBit.CONTACT | DisableBit.CONSTRAINT):
        note(collides & bool(m.opt.enableflags & EnableBit.IPC), "contacts without penetration (flag ipc)")
    # numbers of another material stand behind the metric of each tetrahedron
    others = np.zeros(m.nflex, bool)
    for flex in np.flatnonzero((m.flex_dim == 3) & (m.flex_interp == 0) & (m.flex_stiffnessadr >= 0)):
        start = int(m.flex_stiffnessadr[flex])
        metric = m.flex_stiffness[start : start + SOLID_METRIC * int(m.flex_elemnum[flex])].reshape(-1, SOLID_METRIC)
        others[flex] = bool(metric[:, 21:].any())
    note(others, "another material than that of Saint Venant and Kirchhoff")
    return features


def elastic_flexes(model: Any) -> list[int]:
    """Flexes with elastic forces, besides springs of edges."""
    m = model
    return [
        flex
        for flex in range(m.nflex)
        if not m.flex_rigid[flex]
        and m.flex_edgeequality[flex] != STRAIN_EQUALITY
        and has_elastic_elements({name: getattr(m, name) for name in FLEX_ROWS}, flex)
    ]


def check_flexes(model: Any) -> None:
    """Refuse integrators and solvers that cannot integrate the forces of flexes, as MuJoCo does."""
    m = model
    if not m.nflex:
        return
    integrator, solver = Integrator(m.opt.integrator), SOLVERS[Solver(m.opt.solver)]
    row, elastic = INTEGRATORS[integrator], elastic_flexes(m)
    name = m.names.label("flex", elastic[0]) if elastic else ""
    if elastic and integrator in (Integrator.IMPLICIT, Integrator.IMPLICITFAST):
        raise ModelError(
            f"{name} is elastic, which integrator {word(row)} cannot integrate; "
            f"choose discrete, or Euler or RK4 with a small timestep"
        )
    # rigid ones and lines pass over it
    passive = np.flatnonzero((m.flex_passive != 0) & (m.flex_rigid == 0) & (m.flex_dim > 1))
    if integrator != Integrator.DISCRETE:
        if len(passive):
            label = m.names.label("flex", int(passive[0]))
            raise ModelError(f"passive contacts of {label} need integrator discrete, not {word(row)}")
        return
    # what has no place in the metric of a step
    springs = np.flatnonzero(((m.flex_edgestiffness != 0) | (m.flex_edgedamping != 0)) & (m.flex_rigid == 0))
    if len(springs):
        label = m.names.label("flex", int(springs[0]))
        raise ModelError(
            f"integrator discrete has no stiffness and damping of edges, as {label} has; "
            f"choose elasticity or an equality of its edges"
        )
    if (elastic or len(passive)) and (Solver(m.opt.solver) in DUAL or m.opt.noslip_iterations > 0):
        label = name or m.names.label("flex", int(passive[0]))
        what = "noslip iterations" if m.opt.noslip_iterations > 0 else f"solver {word(solver)}"
        raise ModelError(f"integrator discrete with {label}, which is elastic, cannot have {what}; choose Newton or CG")


def shapeless(model: Any) -> list[str]:
    """Geoms of type SDF that have neither an octree nor a grid nor a plugin, by name."""
    m = model
    meshes, grids = m.nmesh, m.ngrid
    has_octree = np.append(m.mesh_octadr >= 0, np.ones(grids, bool))
    has_plugin = np.append(np.isin(m.plugin_type, FIELDS), False)[m.geom_plugin]
    geoms = np.flatnonzero((m.geom_type == GeomType.SDF) & ~has_plugin)
    return [
        m.names.label("geom", int(geom))
        for geom in geoms
        if not (0 <= m.geom_dataid[geom] < meshes + grids and has_octree[m.geom_dataid[geom]])
    ]


def check_integrator(model: Any) -> None:
    """Refuse an integrator that is not there, or that lacks the inverse which the flags ask for."""
    integrator = Integrator(model.opt.integrator)
    if integrator not in SUPPORTED:
        raise ModelError(
            f"integrator {integrator.name.lower()} is not supported; "
            f"choose one of {', '.join(other.name.lower() for other in SUPPORTED)}"
        )
    row, compared = INTEGRATORS[integrator], EnableBit.FWDINV | EnableBit.INVDISCRETE
    if not row.has_inverse and EnableBit(model.opt.enableflags) & compared == compared:
        raise ModelError(
            f"flags fwdinv and invdiscrete together need another integrator than {word(row)}, which has no inverse"
        )


def check_sleep(model: Any) -> None:
    """Refuse what trees cannot fall asleep with."""
    if not EnableBit(model.opt.enableflags) & EnableBit.SLEEP:
        return
    if model.opt.integrator in STAGED:
        words = word(INTEGRATORS[Integrator(model.opt.integrator)])
        raise ModelError(f"flag sleep needs another integrator than {words}: trees cannot wake up within its stages")
    if model.opt.integrator == Integrator.DISCRETE and model.opt.disableflags & DisableBit.ISLAND:
        raise ModelError("flag sleep with integrator discrete needs islands, which flag island disables")
    equalities = np.flatnonzero(model.eq_type == EqType.TENDON)
    if len(equalities):
        label = model.names.label("equality", int(equalities[0]))
        raise ModelError(f"flag sleep does not go with equalities of tendons, such as {label}")


def check_cone(model: Any) -> None:
    """Refuse friction cones that the solver cannot solve."""
    row = SOLVERS[Solver(model.opt.solver)]
    if model.opt.cone not in row.cones:
        raise ModelError(
            f"solver {word(row)} cannot solve {Cone(model.opt.cone).name.lower()} cones; "
            f"choose cone {' or '.join(cone.name.lower() for cone in row.cones)}"
        )


def check_discrete(model: Any) -> None:
    """Refuse inverse dynamics of a discrete step with an integrator that has no inverse."""
    row = INTEGRATORS[Integrator(model.opt.integrator)]
    if not row.has_inverse and model.opt.enableflags & EnableBit.INVDISCRETE:
        raise ModelError(
            f"discrete inverse dynamics needs another integrator than {word(row)}, whose stages have no inverse"
        )


def word(row: IntegratorRow | SolverRow) -> str:
    """What users call an integrator or a solver."""
    return row.keyword or row.kind.name.lower()


def check_model(model: Any) -> None:
    """Refuse what cannot be simulated, warn of what is left out."""
    check_integrator(model)
    check_cone(model)
    check_sleep(model)
    check_flexes(model)
    without_shape = shapeless(model)
    if without_shape:
        warnings.warn(
            f"{', '.join(without_shape)} of type sdf without octree, grid or plugin: no contacts; see Model.with_sdf",
            UnsupportedFeatureWarning,
            stacklevel=4,
        )
    features = unsupported(model)
    if features:
        warnings.warn(
            f"this version does not simulate {', '.join(features)} of {model!r}",
            UnsupportedFeatureWarning,
            stacklevel=4,
        )
