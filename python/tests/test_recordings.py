"""load(), calibrate(), replay(), plan(): the same bytes as the command."""

import random
import signal
import threading
import time

import pytest

import artel

LOG_FORMAT = '$remote_addr - - [$time_local] "$request" $status $body_bytes_sent $msec $request_time'


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """A CSV file of 600 tasks on three workers."""
    path = tmp_path_factory.mktemp("recorded") / "tasks.csv"
    dice = random.Random(1)
    free = [0.0, 0.0, 0.0]
    now = 0.0
    lines = ["submitted,started,finished,worker"]
    for _ in range(600):
        now += dice.expovariate(25)
        worker = min(range(3), key=lambda each: free[each])
        start = max(now, free[worker])
        free[worker] = start + dice.expovariate(10)
        lines.append(f"{now:.6f},{start:.6f},{free[worker]:.6f},{worker}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_load(tasks, command):
    trace = artel.load(tasks)
    assert len(trace) == 600
    assert trace.json == command("trace", "summary", tasks, "--json")
    assert str(trace) == command("trace", "summary", tasks)
    columns = trace.columns
    assert len(columns["submitted"]) == 600 and set(columns["worker"]) == {0, 1, 2}
    assert all(a <= b <= c for a, b, c in zip(columns["submitted"], columns["started"], columns["finished"]))
    assert set(columns["outcome"]) == {"done"}
    assert len(trace.table) == 600
    assert trace.damage == []


def test_load_with_other_column_names(tasks, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text(tasks.read_text().replace("submitted,", "arrival,", 1))
    with pytest.raises(artel.Error, match="submitted"):
        artel.load(path)
    assert len(artel.load(path, columns={"submitted": "arrival"})) == 600


def test_load_errors(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("submitted,started,finished\n0,1,2\n1,x,3\n")
    with pytest.raises(artel.Error) as caught:
        artel.load(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 3, 3)
    with pytest.raises(artel.Error):
        artel.load(tmp_path / "none.csv")
    with pytest.raises(artel.Error) as caught:
        artel.load(path, service="50ms +")
    assert caught.value.mistakes[0].where == "service"


def test_calibrate(tasks, command, tmp_path):
    found = artel.calibrate(tasks)
    assert found.json == command("calibrate", tasks, "--json")
    assert str(found) == command("calibrate", tasks)
    ours, theirs = tmp_path / "ours" / "s.toml", tmp_path / "theirs" / "s.toml"
    for each in (ours, theirs):
        each.parent.mkdir()
    found.save(ours)
    command("calibrate", tasks, "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    assert ours.with_suffix(".tasks.csv").read_bytes() == theirs.with_suffix(".tasks.csv").read_bytes()
    assert artel.simulate(ours).data["complete"]
    assert artel.simulate(found.toml(arrivals="fitted")).data["complete"]
    with pytest.raises(ValueError, match="'recorded', 'fitted'"):
        found.toml(arrivals="drawn")


def test_calibrate_takes_workers_policy_and_seed(tasks, command):
    ours = artel.calibrate(tasks, workers=4, policy="jsq(d=2)", seed=5)
    assert ours.json == command("calibrate", tasks, "--workers", 4, "--policy", "jsq(d=2)", "--seed", 5, "--json")


def test_replay(tasks, command, tmp_path):
    found = artel.replay(tasks, replications=5)
    assert found.json == command("replay", tasks, "--replications", 5, "--json")
    assert str(found) == command("replay", tasks, "--replications", 5)
    assert "mean_response" in list(found.table["figure"])
    assert artel.replay(artel.load(tasks), replications=5).json == found.json
    try:
        found.report(tmp_path / "replay.html")
    except artel.Error as error:
        pytest.skip(str(error))
    assert "artel.replay/1" in (tmp_path / "replay.html").read_text()


def test_what_if(tasks, command):
    changes = {"workers": 4, "policy": "least_loaded", "rate": "x1.5"}
    asked = "workers=4,policy=least_loaded,rate=x1.5"
    assert artel.replay(tasks, what_if=changes).json == command("replay", tasks, "--what-if", asked, "--json")
    with pytest.raises(artel.Error, match="what_if: found 'worker=4'"):
        artel.replay(tasks, what_if="worker=4")


ENDLESS = {"replay": {"replications": 100_000}, "plan": {"slo": "p99<2s", "set": {"run.tasks": 50_000_000, "run.replications": 50}}}


def endless(name, tasks, **arguments):
    if name == "replay":
        return artel.replay(tasks, **ENDLESS[name], **arguments)
    return artel.plan("scenarios/mm8.toml", **ENDLESS[name], **arguments)


@pytest.mark.parametrize("name", ["replay", "plan"])
def test_ctrl_c_ends_it_and_other_threads_run_meanwhile(name, tasks):
    ticks = []

    def interrupt():
        for _ in range(30):
            time.sleep(0.01)
            ticks.append(1)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        endless(name, tasks)
    thread.join()
    assert len(ticks) == 30


@pytest.mark.parametrize("name", ["replay", "plan"])
def test_exception_of_progress_ends_it(name, tasks):
    def progress(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        endless(name, tasks, progress=progress)


@pytest.mark.parametrize("ask", [
    lambda tasks, progress: artel.replay(tasks, replications=5, progress=progress),
    lambda tasks, progress: artel.replay(tasks, what_if="workers=4", progress=progress),
    lambda tasks, progress: artel.plan(tasks, slo="p99<2s", progress=progress)], ids=["replay", "what_if", "plan"])
def test_progress_ends_at_the_total(ask, tasks, capsys):
    seen = []
    ask(tasks, lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1] and [done for done, _ in seen] == sorted(done for done, _ in seen)
    ask(tasks, True)
    assert capsys.readouterr().err.endswith("\n")


def test_patience_is_a_column(tmp_path):
    path = tmp_path / "patience.csv"
    path.write_text("submitted,started,finished,patience\n0,1,2,1.5\n1,2,3,\n")
    assert artel.load(path).columns["patience"] == [1.5, None]


def test_log_of_response_times(command, tmp_path):
    import datetime
    path = tmp_path / "access.log"
    dice = random.Random(2)
    now, lines = 1_700_000_000.0, []
    for _ in range(300):
        now += dice.expovariate(20)
        response = dice.expovariate(12)
        stamp = datetime.datetime.fromtimestamp(now + response, datetime.timezone.utc).strftime("%d/%b/%Y:%H:%M:%S +0000")
        lines.append(f'1.2.3.4 - - [{stamp}] "GET / HTTP/1.1" 200 12 {now + response:.3f} {response:.3f}')
    path.write_text("\n".join(lines) + "\n")
    trace = artel.load(path, log_format=LOG_FORMAT)
    assert trace.notes and "300" in trace.notes[0]
    ours = artel.calibrate(trace, workers=4)
    assert ours.json == command("calibrate", path, "--log-format", LOG_FORMAT, "--workers", 4, "--json")


def test_plan_of_a_scenario(command):
    scenario = "scenarios/mm8.toml"
    less = {"run.tasks": 20_000, "run.replications": 5}
    ours = artel.plan(scenario, slo="p99<7s", policy="central", set=less, seed=3, price="0.12/h")
    same = ("plan", scenario, "--slo", "p99<7s", "--policy", "central", "--set", "run.tasks=20000",
            "--set", "run.replications=5", "--seed", 3, "--price", "0.12/h")
    assert ours.json == command(*same, "--json")
    assert ours.workers == ours.best["workers"] == ours.table["workers"][0]
    assert ours.text in command(*same)
    assert "Pool pool" in ours.code and "needs" in ours.answer
    assert ours.settings("celery") in command(*same, "--settings", "celery")
    with pytest.raises(artel.Error, match="unknown system 'cellery'.*celery"):
        ours.settings("cellery")
    assert len(ours.trials) >= 2 and "<pre>" in ours._repr_html_()


def test_plan_of_a_log(tasks, command):
    ours = artel.plan(tasks, slo=["p99<2s", "rejected<0.1%"], queue=[1, "inf"])
    assert ours.json == command("plan", tasks, "--slo", "p99<2s", "--slo", "rejected<0.1%", "--queue", "1,inf", "--json")
    assert set(ours.backtest["figures"]) >= {"p50_response", "p99_response"} and "rest" in str(ours)
    assert artel.plan("scenarios/mm8.toml", slo="p99<9s", policy="central", set={"run.tasks": 2000}).backtest is None
    fitted = artel.plan(artel.load(tasks), slo="p99<2s", arrivals="fitted", workers=3)
    assert fitted.json == command("plan", tasks, "--slo", "p99<2s", "--arrivals", "fitted", "--workers", 3, "--json")


def test_plan_that_no_pool_meets():
    plan = artel.plan("scenarios/mm8.toml", slo="p99<1s", policy="central", set={"run.tasks": 2000})
    assert plan.workers is None and plan.best is None and plan.code == ""
    with pytest.raises(artel.Error, match="nothing to set"):
        plan.settings("nginx")


def test_plan_errors(tasks):
    for arguments, where in (({"slo": "p98<1s"}, "slo"), ({"slo": "p99<7s", "rate": "2"}, "rate"),
                             ({"slo": "p99<7s", "price": "free"}, "price"),
                             ({"slo": "p99<7s", "policy": "jsk"}, "policy jsk"), ({"slo": "p99<7s", "queue": 0}, "queue")):
        with pytest.raises(artel.Error) as caught:
            artel.plan("scenarios/mm8.toml", **arguments)
        assert caught.value.mistakes[0].where == where
    with pytest.raises(ValueError, match="set: goes with a scenario"):
        artel.plan(tasks, slo="p99<1s", set={"run.tasks": 10})
    with pytest.raises(ValueError, match="workers: goes with a log"):
        artel.plan("scenarios/mm8.toml", slo="p99<1s", workers=3)
    with pytest.raises(ValueError, match="arrivals: goes with a log"):
        artel.plan("scenarios/mm8.toml", slo="p99<1s", arrivals="fitted")
    with pytest.raises(artel.Error, match="from 0.5 to 0.9999"):
        artel.plan("scenarios/mm8.toml", slo="p99<1s", confidence=2)
