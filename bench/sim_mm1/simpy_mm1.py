"""simpy_mm1.py CUSTOMERS: one server in SimPy; prints the seconds that it took and the sum of all responses."""
import math
import sys
import time

import simpy

LOAD = 0.8


class Draws:
    """Exponential numbers from the minimal standard generator, as in workload.hpp."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self, mean):
        self.state = self.state * 48271 % 2147483647
        return -mean * math.log(self.state / 2147483647)


def main(customers):
    environment = simpy.Environment()
    server = simpy.Resource(environment, capacity=1)
    gaps, services = Draws(1), Draws(2)
    total = 0.0

    def customer():
        nonlocal total
        arrival = environment.now
        with server.request() as turn:
            yield turn
            yield environment.timeout(services(1))
        total += environment.now - arrival

    def arrivals():
        for _ in range(customers):
            yield environment.timeout(gaps(1 / LOAD))
            environment.process(customer())

    environment.process(arrivals())
    begin = time.perf_counter()
    environment.run()
    print(time.perf_counter() - begin, total)


main(int(sys.argv[1]))
