"""Chains, finalizers, threads and numbers of all kinds in the objects of artel.sim, and conditions that are left behind."""

import fractions
import gc
import subprocess
import sys
import threading
import time
import weakref

import pytest

from artel import sim

LENGTH = 50_000


# ---- Long chains

def values(env):
    last = env.event()
    for _ in range(LENGTH):
        last = env.event().succeed(last)
    env.run()
    return last


def timeouts(env):
    last = None
    for _ in range(LENGTH):
        last = env.timeout(1, last)
    env.run()
    return last


def puts(env):
    store, last = sim.Store(env), None
    for _ in range(LENGTH):
        last = store.put(last)
        store.items.clear()
    env.run()
    return last


def gets(env):
    store, last = sim.FilterStore(env), None
    for _ in range(LENGTH):
        store.items = [last]
        last = store.get()
    env.run()
    return last


def requests(env):
    resource, last = sim.PriorityResource(env), 0
    for _ in range(LENGTH):
        last = resource.request(priority=last)
        resource.release(last)
        env.run()
    return last


def stations(env):
    last = None
    for _ in range(LENGTH):
        station = sim.Station(env, service=sim.Distribution.constant(1.0))
        if last is not None:
            station.route([(1.0, last)])
        last = station
    return last


@pytest.mark.parametrize("make", [values, timeouts, puts, gets, requests, stations], ids=lambda make: make.__name__)
def test_long_chains_end(make):
    """In a process of its own, with a small stack: what it guards against is the end of Python."""
    done = subprocess.run(["sh", "-c", "ulimit -s 1024; exec \"$@\"", "sh", sys.executable, "-c", f"import sys; sys.path.insert(0, {str(__file__.rsplit('/', 1)[0])!r})\n"
                           f"import test_hostile_objects as here\nlast = here.{make.__name__}(here.sim.Environment())\n"
                           "del last\nhere.gc.collect()\nprint('over')"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr


# ---- Code that runs when objects end

class Ends:
    def __init__(self, env, seen):
        self.env, self.seen = env, seen

    def __del__(self):
        self.seen.append(self.env.now)


def test_finalizers_see_the_time(env):
    seen = []
    station = sim.Station(env, service=sim.Distribution.constant(2.0))
    visit = station.visit()
    visit.ends = Ends(env, seen)
    visit.succeed()
    refused = sim.Station(env, room=0)
    refused.visit(1)
    refused.visit(1).ends = Ends(env, seen)
    source = sim.Source(env, sim.Distribution.constant(3.0), station, count=1)
    source.ends = Ends(env, seen)
    other = sim.Station(env)
    other.visit(4)
    other.ends = Ends(env, seen)
    del visit, source, other
    env.run()
    assert seen == [0, 2, 3, 4]


def test_a_resource_released_while_it_grants_is_let_go(env):
    resource = sim.PreemptiveResource(env)

    class Priority:
        def __lt__(self, other):
            if armed:
                armed.clear()
                resource.release(third)
            return False

    armed = []
    first, second = resource.request(priority=Priority()), resource.request(priority=Priority())
    third = resource.request(priority=Priority())
    third.cancel()
    other = sim.Resource(env).request()
    resource.release(other)
    armed.append(True)
    env.run()
    assert not armed and resource.users == [first] and resource.queue == [second]
    before = sys.getrefcount(resource)
    for _ in range(9):
        armed.append(True)
        resource.release(other)
        env.run()
        assert not armed
    assert sys.getrefcount(resource) == before


# ---- Threads

ENDLESS = """
import threading, time
from artel import sim
def stations():
    env = sim.Environment()
    sim.Source(env, sim.Distribution.constant(1.0), sim.Station(env, service=sim.Distribution.constant(0.5)))
    started.set()
    env.run()
def generators():
    env = sim.Environment()
    def process():
        while True:
            yield env.timeout(1)
    env.process(process())
    started.set()
    env.run()
started = threading.Event()
"""


@pytest.mark.parametrize("model", ["stations", "generators"])
def test_python_ends_while_a_daemon_thread_simulates(model):
    code = ENDLESS + f"threading.Thread(target={model}, daemon=True).start()\nstarted.wait()\ntime.sleep(0.1)\nprint('over')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "over\n", "")


def test_other_threads_run_beside_stations():
    """They may ask the simulation meanwhile, too."""
    env = sim.Environment()
    station = sim.Station(env, service=sim.Distribution.constant(0.5))
    source = sim.Source(env, sim.Distribution.constant(1.0), station)
    over, seen = [], []

    def stop():
        while env.now < 10_000:
            time.sleep(0)
        seen.append((source.sent > 9_000, station.figures["arrived"] > 9_000, env.peek() > 9_000))
        env.process(ends())

    def ends():
        over.append(env.now)
        raise KeyError("over")
        yield

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(KeyError):
        env.run()
    thread.join()
    assert over[0] >= 10_000 and seen == [(True, True, True)]


# ---- Numbers

class Whole:
    """What numpy's integers are: no int, but with a value of one."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def test_whole_numbers_of_any_kind(env):
    law = sim.Distribution.constant(1.0)
    assert sim.Stream(Whole(3), "a", Whole(2)).random() == sim.Stream(3, "a", 2).random()
    assert sim.Stream(3).below(Whole(9)) == sim.Stream(3).below(9)
    assert sim.Distribution.erlang(Whole(3), 1.0).scv == sim.Distribution.erlang(3, 1.0).scv
    station = sim.Station(env, servers=Whole(1), service=law, room=Whole(1), seed=Whole(1))
    assert sim.Source(env, law, station, count=Whole(2), seed=Whole(5)).sent == 0
    for wrong in (Whole(-1), Whole(2**64), 1.0, "1", None):
        for call in (lambda: sim.Stream(wrong), lambda: sim.Stream(3).below(wrong), lambda: sim.Station(env, seed=wrong),
                     lambda: sim.Source(env, law, station, seed=wrong), lambda: sim.Distribution.erlang(wrong, 1.0)):
            with pytest.raises((TypeError, OverflowError, ValueError)):
                call()


@pytest.mark.parametrize("phases", [-1, 0, 1_000_001, 2**32, 2**32 + 1, 2**70])
def test_phases_are_not_cut(phases):
    with pytest.raises((ValueError, OverflowError)):
        sim.Distribution.erlang(phases, 1.0)


def test_amounts_that_are_no_numbers(env):
    class Odd:
        def __init__(self, floats):
            self.floats = floats

        def __float__(self):
            self.floats -= 1
            if self.floats < 0:
                raise KeyError("float")
            return 1.0

        def __radd__(self, other):
            return "no number"

    container = sim.Container(env)
    with pytest.raises(KeyError):
        container.put(Odd(1))
    with pytest.raises(TypeError):
        container.put(Odd(9))
    container.put(fractions.Fraction(1, 3))
    assert container.level == fractions.Fraction(1, 3) and not container.put_queue
    late = container.get(Odd(2))
    container.put(3)
    with pytest.raises(KeyError):
        env.run()
    late.cancel()
    env.run()


# ---- What is left of conditions of conditions

def test_a_failure_that_somebody_hears_of_is_none_of_what_is_left(env):
    """As in SimPy: who has gone on without a condition does not hear of its failure, and nobody else does."""
    broken, heard = env.event(), []

    def goes_on(condition):
        yield condition | env.timeout(1)
        heard.append("goes on")

    def hears():
        try:
            yield broken
        except ValueError:
            heard.append("hears")

    kept = broken & env.event()
    env.process(goes_on(broken & env.event()))
    env.process(goes_on(kept))
    env.process(goes_on((broken & env.event()) & env.event()))
    env.process(hears())
    env.run(until=2)
    broken.fail(ValueError("broken"))
    env.run()
    assert heard == ["goes on"] * 3 + ["hears"]
    with pytest.raises(ValueError):
        env.run(env.process(goes_on(kept)))


def test_a_failure_that_nobody_hears_of_is_raised_whatever_is_left(env):
    broken = env.event()
    kept = broken & env.event()
    env.run(kept | env.timeout(1))
    broken.fail(ValueError("broken"))
    with pytest.raises(ValueError):
        env.run()


def test_what_is_left_may_be_waited_for_again(env):
    first, second = env.event(), env.event()
    both = first & second
    env.run(both | env.timeout(1))
    first.succeed(1)
    second.succeed(2)
    assert list(env.run(both).values()) == [1, 2]


def test_nothing_is_left_at_an_event_that_lasts(env):
    lasting = env.event()

    def process():
        for _ in range(100):
            yield (env.event() & lasting) | env.timeout(1)

    env.run(env.process(process()))
    assert len(lasting.callbacks) == 0


def test_collected_stations_say_so():
    """Code that runs while the collector takes a simulation apart."""
    seen = []

    def model():
        env = sim.Environment()
        station = sim.Station(env)

        class Ends:
            __slots__ = ()

            def __del__(self):
                for use in (lambda: station.figures, station.reset, lambda: station.visit(1)):
                    try:
                        use()
                    except RuntimeError as error:
                        seen.append(error)

        env.ends = Ends()
        env.round = env
        return weakref.ref(Ends)

    model()
    gc.collect()
    assert all("was not made" in str(error) for error in seen)


# ---- The end of run(until=event)

def test_what_begins_with_the_awaited_event_begins_in_the_next_run(env):
    """As in SimPy."""
    seen = []

    def other():
        seen.append(env.now)
        yield env.timeout(1)

    def process():
        yield env.timeout(1)

    awaited = env.process(process())
    awaited.callbacks.append(lambda event: env.process(other()))
    env.run(awaited)
    assert seen == [] and env.peek() == 1
    env.run(env.timeout(0))
    assert seen == [1]
    urgent = env.event()
    env.schedule(urgent, sim.events.URGENT)
    env.process(other())
    env.run(urgent)
    assert seen == [1]
    env.step()
    assert seen == [1, 1]
