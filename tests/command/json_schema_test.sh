#!/usr/bin/env bash
# artel simulate --json-schema: every scenario of this tree validates by it, and broken ones do not. Needs Python's jsonschema and tomllib;
# where they are not, scenario_json_schema_test.cpp still checks the schema's structure.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
python=
for each in python3 /usr/bin/python3; do
  "$each" -c 'import jsonschema.validators, tomllib; jsonschema.validators.Draft202012Validator' 2> /dev/null && python=$each && break
done
expect 0 '"$id": "urn:artel:schema:scenario:1"' '' simulate --json-schema
[ -n "$python" ] || { finish; echo "skipped: Python's jsonschema and tomllib are not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$artel" simulate --json-schema > "$folder/schema.json"

# One change to a scenario that validates, a line each; the command refuses every one of them, too.
cat > "$folder/good.toml" <<'END'
#:schema ./schema.json
[workload]
arrivals = { kind = "poisson", rate = 6 }
service = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 8
queue_bound = 4
common_bound = inf
[dispatch]
policies = ["random", { name = "jsq", d = 3 }]
[run]
tasks = 1000
END
cat > "$folder/breaks" <<'END'
s/^workers = 8/wrokers = 8/
s/^workers = 8/workers = 0/
s/^workers = 8/workers = 1.5/
s/^workers = 8/workers = "8"/
s/kind = "poisson"/kind = "poison"/
s/kind = "poisson", rate = 6/kind = "closed", users = 3/
s/rate = 6/rate = 6, users = 3/
s/rate = 6/rate = 0/
s/mean = "1 s"/mean = "1 second"/
s/, mean = "1 s"//
s/mean = "1 s"/mean = 1, scv = 2/
s/distribution = "exponential", mean = "1 s"/mean = "1 s"/
s/queue_bound = 4/queue_bound = "many"/
s/queue_bound = 4/when_full = "wait"/
s/"random"/"randon"/
s/d = 3/busines = "work"/
s/d = 3/bound = 3/
s/^\[pool\]/[poool]/
s/^tasks = 1000/warm_up = true/
END
"$python" - "$folder" <<'END' || failures=1
import glob, json, subprocess, sys, tomllib
from jsonschema.validators import Draft202012Validator as Validator
folder = sys.argv[1]
schema = json.load(open(f"{folder}/schema.json"))
Validator.check_schema(schema)
validator = Validator(schema)
failed = 0
files = [f for f in glob.glob("scenarios/**/*.toml", recursive=True) if "/platforms/" not in f]
assert len(files) > 40, files
for name in files + [f"{folder}/good.toml"]:
    for error in validator.iter_errors(tomllib.load(open(name, "rb"))):
        failed = 1
        print(f"{name}: {error.json_path}: {error.message[:200]}")
breaks = open(f"{folder}/breaks").read().splitlines()
for change in breaks:
    text = subprocess.run(["sed", change, f"{folder}/good.toml"], capture_output=True, text=True, check=True).stdout
    if text == open(f"{folder}/good.toml").read() or validator.is_valid(tomllib.loads(text)):
        failed = 1
        print(f"validates: {change}")
sys.exit(failed)
END
expect 0 'random' '' simulate "$folder/good.toml" --set run.replications=2
while read -r change; do
  sed "$change" "$folder/good.toml" > "$folder/broken.toml"
  "$artel" simulate "$folder/broken.toml" > /dev/null 2>&1 && same "the command refuses $change" yes no
done < "$folder/breaks"
finish
