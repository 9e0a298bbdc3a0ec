"""Check the built site: every link and picture leads somewhere, every page is in the search index.

Usage: python -m tools.check_site FOLDER

Links to other sites are not followed. What is wrong is printed; the exit code is 1 if there is anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the places in it that links can name."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, and its id."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.places.add(value)


@cache
def page_of(path: Path) -> Page:
    """A page, read once."""
    return Page(path)


def broken_links(site: Path) -> Iterator[str]:
    """Links of all pages that lead nowhere."""
    for path in sorted(site.rglob("*.html")):
        for link in page_of(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: {link} does not exist"
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page_of(target).places:
                yield f"{path.relative_to(site)}: {link}: the page has no such place"


#: The folder of pages that simulate, which are no text.
LIVE = "live"


def unsearchable(site: Path) -> Iterator[str]:
    """Pages that the search does not know."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).with_suffix("").as_posix()
        if name not in ("search", "genindex") and not name.startswith(f"{LIVE}/") and f'"{name}"' not in index:
            yield f"{name} is not in the search index"


def main(arguments: list[str]) -> int:
    """The command."""
    if len(arguments) != 1:
        print("usage: python -m tools.check_site FOLDER")
        return 2
    site = Path(arguments[0]).resolve()
    found = [*broken_links(site), *unsearchable(site)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
