"""A worker: when it works, how fast, and what it remembers (docs/fleets.md, docs/fleets-failures.md, docs/fleets-batches.md)."""

import math

from disciplines import TINY, make_server, nanoseconds


class Worker:
    def __init__(self, pool, number, speed):
        self.pool, self.number, self.own_speed = pool, number, speed
        self.clock, self.settings = pool.simulation, pool.settings
        self.server = make_server(self.settings)
        self.waiting, self.coming = [], []      # coming: on the network
        self.broken = 0                         # outages that it is in
        self.hidden = 0                         # reasons for which dispatchers send it nothing
        self.noticed = False                    # health checks have found it broken
        self.factor = 1.0                       # of its speed, by the clock
        self.next_speed = None                  # when that changes
        self.waits_for_others = False           # who are just coming, to be served with those that wait
        self.starting_until = None
        self.slow_until = -math.inf
        self.idle_since = -math.inf             # inf: it is not idle
        self.membership = "here"                # of a fleet that is scaled: then "leaving" and "gone"
        self.cache = []                         # blocks; those that were used last are at the end
        self.busy = 0.0
        self.seen_at = 0.0                      # up to when its work has been done
        self.changes_at = None                  # when somebody's service is over next
        self.version = 0                        # of that: an older one means nothing

    def tasks(self):
        return len(self.waiting) + len(self.server.serving) + len(self.coming)

    def speed(self, at):
        if self.broken or self.starting_until is not None:
            return 0.0
        slow = self.settings["slow_start"]["speed"] if at < self.slow_until - TINY else 1.0
        return self.own_speed * self.factor * slow

    def advance(self):
        """Brings its work up to now."""
        now, seconds, speed = self.clock.now, self.clock.now - self.seen_at, self.speed(self.seen_at)
        if seconds > 0 and speed > 0 and self.server.serving:
            self.busy += self.server.busy() * self.clock.counted(self.seen_at, now)
            self.server.work(min(seconds * speed, self.server.until_change()))    # a change may have been rounded to a nanosecond
        self.seen_at = now

    def plan_end(self):
        """It keeps its place among others of its moment if the moment is as it was."""
        speed, at = self.speed(self.clock.now), None
        if speed > 0 and self.server.serving:
            at = nanoseconds(self.clock.now + self.server.until_change() / speed)
        if at == self.changes_at:
            return
        self.changes_at, self.version = at, self.version + 1
        if at is not None:
            self.clock.at(at, self.change, self.version)

    # ---- Service

    def enter(self, task):
        if self.broken and self.settings["failures"]["task"] == "error":
            task.worker = self
            self.have_been_lost([task])
            return
        self.advance()
        if self.is_cold():
            self.cache.clear()
        if "cache" in self.settings and task.request.prefix:
            task.work -= nanoseconds(task.request.saves * self.remember(task.request.prefix))
            task.left = task.work
        task.worker, task.came = self, self.clock.next_in_line()
        self.waiting.append(task)
        self.serve()

    def serve(self):
        """Begins whatever can begin now."""
        if self.waits_for_others:
            return None
        self.advance()
        if self.waiting and self.is_cold():
            return self.start_up()
        now = self.clock.now
        if self.speed(now) > 0:
            for task in self.server.begin(self.waiting, now):
                self.pool.begun(task)
            self.plan_wake()
        if self.waiting or self.server.serving:
            self.idle_since = math.inf
        self.plan_end()

    def plan_wake(self):
        due = self.server.wakes_at(self.waiting)
        if due is not None:
            self.clock.at(max(self.clock.now, due), self.serve)

    def change(self, version):
        """Somebody's service, or a step, may be over: whoever is next begins before callers hear of it."""
        if version != self.version:
            return
        self.advance()
        self.changes_at = None
        rounded_off = self.server.until_change()
        if rounded_off <= TINY * self.speed(self.clock.now):
            self.server.work(rounded_off)
        ended = self.server.take_ended()
        self.note_idle()
        self.waits_for_others = self.server.together
        self.serve()
        for task in ended:
            task.state = "served"
        self.pool.have_left(ended)
        if self.waits_for_others:
            self.pool.fill()                    # the next batch, or step, is made with who comes for those that have ended
            self.waits_for_others = False
            self.serve()
        for task in ended:
            self.clock.soon(self.clock.served, task, self)
        if ended:
            self.pool.fill()

    def drop(self, task):
        """Takes out a task that has not ended; False where it is served with others in a batch."""
        self.advance()
        if task in self.coming:
            self.coming.remove(task)
            return True
        if task in self.waiting:
            self.waiting.remove(task)           # so nobody begins: a batch that is due is made when all of this moment have left
            self.note_idle()
            self.plan_wake()
            return True
        if not self.server.drop(task):
            return False
        self.note_idle()
        self.serve()
        return True

    def note_idle(self):
        if not self.server.serving and not self.waiting:
            self.idle_since = self.clock.now

    # ---- Cold starts

    def is_cold(self):
        idle = not self.server.serving and self.starting_until is None and "start_up" in self.settings
        return idle and self.clock.now - self.idle_since >= max(self.settings.get("keep_warm", 0.0), 2 * TINY) - TINY

    def start_up(self):
        """Goes on while it is broken, and when the task that it was for has gone away."""
        self.starting_until = self.clock.now + self.settings["start_up"]
        self.plan_end()
        self.clock.at(self.starting_until, self.has_started, self.starting_until)

    def has_started(self, at):
        if self.starting_until != at:
            return
        self.advance()
        self.starting_until, self.idle_since = None, math.inf
        self.start_slowly()
        self.serve()
        self.note_idle()

    def start_slowly(self):
        if "slow_start" in self.settings:
            self.slow_until = self.clock.now + self.settings["slow_start"]["time"]
            self.clock.at(self.slow_until, self.serve)

    def set_factor(self, factor):
        self.advance()
        self.factor = factor
        self.serve()

    # ---- Failures

    def break_down(self):
        """What is in service goes on after the repair, begins again, or is lost; what waits stays, unless errors are answered."""
        self.advance()
        self.broken += 1
        if self.broken > 1:
            return
        fate, lost = self.settings["failures"]["task"], []
        self.be_noticed_later()
        if fate != "resume":
            self.cache.clear()
        if fate == "restart":
            self.server.restart()
        elif fate in ("lose", "error"):
            lost = self.server.lose()
        if fate == "error":
            lost += sorted(self.waiting, key=self.server.urgency)
            self.waiting.clear()
        if lost:
            self.note_idle()
        self.plan_end()
        self.have_been_lost(lost)
        if lost:
            self.pool.fill()

    def have_been_lost(self, lost):
        for task in lost:
            task.state = "lost"
        self.pool.have_left(lost)
        for task in lost:
            if not task.unwanted:
                self.clock.ejection.hears(self, failed=True)
        for task in lost:
            self.clock.soon(self.clock.failed, task, "abandoned")

    def repair(self):
        self.advance()
        self.broken -= 1
        if not self.broken:
            self.be_noticed_later()
            self.serve()

    def be_noticed_later(self):
        detection = self.settings["failures"].get("detection")
        if detection is not None:
            self.clock.at(self.clock.now + detection, self.check_health, together=True)

    def check_health(self):
        """A failure that is repaired by then is not noticed."""
        if self.noticed != (self.broken > 0):
            self.noticed = not self.noticed
            self.hide(1 if self.noticed else -1)

    def hide(self, reasons):
        self.hidden += reasons

    # ---- What it remembers

    def remember(self, prefix):
        """The share of a prefix that is there: a block is of use only if all before it are there."""
        found = 0
        while found < len(prefix) and prefix[found] in self.cache:
            found += 1
        for block in prefix:
            if block in self.cache:
                self.cache.remove(block)
            self.cache.append(block)
        self.cache = self.cache[-self.settings["cache"]["blocks"]:]
        self.clock.blocks_found += found
        self.clock.blocks_asked += len(prefix)
        return found / len(prefix)
