# %% [markdown]
# # A protocol with failures
# Clients ask a service and wait a second for the answer; then they ask again, up to `retries` times. The service crashes now
# and then and comes back with an empty queue. What do retries cost, and what do they bring?

# %%
import artel
from artel import sim


# %%
class Service:
    """One server that loses everything when it crashes."""

    def __init__(self, env, seed, mtbf=60.0, mttr=3.0):
        self.env = env
        self.cpu = sim.Resource(env, capacity=4)
        self.dice = sim.Stream(seed, "service")
        self.failures = sim.Stream(seed, "failures")
        self.running = set()
        self.up = True
        self.calls = 0
        env.process(self.crashes(mtbf, mttr))

    def crashes(self, mtbf, mttr):
        while True:
            yield self.env.timeout(self.failures.exponential(mtbf))
            self.up = False
            for call in list(self.running):
                call.interrupt("crash")
            yield self.env.timeout(self.failures.exponential(mttr))
            self.up = True

    def answer(self):
        self.calls += 1
        me = self.env.active_process
        self.running.add(me)
        try:
            with self.cpu.request() as core:
                yield core
                yield self.env.timeout(self.dice.exponential(0.2))
            return "answer"
        except sim.Interrupt:
            return None
        finally:
            self.running.discard(me)


def client(env, service, retries, times, counts):
    came = env.now
    for _ in range(retries + 1):
        limit = env.timeout(1.0)
        if service.up:
            call = env.process(service.answer())
            done = yield call | limit
            if call in done and done[call]:
                times.append(env.now - came)
                counts["answered"] += 1
                return
        yield limit
    counts["gave up"] += 1


def model(retries, load, seed, until=400.0):
    env = sim.Environment()
    service = Service(env, seed)
    times, counts = [], {"answered": 0, "gave up": 0}
    sim.Source(env, sim.Distribution.exponential(0.05 / load), lambda: client(env, service, retries, times, counts), seed=seed)
    env.run(until=until)
    ended = counts["answered"] + counts["gave up"]
    return {"response": times, "answered": counts["answered"] / ended, "calls": service.calls / ended}


# %% [markdown]
# Every combination meets the same failures and arrivals, so that the differences are known better than the figures themselves.

# %%
found = artel.experiment(model, {"load": [0.3, 0.8], "retries": [0, 3]}, replications=5)
found.table

# %%
rows = found.table.to_dict("records") if hasattr(found.table, "to_dict") else found.table
for row in rows:
    print(f"load {row['load']}, {row['retries']} retries: {row['answered']:.1%} ± {row['answered±']:.1%} answered, "
          f"{row['calls']:.2f} calls each, p99 {row['response.p99']:.2f} s")

# %% [markdown]
# Where there is room, retries bring back what a crash has lost. Where there is not, they bring the service down: whoever gave up
# on a call has left it in the queue, so that all calls are late, and all are tried again.

# %%
(low, low_retries), (high, high_retries) = rows[:2], rows[2:]
assert low_retries["answered"] > low["answered"]
assert high_retries["answered"] < high["answered"] and high_retries["calls"] > 2
