#!/usr/bin/env python3
"""Prints rows of fleet.csv that have no formula of one line: workers that break, cold starts after a while, batches that
wait, callers who do not wait for ever, fleets whose size goes by the clock. `--check FILE` compares that file with them.

Nothing of artel is used. The mean service time is 1, rates are per mean service time.
"""

import csv
import math
import sys


def queue_with_other_first(rate, usual, first):
    """Mean response of M/G/1 where a task that finds nobody there has another law of service. Laws are (mean, mean
    square). P. D. Welch, On a generalized M/G/1 queuing process in which the first customer of each busy period receives
    exceptional service, Operations Research 12 (1964)."""
    (m, m2), (f, f2) = usual, first
    longer = 1 + rate * (f - m)
    return f / longer + rate * m2 / (2 * (1 - rate * m)) + rate * (f2 - m2) / (2 * longer)


def plus(a, b, probability=1.0):
    """Moments of A + B, B independent and only with that probability."""
    return a[0] + probability * b[0], a[1] + probability * (2 * a[0] * b[0] + b[1])


def integral(f, low, high, steps=20000):
    """Simpson's rule."""
    h = (high - low) / steps
    inner = sum((4 if i % 2 else 2) * f(low + i * h) for i in range(1, steps))
    return (f(low) + inner + f(high)) * h / 3


# ---- A worker that breaks at rate FAILS, also idle, and is repaired in an exponential time of mean REPAIR.

FAILS, REPAIR = 0.02, 5.0


def found_down(rate):
    """Whether a worker is down when a task comes to it that has nobody before it: from up, the next thing is the task or
    a failure; from down the task or the repair."""
    fails, repaired = FAILS / (rate + FAILS), (1 / REPAIR) / (rate + 1 / REPAIR)
    return fails * (1 - repaired) / (1 - fails * repaired)


def begins_again():
    """Moments of the time from the start of an exponential service to its end, if it begins again after each failure and
    takes as long as it would have. D. P. Gaver, A waiting line with interrupted service, including priorities, Journal of
    the Royal Statistical Society B 24 (1962): preemptive repeat identical. Of a service of length s, the number of vain
    starts is geometric; each takes an exponential time that ends before s, and a repair."""

    def moments(s):
        through = math.exp(-FAILS * s)
        vain, spread = (1 - through) / through, (1 - through) / through**2
        if s == 0:
            return 0.0, 0.0
        mean = 1 / FAILS - s * through / (1 - through)
        square = 2 / FAILS**2 - (s * s + 2 * s / FAILS) * through / (1 - through)
        one, one_variance = mean + REPAIR, square - mean**2 + REPAIR**2
        whole = s + vain * one
        return whole, vain * one_variance + spread * one**2 + whole**2

    high = 60.0
    return (integral(lambda s: math.exp(-s) * moments(s)[0], 0, high),
            integral(lambda s: math.exp(-s) * moments(s)[1], 0, high))


def restart(load):
    rate = load / 1.1
    usual = begins_again()
    return queue_with_other_first(rate, usual, plus(usual, (REPAIR, 2 * REPAIR**2), found_down(rate)))


def lost_response(load):
    """Of tasks that are not lost: they wait as all do, and their service is one that ended before a failure: exponential
    of rate 1 + FAILS. A service ends or breaks at that rate; then, if it broke, comes the repair."""
    rate = load / 1.1
    ends = 1 + FAILS
    usual = plus((1 / ends, 2 / ends**2), (REPAIR, 2 * REPAIR**2), FAILS / ends)
    down = found_down(rate)
    whole = queue_with_other_first(rate, usual, plus(usual, (REPAIR, 2 * REPAIR**2), down))
    return whole - usual[0] + 1 / ends


def to_down(t, from_down):
    """Whether the worker is down a time t after it was up, or down."""
    down = FAILS / (FAILS + 1 / REPAIR)
    return down + ((1 - down) if from_down else -down) * math.exp(-(FAILS + 1 / REPAIR) * t)


