"""`export_web`: a model as one page that simulates it in any browser, without a network."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from phalanx.memory.array_file import named_file, suffix_of
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.whole_file import check_folder, write_whole
from phalanx.pipeline.parts import needed
from phalanx.scene.camera import Camera
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.show import Show
from phalanx.show.replay.arguments import checked_plots
from phalanx.show.replay.packed import Packed
from phalanx.show.replay.page_text import FOLDER, WITH_WASM, page_text
from phalanx.show.replay.still import Still, model_title
from phalanx.show.replay.tracks import KINDS
from phalanx.web.live_manifest import actuator_rows, body_labels, field_rows, layer_rows, style_row
from phalanx.web.model_image import image_of
from phalanx.web.web_units import module_of
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Where the modules of this page are; it uses those of replays, too.
PAGE = Path(__file__).parent / "page"
#: Largest page that is written [bytes]: browsers take no longer texts.
_LARGEST = 400_000_000


def export_web(
    model: Model,
    path: str | Path,
    *,
    controller: Callable[..., Any] | None = None,
    data: Data | None = None,
    show: Any = None,
    layers: Iterable[str] | None = None,
    camera: Camera | None = None,
    plots: Iterable[str] = (),
    title: str | None = None,
    autoplay: bool = True,
) -> Path:
    """Write a page that simulates a model: one file, which opens in any browser without a network.

    The physics in it is made of the same kernels, as WebAssembly: a state has the same bits after as many steps. In the
    page: run, pause, speed, back to the start; bodies that are dragged with the mouse; sliders of actuators; plots;
    switches for contacts, forces, joints and so on.

    Args:
        model: the model; its hooks are compiled into the page.
        path: name of the file, which ends in .html.
        controller: a function of (m, d) that sets `d.ctrl`, as the hook `control` of `Model.with_hooks`.
        data: the state that the page begins with; None for the initial one.
        show: what is shown at first, as `phalanx.Show.of` takes it.
        layers: names of the layers that can be switched on, such as "contacts"; None for all that the model has.
        camera: the first view; None for one from the side.
        plots: names of fields, or of columns such as "qpos.knee", that are plotted at first.
        title: of the page; None for the name of the model.
        autoplay: whether it runs when it is opened.

    Returns:
        the path.

    Raises:
        FieldError: an argument that does not exist, or a Data of another model.
        HookError: a function that cannot be compiled, with the place in its source.
        ModelError: the model is too large for a page, or the file cannot be written there.

    Example:
        >>> phalanx.export_web(model, "robot.html", controller=stand)          # doctest: +SKIP
    """
    path = named_file(path)
    suffix_of(path, (".html",), "writer of simulations")
    check_folder(path)
    world = starting_world(model, data, controller)
    model, shown, packed = world.model, Show.of(show), Packed()
    still = Still(model, SceneBuilder(model, shown))
    # the page computes its own forces: this is for the first view
    seen = world.copy().forward()
    fields = field_rows(model, world)
    manifest = {
        **still.manifest(packed, seen), "labels": body_labels(model), "kinds": KINDS,
        "layers": layer_rows(model, layers, shown), "style": style_row(model, seen, shown), "fields": fields,
        "actuators": actuator_rows(model), "hasController": "control" in model._hooks,
        "keyframes": list(model.names.names["key"]), "layout": "grid", "spacing": 0.0, "autoplay": bool(autoplay),
        "camera": still.first_camera(camera, seen), "follow": _followed(still, camera),
        "options": {
            "shadows": shown.shadows, "reflections": shown.reflections, "fog": shown.haze, "labels": True, "drag": True,
        },
        "plots": checked_plots(plots, [n for row in fields for n in (row["name"], *row["columns"])], "the page"),
        "title": model_title(model) if title is None else str(title),
        "module": _text(module_of(needed(model._store), list(model._hooks.values()))), "image": _text(image_of(world)),
    }  # fmt: skip
    text = page_text(
        manifest, packed.text(), "live", (PAGE, FOLDER), styles=("page.css", "live.css"), more=WITH_WASM
    ).encode("utf-8")
    if len(text) > _LARGEST:
        words = f"the page would have {len(text) / 1e6:.0f} MB, more than browsers read: {_LARGEST / 1e6:.0f} MB"
        raise ModelError(f"{words}. Meshes, textures and height fields of the model are too large")
    return write_whole(path, text)


def starting_world(model: Any, data: Any, controller: Any = None) -> Data:
    """The Data that a page or an image begins with.

    Raises:
        FieldError: something else was given, or a Data of another model.
    """
    if not isinstance(model, Model):
        raise FieldError(f"a page simulates a Model, not {type(model).__name__}")
    if data is not None and (not isinstance(data, Data) or data.model is not model):
        raise FieldError(f"data is a Data of the model that is exported, not {data!r:.60}")
    if controller is None:
        return model.make_data() if data is None else data.copy()
    controlled = model.with_hooks(control=controller).make_data()
    return controlled if data is None else controlled.restore(data.snapshot())


def _followed(still: Still, camera: Camera | None) -> int:
    """The body that the camera follows at first, 0 for none: the one asked for, or the only one that is free to go."""
    if camera is not None:
        return 0 if camera.track is None else still.model.names.id_of("body", camera.track)
    m = still.model
    roots = [k for k in range(1, m.nbody) if m.body_parentid[k] == 0 and still.moving[k]]
    is_free = len(roots) == 1 and m.body_dofnum[roots[0]] == 6
    return roots[0] if is_free and (m.body_weldid != 0).sum() > 1 else 0


def _text(content: bytes) -> str:
    """Bytes as text of a page: deflated, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")
