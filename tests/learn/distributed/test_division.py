"""Worlds are divided into shares of whole blocks."""

from __future__ import annotations

import pytest

from phalanx import FieldError
from phalanx.learn.distributed.division import blocks_of, divide


@pytest.mark.parametrize("n, workers, block", [(10, 3, 1), (10, 3, 2), (64, 2, 16), (65, 4, 16), (5, 5, 1), (3, 1, 8)])
def test_shares_cover_all_worlds_and_blocks_are_whole(n, workers, block):
    shares = divide(n, workers, block)
    worlds = [world for share in shares for world in range(n)[share.worlds]]
    assert worlds == [*range(n)] and len(shares) == workers and all(share.count for share in shares)
    found = [(b.index, share.first + b.worlds.start) for share in shares for b in blocks_of(share, block)]
    # the same blocks for any count of workers
    assert found == [(k, k * block) for k in range(-(-n // block))]


def test_too_many_workers_are_refused():
    with pytest.raises(FieldError, match="3 blocks of 4, too few for 4 workers"):
        divide(10, 4, 4)
    with pytest.raises(FieldError, match="workers"):
        divide(10, 0, 4)
