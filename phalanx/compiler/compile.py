"""From text to a tree of elements to the memory of a Model: the stages in order."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from phalanx.compiler.asset.asset import collect_assets, compile_assets, link_assets
from phalanx.compiler.asset.heightfield_asset import write_hfields
from phalanx.compiler.asset.material import compile_materials, write_materials
from phalanx.compiler.asset.mesh_asset import write_meshes
from phalanx.compiler.asset.skin_asset import compile_skins, write_skins
from phalanx.compiler.asset.texture_asset import compile_textures, write_textures
from phalanx.compiler.edit.expand import Attachable, expand
from phalanx.compiler.edit.reduce import reduce_tree
from phalanx.compiler.finish.arena import write_arena
from phalanx.compiler.finish.make_model import Compiled, make_model
from phalanx.compiler.finish.structure import check_sleep, write_names, write_paths, write_structure
from phalanx.compiler.flex.flex_object import collect_flexes, compile_flexes, write_flexes
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.actuator import collect_actuators, compile_actuators
from phalanx.compiler.object.actuator_columns import write_actuators
from phalanx.compiler.object.body import check_masses, compile_bodies, write_bodies
from phalanx.compiler.object.camera_light import link_views, write_cameras, write_lights
from phalanx.compiler.object.contact import collect_contacts, write_contacts
from phalanx.compiler.object.custom import collect_custom, compile_tuples, write_custom
from phalanx.compiler.object.equality import collect_equalities, compile_equalities, write_equalities
from phalanx.compiler.object.geom import write_geoms, write_sites
from phalanx.compiler.object.joint import write_joints
from phalanx.compiler.object.keyframe import check_keys, collect_keys, write_keys
from phalanx.compiler.object.kinematic_tree import grow_tree
from phalanx.compiler.object.options import check_statistic, check_visual, compile_options, compile_sizes
from phalanx.compiler.object.plugin import collect_plugins, link_plugins, write_plugins
from phalanx.compiler.object.sensor import collect_sensors, compile_sensors, write_sensors
from phalanx.compiler.object.tendon import collect_tendons, compile_tendons, write_tendons
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError, Problem, Source, in_order
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.compiler.text.mjcf_reader import Reader
from phalanx.memory.regular_file import read_regular


def read_bytes(path: str | Path, limits: Limits = USUAL) -> bytes:
    """What a model file holds.

    Raises:
        MjcfError: the file cannot be read, or is too large.
    """
    try:
        return read_regular(os.fspath(path), limits.file_bytes)[0]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MjcfError([Problem(f"cannot be read: {reason}", os.fspath(path))]) from None


#: What holds bytes.
BYTES = (bytes, bytearray, memoryview)


def bytes_of(text: str | bytes) -> bytes:
    """A model text as bytes.

    Raises:
        MjcfError: it is no text, or holds halves of characters (surrogates), which no file can hold.
    """
    if isinstance(text, BYTES):
        return bytes(text)
    if not isinstance(text, str):
        raise MjcfError([Problem(f"a model text is str or bytes, not {type(text).__name__}")])
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MjcfError([Problem(f"not valid XML: {error.reason} at character {error.start}")]) from None


def read_tree(
    path: str,
    text: bytes,
    assets: Mapping[str, bytes | str] | None,
    limits: Limits = USUAL,
    trusted: bool = True,
    is_archive: bool = False,
) -> tuple[Element, Files, list[Problem]]:
    """The elements of a model as they are written, where its files are, and what is wrong so far.

    Args:
        path: of the file; empty for a text without one.
        text: what the file holds.
        assets: files in memory by name, looked at before the disk.
        limits: how large the model may be.
        trusted: may it read files outside of its folder, or any files if it is a text?
        is_archive: are `assets` all files that there are?
    """
    folder = os.path.dirname(path)
    # a text has no folder that it could be kept to
    files = Files(folder, assets, limits, trusted, (folder or ".") if path else "")
    files.main, files.is_archive = path, is_archive
    problems: list[Problem] = []
    with deep_trees(path):
        root = Reader(files, problems).read(Source(path, text))
    if root is None:
        raise MjcfError(problems or [Problem("the file holds no model", path)])
    return root, files, problems


def compile_text(
    path: str,
    text: bytes,
    assets: Mapping[str, bytes | str] | None,
    limits: Limits = USUAL,
    trusted: bool = True,
) -> tuple[Compiled, Files]:
    """The compiled form of a model file, and the files that it was made from."""
    with _without_collection():
        root, files, problems = read_tree(path, text, assets, limits, trusted)
        compiled = compile_tree(root, files, problems)
        root.dissolve()
        del root
    return compiled, files


@contextmanager
def _without_collection() -> Iterator[None]:
    """No search for unreachable objects: a compilation makes many, and takes apart those that refer to each other."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def deep_trees(path: str) -> Iterator[None]:
    """Bodies may be nested deeper than Python's usual limit of calls; memory that ends is a problem of the model."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 10_000))
    try:
        yield
    except RecursionError:
        raise MjcfError([Problem("elements or files are nested too deep for Python", path)]) from None
    except MemoryError:
        raise MjcfError([Problem("there is not enough memory for the model", path)]) from None
    finally:
        sys.setrecursionlimit(before)


def compile_tree(
    root: Element,
    files: Files,
    problems: list[Problem],
    models: Attachable | None = None,
    note: Callable[[Build], None] | None = None,
) -> Compiled:
    """The compiled form of a tree of elements.

    Args:
        root: the mujoco element; it is changed.
        files: where assets are.
        problems: what is known to be wrong already.
        models: other models that can be attached, by name.
        note: called with all objects of a model without problems.

    Raises:
        MjcfError: with everything that is wrong.
    """
    # values too large for a float are reported by their elements at the end, not by NumPy
    with deep_trees(files.main), np.errstate(all="ignore"):
        _refuse_unsupported(root, problems)
        scope = Scope(root, files, problems)
        missing = expand(root, scope, problems, models=models)
        _check_size(root, files.limits)
        build = Build(root, scope, problems, missing)
        _build_objects(build)
        if problems:
            build.check_names()
        # discardvisual and fusestatic need masses and frames, so the tree is built twice
        if not problems and reduce_tree(build) and not problems:
            build = Build(root, scope, problems)
            _build_objects(build)
        if not problems:
            _write_columns(build)
        if problems:
            raise MjcfError(in_order(problems))
        model = make_model(build)
        if problems:
            raise MjcfError(in_order(problems))
        if note is not None:
            note(build)
        build.dissolve()
        return model


def _check_size(root: Element, limits: Limits) -> None:
    """Refuse a model with too many elements or bodies, or one that is nested too deep, before objects are made of it.

    Raises:
        MjcfError: at the element that is too much.
    """
    stack, count, bodies = [(root, 1)], 0, 0
    while stack:
        element, depth = stack.pop()
        count += 1
        bodies += element.tag == "body"
        stack += [(child, depth + 1) for child in element.children]
        for name, found in (("elements", count), ("bodies", bodies), ("nesting", depth)):
            if found > getattr(limits, name):
                raise MjcfError([element.problem(f"the model has {name} {found}, {limits.beyond(name)}")])


def _refuse_unsupported(root: Element, problems: list[Problem]) -> None:
    """One problem for each element that Phalanx does not support."""
    for element in root.walk():
        if element.row.unsupported:
            problems.append(element.problem(element.row.unsupported))


def _build_objects(build: Build) -> None:
    """Every object of the model, found and checked."""
    # first what all others depend on: settings, the tree, assets; then sections in the order of their references
    compile_options(build)
    compile_sizes(build)
    check_statistic(build)
    check_visual(build)
    collect_plugins(build)
    grow_tree(build)
    collect_assets(build)
    link_assets(build)
    link_plugins(build)
    compile_assets(build)
    compile_textures(build)
    compile_materials(build)
    compile_bodies(build)
    link_views(build)
    check_masses(build)
    check_sleep(build)
    collect_flexes(build)
    compile_flexes(build)
    collect_contacts(build)
    collect_equalities(build)
    collect_tendons(build)
    compile_tendons(build)
    collect_actuators(build)
    compile_actuators(build)
    collect_sensors(build)
    collect_custom(build)
    collect_keys(build)
    compile_equalities(build)
    compile_sensors(build)
    compile_tuples(build)
    compile_skins(build)
    check_keys(build)
    build.check_user()


def _write_columns(build: Build) -> None:
    """The rows of the Model, object by object."""
    # what bodies carry, then assets, then the sections that refer to both
    write_joints(build)
    write_bodies(build)
    write_geoms(build)
    write_sites(build)
    write_cameras(build)
    write_lights(build)
    write_meshes(build)
    write_hfields(build)
    write_textures(build)
    write_materials(build)
    write_skins(build)
    write_contacts(build)
    write_equalities(build)
    write_tendons(build)
    # plastic state of flexes follows that of joints and tendons
    write_flexes(build)
    write_actuators(build)
    write_sensors(build)
    write_plugins(build)
    write_custom(build)
    write_keys(build)
    write_structure(build)
    write_names(build)
    write_paths(build)
    write_arena(build)
