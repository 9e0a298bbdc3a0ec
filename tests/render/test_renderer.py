"""The renderer as users see it: outputs, errors, what is kept between pictures."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.render.kept import MOST, NAME
from phalanx.render.renderer import MOST_PIXELS
from tests.render.worlds import built_in, every_kind

SHAPES = {"rgb": (18, 24, 3), "depth": (18, 24), "segmentation": (18, 24, 2), "body": (18, 24), "normals": (18, 24, 3)}
DTYPES = {"rgb": "uint8", "depth": "float32", "segmentation": "int32", "body": "int32", "normals": "float32"}


@pytest.mark.parametrize("output", SHAPES)
def test_one_output_is_an_array(output: str) -> None:
    picture = built_in("arm").render(24, 18, output=output)
    assert (picture.shape, picture.dtype) == (SHAPES[output], DTYPES[output])


def test_several_outputs_are_a_dict_of_the_same_arrays() -> None:
    data = built_in("arm")
    pictures = data.render(24, 18, output=tuple(SHAPES))
    assert [*pictures] == [*SHAPES]
    for output, picture in pictures.items():
        np.testing.assert_array_equal(picture, data.render(24, 18, output=output))


def test_pictures_belong_to_the_user() -> None:
    """A later picture does not change an earlier one."""
    data = phalanx.load("cartpole").make_data().forward()
    first = data.render(24, 18)
    kept = first.copy()
    data.qpos[:] = 0.5, 1.0
    assert not np.array_equal(data.forward().render(24, 18), kept)
    np.testing.assert_array_equal(first, kept)


def test_a_renderer_serves_all_data_of_a_model() -> None:
    model = phalanx.load("cartpole")
    renderer = phalanx.Renderer(model, 24, 18)
    for angle in (0.0, 0.7):
        data = model.make_data()
        data.qpos[1] = angle
        np.testing.assert_array_equal(renderer.render(data.forward()), data.render(24, 18))
    assert repr(renderer) == "<Renderer: 24 x 18, samples 1, Show()>"


def test_a_data_keeps_few_renderers() -> None:
    data = phalanx.load("cartpole").make_data().forward()
    for width in range(8, 8 + 2 * MOST):
        data.render(width, 8, output="depth")
    assert len(data.__dict__[NAME]) == MOST
    assert data.copy().render(8, 8).shape == (8, 8, 3)


def test_several_worlds_in_one_call() -> None:
    model = phalanx.load("cartpole")
    worlds = []
    for angle in (0.0, 0.4, 0.9):
        data = model.make_data()
        data.qpos[1] = angle
        worlds.append(data.forward())
    renderer = phalanx.Renderer(model, 24, 18, threads=2)
    pictures = renderer.render_worlds(worlds, output=("rgb", "depth"))
    for k, data in enumerate(worlds):
        np.testing.assert_array_equal(pictures["rgb"][k], data.render(24, 18))
        np.testing.assert_array_equal(pictures["depth"][k], data.render(24, 18, output="depth"))
    assert renderer.render_worlds([], output="depth").shape == (0, 18, 24)


def test_worlds_with_decor_are_drawn_one_by_one() -> None:
    data = every_kind()
    pictures = phalanx.Renderer(data.model, 24, 18).render_worlds([data, data], camera="fixed")
    np.testing.assert_array_equal(pictures[1], data.render(24, 18, camera="fixed"))


# --- mistakes


def test_an_unknown_output_is_refused() -> None:
    with pytest.raises(phalanx.FieldError, match=r"output 'dept' is none of rgb, depth.*did you mean 'depth'"):
        built_in("arm").render(24, 18, output="dept")
    with pytest.raises(phalanx.FieldError, match=r"output 3 is none of"):
        built_in("arm").render(24, 18, output=("rgb", 3))
    with pytest.raises(phalanx.FieldError, match="no output is asked for"):
        built_in("arm").render(24, 18, output=())


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (2.5, 10), ("a", 10), ([1], 10), (None, 10)])
def test_a_wrong_size_is_refused(size: tuple) -> None:
    with pytest.raises(phalanx.FieldError, match=r"width|height"):
        built_in("arm").render(*size)


def test_a_picture_that_is_too_large_is_refused() -> None:
    with pytest.raises(phalanx.FieldError, match=f"more than {MOST_PIXELS} pixels"):
        built_in("arm").render(1 << 15, 1 << 15)
    with pytest.raises(phalanx.FieldError, match="samples must be at most 16, not 17"):
        built_in("arm").render(8, 8, samples=17)


def test_an_unknown_camera_is_refused() -> None:
    with pytest.raises(phalanx.UnknownNameError, match=r"no camera is named 'overvew'.*did you mean 'overview'"):
        built_in("arm").render(8, 8, camera="overvew")


def test_a_state_that_is_not_finite_is_refused_and_the_next_picture_is_fine() -> None:
    data = phalanx.load("cartpole").make_data().forward()
    good = data.render(8, 8)
    position = data.geom_xpos.copy()
    data.geom_xpos[2] = np.nan
    with pytest.raises(phalanx.FieldError, match="not finite"):
        data.render(8, 8)
    data.geom_xpos[:] = position
    np.testing.assert_array_equal(data.render(8, 8), good)


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(phalanx.FieldError, match="contact"):
        built_in("arm").render(8, 8, show="contact")
