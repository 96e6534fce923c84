"""artel.sim: what events, processes, resources, containers and stores do."""

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


def test_process_returns_a_value_and_is_an_event(env):
    def child():
        yield env.timeout(1)
        return 7

    def parent():
        process = env.process(child())
        assert process.is_alive and process.name == "child"
        first = yield process
        again = yield process  # has happened: goes on at once
        return first, again, env.now

    assert env.run(env.process(parent())) == (7, 7, 1)


def test_yield_of_what_is_no_event(env):
    def process():
        yield 1

    env.process(process())
    with pytest.raises(RuntimeError, match="yielded 1"):
        env.run()
    other = sim.Environment()

    def stranger():
        yield other.timeout(1)

    env.process(stranger())
    with pytest.raises(RuntimeError, match="another environment"):
        env.run()


def test_process_needs_a_generator(env):
    with pytest.raises(ValueError, match="not a generator"):
        env.process(lambda: None)


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


def test_interrupt(env):
    def sleeper():
        try:
            yield env.timeout(10)
        except sim.Interrupt as interrupt:
            assert interrupt.cause == "wake up" and env.now == 3
        yield env.timeout(1)
        return env.now

    def waker(process):
        yield env.timeout(3)
        process.interrupt("wake up")
        with pytest.raises(RuntimeError, match="not allowed to interrupt itself"):
            env.active_process.interrupt()

    process = env.process(sleeper())
    env.process(waker(process))
    assert env.run(process) == 4
    with pytest.raises(RuntimeError, match="has terminated"):
        process.interrupt()


def test_interrupted_process_may_wait_for_the_same_again(env):
    def sleeper():
        target = env.timeout(5)
        while True:
            try:
                yield target
                return env.now
            except sim.Interrupt:
                pass

    process = env.process(sleeper())

    def waker():
        for _ in range(3):
            yield env.timeout(1)
            process.interrupt()

    env.process(waker())
    assert env.run(process) == 5


def test_active_process_and_target(env):
    def process():
        assert env.active_process is mine
        yield waits
        assert env.active_process is mine

    waits = env.timeout(1)
    mine = env.process(process())
    assert env.active_process is None
    env.step()
    assert mine.target is waits and env.active_process is None
    env.run()


def test_conditions(env):
    def process():
        first, second = env.timeout(1, "one"), env.timeout(2, "two")
        result = yield first | second
        assert first in result and second not in result and result[first] == "one" and env.now == 1
        with pytest.raises(KeyError):
            result[second]
        third = env.timeout(2, "three")
        result = yield second & third
        assert list(result.values()) == ["two", "three"] and env.now == 3
        assert result == {second: "two", third: "three"} and len(result) == 2
        assert (yield env.all_of([])) == {} and (yield env.any_of([])) == {}
        nested = yield (env.timeout(1, "a") | env.event()) & env.timeout(2, "b")
        assert sorted(nested.values()) == ["a", "b"]
        return env.now

    assert env.run(env.process(process())) == 5


def test_condition_fails_with_the_first_failure(env):
    def process():
        event = env.event()
        event.fail(ValueError("first"))
        try:
            yield env.all_of([event, env.timeout(5)])
        except ValueError as error:
            return str(error), env.now

    assert env.run(env.process(process())) == ("first", 0)
    with pytest.raises(ValueError, match="one environment"):
        env.timeout(1) | sim.Environment().timeout(1)


def test_resource_serves_in_order(env):
    resource = sim.Resource(env, capacity=2)
    seen = []

    def user(name):
        with resource.request() as place:
            yield place
            seen.append((name, env.now, resource.count, len(resource.queue), resource.waiting))
            assert place.usage_since == env.now
            yield env.timeout(1)

    for name in "abcd":
        env.process(user(name))
    env.run()
    assert seen == [("a", 0, 2, 2, 2), ("b", 0, 2, 2, 2), ("c", 1, 2, 0, 0), ("d", 1, 2, 0, 0)]
    assert resource.count == 0 and resource.capacity == 2 and resource.users == []


def test_resource_errors(env):
    with pytest.raises(ValueError, match="must be > 0"):
        sim.Resource(env, capacity=0)
    with pytest.raises(TypeError, match="PriorityResource"):
        sim.Resource(env).request(priority=1)
    with pytest.raises(TypeError, match="what request"):
        sim.Resource(env).release(env.event())
    with pytest.raises(TypeError):
        sim.Resource(None)
    with pytest.raises(RuntimeError, match="no environment"):
        sim.Resource.__new__(sim.Resource).request()


def test_request_is_given_up(env):
    resource = sim.Resource(env)

    def holds():
        with resource.request() as place:
            yield place
            yield env.timeout(10)

    def gives_up():
        with resource.request() as place:
            result = yield place | env.timeout(2)
            assert place not in result
        assert resource.queue == []
        second = resource.request()
        second.cancel()
        assert resource.queue == []

    env.process(holds())
    env.process(gives_up())
    env.run()
    assert resource.count == 0


