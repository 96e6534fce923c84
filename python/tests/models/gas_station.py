"""Cars, two pumps, one tank, and a truck that is called when it runs low: containers."""


def gas_station(sim, random, until=1000, tank=200, low=25, car_tank=50, speed=2, truck=300, between=(30, 300)):
    env = sim.Environment()
    pumps = sim.Resource(env, 2)
    petrol = sim.Container(env, tank, init=tank)
    lines = []

    def car(name):
        level = random.randint(5, 25)
        came = env.now
        with pumps.request() as pump:
            yield pump
            wanted = car_tank - level
            yield petrol.get(wanted)
            yield env.timeout(wanted / speed)
            lines.append(f"{env.now:6.1f} {name}: {wanted} after {env.now - came:.1f}, {petrol.level} left")

    def control():
        while True:
            if petrol.level / petrol.capacity * 100 < low:
                lines.append(f"{env.now:6.1f} the truck is called")
                yield env.process(fill())
            yield env.timeout(10)

    def fill():
        yield env.timeout(truck)
        amount = petrol.capacity - petrol.level
        yield petrol.put(amount)
        lines.append(f"{env.now:6.1f} the truck brings {amount}")

    def street():
        number = 0
        while True:
            yield env.timeout(random.randint(*between))
            env.process(car(f"car {number}"))
            number += 1

    env.process(control())
    env.process(street())
    env.run(until=until)
    return lines
