"""How decor looks: sizes and colors of a model's visual section, looked up once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from phalanx.scene.subject import Model
from phalanx.tables.sizes import MAXVAL

if TYPE_CHECKING:
    from phalanx.scene.perturb import Perturbation
    from phalanx.scene.show import Show

#: Radius of lines by that of axes of frames. Lines are in the world, while MuJoCo's are some pixels wide.
LINE_WIDTH = 0.25


def _length_by_force(scale: float, mass: float) -> float:
    """Length of an arrow by force [m/N]; 0 where arrows are longer than all that can be drawn: there are none."""
    return scale / mass if abs(scale) <= abs(mass) * MAXVAL and mass else 0.0


@dataclass(frozen=True)
class Style:
    """Sizes and colors of decor for one model, and what the user wants to see.

    Attributes:
        show: what is shown.
        meansize: mean size of bodies, `stat.meansize` [m].
        scale: settings of `vis.scale` times `meansize` [m].
        rgba: settings of `vis.rgba`, (4,) each.
        force: length of an arrow by force [m/N].
        perturb: the body that the user drags, if any.
    """

    show: Show
    meansize: float
    scale: dict[str, float]
    rgba: dict[str, np.ndarray]
    force: float
    perturb: Perturbation | None = None

    @classmethod
    def of(cls, model: Model, show: Show) -> Style:
        """The look that the visual section of a model asks for."""
        meansize, scale, rgba = float(model.stat.meansize), model.vis.scale, model.vis.rgba
        return cls(
            show=show,
            meansize=meansize,
            scale={name: getattr(scale, name) * meansize for name in dir(scale)},
            rgba={name: np.asarray(getattr(rgba, name), np.float32) for name in dir(rgba)},
            force=_length_by_force(float(model.vis.map.force), float(model.stat.meanmass)),
        )

    @property
    def line_width(self) -> float:
        """Radius of thin lines [m]."""
        return LINE_WIDTH * self.scale["framewidth"]

    def with_perturbation(self, perturb: Perturbation | None) -> Style:
        """The same look while the user drags a body."""
        return self if perturb is self.perturb else replace(self, perturb=perturb)
