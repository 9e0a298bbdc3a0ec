"""A table of text that goes to the terminal, into a file of results and onto a page; and a console that keeps those."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass
class Sheet:
    """Columns and rows of text; the first column names the rows."""

    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)

    @classmethod
    def of_rich(cls, table: Table) -> Sheet:
        """What a table of the terminal shows."""
        columns = [str(column.header) for column in table.columns]
        cells = [[str(cell) for cell in column.cells] for column in table.columns]
        return cls(str(table.title or ""), columns, [list(row) for row in zip(*cells, strict=True)])

    def markdown(self) -> str:
        """As a table of a page, numbers to the right; without the title, which the page has in its own words."""
        rule = "|".join("---:" if self._is_right(k) else "---" for k in range(len(self.columns)))
        lines = [f"| {' | '.join(row)} |".replace("|  ", "| ") for row in (self.columns, *self.rows)]
        return "\n".join([lines[0], f"|{rule}|", *lines[1:]])

    def _is_right(self, column: int) -> bool:
        """Does a column hold numbers?"""
        cells = [row[column].strip("*+-") for row in self.rows]
        return column > 0 and any(cells) and all(cell[:1].isdigit() for cell in cells if cell)

    def rich(self) -> Table:
        """As a table of the terminal."""
        table = Table(title=self.title)
        for k, column in enumerate(self.columns):
            table.add_column(column.replace("`", ""), justify="right" if self._is_right(k) else "left")
        for row in self.rows:
            table.add_row(*(_plain(cell) for cell in row))
        return table

    def updated(self, newer: Sheet) -> Sheet:
        """With the rows of a newer sheet in place of those of the same name, and the others kept."""
        if newer.columns != self.columns:
            return newer
        rows = {row[0]: row for row in (*self.rows, *newer.rows)}
        return Sheet(newer.title, newer.columns, list(rows.values()))


def _plain(cell: str) -> str:
    """Markdown's bold as that of the terminal."""
    return cell.replace("**", "[bold red]", 1).replace("**", "[/bold red]", 1) if "**" in cell else cell


class KeepingConsole:
    """Prints like a console, and keeps the tables."""

    def __init__(self, console: Console) -> None:
        self._console, self.sheets = console, list[Sheet]()

    def print(self, *objects: Any) -> None:
        """Print, and keep what is a table."""
        self.sheets += [Sheet.of_rich(item) for item in objects if isinstance(item, Table)]
        self._console.print(*objects)


def sheets_of(stored: Iterable[dict[str, Any]]) -> list[Sheet]:
    """Sheets as a file of results has them."""
    return [Sheet(**row) for row in stored]
