"""Collision without a model: contacts, distances and rays of shapes, one pose or ten thousand at once."""

import numpy as np

from phalanx.collision import Box, Capsule, Sphere, contacts, distance, ray


def main() -> None:
    table = Box([0.8, 0.5, 0.02], pos=[0, 0, 0.7])
    finger = Capsule(0.01, 0.04)

    # a finger that lies on the table touches it at two points
    lying = finger.at([0.2, 0.1, 0.7295], quat=[1, 0, 1, 0])
    for contact in contacts(table, lying):
        print(f"contact at {contact.pos.round(3)}, {-contact.dist * 1000:.2f} mm deep")

    # how far is it from a cup? the nearest points come with the answer
    apart = distance(lying, Sphere(0.05, pos=[0.5, 0.1, 0.77]))
    print(f"{apart.dist * 1000:.1f} mm to the cup, from {apart.point_a.round(3)} to {apart.point_b.round(3)}")

    # ten thousand poses in one call: which of them collide?
    rng = np.random.default_rng(0)
    poses = finger.at(rng.uniform([-1, -1, 0.6], [1, 1, 0.9], (10_000, 3)), rng.normal(size=(10_000, 4)))
    clearance = distance(table, poses).dist
    print(f"{np.mean(clearance > 0):.1%} of the poses are free")

    # a depth camera over the table
    y, x = np.mgrid[-0.6:0.6:13j, -1.0:1.0:41j]
    rays = np.stack([x, y, np.full_like(x, -1.0)], axis=-1).reshape(-1, 3)
    hits = ray(table, [0, 0, 1.7], rays)
    for row in np.where(hits.dist >= 0, "#", ".").reshape(x.shape):
        print("".join(row))

    touching = np.unique(contacts(table, poses).pose)
    assert set(touching) == set(np.flatnonzero(clearance <= 0))


if __name__ == "__main__":
    main()
