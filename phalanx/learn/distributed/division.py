"""Which worlds a worker has: shares of whole blocks.

Physics does not depend on how worlds are divided. Functions of other libraries may: a product of matrices can have
other bits for other counts of rows. So a policy is asked for one block at a time, and blocks are the same for any count
of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole


@dataclass(frozen=True)
class Share:
    """Worlds that are together.

    Attributes:
        index: of the share.
        first: the first world.
        count: how many worlds.
    """

    index: int
    first: int
    count: int

    @property
    def worlds(self) -> slice:
        """Which worlds."""
        return slice(self.first, self.first + self.count)


@dataclass(frozen=True)
class Block:
    """Worlds of a share that a policy is asked for at once.

    Attributes:
        index: of the block, among those of all shares.
        worlds: where they are in the share.
    """

    index: int
    worlds: slice


def divide(n: int, workers: int, block: int) -> list[Share]:
    """Shares of n worlds for some workers, as equal as whole blocks allow; the last block may be smaller.

    Raises:
        FieldError: there are fewer blocks than workers.
    """
    n, workers, block = whole("the count of worlds", n, 1), whole("workers", workers, 1), whole("block", block, 1)
    blocks = -(-n // block)
    if blocks < workers:
        words = f"{n} worlds are {blocks} blocks of {block}, too few for {workers} workers"
        raise FieldError(f"{words}: ask for fewer workers, or for smaller blocks")
    bounds = [min(blocks * k // workers * block, n) for k in range(workers + 1)]
    return [Share(k, bounds[k], bounds[k + 1] - bounds[k]) for k in range(workers)]


def blocks_of(share: Share, block: int) -> Iterator[Block]:
    """The blocks of a share."""
    for start in range(0, share.count, block):
        yield Block((share.first + start) // block, slice(start, min(start + block, share.count)))
