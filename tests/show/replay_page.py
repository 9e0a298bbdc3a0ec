"""A headless browser for tests of pages; tests are skipped where there is none."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

#: Names under which the browser may be installed.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next((path for name in BROWSERS if (path := shutil.which(name))), None)
#: Software for WebGL, so that no graphics card is needed; nothing is asked of the network.
FLAGS = (
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
)  # fmt: skip

needs_browser = pytest.mark.skipif(FOUND is None, reason=f"no browser on PATH: {', '.join(BROWSERS)}")


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
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=FOUND, args=FLAGS)
        settings = {"viewport": {"width": 640, "height": 420}, "reduced_motion": "reduce", "offline": True, **context}
        found = Opened(browser.new_context(**settings).new_page())
        found.page.goto(path.as_uri())
        found.page.wait_for_selector("body[data-ready=true]", state="attached", timeout=60_000)
        yield found
        browser.close()
