"""What SimPy's users call besides the tutorials: keywords, priorities of any kind, inner names, hooks."""

import functools

import pytest

from artel import sim
from artel.sim import core, events
from artel.sim.resources import base, container, resource, store


def test_arguments_have_simpys_names(env):
    tank = sim.Container(env, capacity=10, init=5)
    things = sim.Store(env)
    place = sim.Resource(env)

    def process():
        yield tank.get(amount=2)
        yield tank.put(amount=3)
        yield things.put(item="thing")
        request = place.request()
        yield request
        yield place.release(request=request)
        yield env.any_of(events=[env.timeout(delay=1, value="x")])
        yield env.all_of(events=[env.timeout(1)])
        return (yield env.event().succeed(value=7))

    assert env.run(until=env.process(generator=process())) == 7
    assert tank.level == 6 and things.items == ["thing"]
    failed = env.event().fail(exception=ValueError("x"))
    failed.defused = True
    other = env.event()
    other.trigger(event=failed)
    other.defused = True
    env.run()
    assert not other.ok


@pytest.mark.parametrize("call", [
    lambda env: env.process(), lambda env: env.process(gen=1), lambda env: env.any_of([], []), lambda env: sim.Store(env).put(),
    lambda env: sim.Store(env).put(things=1), lambda env: sim.Container(env).get(1, 2), lambda env: env.event().fail(),
    lambda env: env.event().succeed(values=1), lambda env: sim.Resource(env).release()])
def test_wrong_arguments_are_named(env, call):
    with pytest.raises(TypeError, match=r"\(\) takes one argument, \w+"):
        call(env)


def served(env, priorities):
    """In which order they are served who ask with these priorities while the place is taken."""
    place, order = sim.PriorityResource(env), []

    def customer(priority):
        with place.request(priority=priority) as turn:
            yield turn
            order.append(priority)
            yield env.timeout(1)

    def first():
        with place.request(priority=priorities[0]) as turn:
            yield turn
            yield env.timeout(1)

    env.process(first())
    for priority in priorities:
        env.process(customer(priority))
    env.run()
    return order


class Ranked:
    """A priority that only Python can compare."""

    def __init__(self, rank):
        self.rank = rank

    def __eq__(self, other):
        return self.rank == other.rank

    def __lt__(self, other):
        return self.rank < other.rank


def test_priorities_may_be_anything_that_has_an_order(env):
    assert served(env, [(2, "b"), (1, "z"), (2, "a"), (1, "z")]) == [(1, "z"), (1, "z"), (2, "a"), (2, "b")]
    assert served(env, ["m", "z", "a"]) == ["a", "m", "z"]
    assert served(env, [2**53 + 1, 2**53, 1.5, 2**60]) == [1.5, 2**53, 2**53 + 1, 2**60]
    assert [each.rank for each in served(env, [Ranked(rank) for rank in (3, 1, 2)])] == [1, 2, 3]


def test_preemption_by_such_priorities(env):
    place, told = sim.PreemptiveResource(env), []

    def user(name, delay, priority):
        yield env.timeout(delay)
        with place.request(priority=priority) as turn:
            yield turn
            try:
                yield env.timeout(5)
                told.append((name, "done", env.now))
            except sim.Interrupt as interrupt:
                told.append((name, "preempted", interrupt.cause.usage_since))

    env.process(user("low", 0, (1, 5)))
    env.process(user("equal", 1, (1, 5)))
    env.process(user("high", 2, (0, 9)))
    env.run()
    assert told == [("low", "preempted", 0), ("high", "done", 7), ("equal", "done", 12)]


def test_priorities_without_an_order_are_refused(env):
    place = sim.PriorityResource(env)
    place.request(priority=1)
    place.request(priority=1)
    with pytest.raises(TypeError, match="'<' not supported"):
        place.request(priority="high")
    assert [each.priority for each in place.queue] == [1]  # nothing of it is left


def test_a_comparison_may_change_the_queue(env):
    place = sim.PriorityResource(env)

    class Leaving(Ranked):
        def __lt__(self, other):
            for each in place.queue:
                each.cancel()
            return False

    place.request(priority=Leaving(0))
    for rank in range(5):
        place.request(priority=Leaving(rank))
    assert len(place.queue) <= 1


def test_simpys_recipe_for_tracing(env):
    def trace(env, callback):
        def wrapper(env_step):
            @functools.wraps(env_step)
            def tracing_step():
                if len(env._queue):
                    time, priority, number, event = env._queue[0]
                    callback(time, priority, number, event)
                return env_step()
            return tracing_step
        env.step = wrapper(env.step)

    seen = []
    trace(env, lambda time, priority, number, event: seen.append((time, priority, type(event).__name__)))

    def process():
        yield env.timeout(1)
        yield env.timeout(2)

    env.process(process())
    env.run(until=2)
    assert seen[:2] == [(0, events.URGENT, "Process"), (1, events.NORMAL, "Timeout")] and env.now == 2
    env.run()
    assert seen[-1] == (3, events.NORMAL, "Timeout") and env.now == 3


