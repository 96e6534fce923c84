"""The models of SimPy's documentation, written anew: artel's traces are SimPy's, line by line."""

import random

import pytest

from artel import sim
from models.bank_renege import bank
from models.car_wash import car_wash
from models.communication import communication
from models.gas_station import gas_station
from models.latency import latency
from models.machine_shop import machine_shop
from models.movie_renege import movie_renege

MODELS = [bank, car_wash, communication, gas_station, latency, machine_shop, movie_renege]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("seed", [1, 42, 1234])
def test_trace_is_that_of_simpy(model, seed):
    simpy = pytest.importorskip("simpy")
    assert model(sim, random.Random(seed)) == model(simpy, random.Random(seed))


def test_many_customers_renege_as_in_simpy():
    simpy = pytest.importorskip("simpy")
    many = dict(customers=500, between=5.0, work=4.0)
    ours = bank(sim, random.Random(7), **many)
    assert ours == bank(simpy, random.Random(7), **many)
    assert sum("gave up" in line for line in ours) > 50


# What the models gave when they were written, for machines without SimPy.
def test_bank_trace():
    lines = bank(sim, random.Random(42))
    assert lines[0] == " 0.0000 customer 0: here I am"
    assert len(lines) == 5 + 5 + sum("waited" in line for line in lines)


def test_latency_trace():
    lines = latency(sim, random.Random(1))
    assert lines[:2] == ["received at 15: sent at 5", "received at 20: sent at 10"]
    assert lines[-1] == "received at 95: sent at 85"
