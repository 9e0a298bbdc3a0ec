"""How the volume of a solid answers to stretching: by Poisson's ratio, and hardly where that is near a half."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx

SOLID = """<mujoco><option gravity="0 0 0" timestep="1e-4"/><worldbody>
  <flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" mass=".2">
    <elasticity young="1e3" poisson="{poisson}"/><contact contype="0" conaffinity="0" selfcollide="none"/>
  </flexcomp></worldbody></mujoco>"""


def solid(poisson: float) -> phalanx.Data:
    """At rest, in its reference shape."""
    return phalanx.Model.from_xml_string(SOLID.format(poisson=poisson)).make_data().forward()


def volume(data: phalanx.Data) -> float:
    """The sum over all tetrahedra, of any orientation [m³]."""
    corners = data.flexvert_xpos[data.model.flex_elem.reshape(-1, 4)]
    edges = corners[:, 1:] - corners[:, :1]
    return float(np.abs(np.linalg.det(edges)).sum() / 6)


def deformed(data: phalanx.Data, rest: np.ndarray, lateral: float, axial: float) -> phalanx.Data:
    """Stretched evenly, by two strains across and one along z."""
    data.qpos[:] = (rest * (lateral, lateral, axial)).reshape(-1)
    return data.forward()


@pytest.mark.parametrize("poisson", [0.0, 0.25, 0.4, 0.49])
def test_a_stretched_solid_takes_the_volume_of_its_least_energy(poisson: float) -> None:
    """Sides are free: linear elasticity lets them shrink by poisson, so dV / V = (1 - 2 poisson) strain."""
    data, strain = solid(poisson), 1e-4
    rest, before = data.flexvert_xpos.copy(), volume(data)
    # energy is a parabola of the lateral strain, but for terms of third order
    trials = strain * np.array([-1.0, 0.0, 1.0])
    energy = [deformed(data, rest, trial, strain).flex_energy()[0] for trial in trials]
    linear, square = (energy[2] - energy[0]) / 2, (energy[0] + energy[2]) / 2 - energy[1]
    shrink = -strain * linear / (2 * square)
    after = volume(deformed(data, rest, shrink, strain))
    assert (after / before - 1) / strain == pytest.approx(1 - 2 * poisson, abs=10 * strain)


def test_a_solid_that_is_nearly_incompressible_keeps_its_volume_while_it_swings() -> None:
    """It starts to get longer and thinner at the same volume; the volume moves by a small part of the strain."""
    data = solid(0.49)
    rest, before = data.flexvert_xpos.copy(), volume(data)
    data.qvel[:] = (rest * (-1.0, -1.0, 2.0)).reshape(-1)
    strains, volumes = [], []
    for _ in range(40):
        data.step(25).forward()
        strains.append(np.ptp(data.flexvert_xpos[:, 2]) / np.ptp(rest[:, 2]) - 1)
        volumes.append(volume(data) / before - 1)
    assert max(strains) > 0.02 and min(strains) < 0.0
    assert np.abs(volumes).max() < 0.1 * max(strains)
