#!/usr/bin/env python3
"""mm1.py [CUSTOMERS [RUNS]]: a million customers at one server, in SimPy, in artel with the same generators, with artel's own random
numbers, and with a built-in station. Each in a process of its own, in turn; processor seconds of the run alone.

mm1.py CONTENDER CUSTOMERS SEED prints seconds and mean response of one run."""

import random
import statistics
import subprocess
import sys
import time

LOAD = 0.8


def generators(simpy, customers, gaps, services):
    """The model as SimPy's documentation would write it."""
    env = simpy.Environment()
    server = simpy.Resource(env, capacity=1)
    total = 0.0

    def customer():
        nonlocal total
        arrival = env.now
        with server.request() as turn:
            yield turn
            yield env.timeout(services())
        total += env.now - arrival

    def arrivals():
        for _ in range(customers):
            yield env.timeout(gaps())
            env.process(customer())

    env.process(arrivals())
    return timed(env), lambda: total / customers


def timed(env):
    begin = time.process_time()
    env.run()
    return time.process_time() - begin


def drawn(seed, customers):
    """Times that were drawn before: what is measured is the simulation alone."""
    dice = random.Random(seed)
    gaps = iter([dice.expovariate(LOAD) for _ in range(customers)])
    services = iter([dice.expovariate(1.0) for _ in range(customers)])
    return gaps.__next__, services.__next__


def pythons(seed):
    dice = random.Random(seed)
    return lambda: dice.expovariate(LOAD), lambda: dice.expovariate(1.0)


def simpy_drawn(customers, seed):
    import simpy
    return generators(simpy, customers, *drawn(seed, customers))


def simpy_random(customers, seed):
    import simpy
    return generators(simpy, customers, *pythons(seed))


def artel_drawn(customers, seed):
    from artel import sim
    return generators(sim, customers, *drawn(seed, customers))


def artel_random(customers, seed):
    from artel import sim
    return generators(sim, customers, *pythons(seed))


def artel_streams(customers, seed):
    from artel import sim
    gaps, services = sim.Stream(seed, "gaps").exponential, sim.Stream(seed, "services").exponential
    return generators(sim, customers, lambda: gaps(1 / LOAD), lambda: services(1.0))


def artel_station(customers, seed):
    from artel import sim
    env = sim.Environment()
    server = sim.Station(env, service=sim.Distribution.exponential(1.0), seed=seed)
    sim.Source(env, sim.Distribution.exponential(1 / LOAD), server, count=customers, seed=seed)
    return timed(env), lambda: server.figures["response"]["mean"]


CONTENDERS = {each.__name__: each for each in
              (simpy_drawn, artel_drawn, simpy_random, artel_random, artel_streams, artel_station)}


def main(customers, runs):
    seconds = {name: [] for name in CONTENDERS}
    answers = {}
    for run in range(runs):
        for name in CONTENDERS:
            done = subprocess.run([sys.executable, __file__, name, str(customers), "1"], capture_output=True, text=True, check=True)
            time_used, answers[name] = done.stdout.split()
            seconds[name].append(float(time_used))
    assert answers["simpy_drawn"] == answers["artel_drawn"] and answers["simpy_random"] == answers["artel_random"]
    print(f"{customers} customers, {runs} runs: median of processor seconds, least and most; times as fast as SimPy")
    for name, used in seconds.items():
        rival = seconds["simpy_drawn" if name.endswith("_drawn") else "simpy_random"]
        ratio = statistics.median(rival) / statistics.median(used)
        print(f"{name:16} {statistics.median(used):8.3f} {min(used):8.3f} {max(used):8.3f} {ratio:7.1f}   mean response {answers[name]}")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        used, answer = CONTENDERS[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
        print(used, repr(answer()))
    else:
        main(*map(int, sys.argv[1:] + ["1000000", "3"][len(sys.argv) - 1:]))
