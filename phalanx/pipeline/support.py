"""What this version simulates. Nothing a model asks for is left out silently."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from phalanx.integrator.table import SUPPORTED as INTEGRATORS
from phalanx.memory.errors import ModelError, UnsupportedFeatureWarning
from phalanx.tables.enums import DisableBit, EnableBit, GeomType, Integrator, SensorType


def unsupported(model: Any) -> list[str]:
    """Physics that the model asks for and this version leaves out, in words."""
    m = model
    flags = DisableBit(m.opt.disableflags)
    features: list[str] = []

    def note(count: Any, words: str) -> None:
        if count:
            features.append(f"{int(count)} {words}")

    if not flags & DisableBit.SENSOR:
        note(np.count_nonzero(m.sensor_type == SensorType.PLUGIN), "sensors of plugins")
    if EnableBit(m.opt.enableflags) & EnableBit.SLEEP:
        features.append("sleeping")
    if EnableBit(m.opt.enableflags) & EnableBit.SPECULATIVE:
        features.append("speculative contacts")
    note(m.nflex, "flexible bodies")
    note(m.nplugin, "plugins")
    return features


def shapeless(model: Any) -> list[str]:
    """Geoms of type SDF that have neither an octree nor a grid, by name."""
    m = model
    meshes, grids = m.nmesh, m.ngrid
    has_octree = np.append(m.mesh_octadr >= 0, np.ones(grids, bool))
    geoms = np.flatnonzero(m.geom_type == GeomType.SDF)
    return [
        m.names.label("geom", int(geom))
        for geom in geoms
        if not (0 <= m.geom_dataid[geom] < meshes + grids and has_octree[m.geom_dataid[geom]])
    ]


def check_model(model: Any) -> None:
    """Refuse what cannot be simulated, warn of what is left out."""
    integrator = model.opt.integrator
    if integrator not in list(INTEGRATORS):
        raise ModelError(
            f"integrator {Integrator(integrator).name.lower()} is not supported; "
            f"choose one of {', '.join(i.name.lower() for i in INTEGRATORS)}"
        )
    compared = EnableBit.FWDINV | EnableBit.INVDISCRETE
    if integrator == Integrator.RK4 and EnableBit(model.opt.enableflags) & compared == compared:
        raise ModelError("flags fwdinv and invdiscrete together need another integrator than RK4, which has no inverse")
    without_shape = shapeless(model)
    if without_shape:
        warnings.warn(
            f"{', '.join(without_shape)} of type sdf without octree or grid: no contacts; see Model.with_sdf",
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
