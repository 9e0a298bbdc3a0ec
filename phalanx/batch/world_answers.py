"""What a batch answers when it is asked: inverse dynamics, rays, contacts and Jacobians of its worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.batch import contact_list, group
from phalanx.batch.binding import (
    requests_of,
)
from phalanx.batch.contact_list import WorldContactTable
from phalanx.batch.machine import Machine
from phalanx.batch.worlds import chosen_worlds
from phalanx.collision.ray.hits import ANSWERS, RayHit, checked_rays, hits_of, rays_of_shape
from phalanx.memory.errors import FieldError
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, numbers
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.pipeline import world_queries
from phalanx.pipeline.supported import check_discrete
from phalanx.world.contacts import ContactTable
from phalanx.world.data import shown
from phalanx.world.noise import noise_levels, with_noise
from phalanx.world.rays import ray_filter

if TYPE_CHECKING:
    from phalanx.world.data import Data

#: Rays that each world casts in one call.
RAYS_AT_ONCE = 1024


class BodyForces(NamedTuple):
    """What `rne_post_constraint` computes, (worlds, nbody, 6) each.

    Attributes:
        cacc: acceleration of each body at the center of its tree: angular, linear [rad/s², m/s²].
        cfrc_int: force between the body and its parent: torque, force [N·m, N].
        cfrc_ext: external force on the body, contacts included: torque, force [N·m, N].
    """

    cacc: np.ndarray
    cfrc_int: np.ndarray
    cfrc_ext: np.ndarray


class WorldAnswers(Machine):
    """Questions that a batch can be asked; `phalanx.BatchSim` has them as its own methods."""

    if TYPE_CHECKING:

        def env(self, i: int) -> Data:
            """A Data of its own in the state of world i."""

    @exclusive
    def inverse(self, qacc: Any) -> np.ndarray:
        """Inverse dynamics in every world at its present state: `Data.inverse` for all worlds.

        Args:
            qacc: accelerations (n, nv), or (nv,) for all worlds.

        Returns:
            qfrc_inverse, (n, nv).
        """
        check_discrete(self.model)
        given, found = self._world_array("qacc"), self._world_array("qfrc_inverse")
        qacc = numbers("qacc", qacc)
        if qacc.shape == given.shape[1:]:
            qacc = np.broadcast_to(qacc, given.shape)
        fill(given, "qacc", qacc)
        return self._ask(group.INVERSE, 1, {"qfrc_inverse": found}, {"qacc": given})["qfrc_inverse"]

    @exclusive
    def rays(
        self,
        origins: Any,
        directions: Any,
        *,
        geomgroup: Any = None,
        static: bool = True,
        exclude: int | str | None = None,
    ) -> RayHit:
        """What rays hit in every world at its present state: `Data.rays` for all worlds, arrays (n, k, ...).

        Args:
            origins: where k rays start: (n, k, 3), or (k, 3) or (3,) for all worlds.
            directions: where they go: (n, k, 3), or (k, 3) or (3,) for all worlds.
            geomgroup: six flags, which groups of geoms to see; None for all.
            static: see geoms that are fixed to the world.
            exclude: a body, by name or id, whose geoms are not seen.
        """
        seen = ray_filter(self.model, geomgroup, static, exclude)
        # rays that serve all worlds are repeated: memory of a lane group is loaded world by world
        pair = rays_of_shape(checked_rays(origins, directions), self.n, None, 3)
        k = pair[0].shape[1]
        # some at a time: Python can handle signals in between
        parts = [
            self._cast(pair[0][:, first : first + RAYS_AT_ONCE], pair[1][:, first : first + RAYS_AT_ONCE], seen)
            for first in range(0, max(k, 1), RAYS_AT_ONCE)
        ]
        return hits_of({row: np.concatenate([part[row] for part in parts], axis=1) for row in ANSWERS.values()})

    def _cast(self, origins: np.ndarray, directions: np.ndarray, seen: Any) -> dict[str, np.ndarray]:
        """Cast rays in each world."""
        k = origins.shape[1]
        rays = {"ray_origin": origins, "ray_direction": directions}
        rays = {name: np.ascontiguousarray(rows, self.number.dtype) for name, rows in rays.items()}
        shapes = {row: shape_of(DATA_SCHEMA.fields[row], {"nray": k}) for row in ANSWERS.values()}
        answers = {row: np.zeros((self.n, *shape), self.number.dtype) for row, shape in shapes.items()}
        if not origins.size:
            return answers
        self._make_room("nray", k, {"ray_filter": seen})
        return self._ask(group.RAYS, k, answers, rays)

    # --- contacts

    @property
    def ncon(self) -> np.ndarray:
        """How many contacts each world had in the last `step` or `forward`, (n,): `ncon` of a Data for all worlds.

        Zero for a world that stopped in it.
        """
        return shown("ncon", self._arrays["contact_count"])

    def contacts(self, i: int | None = None) -> ContactTable:
        """The contacts of world i at its present state: `Data.contacts` of `env(i)`."""
        if i is None:
            raise FieldError("contacts(i) takes the index of a world; contact_table() has the contacts of all worlds")
        return self.env(i).contacts()

    @exclusive
    def contact_table(self, worlds: Any = None) -> WorldContactTable:
        """The contacts of all worlds at their present states, with a column `world`; the rest as in `contacts(i)`.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.

        Example:
            >>> table = batch.contact_table()                                      # doctest: +SKIP
            >>> pushes = np.bincount(table.world, -table.force1[:, 2], batch.n)    # doctest: +SKIP
        """
        chosen = chosen_worlds(worlds, self.n)
        room = contact_list.FIRST_ROOM
        listed = self._list_contacts(room, chosen)
        while (count := int(listed["listed_count"].max(initial=0))) > room:
            room = count
            listed = self._list_contacts(room, chosen)
        found = {name: array[chosen] for name, array in listed.items()}
        return contact_list.contact_table(self.model, found, chosen)

    @exclusive
    def rne_post_constraint(self, worlds: Any = None) -> BodyForces:
        """Accelerations of bodies and the forces on them at the present state: `Data.rne_post_constraint` for worlds.

        To have them in every step, bind `cacc`, `cfrc_int` or `cfrc_ext`.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.

        Returns:
            arrays (worlds, nbody, 6): cacc, cfrc_int, cfrc_ext.
        """
        chosen = chosen_worlds(worlds, self.n)
        answers = {name: self._world_array(name) for name in BodyForces._fields}
        requests = self._requests
        self._set_requests(requests_of(answers))
        try:
            self._ask(group.FORWARD, 1, answers, worlds=chosen)
        finally:
            self._set_requests(requests)
        return BodyForces(**{name: array[chosen] for name, array in answers.items()})

    # --- Jacobians

    def jac(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of a world point that moves with a body: of its velocity and of the body's rotation.

        As all Jacobians here at the present state of each world, whatever was computed before.

        Args:
            point: in the world, (n, 3), or (3,) for all worlds [m].
            body: its name or id.
        """
        return self._jacobians(world_queries.OF_POINT, "body", body, point)

    def jac_dot(self, point: Any, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Time derivatives of the Jacobians of `jac`."""
        return self._jacobians(world_queries.RATE_OF_POINT, "body", body, point)

    def jac_body(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the origin of a body frame."""
        return self._jacobians(world_queries.OF_BODY, "body", body)

    def jac_body_com(self, body: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the center of mass of a body."""
        return self._jacobians(world_queries.OF_BODY_COM, "body", body)

    def jac_geom(self, geom: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of the center of a geom."""
        return self._jacobians(world_queries.OF_GEOM, "geom", geom)

    def jac_site(self, site: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of a site."""
        return self._jacobians(world_queries.OF_SITE, "site", site)

    def jac_subtree_com(self, body: int | str) -> np.ndarray:
        """Jacobian (n, 3, nv) of the center of mass of a body with its descendants."""
        return self._jacobians(world_queries.OF_SUBTREE_COM, "body", body)[0]

    def angmom_mat(self, body: int | str) -> np.ndarray:
        """Angular momentum (n, 3, nv) of a subtree about its center of mass, per unit velocity of each dof."""
        return self._jacobians(world_queries.OF_ANGULAR_MOMENTUM, "body", body)[1]

    @exclusive
    def _jacobians(self, kind: int, of: str, key: int | str, point: Any = None) -> tuple[np.ndarray, np.ndarray]:
        objid = self.model.names.id_of(of, key)
        given = {} if point is None else {"jac_point": self._world_array("jac_point")}
        for array in given.values():
            values = numbers("point", point)
            fill(array, "point", np.broadcast_to(values, array.shape) if values.shape == (3,) else values)
        answers = {name: self._world_array(name) for name in ("jacp", "jacr")}
        self._ask(group.JACOBIANS, 1 + kind + group.JACOBIAN_KINDS * objid, answers, given)
        # kept as one column per dof
        return answers["jacp"].transpose(0, 2, 1).copy(), answers["jacr"].transpose(0, 2, 1).copy()

    def _list_contacts(self, room: int, worlds: np.ndarray) -> dict[str, np.ndarray]:
        """Contacts of some worlds, at most `room` of each lane group, and how many each group has."""
        shapes = {name: contact_list.shape_of_listed(name, room) for name in contact_list.LISTED}
        answers = {name: np.zeros((self.n, *shape), self.number.dtype) for name, shape in shapes.items()}
        answers |= {name: self._world_array(name) for name in ("listed_count", *contact_list.MOTION)}
        self._make_room("nlisted", room, {})
        return self._ask(group.CONTACTS, room, answers, worlds=worlds)

    @exclusive
    def noisy_sensors(self, seed: int) -> np.ndarray:
        """A copy of `sensordata`, which must be bound, with the noise of `Data.noisy_sensors`: world i as world i.

        Args:
            seed: not negative; another seed, other noise.
        """
        varied = self.vary.get("sensor_noise")
        noisy = self.sensordata.copy()
        for world in range(self.n):
            levels = noise_levels(self.model, None if varied is None else varied[world])
            noisy[world] = with_noise(noisy[world], levels, seed, world, float(self.time[world]))
        return noisy
