"""A run of a scenario whose tasks come from a trace: time, what happens in it, and what comes out. Times are in seconds from the first task."""

import heapq
import itertools
import math

from callers import Callers
from disciplines import nanoseconds
from limits import Ejection
from pool import Pool
from stages import Stages


class Simulation:
    def __init__(self, scenario, requests):
        self.scenario, self.requests = scenario, requests
        self.now, self.end = 0.0, requests[-1].at
        self.events, self.order, self.line = [], itertools.count(), itertools.count()
        self.news = []                      # for callers, at this moment
        self.blocks_found = self.blocks_asked = 0
        self.ejection = Ejection(self, scenario["dispatch"].get("ejection"))
        stages = scenario.get("stages", [])
        self.pools = [Pool(self, settings) for settings in [scenario["pool"], *(stage["pool"] for stage in stages)]]
        self.stages = Stages(self, stages)
        self.callers = Callers(self, scenario["workload"].get("callers", {}))
        self.plan_request(0)

    def plan_request(self, number):
        if number < len(self.requests):
            self.at(self.requests[number].at, self.come, number, late=True)

    def come(self, number):
        self.callers.ask(self.requests[number])
        self.plan_request(number + 1)

    def at(self, time, happens, *details, together=False, late=False):
        """In whole nanoseconds: of one moment, what was planned first happens first, and what is `late` (who comes, who has waited long enough)
        after all else. `together`: what may happen to several workers at one moment; who waits is given to all of them after the last, if no
        caller has to hear of it before."""
        heapq.heappush(self.events, (nanoseconds(time), late, next(self.order), together, happens, details))

    def soon(self, hears, *details):
        """At this moment, when workers have gone on."""
        self.news.append((hears, details))

    def next_in_line(self):
        return self.now, next(self.line)

    def counted(self, begin, end):
        """How much of a time lies between the first and the last arrival."""
        return max(0.0, min(end, self.end) - max(begin, 0.0))

    def nothing(self):
        pass

    def run(self):
        while self.events:
            self.now, _, _, together, happens, details = heapq.heappop(self.events)
            happens(*details)
            if together and not self.news and self.events and self.events[0][:2] == (self.now, False):
                continue
            self.tell_news()
            self.fill()
            while self.news:
                self.tell_news()
                self.fill()

    def tell_news(self):
        while self.news:
            hears, details = self.news.pop(0)
            hears(*details)

    def fill(self):
        for pool in self.pools:
            pool.fill()

    def is_over(self):
        ended = self.now > self.end and all(request.outcome for request in self.requests)
        return ended and not any(pool.common or any(worker.tasks() for worker in pool.workers) for pool in self.pools)

    def served(self, task, worker):
        if not task.unwanted:
            self.ejection.hears(worker, failed=False)
        if task.attempt:
            return self.stages.call_ended(task)
        self.stages.go_on(task)

    def failed(self, task, how):
        if task.attempt:
            return self.stages.call_ended(task, how)
        self.callers.attempt_failed(task, how)

    # ---- What comes out

    def figures(self):
        """By the names that artel's JSON has."""
        requests, pool = self.requests, self.pools[0]
        waits = [(request.begun or request.at) - request.at for request in requests if request.outcome == "answered"]
        waits += [request.end - request.at for request in requests if request.outcome == "abandoned" and request.gave_up]
        of_each = pool.slots if pool.settings.get("discipline") not in ("ps", "las") else 1
        worker_time = self.end * len(pool.workers)
        found = {"response.mean": mean(responses(requests)), "response.max": max(responses(requests), default=None),
                 "wait.mean": mean(waits), "rejected": share(requests, "rejected"), "abandoned": share(requests, "abandoned"),
                 "failed": sum(has_failed(request) for request in requests) / len(requests),
                 "attempts": self.callers.attempts / len(requests),
                 "in_system": sum(self.counted(request.at, request.end) for request in requests) / self.end}
        if pool.fleet:
            pool.fleet.pay(0)
            worker_time = pool.fleet.worker_time
            found["workers"] = worker_time / self.end
        found["utilisation"] = sum(worker.busy for worker in pool.workers) / (worker_time * of_each)
        if self.blocks_asked:
            found["hit_ratio"] = self.blocks_found / self.blocks_asked
        for name in sorted({request.of_class for request in requests} - {""}):
            members = [request for request in requests if request.of_class == name]
            found |= {f"{name} tasks": len(members), f"{name} response.mean": mean(responses(members)),
                      f"{name} rejected": share(members, "rejected"), f"{name} abandoned": share(members, "abandoned")}
        return found


def responses(requests):
    return [request.end - request.at for request in requests if request.outcome == "answered"]


def has_failed(request):
    return request.outcome != "answered" or request.end - request.at > request.deadline + 1e-12


def share(requests, outcome):
    return sum(request.outcome == outcome for request in requests) / len(requests)


def mean(numbers):
    return math.fsum(numbers) / len(numbers) if numbers else None
