"""Stations, sources, streams and distributions in C++."""

import math

import pytest

from artel import sim


def test_mm1_is_as_theory_says():
    env = sim.Environment()
    server = sim.Station(env, service=sim.Distribution.exponential(1.0), seed=1)
    sim.Source(env, sim.Distribution.exponential(1 / 0.5), server, count=200_000, seed=2)
    env.run()
    figures = server.figures
    assert figures["arrived"] == figures["response"]["count"] == 200_000
    assert figures["response"]["mean"] == pytest.approx(2.0, rel=0.05)
    assert figures["response"]["p99"] == pytest.approx(9.21, rel=0.07)
    assert figures["utilisation"] == pytest.approx(0.5, rel=0.02)
    assert figures["queue"] == pytest.approx(0.5, rel=0.08)
    assert figures["wait"]["mean"] == pytest.approx(1.0, rel=0.08)
    assert server.busy == server.waiting == 0


def test_same_seed_same_figures():
    def run(seed):
        env = sim.Environment()
        server = sim.Station(env, servers=2, service=sim.Distribution.erlang(2, 1.0), seed=seed)
        sim.Source(env, sim.Distribution.exponential(0.6), server, count=1000, seed=seed)
        env.run()
        return server.figures

    assert run(5) == run(5) != run(6)


def test_processes_visit_stations():
    env = sim.Environment()
    station = sim.Station(env)
    seen = []

    def customer(name, service):
        time = yield station.visit(service)
        seen.append((name, env.now, time))

    for name, service in (("a", 2), ("b", 1), ("c", 0)):
        env.process(customer(name, service))
    env.run()
    assert seen == [("a", 2, 2), ("b", 3, 3), ("c", 3, 3)]


def test_room():
    env = sim.Environment()
    station = sim.Station(env, service=sim.Distribution.constant(1), room=1)
    visits = [station.visit() for _ in range(3)]
    env.run()
    assert [each.value for each in visits] == [1.0, 2.0, None]
    assert station.figures["refused"] == 1


def test_tandem_and_routing():
    env = sim.Environment()
    last = sim.Station(env, service=sim.Distribution.constant(2))
    first = sim.Station(env, service=sim.Distribution.constant(1))
    first.route([(1.0, last)])
    blocker, visit = first.visit(), first.visit()
    env.run(blocker & visit)
    assert env.now == 5
    assert (blocker.value, visit.value) == (3, 5)  # with both stations, and what was waited for
    assert last.figures["response"]["max"] == 3

    env = sim.Environment()
    ends = [sim.Station(env, service=sim.Distribution.constant(0)) for _ in range(2)]
    split = sim.Station(env, service=sim.Distribution.constant(0))
    split.route([(0.25, ends[0]), (0.5, ends[1])])
    sim.Source(env, sim.Distribution.constant(1), split, count=10_000)
    env.run()
    counts = [each.figures["arrived"] for each in ends]
    assert counts[0] == pytest.approx(2500, rel=0.1) and counts[1] == pytest.approx(5000, rel=0.1)


def test_source_calls_a_function_and_runs_generators():
    env = sim.Environment()
    seen = []

    def customer():
        yield env.timeout(0.5)
        seen.append(env.now)

    source = sim.Source(env, sim.Distribution.constant(1), customer, count=3)
    env.run()
    assert seen == [1.5, 2.5, 3.5] and source.sent == 3


def test_exception_of_a_source_function():
    env = sim.Environment()

    def bad():
        raise RuntimeError("bad source")

    sim.Source(env, sim.Distribution.constant(1), bad)
    with pytest.raises(RuntimeError, match="bad source"):
        env.run()


def test_endless_source_and_warm_up():
    env = sim.Environment()
    station = sim.Station(env, service=sim.Distribution.constant(0.5))
    sim.Source(env, sim.Distribution.constant(1), station)
    env.run(until=100.25)
    station.reset()
    env.run(until=200.25)
    assert station.figures["arrived"] == 100
    assert station.figures["utilisation"] == pytest.approx(0.5)


def test_errors():
    env = sim.Environment()
    law = sim.Distribution.constant(1)
    with pytest.raises(ValueError, match="servers: found 0"):
        sim.Station(env, servers=0)
    with pytest.raises(TypeError, match="a Distribution"):
        sim.Station(env, service=1.0)
    with pytest.raises(ValueError, match="service"):
        sim.Station(env).visit()
    with pytest.raises(ValueError, match="service"):
        sim.Station(env, service=law).visit(-1)
    with pytest.raises(ValueError, match="a station that has a Distribution"):
        sim.Source(env, law, sim.Station(env))
    with pytest.raises(TypeError, match="a Station, or a function"):
        sim.Source(env, law, 3)
    with pytest.raises(ValueError, match="sum to 1"):
        sim.Station(env, service=law).route([(0.7, sim.Station(env, service=law)), (0.7, sim.Station(env, service=law))])
    with pytest.raises(RuntimeError, match="was not made"):
        sim.Station.__new__(sim.Station).visit(1)


def test_streams():
    stream = sim.Stream(1, "gaps")
    numbers = [stream.random() for _ in range(5)]
    again = sim.Stream(1, "gaps")
    assert [again.random() for _ in range(5)] == numbers
    assert [sim.Stream(1, "services").random() for _ in range(5)] != numbers
    assert all(0 <= number < 1 for number in numbers)
    mean = sum(stream.exponential(3.0) for _ in range(100_000)) / 100_000
    assert mean == pytest.approx(3.0, rel=0.02)
    assert sum(stream.expovariate(0.5) for _ in range(100_000)) / 100_000 == pytest.approx(2.0, rel=0.02)
    assert all(5 <= stream.uniform(5, 6) < 6 for _ in range(100))
    assert {stream.below(3) for _ in range(100)} == {0, 1, 2}
    with pytest.raises(ValueError):
        stream.below(0)


@pytest.mark.parametrize("law, mean, scv", [
    (sim.Distribution.constant(2), 2, 0), (sim.Distribution.exponential(2), 2, 1), (sim.Distribution.uniform(1, 3), 2, 1 / 12),
    (sim.Distribution.erlang(phases=4, mean=2), 2, 0.25), (sim.Distribution.hyperexponential(mean=2, scv=4), 2, 4),
    (sim.Distribution.lognormal(mean=2, scv=0.5), 2, 0.5), (sim.Distribution.gamma(shape=4, scale=0.5), 2, 0.25),
    (sim.Distribution.empirical([1, 2, 3]), 2, 1 / 6)], ids=str)
def test_distributions(law, mean, scv):
    assert law.mean == pytest.approx(mean) and law.scv == pytest.approx(scv)
    stream = sim.Stream(1)
    assert sum(law(stream) for _ in range(50_000)) / 50_000 == pytest.approx(mean, rel=0.05)
    assert "Distribution" in repr(law)


def test_distribution_errors():
    with pytest.raises(ValueError, match="mean"):
        sim.Distribution.exponential(-1)
    with pytest.raises(ValueError):
        sim.Distribution.empirical([])
    with pytest.raises(TypeError):
        sim.Distribution.exponential(1)(3)
    assert math.isinf(sim.Distribution.exponential(1).quantile(1))
