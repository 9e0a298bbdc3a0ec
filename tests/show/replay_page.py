"""The page of a replay in a browser, for tests."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from tests.show.browser import browser


class Opened:
    """A page, and what it complained about."""

    def __init__(self, page):
        self.page, self.complaints, self.requests = page, [], []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def picture(self, selector: str = "#view") -> np.ndarray:
        """What an element looks like when it has been drawn, (height, width, 3)."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = self.page.locator(selector).screenshot()
        return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)

    def flip(self, name: str) -> None:
        """Flip a switch of the panel."""
        self.page.evaluate("(name) => document.querySelector(`[data-name='${name}']`).click()", name)


@contextmanager
def opened(path: Path, **context) -> Iterator[Opened]:
    """A file in the browser, without a network, when it is ready."""
    settings = {"viewport": {"width": 640, "height": 420}, "reduced_motion": "reduce", "offline": True, **context}
    with browser() as program:
        found = Opened(program.new_context(**settings).new_page())
        found.page.goto(path.as_uri())
        found.page.wait_for_selector("body[data-ready=true]", state="attached", timeout=60_000)
        yield found
