"""Assets of which a model may hold several instances, one for each way that frames scale them."""

from __future__ import annotations

from typing import TypeVar

from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.scale.frame_scale import Matrix
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.file_settings import Scope

Instanced = TypeVar("Instanced", bound="InstancedAsset")


class InstancedAsset(ModelObject):
    """A mesh or height field. Geoms and sites with the same scale share an instance; the first is the asset itself."""

    #: linear map that scales a mesh, if factors along its axes cannot express it
    stretch: Matrix | None = None

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        #: the asset that this is an instance of
        self.original: InstancedAsset = self
        #: values before any scaling
        self.written = self.values
        #: instances of this asset, by length factor or linear map
        self.instances: dict[float | Matrix, InstancedAsset] = {}

    def scaled_instance(self: Instanced, values: Values, stretch: Matrix | None) -> Instanced:
        """Another instance with scaled values; its name tells it from the first."""
        made = type(self)(self.element, values, self.scope)
        made.name = f"{self.name}@{len(self.instances)}"
        made.original, made.stretch = self, stretch
        return made
