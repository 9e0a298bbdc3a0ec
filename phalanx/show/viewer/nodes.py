"""Nodes: the persistent shapes in the page, a node for each look, with all shapes that have it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.scene.surfaces import FOLLOWING
from phalanx.show.viewer.looks import Look, by_look
from phalanx.show.viewer.meshes import Meshes
from phalanx.show.viewer.moment import Cast, Frame
from phalanx.show.viewer.poses import as_light, in_bytes, quaternions
from phalanx.tables.enums import GeomType

#: The node above all others; tracking moves it.
ROOT = "/world"
#: Opacity of the worlds of an overlay that are not followed.
FAINT = 0.2
#: The color that the selected body has mixed in, and how much of it.
SELECTED, MIXED = np.array([1.0, 0.72, 0.1]), 0.55

#: Told of clicks and drags: the event of viser, the node, and the copy in it.
Listener = Callable[[Any, "Node"], Any]


@dataclass(frozen=True, eq=False)
class Group:
    """Shapes that are shown in some worlds.

    Attributes:
        worlds, rows: every one of these shapes is shown in every one of these worlds.
        opacity: a factor for all of them.
    """

    worlds: np.ndarray
    rows: np.ndarray
    opacity: float = 1.0


def groups_of(cast: Cast) -> list[Group]:
    """Which shapes are shown in which worlds: the ground of a batch is there once."""
    rows, followed = np.arange(len(cast.shapes)), np.array([cast.followed])
    if cast.count == 1:
        return [Group(np.array([0]), rows)]
    others = np.delete(np.arange(cast.count), cast.followed)
    # what belongs to no body is a skin or a flex: only the followed world shows it
    is_fixed = cast.shapes.bodyid <= 0
    if cast.is_overlay:
        return [Group(followed, rows), Group(others, rows[~is_fixed], FAINT)]
    is_once = (is_fixed & (cast.shapes.kind == GeomType.PLANE)) | (cast.shapes.bodyid < 0)
    return [Group(followed, rows[is_once]), Group(np.arange(cast.count), rows[~is_once])]


class Places:
    """Positions and orientations of all shapes in a frame, in single precision."""

    def __init__(self, frame: Frame):
        self._pos = frame.pos.astype(np.float32)
        self._wxyz = quaternions(frame.mat).astype(np.float32).reshape(*frame.mat.shape[:2], 4)

    def of(self, node: Node) -> tuple[np.ndarray, np.ndarray]:
        """Position (n, 3) and quaternion (n, 4) of each copy of a node."""
        return self._pos[node.worlds, node.rows], self._wxyz[node.worlds, node.rows]


class Node:
    """Copies of one surface.

    A single copy is a mesh at the pose of its node, which browsers move fastest; several are instances.

    Attributes:
        worlds, rows: world and shape of each copy, (n,).
        bodies: body of each copy, (n,).
    """

    def __init__(self, scene: Any, name: str, look: Look, group: Group, rows: np.ndarray, scales: np.ndarray):
        self.look = look
        self.worlds = np.repeat(group.worlds, len(rows))
        self.rows = np.tile(rows, len(group.worlds))
        self.is_single = len(self.rows) == 1
        self._opacity = look.opacity * group.opacity
        self._scales = np.tile(scales, (len(group.worlds), 1)).astype(np.float32)
        self._scene, self._name = scene, name
        self.bodies = np.zeros(len(self.rows), np.int32)
        self.handle: Any = None

    def create(self, meshes: Meshes, cast: Cast, places: Places) -> None:
        """Send it to the page."""
        is_shading = cast.show.shadows
        pos, wxyz = places.of(self)
        self.bodies = cast.shapes.bodyid[self.rows]
        common: dict[str, Any] = {"cast_shadow": is_shading and self._opacity > 0.9, "receive_shadow": is_shading}
        opacity = None if self._opacity >= 1 else self._opacity
        add = f"add_{'' if self.is_single else 'batched_'}"
        if self.look.matid >= 0:
            content: tuple[Any, ...] = (meshes.glb(self.look, self._opacity),)
            add += "glb"
        else:
            content = meshes.triangles(self.look.form)
            add += "mesh_simple" if self.is_single else "meshes_simple"
            common |= {"opacity": opacity, "side": meshes.side(self.look.form)}
        if self.is_single:
            common |= {"position": pos[0], "wxyz": wxyz[0], "scale": tuple(float(s) for s in self._scales[0])}
        else:
            content += (wxyz, pos)
            common |= {"batched_scales": self._scales, "lod": "off"}
        self.handle = getattr(self._scene, add)(self._name, *content, **common)
        self.paint(cast)

    def listen(self, click: Listener, drag: Listener, rotate: Listener) -> None:
        """Call functions when a copy is clicked or dragged."""

        async def clicked(event: Any) -> None:
            click(event, self)

        async def dragged(event: Any) -> None:
            drag(event, self)

        async def rotated(event: Any) -> None:
            rotate(event, self)

        self.handle.on_click(clicked)
        self.handle.on_drag("left", modifier="cmd/ctrl")(dragged)
        self.handle.on_drag("left", modifier="cmd/ctrl+shift")(rotated)

    def paint(self, cast: Cast) -> None:
        """Give each copy its color, and the selected body the color of a selection."""
        if self.look.matid >= 0:
            return
        colors = cast.shapes.rgba[self.rows, :3].astype(float)
        chosen = (self.bodies == cast.selected) & (self.worlds == cast.followed) & (cast.selected >= 0)
        colors[chosen] += MIXED * (SELECTED - colors[chosen])
        if self.is_single:
            self.handle.color = tuple(int(value) for value in in_bytes(colors[0]))
        else:
            self.handle.batched_colors = in_bytes(as_light(colors))

    def move(self, frame: Frame, places: Places) -> None:
        """Put all copies where they are in a frame; what has not moved is not sent."""
        pos, wxyz = places.of(self)
        if self.look.form[0] in FOLLOWING:
            self.handle.vertices = frame.following[int(self.rows[0])]
        elif self.is_single:
            self.handle.position, self.handle.wxyz = pos[0], wxyz[0]
        else:
            self.handle.batched_positions, self.handle.batched_wxyzs = pos, wxyz

    def remove(self) -> None:
        """Take it out of the page."""
        self.handle.remove()


class Nodes:
    """All nodes of the persistent shapes, kept the same as the frames."""

    def __init__(self, scene: Any, listeners: tuple[Listener, Listener, Listener]):
        self._scene, self._listeners = scene, listeners
        self._nodes: dict[Any, Node] = {}
        self._cast: Cast | None = None
        self._names = (f"{ROOT}/shapes/{count}" for count in itertools.count())

    def show(self, frame: Frame, meshes: Meshes) -> None:
        """Show a frame: make and remove nodes if the cast is another one, then move all of them."""
        places = Places(frame)
        if frame.cast is not self._cast:
            self._change(frame.cast, places, meshes)
        for node in self._nodes.values():
            node.move(frame, places)

    def _change(self, cast: Cast, places: Places, meshes: Meshes) -> None:
        """Keep the nodes that stay, remove those that go, and make new ones."""
        is_shading = cast.show.shadows
        wanted: dict[Any, Node] = {}
        for k, group in enumerate(groups_of(cast)):
            if not len(group.worlds) or not len(group.rows):
                continue
            for look, (rows, scales) in by_look(cast.model, cast.shapes, group.rows, cast.show.textures).items():
                key = k, look, is_shading, group.worlds.tobytes(), rows.tobytes(), scales.tobytes(), id(meshes)
                if key in self._nodes:
                    wanted[key] = self._nodes.pop(key)
                else:
                    wanted[key] = Node(self._scene, next(self._names), look, group, rows, scales)
        for node in self._nodes.values():
            node.remove()
        self._nodes, self._cast = wanted, cast
        for node in wanted.values():
            if node.handle is None:
                node.create(meshes, cast, places)
                node.listen(*self._listeners)
            else:
                node.paint(cast)

    def __len__(self) -> int:
        return len(self._nodes)
