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


def test_ctrl_c_ends_it_and_its_processes():
    code = ("import artel\n"
            "def endless(seed):\n    while True: pass\n"
            "print('ready', flush=True)\nartel.experiment(endless, replications=2, jobs=2)\n")
    child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode != 0 and errors.rstrip().endswith("KeyboardInterrupt")
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


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
