"""RealtimeEnvironment: events come no sooner than their time on the wall."""

import math
import time

import pytest

from artel import sim


def ticks(env, seen, gap=1):
    while True:
        yield env.timeout(gap)
        seen.append(env.now)


def timed(run):
    begin = time.monotonic()
    run()
    return time.monotonic() - begin


def test_events_wait_for_their_time():
    env = sim.RealtimeEnvironment(factor=0.02, strict=False)
    seen = []
    env.process(ticks(env, seen))
    assert timed(lambda: env.run(until=4)) >= 4 * 0.02
    assert seen == [1, 2, 3] and env.now == 4


def test_time_begins_where_the_environment_does():
    env = sim.RealtimeEnvironment(initial_time=1000, factor=0.02, strict=False)
    seen = []
    env.process(ticks(env, seen))
    assert timed(lambda: env.run(until=1003)) >= 3 * 0.02
    assert seen == [1001, 1002]


def test_a_run_goes_on_where_the_last_one_ended():
    env = sim.RealtimeEnvironment(factor=0.02, strict=False)
    seen = []
    env.process(ticks(env, seen))
    env.run(until=2)
    time.sleep(0.1)
    env.sync()                                            # what was spent outside does not count
    assert timed(lambda: env.run(until=5)) >= 3 * 0.02 * 0.99
    assert seen == [1, 2, 3, 4]


def test_until_an_event_gives_its_value():
    env = sim.RealtimeEnvironment(factor=0.01, strict=False)
    assert env.run(until=env.timeout(3, value="done")) == "done"
    assert env.now == 3
    with pytest.raises(RuntimeError):
        env.run(until=env.event())                        # nothing is left that could trigger it


def test_until_nothing_is_left():
    env = sim.RealtimeEnvironment(factor=0, strict=False)
    env.timeout(7)
    env.run()
    assert env.now == 7
    with pytest.raises(sim.EmptySchedule):
        env.step()


def test_strict_complains_of_steps_that_are_late():
    def slow(env):
        yield env.timeout(1)
        time.sleep(0.1)
        yield env.timeout(1)

    for strict in (True, False):
        env = sim.RealtimeEnvironment(factor=0.01, strict=strict)
        env.process(slow(env))
        if strict:
            with pytest.raises(RuntimeError, match="too slow for real time"):
                env.run()
        else:
            env.run()
            assert env.now == 2


@pytest.mark.parametrize("factor", [-1, math.inf, math.nan])
def test_a_factor_that_is_none_is_refused(factor):
    with pytest.raises(ValueError, match="factor: found .*, allowed: 0 and above"):
        sim.RealtimeEnvironment(factor=factor)


def test_the_past_is_refused():
    env = sim.RealtimeEnvironment(factor=0)
    with pytest.raises(ValueError, match="must be greater"):
        env.run(until=0)
