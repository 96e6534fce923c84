"""Who turns tasks away, or workers out: `pool.admission`, `callers.breaker`, `dispatch.ejection` (docs/fleets-failures.md "Tasks that
are not let in", docs/callers.md, docs/fleets.md)."""

import collections
import math

MANY = 1_000_000.0     # no bound


class Limit:
    """How many tasks may be in the pool. It grows only while half of it is used."""

    def __init__(self, admission):
        self.limit = self.least = admission.get("min", 1)
        self.most = admission.get("max", MANY)
        self.settings = {"decrease": 0.9, "tolerance": 1.5, "queue": 4, "smoothing": 0.2, "window": 600, **admission}

    def admits(self, inside):
        return inside < math.floor(self.limit)

    def set(self, limit):
        self.limit = max(self.least, min(self.most, limit))


class Aimd(Limit):
    """Grows by one for as many responses within `target`; is multiplied by `decrease` for a late one, once per `target` at most."""

    next_decrease = -math.inf

    def has_left(self, now, seconds, inside, served):
        """One who has no response counts if it was there for too long, else not at all."""
        if seconds > self.settings["target"]:
            if now >= self.next_decrease:
                self.set(self.limit * self.settings["decrease"])
                self.next_decrease = now + self.settings["target"]
        elif served and 2 * inside >= self.limit:
            self.set(self.limit + 1 / self.limit)


class Gradient(Limit):
    """Netflix' concurrency-limits, Gradient2: a response beside the average of the last `window`, which begins with ten as they are."""

    average, responses = 0.0, 0

    def has_left(self, now, seconds, inside, served):
        settings = self.settings
        slow = settings["tolerance"] * self.average
        if not served and seconds <= slow:
            return
        self.responses += 1
        share = 1 / self.responses if self.responses <= 10 else 2 / (settings["window"] + 1)
        self.average += share * (seconds - self.average)
        if self.average > 2 * seconds:
            self.average *= 0.95
        if 2 * inside < self.limit:
            return
        gradient = max(0.5, min(1.0, settings["tolerance"] * self.average / seconds)) if seconds > 0 else 1.0
        wanted = self.limit * gradient + settings["queue"]
        self.set(self.limit + settings["smoothing"] * (wanted - self.limit))


class Codel:
    """RFC 8289, section 5.5, line by line; who is left alone in the queue is never dropped."""

    def __init__(self, admission):
        self.target, self.interval = admission["target"], admission.get("interval", 0.1)
        self.dropping, self.first_above, self.drop_next = False, 0.0, 0.0
        self.count, self.last_count = 0, 0

    def law(self, time):
        return time + self.interval / math.sqrt(self.count)

    def dodeque(self, now, queue):
        if not queue:
            self.first_above = 0.0
            return None, False
        task = queue.take_first()
        if now - task.since < self.target or not queue:
            self.first_above = 0.0
            return task, False
        if self.first_above == 0.0:
            self.first_above = now + self.interval
            return task, False
        return task, now >= self.first_above

    def deque(self, now, queue):
        """Whose turn it is (None: nobody is left), and who is dropped before."""
        dropped = []
        task, late = self.dodeque(now, queue)
        if self.dropping:
            self.dropping = late
            while self.dropping and now >= self.drop_next:
                dropped.append(task)
                self.count += 1
                task, self.dropping = self.dodeque(now, queue)
                if self.dropping:
                    self.drop_next = self.law(self.drop_next)
        elif late:
            dropped.append(task)
            task, _ = self.dodeque(now, queue)
            self.dropping = True
            delta = self.count - self.last_count
            self.count = delta if delta > 1 and now - self.drop_next < 16 * self.interval else 1
            self.drop_next = self.law(now)
            self.last_count = self.count
        return task, dropped


def limit_of(admission):
    return {"aimd": Aimd, "gradient": Gradient}[admission["policy"]](admission) if admission and admission["policy"] != "codel" else None


class Breaker:
    """When the share `failures` of the last `tries` has failed none is made for `open`; then one, which decides."""

    def __init__(self, settings):
        self.settings = settings
        self.failed = collections.deque(maxlen=settings["tries"])
        self.opens_until = None              # not None: it is open, or its deciding try is under way
        self.deciding = None

    def allows(self, now, one_try):
        if self.opens_until is None:
            return True
        if now < self.opens_until or self.deciding:
            return False
        self.deciding = one_try
        return True

    def ended(self, now, one_try, failed):
        if self.deciding == one_try:
            self.deciding = None
            self.opens_until = now + self.settings["open"] if failed else None
        elif self.opens_until is None:       # else it was made before
            self.failed.append(failed)
            tries = self.settings["tries"]
            if len(self.failed) == tries and sum(self.failed) >= self.settings["failures"] * tries - 1e-9:
                self.opens_until = now + self.settings["open"]
                self.failed.clear()


class Ejection:
    """A worker is left out after `failures` in a row, for `time`, twice that the second time, and so on; never more than `share` of all."""

    def __init__(self, simulation, settings):
        self.simulation, self.settings = simulation, settings
        self.in_a_row, self.times, self.out_until = collections.Counter(), collections.Counter(), {}

    def leaves_out(self, worker):
        return self.simulation.now < self.out_until.get(worker, -math.inf) - 1e-9

    def hears(self, worker, failed):
        """How an attempt at this worker ended, for which somebody waited (None: it had come to none)."""
        if self.settings is None or worker is None:
            return
        if not failed:
            self.in_a_row[worker] = 0
            return
        if self.leaves_out(worker):
            return
        self.in_a_row[worker] += 1
        workers = worker.pool.workers
        out = sum(self.leaves_out(other) for other in workers) + 1
        if self.in_a_row[worker] >= self.settings["failures"] and out <= self.settings["share"] * len(workers) + 1e-9:
            self.in_a_row[worker] = 0
            self.times[worker] += 1
            self.out_until[worker] = self.simulation.now + self.settings["time"] * self.times[worker]
            self.simulation.at(self.out_until[worker], self.simulation.nothing)    # the common queue is looked at then
