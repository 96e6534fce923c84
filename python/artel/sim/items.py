"""Things for a PriorityStore."""

from __future__ import annotations

from typing import Any, NamedTuple


class PriorityItem(NamedTuple):
    """A thing of any kind with a priority; the lowest comes first."""

    priority: Any
    item: Any

    def __lt__(self, other: Any) -> bool:
        return self.priority < other.priority
