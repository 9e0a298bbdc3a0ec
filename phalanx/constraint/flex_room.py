"""How much memory the couplings of flexes in the metric of a step can take."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import lane_count
from phalanx.constraint.passive_contact import has_passive_contacts, is_passive, put_contact_row
from phalanx.smooth.flex.cells import is_elastic_cell
from phalanx.smooth.flex.elastic_rod import hinge_count
from phalanx.smooth.flex.faces import corner_count, part_count


@kernel
def longest_chain(m, bodies, first, count):
    """Most dofs that move one of some bodies."""
    longest = 0
    for k in range(first, first + count):
        longest = max(longest, m.B_rownnz[bodies[k]])
    return longest


@part()
def flex_metric_room(m, d):
    """metric_rows, metric_entries: most rows of couplings that flexes can have, and entries in them."""
    d.metric_rows = 0
    d.metric_entries = 0
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0:
            rows, corners = 0, 0
            if m.flex_interp[flex] != 0 and is_elastic_cell(m, flex):
                corners = corner_count(m, flex)
                rows = 3 * corners * part_count(m, flex)
                chain = longest_chain(m, m.flex_nodebodyid, m.flex_nodeadr[flex], m.flex_nodenum[flex])
            elif m.flex_interp[flex] == 0 and m.flex_dim[flex] > 1:
                # three rows for each triangle and edge, six for each tetrahedron
                corners = 4
                chain = longest_chain(m, m.flex_vertbodyid, m.flex_vertadr[flex], m.flex_vertnum[flex])
                rows = 6 * m.flex_elemnum[flex] + 6 * m.flex_edgenum[flex]
            elif m.flex_interp[flex] == 0 and hinge_count(m, flex) > 0:
                # nine rows for each hinge or pair of hinges, and one for each twist joint
                corners = 4
                chain = longest_chain(m, m.flex_vertbodyid, m.flex_vertadr[flex], m.flex_vertnum[flex])
                rows = 10 * hinge_count(m, flex) + 1
            else:
                chain = 0
            d.metric_rows = d.metric_rows + rows
            d.metric_entries = d.metric_entries + rows * min(corners * chain, m.nv)
    if lane_count(d.time) == 1 and has_passive_contacts(m, d):
        for contact in range(d.ncon):
            if is_passive(m, d, contact):
                put_contact_row(m, d, contact)
                d.metric_rows = d.metric_rows + 1
                d.metric_entries = d.metric_entries + d.point_num
