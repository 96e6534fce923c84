"""What nobody should ask, rules that go astray, forks and threads: exceptions that say what is wrong."""

import collections.abc
import gc
import math
import os
import subprocess
import sys
import threading

import pytest

import artel

SMALL = {"workload": {"arrivals": {"kind": "poisson", "load": 0.8}, "service": {"distribution": "exponential", "mean": "100 ms"}},
         "pool": {"workers": 4}, "dispatch": {"policies": ["central"]}, "run": {"tasks": 500, "replications": 2}}


def test_simulations_in_several_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(artel.simulate(SMALL, jobs=2).json)) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 6 and len(set(found)) == 1


def in_child(action):
    """The child's exit status."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            status = action()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_fork_before_and_between_and_inside(env):
    expected = artel.simulate(SMALL, jobs=2).json
    assert in_child(lambda: 0 if artel.simulate(SMALL, jobs=2).json == expected else 1) == 0

    def process():
        yield env.timeout(1)
        assert in_child(lambda: 0 if env.now == 1 and artel.simulate(SMALL, jobs=2).json == expected else 1) == 0
        yield env.timeout(1)

    env.process(process())
    env.run()
    assert env.now == 2

    def rule(loads, draw):
        if draw.turn == 3:
            assert in_child(lambda: 0 if loads[0] >= 0 else 1) == 0
        return loads.least()

    artel.simulate(SMALL, policies={"forks": rule})
    assert in_child(lambda: 0 if len(artel.experiment(lambda seed: {"x": seed % 7}, replications=3, jobs=2).table) == 1 else 1) == 0


LONG = "{**SMALL, 'run': {'tasks': 50_000_000, 'replications': 50}}"


@pytest.mark.parametrize("ask", [f"artel.simulate({LONG}, jobs=2)", f"artel.simulate({LONG}, policies={{'x': lambda loads, draw: loads.least()}})",
                                 "artel.load(PIPE)", "artel.replay(PIPE)",
                                 "artel.experiment(lambda seed: {'x': time.sleep(0.05) or 1}, replications=10_000, jobs=2)"])
def test_python_ends_while_a_daemon_thread_asks(ask, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code = f"""
import threading, time, artel
SMALL, PIPE = {SMALL!r}, {str(tmp_path / "pipe")!r}
def endless():
    started.set()
    {ask}
started = threading.Event()
threading.Thread(target=endless, daemon=True).start()
started.wait()
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_rule_that_asks_for_another_simulation():
    expected = artel.simulate(SMALL).json
    inner = []

    def rule(loads, draw):
        if draw.turn == 3:
            inner.append(artel.simulate(SMALL).json)
        return draw.below(len(loads))

    artel.simulate(SMALL, policies={"asks": rule})
    assert inner and set(inner) == {expected}


@pytest.mark.parametrize("answer", ["0", 1.5, math.nan, [], 10**30, -1, 4, object()], ids=repr)
def test_wrong_answers_of_rules(answer):
    with pytest.raises((TypeError, IndexError)):
        artel.simulate(SMALL, policies={"wrong": lambda loads, draw: answer})


@pytest.mark.parametrize("policies, message", [
    ({"central": lambda loads, draw: 0}, "two called"), ({"x": 3}, "allowed: a function"), ({3: len}, ""), ([("x", len)], ""), (len, ""),
    ({"x": lambda: 0}, "argument"), ({"": lambda loads, draw: 0}, ""), ({"x": type("Bad", (), {"choose": 3})}, "allowed: a function"),
], ids=str)
def test_wrong_policies(policies, message):
    with pytest.raises((TypeError, ValueError), match=message):
        artel.simulate(SMALL, policies=policies)


@pytest.mark.parametrize("thrown", [SystemExit(3), GeneratorExit(), MemoryError(), KeyboardInterrupt()], ids=repr)
def test_exceptions_of_rules(thrown):
    def rule(loads, draw):
        raise thrown

    with pytest.raises(type(thrown)):
        artel.simulate(SMALL, policies={"throws": rule})


# ---- Questions

