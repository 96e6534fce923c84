"""experiment(): models of one's own over cores, with intervals."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time

import pytest

import artel
from artel import sim


def queue(load, seed, speed=1.0):
    gaps, services = random.Random(f"gaps {seed}"), random.Random(f"services {seed}")
    work, waits = 0.0, []
    for _ in range(500):
        work = max(0.0, work - gaps.expovariate(load))
        waits.append(work)
        work += services.expovariate(speed)
    return {"wait": waits, "busy": load / speed}


def test_every_combination_has_a_row():
    found = artel.experiment(queue, {"load": [0.5, 0.8], "speed": [1.0, 2.0]}, replications=4)
    table = found.table
    assert len(table) == 4
    assert list(table["load"]) == [0.5, 0.5, 0.8, 0.8] and list(table["replications"]) == [4] * 4
    assert list(table["busy"]) == pytest.approx([0.5, 0.25, 0.8, 0.4]) and list(table["busy±"]) == pytest.approx([0] * 4)
    assert table["wait.mean"][2] > table["wait.mean"][0] > table["wait.mean"][1]
    assert json.loads(found.json)["schema"] == "artel.model/1"
    assert "wait.mean" in found.csv and "wait.mean" in str(found) and "<table" in found._repr_html_()


def test_intervals_are_artels():
    found = artel.experiment(queue, {"load": [0.5]}, replications=5)
    variants = found.data["points"][0]["variants"][0]["figures"]["wait.mean"]
    assert found.table["wait.mean"][0] == pytest.approx(variants["value"])
    assert found.table["wait.mean±"][0] == pytest.approx(variants["half_width"])
    assert found.frame(level=0.9)["wait.mean±"][0] < found.table["wait.mean±"][0]
    with pytest.raises(ValueError, match="level"):
        found.frame(level=1)


def test_answer_does_not_depend_on_jobs_and_repeats():
    first = artel.experiment(queue, {"load": [0.5, 0.7]}, replications=6, seed=3, jobs=1)
    assert artel.experiment(queue, {"load": [0.5, 0.7]}, replications=6, seed=3, jobs=3).json == first.json
    assert artel.experiment(queue, {"load": [0.5, 0.7]}, replications=6, seed=4).json != first.json


def test_variants_meet_the_same_chance():
    found = artel.experiment(queue, {"load": [0.8]}, variants={"now": {"speed": 1.0}, "faster": {"speed": 1.2}}, replications=8)
    now, faster = found.table.to_dict("records") if hasattr(found.table, "to_dict") else found.table
    assert faster["wait.meanΔ"] == pytest.approx(faster["wait.mean"] - now["wait.mean"])
    assert faster["wait.meanΔ"] < 0 and faster["wait.meanΔ±"] < now["wait.mean±"]


def test_precision_adds_replications():
    found = artel.experiment(queue, {"load": [0.5]}, replications=3, precision={"wait.mean": 0.1}, max_replications=500)
    row = found.data["points"][0]["variants"][0]
    assert row["replications"] > 3
    figure = row["figures"]["wait.mean"]
    assert figure["half_width"] <= 0.1 * figure["value"] * 1.0001


def test_values_may_be_anything():
    def model(kind, size, flag, seed):
        assert isinstance(kind, str) and isinstance(size, int) and isinstance(flag, bool)
        return {"length": len(kind) * size}

    found = artel.experiment(model, {"kind": ["a", "bbb"], "size": [1, 2]}, parameters={"flag": True}, replications=2)
    assert list(found.table["kind"]) == ["a", "a", "bbb", "bbb"]
    assert list(found.table["length"]) == [1, 2, 3, 6]


@pytest.mark.parametrize("values", [
    [1.0, 2.0], [1, 2], [1, 1.0, True], [0.1, 3], [2**53, 2**53 + 1], [10**400, 1], [float("inf"), -1.5], [None, "a", (1, 2)],
    [False, 0], [float("nan"), 1.0]], ids=str)
def test_values_come_to_the_model_as_they_were_given(values):
    def model(value, fixed, seed):
        return {"place": next(i for i, each in enumerate(values) if repr(each) == repr(value) and type(each) is type(value)),
                "fixed": int(type(fixed) is float)}

    found = artel.experiment(model, {"value": values}, parameters={"fixed": 2.0}, replications=2)
    rows = found._rows(0.99)
    assert [row["place"] for row in rows] == list(range(len(values))) and {row["fixed"] for row in rows} == {1}
    shown = [row["value"] for row in json.loads(json.dumps(rows, default=str))]
    assert [repr(each) for each in shown] == [repr(each) for each in json.loads(json.dumps(values))]


def test_what_a_variant_does_not_say_is_the_models_default():
    def model(seed, speed=1.0, limit=None):
        return {"speed": speed, "limited": int(limit is not None)}

    found = artel.experiment(model, variants={"now": {}, "faster": {"speed": 1.2}, "limited": {"limit": 3}}, replications=2)
    rows = found._rows(0.99)
    assert [row["speed"] for row in rows] == pytest.approx([1.0, 1.2, 1.0])
    assert [row["limited"] for row in rows] == [0, 0, 1]
    with pytest.raises(ValueError, match="variants: now does not say size; allowed: a value in every variant"):
        artel.experiment(lambda seed, size: {"x": size}, variants={"now": {}, "other": {"size": 2}}, replications=1)


def test_what_a_model_prints_is_not_lost(capfd):
    def model(seed):
        print("printed by", seed)
        return {"x": 1}

    print("before", end="")  # waits in the buffer, and comes out once
    artel.experiment(model, replications=3, jobs=2)
    text = capfd.readouterr().out
    assert text.count("before") == 1 and text.count("printed by") == 3


def test_models_run_in_other_processes():
    found = artel.experiment(lambda seed: {"pid": os.getpid()}, replications=4, jobs=2)
    assert os.getpid() not in list(found.table["pid"])


def test_failure_of_the_model_is_told_with_its_traceback():
    def model(seed):
        raise KeyError("my mistake")

    with pytest.raises(artel.ModelError, match="my mistake") as caught:
        artel.experiment(model, replications=2)
    assert "Traceback" in str(caught.value) and "raise KeyError" in str(caught.value)


def test_death_of_a_process_is_told():
    with pytest.raises(artel.ModelError, match="has ended"):
        artel.experiment(lambda seed: os._exit(3), replications=2)


def test_errors():
    with pytest.raises(ValueError, match="at least one value"):
        artel.experiment(queue, {"load": []})
    with pytest.raises(ValueError, match="replications: found 0"):
        artel.experiment(queue, {"load": [0.5]}, replications=0)
    with pytest.raises(artel.Error, match="wiat.mean"):
        artel.experiment(queue, {"load": [0.5]}, precision={"wiat.mean": 0.1})


def test_progress_ends_at_the_total():
    seen = []
    artel.experiment(queue, {"load": [0.5]}, replications=4, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]


ENDLESS = ("import artel, signal\n"
           "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
           "def endless(seed):\n    while True: pass\n"
           "def stop(done, total): raise RuntimeError('enough')\n"
           "print('ready', flush=True)\n")


def run_endless(call):
    child = subprocess.Popen([sys.executable, "-c", ENDLESS + call], start_new_session=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    return child


def processes_of(group):
    """Those that run, of a process group."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{each}/stat") as file:
                state, _, process_group = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(process_group) == group and state != "Z":
            found.append(int(each))
    return found


