"""The rules about several rows, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from phalanx.pipeline.validation.flex_number_rules import flex_numbers, flex_records, strain_cells, strain_modes
from phalanx.pipeline.validation.flex_rules import edge_pattern, flex_cells, flex_part
from phalanx.pipeline.validation.mesh_rules import hull, polygons
from phalanx.pipeline.validation.object_rules import ends, signature
from phalanx.pipeline.validation.pattern_rules import inertia_pattern, square_pattern, tendon_pattern
from phalanx.pipeline.validation.sensor_rules import sensor_object, sensor_width
from phalanx.pipeline.validation.skin_rules import skin_bones
from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.pipeline.validation.transmission_rules import activations, controls, outputs, transmission
from phalanx.pipeline.validation.volume_rules import octree, volume_leaf, volume_tree
from phalanx.tables.domain import (
    Arrays,
)

RULES: dict[str, Callable[[str, np.ndarray, Sizes, Arrays], Iterator[Broken]]] = {
    "volume tree": volume_tree,
    "volume leaf": volume_leaf,
    "octree": octree,
    "hull": hull,
    "polygons": polygons,
    "signature": signature,
    "ends": ends,
    "outputs": outputs,
    "controls": controls,
    "activations": activations,
    "transmission": transmission,
    "sensor object": sensor_object,
    "sensor width": sensor_width,
    "inertia pattern": inertia_pattern,
    "square pattern": square_pattern,
    "tendon pattern": tendon_pattern,
    "flex part": flex_part,
    "flex cells": flex_cells,
    "flex numbers": flex_numbers,
    "flex records": flex_records,
    "edge pattern": edge_pattern,
    "strain modes": strain_modes,
    "strain cells": strain_cells,
    "skin bones": skin_bones,
}
