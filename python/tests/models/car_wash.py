"""Machines that wash cars: a process waits for another process, inside of a resource."""


def car_wash(sim, random, machines=2, seconds=5, between=7, until=60):
    env = sim.Environment()
    wash = sim.Resource(env, machines)
    lines = []

    def clean(name):
        yield env.timeout(seconds)
        lines.append(f"{env.now}: {random.randint(50, 99)}% of {name}'s dirt is gone")

    def car(name):
        lines.append(f"{env.now}: {name} arrives")
        with wash.request() as place:
            yield place
            lines.append(f"{env.now}: {name} drives in")
            yield env.process(clean(name))
            lines.append(f"{env.now}: {name} leaves")

    def street():
        for number in range(4):
            env.process(car(f"car {number}"))
        number = 4
        while True:
            yield env.timeout(random.randint(between - 2, between + 2))
            env.process(car(f"car {number}"))
            number += 1

    env.process(street())
    env.run(until=until)
    lines.append(f"end at {env.now:g}, {wash.count} inside, {len(wash.queue)} outside")
    return lines
