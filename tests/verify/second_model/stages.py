"""Requests through several pools (docs/stages.md): an attempt goes through [pool], then makes its calls stage by stage."""

from tasks import Task


class Stages:
    def __init__(self, simulation, stages):
        self.simulation, self.settings = simulation, stages

    def go_on(self, attempt):
        """An attempt has been served, in [pool] or by a stage."""
        if attempt.stage == len(self.settings):
            return self.simulation.callers.answered(attempt)
        attempt.stage += 1
        if attempt.unwanted and self.simulation.callers.cancel != "nothing":
            return                                        # is passed on no further
        stage, pool = self.settings[attempt.stage - 1], self.simulation.pools[attempt.stage]
        attempt.calls = [Task(attempt.request, stage["service"], self.simulation.next_in_line(), attempt=attempt)
                         for _ in range(stage.get("calls", 1))]
        refused = []
        for call in attempt.calls:                         # each is placed by the policy
            if pool.come(call) == "refused":
                call.state = "refused"
                refused.append(call)
        for call in refused:
            self.call_ended(call, "rejected")

    def call_ended(self, call, failure=""):
        """The stage ends with the last; whoever is rejected, gives up or is lost anywhere has failed."""
        attempt = call.attempt
        attempt.calls.remove(call)
        if failure == "rejected" or not attempt.failure:
            attempt.failure = failure
        if attempt.calls:
            return
        if attempt.failure:
            self.simulation.callers.attempt_failed(attempt, attempt.failure)
        else:
            self.go_on(attempt)

    def no_longer_want(self, attempt):
        for call in list(attempt.calls):
            if call.state == "there" and self.simulation.callers.is_spared(call):
                call.pool.drop(call)
                if call.state == "gone":
                    self.call_ended(call, "abandoned")
