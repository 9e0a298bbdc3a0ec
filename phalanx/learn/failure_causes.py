"""Why the physics of a world failed: measurements of its model and of its last states, the worst first.

A score of 1 is where trouble begins: each measurement says what it compares, and with what.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from phalanx.collision.contact_sides import Sides, bodies_of, name_of
from phalanx.tables.enums import BiasType, TrnType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: A body inside another by so much of its radius is pushed out like a bullet.
DEEP = 0.2
#: Phase [rad] by which an oscillation may advance in a step; explicit integration diverges beyond.
LARGEST_PHASE = 2.0
#: Ratio of masses that hang on each other from which solvers converge badly.
LARGEST_RATIO = 1e4
#: Speed [m/s or rad/s] that an actuator may give in one step.
LARGEST_KICK = 10.0
#: Part of the largest inertia of its tree below which a joint without armature is hard to simulate.
SMALLEST_PART = 1e-5


@dataclass(frozen=True)
class Cause:
    """A possible cause of a failure.

    Attributes:
        name: "initial overlap", "stiffness", "huge control", "mass ratio", "missing armature".
        score: how far beyond what is usual; causes from 1 on are likely.
        words: what was measured.
    """

    name: str
    score: float
    words: str

    def __str__(self) -> str:
        return f"{self.name} (score {self.score:.3g}): {self.words}"


#: A measurement takes the model, and the world in its first and in its last state.
Measurement = Callable[[Model, Data, Data], Cause]


def initial_overlap(model: Model, first: Data, last: Data) -> Cause:
    """How deep geoms are inside each other, compared with their size."""
    count = first.ncon
    distances, sides = first.contact_dist[:count], Sides.of(first, slice(count))
    # planes and height fields have no radius, elements of flexes a small one: the other geom counts
    radii = np.append(np.where(model.geom_rbound > 0, model.geom_rbound, np.inf), np.inf)[sides.geom].min(axis=1)
    parts = np.where(np.isfinite(radii), -distances / np.maximum(radii, 1e-9), 0.0)
    if not count or parts.max() <= 0:
        return Cause("initial overlap", 0.0, "no geoms overlap in the first state")
    worst = int(parts.argmax())
    a, b = (
        _label(model, "geom", int(geom)) if geom >= 0 else name_of(model, sides, worst, side)
        for side, geom in enumerate(sides.geom[worst])
    )
    words = f"{a} and {b} overlap by {-distances[worst]:.3g} m in the first state, {parts[worst]:.0%} of the smaller"
    return Cause("initial overlap", float(parts[worst] / DEEP), words)


def stiffness(model: Model, first: Data, last: Data) -> Cause:
    """By which phase springs and servos of joints advance in a step; and contacts with a given stiffness."""
    step = float(model.opt.timestep)
    inertia = np.maximum(model.dof_M0, 1e-12)
    springs, dampers = _springs_of_dofs(model)
    phase = np.maximum(np.sqrt(springs / inertia) * step, dampers / inertia * step)
    direct = np.sqrt(np.maximum(-model.geom_solref[:, 0], 0.0)) * step
    if phase.size and (not direct.size or phase.max() >= direct.max()):
        dof = int(phase.argmax())
        place, value = _label(model, "joint", int(model.dof_jntid[dof])), float(phase[dof])
    elif direct.size:
        place, value = f"contacts of {_label(model, 'geom', int(direct.argmax()))}", float(direct.max())
    else:
        place, value = "nothing", 0.0
    words = f"springs, dampers and servos of {place} advance by {value:.3g} rad in a step of {step:g} s; "
    words += f"{LARGEST_PHASE:g} is too much"
    return Cause("stiffness", value / LARGEST_PHASE, words)


def _springs_of_dofs(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of each dof, with those of actuators that act on one joint."""
    springs = np.asarray(model.jnt_stiffness, float).reshape(model.njnt, -1)[:, 0][model.dof_jntid].copy()
    dampers = np.asarray(model.dof_damping, float).reshape(model.nv, -1)[:, 0].copy()
    for actuator in range(model.nu):
        on_joint = model.actuator_trntype[actuator] in (TrnType.JOINT, TrnType.JOINTINPARENT)
        if on_joint and model.actuator_biastype[actuator] == BiasType.AFFINE:
            dof = int(model.jnt_dofadr[model.actuator_trnid[actuator, 0]])
            gear = float(np.asarray(model.actuator_gear).reshape(model.nu, -1)[actuator, 0]) ** 2
            springs[dof] += gear * max(-float(model.actuator_biasprm[actuator, 1]), 0.0)
            dampers[dof] += gear * max(-float(model.actuator_biasprm[actuator, 2]), 0.0)
    return springs, dampers


