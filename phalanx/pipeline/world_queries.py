"""What a batch is asked about the present state of its worlds, computed in lanes: Jacobians, lists of contacts."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load5, load9, store3, store5, store9
from phalanx.algebra.number import and_, not_, where
from phalanx.constraint.contact_block import contact_kind
from phalanx.sensor.force.contact_wrench import contact_exists, contact_pushes
from phalanx.smooth.center_of_mass import com_pos
from phalanx.smooth.jacobian import angmom_mat, jac, jac_dot, jac_subtree_com
from phalanx.smooth.kinematics import kinematics
from phalanx.smooth.velocity import com_vel
from phalanx.tables.scratch_fields import MAXCONROW

#: Kinds of Jacobian.
OF_POINT, RATE_OF_POINT, OF_BODY, OF_BODY_COM, OF_GEOM, OF_SITE, OF_SUBTREE_COM, OF_ANGULAR_MOMENTUM = range(8)


@part("mdii")
def jacobians(m, d, kind, objid):
    """jacp, jacr at the present state: of `jac_point` on body `objid`, or of a body, geom or site.

    With the stages that they take.
    """
    kinematics(m, d)
    com_pos(m, d)
    if kind == OF_POINT:
        jac(m, d, objid, load3(d.jac_point, 0))
    elif kind == RATE_OF_POINT:
        com_vel(m, d)
        jac_dot(m, d, objid, load3(d.jac_point, 0))
    elif kind == OF_BODY:
        jac(m, d, objid, load3(d.xpos, objid))
    elif kind == OF_BODY_COM:
        jac(m, d, objid, load3(d.xipos, objid))
    elif kind == OF_GEOM:
        jac(m, d, m.geom_bodyid[objid], load3(d.geom_xpos, objid))
    elif kind == OF_SITE:
        jac(m, d, m.site_bodyid[objid], load3(d.site_xpos, objid))
    elif kind == OF_SUBTREE_COM:
        jac_subtree_com(m, d, objid)
    else:
        angmom_mat(m, d, objid)


@part("mdi")
def list_contacts(m, d, capacity):
    """listed_ rows: the first contacts of the lane group, as many as there is room for; listed_count: all of them.

    forward(m, d) has been called.
    """
    d.listed_count = float(d.ncon)
    count = d.ncon if d.ncon < capacity else capacity
    for contact in range(count):
        list_contact(m, d, contact)
    # of the lane group before
    for contact in range(count, capacity):
        d.listed_is_there[contact] = 0.0


@kernel
def list_contact(m, d, contact):
    """listed_ rows of one contact; worlds without it have zero in `listed_is_there`."""
    is_there, pushes = contact_exists(d, contact), contact_pushes(d, contact)
    dist, adhesion = d.contact_dist[contact], d.contact_adhesion[contact]
    # held at a distance by adhesion alone it has no friction, whatever it has in other worlds
    is_held = and_(adhesion != 0.0, dist >= d.contact_includemargin[contact])
    d.listed_is_there[contact] = where(is_there, 1.0, 0.0)
    for side in range(2):
        d.listed_geom[contact, side] = float(d.contact_geom[contact, side])
        d.listed_flex[contact, side] = float(d.contact_flex[contact, side])
        d.listed_elem[contact, side] = float(d.contact_elem[contact, side])
        d.listed_vert[contact, side] = float(d.contact_vert[contact, side])
    d.listed_dim[contact] = where(not_(is_held), float(d.contact_dim[contact]), 1.0)
    d.listed_dist[contact] = dist
    store3(d.listed_pos, contact, load3(d.contact_pos, contact))
    store9(d.listed_frame, contact, load9(d.contact_frame, contact))
    store5(d.listed_friction, contact, load5(d.contact_friction, contact))
    d.listed_adhesion[contact] = adhesion
    d.listed_has_rows[contact] = where(pushes, 1.0, 0.0)
    row, count = d.contact_efc_address[contact], 0
    if row >= 0:
        _, count = contact_kind(m, d, contact)
    for k in range(MAXCONROW):
        if k < count:
            d.listed_force[contact, k] = where(pushes, d.efc_force[row + k], 0.0)
        else:
            d.listed_force[contact, k] = 0.0
