"""Machines that break while they work, and one repairman who also has other jobs: interrupts and preemption."""


def machine_shop(sim, random, machines=10, minutes=10_000, mean_part=10.0, sigma_part=2.0, mean_life=300.0, repair=30.0, other=30.0):
    env = sim.Environment()
    repairman = sim.PreemptiveResource(env, capacity=1)
    made = [0] * machines
    broken = [False] * machines
    interrupted = [0]

    def part_time():
        time = random.normalvariate(mean_part, sigma_part)
        while time <= 0:
            time = random.normalvariate(mean_part, sigma_part)
        return time

    def machine(number):
        while True:
            left = part_time()
            while left:
                start = env.now
                try:
                    yield env.timeout(left)
                    left = 0
                except sim.Interrupt:
                    broken[number] = True
                    left -= env.now - start
                    with repairman.request(priority=1) as turn:
                        yield turn
                        yield env.timeout(repair)
                    broken[number] = False
            made[number] += 1

    def breaks(number, process):
        while True:
            yield env.timeout(random.expovariate(1 / mean_life))
            if not broken[number]:
                process.interrupt()

    def other_jobs():
        while True:
            left = other
            while left:
                with repairman.request(priority=2) as turn:
                    yield turn
                    start = env.now
                    try:
                        yield env.timeout(left)
                        left = 0
                    except sim.Interrupt as interrupt:
                        interrupted[0] += 1
                        assert interrupt.cause.by is not None
                        assert interrupt.cause.usage_since == start
                        left -= env.now - start

    for number in range(machines):
        process = env.process(machine(number))
        env.process(breaks(number, process))
    env.process(other_jobs())
    env.run(until=minutes)
    return [*made, interrupted[0], env.now]
