"""What artel raises for bad input."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Sequence, Tuple

_PLACE = re.compile(r"^(?P<file>.*?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?$", re.S)


class Mistake(NamedTuple):
    """One thing that is wrong: what was found, what is allowed, and where."""

    code: str
    message: str
    where: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


def _mistake(code: str, message: str, where: str) -> Mistake:
    place = _PLACE.match(where)
    file, line, column = place.group("file", "line", "column") if place else (where, None, None)
    return Mistake(code, message, where, file or None, int(line) if line else None, int(column) if column else None)


class Error(ValueError):
    """Input that artel refuses: a scenario, a log, an argument.

    ``mistakes`` has all that were found; ``file``, ``line`` and ``column`` are those of the first, None where there is
    no such place: in a dict, whose key the message names. ``code`` is its kind: "invalid", "parse", "not_found", "io", …
    """

    def __init__(self, errors: Sequence[Tuple[str, str, str]]) -> None:
        self.mistakes: List[Mistake] = [_mistake(*error) for error in errors]
        super().__init__("\n".join(map(str, self.mistakes)))

    @property
    def code(self) -> str:
        return self.mistakes[0].code

    @property
    def file(self) -> Optional[str]:
        return self.mistakes[0].file

    @property
    def line(self) -> Optional[int]:
        return self.mistakes[0].line

    @property
    def column(self) -> Optional[int]:
        return self.mistakes[0].column

    def __reduce__(self):
        return (Error, ([tuple(each[:3]) for each in self.mistakes],))
