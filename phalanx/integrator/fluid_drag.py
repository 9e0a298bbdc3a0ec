"""Drag of the fluid as a part of the inertia of a step: what always takes energy, in the pattern of M."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import transpose
from phalanx.algebra.memory import load6
from phalanx.algebra.number import and_, any_, or_, where
from phalanx.algebra.spatial import dot6
from phalanx.integrator.fluid_derivative import (
    ZERO9,
    add_blocks,
    add_blocks_where,
    box_blocks,
    drag_blocks,
    project_blocks,
    store_blocks,
)
from phalanx.memory.flags import is_disabled
from phalanx.smooth.passive.fluid import INTERACTION, fluid_models
from phalanx.tables.enums import DisableBit


@kernel
def fluid_drag(m, d):
    """efm_fluid: timestep times the slope of the drag, as it resists. Lift and added mass have no part in it."""
    for k in range(m.nC):
        d.efm_fluid[k] = 0.0
    is_present = or_(m.opt.density > 0.0, m.opt.viscosity > 0.0)
    has_passive = not (is_disabled(m, DisableBit.SPRING) and is_disabled(m, DisableBit.DAMPER))
    if has_passive and any_(is_present):
        for body in range(1, m.nbody):
            store_blocks(d, body, ZERO9, ZERO9, ZERO9, ZERO9)
            if m.body_dofnum[m.body_weldid[body]] > 0:
                body_drag(m, d, body)
        for body in range(m.nbody - 1, 0, -1):
            if m.body_parentid[body] > 0:
                add_blocks(d, m.body_parentid[body], body)
        for dof in range(m.nv):
            project_blocks(m, d, dof)
        for dof in range(m.nv):
            left = load6(d.deriv_left, dof)
            for k in range(m.M_rowadr[dof], m.M_rowadr[dof] + m.M_rownnz[dof]):
                slope = dot6(left, load6(d.cdof, m.M_colind[k]))
                d.efm_fluid[k] = where(is_present, -m.opt.timestep * slope, 0.0)


@kernel
def body_drag(m, d, body):
    """Blocks of one body about the center of its tree, by the model that its geoms choose."""
    is_box, is_ellipsoid = fluid_models(m, body)
    if any_(is_box):
        aa, la, ll = box_blocks(m, d, body)
        add_blocks_where(d, body, is_box, aa, transpose(la), la, ll)
    if any_(is_ellipsoid):
        for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
            interacts = and_(is_ellipsoid, m.geom_fluid[geom, INTERACTION] != 0.0)
            if any_(interacts):
                aa, al, la, ll = drag_blocks(m, d, geom)
                add_blocks_where(d, body, interacts, aa, al, la, ll)
