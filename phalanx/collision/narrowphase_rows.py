"""Imports every file of colliders and hands them to the driver."""

from __future__ import annotations

import importlib

from phalanx.collision import narrowphase

for _module in narrowphase._COLLIDER_MODULES:
    importlib.import_module(_module)
narrowphase.file_rows()
