"""The page of a viewer in a browser, for tests."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image

import phalanx

WIDTH, HEIGHT = 1000, 560
#: The part of the window that the panel does not cover [pixels].
PICTURE = (0, 160, 590, HEIGHT)
#: Messages of the page that are not ours: the browser tells viser about its mouse handler, and about the missing GPU.
NOT_OURS = ("Unable to preventDefault inside passive event listener", "GPU stall", "GL Driver Message")
#: How long a slow machine may take for something to happen [s].
PATIENCE = 60.0


class OpenPage:
    """A page in the browser that shows a viewer.

    Attributes:
        page: of playwright.
        viewer: what it shows.
        complaints: errors that the page has written to its console.
    """

    def __init__(self, page: Any, viewer: phalanx.Viewer):
        self.page, self.viewer, self.complaints = page, viewer, []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))
        page.goto(viewer.url)
        page.wait_for_selector("#phalanx-status", timeout=1000 * PATIENCE)

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and not text.startswith(NOT_OURS):
            self.complaints.append(text)

    @property
    def session(self) -> Any:
        return self.viewer._session

    def picture(self) -> np.ndarray:
        """What is beside the panel, (height, width, 3) bytes."""
        shot = Image.open(io.BytesIO(self.page.screenshot(timeout=1000 * PATIENCE))).convert("RGB")
        return np.asarray(shot.crop(PICTURE))

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click(timeout=1000 * PATIENCE)

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click(timeout=1000 * PATIENCE)

    def row(self, label: str) -> Any:
        """The line of widgets with a label."""
        return self.page.locator(".mantine-Flex-root").filter(has=self.page.get_by_text(label, exact=True)).last

    def set_number(self, label: str, value: float) -> None:
        """Type a number beside a slider."""
        field = self.row(label).locator("input[type=text], input:not([type])").last
        field.fill(f"{value:g}", timeout=1000 * PATIENCE)
        field.press("Enter")

    def on_screen(self, point: Any) -> tuple[float, float]:
        """Where a point of the world is in the window, before anybody has moved the camera."""
        view = self.session.first_view()
        local = view.mat.T @ (np.asarray(point) - view.pos)
        across, up = -local[:2] / local[2] / view.half_height
        return WIDTH / 2 + across * HEIGHT / 2, HEIGHT / 2 - up * HEIGHT / 2


def part_of_color(picture: np.ndarray, is_color: Callable[[Any, Any, Any], np.ndarray]) -> float:
    """The part of a picture whose red, green and blue satisfy a condition."""
    return float(np.mean(is_color(*np.moveaxis(picture.astype(int), 2, 0))))


def is_red(red: Any, green: Any, blue: Any) -> np.ndarray:
    return (red > 90) & (red > 2 * green) & (red > 2 * blue)


def wait_for(condition: Callable[[], Any], what: str = "nothing happened") -> None:
    """Wait for the browser or another thread; fails after a long time."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@contextlib.contextmanager
def opened(found: Any, *arguments: Any, **options: Any) -> Iterator[OpenPage]:
    """A running viewer in a page; errors on its console fail the test."""
    viewer = phalanx.view(*arguments, block=False, **{"port": 0, "fps": 20, **options})
    page = found.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        shown = OpenPage(page, viewer)
        yield shown
        assert shown.complaints == []
        assert viewer._page.problem is None
    finally:
        page.close()
        viewer.close()
