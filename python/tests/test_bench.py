"""The benchmarks run, in a small size; how fast is for ./dev python --bench."""

import subprocess
import sys

import pytest


def run(root, name, *arguments):
    done = subprocess.run([sys.executable, str(root / "python/bench" / name), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_mm1(root):
    pytest.importorskip("simpy")
    lines = run(root, "mm1.py", 200, 1).splitlines()
    assert lines[0].startswith("200 customers, 1 runs") and len(lines) == 7
    means = {line.split()[0]: line.split()[-1] for line in lines[1:]}
    assert means["simpy_drawn"] == means["artel_drawn"] and means["simpy_random"] == means["artel_random"]


def test_policies(root):
    lines = run(root, "policies.py", 2000, 1).splitlines()
    assert lines[0].startswith("2000 decisions, 16 workers") and len(lines) >= 5
    assert all(float(line.split()[-1]) > 0 for line in lines[1:])
