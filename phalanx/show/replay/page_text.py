"""The text of a page: its modules joined into one script, with data that cannot break out of it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

#: Where the modules of pages are.
FOLDER = Path(__file__).parents[1] / "page"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|async function|function) (\w+))", re.MULTILINE)
#: What a page may load: nothing. Its own script is known by its hash, so no other one runs.
_POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src '{hash}'"
#: What a page needs that runs WebAssembly of its own.
WITH_WASM = " 'wasm-unsafe-eval'"


def read_source(name: str, folders: Sequence[Path] = (FOLDER,)) -> str:
    """A file of the page, in the first folder that has it."""
    path = next((folder / name for folder in folders if (folder / name).is_file()), folders[-1] / name)
    return path.read_text(encoding="utf-8")


def joined_script(main: str, folders: Sequence[Path] = (FOLDER,)) -> str:
    """A module and all that it imports as one script, each module in a scope of its own.

    Modules import by name from `./other.js` and export constants, classes and functions where they are declared.

    Args:
        main: name of the module.
        folders: where modules are.
    """
    return "\n".join(_scoped(name, folders) for name in _in_order(main, [], folders))


def _in_order(name: str, found: list[str], folders: Sequence[Path]) -> list[str]:
    """Modules such that each comes after those that it imports."""
    for _, other in _IMPORT.findall(read_source(f"{name}.js", folders)):
        if other not in found:
            _in_order(other, found, folders)
    found.append(name)
    return found


def _scoped(name: str, folders: Sequence[Path]) -> str:
    """A module as a function that gives its exports."""
    source = read_source(f"{name}.js", folders)
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = module_\2;\n", source))
    if re.search(r"^(import|export) ", body, re.MULTILINE):
        raise AssertionError(f"{name}.js imports or exports in a way that cannot be joined")
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def safe_json(value: Any) -> str:
    """JSON that can stand in a script element: no tag and no comment can begin in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def page_text(
    manifest: dict[str, Any],
    arrays: str,
    main: str = "main",
    folders: Sequence[Path] = (FOLDER,),
    styles: Sequence[str] = ("page.css",),
    more: str = "",
) -> str:
    """The whole page.

    Args:
        manifest: what there is.
        arrays: numbers, as `Packed.text` gives them.
        main: the module that begins.
        folders: where modules and styles are.
        styles: names of styles.
        more: what else its script may do, in words of content security policies.
    """
    # the browser runs the script only if its hash is the one that the policy names
    script = joined_script(main, folders)
    digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode("ascii")
    parts = {
        "policy": _POLICY.format(hash=f"sha256-{digest}") + more,
        "title": html.escape(str(manifest["title"])),
        "style": "".join(read_source(name, folders) for name in styles),
        "manifest": safe_json(manifest),
        "arrays": arrays,
        "script": script,
    }
    return _filled(read_source("page.html"), parts.items())


def _filled(template: str, parts: Iterable[tuple[str, str]]) -> str:
    """The template with its places filled; text that was put in is not looked at again."""
    known = dict(parts)
    return re.sub(r"\{(\w+)\}", lambda place: known[place[1]], template)
