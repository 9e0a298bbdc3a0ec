"""All assets: filed by kind and name, compiled, and linked with the objects that name them."""

from __future__ import annotations

from typing import TypeVar, overload

from phalanx.compiler.asset.heightfield_asset import HeightField, compile_hfield
from phalanx.compiler.asset.material import Material, material_id
from phalanx.compiler.asset.mesh_asset import MeshAsset, compile_mesh, stem
from phalanx.compiler.asset.skin_asset import Skin
from phalanx.compiler.asset.texture_asset import Texture
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.geom import MESH_KINDS, Geom, Shaped
from phalanx.compiler.scale.scaled_shape import instance_of
from phalanx.compiler.text.element import Element

_CLASSES: dict[str, type[ModelObject]] = {
    "mesh": MeshAsset, "hfield": HeightField, "texture": Texture, "material": Material, "skin": Skin,
}  # fmt: skip
#: Kinds that take the name of their file if they have none.
_NAMED_BY_FILE = ("mesh", "hfield", "texture", "skin")

Made = TypeVar("Made", bound=ModelObject)


@overload
def make_object(build: Build, element: Element) -> ModelObject: ...
@overload
def make_object(build: Build, element: Element, kind: type[Made]) -> Made: ...


def make_object(build: Build, element: Element, kind: type[ModelObject] = ModelObject) -> ModelObject:
    """An object outside of the kinematic tree, with the defaults of its class."""
    scope = element.scope or build.scope
    default = scope.defaults.find(element, "class", build.problems) or scope.defaults.main
    return kind(element, build.complete(element, default), scope)


# --- collecting


def collect_assets(build: Build) -> None:
    """File all assets by kind and name."""
    for section in ("asset", "deformable"):
        for element in build.sections(section):
            if element.tag in _CLASSES and not element.row.unsupported:
                asset = make_object(build, element, _CLASSES[element.tag])
                if not asset.name and element.tag in _NAMED_BY_FILE and element.get("file"):
                    asset.name = stem(element.attributes["file"])
                if not asset.name and not _may_be_unnamed(asset):
                    build.report(element, f"a {element.tag} needs a name")
                build.add(element.tag, asset)


def _may_be_unnamed(asset: ModelObject) -> bool:
    """Nothing refers to skins and to the texture of the sky."""
    tag = asset.element.tag
    return tag == "skin" or (tag == "texture" and asset.guess("type") == "skybox")


# --- linking


def link_assets(build: Build) -> None:
    """Link geoms and sites with their meshes, height fields and materials; mark the meshes that need a hull."""
    for obj in (*build.geoms, *build.sites):
        for attribute in ("mesh", "hfield", "material"):
            name = obj.refers_to(attribute)
            if name is not None:
                with build.at(obj):
                    _link(build, obj, attribute, name)
    paired = {element.attributes.get(f"geom{n}") for element in build.sections("contact") for n in (1, 2)}
    for geom in build.geoms:
        if geom.mesh_asset is not None and geom.guess("type") in MESH_KINDS and _collides(geom, paired):
            geom.mesh_asset.needs_hull = True
    for site in build.sites:
        if site.mesh_asset is not None and site.guess("type") == "mesh":
            site.mesh_asset.needs_hull = True


def _collides(geom: Geom, paired: set[str | None]) -> bool:
    """Can it be in contact, by its masks or in an explicit pair?"""
    return bool(geom.guess("contype") or geom.guess("conaffinity") or (geom.name and geom.name in paired))


def _link(build: Build, obj: Shaped, attribute: str, name: str) -> None:
    """Link a geom or site with the asset that an attribute names."""
    if attribute == "material":
        obj.matid = build.find("material", name, attribute).id
    elif attribute == "hfield":
        obj.hfield = obj.data = instance_of(build, build.find("hfield", name, attribute), obj)
    else:
        _link_mesh(obj, instance_of(build, build.find("mesh", name, attribute), obj))


def _link_mesh(obj: Shaped, asset: MeshAsset) -> None:
    """A mesh is the shape of an object of type mesh or sdf; primitive types are only fitted to it."""
    obj.mesh_asset = asset
    if obj["type"] in MESH_KINDS:
        obj.data = asset
    if obj["type"] == "sdf":
        asset.needs_sdf = True


# --- compiling


def compile_assets(build: Build) -> None:
    """Read meshes and height fields; give geoms and sites the compiled meshes, and geoms the materials of these."""
    build.each(build.meshes, lambda asset: compile_mesh(build, asset))
    build.each(build.hfields, lambda field: compile_hfield(build, field))
    materials = _mesh_materials(build)
    for obj in (*build.geoms, *build.sites):
        if obj.mesh_asset is not None:
            obj.mesh = obj.mesh_asset.mesh
    for geom in build.geoms:
        if geom.mesh_asset is not None and geom.matid == -1:
            geom.matid = materials.get(geom.mesh_asset.id, -1)


def _mesh_materials(build: Build) -> dict[int, int]:
    """Mesh id -> id of its material, -1 for none. Geoms without a material take that of their mesh."""
    found: dict[int, int] = {}
    for asset in build.meshes:
        with build.at(asset):
            found[asset.id] = material_id(build, asset)
    return found
