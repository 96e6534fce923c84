"""Policies in Python, compared with artel's own."""

import copy
import math
import operator
import signal
import sys
import threading
import time

import pytest

import artel

SCENARIO = {
    "workload": {"arrivals": {"kind": "poisson", "load": 0.8}, "service": {"distribution": "exponential", "mean": "1 s"}},
    "pool": {"workers": 4},
    "dispatch": {"policies": ["least_loaded", "round_robin"]},
    "run": {"tasks": 4000, "replications": 3},
}
SHORT = {**SCENARIO, "run": {"tasks": 50, "replications": 1}}
ENDLESS = {**SCENARIO, "run": {"tasks": 1_000_000_000, "replications": 1, "warm_up": "0%"}}
LOADS = ("queued", "room", "weight", "work", "delay", "failures", "latency", "heard")
DRAW = ("turn", "now", "size", "key", "task_class", "deadline", "age", "matched")


def reads(*names):
    def set_reads(rule):
        rule.reads = names
        return rule

    return set_reads


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


def test_dice_are_those_of_the_draw_in_cpp():
    """artel's jsq(2), line by line: the same numbers drawn, so the same decisions."""
    def jsq(loads, draw):
        a, b = draw.below(len(loads)), draw.below(len(loads))
        return b if loads[b] < loads[a] else a

    scenario = {**SCENARIO, "dispatch": {"policies": [{"name": "jsq", "d": 2}]}}
    found = rows(artel.simulate(scenario, policies={"mine": jsq}))
    assert same_figures(found["mine"], found["jsq(d=2)"])


@reads("latency", "now")
def peak_ewma(loads, draw):
    """artel's peak_ewma, line by line."""
    room, latency, heard = loads.room, loads.latency, loads.heard
    drawn, best, least, ties = [], None, 0.0, 0
    for i in range(2):
        pick, last = draw.below(len(loads) - 2 + i + 1), len(loads) - 2 + i
        drawn.append(last if pick in drawn else pick)
        worker = drawn[-1]
        if room[worker] == 0:
            continue
        seconds = latency[worker] * math.exp(-max(0.0, draw.now - heard[worker]) / 10) if heard[worker] > -math.inf else 0.03
        cost = seconds * (loads[worker] + 1)
        if best is not None and least < cost:
            continue
        ties = ties + 1 if best is not None and least == cost else 1
        if draw.below(ties) == 0:
            best, least = worker, cost
    return best


def test_peak_ewma_in_python_is_artels():
    scenario = {**SCENARIO, "dispatch": {"policies": ["peak_ewma"]}}
    found = rows(artel.simulate(scenario, policies={"mine": peak_ewma}))
    assert same_figures(found["mine"], found["peak_ewma"])


def test_rule_by_key():
    seen = {}

    @reads("key")
    def by_key(loads, draw):
        worker = draw.key % len(loads)
        assert seen.setdefault(draw.key, worker) == worker and draw.key > 0
        return worker

    keys = {"workload": {**SCENARIO["workload"], "keys": {"count": 50, "exponent": 0}}}
    found = rows(artel.simulate({**SCENARIO, **keys}, policies={"mine": by_key}))
    assert len(seen) == 50 and set(seen.values()) == {0, 1, 2, 3}
    assert found["mine"]["response"]["mean"]["value"] > found["least_loaded"]["response"]["mean"]["value"]
    with pytest.raises(artel.Error, match="mine reads key, which the scenario does not know"):
        artel.simulate(SCENARIO, policies={"mine": by_key})


def test_reads_says_what_is_kept():
    class Rule:
        reads = ["latency", "now"]

        def choose(self, loads, draw):
            assert draw.now >= 0 and len(loads.latency) == len(loads.heard) == 4
            with pytest.raises(AttributeError, match="does not name work"):
                loads.work
            with pytest.raises(AttributeError, match="does not name size"):
                draw.size
            return loads.least()

    artel.simulate(SHORT, policies={"class": Rule, "object": Rule()})
    for wrong, told in ((("latncy",), "found 'latncy', allowed: weight, work"), ("latency", "allowed: names"), (3, "allowed: names")):
        with pytest.raises(ValueError, match=f"policy mine: reads: {told}"):
            artel.simulate(SHORT, policies={"mine": reads(*wrong)(lambda loads, draw: 0) if isinstance(wrong, tuple)
                                            else type("Rule", (), {"reads": wrong, "choose": lambda self, loads, draw: 0})})


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
        seen.update({name: list(getattr(loads, name)) for name in LOADS}, idle=loads.idle(), uniform=draw.uniform(),
                    matched_by=draw.matched_by(2), **{name: getattr(draw, name) for name in DRAW})
        return loads.least()

    artel.simulate(SHORT, policies={"mine": mine})
    assert all(len(seen[name]) == 4 for name in LOADS) and seen["weight"] == [1.0] * 4 and seen["failures"] == [0.0] * 4
    assert max(seen["latency"]) > 0 and max(seen["heard"]) <= seen["now"]
    assert 0 <= seen["uniform"] < 1 and seen["size"] >= 0 and seen["turn"] > 0 and seen["now"] > 0 and seen["age"] == 0
    assert (seen["key"], seen["task_class"], seen["deadline"], seen["matched"], seen["matched_by"]) == (0, 0, math.inf, (), 0)
    # All that the views have was looked at.
    public = {each for type in (artel._artel.Loads, artel._artel.Draw) for each in vars(type) if not each.startswith("_")}
    assert public <= {*LOADS, *DRAW, "index", "count", "least", "idle", "below", "uniform", "matched_by"}


