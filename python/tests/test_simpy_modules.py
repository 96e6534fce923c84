"""What SimPy has in modules of its own is there under the same names."""

import importlib
import math

import pytest

from artel import sim


@pytest.mark.parametrize("module", ["core", "events", "resources.container", "resources.resource", "resources.store", "rt", "util"])
def test_names_are_those_of_simpy(module):
    theirs = pytest.importorskip(f"simpy.{module}")
    ours = importlib.import_module(f"artel.sim.{module}")
    for name in ours.__all__:
        assert hasattr(theirs, name), name


def test_infinity():
    assert sim.core.Infinity == math.inf
    sim.Store(sim.Environment(), capacity=sim.core.Infinity)


def test_start_delayed(env):
    begun = []

    def late():
        begun.append(env.now)
        yield env.timeout(1)
        return "done"

    started = env.run(until=sim.util.start_delayed(env, late(), delay=5))
    assert env.run(until=started) == "done" and begun == [5]
    with pytest.raises(ValueError, match="must be > 0"):
        sim.util.start_delayed(env, late(), delay=0)


def test_subscribe_at(env):
    def child():
        yield env.timeout(3)
        return "grown up"

    def parent():
        process = env.process(child())
        sim.util.subscribe_at(process)
        try:
            yield env.event()
        except sim.Interrupt as interrupt:
            return interrupt.cause == (process, "grown up"), env.now

    assert env.run(until=env.process(parent())) == (True, 3)


def test_subscribing_too_late_is_refused(env):
    def process():
        over = env.timeout(1)
        yield over
        with pytest.raises(RuntimeError, match="has already terminated"):
            sim.util.subscribe_at(over)

    env.run(until=env.process(process()))