def await_processes(group, count):
    deadline = time.monotonic() + 60
    while len(processes_of(group)) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(processes_of(group)) >= count


@pytest.mark.parametrize("send", [os.killpg, os.kill], ids=["to all, as a terminal does", "to the parent alone"])
def test_ctrl_c_ends_it_and_its_processes(send):
    child = run_endless("artel.experiment(endless, replications=2, jobs=2)\n")
    await_processes(child.pid, 3)
    send(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode != 0 and errors.rstrip().endswith("KeyboardInterrupt")
    assert processes_of(child.pid) == []


def test_failure_ends_the_other_processes():
    child = run_endless("def one(kind, seed):\n    if kind: return {'x': 1}\n    endless(seed)\n"
                        "artel.experiment(one, {'kind': [1, 0]}, replications=1, jobs=2, progress=stop)\n")
    _, errors = child.communicate(timeout=60)
    assert errors.rstrip().endswith("RuntimeError: enough")
    assert processes_of(child.pid) == []


def test_report(tmp_path):
    found = artel.experiment(queue, {"load": [0.5, 0.7]}, replications=3)
    try:
        found.report(tmp_path / "model.html")
    except artel.Error as error:
        pytest.skip(str(error))
    assert "artel.model/1" in (tmp_path / "model.html").read_text()


def test_mm1_of_stations_is_as_theory_says():
    def model(load, seed):
        env = sim.Environment()
        server = sim.Station(env, service=sim.Distribution.exponential(1.0), seed=seed)
        sim.Source(env, sim.Distribution.exponential(1 / load), server, count=20_000, seed=seed)
        env.run()
        return {"response": server.figures["response"]["mean"]}

    found = artel.experiment(model, {"load": [0.5]}, replications=10)
    assert abs(found.table["response"][0] - 2.0) < 2 * found.table["response±"][0]
    assert not math.isnan(found.table["response±"][0])


def printed_by(code):
    done = subprocess.run([sys.executable, "-c", "import os, resource, signal, artel\n" + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_nothing_is_left_where_files_run_out():
    assert printed_by("""
before = os.listdir("/proc/self/fd")
resource.setrlimit(resource.RLIMIT_NOFILE, (len(before) + 20, len(before) + 20))
try:
    artel.experiment(lambda seed: {"x": 1}, jobs=64)
except OSError:
    print("refused")
assert len(os.listdir("/proc/self/fd")) == len(before)
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("gone")
""") == ["refused", "gone"]


def test_who_ignores_the_end_of_children_gets_an_answer():
    assert printed_by("""
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(artel.experiment(lambda seed: {"x": 1}, replications=2, jobs=2).data["complete"])
""") == ["True"]


def test_values_need_no_pickling():
    """They are in the process that the model runs in, as they were given."""
    laws = [sim.Distribution.constant(2.0), sim.Distribution.constant(3.0)]
    found = artel.experiment(lambda seed, law, rule: {"x": rule(law(sim.Stream(seed)))}, {"law": laws},
                             variants={"as it is": {"rule": lambda x: x}, "doubled": {"rule": lambda x: 2 * x}}, replications=2)
    assert list(found.table["x"] if hasattr(found.table, "iloc") else found.table.column("x")) == [2.0, 4.0, 3.0, 6.0]


@pytest.mark.parametrize("model, message", [
    (lambda seed: sys.exit("enough"), "SystemExit: enough"), (lambda seed: {3: 4}, "figures: found 3, allowed: text"),
    (lambda seed: {"\udc80": 4}, "surrogates not allowed"), (lambda seed: {"x": lambda: 0}, "pickle"),
], ids=["exit", "number", "surrogate", "function"])
def test_failures_of_models_are_told_in_words_of_python(model, message):
    with pytest.raises(artel.ModelError, match=message) as caught:
        artel.experiment(model, replications=2, jobs=1)
    assert "C++" not in str(caught.value) and "Traceback" in str(caught.value)
