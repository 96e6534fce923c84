"""SimPy's module of that name: what models import from it."""

import math

from .._sim import Environment
from .exceptions import EmptySchedule

BaseEnvironment = Environment
Infinity = math.inf

__all__ = ["BaseEnvironment", "EmptySchedule", "Environment", "Infinity"]
