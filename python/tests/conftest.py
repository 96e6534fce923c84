import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))


@pytest.fixture(autouse=True)
def in_source_tree(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def env():
    from artel import sim
    return sim.Environment()


@pytest.fixture(scope="session")
def root():
    """The source tree."""
    return ROOT


@pytest.fixture(scope="session")
def command():
    """The command artel, to compare with: what it prints for these arguments."""
    path = os.environ.get("ARTEL_COMMAND")
    if not path:
        pytest.skip("ARTEL_COMMAND does not name the command artel")

    def run(*arguments, status=0):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == status, done.stderr
        return done.stdout

    return run
