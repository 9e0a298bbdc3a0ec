"""The order of the physics: the table of contents of the engine."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.collision.narrowphase import collision
from phalanx.constraint.adhesion import adhesion
from phalanx.constraint.make_constraint import make_constraint
from phalanx.constraint.passive_contact import has_passive_contacts, passive_contacts
from phalanx.constraint.reference import reference_constraint
from phalanx.integrator.discrete import effective_metric
from phalanx.integrator.free_flight import free_flight
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.checks import check_solver
from phalanx.pipeline.user import user_control, user_passive
from phalanx.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from phalanx.sleep.awake_lists import run_over_all
from phalanx.sleep.wake import (
    has_sleepers,
    is_unsettled,
    settle_down,
    sleep_again,
    wake_disturbed,
    wake_pulled,
    wake_tied,
    wake_touched,
)
from phalanx.smooth.acceleration import fwd_acceleration
from phalanx.smooth.actuator.actuation import fwd_actuation
from phalanx.smooth.actuator.transmission import actuator_velocity, transmission
from phalanx.smooth.bias import rne
from phalanx.smooth.camera_light import camera_light
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.energy import energy
from phalanx.smooth.flex.vertices import flex, flex_velocity
from phalanx.smooth.inertia import factor_m, make_m
from phalanx.smooth.kinematics import kinematics
from phalanx.smooth.passive.passive import passive
from phalanx.smooth.step_metric import has_step_metric
from phalanx.smooth.tendon.tendon import tendon, tendon_velocity
from phalanx.smooth.velocity import com_vel
from phalanx.solver.constrain import fwd_constraint
from phalanx.solver.coupled import coupled_acceleration


@kernel
def fwd_inertia(m, d):
    """Frames, vertices of flexes, paths of tendons, and the inertia matrix."""
    kinematics(m, d)
    com_pos(m, d)
    camera_light(m, d)
    if m.nflex > 0:
        flex(m, d)
    if m.ntendon > 0:
        tendon(m, d)
    make_m(m, d)
    factor_m(m, d)


@part()
def fwd_position(m, d):
    """Everything that depends on position only. Trees wake up here: once one moves, its neighbors may have to."""
    if m.nsleep > 0 and is_unsettled(m, d):
        # the results of what sleeps are those of another world, or not there: once, they are computed
        if has_sleepers(m, d):
            run_over_all(d)
            fwd_inertia(m, d)
        settle_down(m, d)
    if m.nsleep > 0:
        wake_disturbed(m, d)
    fwd_inertia(m, d)
    if m.nsleep > 0:
        wake_pulled(m, d)
    collision(m, d)
    if m.nsleep > 0:
        # contacts among those that slept were left out
        if wake_touched(m, d) > 0:
            collision(m, d)
        wake_tied(m, d)
    make_constraint(m, d)
    if m.nactuator > 0:
        transmission(m, d)


@part()
def fwd_velocity(m, d):
    """Everything that depends on position and velocity."""
    if m.nflex > 0:
        flex_velocity(m, d)
    tendon_velocity(m, d)
    actuator_velocity(m, d)
    com_vel(m, d)
    passive(m, d)
    if has_passive_contacts(m, d):
        passive_contacts(m, d)
    adhesion(m, d)
    user_passive(m, d)
    reference_constraint(m, d)
    rne(m, d)


@kernel
def move(m, d, is_reported, has_energy):
    """What follows from positions and velocities alone: the beginning of forward and of inverse dynamics.

    With the energy of the state and what sensors report about it, if they are asked for.
    """
    fwd_position(m, d)
    if is_reported:
        sensor_pos(m, d)
    if has_energy:
        energy(m, d)
    fwd_velocity(m, d)
    if is_reported:
        sensor_vel(m, d)


@kernel
def observe(m, d, is_reported):
    """What follows from the state before controls and applied forces are known. Energy is zero if not enabled."""
    move(m, d, is_reported, True)
    user_control(m, d)


@kernel
def react(m, d, is_reported):
    """From controls and applied forces to acceleration; `observe` has been called."""
    fwd_actuation(m, d)
    has_metric = has_step_metric(m)
    if has_metric:
        effective_metric(m, d)
    fwd_acceleration(m, d)
    if has_metric and d.coupling_num > 0:
        coupled_acceleration(m, d)
    fwd_constraint(m, d)
    if has_metric:
        free_flight(m, d)
    if is_reported:
        sensor_acc(m, d)
    check_solver(m, d)


@kernel
def accelerate(m, d, is_reported):
    """From state to acceleration; sensors too, if they are to be reported."""
    observe(m, d, is_reported)
    react(m, d, is_reported)
    if m.nsleep > 0 and lacks_memory(d):
        sleep_again(m, d)


@part()
def dynamics(m, d):
    """Forward dynamics on the way of an integrator: sensors stay as they were at the start of the step."""
    accelerate(m, d, False)


@part()
def forward(m, d):
    """Forward dynamics at the present state, with what sensors report about it."""
    accelerate(m, d, m.nsensor > 0)