def test_release_by_hand(env):
    resource = sim.Resource(env)

    def first():
        place = resource.request()
        yield place
        yield env.timeout(1)
        yield resource.release(place)
        return env.now

    def second():
        place = resource.request()
        yield place
        return env.now

    one, two = env.process(first()), env.process(second())
    env.run()
    assert (one.value, two.value) == (1, 1)


def test_priority_resource(env):
    resource = sim.PriorityResource(env)
    seen = []

    def user(name, delay, priority):
        yield env.timeout(delay)
        with resource.request(priority=priority) as place:
            yield place
            seen.append((name, env.now))
            yield env.timeout(3)

    for name, delay, priority in (("a", 0, 1), ("b", 1, 2), ("c", 2, 0), ("d", 2, 2)):
        env.process(user(name, delay, priority))
    env.run()
    assert seen == [("a", 0), ("c", 3), ("b", 6), ("d", 9)]


def test_preemptive_resource(env):
    resource = sim.PreemptiveResource(env)
    seen = []

    def user(name, delay, priority, preempt=True):
        yield env.timeout(delay)
        with resource.request(priority=priority, preempt=preempt) as place:
            yield place
            try:
                yield env.timeout(3)
                seen.append((name, "done", env.now))
            except sim.Interrupt as interrupt:
                assert isinstance(interrupt.cause, sim.Preempted) and interrupt.cause.resource is resource
                seen.append((name, "lost its place", env.now, interrupt.cause.usage_since))

    env.process(user("a", 0, 1))
    env.process(user("b", 1, 0))
    env.process(user("c", 2, -1, preempt=False))
    env.run()
    assert seen == [("a", "lost its place", 1, 0), ("b", "done", 4), ("c", "done", 7)]


def test_container(env):
    tank = sim.Container(env, capacity=10, init=2)
    seen = []

    def takes():
        yield tank.get(5)
        seen.append(("took", env.now, tank.level))

    def brings():
        yield env.timeout(1)
        yield tank.put(4)
        yield env.timeout(1)
        yield tank.put(9)
        seen.append(("brought", env.now, tank.level))

    env.process(takes())
    env.process(brings())
    env.run()
    assert seen == [("took", 1, 1), ("brought", 2, 10)]
    with pytest.raises(ValueError, match="must be > 0"):
        tank.put(0)
    with pytest.raises(ValueError, match="init"):
        sim.Container(env, capacity=1, init=2)


def test_store_is_a_queue(env):
    store = sim.Store(env, capacity=2)
    seen = []

    def producer():
        for number in range(4):
            yield store.put(number)
            seen.append(("put", number, env.now))

    def consumer():
        while True:
            yield env.timeout(1)
            number = yield store.get()
            seen.append(("got", number, env.now))

    env.process(producer())
    env.process(consumer())
    env.run(until=10)
    assert [each for each in seen if each[0] == "got"] == [("got", n, n + 1) for n in range(4)]
    assert [each[2] for each in seen if each[0] == "put"] == [0, 0, 1, 2]


def test_filter_store_lets_others_pass(env):
    store = sim.FilterStore(env)

    def wants(number):
        got = yield store.get(lambda item: item == number)
        return got, env.now

    two, one = env.process(wants(2)), env.process(wants(1))

    def brings():
        yield env.timeout(1)
        yield store.put(1)
        yield env.timeout(1)
        yield store.put(2)

    env.process(brings())
    env.run()
    assert one.value == (1, 1) and two.value == (2, 2)


def test_priority_store(env):
    store = sim.PriorityStore(env)
    for priority, item in ((3, "c"), (1, "a"), (2, "b")):
        store.put(sim.PriorityItem(priority, item))

    def takes():
        return [(yield store.get()).item, (yield store.get()).item, (yield store.get()).item]

    assert env.run(env.process(takes())) == ["a", "b", "c"]


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


def test_processes_end_as_they_go():
    env = sim.Environment()
    alive = []

    class Token:
        pass

    def customer(token):
        alive.append(weakref.ref(token))
        yield env.timeout(1)

    def street():
        for _ in range(100):
            env.process(customer(Token()))
            yield env.timeout(0.1)

    env.process(street())
    gc.disable()
    try:
        env.run()
        assert sum(each() is not None for each in alive) == 0
    finally:
        gc.enable()


def test_long_runs_of_events_that_have_happened(env):
    done = env.timeout(0)

    def process():
        yield done
        for _ in range(100_000):
            yield done
        return env.now

    assert env.run(env.process(process())) == 0


@pytest.mark.parametrize("runs", [True, False])
def test_long_chains_of_processes(runs):
    def waits(inner):
        yield inner

    env = sim.Environment()
    first = last = env.event()
    for _ in range(50_000):
        last = env.process(waits(last))
    env.run(until=1)
    if runs:
        first.succeed()
        env.run()
        assert not last.is_alive and last.target is None
    del env, first, last
    gc.collect()


def test_long_chains_of_conditions(env):
    event = env.event()
    for _ in range(50_000):
        event = env.event() | event
    del event
    gc.collect()
