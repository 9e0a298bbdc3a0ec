"""Contacts whose side is a flex, for people: names, explanations, forces, pictures."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.decor_contact import contact_forces, contact_points
from phalanx.scene.style import Style
from tests.quiet import quiet

CLOTH = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" priority="1"/>
    <body name="ball" pos="0 0 .12"><freejoint/><geom name="ball" size=".1"/></body>
    <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".02" pos="0 0 .02">
      <contact selfcollide="none" solmix="3"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def data() -> phalanx.Data:
    """A ball on a cloth on the floor."""
    with quiet():
        data = phalanx.Model.from_xml_string(CLOTH).make_data()
        for _ in range(20):
            data.step()
    return data.forward()


def test_sides_are_named(data: phalanx.Data) -> None:
    table = data.contacts()
    assert table[0]["geom1"] == "floor"
    assert table[0]["geom2"] == "cloth vertex 0"
    assert table[0]["body2"] == "cloth_0"
    last = table[len(table) - 1]
    assert last["geom1"] == "ball"
    assert last["geom2"].startswith("cloth element ")
    assert "cloth element" in repr(table)


def test_parameters_are_explained(data: phalanx.Data) -> None:
    first, last = data.explain_contact(0), data.explain_contact(-1)
    assert first["solref"].rule == "geom 'floor' alone, which has the higher priority"
    assert [source.owner for source in last["solimp"].sources] == ["geom 'ball'", "flex 'cloth'"]
    assert last["solimp"].sources[1].share == 0.75
    assert "cloth element" in repr(last)


def test_forces_of_a_flex(data: phalanx.Data) -> None:
    on_cloth, on_ball = data.net_force(data.model.flex("cloth")), data.net_force(data.model.body("ball"))
    by_cloth = data.net_force(data.model.body("ball"), "cloth")
    np.testing.assert_allclose(by_cloth.force, on_ball.force, atol=1e-12)
    by_floor = data.net_force("cloth", "floor")
    np.testing.assert_allclose(on_cloth.force, by_floor.force - by_cloth.force, atol=1e-9)
    with pytest.raises(phalanx.FieldError, match="bodies, geoms and flexes"):
        data.net_force(data.model.joint(0))


def test_batches_list_the_same_contacts(data: phalanx.Data) -> None:
    with quiet():
        batch = phalanx.BatchSim(data.model, 2)
    batch.qpos[:], batch.qvel[:] = data.qpos, data.qvel
    batch.forward()
    for world in range(2):
        here, there = batch.contacts(world), data.contacts()
        for name in ("geom1", "geom2", "body1", "body2"):
            assert here[name].tolist() == there[name].tolist()
        np.testing.assert_allclose(here.depth, there.depth, atol=1e-12)


def test_contacts_are_drawn_with_their_names(data: phalanx.Data) -> None:
    style = Style.of(data.model, phalanx.Show(contacts=True, contact_forces=True, labels="contact"))
    disks, arrows = contact_points(data.model, data, style), contact_forces(data.model, data, style)
    assert disks.labels[0] == "floor | cloth vertex 0"
    assert len(arrows.pos) >= data.ncon
