"""The questions: simulate, plan, calibrate, replay, load."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _artel
from ._results import Calibration, Plan, Replay, Result, Trace, WhatIf, is_fitted
from ._scenario import (Pathlike, ScenarioLike, overrides, pairs_of, path_of, places_of, source_of, sweep_axes, text_of, texts,
                        whole)

Progress = Union[None, bool, Callable[[int, int], Any]]
Policy = Union[Callable[["_artel.Loads", "_artel.Draw"], Optional[int]], Any]
Logs = Union[Pathlike, Sequence[Pathlike]]
_FLEET_MAX = 100_000


def _bar(title: str) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        print(f"\r{title} {done} of {total}{end}", end="", file=sys.stderr, flush=True)

    return show


def _progress(progress: Progress, title: str) -> Optional[Callable[[int, int], Any]]:
    if progress is None or callable(progress):
        return progress
    if not isinstance(progress, bool):
        raise TypeError(f"progress: found {progress!r}, allowed: True, a function (done, total)")
    return _bar(title) if progress else None


def _jobs(jobs: Optional[int]) -> int:
    return _artel.usable_cpus() if jobs is None else whole("jobs", jobs, 1, 4096)


def simulate(scenario: ScenarioLike, *, seed: Optional[int] = None, set: Optional[Mapping[str, Any]] = None,
             sweep: Optional[Mapping[str, Any]] = None, policies: Optional[Mapping[str, Policy]] = None,
             jobs: Optional[int] = None, progress: Progress = None) -> Result:
    """Compares dispatch policies on a scenario, in simulated time.

    ``scenario``: a dict of what a scenario file says, the path of one, or its text. ``set`` replaces single values
    ({"pool.workers": 16}), ``sweep`` tries several ({"pool.workers": [16, 24]} or {"pool.workers": "16..64:8"}). The
    answer is the same on every machine and for every number of ``jobs`` (threads; all processors unless given).
    ``progress``: True shows it on stderr; a function is called with (done, total).

    ``policies``: rules of your own by name, compared with the scenario's: functions (loads, draw) -> worker or None, objects
    with a method choose() of that kind, or classes of such objects, of which every replication gets a new one. They decide
    on the calling thread, one replication after another; then artel's own run beside each other as without them.
    An attribute ``reads`` ({"latency", "now"}) says what a rule reads besides how many tasks workers have and may have:
    "weight", "work", "delay", "latency" (and heard), "failures", "now", "size", "key", "task_class", "deadline", "matched",
    "age". Only that is kept for it then.

    Raises artel.Error with file, line and column of what is wrong; Ctrl-C ends it with KeyboardInterrupt.
    """
    threads = _jobs(jobs)
    text, name = source_of(scenario)
    with places_of(scenario):
        study = _artel.Study(text, name, overrides(set, seed), sweep_axes(sweep))
    shown = _progress(progress, "simulating")
    if policies:
        if "" in policies:
            raise ValueError("policies: a rule needs a name")
        rules = [(text_of("policies", label), rule) for label, rule in pairs_of("policies", policies)]
        return Result(_artel.simulate_with_rules(study, rules, threads, shown), threads)
    return Result(_artel.simulate(study, threads, shown), threads)


def load(path: Logs, *, columns: Optional[Mapping[str, str]] = None, format: str = "", log_format: str = "",
         service: str = "", where: Optional[Mapping[str, Any]] = None, class_by: str = "", strict: bool = False,
         progress: Progress = None) -> Trace:
    """Reads a trace recorded by a pool, CSV, or another program's log, packed or not; several logs of one kind (a list
    of paths) are merged by time.

    ``columns`` says what fields are called there ({"submitted": "arrival", "response": "latency_ms:ms"}); ``format``
    names the log's if its content does not tell; ``log_format`` is the format string of a server's configuration;
    ``service`` a formula for how long tasks take, where the log does not say; ``where`` takes only lines whose fields have
    these values ({"$status": [200, 304]}); ``class_by`` names a field whose values are kept as names of the tasks' classes
    ("path"); ``strict``: a line that cannot be read is an error.

    ``progress``: True shows it on stderr; a function is called with (bytes read, bytes). Other threads of Python run
    meanwhile; Ctrl-C ends it with KeyboardInterrupt.
    """
    paths = [path_of(each) for each in ([path] if isinstance(path, (str, bytes, os.PathLike)) else path)]
    if not paths:
        raise ValueError("path: there is no log to read")
    names = [text_of("columns", f"{name}={column}") for name, column in pairs_of("columns", columns)]
    lines = [text_of("where", f"{field}={_either(values)}") for field, values in pairs_of("where", where)]
    source = _artel.RecordingSource(list(map(os.fsencode, paths)), names, text_of("format", format), text_of("log_format", log_format),
                                    text_of("service", service), lines, text_of("class_by", class_by), bool(strict))
    return Trace(_artel.Recording(source, _progress(progress, "loading")), paths[0])


def _either(values: Any) -> str:
    """Any of several values, as the command reads it."""
    return "|".join(texts([values] if isinstance(values, int) else values))


def _loaded(log: Union[Trace, Logs]) -> Trace:
    return log if isinstance(log, Trace) else load(log)


def _workers(workers: Optional[int]) -> Optional[int]:
    return None if workers is None else whole("workers", workers, 1, _FLEET_MAX)


def _recorded(trace: Trace, name: str, workers: Optional[int], policy: str,
              seed: int) -> Tuple["_artel.Recording", "_artel.CalibrateOptions"]:
    options = _artel.CalibrateOptions(os.fsencode(name), _workers(workers), text_of("policy", policy), whole("seed", seed, 0))
    return trace._held.with_starts(options.workers), options


def calibrate(log: Union[Trace, Logs], *, workers: Optional[int] = None, policy: str = "", seed: int = 1) -> Calibration:
    """Makes a scenario of a recorded run; ``workers`` and ``policy`` instead of what the recording says. Other threads of
    Python run meanwhile; Ctrl-C ends the reading of a log at once, and is heard when what was read has been fitted."""
    trace = _loaded(log)
    stem = os.path.splitext(os.path.basename(trace.path))[0]
    return Calibration(_artel.Calibration(*_recorded(trace, stem, workers, policy, seed)))


def replay(log: Union[Trace, Logs], *, workers: Optional[int] = None, policy: str = "", seed: int = 1,
           replications: int = 39, what_if: Union[None, str, Sequence[str], Mapping[str, Any]] = None,
           jobs: Optional[int] = None, progress: Progress = None) -> Union[Replay, WhatIf]:
    """Predicts a recorded run in simulated time, and compares. ``jobs`` and ``progress`` as in simulate().

    With ``what_if`` ("workers=4", {"workers": 4, "policy": "least_loaded", "rate": "x1.5"}): the recorded tasks in another
    pool, beside the recorded one.
    """
    trace = _loaded(log)
    held, options = _recorded(trace, "calibrated", workers, policy, seed)
    shown = _progress(progress, "replaying")
    if what_if is None:
        return Replay(_artel.replay(held, options, whole("replications", replications, 0, 100_000), _jobs(jobs), shown))
    changes = texts([f"{name}={value}" for name, value in what_if.items()] if isinstance(what_if, Mapping) else what_if)
    return WhatIf(_artel.what_if(held, options, changes, _jobs(jobs), shown))


def plan(scenario_or_log: Union[ScenarioLike, Trace, Logs], *, slo: Union[None, str, Sequence[str]] = None,
         policy: Union[None, str, Sequence[str]] = None, queue: Union[None, int, str, Sequence[Any]] = None,
         rate: str = "", price: Union[str, float] = "", confidence: float = 0.99, max_workers: int = 4096,
         arrivals: str = "recorded", workers: Optional[int] = None, seed: Optional[int] = None,
         set: Optional[Mapping[str, Any]] = None, jobs: Optional[int] = None, progress: Progress = None) -> Plan:
    """Finds the smallest pool per policy that meets an objective, in simulated time.

    ``slo``: "p99<80ms,rejected<0.1%", instead of the scenario's. ``policy``, ``queue`` (bounds to try: [1, 4, "inf"]),
    ``rate`` ("x1.5", "300/s") and ``price`` ("0.12/h") as in `artel plan`. Of a log (a Trace, a path that does not
    end in .toml, or a list of paths) ``workers`` says how many there were, and ``arrivals`` whether its own tasks come again ("recorded") or
    more of the same ("fitted"); how well its first part predicts the rest is the plan's ``backtest``.
    """
    request = _artel.PlanRequest()
    request.slo, request.policies = texts(slo), texts(policy)
    request.queues = texts([queue] if isinstance(queue, int) else queue.split(",") if isinstance(queue, str) else queue)
    request.rate, request.price = text_of("rate", rate), text_of("price", str(price))
    scenario, recording, options = _planned(scenario_or_log, arrivals, workers, seed, set, not request.policies)
    threads = _jobs(jobs)
    return Plan(_artel.plan(scenario, request, float(confidence), whole("max_workers", max_workers, 1, 2**32 - 1), threads,
                            _progress(progress, "planning"), recording, options), threads)


def _planned(source: Any, arrivals: str, workers: Optional[int], seed: Optional[int],
             set: Any, usual: bool) -> Tuple["_artel.Scenario", Optional["_artel.Recording"], "_artel.CalibrateOptions"]:
    fitted = is_fitted(arrivals)
    is_path = isinstance(source, (str, os.PathLike)) and "\n" not in os.fspath(source)
    if not isinstance(source, (Trace, list, tuple)) and not (is_path and not os.fspath(source).endswith(".toml")):
        if workers is not None or fitted:
            raise ValueError(f"{'arrivals' if fitted else 'workers'}: goes with a log, not with a scenario")
        text, name = source_of(source)
        with places_of(source):
            scenario = _artel.Scenario(text, name, overrides(set, seed))
        return scenario, None, _artel.CalibrateOptions(b"", None, "", 1)
    if set:
        raise ValueError("set: goes with a scenario, not with a log; artel.calibrate makes one of a log")
    trace = _loaded(source)
    recording, options = _recorded(trace, os.path.basename(trace.path), workers, "", 1 if seed is None else seed)
    return _artel.Scenario.recorded(_artel.Calibration(recording, options), fitted, usual), recording, options
