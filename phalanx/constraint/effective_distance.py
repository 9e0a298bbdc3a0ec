"""The distance of a contact that lies ahead: such that its row lets the geoms come as far as they touch, no farther.

A row asks for an acceleration of -B v - K I r. With b = h B I and k = h² K I², both without the impedance I, a contact
that its geoms reach after the part t of the step at a speed of w / (h t) takes away the rest, 1 - t, of that speed if

    dist = margin - (1 - t - b) / k * w / t

or, with the metric of a step, which divides by 1 + b + k, if b is replaced by t (b + k). Equations of MuJoCo.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.algebra.number import any_, where
from phalanx.constraint.impedance import one_sided_parameters, usable_impedance
from phalanx.memory.flags import is_enabled
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import EnableBit

#: How deep a contact without stiffness counts, as its distance has no effect [m].
DEPTH = 0.001
#: A violation at which the impedance is that at full width.
WIDE = 1e10


@kernel
def put_effective_distances(m, d):
    """contact_dist of the contacts that lie ahead."""
    if is_enabled(m, EnableBit.SPECULATIVE):
        for contact in range(d.ncon):
            t = d.contact_time[contact]
            if any_(t > 0.0):
                d.contact_dist[contact] = where(t > 0.0, effective_distance(m, d, contact), d.contact_dist[contact])


@kernel
def effective_distance(m, d, contact):
    """The distance of one contact, where it lies ahead."""
    solref, solimp = load2(d.contact_solref, contact), load5(d.contact_solimp, contact)
    stiffness, damping, _, _ = one_sided_parameters(m, solref, solimp, WIDE)
    step, end = m.opt.timestep, usable_impedance(solimp)[1]
    b, k = step * damping * end, step * step * stiffness * end * end
    t = d.contact_time[contact]
    rest = 1.0 - t - (t * (b + k) if has_step_metric(m) else b)
    is_stiff = k > 0.0
    depth = rest / where(is_stiff, k, 1.0) * d.contact_way[contact] / where(t > 0.0, t, 1.0)
    return d.contact_includemargin[contact] - where(is_stiff, depth, DEPTH)