def seen(delay, also_down):
    """The share of time for which dispatchers think that the worker is up or (also_down) think so while it is down. A
    time `delay` after each change they learn how it is then. Look at the time t - delay: the worker is in a state since
    an exponential time y; they know how it was at its change + delay = t - y, or how it is at t - delay if y is longer."""
    down = FAILS / (FAILS + 1 / REPAIR)
    total = 0.0
    for is_down, share, leaves in ((False, 1 - down, FAILS), (True, down, 1 / REPAIR)):
        def both(y):
            return (1 - to_down(delay - y, is_down)) * (to_down(y, False) if also_down else 1)
        total += share * integral(lambda y: leaves * math.exp(-leaves * y) * both(y), 0, delay, 2000)
        if not is_down:
            total += share * math.exp(-leaves * delay) * (to_down(delay, False) if also_down else 1)
    return total


def detected(delay):
    """With places for all, services only stand still while the worker is down; who comes while it is thought to be down
    is refused. Returns the share refused, and the mean response of the others."""
    up = seen(delay, False)
    return 1 - up, 1 + FAILS * REPAIR + REPAIR * seen(delay, True) / up


# ---- Cold starts and batches.

def cold_after(load, warm):
    """An exponential start-up of mean 5 if nobody came for a time `warm`."""
    return queue_with_other_first(load, (1, 2), plus((1, 2), (5, 50), math.exp(-load * warm)))


def waiting_batch(rate, longest, time):
    """The next batch starts `longest` after the first arrival since the last one started (`time` is shorter): its first
    task waits that long, the others, who come during it, half as long on average."""
    return (longest + rate * longest**2 / 2) / (1 + rate * longest) + time


# ---- Callers of an M/M/1 queue who wait so long for the answer.

def unanswered(load, longest):
    """Nobody is spared their tasks: the response is exponential of rate 1 - load. Share, and mean response of the rest."""
    rate = 1 - load
    late = math.exp(-rate * longest)
    return late, 1 / rate - longest * late / (1 - late)


def spared_waiting(load, longest):
    """Share unanswered if those still waiting then leave: M/M/1 + D. D. Y. Barrer, Queuing with impatient customers and
    indifferent clerks, Operations Research 5 (1957). The unfinished work found by a task has the density load × p0 ×
    e^-(1-load)x up to `longest`, and load × p0 × e^(load × longest - x) beyond."""
    late = math.exp(-(1 - load) * longest)
    nobody = 1 / (1 + load * (1 - late) / (1 - load) + load * late)
    return nobody * (1 + load) * late


def spared_all(load, mean):
    """Share unanswered if everybody leaves after an exponential time, also from service: a birth-death chain that falls
    from n at 1 + n / mean."""
    weight, norm, people = 1.0, 1.0, 0.0
    for n in range(1, 2000):
        weight *= load / (1 + n / mean)
        norm += weight
        people += n * weight
    return people / norm / mean / load


def tries(most, longest, backoffs):
    """Nobody waits for a worker; each try fails if its own exponential service is longer than `longest`. Share that fails,
    tries per request, mean response of the others; `backoffs` are the mean times before each retry."""
    fails = math.exp(-longest)
    served = 1 - longest * fails / (1 - fails)
    mean, before = 0.0, 0.0
    for k in range(most + 1):
        mean += fails**k * (1 - fails) * (before + served)
        before += longest + (backoffs[k] if k < most else 0)
    failed = fails**(most + 1)
    return failed, sum(fails**k for k in range(most + 1)), mean / (1 - failed)


def broken_off(rate, late, closed):
    """Share of the requests that are tried and not answered, where none ever is: after `closed` the next one is tried,
    and for as long as it takes to be `late` the others fail at once."""
    return 1 / (1 + rate * (closed + late))


# ---- Two workers for 60, then one for 60, and so on; the one that leaves finishes its task.

