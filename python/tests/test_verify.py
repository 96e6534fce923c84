"""Known answers through Python: those of the command to the last bit, and those of theory within their intervals."""

import json

import pytest

import artel
from artel._toml import document
from artel._verify import golden_rows, scenario_of, verify

ROWS = golden_rows()


def small(row):
    scenario = scenario_of(row)
    scenario["run"].update(tasks=2000, replications=2)
    return scenario


def test_rows_are_those_of_the_source_tree(root):
    assert golden_rows(root / "tests/verify/golden.csv") == ROWS and len(ROWS) == 64


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['model']}-{row['load_per_worker']}-{row['statistic']}")
def test_golden_rows_equal_those_of_the_command_to_the_last_bit(row, command, tmp_path):
    path = tmp_path / "row.toml"
    path.write_text(document(small(row)))
    ours = artel.simulate(small(row)).json
    assert ours == command("simulate", path, "--json")
    assert json.loads(ours)["complete"]


def test_quick_rows_are_as_theory_says():
    table = verify([row for row in ROWS if row["load_per_worker"] == 0.5 and row["model"] in ("M/M/1", "M/D/1", "random split")])
    assert len(table) == 4 and all(table["holds"] if hasattr(table, "to_dict") else table.column("holds"))


def test_what_does_not_hold_is_told():
    wrong = [{**ROWS[0], "expected": 2.5}]
    table = verify(wrong)
    assert not (table["holds"][0] if hasattr(table, "to_dict") else table[0]["holds"])
    with pytest.raises(ValueError, match="no such system"):
        verify([{**ROWS[0], "system": "none"}])
