#!/usr/bin/env python3
"""step_tables.py FOLDER: writes keda.csv, knative.csv, predictive.csv and timetable.csv there, step by step what their documentation
says a fleet does.

Every sequence names the page whose rule it follows; the rules are written down here anew, with nothing of artel's. artel's own policies
have to give the same sizes (artel/scaling/step_tables_test.cpp). Erlang's formula: A. K. Erlang, Solution of some problems in the theory
of probabilities of significance in automatic telephone exchanges (1917), as in R. B. Cooper, Introduction to Queueing Theory (1981), 3.4."""
import math
import sys

KEDA = 'https://keda.sh/docs/2.14/'
HPA = 'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/'
KNATIVE = 'https://knative.dev/docs/serving/autoscaling/'
PREDICTIVE = 'docs/scaling.md#which-policies and Erlang 1917'
TIMETABLE = 'docs/scaling.md#which-policies'


def hpa(metric, target, workers, up, down, now, most):
    """Kubernetes: ceil(metric / target) unless within 10%; up by 4 or 100% in 15 s; down to the most that was wanted in the last 300 s."""
    per_worker = metric / workers
    wanted = workers if abs(per_worker / target - 1) <= 0.1 else math.ceil(metric / target)
    wanted = max(1, min(wanted, most))
    down.append((now, wanted))
    while down[0][0] <= now - 300:
        down.pop(0)
    wanted = max(wanted, min(workers, max(size for _, size in down)))
    while up and up[0][0] <= now - 15:
        up.pop(0)
    at_start = workers - sum(by for _, by in up)
    wanted = min(wanted, max(at_start + 4, 2 * at_start))
    if wanted > workers:
        up.append((now, wanted - workers))
    return wanted


def keda(metrics, least, most, workers, target=5, activation=0):
    """KEDA looks every 30 s whether the scaler is active: 0 to 1 when it is, to 0 when it was not for 300 s; Kubernetes does the rest every 15 s."""
    up, down, active, rows = [], [], 0, []
    for step, metric in enumerate(metrics):
        now = 15 * step
        polls = now % 30 == 0
        if polls and metric > activation:
            active = now
        if workers == 0:
            workers = 1 if polls and metric > activation else 0
        elif least == 0 and polls and metric <= activation and now - active >= 300:
            workers, up, down = 0, [], []
        else:
            workers = max(hpa(metric, target, workers, up, down, now, most), least)
        rows.append((now, metric, workers))
    return rows


