"""artel.sim: what events and environments do; processes are in test_sim_processes.py."""

import gc
import random
import signal
import threading
import weakref

import pytest

from artel import sim


def test_time_stays_an_int_as_long_as_it_is_one(env):
    def process():
        yield env.timeout(2)
        assert env.now == 2 and isinstance(env.now, int)
        yield env.timeout(0.5)
        assert env.now == 2.5
        yield env.timeout(1)
        assert env.now == 3.5 and isinstance(env.now, float)

    env.run(env.process(process()))


def test_sums_of_times_are_those_of_python(env):
    dice = random.Random(3)
    times = [dice.expovariate(0.1) for _ in range(1000)]

    def process():
        total = 0.0
        for each in times:
            yield env.timeout(each)
            total += each
            assert env.now == total

    env.run(env.process(process()))


def test_events_of_one_time_happen_in_order(env):
    seen = []

    def process(name, first):
        yield env.timeout(first)
        yield env.timeout(3 - first)
        seen.append(name)

    for name, first in (("a", 1), ("b", 2), ("c", 1.5)):
        env.process(process(name, first))
    env.run()
    assert seen == ["a", "c", "b"]


def test_initial_time():
    env = sim.Environment(initial_time=10)
    assert env.now == 10
    env.run(until=12)
    assert env.now == 12
    with pytest.raises(ValueError, match="allowed: 0 and above"):
        sim.Environment(-1)


def test_run_until_a_time_leaves_what_happens_then(env):
    seen = []

    def process():
        while True:
            yield env.timeout(1)
            seen.append(env.now)

    env.process(process())
    env.run(until=3)
    assert seen == [1, 2] and env.now == 3
    env.run(until=3.5)
    assert seen == [1, 2, 3] and env.now == 3.5
    with pytest.raises(ValueError, match="must be greater"):
        env.run(until=3.5)


def test_run_until_an_event_gives_its_value(env):
    def process():
        yield env.timeout(4)
        return "done"

    assert env.run(until=env.process(process())) == "done"
    assert env.now == 4
    assert env.run(until=env.timeout(1, value="late")) == "late"


def test_run_until_an_event_that_never_comes(env):
    with pytest.raises(RuntimeError, match="No scheduled events left"):
        env.run(until=env.event())


def test_step_and_peek(env):
    assert env.peek() == float("inf")
    env.timeout(2)
    env.timeout(1)
    assert env.peek() == 1
    env.step()
    assert env.now == 1 and env.peek() == 2
    env.step()
    with pytest.raises(sim.EmptySchedule):
        env.step()


def test_event_states(env):
    event = env.event()
    assert not event.triggered and not event.processed
    with pytest.raises(AttributeError, match="not yet available"):
        event.value
    seen = []
    event.callbacks.append(lambda each: seen.append(each.value))
    assert event.succeed("value") is event
    assert event.triggered and not event.processed and event.ok and event.value == "value"
    with pytest.raises(RuntimeError, match="already been triggered"):
        event.succeed()
    env.run()
    assert event.processed and event.callbacks is None and seen == ["value"]


def test_failure_is_thrown_into_who_waits(env):
    def process():
        with pytest.raises(ValueError, match="bad"):
            yield event
        return "went on"

    event = env.event()
    process = env.process(process())
    event.fail(ValueError("bad"))
    assert env.run(process) == "went on"


def test_failure_that_nobody_hears_of_ends_the_run(env):
    env.event().fail(ValueError("unheard"))
    with pytest.raises(ValueError, match="unheard"):
        env.run()
    defused = env.event()
    defused.fail(ValueError("heard"))
    defused.defused = True
    env.run()
    with pytest.raises(ValueError, match="not an exception"):
        env.event().fail("text")


def test_exception_of_a_process_goes_to_who_waits_or_ends_the_run(env):
    def bad():
        yield env.timeout(1)
        raise KeyError("inside")

    def waits():
        try:
            yield env.process(bad())
        except KeyError as error:
            return error.args[0]

    assert env.run(env.process(waits())) == "inside"
    env.process(bad())
    with pytest.raises(KeyError, match="inside"):
        env.run()


def test_run_goes_on_after_a_failure(env):
    seen = []

    def bad():
        yield env.timeout(1)
        raise RuntimeError("stop")

    def good():
        yield env.timeout(1)
        yield env.timeout(1)
        seen.append(env.now)

    env.process(bad())
    env.process(good())
    with pytest.raises(RuntimeError, match="stop"):
        env.run()
    env.run()
    assert seen == [2]


def test_timeout_errors(env):
    with pytest.raises(ValueError, match="Negative delay -1"):
        env.timeout(-1)
    with pytest.raises(ValueError, match="nan"):
        env.timeout(float("nan"))
    with pytest.raises(TypeError):
        env.timeout("1")
    with pytest.raises(TypeError):
        env.timeout()
    with pytest.raises(TypeError, match="no argument 'until'"):
        env.timeout(1, until=2)


def test_subclasses(env):
    class Named(sim.Event):
        def __init__(self, env, name):
            super().__init__(env)
            self.name = name

    class Counting(sim.Resource):
        asked = 0

        def request(self):
            self.asked += 1
            return super().request()

    resource = Counting(env)
    resource.request()
    assert resource.asked == 1 and Named(env, "x").name == "x"

    class Forgets(sim.Event):
        def __init__(self):
            pass

    with pytest.raises(RuntimeError, match="super"):
        Forgets().succeed()


def test_run_inside_of_a_process_is_refused(env):
    def process():
        with pytest.raises(RuntimeError, match="cannot run the simulation"):
            env.run()
        with pytest.raises(RuntimeError, match="cannot run the simulation"):
            env.step()
        yield env.timeout(1)

    env.run(env.process(process()))


def test_ctrl_c_ends_a_run(env):
    def process():
        while True:
            yield env.timeout(1)

    env.process(process())
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        env.run()
    timer.join()


def test_nothing_is_left_of_an_abandoned_simulation():
    class Token:
        pass

    def user(env, resource, token):
        with resource.request() as place:
            yield place | env.timeout(1000)
            yield env.timeout(1000)

    def build():
        env = sim.Environment()
        resource = sim.Resource(env)
        token = Token()
        for _ in range(10):
            env.process(user(env, resource, token))
        sim.Station(env, service=sim.Distribution.exponential(1)).visit()
        env.run(until=10)
        return weakref.ref(token)

    token = build()
    gc.collect()
    assert token() is None


def test_long_runs_of_events_that_have_happened(env):
    done = env.timeout(0)

    def process():
        yield done
        for _ in range(100_000):
            yield done
        return env.now

    assert env.run(env.process(process())) == 0


def test_long_chains_of_conditions(env):
    event = env.event()
    for _ in range(50_000):
        event = env.event() | event
    del event
    gc.collect()
