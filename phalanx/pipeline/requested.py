"""What a step computes only when it is asked to: the row `requests`, bits of `Request`."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.integrator.flex_stiffness import flex_blocks
from phalanx.memory.flags import is_enabled
from phalanx.pipeline.inverse import compare_fwd_inv, inverse_of_forward
from phalanx.sensor.force.post_constraint import rne_post_constraint
from phalanx.smooth.subtree import subtree_vel
from phalanx.tables.enums import EnableBit, Request


@kernel
def compute_requested(m, d):
    """What the options and the requests ask for, of the state that forward(m, d) was called at."""
    if is_enabled(m, EnableBit.FWDINV):
        compare_fwd_inv(m, d)
    if d.requests != 0:
        requested_rows(m, d)


@part()
def requested_rows(m, d):
    """The rows of each request; the energy is computed with what follows from positions."""
    if is_requested(d, Request.SUBTREE_VEL):
        subtree_vel(m, d)
    if is_requested(d, Request.RNE_POST_CONSTRAINT):
        rne_post_constraint(m, d)
    if is_requested(d, Request.INVERSE):
        inverse_of_forward(m, d)
    if is_requested(d, Request.COMPARE_FWD_INV):
        compare_fwd_inv(m, d)
    if is_requested(d, Request.FLEX_STIFFNESS):
        flex_blocks(m, d)


@kernel
def is_requested(d, request):
    """Are the rows of a request asked for?"""
    return (d.requests & request) != 0
