"""What simulate(), plan(), replay() and calibrate() give."""

from __future__ import annotations

import bisect
import html
import itertools
import json
import os
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from . import _artel
from ._scenario import Pathlike
from ._table import as_html, frame


def _write(path: Pathlike, page: str) -> str:
    """Whole or not at all."""
    path = os.fspath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".artel-")
    try:
        os.fchmod(handle, 0o666 & ~_umask())
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


class _Kept:
    """What of a result travels to another process: all but what is made on request."""

    def __init__(self, kept: Dict[str, Any]) -> None:
        self.__dict__.update(kept)

    def page(self, *_: Any) -> str:
        raise RuntimeError("report(), settings(): found a result that was pickled; allowed: before that, in the process that "
                           "made the result")

    settings = page


class _Shown:
    """What every result has: JSON, the command's bytes, and a look for people. What simulate(), plan() and replay() give can
    be pickled, for other processes: the copy has everything but report() and settings()."""

    _held: Any
    _travels: Tuple[str, ...] = ()  # what of _held is pickled

    def __getstate__(self) -> Dict[str, Any]:
        if not self._travels:
            raise TypeError(f"a {type(self).__name__} cannot be pickled; allowed: its json, data and tables")
        if isinstance(self._held, _Kept):
            return self.__dict__
        return {**self.__dict__, "_held": _Kept(self._kept())}

    def _kept(self) -> Dict[str, Any]:
        return {name: getattr(self._held, name) for name in self._travels}

    @property
    def json(self) -> str:
        """The bytes that the command prints with --json for the same question and seed."""
        return self._held.json

    @property
    def data(self) -> Dict[str, Any]:
        """The same as Python values."""
        if not hasattr(self, "_data"):
            self._data = json.loads(self.json)
        return self._data

    @property
    def text(self) -> str:
        """What the command prints for people."""
        return self._held.text

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


class Histogram:
    """How often each length of time occurred: buckets at most 0.1% wide, in seconds."""

    def __init__(self, buckets: List[Tuple[float, float, int]]) -> None:
        self.low = [each[0] for each in buckets]
        self.high = [each[1] for each in buckets]
        self.count = [each[2] for each in buckets]
        self._below = list(itertools.accumulate(self.count))

    @property
    def total(self) -> int:
        return self._below[-1] if self._below else 0

    def quantile(self, p: float) -> float:
        """The upper end of the bucket below which a share p of all values lies."""
        if not 0 <= p <= 1:
            raise ValueError(f"p: found {p}, allowed: from 0 to 1")
        if not self.total:
            return float("nan")
        return self.high[bisect.bisect_left(self._below, max(1, p * self.total - 1e-9))]

    @property
    def table(self) -> Any:
        return frame([{"low": low, "high": high, "count": count}
                      for low, high, count in zip(self.low, self.high, self.count)])


def _flatten(row: Dict[str, Any], name: str, entry: Any) -> None:
    """Figures as columns: value and half-width, of parts by "name.part"."""
    if isinstance(entry, dict) and "value" in entry:
        row[name] = entry["value"]
        row[f"{name}±"] = entry["half_width"]
    elif isinstance(entry, dict):
        for key, inner in entry.items():
            _flatten(row, f"{name}.{key}", inner)
    elif isinstance(entry, (int, float, str)):
        row[name] = entry


