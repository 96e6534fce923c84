"""Python's values as TOML."""

import datetime
import random

import pytest

import artel
from artel._toml import value


@pytest.mark.parametrize("time, text", [
    (datetime.timedelta(seconds=1.234567), '"1234567us"'), (datetime.timedelta(microseconds=1), '"1us"'),
    (datetime.timedelta(seconds=2), '"2s"'), (datetime.timedelta(milliseconds=2500), '"2500000us"'), (datetime.timedelta(0), '"0s"'),
    (datetime.timedelta(days=40, microseconds=1), '"3456000000001us"'), (datetime.timedelta(seconds=-1.5), '"-1500000us"'),
    (datetime.timedelta(seconds=-2), '"-2s"')], ids=str)
def test_durations_are_whole_numbers(time, text):
    assert value(time) == text


def test_durations_lose_nothing():
    dice = random.Random(1)
    for _ in range(1000):
        microseconds = dice.randrange(10 ** dice.randrange(1, 15))
        text = value(datetime.timedelta(microseconds=microseconds)).strip('"')
        whole, unit = (text[:-2], 1) if text.endswith("us") else (text[:-1], 10**6)
        assert int(whole) * unit == microseconds


def test_durations_come_to_the_simulator_as_they_are():
    scenario = {"workload": {"arrivals": {"kind": "constant", "rate": 0.5},
                             "service": {"distribution": "constant", "value": datetime.timedelta(seconds=1.234567)}},
                "pool": {"workers": 1}, "dispatch": {"policies": ["central"]}, "run": {"tasks": 10, "replications": 1, "warm_up": "0%"}}
    found = artel.simulate(scenario).data["points"][0]["policies"][0]["response"]
    assert found["mean"]["value"] == pytest.approx(1.234567, abs=1e-9)
