"""What a Data answers when it is asked: frames, contacts, products with its matrices, rays. The state stays."""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.collision.ray.hits import (
    ANSWERS,
    FLEX_ANSWERS,
    FlexHit,
    RayHit,
    as_answer,
    checked_rays,
    hits_of,
    rays_of_shape,
)
from phalanx.memory.declared import arguments_checked
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, flag, real
from phalanx.world.contact_origin import ContactOrigin, explain_contact
from phalanx.world.contacts import ContactTable, Wrench, contact_force, contact_table, net_force
from phalanx.world.questions import (
    constraint_update,
    contact_array,
    differentiated,
    full_jacobian,
    integrated,
    is_inside,
    motion_of,
    one_vector,
    times_jacobian,
    times_jacobian_transposed,
    vectors,
)
from phalanx.world.rays import flex_filter, ray_filter, reserve
from phalanx.world.sleeping import Sleeping, sleeping_of
from phalanx.world.typed import DataFields

if TYPE_CHECKING:
    from phalanx.memory.store import Store
    from phalanx.native.pace import Pace
    from phalanx.pipeline.operations import Operations
    from phalanx.world.model import Model
    from phalanx.world.spec import Spec


class GeomDistance(NamedTuple):
    """Signed distance of two geoms, negative where they overlap, and its end points on the first and the second."""

    dist: float
    fromto: np.ndarray


