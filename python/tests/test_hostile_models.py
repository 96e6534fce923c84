"""What no model should do: it is an exception, and never the end of Python."""

import gc
import math
import threading

import pytest

from artel import sim


def rest(env):
    """The simulation goes on as if nothing had been."""
    seen = []

    def process():
        yield env.timeout(1)
        seen.append(env.now)

    env.process(process())
    env.run()
    assert len(seen) == 1
    gc.collect()


# ---- What triggers twice

def test_process_that_ends_itself_before_it_ends(env):
    def by_succeed():
        env.active_process.succeed("mine")
        yield env.timeout(1)

    def by_schedule():
        env.schedule(env.active_process)
        return "late"
        yield

    first, second = env.process(by_succeed()), env.process(by_schedule())
    env.run()
    assert first.value == "mine" and second.processed
    rest(env)


def test_evaluate_may_trigger_its_condition(env):
    def evaluate(events, count):
        if conditions and not conditions[0].triggered:
            conditions[0].succeed("mine")
        return True

    conditions = []
    conditions.append(sim.Condition(env, evaluate, [env.timeout(1), env.timeout(2)]))
    env.run()
    assert conditions[0].value == "mine"
    rest(env)


@pytest.mark.parametrize("again", [lambda env, one: one.__init__(env, []), lambda env, one: one.__init__(env, [env.event()])])
def test_condition_begins_once(env, again):
    with pytest.raises(RuntimeError, match="begins once"):
        again(env, env.all_of([]))
    rest(env)


def test_events_of_a_condition_are_its_own(env):
    seen = []

    def evaluate(events, count):
        seen.append(events)
        with pytest.raises((TypeError, AttributeError)):
            events.append("no event")
        return count == len(events)

    condition = sim.Condition(env, evaluate, [env.timeout(1), env.timeout(2)])
    value = env.run(condition)
    value.events.append("no event")
    with pytest.raises(KeyError):
        value["no event"]
    assert len(value) == 2 and len(seen) == 2


def test_filter_may_change_the_store(env):
    store = sim.FilterStore(env)
    store.items = [1, 2, 3]

    def empties(item):
        store.items = []
        gc.collect()
        return True

    assert not store.get(empties).triggered
    store.items = [1, 2, 3]

    def shortens(item):
        del store.items[:]
        return True

    assert not store.get(shortens).triggered
    rest(env)


def test_filter_may_ask_the_store(env):
    store = sim.FilterStore(env)
    store.items = [1, 2, 3]
    calls = []

    def asks(item):
        calls.append(item)
        if len(calls) < 5:
            store.get(asks)
        return True

    store.get(asks)
    env.run()
    rest(env)


def test_comparison_may_ask_the_store(env):
    store, asked = sim.PriorityStore(env), []

    class Thing:
        def __lt__(self, other):
            if len(asked) < 9:
                asked.append(self)
                store.put(Thing())
            return True

    store.put(Thing())
    with pytest.raises(RuntimeError, match="list changed size"):  # as heapq says it
        for _ in range(3):
            store.put(Thing())
    env.run()
    rest(env)


def test_event_of_a_visit_may_be_triggered_by_another(env):
    station = sim.Station(env, service=sim.Distribution.constant(2.0))
    visit = station.visit()
    visit.succeed("mine")
    env.run()
    assert visit.value == "mine"
    rest(env)


def test_urgent_event_whose_value_is_taken_away(env):
    event = env.event()
    env.schedule(event, priority=0)
    event._value = sim.events.PENDING

    def process():
        return (yield event)

    assert env.run(env.process(process())) is None
    rest(env)


# ---- Objects that were not made, or are kept too long

TYPES = [getattr(sim, name) for name in sim.__all__ if isinstance(getattr(sim, name), type)]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_objects_that_were_not_made(kind, env):
    try:
        made = kind.__new__(kind)
    except TypeError:
        return
    for name in dir(made):
        if name in ("__class__", "__init_subclass__", "__subclasshook__"):
            continue
        try:
            found = getattr(made, name)
            if callable(found) and not name.startswith("__"):
                found()
        except Exception:
            pass
    for use in (lambda: repr(made), lambda: env.any_of([made]), lambda: sim.Store(env).put(made), lambda: sim.Station(made),
                lambda: sim.Resource(made).request(), lambda: sim.Container(made).put(1), lambda: sim.Store(made).put(1),
                lambda: sim.Source(env, sim.Distribution.constant(1.0), made), lambda: sim.Event(made).succeed(),
                lambda: sim.Timeout(made, 1), lambda: made & env.event(), lambda: env.run(made), lambda: env.schedule(made),
                lambda: sim.Resource(env).release(made), lambda: sim.Distribution.constant(1.0)(made), lambda: len(made),
                lambda: sim.Station(env).route([(1.0, made)]), lambda: sim.Process(made, iter(())), lambda: made(made),
                lambda: env.event().callbacks.append(made), lambda: env.event().trigger(made)):
        try:
            use()
        except Exception:
            pass
    del made
    rest(env)


