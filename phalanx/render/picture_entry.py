"""The compiled entry of the renderer: it is loaded when the first picture is drawn."""

from __future__ import annotations

import functools
from collections.abc import Callable

from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.native.entry import Entry
from phalanx.native.runtime import NativeEntry, load
from phalanx.pipeline.parts import number_of
from phalanx.render.bundle import arrange_shapes
from phalanx.render.many_worlds import draw_worlds
from phalanx.render.tile import draw_blocks

#: Lanes: pixels in a vector register. The same picture comes out for any of them.
NUMBER = NumberType("float64", 8)
#: What the entry does: sort shapes, once for a picture; draw its blocks, in each thread; draw worlds, in each thread.
ARRANGE, BLOCKS, WORLDS = range(3)


@kernel
def draw(f, taken, operation, amount):
    """Prepare a picture, or draw some of its blocks; or draw some worlds."""
    if operation == ARRANGE:
        arrange_shapes(f)
    elif operation == BLOCKS:
        draw_blocks(f, taken, amount)
    else:
        draw_worlds(f, taken, amount)


def build(number: NumberType) -> Callable[..., int]:
    """The function of addresses, for lanes of a number type."""
    from phalanx.native.number import array_at
    from phalanx.render.picture_view import frame_at

    view_at, taken_at = frame_at(number), array_at("int64", alias="frame.taken")

    def entry(frame, taken, operation, amount):
        draw(view_at(frame), taken_at(taken), operation, amount)
        return 0

    return entry


@functools.cache
def render_entry(number: NumberType = NUMBER) -> Entry:
    """The entry for lanes of a number type."""
    return Entry(
        f"render_{number.name}",
        functools.partial(build, number),
        arity=4,
        origin="phalanx.render.picture_entry:entry_named",
    )


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    return render_entry(number_of(name.partition("_")[2])[0])


@functools.cache
def native(number: NumberType = NUMBER) -> NativeEntry:
    """The compiled entry, loaded once per process."""
    return load(render_entry(number))
