"""What this version simulates. Nothing a model asks for is left out silently."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError, UnsupportedFeatureWarning
from phalanx.tables.enums import Cone, DisableBit, EnableBit, EqType, GeomType, Integrator, Solver
from phalanx.tables.integrators import INTEGRATORS, STAGED, SUPPORTED, IntegratorRow
from phalanx.tables.plugins import FIELDS, known_plugins
from phalanx.tables.solvers import SOLVERS, SolverRow


def unsupported(model: Any) -> list[str]:
    """Physics that the model asks for and this version leaves out, in words."""
    m = model
    features: list[str] = []

    def note(count: Any, words: str) -> None:
        if count:
            features.append(f"{int(count)} {words}")

    note(int(np.count_nonzero(m.flex_passive)), "flexes with passive contacts (their contacts are constraints)")
    note(m.nflex and m.opt.enableflags & EnableBit.IPC != 0, "barrier contacts of flexes (flag ipc)")
    unknown = np.flatnonzero(m.plugin_type < 0)
    if len(unknown):
        named = ", ".join(
            f"{m.names.label('plugin', int(instance))} (MuJoCo's plugin {m.structure['plugin'][instance]})"
            for instance in unknown
        )
        features.append(f"{named}, which is none of {known_plugins()}")
    return features


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