def test_callbacks_may_be_anything(env):
    for each in (None, 3, "x", sim.Process.__new__(sim.Process), sim.AnyOf.__new__(sim.AnyOf), env.event(), env):
        event = env.event()
        event.callbacks.append(each)
        event.succeed()
        try:
            env.run()
        except TypeError as error:
            assert "callable" in str(error)
    rest(env)


def test_objects_outlive_their_simulation():
    def model():
        env = sim.Environment()
        resource, store, station = sim.Resource(env), sim.Store(env), sim.Station(env, service=sim.Distribution.constant(1.0))
        process = env.process((lambda: (yield env.event()))())
        request, waits, get, visit = resource.request(), resource.request(), store.get(), station.visit()
        env.run(until=0.5)
        return [resource, store, station, process, request, waits, get, visit, env.timeout(1), env.any_of([waits])]

    kept = model()
    gc.collect()
    resource, store, station, process, request, waits, get, visit, timeout, either = kept
    process.interrupt("late")
    waits.cancel()
    resource.release(request)
    store.put(3)
    assert station.figures["arrived"] == 1 and station.visit() is not None
    with pytest.raises(RuntimeError):
        timeout.succeed()
    with pytest.raises(sim.Interrupt):
        timeout.env.run()
    timeout.env.run()
    assert timeout.processed and get.value == 3 and visit.value == 1.0


def test_a_chain_of_environments_in_one_another():
    outer, inner = sim.Environment(), sim.Environment()

    def process():
        yield outer.timeout(1)
        inner.process((lambda: (yield inner.timeout(2)))())
        inner.run()
        yield inner.timeout(1)

    outer.process(process())
    with pytest.raises(RuntimeError, match="another environment"):
        outer.run()
    assert (outer.now, inner.now) == (1, 2)
    rest(outer)


# ---- Stations

def test_routes_lead_to_stations_that_can_serve(env):
    first, bare = sim.Station(env, service=sim.Distribution.constant(1.0)), sim.Station(env)
    elsewhere = sim.Station(sim.Environment(), service=sim.Distribution.constant(1.0))
    for station in (bare, elsewhere, sim.Station.__new__(sim.Station)):
        with pytest.raises(ValueError, match="of its own environment"):
            first.route([(1.0, station)])
    with pytest.raises(ValueError, match="is of that environment"):
        sim.Source(env, sim.Distribution.constant(1.0), elsewhere)
    bare.route([(1.0, first)])
    assert env.run(bare.visit(3)) == 4
    rest(env)


def test_station_needs_an_environment_that_was_made():
    empty = sim.Environment.__new__(sim.Environment)
    with pytest.raises(RuntimeError, match="was made"):
        sim.Station(empty)
    with pytest.raises(RuntimeError, match="was made"):
        sim.Source(empty, sim.Distribution.constant(1.0), print)


