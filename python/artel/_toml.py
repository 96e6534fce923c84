"""Python's values as TOML, which is what scenarios are made of."""

from __future__ import annotations

import datetime
import json
import math
import numbers
import re
from typing import Any, List, Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def value(item: Any) -> str:
    """One value on one line. A timedelta becomes a duration in whole microseconds or seconds: "2500000us", "2s"."""
    if isinstance(item, str):
        item.encode()  # or it is no text of a file
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, numbers.Integral):
        return str(int(item))
    if isinstance(item, numbers.Real):
        number = float(item)
        return repr(number) if math.isfinite(number) else "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    if isinstance(item, datetime.timedelta):
        seconds, rest = divmod(item // datetime.timedelta(microseconds=1), 1_000_000)
        return f'"{seconds * 1_000_000 + rest}us"' if rest else f'"{seconds}s"'
    if isinstance(item, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {value(each)}" for name, each in item.items()) + " }" if item else "{}"
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(map(value, item)) + "]"
    if hasattr(item, "tolist"):  # numpy
        return value(item.tolist())
    raise TypeError(f"found {type(item).__name__}, allowed in a scenario: str, int, float, bool, timedelta, list, dict")


def document(scenario: Mapping[str, Any]) -> str:
    """A whole file: plain values first, then a table for each that is a dict."""
    lines: List[str] = []
    _table(scenario, "", lines)
    return "\n".join(lines) + "\n"


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"found the key {name!r}; keys of a scenario are text")
    return name if _BARE.fullmatch(name) else value(name)


def _table(table: Mapping[str, Any], path: str, lines: List[str]) -> None:
    for name, item in table.items():
        if not isinstance(item, Mapping):
            lines.append(f"{_key(name)} = {value(item)}")
    for name, item in table.items():
        if isinstance(item, Mapping):
            inner = f"{path}.{_key(name)}" if path else _key(name)
            lines.append(f"[{inner}]")
            _table(item, inner, lines)
