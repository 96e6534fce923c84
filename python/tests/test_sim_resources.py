"""artel.sim: conditions, resources, containers and stores."""

import pytest

from artel import sim


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


def two_users(env, resource, data):
    """What SimPy's guide on monitoring shows: two processes in turn, a moment each."""
    def user():
        with resource.request() as place:
            yield place
            yield env.timeout(1)

    env.process(user())
    env.process(user())
    env.run()
    return data


def test_leaving_a_with_block_calls_the_release_of_a_subclass(env):
    data = []

    class Monitored(sim.Resource):
        def request(self, *args, **kwargs):
            data.append((env.now, len(self.queue)))
            return super().request(*args, **kwargs)

        def release(self, *args, **kwargs):
            data.append((env.now, len(self.queue)))
            return super().release(*args, **kwargs)

    assert two_users(env, Monitored(env, capacity=1), data) == [(0, 0), (0, 0), (1, 1), (2, 0)]


def test_leaving_a_with_block_calls_a_release_put_on_the_resource(env):
    resource, data = sim.Resource(env, capacity=1), []

    def watched(call):
        def wrapper(*args, **kwargs):
            result = call(*args, **kwargs)
            data.append((call.__name__, env.now, resource.count, len(resource.queue)))
            return result
        return wrapper

    for name in ("request", "release"):
        setattr(resource, name, watched(getattr(resource, name)))
    assert two_users(env, resource, data) == [("request", 0, 1, 0), ("request", 0, 1, 1), ("release", 1, 0, 1),
                                              ("release", 2, 0, 0)]


def test_an_exception_of_an_own_release_leaves_the_with_block(env):
    class Broken(sim.Resource):
        def release(self, request):
            raise KeyError("books")

    def user(resource):
        with resource.request() as place:
            yield place

    env.process(user(Broken(env)))
    with pytest.raises(KeyError, match="books"):
        env.run()


def test_a_subclass_without_a_release_of_its_own_gives_back_at_once(env):
    class Named(sim.Resource):
        pass

    resource = Named(env)
    resource.name = "desk"
    assert two_users(env, resource, []) == [] and resource.count == 0 and env.now == 2