def test_deadlines_classes_and_prefixes():
    seen = set()
    fleet = {**SHORT, "workload": {**SCENARIO["workload"], "deadline": "5 s", "classes": [
        {"name": "a", "share": 0.5}, {"name": "b", "share": 0.5, "deadline": "1 s"}]}}
    artel.simulate(fleet, policies={"mine": lambda loads, draw: seen.add((draw.task_class, round(draw.deadline - draw.now, 6)))})
    assert seen == {(0, 5.0), (1, 1.0)}

    shares = []

    @reads("matched")
    def warmest(loads, draw):
        shares.append([draw.matched_by(worker) for worker in range(len(loads))])
        assert all(0 <= share <= 1 for share in shares[-1]) and list(draw.matched) == shares[-1][:len(draw.matched)]
        return max(range(len(loads)), key=shares[-1].__getitem__)

    artel.simulate("scenarios/prefix-cache.toml", policies={"mine": warmest}, set={"run.replications": 1, "dispatch.policies": ["random"]},
                   sweep={"workload.arrivals.load": [0.8]})
    assert max(map(max, shares)) > 0.5
    with pytest.raises(artel.Error, match="mine reads matched"):
        artel.simulate(SHORT, policies={"mine": warmest})


@pytest.mark.parametrize("without", [None, "numpy"])
def test_arrays_cannot_be_written(monkeypatch, without):
    if without:
        monkeypatch.setitem(sys.modules, without, None)
    else:
        pytest.importorskip("numpy")
    seen = []

    def mine(loads, draw):
        for name in LOADS:
            with pytest.raises((TypeError, ValueError), match="read-only"):
                getattr(loads, name)[0] = 7.0
        seen.append((type(loads.queued), list(loads.queued) == [float(loads[i]) for i in range(len(loads))]))
        return loads.least()

    artel.simulate(SHORT, policies={"mine": mine})
    assert {same for _, same in seen} == {True}
    assert {type for type, _ in seen} == {memoryview} if without else memoryview not in {type for type, _ in seen}


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

    artel.simulate(SHORT, policies={"mine": mine})
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


def test_exception_of_a_rule_ends_the_run_at_once():
    def bad(loads, draw):
        if draw.turn == 1000:
            raise RuntimeError("enough")
        return 0

    with pytest.raises(RuntimeError, match="enough"):
        artel.simulate(ENDLESS, policies={"mine": bad})


@pytest.mark.parametrize("rule", [lambda loads, draw: loads.least(), operator.is_], ids=["python", "built in"])
def test_ctrl_c_ends_a_run_with_rules(rule):
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        artel.simulate(ENDLESS, policies={"mine": rule})
    timer.join()


def test_other_threads_run_while_artels_own_policies_do():
    stop, ticks = threading.Event(), []

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    last = 0

    def rule(loads, draw):
        nonlocal last
        last = len(ticks)
        return 0

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        artel.simulate(SCENARIO, policies={"mine": rule}, set={"run.tasks": 300_000, "run.replications": 2, "run.warm_up": "0%"})
        assert len(ticks) > last + 5  # artel's own come after the rules
    finally:
        stop.set()
        thread.join()


def test_progress_and_its_exception():
    told = []
    artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: 0}, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] and [done for done, _ in told] == sorted(done for done, _ in told)

    def stop(done, total):
        raise RuntimeError("told enough")

    with pytest.raises(RuntimeError, match="told enough"):
        artel.simulate(SCENARIO, policies={"mine": lambda loads, draw: 0}, progress=stop)


def test_answer_does_not_depend_on_jobs():
    rule = {"mine": lambda loads, draw: draw.below(len(loads))}
    assert artel.simulate(SCENARIO, policies=rule, jobs=1).json == artel.simulate(SCENARIO, policies=rule, jobs=3).json