def by_the_clock(rate, most=150, step=0.1):
    """Mean response in the periodic state, by Little's law. state[d][n]: n tasks of those who stay, d of the one that
    leaves. Kolmogorov's equations by Runge and Kutta."""

    def change(state, workers):
        result = [[0.0] * (most + 1), [0.0] * (most + 1)]
        for d in (0, 1):
            row, out = state[d], result[d]
            for n in range(most + 1):
                p = row[n]
                if p == 0.0:
                    continue
                leave = min(n, workers)
                if n < most:
                    out[n] -= rate * p
                    out[n + 1] += rate * p
                if leave:
                    out[n] -= leave * p
                    out[n - 1] += leave * p
                if d:
                    out[n] -= p
                    result[0][n] += p
        return result

    def moved(a, b, factor):
        return [[x + factor * y for x, y in zip(a[d], b[d])] for d in (0, 1)]

    state = [[0.0] * (most + 1), [0.0] * (most + 1)]
    state[0][0] = 1.0
    before, people = None, 0.0
    while before is None or abs(people - before) > 1e-6 * people:
        before, people = people, 0.0
        for workers in (2, 1):
            if workers == 1:      # of two who serve one leaves; of one idle and one not the idle one
                for n in range(2, most + 1):
                    state[1][n - 1] += state[0][n]
                    state[0][n] = 0.0
            else:                 # who has not finished in 60 counts as if it had never left
                for n in range(most):
                    state[0][n + 1] += state[1][n]
                state[1] = [0.0] * (most + 1)
            for _ in range(round(60 / step)):
                a = change(state, workers)
                b = change(moved(state, a, step / 2), workers)
                c = change(moved(state, b, step / 2), workers)
                d = change(moved(state, c, step), workers)
                sums = moved(moved(moved(a, b, 2), c, 2), d, 1)
                middle = moved(state, sums, step / 12)
                state = moved(state, sums, step / 6)
                people += step * sum((n + left) * middle[left][n] for left in (0, 1) for n in range(most + 1))
    return people / 120 / rate


# ---- A worker whose speed goes by a Markov chain: M/M/1 in a random environment.

MOODS = ((1, 20.0, (0, 0.8, 0.2)), (0.5, 8.0, (0.6, 0, 0.4)), (0.1, 4.0, (0.3, 0.7, 0)))  # speed, mean stay, what follows


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def inverse(a):
    """Gauss and Jordan."""
    n = len(a)
    rows = [[*map(float, row), *(float(i == j) for j in range(n))] for i, row in enumerate(a)]
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i])]
    return [row[n:] for row in rows]


def with_moods(load):
    """Mean response, by Little's law: levels are numbers of tasks, pi(n) = pi(0) R^n, and R is the least solution of
    A0 + R A1 + R^2 A2 = 0. M. F. Neuts, Matrix-Geometric Solutions in Stochastic Models (1981), 3.1 and 6.2."""
    n = range(len(MOODS))
    leaves = [[follows / stay for follows in next_] for _, stay, next_ in MOODS]
    often = [1 / len(MOODS)] * len(MOODS)
    for _ in range(5000):     # the shares of time, a short step after the other
        often = [often[i] + sum(often[j] * leaves[j][i] for j in n) - often[i] / MOODS[i][1] for i in n]
    rate = load * sum(share * speed for share, (speed, _, _) in zip(often, MOODS))
    local = [[leaves[i][j] - (i == j) * (rate + 1 / MOODS[i][1] + MOODS[i][0]) for j in n] for i in n]
    away = [[-x for x in row] for row in inverse(local)]
    r, change = [[0.0] * len(MOODS) for _ in n], 1.0
    while change > 1e-15:
        served = product(product(r, r), [[(i == j) * MOODS[i][0] for j in n] for i in n])
        following = product([[(i == j) * rate + served[i][j] for j in n] for i in n], away)
        change = max(abs(following[i][j] - r[i][j]) for i in n for j in n)
        r = following
    # The shares of time are pi(0) (I - R)^-1, whatever the number of tasks.
    empty = product([often], [[(i == j) - r[i][j] for j in n] for i in n])
    rest = inverse([[(i == j) - r[i][j] for j in n] for i in n])
    people = product(product(product(empty, rest), rest), r)
    return sum(people[0]) / rate


