"""`export_image`: a model and a state as a file that programs in JavaScript simulate, with the package of Phalanx."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from phalanx.memory.array_file import named_file, suffix_of
from phalanx.memory.errors import ModelError
from phalanx.memory.whole_file import check_folder, write_whole
from phalanx.pipeline.parts import needed
from phalanx.web.export_page import starting_world
from phalanx.web.model_image import image_of
from phalanx.web.web_units import module_of
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Endings of images and of modules.
IMAGE, MODULE = ".phx", ".wasm"


def export_image(
    model: Model,
    path: str | Path,
    *,
    data: Data | None = None,
    controller: Callable[..., Any] | None = None,
    module: str | Path | None = None,
) -> Path:
    """Write a model and a state as an image, for programs in JavaScript.

    `phalanx.wasm` of the JavaScript package simulates the image of any model without hooks. With `module`, the compiled
    parts that this model needs are written, too: they are smaller, and have its hooks.

    Args:
        model: the model.
        path: name of the file, which ends in .phx.
        data: the state that it begins with; None for the initial one.
        controller: as in `export_web`.
        module: name of a file for the WebAssembly module, which ends in .wasm.

    Returns:
        the path of the image.

    Raises:
        FieldError: a Data of another model.
        HookError: a function that cannot be compiled, with the place in its source.
        ModelError: the model is too large, or has hooks and there is no module to put them in.
    """
    path = named_file(path)
    suffix_of(path, (IMAGE,), "writer of images")
    check_folder(path)
    if module is not None:
        module = named_file(module)
        suffix_of(module, (MODULE,), "writer of modules")
        check_folder(module)
    # a mistake in a hook shows here
    world = starting_world(model, data, controller)
    hooks = list(world.model._hooks.values())
    if hooks and module is None:
        names = ", ".join(hook.row.name for hook in hooks)
        raise ModelError(f"the model has hooks ({names}), which are code: name a file for it, module='robot.wasm'")
    image = image_of(world)
    if module is not None:
        write_whole(module, module_of(needed(world.model._store), hooks))
    return write_whole(path, image)
