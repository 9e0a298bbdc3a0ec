"""Smaller models with the same physics: fusestatic and discardvisual.

Both need what the compiler works out (masses, frames), and change the tree of elements; the model is then built again.
"""

from __future__ import annotations

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.edit.references import REFERRING, class_around, named
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.body import Body, combined
from phalanx.compiler.object.geom import Geom
from phalanx.compiler.object.rotation import EPSILON, compose
from phalanx.compiler.text.element import Element
from phalanx.tables.mjcf_row import ORIENTATION_NAMES, Holds
from phalanx.tables.mjcf_schema import ELEMENTS


def reduce_tree(build: Build) -> bool:
    """Apply discardvisual and fusestatic if the compiler settings ask for them.

    Returns:
        Did the tree of elements change?
    """
    changed = False
    if build.scope["discardvisual"]:
        _discard_visual(build)
        changed = True
    if build.scope["fusestatic"]:
        changed = _fuse_static(build) or changed
    return changed


def _referred(build: Build) -> dict[str, set[str]]:
    """Names that elements refer to, by kind.

    References to assets count only in sensors: discardvisual finds out itself which others are used.
    """
    found: dict[str, set[str]] = {}
    for section in build.root.children:
        if section.tag not in (*REFERRING, "worldbody", "asset", "deformable"):
            continue
        for element in section.walk():
            for name, value in element.attributes.items():
                row = element.row.attributes.get(name)
                if row is not None and row.holds in (Holds.REFERENCE, Holds.REFERENCES):
                    is_asset = row.kind in ("mesh", "material", "texture", "hfield") and section.tag != "sensor"
                    if not is_asset:
                        found.setdefault(row.kind, set()).update(named(value))
                elif name in ("objname", "refname"):
                    word = element.attributes.get(name[:3] + "type", "")
                    found.setdefault("body" if word == "xbody" else word, set()).add(value)
    return found


# --- discardvisual


def _discard_visual(build: Build) -> None:
    """Remove geoms that do not collide, materials, textures, and meshes that nothing uses any more."""
    referred = _referred(build)
    for body in build.bodies:
        dropped = [geom for geom in body.geoms if _is_visual(geom, referred)]
        weighty = [geom for geom in dropped if geom.mass > EPSILON]
        # the body keeps the mass of geoms that it loses
        if weighty and body.parent is not None:
            if body.scope["inertiafromgeom"] == "true":
                build.report(
                    weighty[0].element, "discardvisual would drop its mass, which inertiafromgeom='true' asks for"
                )
            elif body.inertial is None:
                _set_inertial(body)
        for geom in dropped:
            geom.element.remove()
    kept = {
        obj.mesh_asset.original.name
        for kind in ("geom", "site")
        for obj in build.objects[kind]
        if obj.mesh_asset is not None and obj.element.parent is not None
    }
    kept |= referred.get("mesh", set())
    for mesh in build.meshes:
        if mesh.original.name not in kept:
            mesh.element.remove()
    for kind in ("material", "texture"):
        for obj in build.objects[kind]:
            if obj.name not in referred.get(kind, ()):
                obj.element.remove()
    build.scope.drops_materials = True


def _is_visual(geom: Geom, referred: dict[str, set[str]]) -> bool:
    return not (
        geom["contype"] or geom["conaffinity"] or geom["fluidshape"] == "ellipsoid"
        or (geom.name and geom.name in referred.get("geom", ()))
    )  # fmt: skip


def _set_inertial(body: Body) -> None:
    """Write the inertia of a body on it."""
    for child in list(body.element.children):
        if child.tag == "inertial":
            child.remove()
    inertial = Element(ELEMENTS["inertial"], body.element.source, body.element.place)
    inertial.settled = body
    inertial.attributes.update(pos=body.ipos, quat=body.iquat, mass=body.mass, diaginertia=body.inertia)
    body.element.append(inertial)


# --- fusestatic


def _fuse_static(build: Build) -> bool:
    """Replace bodies without joints that nothing refers to by frames of their parents."""
    referred = _referred(build)
    # what acts between a body and its parent can only be measured if the body stays
    measured = {
        element.attributes.get("site") for element in build.sections("sensor") if element.tag in ("force", "torque")
    }
    # forces of a fluid depend on how mass is shared among bodies
    in_fluid = any(
        section.attributes.get(name) for section in build.root.children if section.tag == "option"
        for name in ("density", "viscosity")
    )  # fmt: skip
    changed = False
    for body in build.bodies[1:]:
        if _can_fuse(body, referred, measured, in_fluid):
            _fuse(body)
            changed = True
    return changed


def _can_fuse(body: Body, referred: dict[str, set[str]], measured: set[str | None], in_fluid: bool) -> bool:
    parent = body.parent
    moves = body.weld.parent is not None
    has_mass = moves and body.mass >= MINVAL
    return not (
        parent is None or body.joints or body["mocap"] or body["fuse"] == "false" or body["sleep"] != "auto"
        or (body.name and body.name in referred.get("body", ()))
        or any(site.name and site.name in measured for site in body.sites)
        or (has_mass and (in_fluid or body["gravcomp"] != parent["gravcomp"]))
        or (moves and in_fluid and any(geom["fluidshape"] == "ellipsoid" for geom in body.geoms))
    )  # fmt: skip


def _fuse(body: Body) -> None:
    """Replace a body by a frame; its mass goes to the parent."""
    parent = body.parent
    assert parent is not None
    if parent.parent is not None and body.mass >= MINVAL:
        pos, quat = compose(body.pos, body.quat, body.ipos, body.iquat)
        is_explicit = body.inertial is not None or parent.inertial is not None
        own = (parent.mass, parent.ipos, parent.iquat, parent.inertia)
        parts = [own, (body.mass, pos, quat, body.inertia)]
        parent.mass, parent.ipos, parent.iquat, parent.inertia = combined(parts)
        if is_explicit:
            _set_inertial(parent)
            parent.inertial = body.inertial or parent.inertial
    _become_frames(body, parent)
    for child_body in body.bodies:
        child_body.parent = parent
        child_body.pos, child_body.quat = compose(body.pos, body.quat, child_body.pos, child_body.quat)
    parent.geoms.extend(body.geoms)
    parent.sites.extend(body.sites)


def _become_frames(body: Body, parent: Body) -> None:
    """Replace a body by two frames: one for the bodies inside, where it was, one at the end for what it carried.

    So bodies keep their order, and what the body carried comes after what its parent carries.
    """
    element = body.element
    holder = element.parent
    assert holder is not None
    frames = []
    for _ in range(2):
        frame = Element(ELEMENTS["frame"], element.source, element.place)
        frame.scope = element.scope
        frame.attributes["childclass"] = element.attributes.get("childclass") or class_around(element)
        frames.append(frame)
    place, end = frames
    # the first is placed as written, since it is scaled again; the second by the compiled pose, which is not
    place.attributes.update(
        {name: element.attributes[name] for name in ("pos", *ORIENTATION_NAMES) if name in element.attributes}
    )
    end.attributes.update(pos=body.pos, quat=body.quat)
    end.settled = body
    for child in element.children:
        if child.tag in ("body", "frame"):
            place.append(child)
        elif child.tag != "inertial":
            end.append(child)
    holder.children[holder.children.index(element)] = place
    place.parent = holder
    top = parent.element if parent.parent is not None else _worldbody_of(place)
    top.append(end)


def _worldbody_of(element: Element) -> Element:
    while element.tag != "worldbody":
        assert element.parent is not None
        element = element.parent
    return element
