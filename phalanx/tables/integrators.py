"""Integrators: one row each. Keywords of MJCF, dispatch, parts and checks derive from it."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import Integrator

# where the kernel of an integrator is compiled (`parts.py`)
#: With the rest of the step.
CORE = "core"
#: Apart, with derivatives of forces.
IMPLICIT = "implicit"
#: Apart, as it computes forward dynamics more than once in a step.
STAGES = "stages"


@dataclass(frozen=True)
class IntegratorRow:
    """One way to advance the state.

    Attributes:
        kind: its value in the options.
        keyword: its word in MJCF, "" if a model file cannot ask for it.
        doc: how it advances the state, in one line.
        module: the file in `phalanx/integrator` that holds its kernels, "" if it is not supported.
        part: where it is compiled: CORE, IMPLICIT or STAGES.
        has_inverse: can the change of velocity in a step be traced back to forces?
        writes: rows of Data that it leaves behind.
    """

    kind: Integrator
    keyword: str
    doc: str
    module: str = ""
    part: str = CORE
    has_inverse: bool = True
    writes: tuple[str, ...] = ()


#: Rows of a factored matrix.
_FACTORS = ("qH", "qHDiagInv")
#: Rows of the metric of a step.
_METRIC = ("efm_c", "efm_diag", "efm_ck", "efm_sdiag", "efm_fluid", "efm_ca")
#: Rows of the stiffness of flexes, on request.
_STIFFNESS = ("flexelem_krot", "flexvert_hessian", "flexedge_hessian")

INTEGRATORS: dict[Integrator, IntegratorRow] = {row.kind: row for row in (
    IntegratorRow(Integrator.EULER, "Euler", "semi-implicit Euler; dampers at the end of the step", "implicit",
                  writes=_FACTORS),
    IntegratorRow(Integrator.RK4, "RK4", "Runge-Kutta of fourth order", "runge_kutta", STAGES, has_inverse=False),
    IntegratorRow(Integrator.IMPLICIT, "implicit", "velocity forces at the end of the step", "implicit", IMPLICIT,
                  writes=("qDeriv", "qLU")),
    IntegratorRow(Integrator.IMPLICITFAST, "implicitfast", "the same without the bias force, symmetric", "implicit",
                  IMPLICIT, writes=("qDeriv", *_FACTORS)),
    IntegratorRow(Integrator.DISCRETE, "discrete", "constraints and smooth forces solved together", "discrete",
                  writes=(*_FACTORS, *_METRIC, *_STIFFNESS)),
    IntegratorRow(Integrator.IMPLICITSPRINGDAMPER, "", "springs and dampers of joints at the end of the step",
                  "implicit", IMPLICIT, writes=_FACTORS),
)}  # fmt: skip

#: What a Model may ask for; one that asks for another integrator is refused when it is made.
SUPPORTED: tuple[Integrator, ...] = tuple(row.kind for row in INTEGRATORS.values() if row.module)

#: Integrator -> rows of Data that it leaves behind.
WRITTEN: dict[Integrator, tuple[str, ...]] = {kind: INTEGRATORS[kind].writes for kind in SUPPORTED}

#: The files that hold the kernels.
MODULES: tuple[str, ...] = tuple(dict.fromkeys(row.module for row in INTEGRATORS.values() if row.module))

#: Words of MJCF.
KEYWORDS: dict[str, int] = {row.keyword: int(row.kind) for row in INTEGRATORS.values() if row.keyword}


def compiled_in(part: str) -> tuple[int, ...]:
    """Integrators whose kernels a part holds."""
    return tuple(int(row.kind) for row in INTEGRATORS.values() if row.module and row.part == part)


def acceleration_kernels(part: str) -> tuple[str, ...]:
    """Kernels of a part, one for each integrator: `<name of the integrator>_acceleration` in its file."""
    rows = [INTEGRATORS[Integrator(kind)] for kind in compiled_in(part)]
    return tuple(f"phalanx.integrator.{row.module}:{row.kind.name.lower()}_acceleration" for row in rows)


#: Integrators that compute forward dynamics more than once in a step.
STAGED: tuple[int, ...] = compiled_in(STAGES)
