"""A scenario and its trace as files that artel reads, and as what the model reads of them."""

import csv
import math
import pathlib
import tomllib

from tasks import Request


def toml_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_of(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    return f"{value:.9f}".rstrip("0") + "0" if isinstance(value, float) else str(value)


def write(file, scenario, rows):
    """Writes `file`, and its trace beside it."""
    trace = file.with_suffix(".csv")
    scenario["workload"]["trace"]["file"] = trace.name
    lines = []
    for name, table in scenario.items():
        for one in table if isinstance(table, list) else [table]:
            lines.append(f"[[{name}]]" if isinstance(table, list) else f"[{name}]")
            lines += [f"{key} = {toml_of(value)}" for key, value in one.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with trace.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([f"{cell:.9f}" if isinstance(cell, float) else cell for cell in row.values()] for row in rows)


def read(file):
    """The scenario, and the requests of its trace. Times of both are plain seconds."""
    file = pathlib.Path(file)
    scenario = tomllib.loads(file.read_text(encoding="utf-8"))
    workload = scenario["workload"]
    trace = workload["trace"]
    classes = {entry["name"]: entry for entry in workload.get("classes", [])}
    saved = scenario["pool"].get("cache", {}).get("saves", {}).get("expression", "")
    requests = []
    with (file.parent / trace["file"]).open(newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            name = row.get(trace.get("class", ""), "")
            of_class = classes.get(name, {})
            requests.append(Request(
                at=float(row[trace["time"]]), size=float(row["size"]), of_class=name, priority=of_class.get("priority", 0),
                patience=float(row.get(trace.get("patience", "")) or math.inf),
                deadline=of_class.get("deadline", workload.get("deadline", math.inf)),
                prefix=tuple(map(int, row.get(trace.get("prefix", ""), "").split())), saves=float(row.get(saved) or 0.0)))
    return scenario, requests