def knative(metrics, least, most, workers, target=70):
    """Knative: means over 60 s and, in a panic, over 6 s; a panic begins at twice the ready workers, and nothing shrinks until 60 s after the last reason."""
    seen, panic, size_in_panic, idle, rows = [], None, 0, None, []
    for step, metric in enumerate(metrics):
        now = 2 * step
        seen.append((now, metric))
        mean = lambda window: (lambda values: sum(values) / len(values))([value for at, value in seen if at > now - window])
        ready = max(workers, 1)
        bounded = lambda size: min(max(size, ready // 2), 1000 * ready, most)
        stable, sudden = math.ceil(mean(60) / target), math.ceil(mean(6) / target)
        if sudden / ready >= 2:
            panic = now
        elif panic is not None and now > panic + 60:
            panic, size_in_panic = None, 0
        size = bounded(stable)
        if panic is not None:
            size = size_in_panic = max(size_in_panic, size, bounded(sudden))
        if size == 0 and least == 0:
            idle = now if idle is None else idle
            if workers > 0 and now < idle + 30:
                size = 1
        else:
            idle = None
        workers = max(least, min(size, most))
        rows.append((now, metric, workers))
    return rows


def has_to_wait(servers, offered):
    """Erlang's C formula, term by term; whoever comes to too few servers has to wait."""
    if offered >= servers:
        return 1.0
    some_wait = offered**servers / math.factorial(servers) * servers / (servers - offered)
    return some_wait / (sum(offered**k / math.factorial(k) for k in range(servers)) + some_wait)


def predictive(seen, least, most, workers):
    """Every 15 s: a straight line by least squares through the rates of the last 300 s, where it is in 60 s; the fewest workers
    that at most a fifth of the tasks wait for; the most that was enough in the last 300 s. `seen`: rate, mean service, tasks there."""
    rates, sizes, service, rows = [], [], 0, []
    for step, (rate, service_now, there) in enumerate(seen):
        now = 15 * step
        rates = [(at, value) for at, value in [*rates, (now, rate)] if at >= now - 300]
        service = service_now or service
        floor = max(least, 1 if there > 0 else 0)
        if service == 0:
            workers = min(max(workers, floor), most)
        else:
            n, x, y = len(rates), sum(at for at, _ in rates), sum(value for _, value in rates)
            xx, xy = sum(at * at for at, _ in rates), sum(at * value for at, value in rates)
            slope = (n * xy - x * y) / (n * xx - x * x) if n > 1 else 0
            offered = max(0, (y + slope * (n * (now + 60) - x)) / n) * service
            size = floor
            while size < most and (has_to_wait(size, offered) > 0.2 if size else offered > 0):
                size += 1
            sizes = [(at, value) for at, value in [*sizes, (now, size)] if at >= now - 300]
            workers = max(value for _, value in sizes)
        rows.append((now, f'{rate},{service_now},{there}', workers))
    return rows


def timetable(times, least, most, workers):
    """12 workers from 8 to 20 o'clock, 4 from 6 to 8, 2 at night, day by day."""
    rows = []
    for at in times:
        hour = at % 86400 / 3600
        workers = max(least, min(most, 12 if 8 <= hour < 20 else 4 if 6 <= hour < 8 else 2))
        rows.append((at, 0, workers))
    return rows


HOUR = 3600
SEQUENCES = {
    'keda': (keda, [
        ('the first task wakes it at the next look of 30 s', KEDA + 'concepts/scaling-deployments/', 0, 10, 0, [0, 8, 8, 8, 40, 40, 40, 40]),
        ('to none after a cooldown of 300 s without a task', KEDA + 'reference/scaledobject-spec/', 0, 10, 1, [3] + [0] * 26),
        ('a task at every look keeps it for ever', KEDA + 'reference/scaledobject-spec/', 0, 10, 1, [1, 0] * 30),
        ('between looks a task comes and goes unseen', KEDA + 'reference/scaledobject-spec/', 0, 10, 0, [0, 9] * 6 + [0, 9, 9, 9]),
        ('never below its minimum', KEDA + 'reference/scaledobject-spec/', 2, 10, 2, [0] * 40),
        ('up by 4 or 100% in 15 s', HPA, 1, 100, 1, [500] * 9),
        ('within a tenth nothing changes', HPA, 1, 100, 10, [50, 54, 55, 56, 46, 45, 44, 44]),
        ('down only to the most of the last 300 s', HPA, 1, 100, 12, [60, 20, 10, 10, 30] + [5] * 28),
        ('a queue that comes and is worked off', HPA, 0, 20, 0, [0, 3, 30, 90, 200, 180, 120, 60, 20, 4] + [0] * 50),
    ]),
    'knative': (knative, [
        ('the mean of the stable window', KNATIVE + 'concurrency/', 1, 100, 4, [280] * 5 + [385] * 10 + [300] * 10),
        ('the stable window is 60 s', KNATIVE + 'kpa-specific/', 1, 100, 3, [210] * 30 + [140] * 35),
        ('a panic at 200% of the ready workers', KNATIVE + 'kpa-specific/', 1, 100, 2, [140] * 8 + [600] * 3 + [140] * 45),
        ('no panic just below it', KNATIVE + 'kpa-specific/', 1, 100, 4, [280] * 8 + [480] * 6 + [280] * 30),
        ('a panic lasts for 60 s after its last reason', KNATIVE + 'kpa-specific/', 1, 200, 1, [70] * 4 + [2000, 2000] + [70] * 70),
        ('down by half at a time', KNATIVE + 'kpa-specific/', 1, 100, 64, [70] * 8),
        ('to none after the stable window and the grace', KNATIVE + 'scale-to-zero/', 0, 10, 1, [1] + [0] * 48),
        ('a request in the stable window keeps it', KNATIVE + 'scale-to-zero/', 0, 10, 1, [1] + [0] * 20 + [1] + [0] * 50),
        ('never below its minimum', KNATIVE + 'scale-bounds/', 3, 10, 5, [0] * 50),
        ('never above its maximum', KNATIVE + 'scale-bounds/', 1, 6, 2, [5000] * 10),
    ]),
    'predictive': (predictive, [
        ('as many as Erlang needs for a steady rate', PREDICTIVE, 1, 100, 3, [(10, 1, 10)] * 5),
        ('a rate that grows in a straight line is met a minute ahead', PREDICTIVE, 1, 200, 1, [(2 + k, 0.5, 4) for k in range(60)]),
        ('a jump tilts the line', PREDICTIVE, 1, 200, 8, [(5, 1, 5)] * 22 + [(20, 1, 20)] * 40),
        ('fewer only after five minutes', PREDICTIVE, 1, 100, 20, [(20, 1, 20)] * 21 + [(2, 1, 2)] * 70),
        ('a rate that falls to nothing', PREDICTIVE, 0, 100, 9, [(max(0, 8 - 0.5 * k), 1, 1 if k < 20 else 0) for k in range(60)]),
        ('somebody is there as long as a task is', PREDICTIVE, 0, 100, 1, [(0, 0.5, 0)] * 3 + [(0, 0.5, 2)] * 3 + [(0, 0.5, 0)] * 25),
        ('without a service time nothing changes and the last one known holds', PREDICTIVE, 1, 100, 7, [(9, 0, 9)] * 4 + [(9, 2, 9)] + [(9, 0, 9)] * 8),
        ('longer services need more', PREDICTIVE, 1, 100, 5, [(4, 1 + 0.1 * k, 4) for k in range(20)]),
        ('never below its minimum and above its maximum', PREDICTIVE, 4, 12, 5, [(0.5, 1, 1)] * 25 + [(30, 1, 30)] * 10),
    ]),
    'timetable': (timetable, [
        ('the last entry holds over midnight', TIMETABLE, 1, 100, 9, [0, HOUR, 6 * HOUR - 1, 6 * HOUR]),
        ('an entry holds from its second on', TIMETABLE, 1, 100, 2, [8 * HOUR - 1, 8 * HOUR, 8 * HOUR + 1, 20 * HOUR - 1, 20 * HOUR]),
        ('day by day', TIMETABLE, 1, 100, 2, [(24 * day + hour) * HOUR for day in range(3) for hour in range(0, 24, 2)]),
        ('never below its minimum and above its maximum', TIMETABLE, 3, 10, 5, [hour * HOUR for hour in range(24)]),
    ]),
}
COLUMNS = {'predictive': 'arrivals,service_s,in_system'}


def main():
    for name, (policy, sequences) in SEQUENCES.items():
        with open(f'{sys.argv[1]}/{name}.csv', 'w') as out:
            out.write(f"sequence,rule,source,min,max,start,at_s,{COLUMNS.get(name, 'in_system')},workers_after\n")
            for number, (rule, source, least, most, start, metrics) in enumerate(sequences):
                for at, metric, after in policy(metrics, least, most, start):
                    out.write(f'{number},{rule},{source},{least},{most},{start},{at},{metric},{after}\n')


main()
