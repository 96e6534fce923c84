#!/usr/bin/env python3
"""Works out the scenarios of by_hand/, in which nothing is left to chance, and prints by_hand.csv. `--check FILE` compares that file
with it, `--traces FOLDER` writes the traces that they replay.

Nothing of artel is used: each function is the rule that its source states, gone through task by task.
"""

import collections
import csv
import math
import sys


# ---- Workers that fail are left out: Envoy, outlier detection (consecutive failures; base ejection time × times ejected; a share at most).

def ejection():
    """Task k comes at k s to idle workers, and goes to the first that is not left out. The first two are too slow: that is known
    0.9 s later, and after three failures in a row the worker is left out for 10 s, then 20 s, and so on; two of four at once."""
    failures, times, out_until, failed = [0, 0], [0, 0], [0.0, 0.0], 0
    for k in range(1, 1001):
        worker = next((w for w in (0, 1) if out_until[w] < k), 2)
        if worker == 2:
            continue
        failed += 1
        failures[worker] += 1
        if failures[worker] == 3:
            failures[worker] = 0
            times[worker] += 1
            out_until[worker] = k + 0.9 + 10 * times[worker]
    return failed / 1000


def ejection_alone():
    """Its n-th try comes 1 + 10 (n - 1) s after the one before: at n + 5 n (n - 1) s."""
    tries = max(n for n in range(1, 1000) if n + 5 * n * (n - 1) <= 1000)
    return tries / 1000, 1 - tries / 1000


# ---- RFC 8289, section 5.5, line by line; what is left is never dropped: a packet here is a task, and no bytes are counted.

class Codel:
    def __init__(self, target, interval):
        self.target, self.interval = target, interval
        self.queue = collections.deque()
        self.dropping, self.first_above, self.drop_next = False, 0, 0
        self.count, self.last_count, self.dropped = 0, 0, 0

    def law(self, time):
        return time + round(self.interval / math.sqrt(self.count))

    def dodeque(self, now):
        if not self.queue:
            self.first_above = 0
            return None, False
        task = self.queue.popleft()
        if now - task[0] < self.target or not self.queue:
            self.first_above = 0
            return task, False
        if self.first_above == 0:
            self.first_above = now + self.interval
            return task, False
        return task, now >= self.first_above

    def deque(self, now):
        task, ok = self.dodeque(now)
        if self.dropping:
            if not ok:
                self.dropping = False
            while self.dropping and now >= self.drop_next:
                self.dropped += 1
                self.count += 1
                task, ok = self.dodeque(now)
                if not ok:
                    self.dropping = False
                else:
                    self.drop_next = self.law(self.drop_next)
        elif ok:
            self.dropped += 1
            task, _ = self.dodeque(now)
            self.dropping = True
            delta = self.count - self.last_count
            self.count = delta if delta > 1 and now - self.drop_next < 16 * self.interval else 1
            self.drop_next = self.law(now)
            self.last_count = self.count
        return task


def codel(tasks, target, interval):
    """One worker; who comes while it is busy waits in the queue. Share dropped, mean response of the rest. In whole nanoseconds."""
    tasks = [(round(at * 1e9), round(service * 1e9)) for at, service in tasks]
    queue, free, responses = Codel(target * 10**9, interval * 10**9), None, []

    def serve(task, now):
        responses.append(now + task[1] - task[0])
        return now + task[1]

    for task in [*tasks, (math.inf, 0)]:
        while free is not None and free <= task[0]:
            following = queue.deque(free)
            free = serve(following, free) if following else None
        if task[0] == math.inf:
            break
        if free is None:
            free = serve(task, task[0])
        else:
            queue.queue.append(task)
    return queue.dropped / len(tasks), 1e-9 * sum(responses) / len(responses)


# ---- A cache of six blocks, those that were used last, and a queue in order of arrival (Lindley 1952).

def cached(rows):
    used, free, held, whole, response = [], 0.0, 0, 0, 0.0
    for at, tokens, blocks in rows:
        found = 0
        while found < len(blocks) and blocks[found] in used:
            found += 1
        there = min(100 * found, tokens)
        for block in blocks:
            if block in used:
                used.remove(block)
            used.append(block)
        used = used[-6:]
        held, whole = held + there, whole + tokens
        service = 0.3 + 0.001 * tokens - 0.001 * tokens * (there / tokens)
        free = max(free, at) + service
        response += free - at
    return held / whole, response / len(rows)


