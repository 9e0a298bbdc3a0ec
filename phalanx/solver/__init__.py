"""Constraint forces and accelerations: the minimum of a convex cost, found island by island.

Cost of an acceleration a:  (M a - qfrc_smooth) . (a - qacc_smooth) / 2  +  s(J a - aref).  s is a sum over the rows
of the constraints: quadratic, Huber (friction loss), one-sided (limits, contacts), or an elliptic cone. Forces are
-ds/d(J a). A solver works on the lists of dofs and rows of one island (`solve_dof`, `solve_row`), in the worlds that
have this island; the others keep their numbers. Rows that a world of a lane does not have (D = 0) add exact zeros.

Newton's method and conjugate gradients seek the acceleration. PGS and the noslip pass seek the forces f, at the minimum
of f' AR f / 2 + b' f within their limits, AR = J M^-1 J' + R, which is the same minimum seen from the other side.
"""
