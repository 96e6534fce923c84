"""A cable with a delay: a store filled by processes of its own."""


def latency(sim, random, until=100, delay=10):
    env = sim.Environment()
    lines = []

    class Cable:
        def __init__(self):
            self.store = sim.Store(env)

        def carry(self, value):
            yield env.timeout(delay)
            self.store.put(value)

        def put(self, value):
            env.process(self.carry(value))

        def get(self):
            return self.store.get()

    def sender(cable):
        while True:
            yield env.timeout(5)
            cable.put(f"sent at {env.now}")

    def receiver(cable):
        while True:
            text = yield cable.get()
            lines.append(f"received at {env.now}: {text}")

    cable = Cable()
    env.process(sender(cable))
    env.process(receiver(cable))
    env.run(until=until)
    return lines
