#!/usr/bin/env python3
"""compare.py ARTEL [--seed N] [--runs N] [--only TEXT]: scenarios at random, simulated by `artel simulate` and by the model beside this file.
compare.py ARTEL --again FILE.toml: one of them again.

The model is written from the pages of docs/, without artel. Prints how many scenarios of each combination of features agree; of the
others both figures, the files, and how to run them again. Exit status 1 if there are such.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import scenario_file
from scenarios import COMBINATIONS, Draw
from simulation import Simulation

TOLERANCE = 2e-6      # artel's time is in whole nanoseconds


def figures_of_artel(artel, file):
    """By the model's names for them; None if it refuses the scenario, which is said."""
    ran = subprocess.run([artel, "simulate", str(file), "--json"], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        print(f"  artel ends with {ran.returncode}: {ran.stderr.strip() or ran.stdout.strip()}")
        return None
    found = json.loads(ran.stdout)["points"][0]["policies"][0]
    figures = {"response.mean": value(found["response"]["mean"]), "response.max": value(found["response"]["max"]),
               "wait.mean": value(found["wait"]["mean"])}
    figures |= {name: value(found[name]) for name in
                ("rejected", "abandoned", "failed", "attempts", "utilisation", "in_system", "workers", "hit_ratio") if name in found}
    for one in found.get("classes", []):
        name = one["class"]
        figures |= {f"{name} tasks": one["tasks"], f"{name} response.mean": value(one["response"]["mean"])}
        figures |= {f"{name} {outcome}": value(one[outcome]) for outcome in ("rejected", "abandoned") if outcome in one}
    return figures


def value(figure):
    return figure["value"]


def differences(artel, model):
    """A line each."""
    found = []
    for name, figure in artel.items():
        expected = model.get(name)
        if not figure and not expected:       # nothing was measured, of a class without tasks, say
            continue
        if name == "wait.mean" and artel["response.mean"] is None:
            continue                          # artel has no means where nobody was answered, though some went away after a wait
        if figure is None or expected is None or abs(figure - expected) > TOLERANCE * max(1e-3, abs(expected)):
            found.append(f"  {name}: artel {figure}, the model {expected}")
    return found


def agrees(artel, file):
    """Prints what differs."""
    figures = figures_of_artel(artel, file)
    if figures is None:
        return False
    simulation = Simulation(*scenario_file.read(file))
    simulation.run()
    found = differences(figures, simulation.figures())
    for line in found:
        print(line)
    return not found


def compare_all(arguments, folder):
    """How many scenarios differ."""
    differ = 0
    for name, features in COMBINATIONS.items():
        if arguments.only not in name:
            continue
        same = 0
        for seed in range(arguments.seed, arguments.seed + arguments.runs):
            file = folder / f"{name.replace(',', '').replace(' ', '-')}-{seed}.toml"
            draw = Draw(f"{name} {seed}", features)
            scenario_file.write(file, draw.scenario(), draw.rows)
            if agrees(arguments.artel, file):
                same += 1
                file.unlink()
                file.with_suffix(".csv").unlink()
            else:
                print(f"  seed {seed} of \"{name}\"; again: {sys.argv[0]} {arguments.artel} --again {file}")
        print(f"{name}: {same} of {arguments.runs} agree", flush=True)
        differ += arguments.runs - same
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("artel", help="the command")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    parser.add_argument("--runs", type=int, default=1, help="scenarios of each combination (1)")
    parser.add_argument("--only", default="", help="combinations whose names have this in them")
    parser.add_argument("--again", help="a scenario that differed", metavar="FILE.toml")
    arguments = parser.parse_args()
    if not any(arguments.only in name for name in COMBINATIONS):
        sys.exit(f"--only {arguments.only}: no combination; there are:\n" + "\n".join(COMBINATIONS))
    if arguments.again:
        sys.exit(0 if agrees(arguments.artel, pathlib.Path(arguments.again)) else 1)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="artel_second_model_"))
    differ = compare_all(arguments, folder)
    if differ:
        sys.exit(f"{differ} differ; they are in {folder}")
    folder.rmdir()


main()
