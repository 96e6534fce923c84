"""experiment(): a model of your own, many times, in parallel, with intervals."""

from __future__ import annotations

import contextlib
import inspect
import os
import pickle
import queue
import signal
import struct
import sys
import traceback
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _artel
from ._api import Progress, _jobs, _progress
from ._errors import Error
from ._results import _Shown, _write
from ._scenario import Pathlike, pairs_of, text_of, whole
from ._table import as_html, frame

Model = Callable[..., Mapping[str, Any]]


class ModelError(RuntimeError):
    """A replication of the model has failed: which one, and the model's own traceback."""


class ModelResult(_Shown):
    """What experiment() found: every figure of every combination with its interval."""

    def __init__(self, held: "_artel.ModelExperiment", levels: Mapping[str, "_Levels"], factors: List[str]) -> None:
        self._held, self._levels, self._factors = held, levels, factors

    @property
    def csv(self) -> str:
        return self._held.csv

    def frame(self, level: float = 0.99) -> Any:
        """A row per combination; of each figure its value, half the width of its interval at that level (name±) and,
        with variants, how far it is from the first one's (nameΔ, nameΔ±)."""
        if not 0 < level < 1:
            raise ValueError(f"level: found {level}, allowed: above 0 and below 1")
        return frame(self._rows(level))

    def _rows(self, level: float) -> List[Dict[str, Any]]:
        rows = []
        for parameters, variants in self._held.points(level):
            shown = {name: self._levels[name].value(parameters[name]) for name in self._factors}
            for variant, replications, figures in variants:
                row = dict(shown)
                if len(variants) > 1:
                    row["variant"] = variant
                row["replications"] = replications
                for figure, ((center, half), (less, less_half)) in figures.items():
                    row[figure], row[f"{figure}±"] = center, half
                    if len(variants) > 1 and variant != variants[0][0]:
                        row[f"{figure}Δ"], row[f"{figure}Δ±"] = less, less_half
                rows.append(row)
        return rows

    @property
    def table(self) -> Any:
        """frame() at 99%."""
        return self.frame()

    def report(self, path: Pathlike) -> str:
        """Writes a page with charts, whole or not at all."""
        return _write(path, self._held.page())

    def _repr_html_(self) -> str:
        return as_html(self.table)


def experiment(model: Model, factors: Optional[Mapping[str, Sequence[Any]]] = None, *,
               parameters: Optional[Mapping[str, Any]] = None,
               variants: Optional[Mapping[str, Mapping[str, Any]]] = None, replications: int = 10,
               precision: Optional[Mapping[str, float]] = None, max_replications: int = 0,
               figures: Optional[Sequence[str]] = None, seed: int = 1, jobs: Optional[int] = None, name: str = "",
               progress: Progress = None) -> ModelResult:
    """Runs ``model(seed=…, **parameters)`` for every combination of the factors' values, many times, on all cores.

    The model returns a dict: numbers, or lists of times in seconds, which give mean, percentiles, max and count. Each
    replication has a seed that depends on ``seed`` and its number alone, so all combinations and variants meet the same
    chance: differences between them are known better than either. ``variants`` change some parameters each and are compared
    with the first. With ``precision`` ({"wait.mean": 0.01}) replications are added until half the interval's width is 1% of
    the mean. Values may be anything, and come to the model as they are given. What variants change and neither factors nor
    parameters say has the model's default elsewhere.

    Replications run in processes that are forked from this one, so the model needs no pickling; its result does. What it
    prints comes out after each, in no particular order. Raises ModelError with the traceback of a model that failed; Ctrl-C
    ends all of it, the processes too, with KeyboardInterrupt.
    """
    factors, variants, fixed = (dict(pairs_of("factors", factors)), dict(pairs_of("variants", variants)),
                                dict(pairs_of("parameters", parameters)))
    if not callable(model):
        raise TypeError(f"model: found {model!r}, allowed: a function")
    for values in factors.values():
        if not values:
            raise ValueError("factors: a factor needs at least one value")
    base = {**{key: values[0] for key, values in factors.items()}, **fixed}
    base.update(_defaults(model, base, variants))
    levels = _levels(factors, base, variants)
    numbers = lambda values: [(text_of("parameters", key), levels[key].number(value)) for key, value in values.items()]
    study = _artel.ModelStudy(
        text_of("name", name or getattr(model, "__name__", "model")), numbers(base),
        [(text_of("variants", label), numbers(changes)) for label, changes in variants.items()],
        [(key, [levels[key].number(value) for value in values]) for key, values in factors.items()],
        whole("replications", replications, 1, 10**9), whole("max_replications", max_replications, 0, 10**9),
        [(text_of("precision", figure), float(width)) for figure, width in pairs_of("precision", precision)],
        [text_of("figures", figure) for figure in figures or []], whole("seed", seed, 0))
    threads = _jobs(jobs)
    with _Workers(model, levels, threads) as workers:
        try:
            held = _artel.run_study(study, workers.run, workers.kill, threads, _progress(progress, "replications"))
        except Error as error:
            if workers.failure:
                raise ModelError(f"{error}\n{workers.failure}") from None
            raise
    return ModelResult(held, levels, list(factors))


# What variants change and nothing else says, as the model has it.
def _defaults(model: Model, base: Mapping[str, Any], variants: Mapping[str, Mapping[str, Any]]) -> Dict[str, Any]:
    missing = dict.fromkeys(key for changes in variants.values() for key in changes if key not in base)
    if not missing:
        return {}
    signature: Mapping[str, inspect.Parameter]
    try:
        signature = inspect.signature(model).parameters
    except (TypeError, ValueError):
        signature = {}
    found: Dict[str, Any] = {}
    for key in missing:
        default = signature[key].default if key in signature else inspect.Parameter.empty
        if default is inspect.Parameter.empty:
            lacking = [label for label, changes in variants.items() if key not in changes]
            if lacking:
                raise ValueError(f"variants: {lacking[0]} does not say {key}; allowed: a value in every variant, in parameters, "
                                 "or as the model's default")
            default = next(changes[key] for changes in variants.values() if key in changes)
        found[key] = default
    return found


