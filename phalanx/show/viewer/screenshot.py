"""Screenshots: what a browser shows, as a picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.memory.array_file import named_file
from phalanx.memory.fill import whole
from phalanx.memory.whole_file import write_whole
from phalanx.show.viewer.errors import ViewerError

#: How long a browser may take for a picture [s].
PATIENCE = 20.0
#: Largest side of a picture [pixels].
MOST_PIXELS = 8192


def picture_of(server: Any, path: str | Path | None, width: int, height: int) -> np.ndarray:
    """The picture of the browser that has been there longest, (height, width, 3) bytes; written to a file if asked."""
    clients = server.get_clients()
    if not clients:
        raise ViewerError("no browser has the page open: a screenshot is taken by one")
    size = whole("height", height, 1, MOST_PIXELS), whole("width", width, 1, MOST_PIXELS)
    picture = _ask(clients[min(clients)], *size)
    if path is not None:
        write_whole(named_file(path), png_of(picture))
    return picture


def png_of(picture: np.ndarray) -> bytes:
    """A picture as the contents of a file."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(picture).save(content, "png")
    return content.getvalue()


def _ask(client: Any, height: int, width: int) -> np.ndarray:
    """A picture of one browser, over white."""
    try:
        found = client.get_render(height, width, transport_format="png", timeout=PATIENCE)
    except (TimeoutError, RuntimeError) as error:
        raise ViewerError(f"the browser gave no picture: {error}") from None
    if found.shape[2] == 3:
        return found
    alpha = found[..., 3:].astype(float) / 255
    return np.rint(found[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def add_button(gui: Any) -> None:
    """A button that takes a picture and gives it to the browser as a file."""
    button = gui.add_button("Screenshot", icon="camera")

    @button.on_click
    def taken(event: Any) -> None:
        client = event.client
        if client is None:
            return
        picture = _ask(client, client.camera.image_height, client.camera.image_width)
        client.send_file_download("phalanx.png", png_of(picture), save_immediately=True)
