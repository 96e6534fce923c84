"""Tickets for three films at one counter; who waits for a film that is sold out goes: conditions with shared events."""


def movie_renege(sim, random, tickets=50, until=120):
    env = sim.Environment()
    films = ["first", "second", "third"]
    counter = sim.Resource(env, capacity=1)
    left = {film: tickets for film in films}
    sold_out = {film: env.event() for film in films}
    when = {film: None for film in films}
    gone = {film: 0 for film in films}

    def viewer(film, wanted):
        with counter.request() as turn:
            result = yield turn | sold_out[film]
            if turn not in result:
                gone[film] += 1
                return
            if left[film] < wanted:
                yield env.timeout(0.5)
                return
            left[film] -= wanted
            if left[film] < 2:
                sold_out[film].succeed()
                when[film] = env.now
                left[film] = 0
            yield env.timeout(1)

    def arrivals():
        while True:
            yield env.timeout(random.expovariate(1 / 0.5))
            film = random.choice(films)
            wanted = random.randint(1, 6)
            if left[film]:
                env.process(viewer(film, wanted))

    env.process(arrivals())
    env.run(until=until)
    return [(film, left[film], when[film], gone[film]) for film in films]