# ---- A fleet whose policy sees how it was a time ago.

def workers(times, delay):
    """Looks every 10 s; the rate since the last one, over 1.2, is the size `delay` later. Mean from the first to the last task."""
    end, size, since, area = times[-1], 1, 0.0, 0.0
    for look in range(10, 400, 10):
        rate = sum(look - 10 < at <= look for at in times) / 10
        at = look + delay
        if at > end:
            break
        area += size * (at - since)
        size, since = max(1, math.ceil(rate / 1.2)), at
    return (area + size * (end - since)) / end


# ---- What is replayed.

def dice(seed):
    """Numbers from 0 to 1: D. H. Lehmer's generator with the multiplier of Park and Miller 1988."""
    while True:
        seed = seed * 48271 % (2**31 - 1)
        yield seed / (2**31 - 1)


def bursts():
    thrown, at, rows = dice(5), 0.0, []
    for k in range(600):
        rows.append((round(at, 3), round(0.2 + 1.6 * next(thrown), 3)))
        at += (1.6 if k % 60 >= 40 else 0.7) * (0.5 + next(thrown))
    return rows


def prompts():
    thrown, at, rows = dice(11), 0.0, []
    for _ in range(300):
        begin, length = 10 * int(3 * next(thrown)), 1 + int(4 * next(thrown))
        tokens = 100 * length - int(90 * next(thrown))
        own = [100 + len(rows)] if next(thrown) < 0.3 else []
        rows.append((round(at, 3), tokens + 100 * len(own), [*range(begin, begin + length), *own]))
        at += 0.3 + 0.6 * next(thrown)
    return rows


def steps():
    return [0.0, *(k + 0.5 for k in range(100)), *(100 + round((k + 0.5) / 3, 3) for k in range(300)), *(200 + (k + 0.5) / 2 for k in range(200))]


def write_traces(folder):
    tables = {"bursts": (("at", "service"), bursts()),
              "prompts": (("at", "tokens", "blocks"), ((at, tokens, " ".join(map(str, blocks))) for at, tokens, blocks in prompts())),
              "steps": (("at", "service"), ((at, 0.1) for at in steps()))}
    for name, (header, rows) in tables.items():
        with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows])


def rows():
    envoy = "Envoy's outlier detection, task by task"
    yield "ejection", "share abandoned", ejection(), envoy
    yield "ejection", "mean response", 0.4, envoy
    tried, rejected = ejection_alone()
    yield "ejection-alone", "share abandoned", tried, "Envoy's outlier detection: a quadratic equation"
    yield "ejection-alone", "share rejected", rejected, "Envoy's outlier detection: a quadratic equation"
    for name, tasks, target, interval in (("codel", [((k + 1) / 1.25, 1.0) for k in range(2000)], 5, 10),
                                          ("codel-bursts", bursts(), 3, 3)):
        dropped, response = codel(tasks, target, interval)
        yield name, "share rejected", dropped, "RFC 8289, section 5"
        yield name, "mean response", response, "RFC 8289, section 5"
    hits, response = cached(prompts())
    yield "cache-saves", "hit ratio", hits, "least recently used, block by block"
    yield "cache-saves", "mean response", response, "least recently used, and Lindley 1952"
    for delay in (0, 25):
        yield f"metric-delay-{delay}", "mean workers", workers(steps(), delay), "ceil(rate / 1.2), so much later"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--traces":
        return write_traces(sys.argv[2])
    made = [("scenario", "statistic", "expected", "source"),
            *((name, statistic, f"{value:.12g}", source) for name, statistic, value, source in rows())]
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], newline="", encoding="utf-8") as file:
            there = [tuple(row) for row in csv.reader(file)]
        sys.exit(0 if there == made else "by_hand.csv is not what by_hand.py makes")
    csv.writer(sys.stdout, lineterminator="\n").writerows(made)


main()
