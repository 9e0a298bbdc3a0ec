"""Functions whose source is generated: tracebacks, debuggers and our compiler find it like that of any other."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable
from typing import Any


def define(source: str, names: dict[str, Any], function: str) -> Callable[..., Any]:
    """The function that a source defines.

    Args:
        source: the text of the function.
        names: what it refers to; the function is added.
        function: its name.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    file = f"<phalanx {function} {digest}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    return names[function]
