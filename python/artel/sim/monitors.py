"""What is measured while a model runs."""

from __future__ import annotations

import math
from .._sim import Environment


class Tally:
    """Numbers seen one at a time: count, mean, variance, extremes. Keeps none of them."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = math.nan
        self._squares = 0.0
        self.min = math.inf
        self.max = -math.inf

    def add(self, value: float) -> None:
        self.count += 1
        if self.count == 1:
            self.mean = float(value)
        else:
            offset = value - self.mean
            self.mean += offset / self.count
            self._squares += offset * (value - self.mean)
        self.min = min(self.min, value)
        self.max = max(self.max, value)

    @property
    def variance(self) -> float:
        """Divided by count - 1; NaN of fewer than two."""
        return self._squares / (self.count - 1) if self.count > 1 else math.nan

    @property
    def stddev(self) -> float:
        return math.sqrt(self.variance)

    def reset(self) -> None:
        """Forgets all: the end of the warm-up."""
        self.__init__()  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"<Tally of {self.count}, mean {self.mean:.6g}>"


class Level:
    """A number that changes in steps, weighted by time: the length of a queue, units in use."""

    def __init__(self, env: Environment, value: float = 0) -> None:
        self._env = env
        self._value = value
        self._since = self._at = env.now
        self._area = 0.0
        self.min = self.max = value

    def set(self, value: float) -> None:
        now = self._env.now
        self._area += self._value * (now - self._at)
        self._at = now
        self._value = value
        self.max = max(self.max, value)
        self.min = min(self.min, value)

    def add(self, delta: float) -> None:
        self.set(self._value + delta)

    @property
    def value(self) -> float:
        return self._value

    @property
    def mean(self) -> float:
        """From the start, or the last reset, to now; the present value if that is no time."""
        now = self._env.now
        if now == self._since:
            return self._value
        return (self._area + self._value * (now - self._at)) / (now - self._since)

    def reset(self) -> None:
        """Forgets all but the present value: the end of the warm-up."""
        self._since = self._at = self._env.now
        self._area = 0.0
        self.min = self.max = self._value

    def __repr__(self) -> str:
        return f"<Level {self._value}, mean {self.mean:.6g}>"

