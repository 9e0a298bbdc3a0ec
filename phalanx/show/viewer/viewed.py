"""What a viewer is asked to view."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from phalanx.batch.batch import BatchSim
from phalanx.memory.errors import FieldError
from phalanx.show.viewer.arrangement import layout_of, shown_worlds
from phalanx.show.viewer.batch_world import ManyWorlds
from phalanx.show.viewer.one_world import OneWorld
from phalanx.world.builtin import model_path
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.spec import load

#: Endings of model files that can be edited as text.
TEXT_ENDINGS = (".xml", ".mjcf")


def subject_of(
    world: Any, data: Data | None, worlds: int | None, layout: str
) -> tuple[OneWorld | ManyWorlds, Path | None]:
    """The world or worlds, and the file that can be edited, if there is one.

    Args:
        world: a Model, a Data, a BatchSim, or the path of a model file.
        data: a Data of the Model.
        worlds: how many worlds of a batch are shown.
        layout: how they are laid out.
    """
    chosen = layout_of(layout)
    path = None
    if isinstance(world, BatchSim):
        if data is not None:
            raise FieldError("a batch has its own worlds: give no data")
        if not world.n:
            raise FieldError("the batch has no worlds to view")
        return ManyWorlds(world, shown_worlds(world.n, worlds), chosen), None
    # a file can be edited in the page, if it is a text
    if isinstance(world, str | os.PathLike):
        file = model_path(Path(world))
        world = load(file)
        path = file if file.suffix.lower() in TEXT_ENDINGS else None
    if isinstance(world, Data) and data is None:
        return OneWorld(world), path
    if not isinstance(world, Model):
        raise FieldError(f"a viewer shows a Model, a Data, a BatchSim or a model file, not {type(world).__name__}")
    if data is None:
        return OneWorld(world.make_data()), path
    if not isinstance(data, Data) or data.model is not world:
        raise FieldError("data must be a Data of this model: model.make_data()")
    return OneWorld(data), path
