"""One sender, several receivers that are slower or faster than it: stores."""


def communication(sim, random, until=100, receivers=2):
    env = sim.Environment()
    pipes = []
    lines = []

    def subscribe():
        pipes.append(sim.Store(env, capacity=sim_infinity))
        return pipes[-1]

    def send(message):
        return env.all_of([pipe.put(message) for pipe in pipes])

    def sender(name):
        while True:
            yield env.timeout(random.randint(6, 10))
            yield send((env.now, f"{name} says hello at {env.now}"))

    def receiver(name, pipe):
        while True:
            sent, text = yield pipe.get()
            lines.append(f"{env.now} {name} {'late' if sent < env.now else 'in time'}: {text}")
            yield env.timeout(random.randint(4, 8))

    sim_infinity = float("inf")
    for number in range(receivers):
        env.process(receiver(f"receiver {number}", subscribe()))
    env.process(sender("sender"))
    env.run(until=until)
    return lines