class Answers(DataFields):
    """Questions that a Data can be asked; `phalanx.Data` has them as its own methods."""

    if TYPE_CHECKING:
        model: Model
        _store: Store
        _operations: Operations
        _ray_pace: Pace

    # --- positions

    @exclusive
    def integrate_pos(self, qpos: Any, qvel: Any, dt: float) -> np.ndarray:
        """Positions after moving along velocities for the time dt [s]; quaternions stay on their sphere.

        The state of this Data does not matter and does not change.

        Args:
            qpos: positions, (nq,) or (..., nq).
            qvel: velocities, (nv,) or (..., nv).
            dt: time; 0 only makes quaternions unit.

        Returns:
            positions, (nq,) or (..., nq).
        """
        return integrated(self, qpos, qvel, dt)

    @exclusive
    def differentiate_pos(self, qpos1: Any, qpos2: Any, dt: float) -> np.ndarray:
        """The velocities that take positions to others in the time dt [s]: the inverse of `integrate_pos`.

        The state of this Data does not matter and does not change.

        Args:
            qpos1: positions to begin with, (nq,) or (..., nq).
            qpos2: positions to end with, (nq,) or (..., nq).
            dt: time, not zero.

        Returns:
            velocities, (nv,) or (..., nv).

        Example:
            >>> qvel = data.differentiate_pos(path[:-1], path[1:], model.opt.timestep)      # doctest: +SKIP
        """
        return differentiated(self, qpos1, qpos2, dt)

    def normalize_quat(self, qpos: Any) -> np.ndarray:
        """Positions (..., nq) with all quaternions of joints made unit; as kernels do by themselves."""
        return self.integrate_pos(qpos, np.zeros(self.model.nv), 0.0)

    # --- frames

    @exclusive
    def object_velocity(self, objtype: str | int, obj: int | str, local: bool = False) -> np.ndarray:
        """Velocity of a frame, six numbers: angular [rad/s], then linear of its origin [m/s]; call after forward.

        Args:
            objtype: "body" (its inertial frame), "xbody" (the body frame), "geom", "site" or "camera", or the ObjType.
            obj: name or id.
            local: along the axes of the frame itself instead of those of the world.

        Example:
            >>> spin, velocity = data.object_velocity("site", "tip").reshape(2, 3)          # doctest: +SKIP
        """
        return motion_of(self, "object_velocity", objtype, obj, local)

    @exclusive
    def object_acceleration(self, objtype: str | int, obj: int | str, local: bool = False) -> np.ndarray:
        """Acceleration of a frame, six numbers: angular [rad/s²], then linear [m/s²]; call after forward.

        Gravity counts as an acceleration of the world upwards, as accelerometers feel it. Computes cacc, cfrc_int and
        cfrc_ext (`rne_post_constraint`).

        Args:
            objtype: as in `object_velocity`.
            obj: name or id.
            local: along the axes of the frame itself instead of those of the world.
        """
        return motion_of(self, "object_acceleration", objtype, obj, local)

    @exclusive
    def inside_site(self, site: int | str, point: Any) -> Any:
        """Whether a world point (3,) is inside a site, given by name or id; many points (..., 3) give an array.

        For a site in the shape of a mesh: inside its convex hull. Call after the position stage.
        """
        return is_inside(self, self.model.names.id_of("site", site), point)

    # --- flexes

    @exclusive
    def flex_energy(self) -> np.ndarray:
        """Elastic energy of each flex in J, (nflex,): of elements, bending, cells, rods and springs along edges.

        What has been deformed for good stores none. `energy` holds that of springs along edges only, as in MuJoCo.
        Call after the position stage.
        """
        self._operations.run_within("flex_energy")
        return self._store.arrays["flex_elastic_energy"].astype(float)

    # --- geometry

    @exclusive
    def geom_distance(self, geom1: int | str, geom2: int | str, distmax: float = math.inf) -> GeomDistance:
        """Signed distance of two geoms, given by name or id, and the points where they are nearest.

        Geoms as far apart as `distmax`, or of types that do not collide, have that distance and points zero. Call after
        the position stage.
        """
        arrays, distmax = self._store.arrays, real("distmax", distmax)
        ids = [self.model.names.id_of("geom", geom) for geom in (geom1, geom2)]
        # a bound of the distance: colliders that take it as margin lose no digits to a needlessly large one
        centers, bounds = self.geom_xpos[ids].astype(float), self.model.geom_rbound[ids]
        farthest = 1.0 + 2.0 * float(np.linalg.norm(centers[1] - centers[0]) + bounds.sum())
        arrays["distance_geom"][...] = ids
        arrays["distance_max"][...] = min(distmax, farthest)
        self._operations.run_within("geom_distance")
        is_less = bool(arrays["distance_dist"] < arrays["distance_max"])
        dist = float(arrays["distance_dist"]) if is_less else float(distmax)
        return GeomDistance(dist, arrays["distance_fromto"].ravel().copy())

    # --- contacts

    @property
    @exclusive
    def contact(self) -> np.recarray:
        """All contacts as a NumPy structured array with MuJoCo's members: `data.contact.dist`, `data.contact[0].geom`.

        A copy of the rows `contact_*` that cannot be written.
        """
        return contact_array(self)

    @exclusive
    def contact_force(self, contact: int) -> np.ndarray:
        """What a contact does to its second geom, six numbers in the frame of the contact (`contact_frame`).

        Force along the normal and the two tangents [N], then torque about the same axes [N·m]. Call after forward.
        """
        return contact_force(self, contact)

    @exclusive
    def contacts(self) -> ContactTable:
        """All contacts with names, forces and torques on each side, depths and slip velocities; call after forward."""
        return contact_table(self)

    @exclusive
    def sleeping(self) -> Sleeping:
        """Which kinematic trees sleep, and for each that does not, what keeps it awake: printed, a line for each.

        A tree that does not sleep may be too fast (with the dof and its speed), have a policy, feel a force that the
        user applies, be at rest not long enough, or be tied to a neighbor that does not rest.

        Example:
            >>> print(data.sleeping())                                         # doctest: +SKIP
            body 'box' sleeps with body 'lid'
            body 'ball' is awake: dof 13 of joint 2 is too fast: 0.31 m/s, the tolerance is 0.001 m/s
        """
        return sleeping_of(self)

    @arguments_checked
    @exclusive
    def explain_contact(self, contact: int, spec: Spec | None = None) -> ContactOrigin:
        """The parameters that a contact got, and which geom, pair or option each of them came from, by which rule.

        Args:
            contact: its index.
            spec: what the model was compiled from; with it, default classes are named, too.

        Example:
            >>> print(data.explain_contact(0)["friction"])                     # doctest: +SKIP
            friction 0.8 0.8 0.005 0.0001 0.0001: the larger one of each coefficient
              geom 'floor': 0.8 0.005 0.0001
              geom 'sole': 0.5 0.005 0.0001
        """
        return explain_contact(self, contact, spec)

    @exclusive
    def net_force(self, target: Any, other: Any = None) -> Wrench:
        """Force and torque that contacts with `other` exert on `target`, in the world frame; call after forward.

        Args:
            target: a body (the geoms fixed to it count, not its children) or a geom: its name, or an object such as
                `model.geom("sole")` where a name alone is ambiguous.
            other: likewise; None for everything it touches.

        Returns:
            force [N], and torque about the center of mass of the body of `target` [N·m].
        """
        return net_force(self, target, other)

    # --- vectors and matrices

    def mul_m(self, x: Any) -> np.ndarray:
        """M x, for a vector (nv,) or many, (..., nv); call after the position stage."""
        return self._vector_operation("mul_m", x)

    def solve_m(self, x: Any) -> np.ndarray:
        """M^-1 x, for a vector (nv,) or many, (..., nv); call after the position stage."""
        return self._vector_operation("solve_m", x)

    def mul_m2(self, x: Any) -> np.ndarray:
        """D^(1/2) L x with M = L' D L, for vectors as in `mul_m`: the square of its length is x' M x."""
        return self._vector_operation("mul_m2", x)

    def solve_m2(self, x: Any) -> np.ndarray:
        """D^(-1/2) L'^-1 x with M = L' D L, for vectors as in `solve_m`: the square of its length is x' M^-1 x."""
        return self._vector_operation("solve_m2", x)

    @exclusive
    def _vector_operation(self, operation: str, x: Any) -> np.ndarray:
        return vectors(self, operation, x)

    @exclusive
    def rne(self, flg_acc: bool = False) -> np.ndarray:
        """Joint forces (nv,) that the motion of the bodies needs: Coriolis, centrifugal and gravitational ones.

        Neither armature nor tendons count, as in MuJoCo's mj_rne; `qfrc_bias` has the inertia of tendons, too. Call
        after the velocity stage.

        Args:
            flg_acc: add the inertial forces of `qacc`.
        """
        self._operations.run_within("rne_vector", flag("flg_acc", flg_acc))
        return self._store.arrays["vector_out"].copy()

    @exclusive
    def apply_ft(self, force: Any, torque: Any, point: Any, body: int | str) -> np.ndarray:
        """Joint forces (nv,) of a force and a torque on a body; call after the position stage.

        Args:
            force: three numbers along the axes of the world [N].
            torque: three numbers along the axes of the world [N·m].
            point: where the force acts, in the world [m].
            body: name or id.

        Example:
            >>> tip = data.site("tip").xpos                                    # doctest: +SKIP
            >>> data.qfrc_applied += data.apply_ft([0, 0, 5], 0, tip, "hand")  # doctest: +SKIP
        """
        bodyid, arrays = self.model.names.id_of("body", body), self._store.arrays
        fill(arrays["asked_wrench"][:3], "force", force)
        fill(arrays["asked_wrench"][3:], "torque", torque)
        fill(arrays["asked_point"], "point", point)
        self._operations.run_within("apply_ft", bodyid)
        return arrays["vector_out"].copy()

    @exclusive
    def full_m(self) -> np.ndarray:
        """The inertia matrix as a dense (nv, nv) array."""
        m = self.model
        rows = np.repeat(np.arange(m.nv), m.M_rownnz)
        full = np.zeros((m.nv, m.nv), self._store.number.dtype)
        full[rows, m.M_colind] = self.M
        return full + np.tril(full, -1).T

    def jac(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a world point that moves with a body: of its velocity and of the body's rotation."""
        return self._jacobian("jac", point, body)

    def jac_dot(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Time derivatives of the Jacobians of `jac`; needs the velocity stage."""
        return self._jacobian("jac_dot", point, body)

    def jac_point_axis(self, point: Any, axis: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a world point and of an axis (a vector in the world) that move with a body."""
        jacp, jacr = self.jac(point, body)
        return jacp, np.cross(jacr.T, one_vector("axis", axis, 3)).T

    def jac_body(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the origin of a body frame."""
        return self.jac(self.xpos[self.model.names.id_of("body", body)], body)

    def jac_body_com(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the center of mass of a body."""
        return self.jac(self.xipos[self.model.names.id_of("body", body)], body)

    def jac_geom(self, geom: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of the center of a geom."""
        geomid = self.model.names.id_of("geom", geom)
        return self.jac(self.geom_xpos[geomid], int(self.model.geom_bodyid[geomid]))

    def jac_site(self, site: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (3, nv) of a site."""
        siteid = self.model.names.id_of("site", site)
        return self.jac(self.site_xpos[siteid], int(self.model.site_bodyid[siteid]))

    @exclusive
    def jac_subtree_com(self, body: int | str) -> np.ndarray:
        """Jacobian (3, nv) of the center of mass of a body with its descendants."""
        self._operations.run_within("jac_subtree_com", self.model.names.id_of("body", body))
        return self._store.arrays["jacp"].T.copy()

    @exclusive
    def angmom_mat(self, body: int | str) -> np.ndarray:
        """Angular momentum (3, nv) of a subtree about its center of mass, per unit velocity of each dof."""
        self._operations.run_within("angmom_mat", self.model.names.id_of("body", body))
        return self._store.arrays["jacr"].T.copy()

    @exclusive
    def _jacobian(self, operation: str, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        bodyid = self.model.names.id_of("body", body)
        fill(self._store.arrays["jac_point"], "point", point)
        self._operations.run_within(operation, bodyid)
        return self._store.arrays["jacp"].T.copy(), self._store.arrays["jacr"].T.copy()

    # --- constraint rows

    @exclusive
    def mul_jac(self, x: Any) -> np.ndarray:
        """J x (nefc,) of the constraint Jacobian and a vector of nv numbers; call after the position stage."""
        return times_jacobian(self, x)

    @exclusive
    def mul_jac_t(self, x: Any) -> np.ndarray:
        """J' x (nv,) of the constraint Jacobian and a vector of nefc numbers; call after the position stage."""
        return times_jacobian_transposed(self, x)

    @exclusive
    def full_jac(self) -> np.ndarray:
        """The constraint Jacobian, `efc_J`, as a dense (nefc, nv) array."""
        return full_jacobian(self)

    @exclusive
    def constraint_update(self, jar: Any) -> float:
        """Forces of the constraints at given residuals: writes efc_force, efc_state, qfrc_constraint.

        Args:
            jar: J a - aref for some acceleration a: `data.mul_jac(a) - data.efc_aref`, nefc numbers.

        Returns:
            the cost of the constraints, the function that solvers minimize together with that of the inertia.
        """
        return constraint_update(self, jar)

    # --- rays

    def ray(
        self,
        origin: Any,
        direction: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """The first visible geom that a ray hits; call after the position stage.

        Geoms that are fully transparent (alpha 0 of their material, or of their own color) are invisible.

        Args:
            origin: where the ray starts, in the world [m].
            direction: where it goes; any length but zero, in which distances are counted.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.

        Raises:
            FieldError: a direction without length, or values that do not fit.
            UnknownNameError: no such body.
        """
        # one ray is a list of one: the same kernel serves both
        rays = rays_of_shape(checked_rays(origin, direction), 3)
        hits = self._cast(*rays, ray_filter(self.model, geomgroup, static, exclude))
        return RayHit(float(hits.dist[0]), int(hits.geom[0]), hits.normal[0], hits.point[0])

    def rays(
        self,
        origins: Any,
        directions: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """Like `ray`, for many rays in one call: arrays of length n in the answer.

        Args:
            origins: where the rays start, (n, 3), or (3,) for all of them.
            directions: where they go, (n, 3), or (3,) for all of them.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.
        """
        rays = rays_of_shape(checked_rays(origins, directions), None, 3)
        return self._cast(*rays, ray_filter(self.model, geomgroup, static, exclude))

    def flex_rays(
        self,
        origins: Any,
        directions: Any,
        *,
        flex: int | str | None = None,
        flexgroup: Any = None,
        seen: str = "skin",
        layer: int = 0,
    ) -> FlexHit:
        """What many rays hit first of flexes; call after the position stage. `rays` sees geoms, this sees flexes.

        Args:
            origins: where the rays start, (n, 3), or (3,) for all of them [m].
            directions: where they go, (n, 3), or (3,) for all of them; distances are counted in their lengths.
            flex: one flex, by name or id; None for all.
            flexgroup: six flags, which groups of flexes to see; None for all. A flex that is named is seen.
            seen: "skin" (edges as capsules, and faces), or words for a part of it: "vertices", "edges", "faces".
            layer: of solids, the layer whose faces are seen, 0 on the outside; not of a skin.

        Raises:
            FieldError: a direction without length, or values that do not fit.
            UnknownNameError: no such flex.
        """
        # many at a time, as `rays`
        rays = rays_of_shape(checked_rays(origins, directions), None, 3)
        parts = self._cast_in_parts(*rays, flex_filter(self.model, flex, flexgroup, seen, layer), "flex_rays")
        return FlexHit(**{name: as_answer(name, parts[row]) for name, row in FLEX_ANSWERS.items()})

    def _cast(self, origins: np.ndarray, directions: np.ndarray, seen: tuple[int, int, int]) -> RayHit:
        return hits_of(self._cast_in_parts(origins, directions, seen, "rays"))

    @exclusive
    def _cast_in_parts(
        self, origins: np.ndarray, directions: np.ndarray, seen: tuple[int, int, int], operation: str
    ) -> dict[str, np.ndarray]:
        origins, directions = np.atleast_2d(origins, directions)
        total, arrays = len(origins), self._store.arrays
        parts: list[dict[str, np.ndarray]] = []
        # some rays at a time: Python can handle signals in between
        first = 0
        while first < total or not parts:
            n, began = min(total - first, self._ray_pace.amount), perf_counter()
            reserve(self._store, n)
            rays = slice(first, first + n)
            arrays["ray_filter"][...] = seen
            arrays["ray_origin"][:n], arrays["ray_direction"][:n] = origins[rays], directions[rays]
            self._operations.run_within(operation, n)
            parts.append({row: arrays[row][:n].copy() for row in (*ANSWERS.values(), "ray_vertex")})
            self._ray_pace.note(n, perf_counter() - began)
            first += n
        return parts[0] if len(parts) == 1 else {row: np.concatenate([part[row] for part in parts]) for row in parts[0]}
