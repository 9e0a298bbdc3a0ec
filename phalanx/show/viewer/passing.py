"""Passing shapes: tendons, decor and marks, which are new in every frame, as a few nodes of many instances each.

A node has room for more copies than there are; the rest have no size. It is made anew only when it becomes too small,
so that a hundred contacts that come and go cost one node, and nothing that the browser would have to build.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.show.viewer.forms import Form, Pieces, pieces_of
from phalanx.show.viewer.meshes import Meshes
from phalanx.show.viewer.nodes import ROOT
from phalanx.show.viewer.poses import as_light, in_bytes, quaternions

#: Levels of opacity: shapes of about the same one share a node.
LEVELS = 4
#: Copies that a new node has room for; it doubles.
ROOM = 32
#: Texts in the page at most.
MOST_LABELS = 1100


class PassingNode:
    """Copies of one form, of one opacity."""

    def __init__(self, scene: Any, name: str, triangles: tuple[np.ndarray, np.ndarray], opacity: float):
        self._scene, self._name, self._triangles = scene, name, triangles
        self._opacity = None if opacity >= 1 else opacity
        self._room = 0
        self._handle: Any = None
        self.is_empty = True

    def show(self, pieces: Pieces, colors: np.ndarray, origin: np.ndarray) -> None:
        """Show these copies, in these colors (n, 3) as amounts of light, and no others."""
        count = len(pieces)
        if count > self._room:
            self._make(count)
        pos, scale = np.zeros((self._room, 3), np.float32), np.zeros((self._room, 3), np.float32)
        wxyz = np.tile(np.array([1, 0, 0, 0], np.float32), (self._room, 1))
        shades = np.zeros((self._room, 3), np.uint8)
        pos[:count], wxyz[:count], scale[:count] = pieces.pos + origin, quaternions(pieces.mat), pieces.scale
        shades[:count] = in_bytes(colors)
        handle = self._handle
        handle.batched_positions, handle.batched_wxyzs, handle.batched_scales = pos, wxyz, scale
        handle.batched_colors = shades
        handle.visible = True
        self.is_empty = False

    def hide(self) -> None:
        """Show none."""
        if not self.is_empty:
            self._handle.visible = False
            self.is_empty = True

    def _make(self, count: int) -> None:
        """Make room for this many, and as many again."""
        self._room = max(ROOM, 1 << (count - 1).bit_length())
        none = np.zeros((self._room, 3), np.float32)
        upright = np.tile(np.array([1, 0, 0, 0], np.float32), (self._room, 1))
        self._handle = self._scene.add_batched_meshes_simple(
            self._name, *self._triangles, upright, none, batched_scales=none, batched_colors=none.astype(np.uint8),
            opacity=self._opacity, lod="off", cast_shadow=False, receive_shadow=False, side="double",
        )  # fmt: skip


class Passing:
    """All passing shapes of the page."""

    def __init__(self, scene: Any):
        self._scene = scene
        self._nodes: dict[tuple[Form, int], PassingNode] = {}
        self._labels: list[Any] = []
        self._meshes: Meshes | None = None

    def show(self, shapes: Shapes, origin: np.ndarray, meshes: Meshes) -> None:
        """Show these shapes and no others, moved by the origin of their world."""
        if meshes is not self._meshes:
            # another model: its meshes are others
            self.clear()
            self._meshes = meshes
        levels = (
            np.clip(np.ceil(shapes.rgba[:, 3] * LEVELS), 1, LEVELS).astype(int) if len(shapes) else np.zeros(0, int)
        )
        colors = as_light(shapes.rgba[:, :3].astype(float))
        used = set()
        for level in np.unique(levels):
            for form, pieces in pieces_of(shapes, np.flatnonzero(levels == level)).items():
                key = form, int(level)
                used.add(key)
                if key not in self._nodes:
                    name, triangles = f"{ROOT}/passing/{len(self._nodes)}", meshes.triangles(form, is_coarse=True)
                    self._nodes[key] = PassingNode(self._scene, name, triangles, level / LEVELS)
                self._nodes[key].show(pieces, colors[pieces.rows], origin)
        for key, node in self._nodes.items():
            if key not in used:
                node.hide()
        self._show_labels(shapes, origin)

    def _show_labels(self, shapes: Shapes, origin: np.ndarray) -> None:
        """Texts: nodes that are used again, as many as there have ever been at once."""
        rows = [row for row, text in enumerate(shapes.labels) if text][:MOST_LABELS]
        for k, row in enumerate(rows):
            if k == len(self._labels):
                label = self._scene.add_label(f"{ROOT}/labels/{k}", "", font_screen_scale=0.9, anchor="bottom-center")
                self._labels.append(label)
            label = self._labels[k]
            label.text, label.position, label.visible = shapes.labels[row], shapes.pos[row] + origin, True
        for label in self._labels[len(rows) :]:
            label.visible = False

    def clear(self) -> None:
        """Remove everything."""
        for handle in (*self._labels, *(node._handle for node in self._nodes.values())):
            if handle is not None:
                handle.remove()
        self._labels.clear()
        self._nodes.clear()
