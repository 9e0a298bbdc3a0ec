"""Constraint rows: equalities, friction loss, limits and contacts as J v = 0, J v >= 0 or friction, in MuJoCo's order.

A row exists if it acts in some world of a lane; where it does not act, its Jacobian and weight are zero and its
impedance is zero. `efc_J` is sparse: a row lists the dofs that move the objects it involves, in increasing order.
"""
