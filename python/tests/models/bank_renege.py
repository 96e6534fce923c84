"""A counter, and customers who go when they have waited too long."""


def bank(sim, random, customers=5, between=10.0, patience=(1, 3), work=12.0):
    """Who came, was served and left, line by line."""
    env = sim.Environment()
    counter = sim.Resource(env, capacity=1)
    lines = []

    def visit(name):
        came = env.now
        lines.append(f"{came:7.4f} {name}: here I am")
        with counter.request() as turn:
            limit = random.uniform(*patience)
            done = yield turn | env.timeout(limit)
            waited = env.now - came
            if turn in done:
                lines.append(f"{env.now:7.4f} {name}: waited {waited:6.3f}")
                yield env.timeout(random.expovariate(1.0 / work))
                lines.append(f"{env.now:7.4f} {name}: finished")
            else:
                lines.append(f"{env.now:7.4f} {name}: gave up after {waited:6.3f}")

    def doors():
        for number in range(customers):
            env.process(visit(f"customer {number}"))
            yield env.timeout(random.expovariate(1.0 / between))

    env.process(doors())
    env.run()
    return lines
