"""What is measured while a model runs."""

import math
import statistics

import pytest

from artel import sim


def test_tally():
    tally = sim.Tally()
    assert tally.count == 0 and math.isnan(tally.mean) and math.isnan(tally.variance)
    numbers = [3, 1, 4, 1, 5, 9, 2, 6]
    for number in numbers:
        tally.add(number)
    assert tally.mean == pytest.approx(statistics.mean(numbers))
    assert tally.variance == pytest.approx(statistics.variance(numbers))
    assert tally.stddev == pytest.approx(statistics.stdev(numbers))
    assert (tally.count, tally.min, tally.max) == (8, 1, 9)
    tally.reset()
    assert tally.count == 0 and tally.max == -math.inf


def test_level_is_weighted_by_time():
    env = sim.Environment()
    level = sim.Level(env)

    def process():
        level.add(4)
        yield env.timeout(1)
        level.add(-3)
        yield env.timeout(3)

    env.process(process())
    assert level.mean == 0
    env.run()
    assert level.mean == pytest.approx((4 * 1 + 1 * 3) / 4)
    assert (level.value, level.min, level.max) == (1, 0, 4)
    level.reset()
    env.run(until=10)
    assert level.mean == 1 and level.max == 1


def test_condition_with_a_rule_of_its_own():
    env = sim.Environment()
    events = [env.timeout(delay, delay) for delay in (1, 2, 3)]
    two = sim.Condition(env, lambda all, count: count >= 2, events)
    assert list(env.run(two).values()) == [1, 2] and env.now == 2
    bad = sim.Condition(env, lambda all, count: 1 / 0, [env.timeout(1)])
    with pytest.raises(ZeroDivisionError):
        env.run(bad)