def test_step_of_a_class_is_called(env):
    class Counting(sim.Environment):
        steps = 0

        def step(self):
            self.steps += 1
            super().step()

    counting = Counting()
    counting.timeout(1)
    assert counting.run(until=counting.timeout(2, "x")) == "x" and counting.steps == 2 and counting.now == 2
    counting.timeout(1)
    counting.run(until=2.5)
    assert counting.now == 2.5
    counting.run()
    assert counting.now == 3
    with pytest.raises(RuntimeError, match="No scheduled events left"):
        counting.run(until=counting.event())

    class Broken(sim.Environment):
        def step(self):
            raise OSError("my step")

    with pytest.raises(OSError, match="my step"):
        Broken().run(until=1)


def test_urgent_events_come_before_what_is_due(env):
    order = []

    def note(name):
        event = env.event()
        event.callbacks.append(lambda _: order.append(name))
        return event

    def process():
        env.schedule(note("normal"))
        env.schedule(note("late"), delay=1)
        env.schedule(note("urgent"), priority=events.URGENT)
        yield env.timeout(0)
        order.append("timeout")

    env.process(process())
    env.run()
    assert order == ["urgent", "normal", "timeout", "late"]
    urgent = note("until")
    env.schedule(urgent, 0)
    env.timeout(1)
    assert env.run(until=urgent) is None and env.now == 1


@pytest.mark.parametrize("arguments", [{"priority": 2}, {"priority": 0, "delay": 1}, {"priority": -1}])
def test_other_priorities_of_events_are_refused(env, arguments):
    with pytest.raises(ValueError, match=r"priority: found -?\d, allowed: 1 \(NORMAL\)"):
        env.schedule(env.event(), **arguments)


def test_events_that_set_their_inside(env):
    class Doubled(sim.Event):
        def __init__(self, env, value):
            super().__init__(env)
            assert self._value is events.PENDING and self._ok
            self._ok = True
            self._value = 2 * value
            env.schedule(self, delay=3)

    def process():
        return (yield Doubled(env, 21)), env.now

    assert env.run(until=env.process(process())) == (42, 3)
    over = env.timeout(0)
    with pytest.raises(RuntimeError, match="already been scheduled"):
        over._value = 1


@pytest.mark.parametrize("base_class", [sim.Resource, sim.PriorityResource, sim.Container, sim.Store, sim.FilterStore])
@pytest.mark.parametrize("name", ["_do_put", "_do_get"])
def test_hooks_that_nothing_calls_are_refused(env, base_class, name):
    mine = type("Mine", (base_class,), {name: lambda self, event: True})
    with pytest.raises(TypeError, match=f"Mine.{name}.*nothing would call it.*Allowed"):
        mine(env)


def test_other_names(env):
    assert core.BaseEnvironment is sim.Environment
    assert (events.URGENT, events.NORMAL) == (0, 1)
    assert isinstance(sim.PriorityResource(env).request(priority=1), resource.PriorityRequest)
    assert isinstance(sim.FilterStore(env).get(), store.FilterStoreGet) and isinstance(sim.FilterStore(env).get(), base.Get)
    assert isinstance(sim.Container(env).put(1), container.ContainerPut) and isinstance(sim.Store(env).put(1), base.Put)
    for each in (sim.Resource(env), sim.Container(env), sim.PriorityStore(env)):
        assert isinstance(each, base.BaseResource) and each._env is env
    assert not isinstance(env, base.BaseResource)
    with pytest.raises(TypeError):
        base.BaseResource()


def test_now_is_the_present_wherever_it_is_asked(env):
    seen = []
    server = sim.Station(env, service=sim.Distribution.constant(0.25))
    sim.Source(env, sim.Distribution.constant(1), server, count=3)
    sim.Source(env, sim.Distribution.constant(2), lambda: seen.append(env.now), count=1)
    env.run()
    assert seen == [2.0] and env.now == 3.25
    env.run(until=5)
    assert env.now == 5 and isinstance(env.now, int)


def test_memory_of_events_is_used_again_without_a_trace(env):
    def process():
        for _ in range(1000):
            event = env.timeout(1)
            assert event.callbacks == [] and not event.processed and event.__dict__ == {}
            event.mark = 1
            yield event | env.event()

    env.process(process())
    env.process(process())
    env.run()
    assert env.now == 1000
