"""SimPy's module of that name: what models import from it."""

from ..._sim import PreemptiveResource, PriorityResource, Release, Request, Resource
from ..exceptions import Preempted

PriorityRequest = Request

__all__ = ["Preempted", "PreemptiveResource", "PriorityRequest", "PriorityResource", "Release", "Request", "Resource"]