@pytest.mark.parametrize("call", [
    lambda: artel.simulate(None), lambda: artel.simulate([]), lambda: artel.simulate(b"scenario"), lambda: artel.simulate("a\0b"),
    lambda: artel.simulate(""), lambda: artel.simulate("/"), lambda: artel.simulate("\n"), lambda: artel.simulate("\udc80\n"),
    lambda: artel.simulate({}), lambda: artel.simulate({"pool": 3}), lambda: artel.simulate({"pool": {"workers": math.nan}}),
    lambda: artel.simulate({**SMALL, "pool": {"workers": 10**30}}), lambda: artel.simulate({**SMALL, "pool": {"workers": 1e308}}),
    lambda: artel.simulate({**SMALL, "pool": {"workers": -math.inf}}), lambda: artel.simulate({**SMALL, "name": "\udc80"}),
    lambda: artel.simulate({**SMALL, 3: 4}), lambda: artel.simulate({**SMALL, "\0": 4}), lambda: artel.simulate(SMALL, seed=1.5),
    lambda: artel.simulate(SMALL, seed=2**64), lambda: artel.simulate(SMALL, seed="1"), lambda: artel.simulate(SMALL, seed=math.nan),
    lambda: artel.simulate(SMALL, jobs=-1), lambda: artel.simulate(SMALL, jobs=10**9), lambda: artel.simulate(SMALL, jobs=1.5),
    lambda: artel.simulate(SMALL, set=3), lambda: artel.simulate(SMALL, set={3: 4}), lambda: artel.simulate(SMALL, set={"": 4}),
    lambda: artel.simulate(SMALL, set={"pool.workers": None}), lambda: artel.simulate(SMALL, set={"pool.workers": object()}),
    lambda: artel.simulate(SMALL, set=["pool.workers=3"]), lambda: artel.simulate(SMALL, sweep={"pool.workers": []}),
    lambda: artel.simulate(SMALL, sweep={"pool.workers": 3}), lambda: artel.simulate(SMALL, sweep={"pool.workers": "1.."}),
    lambda: artel.simulate(SMALL, sweep={"pool.workers": [None]}), lambda: artel.simulate(SMALL, sweep=3),
    lambda: artel.simulate(SMALL, sweep={"pool.workers": "1..1000000000"}), lambda: artel.simulate(SMALL, progress=7),
    lambda: artel.simulate(SMALL, progress="yes"), lambda: artel.plan(None), lambda: artel.plan(SMALL, slo=3),
    lambda: artel.plan(SMALL, slo="p99<nan"), lambda: artel.plan(SMALL, slo="p99<1s", confidence=math.nan),
    lambda: artel.plan(SMALL, slo="p99<1s", max_workers=0), lambda: artel.plan(SMALL, slo="p99<1s", price=math.nan),
    lambda: artel.plan(SMALL, slo="p99<1s", price=-1), lambda: artel.plan(SMALL, slo="p99<1s", rate="xnan"),
    lambda: artel.plan(SMALL, slo="p99<1s", queue=[None]), lambda: artel.plan(SMALL, slo="p99<1s", queue=-1),
    lambda: artel.plan(SMALL, slo="p99<1s", arrivals=3), lambda: artel.plan("none.log", slo="p99<1s"),
    lambda: artel.plan("none.log", slo="p99<1s", workers=-1), lambda: artel.replay("none.log"), lambda: artel.calibrate(3),
    lambda: artel.calibrate("none.log", workers=10**9), lambda: artel.load("none.log"), lambda: artel.load("/"), lambda: artel.load("/dev/zero"),
    lambda: artel.load(""), lambda: artel.simulate(SMALL).report("/none/page.html"), lambda: artel.simulate(SMALL).histogram(3),
    lambda: artel.simulate(SMALL).histogram(of=3), lambda: artel.simulate(SMALL).histogram().quantile(math.nan),
    lambda: artel.simulate(SMALL).histogram().quantile("x"), lambda: artel.verify([{}]), lambda: artel.verify(3),
    lambda: artel.experiment(3), lambda: artel.experiment(len, replications=1.5), lambda: artel.experiment(len, {"x": []}),
    lambda: artel.experiment(len, {"x": 3}), lambda: artel.experiment(len, 3), lambda: artel.experiment(len, seed=-1),
    lambda: artel.experiment(lambda seed: {"x": 1}, precision={"x": math.nan}, replications=2),
    lambda: artel.experiment(lambda seed: {"x": 1}, precision={"x": -1}, replications=2),
    lambda: artel.experiment(lambda seed: {"x": 1}, precision=3, replications=2), lambda: artel.experiment(lambda seed: {"x": 1}, variants=3),
    lambda: artel.experiment(lambda seed: {"x": 1}, replications=2).frame(level=math.nan),
    lambda: artel.experiment(lambda seed: {"x": 1}, figures=3, replications=2), lambda: artel.experiment(lambda seed: {"x": 1}, name=3, replications=2),
])
def test_wrong_questions_are_refused(call):
    with pytest.raises((ValueError, TypeError, OverflowError, IndexError, KeyError, OSError)) as caught:
        call()
    assert "incompatible" not in str(caught.value), "what is wrong is told in words of Python"


