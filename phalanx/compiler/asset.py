"""All assets: named, compiled, and found by those who refer to them."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.build import Build, Thing
from phalanx.compiler.element import Element
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.heightfield_asset import compile_hfield
from phalanx.compiler.mesh_asset import compile_mesh, stem
from phalanx.compiler.scaled_shape import instance_of
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sizes import NTEXROLE

_NAMED_BY_FILE = ("mesh", "hfield", "texture", "skin")


def make_thing(build: Build, element: Element) -> Thing:
    """An object outside the tree, with the defaults of its class."""
    scope = element.scope or build.scope
    default = scope.defaults.find(element, "class", build.problems) or scope.defaults.main
    return Thing(element, build.complete(element, default), scope)


def collect_assets(build: Build) -> None:
    """File all assets by kind and name."""
    for section in ("asset", "deformable"):
        for element in build.sections(section):
            if element.tag in build.things and not element.row.unsupported:
                thing: Any = make_thing(build, element)
                if not thing.name and element.tag in _NAMED_BY_FILE and element.get("file"):
                    thing.name = stem(element.attributes["file"])
                if (
                    not thing.name
                    and not (element.tag == "texture" and thing.guess("type") == "skybox")
                    and element.tag != "skin"
                ):
                    build.report(element, f"a {element.tag} needs a name")
                thing.mesh, thing.needs_hull, thing.needs_sdf = None, False, False
                thing.original, thing.instances, thing.stretch, thing.written = thing, {}, None, thing.values
                build.add(element.tag, thing)


def link_assets(build: Build) -> None:
    """Let geoms and sites know their meshes, height fields and materials."""
    for kind in ("geom", "site"):
        for thing in build.things[kind]:
            thing.mesh = thing.hfield = thing.data = None
            thing.mesh_asset = None
            thing.matid = -1
            for attribute in ("mesh", "hfield", "material"):
                name = thing.refers_to(attribute)
                if name is not None:
                    with build.at(thing):
                        _link(build, thing, attribute, build.find(attribute, name, attribute))
    paired = {element.attributes.get(f"geom{n}") for element in build.sections("contact") for n in (1, 2)}
    for geom in build.things["geom"]:
        collides = geom.guess("contype") or geom.guess("conaffinity") or (geom.name and geom.name in paired)
        if geom.mesh_asset is not None and geom.guess("type") in ("mesh", "sdf") and collides:
            geom.mesh_asset.needs_hull = True
    for site in build.things["site"]:
        if site.mesh_asset is not None and site.guess("type") == "mesh":
            site.mesh_asset.needs_hull = True


def _link(build: Build, thing: Any, attribute: str, asset: Any) -> None:
    if attribute == "material":
        thing.matid = asset.id
        return
    asset = instance_of(build, asset, thing)
    if attribute == "hfield":
        thing.hfield = thing.data = asset
    else:
        thing.mesh_asset = asset
        if thing["type"] in ("mesh", "sdf"):
            thing.data = asset
        if thing["type"] == "sdf":
            asset.needs_sdf = True


def compile_assets(build: Build) -> None:
    """Read meshes and height fields; hand them to their geoms."""
    build.each(build.things["mesh"], lambda thing: compile_mesh(build, thing))
    build.each(build.things["hfield"], lambda thing: compile_hfield(build, thing))
    materials = _mesh_materials(build)
    for kind in ("geom", "site"):
        for thing in build.things[kind]:
            asset = thing.mesh_asset
            if asset is not None:
                thing.mesh = asset.mesh
                if thing.matid == -1 and kind == "geom":
                    thing.matid = materials.get(asset.id, -1)


def _mesh_materials(build: Build) -> dict[int, int]:
    """Materials that meshes have, for geoms without their own."""
    found: dict[int, int] = {}
    for asset in build.things["mesh"]:
        material = asset.refers_to("material")
        if material is not None:
            with build.at(asset):
                found[asset.id] = build.find("material", material, "material").id
    return found


def compile_materials(build: Build) -> None:
    """Let materials know their textures, by role."""
    roles = ELEMENTS["asset/material/layer"].attributes["role"].keywords
    for thing in build.things["material"]:
        thing.texids = [-1] * NTEXROLE
        with build.at(thing):
            layers = thing.element.children
            if layers and thing.element.get("texture") is not None:
                raise ElementProblem("a material with a texture cannot have layers too", "texture")
            inherited = (thing.scope.defaults.find(thing.element, "class", []) or thing.scope.defaults.main).layers()
            for layer in layers or inherited:
                if None not in (layer["role"], layer["texture"]):
                    with build.at(layer if layers else thing):
                        thing.texids[roles[layer["role"]]] = build.find("texture", layer["texture"], "texture").id
            if thing["texture"] is not None and not layers:
                thing.texids[roles["rgb"]] = build.find("texture", thing.refers_to("texture"), "texture").id


def write_materials(build: Build) -> None:
    materials = build.things["material"]
    build.copy_plain(ELEMENTS["asset/material"], materials)
    build.columns["mat_texid"] = [material.texids for material in materials]
