"""The MJCF language as one table: every element and attribute of MuJoCo 4.0.

`ELEMENTS` maps the key of a row ("tendon/spatial/site") to the row. Rows of default classes are made here from those
of the elements they stand for.
"""

from __future__ import annotations

from phalanx.tables.mjcf_actuator import ACTUATORS, SHORTCUTS
from phalanx.tables.mjcf_asset import ASSET
from phalanx.tables.mjcf_body import BODY
from phalanx.tables.mjcf_deformable import DEFORMABLE
from phalanx.tables.mjcf_equality import EQUALITY_BASE
from phalanx.tables.mjcf_global import GLOBAL
from phalanx.tables.mjcf_object import OBJECTS, TENDON_BASE
from phalanx.tables.mjcf_row import Attribute, ElementRow, Holds, element, file, text
from phalanx.tables.mjcf_sensor import SENSORS

#: Tag in a default class -> element whose attributes it sets.
DEFAULT_SOURCES = {
    "mesh": "asset/mesh",
    "texture": "asset/texture",
    "material": "asset/material",
    **{tag: tag for tag in ("joint", "geom", "site", "camera", "light")},
    "pair": "contact/pair",
    **{tag: f"actuator/{tag}" for tag in ("general", *SHORTCUTS)},
}

#: Attributes that MuJoCo's default classes lack although their element has them.
_NOT_IN_DEFAULTS = {"muscle": ("tausmooth",), "texture": ("content_type",), "adhesion": (), "mesh": ()}


def _default_row(tag: str, source: ElementRow) -> ElementRow:
    kept = tuple(
        row
        for row in source.attributes.values()
        if row.inherits and not row.required and row.name not in _NOT_IN_DEFAULTS.get(tag, ())
    )
    layers = "asset/material/layer" if tag == "material" else ""
    return element(f"default/{tag}", f"defaults of {tag}", kept, many=layers)


_PLAIN = {row.key: row for row in (*GLOBAL, *ASSET, *BODY, *DEFORMABLE, *OBJECTS, *ACTUATORS, *SENSORS)}

_DEFAULTS = (
    *(_default_row(tag, _PLAIN[key]) for tag, key in DEFAULT_SOURCES.items()),
    element("default/equality", "defaults of equality", EQUALITY_BASE),
    element("default/tendon", "defaults of tendon", TENDON_BASE),
)

_SECTIONS = (
    "compiler option size statistic visual default extension asset worldbody deformable contact tendon equality "
    "actuator sensor custom keyframe"
)

_STRUCTURE = (
    element("mujoco", "a model", text("model", "name of the model", default="MuJoCo Model"), many=_SECTIONS),
    element(
        "default",
        "a class of default values",
        Attribute("class", Holds.NAME, "name of the class", kind="default", inherits=False),
        once=" ".join(row.key for row in _DEFAULTS),
        many="default",
    ),
    element(
        "include", "the content of another file, in place of this element", file("file", "the file", required=True)
    ),
)

ELEMENTS: dict[str, ElementRow] = {**_PLAIN, **{row.key: row for row in (*_STRUCTURE, *_DEFAULTS)}}
"""Every row by its key."""
