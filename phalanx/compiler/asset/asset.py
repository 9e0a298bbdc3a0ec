"""All assets: named, compiled, and found by those who refer to them."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.asset.heightfield_asset import compile_hfield
from phalanx.compiler.asset.mesh_asset import compile_mesh, stem
from phalanx.compiler.model_build import Build, ModelObject
from phalanx.compiler.scale.scaled_shape import instance_of
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sizes import NTEXROLE

_NAMED_BY_FILE = ("mesh", "hfield", "texture", "skin")


def make_object(build: Build, element: Element) -> ModelObject:
    """An object outside the tree, with the defaults of its class."""
    scope = element.scope or build.scope
    default = scope.defaults.find(element, "class", build.problems) or scope.defaults.main
    return ModelObject(element, build.complete(element, default), scope)


def collect_assets(build: Build) -> None:
    """File all assets by kind and name."""
    for section in ("asset", "deformable"):
        for element in build.sections(section):
            if element.tag in build.objects and not element.row.unsupported:
                obj: Any = make_object(build, element)
                if not obj.name and element.tag in _NAMED_BY_FILE and element.get("file"):
                    obj.name = stem(element.attributes["file"])
                if (
                    not obj.name
                    and not (element.tag == "texture" and obj.guess("type") == "skybox")
                    and element.tag != "skin"
                ):
                    build.report(element, f"a {element.tag} needs a name")
                obj.mesh, obj.needs_hull, obj.needs_sdf = None, False, False
                obj.original, obj.instances, obj.stretch, obj.written = obj, {}, None, obj.values
                build.add(element.tag, obj)


def link_assets(build: Build) -> None:
    """Let geoms and sites know their meshes, height fields and materials."""
    for kind in ("geom", "site"):
        for obj in build.objects[kind]:
            obj.mesh = obj.hfield = obj.data = None
            obj.mesh_asset = None
            obj.matid = -1
            for attribute in ("mesh", "hfield", "material"):
                name = obj.refers_to(attribute)
                if name is not None:
                    with build.at(obj):
                        _link(build, obj, attribute, build.find(attribute, name, attribute))
    paired = {element.attributes.get(f"geom{n}") for element in build.sections("contact") for n in (1, 2)}
    for geom in build.objects["geom"]:
        collides = geom.guess("contype") or geom.guess("conaffinity") or (geom.name and geom.name in paired)
        if geom.mesh_asset is not None and geom.guess("type") in ("mesh", "sdf") and collides:
            geom.mesh_asset.needs_hull = True
    for site in build.objects["site"]:
        if site.mesh_asset is not None and site.guess("type") == "mesh":
            site.mesh_asset.needs_hull = True


def _link(build: Build, obj: Any, attribute: str, asset: Any) -> None:
    if attribute == "material":
        obj.matid = asset.id
        return
    asset = instance_of(build, asset, obj)
    if attribute == "hfield":
        obj.hfield = obj.data = asset
    else:
        obj.mesh_asset = asset
        if obj["type"] in ("mesh", "sdf"):
            obj.data = asset
        if obj["type"] == "sdf":
            asset.needs_sdf = True


def compile_assets(build: Build) -> None:
    """Read meshes and height fields; hand them to their geoms."""
    build.each(build.objects["mesh"], lambda obj: compile_mesh(build, obj))
    build.each(build.objects["hfield"], lambda obj: compile_hfield(build, obj))
    materials = _mesh_materials(build)
    for kind in ("geom", "site"):
        for obj in build.objects[kind]:
            asset = obj.mesh_asset
            if asset is not None:
                obj.mesh = asset.mesh
                if obj.matid == -1 and kind == "geom":
                    obj.matid = materials.get(asset.id, -1)


def _mesh_materials(build: Build) -> dict[int, int]:
    """Materials that meshes have, for geoms without their own."""
    found: dict[int, int] = {}
    for asset in build.objects["mesh"]:
        material = asset.refers_to("material")
        if material is not None:
            with build.at(asset):
                found[asset.id] = build.find("material", material, "material").id
    return found


def compile_materials(build: Build) -> None:
    """Let materials know their textures, by role."""
    roles = ELEMENTS["asset/material/layer"].attributes["role"].keywords
    for obj in build.objects["material"]:
        obj.texids = [-1] * NTEXROLE
        with build.at(obj):
            layers = obj.element.children
            if layers and obj.element.get("texture") is not None:
                raise ElementProblem("a material with a texture cannot have layers too", "texture")
            inherited = (obj.scope.defaults.find(obj.element, "class", []) or obj.scope.defaults.main).layers()
            for layer in layers or inherited:
                if None not in (layer["role"], layer["texture"]):
                    with build.at(layer if layers else obj):
                        obj.texids[roles[layer["role"]]] = build.find("texture", layer["texture"], "texture").id
            if obj["texture"] is not None and not layers:
                obj.texids[roles["rgb"]] = build.find("texture", obj.refers_to("texture"), "texture").id


def write_materials(build: Build) -> None:
    materials = build.objects["material"]
    build.copy_plain(ELEMENTS["asset/material"], materials)
    build.columns["mat_texid"] = [material.texids for material in materials]
