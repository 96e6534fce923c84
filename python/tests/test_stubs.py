"""The stubs say what the modules have, and the package what its stubs promise."""

import inspect
import math
import os
import pathlib
import shutil
import subprocess

import pytest

import artel
from artel import sim


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What mypy's tool finds in a folder; the package is the one that the tests run on."""
    package = str(pathlib.Path(artel.__file__).parent.parent)
    environment = {**os.environ, "MYPYPATH": package, "PYTHONPATH": package, "MYPY_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}

    def run(tool, *arguments, folder):
        path = shutil.which(tool) or pytest.skip(f"{tool} is not installed (Debian: mypy)")
        done = subprocess.run([path, *arguments], cwd=folder, text=True, capture_output=True, env=environment)
        return done.returncode, done.stdout + done.stderr

    return run


# pybind11's classes have a metaclass of its own, and an __init__ that refuses where there is no other.
PYBIND11 = r"""artel\._artel\.(?!Loads|Draw)[A-Z]\w+
artel\._artel\.(Experiment|ModelExperiment|PlanResult|Replay|WhatIf)\.__init__
"""


@pytest.mark.parametrize("module, allowed", [("artel._artel", PYBIND11), ("artel._sim", "")], ids=["_artel", "_sim"])
def test_stub_and_module_agree(module, allowed, run, tmp_path):
    (tmp_path / "allowed").write_text(allowed)
    status, found = run("stubtest", "--allowlist", "allowed", module, folder=tmp_path)
    assert status == 0, found


def test_package_goes_with_its_stubs(run, tmp_path):
    status, found = run("mypy", "-p", "artel", folder=tmp_path)
    assert status == 0, found


MODEL = """
from typing import Generator
import artel
from artel import sim

def customer(env: sim.Environment, counter: sim.PriorityResource) -> Generator[sim.Event, object, None]:
    with counter.request(priority=1) as place:
        yield place | env.timeout(3)
        yield env.timeout(1.5)

env = sim.Environment()
process: sim.Process = env.process(customer(env, sim.PriorityResource(env, 2)))
env.run(until=process)
trace: artel.Trace = artel.load(["a.log", "b.log"], where={"status": [200]}, class_by="path", progress=True)
"""


def test_a_typed_model_passes(run, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    status, found = run("mypy", "--strict", "model.py", folder=tmp_path)
    assert status == 0, found
    (tmp_path / "model.py").write_text("from artel import sim\nsim.Environment().timeout('soon')\n")
    status, found = run("mypy", "model.py", folder=tmp_path)
    assert status == 1 and "incompatible type" in found


def test_everything_public_is_documented():
    for module in (artel, sim):
        for name in module.__all__:
            assert getattr(module, name).__doc__, name


def test_signatures_can_be_read():
    for module in (artel, sim):
        for each in (getattr(module, name) for name in module.__all__):
            if callable(each) and getattr(each, "__text_signature__", "") is not None:
                inspect.signature(each)
    assert inspect.signature(sim.Container).parameters["capacity"].default == math.inf
