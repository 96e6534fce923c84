"""SimPy's module of that name: what models import from it."""

from .._sim import NORMAL, PENDING, URGENT, AllOf, AnyOf, Condition, ConditionValue, Event, Process, Timeout
from .exceptions import Interrupt

__all__ = ["NORMAL", "PENDING", "URGENT", "AllOf", "AnyOf", "Condition", "ConditionValue", "Event", "Interrupt", "Process",
           "Timeout"]
