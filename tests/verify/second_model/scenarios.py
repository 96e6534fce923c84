"""Scenarios at random: features together, arrivals from a trace, and nothing that artel draws by itself.

Not in them, as the model does not know it: what is drawn (mtbf, jitter, laws of stages), tasks that fork, closed users, speed states,
several dispatchers, hedges at a percentile, policies but three, scaling policies but the timetable.
"""

import math
import random

DISCIPLINES = ("fifo", "lifo", "priority", "sjf", "edf", "srpt", "las", "ps")
ALL = "classes deadline discipline slots speeds bounds"
BATCHES = "classes deadline speeds bounds batch"
SCALED = "classes deadline discipline slots bounds scaling"
CALLERS = "timeout retries"

# By name: what is in it, besides `workers` and the policy. An outage's name ends in what becomes of tasks.
COMBINATIONS = {
    "disciplines, outages, drains, detection, patience": f"{ALL} outages:lose,restart,resume drain detection patience",
    "disciplines, time-outs, retries, outages": f"{ALL} outages:lose,restart,resume {CALLERS}",
    "hedges, tied, budgets": f"{ALL} hedge tied budget {CALLERS}",
    "hedges, budgets, outages, patience, cold starts": f"{ALL} hedge budget outages:lose,restart detection start slow patience {CALLERS}",
    "copies, tied": f"{ALL} copies tied {CALLERS}",
    "batches, outages, patience": f"{BATCHES} outages:lose,restart,resume patience",
    "continuous batching, outages, callers": f"{BATCHES} step outages:lose,restart,resume hedge patience {CALLERS}",
    "cold and slow starts, outages, patience": f"{ALL} start slow outages:lose,restart,resume patience",
    "speeds by the clock, callers": f"{ALL} timetable patience {CALLERS}",
    "stages, calls, outages, callers": f"{ALL} stages:lose,restart,resume calls moderate {CALLERS}",
    "stages, breakers, hedges, budgets": f"{ALL} stages:lose,restart calls moderate breaker hedge budget {CALLERS}",
    "breakers, hedges, outages": f"{ALL} breaker hedge outages:lose {CALLERS}",
    "ejection, outages, retries": f"{ALL} ejection outages:lose {CALLERS}",
    "aimd, outages, patience": f"{ALL} aimd outages:lose patience",
    "gradient, callers": f"{ALL} gradient patience {CALLERS}",
    "codel, network, breakers, ejection": f"{ALL} codel network breaker ejection outages:lose {CALLERS}",
    "scaling, cold and slow starts, callers": f"{SCALED} start slow {CALLERS}",
    "caches, outages, cold starts": f"{ALL} cache outages:lose,restart start",
    "caches, scaling": f"{SCALED} cache",
    "network, hedges, outages, drains": f"{ALL} network hedge outages:lose,restart,resume drain patience {CALLERS}",
    "scaling, hedges, tied, budgets": f"{SCALED} hedge tied budget patience {CALLERS}",
    "stages, ejection, outages": f"{ALL} stages:lose calls moderate ejection outages:lose {CALLERS}",
    "speeds by the clock, aimd, outages, cold starts": f"{ALL} timetable aimd outages:lose,restart start slow {CALLERS}",
    "caches, network, hedges": f"{ALL} cache network hedge patience {CALLERS}",
    "caches, continuous batching, outages": f"{BATCHES} step cache outages:lose",
    "errors at once, ejection, retries": f"{ALL} ejection outages:error {CALLERS}",
    "errors at once, network, hedges, cold starts": f"{ALL} network hedge detection outages:error,lose start patience {CALLERS}",
    "errors at once, stages": f"{ALL} stages:error calls moderate outages:error {CALLERS}",
    "errors at once, batches": f"{BATCHES} outages:error patience {CALLERS}",
    "errors at once, continuous batching": f"{BATCHES} step outages:error hedge {CALLERS}",
    "at the same times, patience": f"half_seconds bounds slots classes patience {CALLERS}",
    "at the same times, hedges": f"half_seconds bounds slots classes hedge {CALLERS}",
    "any features": "any",
}

