"""What callers do (docs/callers.md): tries, hedges, copies, tied attempts, time-outs, patience, retries, budgets, breakers."""

import math

from limits import Breaker
from tasks import Task


class Callers:
    def __init__(self, simulation, settings):
        self.simulation, self.settings = simulation, settings
        self.pool = simulation.pools[0]
        self.cancel = settings.get("cancel", "nothing")
        self.tied = settings.get("tied", False)
        self.budget = settings.get("budget", math.inf)
        self.tokens = self.burst = settings.get("budget_burst", 10)    # a bucket that is full at first
        self.breaker = Breaker(settings["breaker"]) if "breaker" in settings else None
        self.attempts = 0

    def ask(self, request):
        self.tokens = min(self.burst, self.tokens + self.budget)
        self.make_try(request)

    def after(self, seconds, does, *details):
        self.simulation.at(self.simulation.now + seconds, does, *details, late=True)

    def may_pay(self):
        return self.budget == math.inf or self.tokens >= 1 - 1e-9

    def pay(self):
        if self.budget < math.inf:
            self.tokens -= 1

    # ---- A try, and what is sent in it

    def make_try(self, request):
        request.tries += 1
        request.gave_up, request.hedges, request.live = False, 0, []
        number = request.tries
        if self.breaker and not self.breaker.allows(self.simulation.now, (request, number)):
            return self.retry_or_end(request, "rejected")
        if "timeout" in self.settings:
            self.after(self.settings["timeout"], self.time_out, request, number)
        if "hedge" in self.settings:
            self.after(self.settings["hedge"], self.hedge, request, number)
        for _ in range(self.settings.get("copies", 1)):
            if self.is_settled(request) or self.send(request) == "not sent":
                break
        if not request.live:
            self.has_failed(request, "rejected")

    def is_settled(self, request):
        """Tied attempts: no more are sent when a worker has begun one."""
        return self.tied and any(attempt.begun is not None for attempt in request.live)

    def send(self, request):
        attempt = Task(request, request.size, self.simulation.next_in_line(), of_try=request.tries)
        others = [other for other in request.live if other.stage == 0]
        outcome = self.pool.come(attempt, others=others)
        if outcome != "not sent":
            self.attempts += 1
        if outcome == "let in":
            request.live.append(attempt)
            if attempt.begun is None and request.patience < math.inf:
                self.after(request.patience, self.give_up, attempt)
        return outcome

    def hedge(self, request, number):
        if request.tries != number or not request.live or not self.may_pay():
            return
        request.hedges += 1
        if not self.is_settled(request) and self.send(request) != "not sent":
            self.pay()
        if request.hedges < self.settings.get("hedges", 1):
            self.after(self.settings["hedge"], self.hedge, request, number)

    def begun(self, attempt):
        if self.tied and not attempt.unwanted:
            self.simulation.soon(self.take_back_others, attempt)

    def take_back_others(self, attempt):
        if attempt.unwanted:
            return
        for other in [other for other in attempt.request.live if other is not attempt]:
            if other.begun is None and other.state == "there":
                attempt.request.live.remove(other)
                self.pool.drop(other)

    # ---- How it ends

    def answered(self, attempt):
        """The first answer counts, if its try has not been given up."""
        request = attempt.request
        if attempt not in request.live:
            return
        request.outcome, request.end, request.begun = "answered", self.simulation.now, attempt.begun
        if self.breaker:
            self.breaker.ended(self.simulation.now, (request, attempt.of_try), failed=False)
        others, request.live = [other for other in request.live if other is not attempt], []
        for other in others:
            self.no_longer_want(other)

    def attempt_failed(self, attempt, how, gave_up=False):
        request = attempt.request
        if attempt not in request.live:
            return
        request.gave_up = gave_up
        request.live.remove(attempt)
        if not request.live:
            self.has_failed(request, how)

    def give_up(self, attempt):
        """Patience: of an attempt that was not begun in time, and for which somebody waits."""
        if attempt.begun is None and not attempt.unwanted and attempt.state == "there":
            self.pool.drop(attempt)
            self.attempt_failed(attempt, "abandoned", gave_up=True)

    def time_out(self, request, number):
        if request.tries != number or not request.live:
            return
        attempts, request.live, request.gave_up = request.live, [], False
        for attempt in attempts:
            if attempt.stage == 0:                         # else its worker has done its part
                self.simulation.ejection.hears(attempt.worker, failed=True)
        for attempt in attempts:
            self.no_longer_want(attempt)
        self.has_failed(request, "abandoned")

    def no_longer_want(self, attempt):
        attempt.unwanted = True
        if attempt.calls:
            self.simulation.stages.no_longer_want(attempt)
        elif attempt.state == "there" and self.is_spared(attempt):
            attempt.pool.drop(attempt)

    def is_spared(self, task):
        """Whether workers are spared of what nobody waits for any more."""
        return self.cancel == "all" or self.cancel == "waiting" and task.begun is None

    # ---- What comes of it

    def has_failed(self, request, how):
        if self.breaker:
            self.breaker.ended(self.simulation.now, (request, request.tries), failed=True)
        self.retry_or_end(request, how)

    def retry_or_end(self, request, how):
        """A try that a breaker did not let be made is told to no breaker."""
        settings, retries = self.settings, request.tries - 1
        request.live = []
        if retries < settings.get("retries", 0) and self.may_pay():
            self.pay()
            wait = settings.get("backoff", 0.0) * settings.get("backoff_factor", 2) ** retries
            wait = min(wait, settings.get("backoff_most", math.inf))
            self.after(wait, self.make_try, request)
        else:
            request.outcome, request.end = how, self.simulation.now