class Result(_Shown):
    """What simulate() found: every policy at every point of the sweep."""

    _travels = ("json", "text", "csv")

    def __init__(self, held: "_artel.Experiment", jobs: int) -> None:
        self._held, self._jobs = held, jobs

    def _kept(self) -> Dict[str, Any]:
        buckets = {(point, policy, waits): self._held.buckets(point, policy, waits)
                   for point, each in enumerate(self.data["points"]) for policy in range(len(each["policies"]))
                   for waits in (False, True)}
        return {**super()._kept(), "all_buckets": buckets}

    @property
    def csv(self) -> str:
        """A line per point and policy, as `artel simulate --csv` prints it."""
        return self._held.csv

    @property
    def table(self) -> Any:
        """A row per point and policy; of each figure its value and half the width of its 99% interval (name±)."""
        return frame([self._row(point, policy) for point, policy in self._pairs()])

    @property
    def classes(self) -> Any:
        """The same of each class of tasks, and of each stage, where there are any: a row per point, policy and class."""
        rows = []
        for point, policy in self._pairs():
            for group in policy.get("classes", []) + policy.get("stages", []):
                rows.append({**point["values"], "policy": policy["policy"]})
                for name, entry in group.items():
                    _flatten(rows[-1], name, entry)
        return frame(rows)

    @property
    def verdicts(self) -> Any:
        """Whether each policy meets each objective: "met", "missed", "unclear", "not measured"."""
        return frame([{**point["values"], "policy": policy["policy"], "objective": entry["objective"],
                       "limit": entry["limit"], "value": entry["value"], "±": entry["half_width"],
                       "verdict": entry["verdict"]}
                      for point, policy in self._pairs() for entry in policy.get("slo", [])])

    @property
    def smallest(self) -> List[Dict[str, Any]]:
        """Of a sweep with objectives: the smallest value of each key that meets them, by policy."""
        return self.data["smallest"]

    def histogram(self, policy: Optional[str] = None, of: str = "response", point: int = 0) -> Histogram:
        """The times of all tasks under a policy, the first one unless named, at a point of the sweep."""
        if of not in ("response", "wait"):
            raise ValueError(f"of: found {of!r}, allowed: 'response', 'wait'")
        if not 0 <= point < len(self.data["points"]):
            raise IndexError(f"point: found {point}, allowed: 0 to {len(self.data['points']) - 1}")
        labels = [each["policy"] for each in self.data["points"][point]["policies"]]
        if policy is not None and policy not in labels:
            raise KeyError(f"policy: found {policy!r}, there are {', '.join(labels)}")
        which = (point, labels.index(policy) if policy else 0, of == "wait")
        kept = isinstance(self._held, _Kept)
        return Histogram(self._held.all_buckets[which] if kept else self._held.buckets(*which))

    def report(self, path: Pathlike) -> str:
        """Writes the page with charts that `artel simulate --report` writes, whole or not at all."""
        return _write(path, self._held.page(self._jobs))

    def _pairs(self) -> List[Tuple[Dict[str, Any], Dict[str, Any]]]:
        return [(point, policy) for point in self.data["points"] for policy in point["policies"]]

    @staticmethod
    def _row(point: Dict[str, Any], policy: Dict[str, Any]) -> Dict[str, Any]:
        row = {**point["values"], "policy": policy["policy"], "workers": point["workers"], "load": point["load"],
               "replications": policy["replications"], "tasks": policy["tasks"]}
        for name, entry in policy.items():
            if name not in row:
                _flatten(row, name, entry)
        return row

    def _repr_html_(self) -> str:
        kept = ("policy", "workers", "load", "response.mean", "response.mean±", "response.p99", "response.p99±", "utilisation")
        rows = [{key: value for key, value in self._row(point, policy).items() if key in kept or key in point["values"]}
                for point, policy in self._pairs()]
        return as_html(frame(rows)) + super()._repr_html_()


class Plan(_Shown):
    """What plan() found: how many workers each policy needs."""

    _travels = ("json", "table", "answer", "backtest", "code")

    def __init__(self, held: "_artel.PlanResult", jobs: int) -> None:
        self._held, self._jobs = held, jobs

    @property
    def text(self) -> str:
        text = self._held.table + "\n" + self._held.answer
        return text + "\n" + self._held.backtest if self._held.backtest else text

    @property
    def backtest(self) -> Optional[Dict[str, Any]]:
        """How well the first part of the log predicts the rest; None: of a scenario."""
        return self.data.get("backtest")

    @property
    def answer(self) -> str:
        """The sentences below the table."""
        return self._held.answer

    @property
    def code(self) -> str:
        """The pool that does it, as C++; empty: there is none."""
        return self._held.code

    def settings(self, system: str) -> str:
        """The block that `artel plan --settings SYSTEM` prints, to paste into that system's configuration: "keda",
        "nginx", "celery", … Error: an unknown system (it names those that are known), a plan without an answer."""
        return self._held.settings(system)

    @property
    def best(self) -> Optional[Dict[str, Any]]:
        """The row that needs the fewest workers; None: no policy meets the objectives."""
        return None if self.data["best"] is None else self.data["rows"][self.data["best"]]

    @property
    def workers(self) -> Optional[int]:
        """How many workers do it; None: no number does."""
        return self.best["workers"] if self.best else None

    @property
    def table(self) -> Any:
        """A row per policy and queue bound."""
        names = ("policy", "queue_bound", "workers", "cost_per_hour", "workers_min", "complete")
        return frame([{name: row[name] for name in names} for row in self.data["rows"]])

    @property
    def trials(self) -> Any:
        """Everything that was tried, with the verdict on it."""
        return frame([{"policy": row["policy"], "queue_bound": row["queue_bound"], "workers": trial["workers"],
                       "load": trial["load"], "verdict": trial["verdict"], "utilisation": trial["utilisation"],
                       **{f"response.{name}": each["value"] for name, each in trial["response"].items()}}
                      for row in self.data["rows"] for trial in row["trials"]])

    def report(self, path: Pathlike) -> str:
        """Writes the page with charts that `artel plan --report` writes, whole or not at all."""
        return _write(path, self._held.page(self._jobs))

    def _repr_html_(self) -> str:
        return as_html(self.table) + f"<pre>{html.escape(self.answer)}</pre>"


