"""SimPy's module of that name."""

from __future__ import annotations

from collections.abc import Generator

from .._sim import Environment, Event, Process

__all__ = ["start_delayed", "subscribe_at"]


def start_delayed(env: Environment, generator: Generator, delay: float) -> Process:
    """A process that starts so much later."""
    if delay <= 0:
        raise ValueError(f"delay(={delay}) must be > 0.")

    def starter():
        yield env.timeout(delay)
        return env.process(generator)

    return env.process(starter())


def subscribe_at(event: Event) -> None:
    """The active process is interrupted when the event comes, with (event, its value) as the cause."""
    env = event.env
    subscriber = env.active_process
    if event.callbacks is None:
        raise RuntimeError(f"{event} has already terminated.")

    def signaller():
        result = yield event
        if subscriber.is_alive:
            subscriber.interrupt((event, result))

    env.process(signaller())
