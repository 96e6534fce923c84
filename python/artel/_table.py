"""Rows for people and for pandas."""

from __future__ import annotations

import html
from typing import Any, Dict, List


class Table(List[Dict[str, Any]]):
    """Rows by column name, where pandas is not installed."""

    @property
    def columns(self) -> List[str]:
        return list(dict.fromkeys(name for row in self for name in row))

    def column(self, name: str) -> List[Any]:
        """The values of one column; None where a row has none."""
        return [row.get(name) for row in self]

    def __str__(self) -> str:
        columns = self.columns
        rows = [columns] + [[_text(row.get(name)) for name in columns] for row in self]
        widths = [max(len(row[c]) for row in rows) for c in range(len(columns))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = lambda kind, row: "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in row)
        columns = self.columns
        body = "".join(f"<tr>{cells('td', (_text(row.get(name)) for name in columns))}</tr>" for row in self)
        return f"<table><thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table>"


def _text(cell: Any) -> str:
    return "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def frame(rows: List[Dict[str, Any]]) -> Any:
    """A pandas.DataFrame where pandas is installed, else a Table."""
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        return Table(rows)
    return pandas.DataFrame(rows)


def as_html(table: Any) -> str:
    return table._repr_html_()
