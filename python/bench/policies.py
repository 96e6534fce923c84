#!/usr/bin/env python3
"""policies.py [TASKS [RUNS]]: how many decisions a second rules in Python make, in a simulation that they decide for.

Processor seconds of a run with the rule, less those of a run without it; what the rule's own simulation takes is in them, too."""

import statistics
import sys
import time

import artel

WORKERS = 16


def scenario(tasks):
    return {"workload": {"arrivals": {"kind": "poisson", "load": 0.8}, "service": {"distribution": "exponential", "mean": "1 s"}},
            "pool": {"workers": WORKERS}, "dispatch": {"policies": ["random"]},
            "run": {"tasks": tasks, "replications": 1, "warm_up": "0%"}}


def named(loads, draw):
    return draw.turn % WORKERS


def shorter_of_two(loads, draw):
    a, b = draw.below(len(loads)), draw.below(len(loads))
    return a if loads[a] <= loads[b] else b


def by_index(loads, draw):
    return loads.least()


def by_array(loads, draw):
    return int(loads.queued.argmin())


class Turns:
    """With a state of its own."""

    def __init__(self):
        self.turn = -1

    def choose(self, loads, draw):
        self.turn = (self.turn + 1) % WORKERS
        return self.turn


RULES = {"a number": named, "the shorter of two": shorter_of_two, "loads.least()": by_index, "a class": Turns}
try:
    import numpy  # noqa: F401
    RULES["numpy's argmin"] = by_array
except ImportError:
    pass


def seconds(tasks, **rules):
    begin = time.process_time()
    artel.simulate(scenario(tasks), jobs=1, **rules)
    return time.process_time() - begin


def main(tasks, runs):
    alone = statistics.median(seconds(tasks) for _ in range(runs))
    print(f"{tasks} decisions, {WORKERS} workers, {runs} runs: median of millions a second, least and most")
    for name, rule in RULES.items():
        rates = sorted(tasks / 1e6 / max(1e-9, seconds(tasks, policies={"mine": rule}) - alone) for _ in range(runs))
        print(f"{name:20} {statistics.median(rates):6.2f} {rates[0]:6.2f} {rates[-1]:6.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] + ["300000", "5"][len(sys.argv) - 1:]))
