"""Who runs operations for Model and Data.

Containers sit below the pipeline and cannot import it; `phalanx/__init__` installs the pipeline's runner here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from phalanx.model.store import Store


class Runner(Protocol):
    """What containers need of the pipeline."""

    def bind(self, operation: str, model: Store, data: Store) -> Callable[[int], None]:
        """A function of n that runs an operation on the memory of a Model and a Data."""

    def run(self, operation: str, model: Store, data: Store) -> None:
        """Run an operation once, with as much memory and code as it takes."""

    def relieve(self, model: Store, data: Store) -> None:
        """Give an operation that was short what it lacked: more memory, or code that was not loaded."""

    def recompute_constants(self, model: Store) -> Store:
        """Recompute the derived constants of a Model in place; returns the Data at qpos0 that they were found with."""

    def check_model(self, model: Any) -> None:
        """Refuse a Model that cannot be simulated, warn of what would be left out."""


_installed: list[Runner] = []


def install(runner: Runner) -> None:
    """Make `runner` the one that Model and Data use."""
    _installed[:] = [runner]


def runner() -> Runner:
    return _installed[0]


class Compiler(Protocol):
    """What makes a Model out of text; it sits above the containers, like the pipeline."""

    def model_from_file(self, path: Any, assets: Any = None) -> Any:
        """The Model of a model file."""

    def model_from_text(self, text: Any, assets: Any = None) -> Any:
        """The Model of a model text."""


_compilers: list[Compiler] = []


def install_compiler(compiler: Compiler) -> None:
    """Make `compiler` the one that Model uses."""
    _compilers[:] = [compiler]


def compiler() -> Compiler:
    return _compilers[0]
