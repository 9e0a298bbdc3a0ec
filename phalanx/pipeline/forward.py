"""The order of the physics: the table of contents of the engine."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.collision.narrowphase import collision
from phalanx.constraint.adhesion import adhesion
from phalanx.constraint.make_constraint import make_constraint
from phalanx.constraint.reference import reference_constraint
from phalanx.pipeline.checks import check_solver
from phalanx.smooth.acceleration import fwd_acceleration
from phalanx.smooth.actuation import fwd_actuation
from phalanx.smooth.bias import rne
from phalanx.smooth.camera_light import camera_light
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.energy import energy
from phalanx.smooth.inertia import factor_m, make_m
from phalanx.smooth.kinematics import kinematics
from phalanx.smooth.passive import passive
from phalanx.smooth.tendon import tendon, tendon_velocity
from phalanx.smooth.transmission import actuator_velocity, transmission
from phalanx.smooth.velocity import com_vel
from phalanx.solver.constrain import fwd_constraint


@kernel
def fwd_position(m, d):
    """Everything that depends on position only."""
    kinematics(m, d)
    com_pos(m, d)
    camera_light(m, d)
    tendon(m, d)
    make_m(m, d)
    factor_m(m, d)
    collision(m, d)
    make_constraint(m, d)
    transmission(m, d)


@kernel
def fwd_velocity(m, d):
    """Everything that depends on position and velocity."""
    tendon_velocity(m, d)
    actuator_velocity(m, d)
    com_vel(m, d)
    passive(m, d)
    adhesion(m, d)
    reference_constraint(m, d)
    rne(m, d)


@kernel
def dynamics(m, d):
    """From state to acceleration, and the energy of the state."""
    fwd_position(m, d)
    fwd_velocity(m, d)
    energy(m, d)
    fwd_actuation(m, d)
    fwd_acceleration(m, d)
    fwd_constraint(m, d)
    check_solver(m, d)


@kernel
def forward(m, d):
    """Forward dynamics at the present state, with what is reported about it."""
    dynamics(m, d)
