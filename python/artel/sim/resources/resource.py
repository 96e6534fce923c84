"""SimPy's module of that name: what models import from it."""

from ..._sim import PreemptiveResource, PriorityResource, Release, Request, Resource
from ..exceptions import Preempted

__all__ = ["Preempted", "PreemptiveResource", "PriorityResource", "Release", "Request", "Resource"]
