"""artel.sim: processes, their values, interrupts and ends."""

import gc
import weakref

import pytest

from artel import sim


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
    with pytest.raises(RuntimeError) as failed:
        env.run()
    line = process.__code__.co_firstlineno + 1
    assert str(failed.value).startswith(f'\n  File "{__file__}", line {line}, in process\n    yield 1\n')
    assert str(failed.value).endswith('Invalid yield value "1"')
    other = sim.Environment()

    def stranger():
        yield other.timeout(1)

    env.process(stranger())
    with pytest.raises(RuntimeError, match="another environment"):
        env.run()


def test_process_needs_a_generator(env):
    with pytest.raises(ValueError, match="not a generator"):
        env.process(lambda: None)


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
