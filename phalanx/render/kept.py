"""Renderers that are kept with what they draw: pictures of the same kind are asked for again and again."""

from __future__ import annotations

from typing import Any

from phalanx.render.renderer import Renderer

#: How many, of different size or content.
MOST = 4
#: Where an object keeps them.
NAME = "_renderers"


def kept_renderer(owner: Any, *settings: Any) -> Renderer:
    """The renderer of an object with a Model, for settings: width, height, show, samples, threads."""
    kept: dict[Any, Renderer] = owner.__dict__.setdefault(NAME, {})
    try:
        found = kept.get(settings)
    except TypeError:  # a size that is no number
        found = None
    if found is None:
        width, height, show, samples, threads = settings
        found = Renderer(owner.model, width, height, show=show, samples=samples, threads=threads)
        kept[settings] = found
        while len(kept) > MOST:
            del kept[next(iter(kept))]
    return found
