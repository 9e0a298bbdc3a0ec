"""From a tree of elements to a Model: the stages in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from phalanx.compiler.actuator import collect_actuators, compile_actuators
from phalanx.compiler.actuator_columns import write_actuators
from phalanx.compiler.asset import collect_assets, compile_assets, compile_materials, link_assets, write_materials
from phalanx.compiler.body import check_masses, compile_bodies, write_bodies
from phalanx.compiler.build import Build
from phalanx.compiler.constants import make_model
from phalanx.compiler.contact import collect_contacts, write_contacts
from phalanx.compiler.custom import collect_custom, compile_tuples, write_custom
from phalanx.compiler.element import Element
from phalanx.compiler.equality import collect_equalities, compile_equalities, write_equalities
from phalanx.compiler.errors import MjcfError, Problem, in_order
from phalanx.compiler.expand import expand
from phalanx.compiler.files import Files
from phalanx.compiler.geom import write_geoms
from phalanx.compiler.heightfield_asset import write_hfields
from phalanx.compiler.joint import write_joints
from phalanx.compiler.keyframe import check_keys, collect_keys, write_keys
from phalanx.compiler.mesh_asset import write_meshes
from phalanx.compiler.reduce import reduce_tree
from phalanx.compiler.scope import Scope
from phalanx.compiler.sensor import collect_sensors, compile_sensors, write_sensors
from phalanx.compiler.settings import check_statistic, check_visual, compile_options, compile_sizes, write_arena
from phalanx.compiler.skin_asset import compile_skins, write_skins
from phalanx.compiler.structure import check_sleep, write_names, write_paths, write_structure
from phalanx.compiler.tendon import collect_tendons, compile_tendons, write_tendons
from phalanx.compiler.texture_asset import compile_textures, write_textures
from phalanx.compiler.tree import grow_tree
from phalanx.compiler.view import link_views, write_views
from phalanx.model.model import Model


@contextmanager
def _deep_trees() -> Iterator[None]:
    """Bodies may be nested deeper than Python's usual limit of calls."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 10_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def compile_tree(
    root: Element, files: Files, problems: list[Problem], models: dict[str, tuple[Element, Files]] | None = None
) -> Model:
    """The Model of a tree of elements.

    Args:
        root: the mujoco element; it is changed.
        files: where assets are.
        problems: what is known to be wrong already.
        models: other models that can be attached, by name.

    Raises:
        MjcfError: with everything that is wrong.
    """
    with _deep_trees(), np.errstate(all="ignore"):
        _refuse_unsupported(root, problems)
        scope = Scope(root, files, problems)
        missing = expand(root, scope, problems, models=models)
        build = Build(root, scope, problems, missing)
        _build_objects(build)
        if problems:
            build.check_names()
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
        build.dissolve()
        return model


def _refuse_unsupported(root: Element, problems: list[Problem]) -> None:
    """One problem for each element that Phalanx does not know; what it is part of is not checked any more."""
    for element in root.walk():
        if element.row.unsupported:
            problems.append(element.problem(element.row.unsupported))
            if element.parent is not None and element.parent.tag in _INCOMPLETE:
                element.parent.refused = True


#: Elements that make no sense without the plugin they hold.
_INCOMPLETE = ("mesh", "geom", "actuator", "sensor")


def _build_objects(build: Build) -> None:
    """Every object of the model, found and checked."""
    compile_options(build)
    compile_sizes(build)
    check_statistic(build)
    check_visual(build)
    grow_tree(build)
    collect_assets(build)
    link_assets(build)
    compile_assets(build)
    compile_textures(build)
    compile_materials(build)
    compile_bodies(build)
    link_views(build)
    check_masses(build)
    check_sleep(build)
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
    write_joints(build)
    write_bodies(build)
    write_geoms(build)
    write_views(build)
    write_meshes(build)
    write_hfields(build)
    write_textures(build)
    write_materials(build)
    write_skins(build)
    write_contacts(build)
    write_equalities(build)
    write_tendons(build)
    write_actuators(build)
    write_sensors(build)
    write_custom(build)
    write_keys(build)
    write_structure(build)
    write_names(build)
    write_paths(build)
    write_arena(build)