# Of "any features", each now and then: what it needs one of, and what it does not go with, so that artel refuses none.
ANY = (
    ("outages:lose", "", "scaling"), ("outages:restart,resume", "", "scaling outages:lose"),
    ("drain", "outages:lose outages:restart,resume", ""), ("detection", "outages:lose outages:restart,resume", ""),
    ("timeout", "", ""), ("patience", "", ""), ("retries", "timeout patience outages:lose", ""), ("ejection", "timeout outages:lose", "scaling"),
    ("hedge", "", ""), ("copies", "", ""), ("budget", "retries hedge", ""), ("tied", "hedge copies", ""), ("breaker", "", ""),
    ("stages:lose,restart,resume calls moderate", "", ""),
    ("start", "", ""), ("slow", "start scaling", ""), ("timetable", "", ""), ("network", "", ""), ("cache", "", ""),
)


def any_features(dice):
    base, limit = dice.choice((ALL, ALL, ALL, BATCHES, f"{BATCHES} step", SCALED)), dice.choice(("", "", "", "aimd", "gradient", "codel"))
    found = f"{base} {limit}".split()
    for features, needs, excludes in ANY:
        fits = not needs or any(need in found for need in needs.split())
        if dice.random() < 0.35 and fits and not any(other in found for other in excludes.split()):
            found += features.split()
    return " ".join(found)


def digits(number):
    """As many as a trace is written with, and times have."""
    return round(number, 9)