def rows():
    breaks = "1 worker, exponential, fails at rate 0.02 (also idle), repair exponential of mean 5, the task "
    for load in (0.5, 0.7, 0.8):
        yield (breaks + "begins again afterwards; arrival rate load/1.1", load, "mean response", restart(load),
               "Gaver 1962 (preemptive repeat identical) and Welch 1964")
    for load in (0.5, 0.7, 0.8):
        yield (breaks + "is lost; arrival rate load/1.1", load, "share abandoned", FAILS / (1 + FAILS),
               "which comes first, the end or the failure")
        yield (breaks + "is lost; arrival rate load/1.1", load, "mean response", lost_response(load), "Welch 1964")
    for delay in (2, 5, 20):
        system = (f"1 worker x 50 slots, exponential, fails at rate 0.02 (also idle), repair exponential of mean 5, "
                  f"the task goes on afterwards, known after {delay}, nobody waits elsewhere")
        refused, response = detected(delay)
        yield system, 0.01, "share rejected", refused, "two-state Markov chain looked at after a delay"
        yield system, 0.01, "mean response", response, "two-state Markov chain looked at after a delay"
    for load in (0.5, 0.7, 0.8):
        yield ("1 worker, exponential, cold start exponential of mean 5 after 2 without work", load, "mean response",
               cold_after(load, 2), "Welch 1964")
    for rate in (1, 2, 5):
        yield ("1 worker, batches of up to 1000 in 0.5, the first waits up to 2", rate / 2000, "mean response",
               waiting_batch(rate, 2, 0.5), "a renewal at the start of each batch")
    for load in (0.5, 0.8, 0.9):
        late, response = unanswered(load, 5)
        system = "1 worker, exponential, callers wait up to 5 for the answer"
        yield system, load, "share abandoned", late, "M/M/1: an exponential response"
        yield system, load, "mean response", response, "M/M/1: an exponential response"
        yield (system + ", those waiting then leave", load, "share abandoned", spared_waiting(load, 5),
               "Barrer 1957 (M/M/1+D)")
        yield ("1 worker, exponential, callers wait for an exponential time of mean 5 for the answer, all leave then", load,
               "share abandoned", spared_all(load, 5), "birth-death chain; Palm 1957")
    system = "100 workers, central queue, exponential, drawn anew for each of up to 3 tries of 1, backoff 0.5"
    failed, count, response = tries(2, 1.0, (0.5, 1.0))
    for statistic, value in (("share abandoned", failed), ("attempts per task", count), ("mean response", response)):
        yield system, 0.3, statistic, value, "a geometric number of tries; nobody waits for a worker"
    for words, backoffs in (("never more than that", (0.5, 0.5)), ("any part of it equally likely", (0.25, 0.5))):
        yield (f"{system}, {words}", 0.3, "mean response", tries(2, 1.0, backoffs)[2],
               "a geometric number of tries; nobody waits for a worker")
    for load in (0.1, 0.2, 0.5):
        yield ("10 workers, central queue, constant, callers wait up to 0.5 for the answer, all leave then, "
               "after 5 without an answer nobody asks for 5", load, "share abandoned", broken_off(10 * load, 0.5, 5),
               "a renewal whenever one is tried")
    for load in (0.5, 0.8, 0.9):
        system = "1 worker, exponential, answers after 5 are late"
        yield system, load, "share in time", 1 - math.exp(-5 * (1 - load)), "M/M/1: an exponential response"
        yield system, load, "goodput", load * (1 - math.exp(-5 * (1 - load))), "M/M/1: an exponential response"
    for load in (0.25, 0.4, 0.45):
        yield ("1 worker, exponential, cold start exponential of mean 5 whenever it was idle, then at half its speed for good",
               load, "mean response", 5 + 2 / (1 - 2 * load), "M/M/1 with set-up")
    for load in (0.3, 0.4, 0.45):
        yield ("2 workers, central queue, for 60, then one for 60, exponential", load, "mean response",
               by_the_clock(2 * load), "Kolmogorov's equations of the Markov chain, integrated")
    for load in (0.5, 0.8, 0.9):
        yield ("1 worker, exponential, speeds 1, 0.5 and 0.1 for means of 20, 8 and 4 that follow each other with "
               "probabilities 0 0.8 0.2, 0.6 0 0.4 and 0.3 0.7 0; arrival rate load x mean speed", load, "mean response",
               with_moods(load), "Markov chain (rate matrix R): M/M/1 in a random environment, Neuts 1981")


def main():
    made = [(system, str(load), statistic, f"{value:.6g}", source) for system, load, statistic, value, source in rows()]
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], newline="", encoding="utf-8") as file:
            there = {tuple(row[:4]) for row in csv.reader(file)}
        missing = [row for row in made if row[:4] not in there]
        for row in missing:
            print("not in the file:", *row, file=sys.stderr)
        sys.exit(1 if missing else 0)
    out = csv.writer(sys.stdout, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    for row in made:
        out.writerow(row)


main()
