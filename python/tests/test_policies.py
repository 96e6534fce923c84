"""Policies in Python, compared with artel's own."""

import copy

import pytest

import artel

SCENARIO = {
    "workload": {"arrivals": {"kind": "poisson", "load": 0.8}, "service": {"distribution": "exponential", "mean": "1 s"}},
    "pool": {"workers": 4},
    "dispatch": {"policies": ["least_loaded", "round_robin"]},
    "run": {"tasks": 4000, "replications": 3},
}


def rows(result):
    return {row["policy"]: row for row in result.data["points"][0]["policies"]}


def same_figures(a, b):
    a, b = copy.deepcopy(a), copy.deepcopy(b)
    a.pop("policy"), b.pop("policy")
    return a == b


def test_least_loaded_in_python_is_artels():
    found = rows(artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: loads.least()}))
    assert same_figures(found["mine"], found["least_loaded"])


def test_least_loaded_by_array_is_artels():
    numpy = pytest.importorskip("numpy")

    def mine(loads, draw):
        assert isinstance(loads.queued, numpy.ndarray) and len(loads.queued) == len(loads) == 4
        return int(loads.queued.argmin())

    found = rows(artel.simulate(SCENARIO, policies={"mine": mine}))
    assert same_figures(found["mine"], found["least_loaded"])


def test_round_robin_by_turn():
    found = rows(artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: draw.turn % len(loads)}))
    assert same_figures(found["mine"], found["round_robin"])


def test_class_has_a_state_of_its_own_in_each_replication():
    class Turns:
        made = 0

        def __init__(self):
            Turns.made += 1
            self.turn = -1

        def choose(self, loads, draw):
            self.turn += 1
            return self.turn % len(loads)

    found = rows(artel.simulate(SCENARIO, policies={"mine": Turns}))
    assert same_figures(found["mine"], found["round_robin"])
    assert Turns.made > 3


def test_none_means_the_next_with_room():
    result = artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: None})
    assert rows(result)["mine"]["tasks"] > 0


def test_dice_are_repeatable():
    def power_of_two(loads, draw):
        a, b = draw.below(len(loads)), draw.below(len(loads))
        return a if loads[a] <= loads[b] else b

    first = artel.simulate(SCENARIO, policies={"mine": power_of_two})
    assert first.json == artel.simulate(SCENARIO, policies={"mine": power_of_two}).json
    assert rows(first)["mine"]["response"]["mean"]["value"] < rows(first)["round_robin"]["response"]["mean"]["value"]


def test_everything_that_is_shown():
    seen = {}

    def mine(loads, draw):
        seen.update(room=list(loads.room), weight=list(loads.weight), work=list(loads.work), delay=list(loads.delay),
                    idle=loads.idle(), size=draw.size, uniform=draw.uniform())
        return loads.least()

    artel.simulate({**SCENARIO, "run": {"tasks": 50, "replications": 1}}, policies={"mine": mine})
    assert len(seen["room"]) == len(seen["weight"]) == 4 and seen["weight"] == [1.0] * 4
    assert 0 <= seen["uniform"] < 1 and seen["size"] >= 0


def test_exceptions_come_out():
    def bad(loads, draw):
        raise RuntimeError("my mistake")

    with pytest.raises(RuntimeError, match="my mistake"):
        artel.simulate(SCENARIO, policies={"mine": bad})
    with pytest.raises(IndexError, match="found worker 9, allowed: 0 to 3"):
        artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: 9})
    with pytest.raises(TypeError):
        artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: "first"})
    with pytest.raises(IndexError, match="no such worker"):
        artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: loads[4]})
    with pytest.raises(ValueError, match="allowed: a function"):
        artel.simulate(SCENARIO, policies={"mine": 3})
    with pytest.raises(ValueError, match="two called least_loaded"):
        artel.simulate(SCENARIO, policies={"least_loaded": lambda loads, draw: 0})


def test_loads_are_there_only_for_the_decision():
    kept = []

    def mine(loads, draw):
        kept[:] = [loads, draw]
        return 0

    artel.simulate({**SCENARIO, "run": {"tasks": 50, "replications": 1}}, policies={"mine": mine})
    loads, draw = kept
    for use in (lambda: loads[0], lambda: loads.queued, lambda: loads.least(), lambda: draw.turn, lambda: draw.below(2)):
        with pytest.raises(RuntimeError, match="only while a decision is made"):
            use()


def test_reports_go_without_the_watched_run(tmp_path):
    result = artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: loads.least()})
    try:
        result.report(tmp_path / "out.html")
    except artel.Error as error:
        pytest.skip(str(error))
    assert "mine" in (tmp_path / "out.html").read_text()
