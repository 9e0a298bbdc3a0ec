"""Skins: triangle meshes whose vertices follow several bones."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.matrix import from_quaternion
from phalanx.algebra.quaternion import conjugate, multiply
from phalanx.scene.subject import Data, Model
from phalanx.scene.surface import vertex_normals


def skin_vertices(model: Model, data: Data, skin: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and normals of a skin in the world, float32 (n, 3) each.

    A vertex is the mean of where its bones take it, by their weights; then it moves outwards by `skin_inflate`. Faces
    are those of `surface_of`.

    Args:
        model: the Model.
        data: the Data, after forward.
        skin: id.
    """
    first, count = model.skin_vertadr[skin], model.skin_vertnum[skin]
    bind = np.asarray(model.skin_vert, float)[first : first + count]
    rotation, shift = _bone_motions(model, data, skin)
    # each row is a vertex as one bone takes it
    bones = slice(model.skin_boneadr[skin], model.skin_boneadr[skin] + model.skin_bonenum[skin])
    counts = np.asarray(model.skin_bonevertnum)[bones]
    start = int(model.skin_bonevertadr[bones.start]) if len(counts) else 0
    rows = slice(start, start + int(counts.sum()))
    owner = np.repeat(np.arange(len(counts)), counts)
    ids, weights = np.asarray(model.skin_bonevertid)[rows], np.asarray(model.skin_bonevertweight, float)[rows]
    moved = np.einsum("nij,nj->ni", rotation[owner], bind[ids]) + shift[owner]
    vertices = np.stack([np.bincount(ids, weights * moved[:, k], count) for k in range(3)], axis=1)
    faces = np.asarray(model.skin_face)[model.skin_faceadr[skin] :][: model.skin_facenum[skin]]
    normals = vertex_normals(vertices, faces)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-15)
    inflated = vertices + float(model.skin_inflate[skin]) * normals
    return inflated.astype(np.float32), normals.astype(np.float32)


def _bone_motions(model: Model, data: Data, skin: int) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (b, 3, 3) and translation (b, 3) of each bone since it was bound."""
    bones = slice(model.skin_boneadr[skin], model.skin_boneadr[skin] + model.skin_bonenum[skin])
    bodies = np.asarray(model.skin_bonebodyid)[bones]
    bound = np.asarray(model.skin_bonebindquat, float)[bones]
    quat = multiply(tuple(np.asarray(data.xquat)[bodies].T), conjugate(tuple(bound.T)))
    rotation = np.stack(from_quaternion(quat), axis=1).reshape(-1, 3, 3)
    start = np.asarray(model.skin_bonebindpos, float)[bones]
    return rotation, np.asarray(data.xpos)[bodies] - np.einsum("bij,bj->bi", rotation, start)
