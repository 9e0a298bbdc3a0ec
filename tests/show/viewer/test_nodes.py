"""Nodes of the page: how few there are, what they share, and that they stay where their shapes are."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.shapes import Shapes
from phalanx.show.viewer.forms import CYLINDER, HEAD, SPHERE, pieces_of
from phalanx.show.viewer.meshes import Meshes
from phalanx.show.viewer.nodes import Nodes
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.passing import Passing
from phalanx.show.viewer.poses import as_light, quaternions
from phalanx.show.viewer.session import Session
from phalanx.tables.enums import GeomType
from tests.show.viewer.fake_scene import FakeScene

SCENE = """<mujoco>
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="8" height="8"/>
    <texture name="cubes" type="cube" builtin="flat" rgb1="0 0 1" rgb2="0 1 1" width="8" height="8"/>
    <material name="checks" texture="checks" texrepeat="3 3"/>
    <material name="cubes" texture="cubes"/>
    <mesh name="tetra" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="2 2 .1" material="checks"/>
    <geom type="box" size=".1 .1 .1" pos="1 1 1" material="cubes"/>
    <body pos="0 0 1"><freejoint/>
      <geom name="a" size=".1" rgba="1 0 0 1"/><geom size=".2" pos="0 .5 0" rgba="0 1 0 1"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="0 1 0"/>
      <geom type="capsule" size=".05 .2" pos="0 2 0" rgba="1 1 1 .5"/>
      <geom type="cylinder" size=".05 .2" pos="0 3 0"/><geom type="mesh" mesh="tetra" pos="0 4 0"/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def session() -> Session:
    return Session(OneWorld(phalanx.Model.from_xml_string(SCENE).make_data()), is_paused=True)


def shown(session: Session) -> tuple[FakeScene, Nodes, Meshes]:
    scene = FakeScene()
    nodes = Nodes(scene, (lambda *_: None,) * 3)
    meshes = Meshes(session.world.model)
    nodes.show(session.frame(), meshes)
    return scene, nodes, meshes


def test_shapes_of_one_kind_share_a_node_whatever_their_size(session):
    scene, _, _ = shown(session)
    kinds = sorted(node.kind for node in scene.nodes.values())
    # balls and ellipsoid; plane and box with their textures; capsule, cylinder and mesh for themselves
    assert kinds == ["batched_meshes_simple", "glb", "glb", "mesh_simple", "mesh_simple", "mesh_simple"]
    balls = next(node for node in scene.nodes.values() if node.kind == "batched_meshes_simple")
    np.testing.assert_allclose(balls.batched_scales, [[0.1] * 3, [0.2] * 3, [0.1, 0.2, 0.3]], rtol=1e-6)
    assert balls.batched_colors[0].tolist() == [255, 0, 0]


def test_a_transparent_shape_is_transparent(session):
    scene, _, _ = shown(session)
    assert sorted(node.opacity for node in scene.nodes.values() if getattr(node, "opacity", None)) == [0.5]


def test_nodes_follow_their_shapes(session):
    scene, nodes, meshes = shown(session)
    session.world.data.qpos[:7] = 1, 2, 3, np.sqrt(0.5), 0, 0, np.sqrt(0.5)
    session.world.forward()
    nodes.show(session.frame(), meshes)
    balls = next(node for node in scene.nodes.values() if node.kind == "batched_meshes_simple")
    np.testing.assert_allclose(balls.batched_positions, [[1, 2, 3], [0.5, 2, 3], [0, 2, 3]], atol=1e-6)


def test_selecting_changes_colors_and_makes_no_nodes(session):
    scene, nodes, meshes = shown(session)
    made = scene.made
    before = {name: np.array(getattr(node, "color", 0)) for name, node in scene.nodes.items()}
    session.select(1)
    nodes.show(session.frame(), meshes)
    assert scene.made == made
    changed = [
        name for name, node in scene.nodes.items() if np.any(np.array(getattr(node, "color", 0)) != before[name])
    ]
    assert len(changed) == 3


