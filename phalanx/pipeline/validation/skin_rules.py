"""Skins: their bones pull vertices that they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, owners
from phalanx.tables.domain import Arrays


def skin_bones(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The vertices of the bones of a skin lie one bone after the other, and are vertices of that skin."""
    skin = owners(arrays["skin_boneadr"], arrays["skin_bonenum"], sizes["nskinbone"])
    first, num = arrays["skin_bonevertadr"].astype(np.int64), arrays["skin_bonevertnum"].astype(np.int64)
    if name == "skin_bonevertadr":
        bad = (first < 0) | (first + num > sizes["nskinbonevert"])
        bad[1:] |= (skin[1:] == skin[:-1]) & (first[1:] != (first + num)[:-1])
        yield bad, f"the vertices of bones must follow each other in nskinbonevert, which is {sizes['nskinbonevert']}"
        return
    bone = owners(first, num, len(array))
    limit = np.where(skin >= 0, arrays["skin_vertnum"][skin] if sizes["nskin"] else 0, 0)
    most = np.where(bone >= 0, limit[bone] if len(limit) else 0, np.iinfo(np.int32).max)
    yield (array < 0) | (array >= most), "it must be less than skin_vertnum of its skin"