class Replay(_Shown):
    """What replay() found: a recorded run beside its predictions."""

    _travels = ("json", "text")

    def __init__(self, held: Any) -> None:
        self._held = held

    @property
    def table(self) -> Any:
        """A row per figure: measured, predicted from the same work, predicted from what was fitted; seconds."""
        rows = []
        for name, figure in self.data["figures"].items():
            row = {"figure": name, "measured": figure["measured"], "same_work": figure["same_work"]["predicted"],
                   "same_work_error": figure["same_work"]["error"]}
            if "fitted" in figure:
                row.update({"fitted": figure["fitted"]["predicted"], "low": figure["fitted"]["low"],
                            "high": figure["fitted"]["high"], "fitted_error": figure["fitted"]["error"]})
            rows.append(row)
        return frame(rows)

    def report(self, path: Pathlike) -> str:
        """Writes the page with charts that `artel replay --report` writes, whole or not at all."""
        return _write(path, self._held.page())


class WhatIf(_Shown):
    """What replay(…, what_if=…) found: a recorded run as it was beside as it would have been."""

    _travels = ("json", "text")

    def __init__(self, held: "_artel.WhatIf") -> None:
        self._held = held


class Calibration(_Shown):
    """What calibrate() found in a recorded run, and the scenarios that follow from it."""

    def __init__(self, held: "_artel.Calibration") -> None:
        self._held = held

    @property
    def notes(self) -> List[str]:
        """What the scenarios leave out or take for granted."""
        return self._held.notes

    def toml(self, tasks_file: str = "tasks.csv", arrivals: str = "fitted") -> str:
        """The scenario as text; with recorded arrivals it reads its tasks from `tasks_file`."""
        return self._held.toml(is_fitted(arrivals), tasks_file)

    def save(self, path: Pathlike, arrivals: str = "recorded") -> str:
        """Writes the scenario, and its tasks beside it, those of web.toml in web.tasks.csv, if they are the recorded ones."""
        self._held.write(os.fspath(path), is_fitted(arrivals))
        return os.fspath(path)


def is_fitted(arrivals: str) -> bool:
    if arrivals not in ("recorded", "fitted"):
        raise ValueError(f"arrivals: found {arrivals!r}, allowed: 'recorded', 'fitted'")
    return arrivals == "fitted"


class Trace:
    """Recorded tasks, from a trace or another program's log."""

    def __init__(self, held: "_artel.Recording", path: str) -> None:
        self._held, self.path = held, path

    def __len__(self) -> int:
        return len(self._held)

    @property
    def json(self) -> str:
        """The bytes that `artel trace summary --json` prints."""
        return self._held.json

    @property
    def data(self) -> Dict[str, Any]:
        return json.loads(self.json)

    @property
    def text(self) -> str:
        return self._held.text

    @property
    def notes(self) -> List[str]:
        """Of a log: what it was, and what was taken for granted."""
        return self._held.notes

    @property
    def damage(self) -> List[str]:
        """What could not be read, with its place."""
        return self._held.damage

    @property
    def settings(self) -> Dict[str, str]:
        return self._held.settings

    @property
    def columns(self) -> Dict[str, List[Any]]:
        """Every task: submitted, started, finished and size in seconds, worker (None: nobody), outcome, priority, patience
        in seconds (None: no deadline); where there are classes, class (its name)."""
        return self._held.columns

    @property
    def table(self) -> Any:
        """The same as rows."""
        columns = self.columns
        try:
            import pandas  # type: ignore[import]
            return pandas.DataFrame(columns)
        except ImportError:
            return frame([dict(zip(columns, row)) for row in zip(*columns.values())])

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"
