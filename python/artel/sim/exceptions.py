"""What processes may have to catch."""

from __future__ import annotations

import linecache
from typing import Any


class SimPyException(Exception):
    """Base of what this package raises in the names of SimPy."""


class Interrupt(SimPyException):
    """Thrown into a process by process.interrupt(cause)."""

    def __init__(self, cause: Any = None) -> None:
        super().__init__(cause)

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.cause!r})"

    @property
    def cause(self) -> Any:
        """What interrupt() was given."""
        return self.args[0]


class EmptySchedule(Exception):
    """step() found nothing to do."""


class Preempted:
    """Cause of the Interrupt of a process that lost its place in a PreemptiveResource."""

    def __init__(self, by: Any, usage_since: Any, resource: Any) -> None:
        self.by = by
        self.usage_since = usage_since
        self.resource = resource

    def __repr__(self) -> str:
        return f"Preempted(by={self.by!r}, usage_since={self.usage_since!r})"


def _no_event(generator: Any, value: Any) -> str:
    """The message for a process that has yielded something else than an event: where, and what."""
    frame = getattr(generator, "gi_frame", None)
    where = ""
    if frame is not None:
        file, line, name = frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        where = f'\n  File "{file}", line {line}, in {name}\n'
        source = linecache.getline(file, line).strip()
        where += f"    {source}\n" if source else ""
    return f'{where}a process yields events of its environment, such as env.timeout(1). Invalid yield value "{value}"'
