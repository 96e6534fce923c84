"""simulate(): the same bytes as the command, tables, histograms, verdicts, reports, errors, progress, Ctrl-C."""

import concurrent.futures
import json
import multiprocessing
import pickle
import signal
import threading
import time

import pytest

import artel

SMALL = {
    "name": "small",
    "workload": {"arrivals": {"kind": "poisson", "load": 0.8},
                 "service": {"distribution": "exponential", "mean": "100 ms"}},
    "pool": {"workers": 4},
    "dispatch": {"policies": ["central", "random"]},
    "run": {"tasks": 5000, "replications": 4},
    "slo": {"p99_response": "1.5 s"},
}
ENDLESS = {**SMALL, "run": {"tasks": 50_000_000, "replications": 50}}


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(artel._toml.document(SMALL))
    return path


def test_same_bytes_as_the_command(command, small):
    assert artel.simulate(small, seed=7).json == command("simulate", small, "--seed", 7, "--json")


def test_same_bytes_from_path_text_and_dict(command, small):
    ours = artel.simulate(small, seed=7).json
    assert artel.simulate(str(small), seed=7).json == ours
    assert artel.simulate(small.read_text(), seed=7).json == ours
    assert artel.simulate(SMALL, seed=7).json == ours


def test_same_bytes_with_set_and_sweep(command, small):
    ours = artel.simulate(small, set={"pool.workers": 5}, sweep={"workload.arrivals.load": [0.5, 0.7]})
    assert ours.json == command("simulate", small, "--set", "pool.workers=5", "--sweep",
                                "workload.arrivals.load=0.5,0.7", "--json")
    text = artel.simulate(small, sweep={"pool.workers": "4..8:2"})
    assert text.json == command("simulate", small, "--sweep", "pool.workers=4..8:2", "--json")
    assert text.smallest == text.data["smallest"] and len(text.smallest) == 2


def test_same_text_and_csv_as_the_command(command, small):
    result = artel.simulate(small)
    assert str(result) == result.text == command("simulate", small)
    assert result.csv == command("simulate", small, "--csv")


def test_bytes_do_not_depend_on_jobs():
    assert artel.simulate(SMALL, jobs=1).json == artel.simulate(SMALL, jobs=3).json


def test_table_has_a_row_per_policy_and_point():
    pandas = pytest.importorskip("pandas")
    result = artel.simulate(SMALL, sweep={"pool.workers": [4, 5]})
    assert isinstance(result.table, pandas.DataFrame)
    assert list(result.table["policy"]) == ["central", "random"] * 2
    assert list(result.table["workers"]) == [4, 4, 5, 5]
    first = result.data["points"][0]["policies"][0]["response"]["mean"]
    assert result.table["response.mean"][0] == first["value"]
    assert result.table["response.mean±"][0] == first["half_width"]


def test_table_without_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    table = artel.simulate(SMALL).table
    assert isinstance(table, artel.Table)
    assert table.column("policy") == ["central", "random"]
    assert "<td>central</td>" in table._repr_html_() and "central" in str(table)


def test_verdicts():
    clear = {**SMALL, "slo": {"mean_response": "300 ms"}, "run": {"tasks": 5000, "replications": 10}}
    verdicts = list(artel.simulate(clear).verdicts["verdict"])
    assert verdicts == ["met", "missed"]


def test_histogram_counts_every_task():
    result = artel.simulate(SMALL)
    histogram = result.histogram("random")
    row = result.data["points"][0]["policies"][1]
    assert histogram.total == row["tasks"]
    assert histogram.quantile(0.99) == pytest.approx(row["response"]["p99"]["value"], rel=0.01)
    assert result.histogram("random", of="wait").quantile(0.5) < histogram.quantile(0.5)
    with pytest.raises(KeyError, match="there are central, random"):
        result.histogram("jsq")
    with pytest.raises(ValueError, match="allowed: 'response', 'wait'"):
        result.histogram(of="size")


def test_report_is_a_page(tmp_path):
    path = tmp_path / "out.html"
    try:
        assert artel.simulate(SMALL).report(path) == str(path)
    except artel.Error as error:
        pytest.skip(str(error))  # built without npm
    page = path.read_text()
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert "artel.simulate/1" in page


def test_rich_display():
    html = artel.simulate(SMALL)._repr_html_()
    assert "<table" in html and "central" in html and "<pre>" in html