class Draw:
    """One scenario: a table as its TOML has it, and the rows of its trace."""

    def __init__(self, seed, features, tasks=150):
        self.dice, self.tasks = random.Random(seed), tasks
        features = any_features(self.dice) if features == "any" else features
        words = [word.partition(":") for word in features.split()]
        self.features = {name: fates.split(",") for name, _, fates in words}
        self.workers = self.dice.randrange(3 if "copies" in self.features else 1, 5)
        self.pool = {"workers": self.workers}
        self.dispatch = {"policies": [self.dice.choice(["central", "least_loaded", "round_robin"])]}
        self.workload = {"arrivals": {"kind": "trace"}, "service": {"expression": "size"}}
        self.stages = []
        self.draw_workers()
        load = self.dice.choice([0.5, 0.8] if "moderate" in self.features else [0.5, 0.8, 1.1])
        self.rate = load * self.capacity()
        self.horizon = tasks / self.rate
        self.draw_bad_luck()
        self.draw_callers()
        self.draw_limits()
        if "stages" in self.features:
            self.draw_stages()
        if "scaling" in self.features:
            self.draw_scaling()
        self.rows = self.draw_rows()

    def scenario(self):
        run = {"warm_up": "0%", "replications": 1}
        stages = {"stages": self.stages} if self.stages else {}
        return {"workload": self.workload, "pool": self.pool, **stages, "dispatch": self.dispatch, "run": run}

    def between(self, least, most):
        """Speeds, too: at 2.0 every other service would end half way between two nanoseconds."""
        return self.written(self.dice.uniform(least, most))

    def written(self, number):
        return math.ceil(2 * number) / 2 if "half_seconds" in self.features else digits(number)

    def chance(self, share):
        return self.dice.random() < share

    # ---- Workers

    def draw_workers(self):
        has, dice, pool = self.features, self.dice, self.pool
        if "classes" in has:
            self.workload["classes"] = [{"name": f"c{number}", "priority": number, "deadline": self.between(1, 6)}
                                        for number in range(dice.randrange(1, 4))]
        if "deadline" in has:
            self.workload["deadline"] = self.between(1, 6)
        if "discipline" in has:
            self.draw_discipline(pool)
        shares = pool.get("discipline") in ("ps", "las")
        if "slots" in has and not shares and self.chance(0.7):
            pool["slots"] = dice.randrange(2, 4)
        if "speeds" in has:
            pool["speeds"] = [self.between(0.4, 2.5) for _ in range(self.workers)]
        if "bounds" in has and self.chance(0.7) and self.dispatch["policies"] != ["central"]:
            pool["queue_bound"] = dice.randrange(1, 6)
        if "bounds" in has and self.chance(0.7):
            pool["common_bound"] = dice.randrange(0, 6)
        if "batch" in has:
            pool["batch"] = self.steps() if "step" in has else self.batches()

    def draw_discipline(self, pool):
        pool["discipline"] = self.dice.choice(DISCIPLINES)
        if pool["discipline"] in ("lifo", "priority", "sjf", "edf") and self.chance(0.5):
            pool["preemptive"] = True
        if pool["discipline"] == "ps" and self.chance(0.7):
            pool["total_speed"] = self.dice.choice([[1.0, 1.6, 2.0], [1.0, 0.8], [1.0, 1.9, 2.7, 3.2]])

    def batches(self):
        batch = {"most": self.dice.randrange(2, 6), "fixed": self.between(0.2, 1), "per_task": self.between(0, 0.3), "per_work": self.between(0, 0.5)}
        if self.chance(0.6):
            batch["longest_wait"] = self.dice.choice([0.0, self.between(0.1, 2)])
        return batch

    def steps(self):
        batch = {"most": self.dice.randrange(2, 6), "step": self.between(0.1, 0.5), "fixed": self.between(0.05, 0.2),
                 "per_task": self.between(0, 0.1), "per_work": self.dice.choice([0.0, 0.3]), "per_join": self.dice.choice([0.0, 0.07])}
        if self.chance(0.5):
            batch["memory"] = self.between(1, 4)
        return batch

    def capacity(self):
        """Tasks per second, which take a second each, roughly."""
        speed = sum(self.pool.get("speeds", [1.0] * self.workers)) * self.pool.get("slots", 1)
        if "batch" not in self.pool:
            return speed
        batch = self.pool["batch"]
        if "step" in batch:
            step = batch["fixed"] + batch["most"] * (batch["per_task"] + batch["per_work"] * batch["step"])
            return 0.7 * speed * batch["most"] * batch["step"] / step
        return speed * batch["most"] / (batch["fixed"] + batch["most"] * (batch["per_task"] + batch["per_work"]))

    # ---- When they do not work, or not as fast

    def draw_bad_luck(self):
        has, dice = self.features, self.dice
        if "outages" in has:
            self.pool["failures"] = self.outages(self.workers, has["outages"], "drain" in has, "detection" in has)
        if "timetable" in has:
            self.draw_timetable()
        if "start" in has:
            self.pool["start_up"], self.pool["keep_warm"] = self.between(0.2, 2), dice.choice([0.0, 0.001, self.between(0.1, 2)])
        if "slow" in has and self.chance(0.6):
            self.pool["slow_start"] = {"time": self.between(0.2, 4), "speed": dice.choice([self.between(0.2, 0.6), 1.0])}

    def outages(self, workers, fates, drains, detected):
        outages = []
        for _ in range(self.dice.randrange(2, 12)):
            hit = sorted(self.dice.sample(range(workers), self.dice.randrange(1, workers + 1)))
            outage = {"at": self.between(0.1, self.horizon), "lasts": self.between(0.3, 5), "workers": hit}
            if drains and self.chance(0.6):
                outage["drain"] = digits(min(outage["at"] * 0.9, self.between(0.1, 3)))
            outages.append(outage)
        detection = {"detection": self.dice.choice([0.0, self.between(0.05, 1)])} if detected else {}
        return {"task": self.dice.choice(fates), "outages": sorted(outages, key=lambda outage: outage["at"]), **detection}

    def draw_timetable(self):
        day, points = self.between(5, 20), []
        for at in sorted(self.between(0, 0.99 * day) for _ in range(self.dice.randrange(1, 6))):
            point = {"at": at, "speed": self.dice.choice([0.0, self.between(0.3, 0.6), 1.0, self.between(1.5, 2.5)])}
            if "scaling" not in self.features and self.chance(0.6):
                point["workers"] = sorted(self.dice.sample(range(self.workers), self.dice.randrange(1, self.workers + 1)))
            points.append(point)
        for worker in range(self.workers):          # nobody stands for ever
            own = [point for point in points if worker in point.get("workers", [worker])]
            if own and not any(point["speed"] for point in own):
                own[-1]["speed"] = 1.0
        self.pool["speed_timetable"] = {"day": day, "points": points}

    # ---- What is done about it

    def draw_callers(self):
        has, dice, callers = self.features, self.dice, {}
        if "timeout" in has:
            callers |= {"timeout": self.between(0.5, 5), "cancel": dice.choice(["nothing", "waiting", "all"])}
        if "retries" in has:
            callers |= {"retries": dice.randrange(1, 4), "backoff": dice.choice([0.0, self.between(0.05, 1.5)]), "backoff_factor": dice.choice([1, 2, 3])}
        if "retries" in has and self.chance(0.5):
            callers["backoff_most"] = self.between(1.6, 3)
        if "budget" in has:
            callers |= {"budget": dice.choice([0.1, 0.3, 0.7]), "budget_burst": dice.choice([1, 3, 10])}
        if "hedge" in has:
            callers |= {"hedge": self.between(0.3, 3), "hedges": dice.randrange(1, 3)}
        if "copies" in has:
            callers["copies"] = dice.randrange(2, 4)
        if "tied" in has:
            callers["tied"] = self.chance(0.6)
        if "breaker" in has:
            callers["breaker"] = {"failures": dice.choice([0.3, 0.5, 0.8]), "tries": dice.choice([3, 5, 10]), "open": self.between(0.5, 5)}
        if callers:
            self.workload["callers"] = callers
        if "ejection" in has:
            share = dice.choice([0.5, 0.7, 1.0]) if self.workers > 1 else 1.0
            self.dispatch["ejection"] = {"failures": dice.randrange(1, 4), "time": self.between(0.5, 5), "share": share}

    def draw_limits(self):
        has, dice = self.features, self.dice
        bounds = {"min": dice.randrange(1, 5), "max": dice.choice([8, 50])}
        if "aimd" in has:
            self.pool["admission"] = {"policy": "aimd", "target": self.between(1, 4), "decrease": dice.choice([0.5, 0.9]), **bounds}
        if "gradient" in has:
            self.pool["admission"] = {"policy": "gradient", "tolerance": dice.choice([1.0, 1.5, 2.0]), "queue": dice.choice([0.5, 1.0, 4.0]),
                                      "smoothing": dice.choice([0.1, 0.2, 0.6]), "window": dice.choice([5, 50]), **bounds}
        if "codel" in has:
            self.pool["admission"] = {"policy": "codel", "target": self.between(0.2, 2), "interval": self.between(0.5, 3)}
            if self.dispatch["policies"] != ["central"]:
                self.pool["queue_bound"] = dice.randrange(1, 4)
        if "network" in has:
            self.dispatch["network_delay"] = self.dice.choice([1e-9, self.between(0.05, 1)])

    def draw_stages(self):
        for number in range(self.dice.randrange(1, 3)):
            workers = self.dice.randrange(1, 5)
            pool = {"workers": workers, "speeds": [self.between(0.5, 2) for _ in range(workers)]}
            self.draw_discipline(pool)
            if self.chance(0.5):
                pool["queue_bound"] = self.dice.randrange(1, 6)
            if self.chance(0.4):
                pool["common_bound"] = self.dice.randrange(1, 6)
            pool["failures"] = self.outages(workers, self.features["stages"], True, self.chance(0.5))
            calls = self.dice.randrange(1, workers + 3) if "calls" in self.features else 1
            service = digits(min(1.0, self.dice.uniform(0.5, 0.9) * sum(pool["speeds"]) / self.rate / calls))
            self.stages.append({"name": f"s{number}", "calls": calls, "service": service, "pool": pool})

    def draw_scaling(self):
        day = digits(self.dice.uniform(0.3, 1) * self.horizon)
        times = sorted(self.between(0, 0.99 * day) for _ in range(self.dice.randrange(2, 6)))
        entries = [{"from": time, "workers": self.dice.randrange(1, 7)} for time in times]
        self.pool["scaling"] = {"policy": "timetable", "min": 1, "max": 8, "day": day, "period": self.between(0.3, 2), "entries": entries}
        if self.chance(0.6):
            self.pool["scaling"]["start_up"] = self.dice.choice([0.0, self.between(0.2, 3)])

    # ---- The trace

    def draw_rows(self):
        dice, at, rows = self.dice, 0.0, []
        trace = {"time": "at", "time_format": "seconds"}
        patience = dice.uniform(0.5, 4)
        if "classes" in self.workload:
            trace["class"] = "kind"
        if "patience" in self.features:
            trace["patience"] = "waits"
        if "cache" in self.features:
            trace["prefix"] = "blocks"
            self.pool["cache"] = {"blocks": dice.randrange(3, 12), "saves": {"expression": "saved"}}
        self.workload["trace"] = trace
        for number in range(self.tasks):
            at += dice.expovariate(self.rate) if number else 0.0
            size = self.written(max(1e-4, dice.choice([dice.expovariate(1), dice.uniform(0.2, 1.8)])))
            row = {"at": self.written(at), "size": size}
            if "class" in trace:
                row["kind"] = dice.choice(self.workload["classes"])["name"]
            if "patience" in trace:
                row["waits"] = dice.choice([0.0, self.written(dice.expovariate(1 / patience))]) if self.chance(0.7) else ""
            if "prefix" in trace:
                begin = 10 * dice.randrange(4)
                own = [1000 + number] if self.chance(0.2) else []
                row["blocks"] = " ".join(map(str, [*range(begin + 1, begin + dice.randrange(2, 6)), *own]))
                row["saved"] = digits(round(row["size"] * dice.uniform(0.1, 0.8) / 60e-9) * 60e-9)    # a third of it, say, is in whole nanoseconds
            rows.append(row)
        return rows
