"""How fast the viewer is: what a frame costs on this side, and how long the way to the browser and back takes.

Usage: python -m benchmarks.viewer [MODEL ...]

- *frame*: the world thread copies a moment out of the world (shapes, plots, the state for the past).
- *draw*: the page thread makes messages of it; what has not moved is not sent.
- *fps*: frames that were sent in a second while the world ran in real time, of 60 that are asked for.
- *click*: from a click of the mouse on *Pause* in the browser until the world stands still.
- *shown*: from a state that is set in Python until the text of the page has changed.

The last two need a browser (Chromium, driven by playwright); the picture is then drawn by the CPU, which is the slowest
browser there is.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx

MODELS = ("cartpole", "quadruped", "humanoid")
#: Frames that are timed, and how often the way to the browser is.
FRAMES, TRIPS = 200, 15
#: Seconds of real time over which frames are counted.
COUNTED = 3.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")


def costs(viewer: phalanx.Viewer) -> tuple[float, float]:
    """Median milliseconds of making and of drawing a frame of a world that moves."""
    session, page = viewer._session, viewer._page
    while not page.drawn:  # the first frame builds the page, in its own thread
        time.sleep(0.01)
    made, drawn = [], []
    for _ in range(FRAMES):
        viewer.data.step(5)
        start = time.perf_counter()
        frame = session.frame()
        middle = time.perf_counter()
        page.draw(frame)
        made.append(middle - start)
        drawn.append(time.perf_counter() - middle)
    return 1e3 * float(np.median(made)), 1e3 * float(np.median(drawn))


def frame_rate(model: str) -> float:
    """Frames sent per second while a world runs by itself."""
    viewer = phalanx.view(model, block=False, port=0)
    try:
        time.sleep(1.0)
        before = viewer._page.drawn
        time.sleep(COUNTED)
        return (viewer._page.drawn - before) / COUNTED
    finally:
        viewer.close()


def latencies(model: str, browser: Any) -> tuple[float, float]:
    """Median milliseconds from the browser to the world, and from the world to the browser."""
    viewer = phalanx.view(model, block=False, port=0, paused=True)
    page = browser.new_page(viewport={"width": 1000, "height": 600})
    try:
        page.goto(viewer.url)
        page.wait_for_selector("#phalanx-status")
        time.sleep(3.0)
        there, back = [], []
        for k in range(TRIPS):
            button, was = page.get_by_role("button", name="Run" if viewer.is_paused else "Pause"), viewer.is_paused
            start = time.perf_counter()
            button.evaluate("button => button.click()")
            while viewer.is_paused == was:
                time.sleep(0.0005)
            there.append(time.perf_counter() - start)
            viewer.pause()
            text = f"{1000 + k}.000"
            start = time.perf_counter()
            viewer._carry_out(lambda moment=1000.0 + k: setattr(viewer.data, "time", moment))
            page.wait_for_function(f"document.querySelector('#phalanx-status').innerText.includes('{text}')")
            back.append(time.perf_counter() - start)
        return 1e3 * float(np.median(there)), 1e3 * float(np.median(back))
    finally:
        page.close()
        viewer.close()


def main(models: list[str]) -> None:
    """Measure and print a table."""
    table = Table("model", "frame [ms]", "draw [ms]", "fps", "click [ms]", "shown [ms]")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    for model in models or MODELS:
        with phalanx.Viewer(model, port=0, realtime=False) as viewer:
            made, drawn = costs(viewer)
        row = [model, f"{made:.2f}", f"{drawn:.2f}", f"{frame_rate(model):.0f}"]
        if program is not None:
            from playwright.sync_api import sync_playwright

            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
                there, back = latencies(model, browser)
                browser.close()
            row += [f"{there:.0f}", f"{back:.0f}"]
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