@pytest.mark.parametrize("call", [
    lambda env: sim.Station(env, servers=0), lambda env: sim.Station(env, servers=10**30), lambda env: sim.Station(env, room=-1),
    lambda env: sim.Station(env, seed=-1), lambda env: sim.Station(env, seed=2**64), lambda env: sim.Station(env, room=math.nan),
    lambda env: sim.Station(env, service=3), lambda env: sim.Station(env).visit(math.nan), lambda env: sim.Station(env).visit(-1),
    lambda env: sim.Station(env).visit(), lambda env: sim.Station(env).route(3), lambda env: sim.Station(env).route([(math.nan, None)]),
    lambda env: sim.Station(env).route([3]), lambda env: sim.Source(env, 3, print), lambda env: sim.Station(env, name="a\0b"),
    lambda env: sim.Source(env, sim.Distribution.constant(1.0), print, count=-1), lambda env: env.timeout(math.nan),
    lambda env: env.timeout("1"), lambda env: env.timeout(None), lambda env: env.timeout(-1), lambda env: env.timeout(10**400),
    lambda env: env.run(until=math.nan), lambda env: env.run(until="x"), lambda env: env.run(until=-1), lambda env: env.run(until=[]),
    lambda env: sim.Environment(math.nan), lambda env: sim.Environment(math.inf), lambda env: sim.Environment("now"),
    lambda env: sim.Resource(env, 0), lambda env: sim.Resource(env, 1.5), lambda env: sim.Resource(None), lambda env: sim.Resource(env, 10**30),
    lambda env: sim.Container(env, math.nan), lambda env: sim.Container(env, 1, 2), lambda env: sim.Container(env).put(math.nan),
    lambda env: sim.Container(env).put("1"), lambda env: sim.Container(env).get(-1), lambda env: sim.Store(env, 0), lambda env: sim.Store(env, "x"),
    lambda env: env.process(3), lambda env: env.process(None), lambda env: env.any_of(3), lambda env: env.any_of([3]), lambda env: env.all_of(None),
    lambda env: env.event().fail(3), lambda env: env.event().trigger(3), lambda env: env.schedule(3), lambda env: env.schedule(env.timeout(1)),
    lambda env: sim.Distribution.exponential(math.nan), lambda env: sim.Distribution.exponential(-1), lambda env: sim.Distribution.uniform(2, 1),
    lambda env: sim.Distribution.constant(math.inf), lambda env: sim.Distribution.erlang(0, 1.0), lambda env: sim.Distribution.empirical([]),
    lambda env: sim.Distribution.empirical([math.nan]), lambda env: sim.Distribution.empirical("ab"), lambda env: sim.Distribution.empirical(3),
    lambda env: sim.Distribution.pareto(0, 1, 2), lambda env: sim.Distribution.gamma(math.inf, 1), lambda env: sim.Distribution(),
    lambda env: sim.Distribution.constant(1.0)(3), lambda env: sim.Distribution.constant(1.0).quantile(math.nan),
    lambda env: sim.Stream(-1), lambda env: sim.Stream(1, 3), lambda env: sim.Stream().below(0), lambda env: sim.Stream().below(-1),
    lambda env: sim.Stream().below(1.5), lambda env: sim.Stream().uniform(1), lambda env: sim.RealtimeEnvironment(factor=math.nan),
])
def test_wrong_values_are_refused(env, call):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        call(env)
    rest(env)


@pytest.mark.parametrize("delay", [1e308, math.inf, 2**1000, 5e-324, 10**18])
def test_extreme_delays(env, delay):
    timeouts = [env.timeout(delay), env.timeout(delay), env.timeout(0)]
    station = sim.Station(env, servers=1)
    visits = [station.visit(delay) for _ in range(3)]
    env.run()
    assert all(each.processed for each in timeouts + visits) and env.now >= 0
    assert station.figures["response"]["count"] <= 3


# ---- Exceptions, threads, forks

@pytest.mark.parametrize("thrown", [SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, StopIteration, RecursionError])
def test_exceptions_of_processes(env, thrown):
    def process():
        yield env.timeout(1)
        raise thrown()

    env.process(process())
    with pytest.raises(BaseException) as caught:
        env.run()
    assert isinstance(caught.value, (thrown, RuntimeError))
    rest(env)


def test_generators_that_will_not_end(env):
    over = []

    def stubborn():
        while not over:
            try:
                yield env.timeout(1)
            except BaseException:
                pass

    process = env.process(stubborn())
    env.run(until=3)
    process.interrupt()
    env.run(until=5)
    over.append(True)
    env.run()
    assert not process.is_alive


def test_one_generator_in_two_processes(env):
    generator = (lambda: [(yield env.timeout(1)), (yield env.timeout(1))])()
    env.process(generator)
    env.process(generator)
    try:
        env.run()
    except (StopIteration, RuntimeError, ValueError):
        pass
    rest(env)


def test_two_threads_in_one_simulation(env):
    refused = []

    def process():
        for _ in range(200):
            yield env.timeout(1)

    def run():
        for _ in range(50):
            try:
                env.run(until=env.now + 1)
            except RuntimeError as error:
                refused.append(str(error))
            except ValueError:  # the other one was faster
                pass

    def tell():
        thread = threading.Thread(target=lambda: errors.append(pytest.raises(RuntimeError, env.run)))
        thread.start()
        thread.join()
        yield env.timeout(1)

    errors = []
    env.process(process())
    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all("run the simulation that runs it" in each for each in refused)
    env.process(tell())
    env.run()
    assert len(errors) == 1
    rest(env)
