"""Contact parameters in physical units: stiffness, damping, restitution, penetration; from and to `solref`, `solimp`.

A contact of impedance d between surfaces whose effective mass is m pushes with

    f = K depth + C rate + I acceleration of the depth,    I = m d / (1 - d)

(docs/contact_settings.md derives it from MuJoCo's definition): a spring, a damper, and an inertia that comes from the
regularization. Free bodies therefore bounce as if their mass were m + I = m / (1 - d).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.constraint.impedance import damping as reference_damping
from phalanx.constraint.impedance import impedance as impedance_at
from phalanx.constraint.impedance import stiffness as reference_stiffness
from phalanx.constraint.impedance import usable_impedance
from phalanx.mechanism.quantities import between, positive
from phalanx.mechanism.restitution import angle_by_sine, ratio_of_restitution, restitution_of_ratio
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import ContactStiffnessWarning, FieldError, warn_user
from phalanx.memory.fill import numbers, real, whole
from phalanx.tables.enums import Cone, DisableBit
from phalanx.tables.sizes import MAXIMP, MINIMP
from phalanx.world.contact_origin import parameters_of
from phalanx.world.model import Model

#: The impedance of settings made from physical quantities: MuJoCo's default, so that solvers converge as usual.
USUAL_IMPEDANCE = 0.9


@dataclass(frozen=True)
class ContactSettings:
    """A contact of two surfaces as a spring and a damper.

    Attributes:
        stiffness: force per depth, at rest [N/m].
        damping: force per velocity [N·s/m].
        mass: effective mass of the two bodies, 1 / (1 / m1 + 1 / m2) [kg].
        impedance: share of the constraint in the acceleration, 0 to 1; the contact adds the inertia
            mass * impedance / (1 - impedance).
        gain: how much stiffer the rows of the contact act than a single one: 1 for elliptic cones and without friction,
            see `pyramid_gain` for pyramids.

    Example:
        >>> rubber = ContactSettings.from_restitution(0.6, mass=0.5, stiffness=2e4)
        >>> round(rubber.restitution, 6), rubber.penetration(load=4.9)
        (0.6, 0.000245)
        >>> [round(number, 3) for number in rubber.solref]
        [-4000.0, -22.877]
    """

    stiffness: float
    damping: float
    mass: float
    impedance: float = USUAL_IMPEDANCE
    gain: float = 1.0

    def __post_init__(self) -> None:
        for name in ("stiffness", "mass", "gain"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        object.__setattr__(self, "damping", between("damping", self.damping, 0.0, math.inf))
        object.__setattr__(self, "impedance", between("impedance", self.impedance, MINIMP, MAXIMP))

    # --- from physical quantities

    @classmethod
    def from_restitution(
        cls,
        restitution: float,
        *,
        mass: float,
        stiffness: float | None = None,
        penetration: float | None = None,
        load: float | None = None,
        impedance: float = USUAL_IMPEDANCE,
        gain: float = 1.0,
    ) -> ContactSettings:
        """Settings with which a body bounces off with a share of its speed.

        Args:
            restitution: speed after a bounce / speed before, above 0 and at most 1.
            mass: effective mass [kg].
            stiffness: force per depth [N/m]; or give `penetration` and `load`.
            penetration: depth at rest [m] under `load`.
            load: the force that presses the surfaces together at rest [N]; the weight, for a body on a floor.
            impedance, gain: see the attributes.
        """
        if stiffness is None:
            if penetration is None or load is None:
                raise FieldError("give the stiffness, or the penetration with the load that causes it")
            stiffness = positive("load", load) / positive("penetration", penetration)
        elif penetration is not None:
            raise FieldError("give the stiffness or the penetration, not both: stiffness = load / penetration")
        stiffness, mass = positive("stiffness", stiffness), positive("mass", mass)
        impedance = between("impedance", impedance, MINIMP, MAXIMP)
        # the contact adds inertia, which bounces along
        ratio = ratio_of_restitution(restitution)
        damping = 2.0 * ratio * math.sqrt(stiffness * mass / (1.0 - impedance))
        return cls(stiffness, damping, mass, impedance, gain)

    # --- from solver parameters

    @classmethod
    def from_solver(
        cls, solref: Any, solimp: Any, *, mass: float, depth: float | None = None, gain: float = 1.0
    ) -> ContactSettings:
        """What `solref` and `solimp` mean for bodies of an effective mass.

        Args:
            solref: time constant and damping ratio, or negative stiffness and damping.
            solimp: two to five numbers of the impedance.
            mass: effective mass [kg].
            depth: where the impedance is taken [m]; None for the full width of `solimp` and beyond.
            gain: see the attributes.
        """
        reference, curve = _solver_numbers(solref, solimp)
        mass, gain = positive("mass", mass), positive("gain", gain)
        usable = usable_impedance(curve)
        at_depth = usable[2] if depth is None else between("depth", depth, 0.0, math.inf)
        share = float(impedance_at(usable, -at_depth)[0]) if depth is not None else float(usable[1])
        # a row asks for aref = -B rate - K d depth, and force = gain m d / (1 - d) (aref - acceleration)
        per_acceleration = gain * mass * share / (1.0 - share)
        spring = per_acceleration * float(reference_stiffness(reference, usable[1])) * share
        damper = per_acceleration * float(reference_damping(reference, usable[1]))
        return cls(spring, damper, mass, _effective(share, gain), gain)

    @classmethod
    @arguments_checked
    def of_geoms(cls, model: Model, geom1: int | str, geom2: int | str, depth: float | None = None) -> ContactSettings:
        """What a contact of two geoms of a model is like, with the parameters and masses it would have there.

        Args:
            model: the model.
            geom1, geom2: names or ids.
            depth: where the impedance is taken [m]; None for the full width of `solimp`.
        """
        ids = model.names.id_of("geom", geom1), model.names.id_of("geom", geom2)
        found = parameters_of(model, *ids)
        solref = found["solref"]
        # with the option refsafe, a time constant is never below two steps
        if solref[0] > 0 and not model.opt.disableflags & DisableBit.REFSAFE:
            solref[0] = max(solref[0], 2.0 * model.opt.timestep)
        gain = 1.0
        if model.opt.cone == Cone.PYRAMIDAL:
            gain = pyramid_gain(found["friction"][0], found["dim"], model.opt.impratio)
        return cls.from_solver(solref, found["solimp"], mass=contact_mass(model, *ids), depth=depth, gain=gain)

    # --- to solver parameters

    @property
    def solref(self) -> tuple[float, float]:
        """The two numbers for MJCF: stiffness and damping per effective mass, negative [1/s², 1/s]."""
        share = self._row_impedance
        factor = (1.0 - self.impedance) / self.impedance * share / self.mass
        return -self.stiffness * factor, -self.damping * factor

    @property
    def solimp(self) -> tuple[float, float, float, float, float]:
        """The five numbers for MJCF: an impedance that does not depend on the depth, so that the spring is linear."""
        return self._row_impedance, self._row_impedance, 0.001, 0.5, 2.0

    @property
    def _row_impedance(self) -> float:
        """The impedance of a row, so that all rows of the contact act with `impedance`."""
        return self.impedance / (self.impedance + self.gain * (1.0 - self.impedance))

    # --- what follows

    @property
    def apparent_mass(self) -> float:
        """Effective mass with the inertia that the contact adds [kg]."""
        return self.mass / (1.0 - self.impedance)

    @property
    def damping_ratio(self) -> float:
        """1 for a contact that is critically damped."""
        return self.damping / (2.0 * math.sqrt(self.stiffness * self.apparent_mass))

    @property
    def restitution(self) -> float:
        """Speed after a bounce / speed before, where gravity hardly counts during the bounce."""
        return restitution_of_ratio(self.damping_ratio)

    @property
    def duration(self) -> float:
        """How long a bounce takes [s]."""
        ratio = self.damping_ratio
        frequency = math.sqrt(self.stiffness / self.apparent_mass)
        return 2.0 * angle_by_sine(ratio) / frequency

    def penetration(self, load: float) -> float:
        """How deep a load [N] presses the surfaces into each other at rest [m]."""
        return between("load", load, 0.0, math.inf) / self.stiffness

    @property
    def largest_timestep(self) -> float:
        """The time step beyond which the contact gains energy and its bodies shake [s].

        Semi-implicit Euler, v' = v + h (-k x - c v), x' = x + h v', decays if h² k + 2 h c < 4 (Jury's criterion).
        """
        k, c = self.stiffness / self.apparent_mass, self.damping / self.apparent_mass
        return (math.sqrt(c * c + 4.0 * k) - c) / k

    def check_timestep(self, timestep: float) -> bool:
        """Can a time step [s] carry this contact? Warns (`ContactStiffnessWarning`) if it cannot."""
        problem = self.too_stiff(timestep)
        if problem:
            warn_user(problem, ContactStiffnessWarning)
        return not problem

    def too_stiff(self, timestep: float) -> str:
        """Why a time step cannot carry this contact, in words; "" if it can."""
        limit, timestep = self.largest_timestep, positive("timestep", timestep)
        if timestep < limit:
            return ""
        return (
            f"a time step of {timestep:g} s cannot carry a contact of {self.stiffness:.4g} N/m and "
            f"{self.damping:.4g} N·s/m on {self.mass:.4g} kg: bodies will shake; take less than {limit:.3g} s, "
            "or softer contacts"
        )


# --- masses and rows


@arguments_checked
def contact_mass(model: Model, geom1: int | str, geom2: int | str) -> float:
    """Effective mass of the bodies of two geoms, as the constraint solver takes it (`body_invweight0`) [kg].

    For bodies that float it is 1 / (1 / m1 + 1 / m2); for links of a robot, their inertia at the center of mass.
    """
    ids = [model.names.id_of("geom", geom) for geom in (geom1, geom2)]
    weight = float(model.body_invweight0[model.geom_bodyid[ids], 0].sum())
    if weight <= 0.0:
        raise FieldError("neither geom belongs to a body that can move: their contact has no mass")
    return 1.0 / weight


def pyramid_gain(friction: float, condim: int, impratio: float = 1.0) -> float:
    """How much stiffer the edges of a pyramidal friction cone act along the normal than a single row would.

    2 (condim - 1) edges, each with the regularization 2 mu² (1 + friction²) R, mu² = friction² / impratio, as MuJoCo
    defines them. It is 1 for a contact without friction.
    """
    friction, impratio = positive("friction", friction), positive("impratio", impratio)
    if whole("condim", condim) not in (1, 3, 4, 6):
        raise FieldError(f"condim is 1, 3, 4 or 6, not {condim!r}")
    if condim == 1:
        return 1.0
    # two divisions: the square of a tiny friction is zero; a product: a power beyond numbers is an error of Python
    return positive("gain", (condim - 1) * impratio / friction / friction / (1.0 + friction * friction))


def _effective(share: float, gain: float) -> float:
    """The impedance with which rows act together that have an impedance each."""
    return gain * share / (1.0 - share + gain * share)


def _solver_numbers(solref: Any, solimp: Any) -> tuple[tuple[float, float], tuple[float, ...]]:
    """`solref` and `solimp` of the user, the latter filled up with MJCF's defaults."""
    reference, curve = numbers("solref", solref).astype(float), numbers("solimp", solimp).astype(float)
    if reference.shape != (2,) or not np.isfinite(reference).all():
        raise FieldError(f"solref is two numbers, not {solref!r}")
    if (reference > 0).sum() == 1:
        raise FieldError(f"solref is two positive numbers or two that are not, not {solref!r}")
    if curve.ndim != 1 or not 2 <= len(curve) <= 5 or not np.isfinite(curve).all():
        raise FieldError(f"solimp is two to five numbers, not {solimp!r}")
    full = (*curve.tolist(), *(0.001, 0.5, 2.0)[len(curve) - 2 :])
    return (real("solref", reference[0]), real("solref", reference[1])), full
