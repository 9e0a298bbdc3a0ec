"""Linear and angular momentum of subtrees."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store3
from phalanx.algebra.number import maximum
from phalanx.algebra.vector import MINVAL, add, cross, multiply_elements, scale, sub


@kernel
def body_velocity(m, d, body):
    """(angular, linear) velocity of a body at its center of mass, in world axes."""
    velocity = load6(d.cvel, body)
    spin = (velocity[0], velocity[1], velocity[2])
    offset = sub(load3(d.xipos, body), load3(d.subtree_com, m.body_rootid[body]))
    return spin, add((velocity[3], velocity[4], velocity[5]), cross(spin, offset))


@kernel
def subtree_vel(m, d):
    """subtree_linvel: velocity of the center of mass; subtree_angmom: angular momentum about it."""
    linvel, angmom = d.subtree_linvel, d.subtree_angmom
    for body in range(m.nbody):
        spin, velocity = body_velocity(m, d, body)
        store3(linvel, body, scale(velocity, m.body_mass[body]))
        frame = load9(d.ximat, body)
        momentum = multiply_elements(multiply_transposed(frame, spin), load3(m.body_inertia, body))
        store3(angmom, body, multiply_vector(frame, momentum))
    # momentum to the root, each divided by its mass once complete
    for body in range(m.nbody - 1, -1, -1):
        parent = m.body_parentid[body]
        if body > 0:
            store3(linvel, parent, add(load3(linvel, parent), load3(linvel, body)))
        store3(linvel, body, scale(load3(linvel, body), 1.0 / maximum(MINVAL, m.body_subtreemass[body])))
    for body in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[body]
        # the body's own motion about the center of its subtree
        _, velocity = body_velocity(m, d, body)
        arm = sub(load3(d.xipos, body), load3(d.subtree_com, body))
        relative = scale(sub(velocity, load3(linvel, body)), m.body_mass[body])
        own = add(load3(angmom, body), cross(arm, relative))
        store3(angmom, body, own)
        # the subtree's motion about the center of the parent's subtree
        arm = sub(load3(d.subtree_com, body), load3(d.subtree_com, parent))
        relative = scale(sub(load3(linvel, body), load3(linvel, parent)), m.body_subtreemass[body])
        store3(angmom, parent, add(add(load3(angmom, parent), own), cross(arm, relative)))
