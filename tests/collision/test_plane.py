from __future__ import annotations

from phalanx.collision import plane  # noqa: F401
from tests.collision.harness import Pair, same_bits, same_contacts


def test_plane_sphere():
    pair = Pair('<geom type="plane" size="1 1 1"/>', '<geom type="sphere" size=".2"/>', margin=0.05)
    poses = pair.poses(400, spread=2.0)
    ours = pair.ours(poses)
    assert all(same_contacts(a, pair.mujoco(p), 1e-12) for a, p in zip(ours, poses, strict=True))
    assert all(same_bits(a, b) for a, b in zip(ours, pair.ours(poses, "float64", 8), strict=True))
    assert all(same_bits(pair.interpreted(p), a) for a, p in zip(ours[:50], poses, strict=False))
    assert 50 < sum(map(len, ours)) < 390
