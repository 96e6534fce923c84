"""artel: spread tasks over workers. Simulate a fleet, plan the smallest one, replay a log, and models of your own.

    import artel
    result = artel.simulate("scenarios/mm8.toml", seed=1)
    print(result)                       # or result.table, a pandas.DataFrame
    result.report("mm8.html")

See docs/python.md; artel.sim has processes in virtual time.
"""

from ._api import calibrate, load, plan, replay, simulate
from ._artel import scenario_schema, version as __version__
from ._errors import Error, Mistake
from ._experiment import ModelError, ModelResult, experiment
from ._results import Calibration, Histogram, Plan, Replay, Result, Trace, WhatIf
from ._table import Table
from ._verify import verify

__all__ = [
    "Calibration", "Error", "Histogram", "Mistake", "ModelError", "ModelResult", "Plan", "Replay", "Result", "Table", "Trace", "WhatIf",
    "calibrate", "experiment", "load", "plan", "replay", "scenario_schema", "simulate", "verify",
]
