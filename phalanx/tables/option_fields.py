"""The options of the physics (mjOption) and the statistics of a model (mjStatistic)."""

from __future__ import annotations

from phalanx.tables.domain import Anything, Between, Bits, Domain
from phalanx.tables.enums import Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver
from phalanx.tables.field import FLOAT64, INT, REAL, Field, Shape
from phalanx.tables.model_domains import one_of
from phalanx.tables.sizes import NIMP, NREF


def real(name: str, shape: Shape, doc: str, unit: str = "", default: float | tuple[float, ...] = 0.0) -> Field:
    """A physics number; a batch may give each world its own."""
    return Field(name, REAL, shape, doc, unit, default, per_world=True)


def integer(name: str, domain: Domain, doc: str, default: int = 0) -> Field:
    """An integer, and what it may be."""
    return Field(name, INT, (), doc, default=default, domain=domain)


#: How often something is repeated at most; so often that it may count as never ending.
ITERATIONS = Between(0, 2**31 - 1)

OPTION: dict[str, tuple[Field, ...]] = {
    "real": (
        real("timestep", (), "length of a step", "s", 0.002),
        real("impratio", (), "impedance of friction relative to the normal direction", "", 1.0),
        real("tolerance", (), "scaled improvement at which the solver stops", "", 1e-8),
        real("ls_tolerance", (), "relative slope at which the line search stops", "", 0.01),
        real("noslip_tolerance", (), "scaled improvement at which the noslip pass stops", "", 1e-6),
        real("ccd_tolerance", (), "accuracy of the convex collision search", "m", 1e-6),
        real("sleep_tolerance", (), "speed below which a tree may fall asleep", "m/s", 1e-3),
        real("gravity", (3,), "acceleration of gravity", "m/s²", (0.0, 0.0, -9.81)),
        real("wind", (3,), "velocity of the fluid", "m/s", (0.0, 0.0, 0.0)),
        real("magnetic", (3,), "magnetic flux density", "T", (0.0, -0.5, 0.0)),
        real("density", (), "density of the fluid", "kg/m³", 0.0),
        real("viscosity", (), "viscosity of the fluid", "Pa·s", 0.0),
        real("o_margin", (), "margin of all contacts, overridden", "m", 0.0),
        real("o_solref", (NREF,), "solref of all contacts, overridden", "mixed", (0.02, 1.0)),
        real("o_solimp", (NIMP,), "solimp of all contacts, overridden", "mixed", (0.9, 0.95, 0.001, 0.5, 2.0)),
        real("o_friction", (5,), "friction of all contacts, overridden", "mixed", (1.0, 1.0, 0.005, 0.0001, 0.0001)),
    ),
    "int": (
        integer("integrator", one_of(Integrator), "how the state is advanced (Integrator)", int(Integrator.EULER)),
        integer("cone", one_of(Cone), "shape of the friction cone (Cone)", int(Cone.PYRAMIDAL)),
        integer("jacobian", one_of(Jacobian), "layout of the constraint Jacobian (Jacobian)", int(Jacobian.AUTO)),
        integer("solver", one_of(Solver), "algorithm of the constraint solver (Solver)", int(Solver.NEWTON)),
        integer("iterations", ITERATIONS, "most iterations of the constraint solver", 100),
        integer("ls_iterations", ITERATIONS, "most evaluations of one line search", 50),
        integer("noslip_iterations", ITERATIONS, "most iterations of the noslip pass, 0 for none"),
        integer("ccd_iterations", ITERATIONS, "most iterations of the convex collision search", 35),
        integer("disableflags", Bits(sum(DisableBit), DisableBit), "standard features that are off (DisableBit)"),
        integer("enableflags", Bits(sum(EnableBit), EnableBit), "optional features that are on (EnableBit)"),
        integer("disableactuator", Anything("a bit for each group"), "actuator groups that are off, one bit per group"),
        integer("sdf_initpoints", ITERATIONS, "starting points of the signed distance descent", 40),
        integer("sdf_iterations", ITERATIONS, "most iterations of the signed distance descent", 10),
    ),
}

STATISTIC: dict[str, tuple[Field, ...]] = {
    "statistic": (
        Field("meaninertia", FLOAT64, (), "mean of the diagonal of M at qpos0", "kg or kg·m²"),
        Field("meanmass", FLOAT64, (), "mean mass of the bodies", "kg"),
        Field("meansize", FLOAT64, (), "mean size of the bodies", "m"),
        Field("extent", FLOAT64, (), "half size of the model", "m"),
        Field("center", FLOAT64, (3,), "center of the model", "m"),
    ),
}