def test_a_switch_makes_only_what_it_must(session):
    scene, nodes, meshes = shown(session)
    made, count = scene.made, len(scene.nodes)
    session.set_show({"geomgroup": (0, 0, 0, 0, 0, 0)})
    nodes.show(session.frame(), meshes)
    assert not scene.nodes
    session.set_show({"geomgroup": (1, 1, 1, 0, 0, 0)})
    nodes.show(session.frame(), meshes)
    assert len(scene.nodes) == count
    assert scene.made == 2 * made


def test_a_click_names_the_body_and_the_copy(session):
    clicks = []
    scene = FakeScene()
    nodes = Nodes(scene, (lambda event, node: clicks.append((event, node.bodies.tolist())), None, None))
    nodes.show(session.frame(), Meshes(session.world.model))
    balls = next(node for node in scene.nodes.values() if node.kind == "batched_meshes_simple")
    with pytest.raises(StopIteration):
        balls.click("event").send(None)
    assert clicks == [("event", [1, 1, 1])]


def many_arrows(count: int) -> Shapes:
    shapes = Shapes.empty(count)
    shapes.kind[:] = GeomType.ARROW
    shapes.size[:] = 0.01, 0.02, 0.3
    shapes.pos[:, 0] = np.arange(count)
    return shapes


def test_a_hundred_contacts_are_two_nodes_that_stay(session):
    scene, meshes = FakeScene(), Meshes(session.world.model)
    passing = Passing(scene)
    for count in (100, 3, 128, 0, 77):
        passing.show(many_arrows(count), np.zeros(3), meshes)
        assert len(scene.nodes) == 2
        visible = [np.count_nonzero(node.batched_scales[:, 2]) for node in scene.nodes.values() if node.visible]
        assert visible == ([count, count] if count else [])
    assert scene.made == 2


def test_a_node_that_is_too_small_is_made_anew(session):
    scene, meshes = FakeScene(), Meshes(session.world.model)
    passing = Passing(scene)
    passing.show(many_arrows(5), np.zeros(3), meshes)
    passing.show(many_arrows(500), np.zeros(3), meshes)
    assert len(scene.nodes) == 2
    assert scene.made == 4


def test_labels_are_used_again(session):
    scene, meshes = FakeScene(), Meshes(session.world.model)
    passing, shapes = Passing(scene), Shapes.empty(3)
    shapes.kind[:] = GeomType.LABEL
    shapes.labels[:] = ["a", "b", "c"]
    passing.show(shapes, np.array([1.0, 0, 0]), meshes)
    assert [node.text for node in scene.nodes.values()] == ["a", "b", "c"]
    passing.show(Shapes.empty(), np.zeros(3), meshes)
    assert not any(node.visible for node in scene.nodes.values())
    assert scene.made == 3


def test_capsules_and_arrows_are_put_together():
    shapes = Shapes.empty(2)
    shapes.kind[:] = GeomType.CAPSULE, GeomType.ARROW
    shapes.size[:] = (0.1, 0.5, 0), (0.1, 0.2, 3.0)
    pieces = pieces_of(shapes, np.arange(2))
    assert set(pieces) == {CYLINDER, SPHERE, HEAD}
    assert sorted(pieces[SPHERE].pos[:, 2]) == [-0.5, 0.5]
    np.testing.assert_allclose(pieces[CYLINDER].scale, [[0.1, 0.1, 0.5], [0.1, 0.1, 1.0]])
    assert sorted(pieces[CYLINDER].rows) == [0, 1]
    # shaft and head meet
    assert pieces[CYLINDER].pos[1, 2] + pieces[CYLINDER].scale[1, 2] == pytest.approx(2.0)


def test_quaternions_are_those_of_the_matrices():
    rng = np.random.default_rng(0)
    wanted = rng.normal(size=(200, 4))
    wanted[:4] = np.eye(4)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    mats = phalanx.transforms.quat2mat(wanted).reshape(-1, 9)
    found = quaternions(mats)
    np.testing.assert_allclose(np.abs(np.sum(found * wanted, axis=1)), 1, atol=1e-12)
    assert quaternions(np.zeros((0, 9))).shape == (0, 4)


def test_light_is_that_of_srgb():
    np.testing.assert_allclose(as_light(np.array([0, 0.5, 1.0])), [0, 0.21404114, 1], atol=1e-8)
