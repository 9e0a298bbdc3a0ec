"""qDeriv: the derivative of the smooth forces (actuator + passive - bias) by the velocities, in the square pattern D.

A force that acts on bodies is projected on the motion axes of the joints, force_j = cdof_j . f, where f sums over the
bodies that both dofs move. Its derivative is therefore cdof_j . B cdof_c with a 6x6 matrix B of the subtree of the
deeper dof, and one pass over the tree that sums such matrices serves all entries:

* in a fluid B is the slope of drag and lift;
* for the bias force B is built of the composite inertia, its rate of change and the momentum of the subtree.

Actuators and tendons add slope times the outer product of a sparse row with itself, dampers add to the diagonal.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.integrator.actuator_derivative import actuator_derivative, add_outer_product
from phalanx.integrator.bias_derivative import bias_derivative
from phalanx.integrator.fluid_derivative import fluid_derivative
from phalanx.memory.flags import is_disabled
from phalanx.smooth.passive.passive import dof_damping_slope, tendon_damping_slope
from phalanx.tables.enums import DisableBit


@kernel
def deriv_smooth_vel(m, d, with_bias):
    """qDeriv. Without the bias force what remains is made symmetric, except in trees of a single free body."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    actuator_derivative(m, d)
    passive_derivative(m, d, not with_bias)
    if with_bias:
        bias_derivative(m, d)


@kernel
def passive_derivative(m, d, is_symmetric):
    """Add the derivative of qfrc_passive: fluid, dampers of dofs and of tendons."""
    has_dampers = not is_disabled(m, DisableBit.DAMPER)
    if has_dampers or not is_disabled(m, DisableBit.SPRING):
        fluid_derivative(m, d, is_symmetric)
    if has_dampers:
        for dof in range(m.nv):
            address = m.D_rowadr[dof] + m.D_diag[dof]
            d.qDeriv[address] = d.qDeriv[address] - dof_damping_slope(m, d, dof)
        for tendon in range(m.ntendon):
            slope = -tendon_damping_slope(m, d, tendon)
            start, count = m.ten_J_rowadr[tendon], m.ten_J_rownnz[tendon]
            add_outer_product(m, d, d.ten_J, m.ten_J_colind, start, count, slope)
