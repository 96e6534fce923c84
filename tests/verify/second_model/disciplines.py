"""Whom a worker serves next, and how (docs/fleets.md "Whom a worker serves next", docs/fleets-batches.md).

Each kind of server reckons in seconds of a worker at speed 1: begin() takes those whose turn it is out of `waiting`, work() lets time
pass, take_ended() hands out who is through.
"""

import math

TINY = 1e-9


def nanoseconds(time):
    """In seconds, but a whole number of them."""
    return round(time, 9)


ORDER = {
    "fifo": lambda task: task.came,
    "lifo": lambda task: (-task.came[0], -task.came[1]),
    "priority": lambda task: (-task.request.priority, *task.came),
    "sjf": lambda task: (task.work, *task.came),
    "edf": lambda task: (task.request.at + task.request.deadline, *task.came),
    "srpt": lambda task: (task.left, *task.came),
    "las": lambda task: task.came,
    "ps": lambda task: task.came,
}


class Slots:
    """Serves `slots` tasks, each at full speed; who goes first interrupts, if it may."""

    together = False

    def __init__(self, pool):
        self.serving = []
        self.slots = pool.get("slots", 1)
        self.discipline = pool.get("discipline", "fifo")
        self.interrupts = pool.get("preemptive", False) or self.discipline == "srpt"

    def begin(self, waiting, now):
        begun, order = [], ORDER[self.discipline]
        while waiting:
            first = min(waiting, key=order)
            if len(self.serving) == self.slots:
                last = max(self.serving, key=order)
                if not self.interrupts or not self.urgency(first) < self.urgency(last):
                    break
                self.serving.remove(last)
                waiting.append(last)
            waiting.remove(first)
            self.serving.append(first)
            begun.append(first)
        return begun

    def urgency(self, task):
        """Equals do not interrupt each other: only who came last is always ahead, with lifo."""
        key = ORDER[self.discipline](task)
        return key if self.discipline == "lifo" else key[0]

    def rates(self):
        return [(task, 1.0) for task in self.serving]

    def work(self, seconds):
        for task, rate in self.rates():
            task.left -= rate * seconds
            task.attained += rate * seconds

    def until_change(self):
        return min(max(0.0, task.left) / rate for task, rate in self.rates())

    def wakes_at(self, waiting):
        return None

    def take_ended(self):
        ended = [task for task in self.serving if task.left <= TINY]
        self.serving = [task for task in self.serving if task.left > TINY]
        return ended

    def drop(self, task):
        """Takes out one that is in service; False where that cannot be."""
        self.serving.remove(task)
        return True

    def restart(self):
        for task in self.serving:
            task.left, task.attained = task.work, 0.0

    def lose(self):
        lost, self.serving = sorted(self.serving, key=lambda task: task.came[1]), []
        return lost

    def busy(self):
        return len(self.serving)


class Sharing(Slots):
    """`ps`: all at once, with equal parts of a speed that may go by their number."""

    def __init__(self, pool):
        super().__init__(pool)
        self.slots = math.inf
        self.total_speed = pool.get("total_speed", [1.0])

    def rates(self):
        tasks = len(self.serving)
        rate = self.total_speed[min(tasks, len(self.total_speed)) - 1] / max(1, tasks)
        return [(task, rate) for task in self.serving]

    def busy(self):
        return 1 if self.serving else 0


class Foreground(Sharing):
    """`las`: who has been served least; those who are level share."""

    def rates(self):
        least = min((task.attained for task in self.serving), default=0.0)
        level = [task for task in self.serving if task.attained <= least + TINY]
        return [(task, 1 / len(level)) for task in level]

    def until_change(self):
        level = self.rates()
        least = min(task.attained for task in self.serving)
        ahead = [task.attained - least for task in self.serving if task.attained > least + TINY]
        return min([super().until_change(), *(gap / level[0][1] for gap in ahead)])


class Batches(Slots):
    """Up to `most` at a time, when so many wait or the first has waited for `longest_wait`; all end together."""

    together = True

    def __init__(self, pool):
        super().__init__(pool)
        self.batch = {"fixed": 0.0, "per_task": 0.0, "per_work": 1.0, "per_join": 0.0, **pool["batch"]}
        self.left = self.whole = 0.0

    def begin(self, waiting, now):
        if self.serving or not waiting:
            return []
        most = self.batch["most"]
        if len(waiting) < most and now < self.wakes_at(waiting) - TINY:
            return []
        self.serving, waiting[:] = waiting[:most], waiting[most:]
        tasks, work = len(self.serving), sum(task.work for task in self.serving)
        batch = self.batch
        self.whole = self.left = batch["fixed"] + (batch["per_task"] + batch["per_join"]) * tasks + batch["per_work"] * work
        return list(self.serving)

    def wakes_at(self, waiting):
        if self.serving or not waiting:
            return None
        return waiting[0].came[0] + self.batch.get("longest_wait", 0.0)

    def work(self, seconds):
        self.left -= seconds

    def until_change(self):
        return max(0.0, self.left)

    def take_ended(self):
        return self.lose() if self.left <= TINY else []

    def drop(self, task):
        return False

    def restart(self):
        self.left = self.whole

    def busy(self):
        return 1 if self.serving else 0


class Steps(Batches):
    """Continuous batching: tasks join and leave between steps, as many as `most` and `memory` allow."""

    in_step = False

    def begin(self, waiting, now):
        if self.in_step:
            return []
        batch, joining = self.batch, []
        while waiting:
            held = sum(task.work for task in self.serving) + waiting[0].work
            if self.serving and (len(self.serving) >= batch["most"] or held > batch.get("memory", math.inf) + TINY):
                break
            joining.append(waiting.pop(0))
            self.serving.append(joining[-1])
        tasks = len(self.serving)
        self.whole = batch["fixed"] + tasks * (batch["per_task"] + batch["per_work"] * batch["step"])
        self.left = self.whole + len(joining) * batch["per_join"]
        self.in_step = tasks > 0
        return joining

    def wakes_at(self, waiting):
        return None

    def take_ended(self):
        if self.left > TINY:
            return []
        self.in_step = False
        for task in self.serving:
            task.attained += 1
        ended = [task for task in self.serving if task.attained >= self.steps(task)]
        self.serving = [task for task in self.serving if task not in ended]
        return ended

    def steps(self, task):
        return max(1, math.ceil(task.work / self.batch["step"] - TINY))

    def restart(self):
        """All begin anew, and join anew."""
        for task in self.serving:
            task.attained = 0.0
        self.left = self.whole + len(self.serving) * self.batch["per_join"]

    def lose(self):
        self.in_step = False
        return super().lose()


def make_server(pool):
    if "batch" in pool:
        return Steps(pool) if "step" in pool["batch"] else Batches(pool)
    return {"ps": Sharing, "las": Foreground}.get(pool.get("discipline"), Slots)(pool)
