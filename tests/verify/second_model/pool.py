"""A pool: its queues, whom its dispatcher names, who is let in, outages and speeds by the clock (docs/fleets.md, docs/fleets-failures.md)."""

import math

from disciplines import ORDER, nanoseconds
from limits import Codel, limit_of
from scaling import Fleet
from worker import Worker


class CommonQueue(list):
    """Goes in the order of the discipline, too."""

    def __init__(self, discipline):
        super().__init__()
        self.order = ORDER[discipline]

    def take_first(self):
        first = min(self, key=self.order)
        self.remove(first)
        return first


class Pool:
    def __init__(self, simulation, settings):
        self.simulation, self.settings = simulation, settings
        self.policy = simulation.scenario["dispatch"]["policies"][0]
        self.delay = simulation.scenario["dispatch"].get("network_delay", 0.0)
        self.slots = settings.get("slots", 1)
        bound = 1 if self.policy == "central" else settings.get("queue_bound", math.inf)
        self.bound = max(bound, self.slots, settings.get("batch", {}).get("most", 1))
        speeds = settings.get("speeds", [1.0] * settings["workers"])
        self.workers = [Worker(self, number, speed) for number, speed in enumerate(speeds)]
        self.common = CommonQueue(settings.get("discipline", "fifo"))
        self.common_bound = settings.get("common_bound", math.inf)
        self.turns = 0                              # of round robin
        self.inside = 0                             # tasks
        admission = settings.get("admission")
        self.limit = limit_of(admission)
        self.codel = Codel(admission) if admission and not self.limit else None
        self.plan_outages()
        for worker in self.workers:
            self.go_by_timetable(worker)
        self.fleet = Fleet(self, settings["scaling"]) if "scaling" in settings else None

    # ---- By the clock

    def plan_outages(self):
        at = self.simulation.at
        for outage in self.settings.get("failures", {}).get("outages", []):
            begin, end = outage["at"], outage["at"] + outage["lasts"]
            workers = [self.workers[number] for number in outage["workers"]]
            for worker in workers:
                at(begin, worker.break_down, together=True)
                at(end, worker.repair, together=True)
            for worker in workers if "drain" in outage else []:
                at(max(0.0, begin - outage["drain"]), worker.hide, 1, together=True)
                at(end, worker.hide, -1, together=True)

    def go_by_timetable(self, worker):
        """A point of a worker holds until its next one, the last over midnight."""
        timetable, now = self.settings.get("speed_timetable", {"points": []}), self.simulation.now
        points = [point for point in timetable["points"] if worker.number in point.get("workers", [worker.number])]
        if not points or self.simulation.is_over():
            return
        days = now // timetable["day"]
        due = [(nanoseconds(day * timetable["day"] + point["at"]), point) for day in (days - 1, days, days + 1) for point in points]
        worker.set_factor([point for at, point in due if at <= now][-1]["speed"])
        worker.next_speed = next(at for at, _ in due if at > now)
        self.simulation.at(worker.next_speed, self.change_speed, worker, worker.next_speed)

    def change_speed(self, worker, due):
        if due == worker.next_speed:
            self.go_by_timetable(worker)

    # ---- Whom the dispatcher names

    def takes(self, worker):
        """Does not know of failures that were not found, nor of cold starts."""
        return worker.membership == "here" and not worker.hidden and not self.simulation.ejection.leaves_out(worker)

    def has_room(self, worker):
        return self.takes(worker) and worker.tasks() < self.bound

    def choose(self):
        with_room = [worker for worker in self.workers if self.has_room(worker)]
        if not with_room:
            return None
        if self.policy != "round_robin":
            return min(with_room, key=lambda worker: (worker.tasks(), worker.number))
        ring = [worker for worker in self.workers if self.takes(worker)]
        begin = self.turns % len(ring)
        self.turns += 1
        return next(worker for worker in ring[begin:] + ring[:begin] if self.has_room(worker))

    def choose_another(self, others):
        """A policy that names one of `others` is asked again, 16 times at most; then the next one with room is taken."""
        named = None
        for _ in range(16):
            named = self.choose()
            if named is None or named not in others:
                break
        if named is None or named not in others:
            return named
        ring = self.workers[named.number + 1:] + self.workers[:named.number + 1]
        return next((worker for worker in ring if self.has_room(worker) and worker not in others), None)

    # ---- Coming and going

    def come(self, task, others=()):
        """"let in", "refused", or "not sent": no worker but those of `others`, its request's other attempts, has room."""
        task.pool, task.since = self, self.simulation.now
        worker = None
        if others:
            worker = self.choose_another([other.worker for other in others])
            if worker is None:
                return "not sent"
        if self.limit and not self.limit.admits(self.inside):
            return "refused"
        if worker is None:
            worker = self.choose()
        if worker is None:
            if len(self.common) >= self.common_bound:
                return "refused"
            self.common.append(task)
        self.inside += 1
        if worker is not None:
            self.put(task, worker)
        return "let in"

    def put(self, task, worker):
        """What waited in the common queue meanwhile has its way to the worker behind it."""
        due = task.since + self.delay
        if due <= self.simulation.now:
            worker.enter(task)
            return
        task.worker = worker
        worker.coming.append(task)
        self.simulation.at(due, self.reach, task)

    def reach(self, task):
        if task in task.worker.coming:
            task.worker.coming.remove(task)
            task.worker.enter(task)

    def begun(self, task):
        if task.begun is None:
            task.begun = self.simulation.now
            if task.attempt is None:
                self.simulation.callers.begun(task)

    def fill(self):
        """Who waits in the common queue goes to workers with room."""
        while self.common and any(self.has_room(worker) for worker in self.workers):
            if not self.codel:
                task, dropped = self.common.take_first(), []
            else:
                task, dropped = self.codel.deque(self.simulation.now, self.common)
            for late in dropped:
                late.state = "dropped"
                self.inside -= 1
                self.simulation.soon(self.simulation.failed, late, "rejected")
            if task is not None:
                self.put(task, self.choose())

    def drop(self, task):
        """Nobody wants it any more."""
        if task.worker is None:
            self.common.remove(task)
        elif not task.worker.drop(task):
            return
        task.state = "gone"
        self.have_left([task])

    def have_left(self, tasks):
        for task in tasks:
            if self.limit:
                seconds = nanoseconds(self.simulation.now - task.since)
                self.limit.has_left(self.simulation.now, seconds, self.inside, task.state == "served")
            self.inside -= 1
            if self.fleet and task.worker:
                self.fleet.may_go(task.worker)
