#!/usr/bin/env bash
# schemas/: every JSON that a command prints validates by the schema that it names, and changed ones do not. The other command tests
# validate what they see, too (expect.sh); cluster outputs are theirs alone.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valid '{"schema": "artel.cluster.dead/1", "dead_letters": []}' 'a first one'
[ "$json_python" != none ] || { echo "skipped: Python's jsonschema is not installed"; exit 77; }

awk 'BEGIN { print "submitted,response"; for (i = 0; i < 600; ++i) printf "%.3f,%.3f\n", 1790000000 + i * 0.1, 0.2 + i % 7 * 0.03 }' > "$folder/log.csv"
cat > "$folder/metrics" <<'END'
# TYPE artel_pool_workers gauge
artel_pool_workers{pool="films"} 8
END
log=$folder/log.csv
awk 'BEGIN { print "submitted,started,finished,kind"; for (i = 0; i < 600; ++i) printf "%.1f,%.1f,%.2f,%s\n", i / 10, i / 10, i / 10 + 0.2 + i % 7 * 0.03, i % 3 ? "b" : "a" }' > "$folder/classes.csv"
awk 'function span(service, id, parent, begin, end) { return sprintf("{\"resource\": {\"attributes\": [{\"key\": \"service.name\", \"value\": {\"stringValue\": \"%s\"}}]}, \"scopeSpans\": [{\"spans\": [{\"traceId\": \"t%d\", \"spanId\": \"%s\", \"parentSpanId\": \"%s\", \"kind\": 2, \"startTimeUnixNano\": \"1790000%06d000000\", \"endTimeUnixNano\": \"1790000%06d000000\"}]}]}", service, i, id, parent, begin, end) }
BEGIN { for (i = 0; i < 100; ++i) { t = i * 50; print "{\"resourceSpans\": [" span("front", 1, "", t, t + 20) ", " span("search", 2, 1, t + 5, t + 10) "]}" } }' > "$folder/spans"
of_log=("$log" --format columns --column submitted=submitted --column response=response)
small=(--set run.tasks=500 --set run.replications=3)
output() { "$artel" "${@:2}" > "$folder/$1.json" 2>"$folder/err" || same "artel ${*:2}" '' "$(cat "$folder/err")"; }
output simulate simulate scenarios/mm8.toml "${small[@]}" --json
output sweep simulate scenarios/mm8.toml "${small[@]}" --sweep 'pool.workers=7,8' --json
output nothing simulate scenarios/mm8.toml "${small[@]}" --set 'run.warm_up="1e9s"' --json
output stages simulate scenarios/two-tier.toml "${small[@]}" --json
output callers simulate scenarios/retry-storm.toml "${small[@]}" --json
output fleet simulate scenarios/web-fleet.toml "${small[@]}" --json
output caches simulate scenarios/prefix-cache.toml "${small[@]}" --json
output plan plan scenarios/mm8.toml --slo 'mean_wait<150ms' --policy central "${small[@]}" --price 0.12/h --settings celery,nginx --json
output plan_log plan "${of_log[@]}" --workers 4 --slo 'p99<2s' --json
output replay replay "${of_log[@]}" --workers 4 --replications 3 --json
output what_if replay "${of_log[@]}" --workers 4 --what-if workers=5 --json
output calibrate calibrate "${of_log[@]}" --workers 4 --json
output import import "${of_log[@]}" --json
output classes import "$folder/classes.csv" --class-by kind --json
output replay_classes replay "$folder/classes.csv" --class-by kind --workers 4 --replications 3 --json
output plan_classes plan "$folder/classes.csv" --class-by kind --workers 4 --slo 'p99<2s' --json
output calls import "$folder/spans" --stages "$folder/stages.toml" --json
mkdir "$folder/matches" && cp scenarios/mm8.toml "$folder/matches"
output arena arena central random --scenarios "$folder/matches" --set run.tasks=500 --replications 3 --json
output tune tune scenarios/mm8.toml --policy 'jsq(d=2..3)' --set run.tasks=500 --replications 3 --json
output watch watch "$log" --slo 'p99<2s' --workers 4 --no-follow --every 10s --horizon 20s --json
output top top "$folder/metrics" --json

"$json_python" -B - "$(dirname "$0")" "$folder" <<'END' || failures=1
import copy, glob, os, sys
sys.path.insert(0, sys.argv[1])
from valid_json import SCHEMAS, documents, validator_of
failed, seen = 0, set()

def objects(value, path=()):
    """Paths of all objects within, this one first."""
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            yield from objects(inner, path + (key,))
    elif isinstance(value, list) and value:
        yield from objects(value[0], path + (0,))

def at(value, path):
    for step in path:
        value = value[step]
    return value

free = {'values', 'settings', 'parameters', 'fitted', 'resume', 'figures'}  # whose keys are data
for name in sorted(glob.glob(f'{sys.argv[2]}/*.json')):
    for document in documents(open(name).read()):
        validator = validator_of(document['schema'])
        seen.add(document['schema'])
        for error in validator.iter_errors(document):
            failed = 1
            print(f'{name}: {error.json_path}: {error.message[:200]}')
        for path in objects(document):
            if path and path[-1] in free:
                continue
            broken = copy.deepcopy(document)
            at(broken, path)['unheard_of'] = 1
            changes = [broken]
            for key in at(document, path):
                if key in free or at(document, path)[key] == {}:
                    continue
                broken = copy.deepcopy(document)
                at(broken, path)[key] = [['of no such type']]
                changes.append(broken)
            for broken in changes:
                if validator.is_valid(broken):
                    failed = 1
                    print(f'{name}: validates with a change in {path}: {str(at(broken, path))[:200]}')
        for key in document:
            broken = {other: value for other, value in document.items() if other != key}
            if key not in ('backtest', 'classes', 'fleet', 'settings', 'scaled') and validator.is_valid(broken):
                failed = 1
                print(f'{name}: validates without {key}')
others = {'artel.model/1', 'artel.cluster.dead/1', 'artel.cluster.status/1'}  # tested where they are made
for file in os.listdir(SCHEMAS):
    schema = file.removesuffix('.json').replace('.1', '/1')
    validator_of(schema)
    if schema not in seen | others:
        failed = 1
        print(f'no output was seen of {schema}')
sys.exit(failed)
END
finish
