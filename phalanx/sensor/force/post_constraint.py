"""Accelerations of bodies and the forces between them, once constraints are solved."""

from __future__ import annotations

from phalanx.algebra.jit import part
from phalanx.algebra.memory import load6, load10, store6
from phalanx.algebra.spatial import ZERO6, add6, add_scaled6, cross_force, inertia_times_motion, sub6
from phalanx.sensor.force.external_force import external_forces
from phalanx.smooth.bias import world_acceleration


@part()
def rne_post_constraint(m, d):
    """cacc, cfrc_ext, cfrc_int: accelerations outwards, then what each body needs from its parent, inwards."""
    external_forces(m, d)
    cacc, cfrc = d.cacc, d.cfrc_int
    store6(cacc, 0, world_acceleration(m))
    store6(cfrc, 0, ZERO6)
    for body in range(1, m.nbody):
        first, last = m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body]
        acceleration = load6(cacc, m.body_parentid[body])
        for dof in range(first, last):
            acceleration = add_scaled6(acceleration, load6(d.cdof_dot, dof), d.qvel[dof])
        for dof in range(first, last):
            acceleration = add_scaled6(acceleration, load6(d.cdof, dof), d.qacc[dof])
        store6(cacc, body, acceleration)
        inertia, velocity = load10(d.cinert, body), load6(d.cvel, body)
        gyroscopic = cross_force(velocity, inertia_times_motion(inertia, velocity))
        needed = add6(inertia_times_motion(inertia, acceleration), gyroscopic)
        store6(cfrc, body, sub6(needed, load6(d.cfrc_ext, body)))
    for body in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[body]
        store6(cfrc, parent, add6(load6(cfrc, parent), load6(cfrc, body)))
