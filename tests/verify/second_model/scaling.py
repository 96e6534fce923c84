"""A fleet whose size goes by a timetable (docs/scaling.md "What the fleet does")."""

import math

from worker import Worker


class Fleet:
    def __init__(self, pool, settings):
        self.pool, self.simulation, self.settings = pool, pool.simulation, settings
        self.on_their_way = []
        self.ordered = 0
        self.paid, self.worker_time, self.paid_since = len(pool.workers), 0.0, 0.0
        self.simulation.at(settings["period"], self.look)

    def pay(self, change):
        now = min(self.simulation.now, self.simulation.end)
        self.worker_time += self.paid * max(0.0, now - self.paid_since)
        self.paid_since, self.paid = now, self.paid + change

    def here(self):
        return [worker for worker in self.pool.workers if worker.membership == "here"]

    def size(self):
        return len(self.here()) + len(self.on_their_way)

    def wanted(self):
        """An entry holds until the next, the last over midnight."""
        time, entries = self.simulation.now % self.settings["day"], self.settings["entries"]
        past = [entry["workers"] for entry in entries if entry["from"] <= time + 1e-12]
        wanted = past[-1] if past else entries[-1]["workers"]
        return max(self.settings["min"], min(self.settings["max"], wanted))

    def look(self):
        if self.simulation.is_over():
            return
        self.simulation.at(self.simulation.now + self.settings["period"], self.look)
        wanted = self.wanted()
        while self.size() > wanted:
            if self.on_their_way:
                self.on_their_way.pop()
                self.pay(-1)
                continue
            worker = min(self.here(), key=lambda worker: (worker.tasks(), -worker.number))
            worker.membership = "leaving"
            self.may_go(worker)
        while self.size() < wanted:
            self.pay(+1)
            if "start_up" in self.settings:
                self.ordered += 1
                self.on_their_way.append(self.ordered)
                self.simulation.at(self.simulation.now + self.settings["start_up"], self.arrive, self.ordered, together=True)
            else:
                self.join()

    def may_go(self, worker):
        """Those that leave get no more, finish what they have, and cost until then."""
        if worker.membership == "leaving" and not worker.tasks():
            worker.membership, worker.starting_until, worker.slow_until, worker.next_speed = "gone", None, -math.inf, None
            self.pay(-1)

    def arrive(self, order):
        if order in self.on_their_way:
            self.on_their_way.remove(order)
            self.join()

    def join(self):
        worker = next((worker for worker in self.pool.workers if worker.membership == "gone"), None)
        if worker is None:
            worker = Worker(self.pool, len(self.pool.workers), self.pool.workers[0].own_speed)
            self.pool.workers.append(worker)
        worker.membership, worker.cache = "here", []
        worker.seen_at = worker.idle_since = self.simulation.now
        worker.start_slowly()
        self.pool.go_by_timetable(worker)
