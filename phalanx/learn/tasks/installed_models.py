"""Models of other packages, read from where those are installed: none of their files is part of Phalanx."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from phalanx.memory.errors import MissingPackageError, ModelError


def installed_file(package: str, path: str, extra: str) -> Path:
    """The path of a file of another package, which is looked for but not imported.

    Args:
        package: "gymnasium".
        path: of the file inside the package.
        extra: of Phalanx, that installs the package.
    """
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise MissingPackageError(
            f"the model {Path(path).name} belongs to the package {package}, which is not installed: "
            f"pip install 'phalanx[{extra}]'"
        )
    file = Path(found.submodule_search_locations[0]) / path
    if not file.exists():
        raise ModelError(f"the installed {package} has no file {path}: another version of it may have")
    return file
