"""How a scenario comes in: a dict, a path, TOML as text, or what calibrate() made."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _toml
from ._errors import Error

Pathlike = Union[str, "os.PathLike[str]"]
ScenarioLike = Union[Pathlike, Mapping[str, Any]]


def source_of(scenario: Any) -> Tuple[Optional[str], bytes]:
    """Text and name; no text: read the file of that name. Text with a line break is TOML itself."""
    if isinstance(scenario, Mapping):
        return _toml.document(scenario), b"scenario"
    if isinstance(scenario, str) and "\n" in scenario:
        return text_of("scenario", scenario), b"scenario"
    if isinstance(scenario, (str, os.PathLike)):
        return None, os.fsencode(path_of(scenario))
    raise TypeError(f"found {type(scenario).__name__}, allowed as a scenario: a dict, a path, TOML as text")


def path_of(path: Any) -> str:
    """The path as text. One with a zero byte in it would name another file further on."""
    name = os.fsdecode(path)
    if "\0" in name:
        raise ValueError(f"found {name!r}; a path has no zero byte in it")
    return name


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
    pairs = [(text_of("set", key), _toml.value(item)) for key, item in pairs_of("set", set)]
    return pairs + ([("run.seed", str(whole("seed", seed, 0)))] if seed is not None else [])


def sweep_axes(sweep: Optional[Mapping[str, Union[str, Sequence[Any]]]]) -> List[Tuple[str, Union[str, List[str]]]]:
    """Of each key its values; text is read as the command reads it: "8..32:4"."""
    return [(text_of("sweep", key), text_of("sweep", values) if isinstance(values, str) else _axis_values(key, values))
            for key, values in pairs_of("sweep", sweep)]


def _axis_values(key: str, values: Sequence[Any]) -> List[str]:
    found = [_axis_value(each) for each in values]
    if not found:
        raise ValueError(f"sweep: {key} needs at least one value")
    return found


def _axis_value(item: Any) -> str:
    return text_of("sweep", item) if isinstance(item, str) else _toml.value(item)


def pairs_of(name: str, value: Optional[Mapping[Any, Any]]) -> List[Tuple[Any, Any]]:
    """What a dict has, None: nothing."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: found {value!r}, allowed: a dict")
    return list(value.items())


def text_of(name: str, value: Any) -> str:
    """The value as text, which has a form in UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: found {value!r}, allowed: text")
    value.encode()
    return value


def whole(name: str, value: Any, low: int, high: int = 2**64 - 1) -> int:
    """The value as a whole number within its bounds."""
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None or not low <= number <= high:
        raise ValueError(f"{name}: found {value!r}, allowed: whole numbers from {low} to {high}")
    return number


def texts(value: Union[None, str, Sequence[Any]]) -> List[str]:
    """One text, or several."""
    found = [] if value is None else [value] if isinstance(value, str) else [str(each) for each in value]
    return [text_of("found", each) for each in found]