class _Levels:
    """The values of one parameter. They travel as numbers and come back as they were given, their types included."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values: List[Any] = []
        for value in values:
            if self._find(value) is None:
                self._values.append(value)
        as_numbers = [_as_float(value) for value in self._values]
        # Two of one number (1 and 1.0, True, ints beyond 2**53), and what is no number, travel as their places.
        distinct = None not in as_numbers and len(set(as_numbers)) == len(as_numbers)
        self._numbers: List[float] = as_numbers if distinct else list(map(float, range(len(self._values))))  # type: ignore[assignment]

    def _find(self, value: Any) -> Optional[int]:
        return next((place for place, known in enumerate(self._values) if _is_same(known, value)), None)

    def number(self, value: Any) -> float:
        place = self._find(value)
        assert place is not None
        return self._numbers[place]

    def value(self, number: float) -> Any:
        return self._values[self._numbers.index(number)]


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    try:
        return type(one) is type(other) and bool(one == other)
    except Exception:  # numpy's arrays have no one answer
        return False


def _as_float(value: Any) -> Optional[float]:
    """The value as a float; None: it is no number, or none that is equal to it."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if number == value else None


def _levels(factors: Mapping[str, Sequence[Any]], base: Mapping[str, Any],
            variants: Mapping[str, Mapping[str, Any]]) -> Dict[str, _Levels]:
    values: Dict[str, List[Any]] = {key: list(each) for key, each in factors.items()}
    for changes in (base, *variants.values()):
        for key, value in changes.items():
            values.setdefault(key, []).append(value)
    return {key: _Levels(each) for key, each in values.items()}


class _Workers:
    """Forked processes that run the model, each for one thread at a time."""

    def __init__(self, model: Model, levels: Mapping[str, _Levels], count: int) -> None:
        self._model, self._levels = model, levels
        self._free: "queue.SimpleQueue[Tuple[int, int, int]]" = queue.SimpleQueue()
        self._all: List[Tuple[int, int, int]] = []
        self.failure = ""
        try:
            for _ in range(count):
                self._all.append(self._start())
                self._free.put(self._all[-1])
        except BaseException as error:  # too many files or processes
            self.__exit__(type(error))
            raise

    def __enter__(self) -> "_Workers":
        return self

    def __exit__(self, kind: Any, *_exception: Any) -> None:
        if kind is not None:
            self.kill()
        for _, asks, answers in self._all:
            os.close(asks)
            os.close(answers)
        for process, _, _ in self._all:
            with contextlib.suppress(ChildProcessError):  # who ignores SIGCHLD has none to wait for
                os.waitpid(process, 0)

    def kill(self) -> None:
        """Ends them, whatever they are at."""
        for process, _, _ in self._all:
            os.kill(process, signal.SIGKILL)

    def _start(self) -> Tuple[int, int, int]:
        pipes: List[int] = []
        try:
            pipes.extend(os.pipe())
            pipes.extend(os.pipe())
            _flush()  # or both would write what waits
            process = os.fork()
        except BaseException:
            for each in pipes:
                os.close(each)
            raise
        ask_from, ask_to, answer_from, answer_to = pipes
        if process == 0:
            status = 1
            try:
                for _, asks, answers in self._all:  # those of the others, or they would not see the end
                    os.close(asks)
                    os.close(answers)
                os.close(ask_to)
                os.close(answer_from)
                self._serve(ask_from, answer_to)
                status = 0
            except (KeyboardInterrupt, BrokenPipeError):
                pass
            finally:
                os._exit(status)
        os.close(ask_from)
        os.close(answer_to)
        return process, ask_to, answer_from

    def _serve(self, asks: int, answers: int) -> None:
        while True:
            asked = _receive(asks)
            if asked is None:
                return
            numbers, seed = asked
            try:
                parameters = {key: self._levels[key].value(number) for key, number in numbers.items()}
                reported = dict(self._model(seed=seed, **parameters))
                measured = {text_of("figures", figure): value for figure, value in reported.items()}
                reply = (True, pickle.dumps(measured, pickle.HIGHEST_PROTOCOL))
            except (Exception, SystemExit):
                reply = (False, traceback.format_exc().encode())
            _flush()
            _send(answers, reply)

    def run(self, parameters: Dict[str, float], seed: int) -> Dict[str, Any]:
        """One replication, in whichever process is free."""
        worker = self._free.get()
        try:
            _, asks, answers = worker
            _send(asks, (parameters, seed))
            reply = _receive(answers)
        finally:
            self._free.put(worker)
        if reply is None:
            self.failure = "the process that ran the model has ended"
        elif not reply[0]:
            self.failure = reply[1].decode()
        else:
            return pickle.loads(reply[1])
        raise RuntimeError(self.failure.strip().splitlines()[-1])


def _flush() -> None:
    """What the model has printed."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # there is none, or nobody reads it
            pass


def _send(pipe: int, message: Any) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    data = memoryview(struct.pack("<Q", len(data)) + data)
    while data:
        data = data[os.write(pipe, data):]


def _receive(pipe: int) -> Any:
    head = _read(pipe, 8)
    if head is None:
        return None
    body = _read(pipe, struct.unpack("<Q", head)[0])
    return None if body is None else pickle.loads(body)


def _read(pipe: int, size: int) -> Optional[bytes]:
    parts = []
    while size:
        part = os.read(pipe, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
