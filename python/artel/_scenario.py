"""How a scenario comes in: a dict, a path, TOML as text, or what calibrate() made."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _toml
from ._errors import Error

Pathlike = Union[str, "os.PathLike[str]"]
ScenarioLike = Union[Pathlike, Mapping[str, Any]]


def source_of(scenario: Any) -> Tuple[Optional[str], str]:
    """Text and name; no text: read the file of that name. Text with a line break is TOML itself."""
    if isinstance(scenario, Mapping):
        return _toml.document(scenario), "scenario"
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "scenario"
    if isinstance(scenario, (str, os.PathLike)):
        return None, os.fspath(scenario)
    raise TypeError(f"found {type(scenario).__name__}, allowed as a scenario: a dict, a path, TOML as text")


@contextlib.contextmanager
def places_of(scenario: Any) -> Iterator[None]:
    """What is wrong in a dict has no line: its message names the key."""
    try:
        yield
    except Error as error:
        if not isinstance(scenario, Mapping):
            raise
        raise Error([(each.code, each.message, "" if each.file == "scenario" else each.where)
                     for each in error.mistakes]) from None


def overrides(set: Optional[Mapping[str, Any]], seed: Optional[int]) -> List[Tuple[str, str]]:
    pairs = [(key, _toml.value(item)) for key, item in (set or {}).items()]
    return pairs + ([("run.seed", str(whole("seed", seed, 0)))] if seed is not None else [])


def sweep_axes(sweep: Optional[Mapping[str, Union[str, Sequence[Any]]]]) -> List[Tuple[str, Union[str, List[str]]]]:
    """Of each key its values; text is read as the command reads it: "8..32:4"."""
    return [(key, values if isinstance(values, str) else [_axis_value(each) for each in values])
            for key, values in (sweep or {}).items()]


def _axis_value(item: Any) -> str:
    return item if isinstance(item, str) else _toml.value(item)


def whole(name: str, value: Any, low: int, high: int = 2**64 - 1) -> int:
    """The value as a whole number within its bounds."""
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None or not low <= number <= high:
        raise ValueError(f"{name}: found {value!r}, allowed: whole numbers from {low} to {high}")
    return number


def texts(value: Union[None, str, Sequence[Any]]) -> List[str]:
    """One text, or several."""
    return [] if value is None else [value] if isinstance(value, str) else [str(each) for each in value]
