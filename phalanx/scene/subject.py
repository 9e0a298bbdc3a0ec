"""What a scene shows: a Model and a Data. Their classes are above this folder."""

from __future__ import annotations

from typing import Any, TypeAlias

#: A `phalanx.Model`.
Model: TypeAlias = Any
#: A `phalanx.Data`, or whatever else has its fields: a world of a batch, a frame of a recording.
Data: TypeAlias = Any
