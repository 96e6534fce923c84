"""experiment(): a model of your own, many times, in parallel, with intervals."""

from __future__ import annotations

import os
import pickle
import queue
import struct
import traceback
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _artel
from ._api import Progress, _jobs, _progress
from ._results import _Shown, _write
from ._scenario import Pathlike, whole
from ._table import as_html, frame

Model = Callable[..., Mapping[str, Any]]


class ModelError(RuntimeError):
    """A replication of the model has failed: which one, and the model's own traceback."""


class ModelResult(_Shown):
    """What experiment() found: every figure of every combination with its interval."""

    def __init__(self, held: "_artel.ModelExperiment", levels: Mapping[str, List[Any]], factors: List[str]) -> None:
        self._held, self._levels, self._factors = held, levels, factors

    @property
    def csv(self) -> str:
        return self._held.csv

    def frame(self, level: float = 0.99) -> Any:
        """A row per combination; of each figure its value, half the width of its interval at that level (name±) and,
        with variants, how far it is from the first one's (nameΔ, nameΔ±)."""
        if not 0 < level < 1:
            raise ValueError(f"level: found {level}, allowed: above 0 and below 1")
        rows = []
        for parameters, variants in self._held.points(level):
            shown = {name: _level(self._levels, name, parameters[name]) for name in self._factors}
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
        return frame(rows)

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
    the mean. Values may be anything; those that are not numbers stand for themselves.

    Replications run in processes that are forked from this one, so the model needs no pickling; its result does.
    Raises ModelError with the traceback of a model that failed.
    """
    factors, variants = dict(factors or {}), dict(variants or {})
    fixed = {**(parameters or {})}
    levels = _levels(factors, fixed, variants)
    for values in factors.values():
        if not values:
            raise ValueError("factors: a factor needs at least one value")
    base = {**{key: values[0] for key, values in factors.items()}, **fixed}
    for changes in variants.values():
        for key in changes:
            base.setdefault(key, changes[key])
    numbers = lambda values: [(key, _number(levels, key, value)) for key, value in values.items()]
    study = _artel.ModelStudy(
        name or getattr(model, "__name__", "model"), numbers(base),
        [(label, numbers(changes)) for label, changes in variants.items()],
        [(key, [_number(levels, key, value) for value in values]) for key, values in factors.items()],
        whole("replications", replications, 1, 10**9), whole("max_replications", max_replications, 0, 10**9),
        list((precision or {}).items()), list(figures or []), whole("seed", seed, 0))
    threads = _jobs(jobs)
    with _Workers(model, levels, threads) as workers:
        try:
            held = _artel.run_study(study, workers.run, threads, _progress(progress, "replications"))
        except _artel_error() as error:
            if workers.failure:
                raise ModelError(f"{error}\n{workers.failure}") from None
            raise
    return ModelResult(held, levels, list(factors))


def _artel_error() -> type:
    from ._errors import Error
    return Error


# Values that are no plain numbers, or ints, travel as their place in these lists.
def _levels(factors: Dict[str, Any], fixed: Mapping[str, Any], variants: Mapping[str, Mapping[str, Any]]) -> Dict[str, List[Any]]:
    seen: Dict[str, List[Any]] = {}
    for values in ({key: list(each) for key, each in factors.items()}, {key: [each] for key, each in fixed.items()},
                   *({key: [each] for key, each in changes.items()} for changes in variants.values())):
        for key, each in values.items():
            known = seen.setdefault(key, [])
            known.extend(value for value in each if not any(value is other or value == other for other in known))
    return {key: values for key, values in seen.items() if not all(_is_number(value) for value in values)}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(levels: Mapping[str, List[Any]], key: str, value: Any) -> float:
    return float(levels[key].index(value)) if key in levels else float(value)


def _level(levels: Mapping[str, List[Any]], key: str, number: float) -> Any:
    if key in levels:
        return levels[key][int(number)]
    return int(number) if float(number).is_integer() else number


class _Workers:
    """Forked processes that run the model, each for one thread at a time."""

    def __init__(self, model: Model, levels: Mapping[str, List[Any]], count: int) -> None:
        self._model, self._levels = model, levels
        self._free: "queue.SimpleQueue[Tuple[int, int, int]]" = queue.SimpleQueue()
        self._all: List[Tuple[int, int, int]] = []
        self.failure = ""
        for _ in range(count):
            self._all.append(self._start())
            self._free.put(self._all[-1])

    def __enter__(self) -> "_Workers":
        return self

    def __exit__(self, *_: Any) -> None:
        for process, asks, answers in self._all:
            os.close(asks)
            os.close(answers)
        for process, _, _ in self._all:
            os.waitpid(process, 0)

    def _start(self) -> Tuple[int, int, int]:
        ask_from, ask_to = os.pipe()
        answer_from, answer_to = os.pipe()
        process = os.fork()
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
            parameters, seed = asked
            try:
                measured = dict(self._model(seed=seed, **parameters))
                reply = (True, pickle.dumps(measured, pickle.HIGHEST_PROTOCOL))
            except Exception:
                reply = (False, traceback.format_exc().encode())
            _send(answers, reply)

    def run(self, parameters: Dict[str, float], seed: int) -> Dict[str, Any]:
        """One replication, in whichever process is free."""
        worker = self._free.get()
        try:
            _, asks, answers = worker
            _send(asks, ({key: _level(self._levels, key, value) for key, value in parameters.items()}, seed))
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
