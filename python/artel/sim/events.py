"""SimPy's module of that name: what models import from it."""

from .._sim import AllOf, AnyOf, Condition, ConditionValue, Event, Process, Timeout
from .exceptions import Interrupt

__all__ = ["AllOf", "AnyOf", "Condition", "ConditionValue", "Event", "Interrupt", "Process", "Timeout"]
