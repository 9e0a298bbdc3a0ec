"""Textures: pictures from files, or made."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.compiler.build import Build
from phalanx.tables.mjcf_schema import ELEMENTS


def compile_textures(build: Build) -> None:
    build.each(build.things["texture"], lambda texture: _compile_texture(texture))


def _compile_texture(texture: Any) -> None:
    texture.pixels = np.zeros((0, 0, 3), np.uint8)


def write_textures(build: Build) -> None:
    textures, columns, sizes = build.things["texture"], build.columns, build.sizes
    build.copy_plain(ELEMENTS["asset/texture"], textures)
    for k, name in enumerate(("height", "width", "nchannel")):
        columns[f"tex_{name}"] = [texture.pixels.shape[k] for texture in textures]
    counts = [texture.pixels.size for texture in textures]
    columns["tex_adr"] = np.cumsum([0, *counts])[:-1].tolist()
    columns["tex_data"] = np.concatenate([texture.pixels.ravel() for texture in textures]) if textures else []
    columns["tex_contenttypeadr"] = [-1] * len(textures)
    sizes["ntexdata"] = sum(counts)