def mass_ratio(model: Model, first: Data, last: Data) -> Cause:
    """Masses of bodies that hang on each other or touch."""
    bodies = [body for body in range(1, model.nbody) if model.body_parentid[body] > 0]
    pairs = [(body, int(model.body_parentid[body])) for body in bodies]
    pairs += [tuple(pair) for pair in bodies_of(model, Sides.of(last, slice(last.ncon))).tolist()]
    worst, ratio = (0, 0), 0.0
    for a, b in pairs:
        masses = float(model.body_mass[a]), float(model.body_mass[b])
        if min(masses) > 0 and max(masses) / min(masses) > ratio:
            worst, ratio = (a, b), max(masses) / min(masses)
    names = " and ".join(_label(model, "body", int(body)) for body in worst)
    return Cause("mass ratio", ratio / LARGEST_RATIO, f"masses of {names} differ by a factor of {ratio:.3g}")


def huge_control(model: Model, first: Data, last: Data) -> Cause:
    """How fast actuators make a joint in one step."""
    kicks = np.abs(_forces_of_controls(model, last)) / np.maximum(model.dof_M0, 1e-12) * float(model.opt.timestep)
    kicks = np.where(np.isfinite(kicks), kicks, np.inf)
    if not model.nu or not kicks.size:
        return Cause("huge control", 0.0, "there are no actuators")
    dof = int(kicks.argmax())
    place, largest = _label(model, "joint", int(model.dof_jntid[dof])), float(np.abs(last.ctrl).max(initial=0.0))
    words = f"controls change the speed of {place} by {kicks[dof]:.3g} in one step; "
    words += f"the largest control is {largest:.3g}"
    return Cause("huge control", float(min(kicks[dof] / LARGEST_KICK, 1e9)), words)


def _forces_of_controls(model: Model, data: Data) -> np.ndarray:
    """Forces on dofs that follow from controls alone, without what servos feed back; of actuators on a joint."""
    forces = np.zeros(model.nv)
    is_elsewhere = False
    for actuator in range(model.nu):
        if model.actuator_trntype[actuator] in (TrnType.JOINT, TrnType.JOINTINPARENT):
            dof = int(model.jnt_dofadr[model.actuator_trnid[actuator, 0]])
            gear = float(np.asarray(model.actuator_gear).reshape(model.nu, -1)[actuator, 0])
            forces[dof] += abs(gear * float(model.actuator_gainprm[actuator, 0]) * float(data.ctrl[actuator]))
        else:
            is_elsewhere = is_elsewhere or bool(data.ctrl[actuator])
    return np.maximum(forces, np.abs(data.qfrc_actuator)) if is_elsewhere else forces


def missing_armature(model: Model, first: Data, last: Data) -> Cause:
    """Joints with very little inertia, and none of a rotor."""
    inertia, armature = model.dof_M0, model.dof_armature
    largest = np.zeros(model.ntree)
    np.maximum.at(largest, model.dof_treeid, inertia)
    parts = np.where(armature > 0, np.inf, inertia / np.maximum(largest[model.dof_treeid], 1e-12))
    if not parts.size or not np.isfinite(parts.min()):
        return Cause("missing armature", 0.0, "every joint has an armature")
    dof = int(parts.argmin())
    place = _label(model, "joint", int(model.dof_jntid[dof]))
    words = f"{place} has no armature and an inertia of {inertia[dof]:.3g}, {parts[dof]:.3g} of the largest of its tree"
    return Cause("missing armature", float(SMALLEST_PART / max(parts[dof], 1e-12)), words)


MEASUREMENTS: tuple[Measurement, ...] = (initial_overlap, stiffness, huge_control, mass_ratio, missing_armature)


def causes_of(model: Model, first: Data, last: Data) -> list[Cause]:
    """All possible causes, the likeliest first."""
    with np.errstate(all="ignore"):
        return sorted((measure(model, first, last) for measure in MEASUREMENTS), key=lambda cause: -cause.score)


def _label(model: Model, kind: str, index: int) -> str:
    """An object in words."""
    name = getattr(model, kind)(index).name
    return f"{kind} {name!r}" if name else f"{kind} {index}"
