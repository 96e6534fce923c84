"""A simulation that keeps step with the clock on the wall."""

from __future__ import annotations

import math
import time
from typing import Any

from .._sim import Environment, Event
from .exceptions import EmptySchedule

__all__ = ["RealtimeEnvironment"]


class RealtimeEnvironment(Environment):
    """Events come no sooner than ``factor`` seconds of real time per unit of simulated time.

    With ``strict``, a step that comes more than one unit late raises RuntimeError.
    """

    def __init__(self, initial_time: float = 0, factor: float = 1.0, strict: bool = True) -> None:
        if not (factor >= 0 and math.isfinite(factor)):
            raise ValueError(f"factor: found {factor!r}, allowed: 0 and above, seconds per unit of simulated time")
        super().__init__(initial_time)
        self.factor = factor
        self.strict = strict
        self._start = initial_time
        self.sync()

    def sync(self) -> None:
        """Whatever real time has passed so far does not count: the simulation's time is now's."""
        self._real_start = time.monotonic() - (self.now - self._start) * self.factor

    def _wait(self, moment: float) -> None:
        due = self._real_start + (moment - self._start) * self.factor
        late = time.monotonic() - due
        if self.strict and late > self.factor:
            raise RuntimeError(f"Simulation too slow for real time ({late:.3f}s).")
        while (left := due - time.monotonic()) > 0:
            time.sleep(left)

    def step(self) -> None:
        moment = self.peek()
        if moment == math.inf:
            raise EmptySchedule()
        self._wait(moment)
        super().step()

    def run(self, until: Event | float | None = None) -> Any:
        """As Environment.run(), in real time."""
        if isinstance(until, Event):
            while not until.processed and self.peek() < math.inf:
                self.step()
        else:
            end = math.inf if until is None else until
            while self.peek() < end:
                self.step()
            if until is None:
                return None
            if until > self.now:
                self._wait(until)
        return super().run(until)
