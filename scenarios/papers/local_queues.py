#!/usr/bin/env python3
"""Several dispatchers, each with the lengths of all queues as it saw them last.

LSQ (Vargaftik, Keslassy, Orda, LSQ: load balancing in large-scale heterogeneous systems with multiple dispatchers, 2020) sends a task to the queue that
is shortest in the dispatcher's own table, counts it there, and then looks at d workers, whose lengths it writes down. Printed are mean responses in
service times: docs/decisions/policies-left-out.md has the figures.

local_queues.py [WORKERS LOAD TASKS]"""
import collections
import random
import sys

workers, load, tasks = (int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 1 else (100, 0.8, 200_000)


def simulate(policy, dispatchers, seed=1):
    dice, times = random.Random(seed), random.Random(seed + 1)      # the same tasks for all
    free = [0.0] * workers                     # when each has done what it has
    ends = [collections.deque() for _ in range(workers)]
    now, total = 0.0, 0.0

    def queued(w):
        while ends[w] and ends[w][0] <= now:
            ends[w].popleft()
        return len(ends[w])

    deciders = [policy(dice, queued) for _ in range(dispatchers)]
    for task in range(tasks):
        now += times.expovariate(load * workers)
        service = times.expovariate(1)
        w = deciders[times.randrange(dispatchers)]()
        free[w] = max(free[w], now) + service
        ends[w].append(free[w])
        if task >= tasks // 10:
            total += free[w] - now
    return total / (tasks - tasks // 10)


def any_of_the_least(dice, lengths):
    least = min(lengths)
    return dice.choice([w for w, length in enumerate(lengths) if length == least])


def jsq(d):
    return lambda dice, queued: lambda: min((dice.randrange(workers) for _ in range(d)), key=queued)


def jsq_of_all(dice, queued):
    return lambda: any_of_the_least(dice, [queued(w) for w in range(workers)])


def with_memory(d):
    def policy(dice, queued):
        memory = [dice.randrange(workers)]

        def decide():
            asked = memory + [dice.randrange(workers) for _ in range(d)]
            chosen = min(asked, key=queued)
            memory[0] = min(asked, key=lambda w: queued(w) + (w == chosen))     # once it has the task
            return chosen
        return decide
    return policy


def lsq(d):
    def policy(dice, queued):
        seen = [0] * workers

        def decide():
            chosen = any_of_the_least(dice, seen)
            seen[chosen] += 1
            for _ in range(d):
                w = dice.randrange(workers)
                seen[w] = queued(w) + (w == chosen)
            return chosen
        return decide
    return policy


print(f'{workers} workers, load {load:g}, {tasks} tasks: mean response by number of dispatchers')
print(f'  {"":<24}' + ''.join(f'{m:>8}' for m in (1, 10, 50)))
for name, policy in [('JSQ(2)', jsq(2)), ('one asked, one remembered', with_memory(1)), ('LSQ, 1 look per task', lsq(1)), ('LSQ, 2 looks per task', lsq(2)),
                     ('shortest queue of all', jsq_of_all)]:
    print(f'  {name:<25}' + ''.join(f'{simulate(policy, m):8.2f}' for m in (1, 10, 50)), flush=True)
