"""load(): which logs, which of their lines, classes; the same bytes as the command; progress, Ctrl-C."""

import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

import artel

LINE = '203.0.113.{0} - - [10/Oct/2026:13:55:{1:02} +0200] "GET /{2} HTTP/1.1" {3} {0} "-" "curl/7.88" 0.{4}\n'


def lines(count, first=0):
    return "".join(LINE.format(i % 250, i // 40 % 60, "cart" if i % 3 else f"item/{i}", 404 if i % 5 == 0 else 200, i % 7 + 2)
                   for i in range(first, first + count))


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "access.log"
    path.write_text(lines(400))
    return path


def told_by_command(*arguments):
    path = os.environ.get("ARTEL_COMMAND") or pytest.skip("ARTEL_COMMAND does not name the command artel")
    done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode != 0
    return done.stderr


def test_class_by_keeps_names(log, command):
    trace = artel.load(log, class_by="path")
    assert trace.json == command("import", log, "--class-by", "path", "--json")
    assert str(trace) == command("import", log, "--class-by", "path")
    assert [each["class"] for each in trace.data["classes"]] == ["/cart", "/item/*"]
    assert set(trace.columns["class"]) == {"/cart", "/item/*"} and "class" in trace.table
    assert trace.columns["class"].count("/cart") == trace.data["classes"][0]["tasks"]
    assert "class" not in artel.load(log).columns


def test_classes_go_on_into_plans_and_scenarios(log, command, tmp_path):
    trace = artel.load(log, class_by="path")
    assert artel.calibrate(trace).json == command("calibrate", log, "--class-by", "path", "--json")
    assert artel.replay(trace, replications=3).json == command("replay", log, "--class-by", "path", "--replications", 3, "--json")


def test_where_takes_some_of_the_lines(log, command):
    trace = artel.load(log, where={"$status": [200, 304]})
    assert trace.json == command("import", log, "--where", "$status=200|304", "--json")
    assert len(trace) == 320
    assert len(artel.load(log, where={"$status": 404})) == len(artel.load(log, where={"$status": "404"})) == 80
    assert artel.load(log, where={"$status": "200|404"}).json == artel.load(log).json
    both = artel.load(log, where={"$status": 200, "$remote_addr": "203.0.113.7"}, class_by="method")
    assert both.json == command("import", log, "--where", "$status=200", "--where", "$remote_addr=203.0.113.7",
                                "--class-by", "method", "--json")


def test_several_logs_are_one(log, tmp_path, command):
    older = tmp_path / "access.log.1"
    older.write_text(lines(300, first=400))
    trace = artel.load([log, str(older)])
    assert len(trace) == 700
    assert trace.json == command("import", log, older, "--json")
    assert artel.calibrate([log, older]).json == artel.calibrate(trace).json
    assert artel.plan([log, older], slo="p99<5s").json == artel.plan(trace, slo="p99<5s").json
    assert artel.replay([log, older], replications=2).json == artel.replay(trace, replications=2).json
    with pytest.raises(ValueError, match="no log to read"):
        artel.load([])


@pytest.mark.parametrize("ours, theirs", [
    ({"class_by": "pth"}, ["--class-by", "pth"]),
    ({"where": {"$host": "a"}}, ["--where", "$host=a"]),
    ({"where": {"": "a"}}, ["--where", "=a"]),
    ({"format": "ngnx"}, ["--format", "ngnx"]),
    ({"columns": {"sbmitted": "x"}}, ["--column", "sbmitted=x"]),
    ({"service": "1s +"}, ["--service", "1s +"]),
], ids=str)
def test_errors_are_those_of_the_command(log, ours, theirs):
    with pytest.raises(artel.Error) as caught:
        artel.load(log, **ours)
    told = told_by_command("import", log, *theirs)
    assert str(caught.value) in told or "--" + str(caught.value) in told


def test_what_goes_with_a_log_only(log, tmp_path, command):
    trace = tmp_path / "a.trace"
    command("import", log, "-o", trace)
    for ours, theirs in (({"class_by": "path"}, ["--class-by", "path"]), ({"where": {"a": "b"}}, ["--where", "a=b"])):
        with pytest.raises(artel.Error) as caught:
            artel.load(trace, **ours)
        assert str(caught.value) in told_by_command("import", trace, *theirs)


def test_progress_is_in_bytes(log, capsys):
    seen = []
    artel.load([log, log], progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2 * log.stat().st_size, 2 * log.stat().st_size)
    artel.load(log, progress=True)
    assert capsys.readouterr().err.endswith(f"of {log.stat().st_size}\n")


class Pipe:
    """A FIFO that gives these bytes for ever; without any it stays open and gives none."""

    def __init__(self, path, text):
        os.mkfifo(path)
        self.path, self.bytes, self.over = path, text.encode(), threading.Event()
        self.end = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.thread = threading.Thread(target=self.feed)

    def __enter__(self):
        self.thread.start()
        return self.path

    def feed(self):
        while not self.over.is_set():
            try:
                os.write(self.end, self.bytes)
            except BlockingIOError:
                pass
            if not self.bytes:
                self.over.wait(0.01)

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        os.close(self.end)


@pytest.fixture
def nothing_is_left(monkeypatch, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    look = lambda: (threading.active_count(), len(os.listdir("/proc/self/task")), sorted(os.listdir("/proc/self/fd")))
    before, started = look(), time.monotonic()
    yield
    while look() != before and time.monotonic() < started + 60:  # a thread that was joined takes a moment to be gone
        time.sleep(0.01)
    assert look() == before and not list(folder.iterdir())


def interrupted(ask):
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask()
    timer.join()


@pytest.mark.parametrize("text", [lines(100), ""], ids=["endless", "silent"])
@pytest.mark.parametrize("ask", [artel.load, artel.calibrate, artel.replay, lambda log: artel.plan(log, slo="p99<1s")],
                         ids=["load", "calibrate", "replay", "plan"])
def test_ctrl_c_ends_the_reading_of_a_pipe(text, ask, tmp_path, nothing_is_left):
    with Pipe(tmp_path / "pipe", text) as pipe:
        interrupted(lambda: ask(pipe))


def test_ctrl_c_ends_it_while_a_file_is_read(tmp_path, nothing_is_left):
    path = tmp_path / "long.log"
    path.write_text(lines(2400))
    for _ in range(7):
        with path.open("ab") as file:  # 44 MB
            file.write(path.read_bytes())
    with pytest.raises(KeyboardInterrupt):
        artel.load(path, progress=lambda done, total: signal.raise_signal(signal.SIGINT) if done < total else None)


def test_exception_of_progress_ends_it(log, nothing_is_left):
    def progress(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        artel.load(log, progress=progress)


def test_other_threads_run_meanwhile(tmp_path):
    ran = threading.Event()
    with Pipe(tmp_path / "pipe", "") as pipe:
        threading.Timer(0.05, ran.set).start()
        interrupted(lambda: artel.load(pipe))
    assert ran.is_set()


def test_the_command_ends_at_ctrl_c_and_leaves_nothing(tmp_path):
    artel_command = os.environ.get("ARTEL_COMMAND") or pytest.skip("ARTEL_COMMAND does not name the command artel")
    folder = tmp_path / "temporary"
    folder.mkdir()
    with Pipe(tmp_path / "pipe", lines(100)) as pipe:
        for arguments in (["import", pipe], ["import", pipe, "-o", folder / "a.trace"], ["plan", pipe, "--slo", "p99<1s"]):
            child = subprocess.Popen([artel_command, *map(str, arguments)], env={**os.environ, "TMPDIR": str(folder)},
                                     stdout=subprocess.DEVNULL)
            while not any("(deleted)" in os.readlink(each) for each in pathlib.Path(f"/proc/{child.pid}/fd").iterdir()):
                time.sleep(0.01)  # it copies
            child.send_signal(signal.SIGINT)
            assert child.wait(30) in (-signal.SIGINT, 130)
            assert not list(folder.iterdir())


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", ["a.log", "a\0b"]], ids=str)
def test_a_path_has_no_zero_byte(path):
    with pytest.raises(ValueError, match="zero byte"):
        artel.load(path)


@pytest.mark.parametrize("arguments", [{"path": 7}, {"path": None}, {"path": [7]}, {"class_by": 7}, {"where": "a=b"},
                                       {"where": {"a": None}}, {"columns": ["a"]}, {"progress": 7}], ids=str)
def test_wrong_types(arguments, log):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        artel.load(**{"path": log, **arguments})


def test_bytes_and_paths_name_files(log):
    assert len(artel.load(os.fsencode(log))) == len(artel.load(str(log))) == 400
    assert artel.load(os.fsencode(log)).path == str(log)
