# %% [markdown]
# # Which policy when loads are old news?
# A dispatcher that sees loads of a while ago sends everybody to the worker that was the shortest then. How old may they be
# for each policy?

# %%
import artel

scenario = {
    "name": "32 workers at load 0.85",
    "workload": {"arrivals": {"kind": "poisson", "load": 0.85}, "service": {"distribution": "exponential", "mean": "1 s"}},
    "pool": {"workers": 32},
    "dispatch": {"policies": ["least_loaded", {"name": "jsq", "d": 2}, "random"], "staleness": "1 s"},
    "run": {"tasks": 20_000, "replications": 4},
}

# %% [markdown]
# A policy of our own beside artel's: two workers at random, the shorter one with a probability that grows with the
# difference. It is a function of the loads and the dice, so it meets the same tasks as the others.

# %%
def careful(loads, draw):
    a, b = draw.below(len(loads)), draw.below(len(loads))
    if loads[a] > loads[b]:
        a, b = b, a
    return a if draw.uniform() < 0.5 + 0.5 * (loads[b] - loads[a]) / (1 + loads[b]) else b


# %%
found = artel.simulate(scenario, sweep={"dispatch.staleness": ["0.01s", "1s", "10s"]}, policies={"careful": careful})
table = {(row["dispatch.staleness"], row["policy"]): row["response.mean"]
         for row in (found.table.to_dict("records") if hasattr(found.table, "to_dict") else found.table)}
for staleness in ("0.01s", "1s", "10s"):
    print(staleness, {policy: round(value, 2) for (age, policy), value in table.items() if age == staleness})

# %% [markdown]
# With fresh loads the shortest queue of all is best; with loads of ten service times ago it is worse than dice.

# %%
assert table["0.01s", "least_loaded"] < table["0.01s", "jsq(d=2)"] < table["0.01s", "random"]
assert table["10s", "least_loaded"] > table["10s", "random"] > table["10s", "jsq(d=2)"]
found
