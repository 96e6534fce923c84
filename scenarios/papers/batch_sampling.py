#!/usr/bin/env python3
"""Jobs of many tasks, and where the tasks go: one by one or all together.

Batch sampling (Ousterhout, Wendell, Zaharia, Stoica, Sparrow, SOSP 2013; Ying, Srikant, Kang, INFOCOM 2015) asks d·m workers for a job of m tasks
and takes the m that have least. Printed is a job's mean response, in service times: docs/decisions/policies-left-out.md has the figures.

batch_sampling.py [WORKERS TASKS_PER_JOB LOAD JOBS]"""
import collections
import heapq
import random
import sys

workers, tasks, load, jobs = (int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 1 else (1000, 100, 0.8, 4000)


def simulate(place, seed=1):
    dice, times = random.Random(seed), random.Random(seed + 1)      # the same jobs for all
    free = [0.0] * workers                     # when each has done what it has
    ends = [collections.deque() for _ in range(workers)]
    now, total = 0.0, 0.0
    for job in range(jobs):
        now += times.expovariate(load * workers / tasks)

        def queued(w):
            while ends[w] and ends[w][0] <= now:
                ends[w].popleft()
            return len(ends[w])

        def send(w, service):
            free[w] = max(free[w], now) + service
            ends[w].append(free[w])
            return free[w]

        services = [times.expovariate(1) for _ in range(tasks)]
        last = place(dice, queued, send, services)
        if job >= jobs // 10:
            total += last - now
    return total / (jobs - jobs // 10)


def one_by_one(d):
    return lambda dice, queued, send, services: max(
        send(min((dice.randrange(workers) for _ in range(d)), key=queued), service) for service in services)


def batch(d, waterfilling=False):
    def place(dice, queued, send, services):
        asked = dice.sample(range(workers), min(workers, d * len(services)))
        heap = [(queued(w), i, w) for i, w in enumerate(asked)]
        heapq.heapify(heap)
        last = 0.0
        for service in services:               # the emptiest of all asked; water filling counts those just sent
            length, i, w = heapq.heappop(heap)
            last = max(last, send(w, service))
            if waterfilling:
                heapq.heappush(heap, (length + 1, i, w))
        return last
    return place


print(f'{workers} workers, jobs of {tasks} tasks, load {load:g}, {jobs} jobs: mean response of a job')
for name, place in [('random', one_by_one(1)), ('JSQ(2), task by task', one_by_one(2)), ('batch sampling, 2 per task', batch(2)),
                    ('batch filling, 2 per task', batch(2, True)), ('JSQ(4), task by task', one_by_one(4)), ('batch sampling, 4 per task', batch(4)),
                    ('JSQ(10), task by task', one_by_one(10)), ('shortest queue of all, task by task', batch(workers, True))]:
    print(f'  {name:<36} {simulate(place):6.2f}')
