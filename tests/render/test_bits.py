"""The same pictures on every machine, in every way of running."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.render.renderer import OUTPUTS
from tests.render.worlds import built_in, every_kind

#: Hashes of small pictures: model -> output -> hash. `python -m tests.render.test_bits` writes them anew.
TABLE = Path(__file__).with_name("pictures.json")
SIZE = (40, 30)
EVERYTHING = tuple(OUTPUTS)


def worlds() -> dict[str, tuple[phalanx.Data, object]]:
    """Name -> a world, and the camera that looks at it."""
    found: dict[str, tuple[phalanx.Data, object]] = {name: (built_in(name), None) for name in phalanx.models()}
    return {**found, "every kind": (every_kind(), "fixed")}


def hashes(name: str) -> dict[str, str]:
    """Hashes of the outputs of a world."""
    data, camera = worlds()[name]
    pictures = data.render(*SIZE, camera=camera, output=EVERYTHING, samples=2)
    return {output: hashlib.sha256(picture.tobytes()).hexdigest()[:32] for output, picture in pictures.items()}


@pytest.mark.parametrize("name", worlds())
def test_pictures_are_those_of_the_table(name: str) -> None:
    assert hashes(name) == json.loads(TABLE.read_text())[name], (
        "python -m tests.render.test_bits, if this is on purpose"
    )


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    for name in EVERYTHING:
        np.testing.assert_array_equal(a[name], b[name], name)


def test_interpreted_kernels_draw_the_same() -> None:
    renderer = phalanx.Renderer(every_kind().model, 24, 18)
    compiled = renderer.render(every_kind(), camera="fixed", output=EVERYTHING)
    with interpreted():
        same(renderer.render(every_kind(), camera="fixed", output=EVERYTHING), compiled)


@pytest.mark.parametrize("width", [1, pytest.param(4, marks=pytest.mark.conformance)])
def test_pixels_in_a_register_do_not_matter(width: int) -> None:
    renderer = phalanx.Renderer(every_kind().model, *SIZE)
    wide = renderer.render(every_kind(), camera="fixed", output=EVERYTHING)
    renderer._number = NumberType("float64", 0 if width == 1 else width)
    same(renderer.render(every_kind(), camera="fixed", output=EVERYTHING), wide)


def test_threads_do_not_matter() -> None:
    one = every_kind().render(200, 150, camera="fixed", output=EVERYTHING)
    same(every_kind().render(200, 150, camera="fixed", output=EVERYTHING, threads=3), one)


def test_earlier_pictures_do_not_matter() -> None:
    """What is kept between pictures (the order of shapes) makes them faster, not different."""
    data, model = every_kind(), every_kind().model
    renderer = phalanx.Renderer(model, *SIZE)
    for azimuth in (0, 90, 180, 270):
        renderer.render(data, camera=phalanx.Camera(azimuth=azimuth))
        kept = renderer.render(data, camera="fixed", output=EVERYTHING)
    same(kept, phalanx.Renderer(model, *SIZE).render(data, camera="fixed", output=EVERYTHING))


if __name__ == "__main__":
    TABLE.write_text(json.dumps({name: hashes(name) for name in worlds()}, indent=1) + "\n")