def test_error_has_file_line_and_column(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(artel._toml.document(SMALL).replace("workers = 4", "workres = 4"))
    with pytest.raises(artel.Error) as caught:
        artel.simulate(path)
    error = caught.value
    lines = path.read_text().splitlines()
    assert error.file == str(path) and lines[error.line - 1] == "workres = 4" and error.column == 1
    assert "workres" in str(error) and "workers" in str(error)
    assert isinstance(error, ValueError)


def test_all_mistakes_are_told_at_once(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(artel._toml.document(SMALL).replace("workers = 4", "workers = 0").replace('"random"', '"randm"'))
    with pytest.raises(artel.Error) as caught:
        artel.simulate(path)
    assert len(caught.value.mistakes) == 2


def test_errors_are_those_of_the_command(tmp_path, command):
    import os
    import subprocess
    path = tmp_path / "bad.toml"
    path.write_text(artel._toml.document(SMALL).replace("workers = 4", "workers = 0"))
    with pytest.raises(artel.Error) as caught:
        artel.simulate(path)
    told = subprocess.run([os.environ["ARTEL_COMMAND"], "simulate", str(path)], capture_output=True, text=True).stderr
    assert str(caught.value) in told


def test_mistakes_in_a_dict_are_told_by_key():
    with pytest.raises(artel.Error) as caught:
        artel.simulate({**SMALL, "pool": {"workers": 0}})
    error = caught.value
    assert (error.file, error.line, error.column) == (None, None, None) and str(error).startswith("pool.workers: found 0")
    with pytest.raises(artel.Error, match="^pool.workers"):
        artel.plan({**SMALL, "pool": {"workers": 0}})
    with pytest.raises(artel.Error) as caught:
        artel.simulate({**SMALL, "pool": {"wrkers": 4}})
    assert "wrkers" in str(caught.value) and caught.value.line is None


def test_classes_have_a_table():
    classes = {**SMALL["workload"], "classes": [{"name": "a", "share": 0.5, "priority": 1}, {"name": "b", "share": 0.5}]}
    result = artel.simulate({**SMALL, "workload": classes, "slo": {}}, sweep={"pool.workers": [4, 5]})
    rows = result.classes.to_dict("records") if hasattr(result.classes, "to_dict") else result.classes
    assert [(row["pool.workers"], row["policy"], row["class"]) for row in rows] == [
        (workers, policy, name) for workers in (rows[0]["pool.workers"], rows[-1]["pool.workers"]) for policy in ("central", "random")
        for name in "ab"]
    first = result.data["points"][0]["policies"][0]["classes"][0]
    assert rows[0]["response.mean"] == first["response"]["mean"]["value"] and rows[0]["tasks"] == first["tasks"]
    assert len(artel.simulate(SMALL).classes) == 0


def test_missing_file():
    with pytest.raises(artel.Error) as caught:
        artel.simulate("none.toml")
    assert caught.value.code == "not_found" and "none.toml" in str(caught.value) and caught.value.line is None


def test_wrong_arguments():
    with pytest.raises(ValueError, match="seed: found -1"):
        artel.simulate(SMALL, seed=-1)
    with pytest.raises(ValueError, match="jobs: found 0"):
        artel.simulate(SMALL, jobs=0)
    with pytest.raises(TypeError, match="allowed as a scenario"):
        artel.simulate(7)
    with pytest.raises(artel.Error, match="pool.wrkers"):
        artel.simulate(SMALL, set={"pool.wrkers": 3})
    with pytest.raises(TypeError, match="allowed in a scenario"):
        artel.simulate({**SMALL, "name": object()})


def test_progress_ends_at_the_total():
    seen = []
    artel.simulate(SMALL, progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1]


def test_exception_of_progress_ends_the_run():
    def progress(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        artel.simulate({**SMALL, "run": {"tasks": 400_000, "replications": 200}}, progress=progress)


def test_ctrl_c_ends_the_run():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        artel.simulate(ENDLESS)
    timer.join()


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = len(ticks)
        artel.simulate({**SMALL, "run": {"tasks": 200_000, "replications": 8}}, jobs=1)
        assert len(ticks) > before + 5
    finally:
        stop.set()
        thread.join()


def test_durations_as_timedelta():
    import datetime
    scenario = json.loads(json.dumps(SMALL))
    scenario["workload"]["service"]["mean"] = datetime.timedelta(milliseconds=100)
    assert artel.simulate(scenario).data["points"] == artel.simulate(SMALL).data["points"]


def test_schema():
    assert "pool.workers" in artel.scenario_schema() or "workers" in artel.scenario_schema()


def test_results_travel_to_other_processes(small, tmp_path):
    made = artel.simulate(small, jobs=1)
    copy = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(made))))
    assert copy.json == made.json and copy.text == made.text and copy.csv == made.csv
    for policy in ("central", "random"):
        for of in ("response", "wait"):
            assert copy.histogram(policy, of).count == made.histogram(policy, of).count
    assert copy.verdicts.equals(made.verdicts) if hasattr(made.verdicts, "equals") else copy.verdicts == made.verdicts
    with pytest.raises(RuntimeError, match="pickled; allowed: before that"):
        copy.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_results_come_back_from_a_pool_of_processes(small):
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(artel.simulate, str(small), jobs=1).result(timeout=120).json == artel.simulate(small, jobs=1).json
