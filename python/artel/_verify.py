"""verify(): the simulator against exact answers of queueing theory."""

from __future__ import annotations

import csv
import os
import re
from typing import Any, Dict, List, Optional, Tuple

from ._api import Progress, simulate
from ._scenario import Pathlike
from ._table import frame

_STATISTICS = {"mean response": ("response", "mean"), "p99 response": ("response", "p99"), "mean wait": ("wait", "mean"),
               "probability of waiting": ("wait_probability",)}
_SYSTEMS = [
    (re.compile(r"central queue, (\d+) workers?"), "central"),
    (re.compile(r"random, any number of workers"), "random"),
    (re.compile(r"round robin, (\d+) workers, own queues"), "round_robin"),
    (re.compile(r"JSQ\((\d+)\), workers to infinity"), "jsq"),
    (re.compile(r"each task forks to both of (2) workers, joins both"), "fork"),
]
_LIMIT_WORKERS = 100


def golden_rows(path: Optional[Pathlike] = None) -> List[Dict[str, Any]]:
    """The known answers that come with artel, or those of a file with the same columns."""
    with open(path or os.path.join(os.path.dirname(__file__), "golden.csv"), newline="", encoding="utf-8") as file:
        rows: List[Dict[str, Any]] = list(csv.DictReader(file))
    for row in rows:
        row["load_per_worker"], row["expected"] = float(row["load_per_worker"]), float(row["expected"])
    return rows


def scenario_of(row: Dict[str, Any], seed: int = 1) -> Dict[str, Any]:
    """The system of a row as a scenario. Limits of many workers are looked at with 100."""
    for pattern, kind in _SYSTEMS:
        match = pattern.fullmatch(row["system"])
        if match:
            break
    else:
        raise ValueError(f"no such system here: {row['system']!r}")
    number = int(match.group(1)) if match.groups() else 4
    load = row["load_per_worker"]
    workers = _LIMIT_WORKERS if kind == "jsq" else number
    service: Dict[str, Any] = {"distribution": "exponential", "mean": "1 s"}
    if row["service"] == "constant":
        service = {"distribution": "constant", "value": "1 s"}
    elif row["service"].startswith("hyperexponential"):
        service = {"distribution": "hyperexponential", "mean": "1 s", "scv": float(row["service"].rsplit(" ", 1)[1])}
    elif row["service"] != "exponential":
        raise ValueError(f"no such service here: {row['service']!r}")
    policy: Any = {"name": "jsq", "d": number} if kind == "jsq" else "round_robin" if kind == "fork" else kind
    memory = (1 + service.get("scv", 1)) / (1 - load) ** 2
    workload: Dict[str, Any] = {"arrivals": {"kind": "poisson", "load": load}, "service": service}
    if kind == "fork":
        workload["fork"] = 2
    return {"name": row["model"], "workload": workload, "pool": {"workers": workers}, "dispatch": {"policies": [policy]},
            "run": {"tasks": int(min(max(100 * memory * (1 if kind == "central" else workers), 1e5), 1e8)),
                    "replications": 24, "seed": seed}}


def verify(rows: Optional[List[Dict[str, Any]]] = None, *, quick: bool = True, seed: int = 1, jobs: Optional[int] = None,
           progress: Progress = None) -> Any:
    """Simulates systems whose answers are known exactly, and compares: a row for each, with expected, found, half the width
    of the 99% interval, and ``holds``.

    ``quick``: those that take seconds. A right simulator misses one interval in a hundred; what misses is run again with
    other random numbers. (`./dev verify` of the source tree does more, and to 1%.)
    """
    found = []
    for row in rows if rows is not None else golden_rows():
        if quick and rows is None and not _is_quick(row):
            continue
        value, half = _measure(row, seed, jobs, progress)
        tolerance = 0.03 * row["expected"] if row["status"].startswith("limit") else 0
        holds = abs(value - row["expected"]) <= half + tolerance
        if not holds:
            value, half = _measure(row, seed + 1, jobs, progress)
            holds = abs(value - row["expected"]) <= half + tolerance
        found.append({"model": row["model"], "load": row["load_per_worker"], "statistic": row["statistic"],
                      "expected": row["expected"], "found": value, "±": half, "holds": holds})
    return frame(found)


def _is_quick(row: Dict[str, Any]) -> bool:
    return row["load_per_worker"] <= 0.5 and row["workers"] != "inf" and row["expected"] > 0.1


def _measure(row: Dict[str, Any], seed: int, jobs: Optional[int], progress: Progress) -> Tuple[float, float]:
    policy = simulate(scenario_of(row, seed), jobs=jobs, progress=progress).data["points"][0]["policies"][0]
    entry = policy
    for key in _STATISTICS[row["statistic"]]:
        entry = entry[key]
    return entry["value"], entry["half_width"] or 0.0
