# %% [markdown]
# # How many workers does this log need?
# A log of requests says when each came and how long it took. From that follows a fleet as it is, how well the simulator
# predicts it, and the smallest fleet that meets an objective.

# %%
import random
import tempfile

import artel

# %% [markdown]
# The log: CSV here; `artel.load` reads the logs of nginx, Envoy, HAProxy, Slurm and others as well. This one is made up:
# an hour of a service with four workers, the busy half of it in the middle.

# %%
dice = random.Random(1)
free, now, lines = [0.0] * 4, 0.0, ["submitted,started,finished,worker"]
while now < 3600:
    now += dice.expovariate(3.0 if 900 < now < 2700 else 1.2)
    worker = free.index(min(free))
    started = max(now, free[worker])
    free[worker] = started + dice.lognormvariate(-0.35, 0.8)
    lines.append(f"{now:.6f},{started:.6f},{free[worker]:.6f},{worker}")
log = tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False)
log.write("\n".join(lines) + "\n")
log.close()

# %%
trace = artel.load(log.name)
trace

# %% [markdown]
# Does the simulator predict what was measured? First with the recorded arrivals and service times, then with what was
# fitted to them.

# %%
replay = artel.replay(trace, workers=4, replications=5)
replay.table

# %%
error = replay.data["figures"]["p99_response"]["same_work"]["error"]
print(f"p99 is off by {error:.1%}")
assert abs(error) < 0.05

# %% [markdown]
# The smallest fleet for p99 below six seconds, today and with half as many requests again.

# %%
plan = artel.plan(trace, slo="p99<6s", workers=4)
more = artel.plan(trace, slo="p99<6s", workers=4, rate="x1.5")
print(plan.answer)
print(more.answer)
assert plan.workers < more.workers

# %%
print(more.code)