@pytest.mark.parametrize("measured", [3, None, "x", {3: 4}, {"x": "y"}, {"x": None}, {"x": [None]}, {"x": object()}, {"x": lambda: 0}], ids=repr)
def test_wrong_reports_of_models(measured):
    with pytest.raises((artel.ModelError, ValueError, TypeError)):
        artel.experiment(lambda seed: measured, replications=2, jobs=1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, 10**400, []], ids=repr)
def test_extreme_reports_of_models(value):
    try:
        found = artel.experiment(lambda seed: {"x": value}, replications=2, jobs=1)
        assert found.json and found.text and len(found.table) == 1
    except (artel.ModelError, artel.Error):
        pass


@pytest.mark.parametrize("time", [math.nan, math.inf, -1.0, 1e300], ids=repr)
def test_times_of_models_are_lengths(time):
    with pytest.raises(artel.Error, match="x: found .*allowed as a time"):
        artel.experiment(lambda seed: {"x": [1.0, time]}, replications=2, jobs=1)


def test_files_whose_names_are_no_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.log"
    with open(path, "w") as file:
        file.write("submitted,started,finished\n0,1,2\n1,x,3\n")
    with pytest.raises(artel.Error) as caught:
        artel.load(path)
    assert caught.value.line == 3
    with pytest.raises(artel.Error):
        artel.simulate(os.fsdecode(path))


def test_errors_of_logs_that_are_no_text(tmp_path):
    path = tmp_path / "bad.log"
    for content in (b"\xff\xfe\n" * 20, b"submitted,started,finished\n\xff,1,2\n", b"\0" * 100, b"", b"\n" * 9, os.urandom(5000)):
        path.write_bytes(content)
        with pytest.raises(artel.Error) as caught:
            artel.load(path)
        assert str(caught.value)


def test_errors_travel(tmp_path):
    import copy
    import pickle
    with pytest.raises(artel.Error) as caught:
        artel.simulate({**SMALL, "pool": {"workers": 0}})
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value), copy.deepcopy(caught.value)):
        assert again.mistakes == caught.value.mistakes and str(again) == str(caught.value)


def test_loads_are_a_sequence():
    seen = []

    def rule(loads, draw):
        if draw.turn == 20:
            seen.extend((isinstance(loads, collections.abc.Sequence), loads.index(min(loads)) == list(loads).index(min(loads)),
                         loads.count(0) == list(loads).count(0), list(reversed(loads)) == list(loads)[::-1], loads[-1] == loads[3]))
            for call in (lambda: loads.index(-1), lambda: draw.below(2**32 + 1), lambda: draw.below(10**30), lambda: draw.below(0)):
                with pytest.raises((ValueError, OverflowError)):
                    call()
            seen.append(0 <= draw.below(2**32) < 2**32)
        return loads.least()

    artel.simulate(SMALL, policies={"looks": rule})
    assert seen and all(seen)


def test_results_outlive_everything():
    result = artel.simulate(SMALL)
    histogram = result.histogram()
    text = result.text
    del result
    gc.collect()
    assert histogram.total and text
