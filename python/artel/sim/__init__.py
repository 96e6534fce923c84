"""Processes in virtual time, on artel's kernel: generators that yield events.

    from artel import sim

    def car(env, station):
        with station.request() as spot:
            yield spot
            yield env.timeout(5)
            print("charged at", env.now)

    env = sim.Environment()
    env.process(car(env, sim.Resource(env)))
    env.run()

The names are those of SimPy 3 and 4: with ``import artel.sim as simpy`` its models run.
"""

from .. import _sim
from .._sim import (AllOf, AnyOf, Condition, ConditionValue, Container, Distribution, Environment, Event, FilterStore, Get,
                    PreemptiveResource, PriorityResource, PriorityStore, Process, Put,
                    Release, Request, Resource, Source, Station, Store, Stream, Timeout)
from .exceptions import EmptySchedule, Interrupt, Preempted, SimPyException, _no_event
from .items import PriorityItem
from .monitors import Level, Tally
from .rt import RealtimeEnvironment
from . import core, events, resources, rt, util
from .resources import base, container, resource, store

_sim.set_hooks(Interrupt, Preempted, EmptySchedule, _no_event)

__all__ = [
    "AllOf", "AnyOf", "Condition", "ConditionValue", "Container", "Distribution", "EmptySchedule", "Environment", "Event",
    "FilterStore", "Get", "Interrupt", "Level", "Preempted", "PreemptiveResource", "PriorityItem", "PriorityResource",
    "PriorityStore", "Process", "Put", "RealtimeEnvironment", "Release", "Request", "Resource", "SimPyException", "Source",
    "Station", "Store", "Stream", "Tally", "Timeout",
]
