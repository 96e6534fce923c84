#!/usr/bin/env bash
# artel import, and the commands that take a log instead of a trace.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/access.log

# 2000 requests of 50 ms, one every 25 ms, to two workers: end in ms, nothing waits.
for i in $(seq 2000); do
  end=$((1790000000000 + i * 25 + 50))
  echo "203.0.113.9 - ada [$end] 200 0.05$((i % 10))"
done | sed -E 's/\[([0-9]+)([0-9]{3})\]/[\1.\2]/' > "$log"
format='$remote_addr - $remote_user [$msec] $status $request_time'

expect 2 '' 'this log is in no format that is known' plan "$log" --slo 'p99<300ms'
expect 0 '2000 tasks in' 'log of the given format, 2 000 tasks, 3 fields used' import "$log" --log-format "$format"
expect 0 'needs 3 workers' 'no sign that tasks waited' plan "$log" --log-format "$format" --slo 'p99<60ms'
expect 0 'mean response' 'response is service' replay "$log" --log-format "$format" --workers 3 --replications 2
expect 0 'Back-test: fitted to the first 1000 tasks' '2 000 tasks' plan "$log" --log-format "$format" --slo 'p99<60ms' --workers now=3
expect 0 '"fitted_tasks": 1000' '2 000 tasks' plan "$log" --log-format "$format" --slo 'p99<60ms' --workers now=3 --json
expect 0 '4 × random, 80' 'inferred' replay "$log" --log-format "$format" --what-if workers=4,rate=x2,policy=random
expect 0 '"schema": "artel.what-if/1"' 'nothing about the model' replay "$log" --log-format "$format" --what-if workers=4 --json
expect 2 '' "--what-if: found 'worker=4', allowed: workers=4" replay "$log" --log-format "$format" --what-if worker=4
expect 2 '' "--workers: found 'now=x', allowed: 1 to 100000" plan "$log" --log-format "$format" --slo 'p99<60ms' --workers now=x
expect 2 '' '--log-format: nothing in it says when' import "$log" --log-format '$status'
expect 2 '' "did you mean 'nginx'?" import "$log" --format ngnix
expect 2 '' '--service: ' import "$log" --service '1+'
expect 2 '' "goes with a trace, not with a scenario" plan scenarios/mm8.toml --format nginx

# Policies that balancers have stand beside one queue, so that there is something to paste.
expect 0 'least_loaded' 'inferred' plan "$log" --log-format "$format" --slo 'p99<60ms' --settings nginx,envoy,ray-serve
same 'something to paste' 0 "$("$artel" plan "$log" --log-format "$format" --slo 'p99<60ms' --settings nginx,envoy,ray-serve 2> /dev/null | grep -c 'Nothing to set' || true)"
expect 0 'needs 3 workers with central.' 'inferred' plan "$log" --log-format "$format" --slo 'p99<60ms' --policy central

# Lines that are asked for; a pipe.
expect 0 '2000 tasks in' '2 000 tasks' import "$log" --log-format "$format" --where '$status=200|404' --where '$remote_user=ada'
expect 2 '' "--where: unknown field '\$stats' (did you mean '\$status'?)" import "$log" --log-format "$format" --where '$stats=200'
expect 2 '' "--where: found 'x'; expected FIELD=VALUE" import "$log" --where x
expect 0 '2000 tasks in' '2 000 tasks' import <(cat "$log") --log-format "$format"
expect 0 '2000 tasks in' '2 000 tasks' import - --log-format "$format" < "$log"
cat "$log" | expect 0 'needs 3 workers' '2 000 tasks' plan - --log-format "$format" --slo 'p99<60ms'

# Classes: names are kept where somebody asks for them, and nowhere else.
awk '{ split("GET /cart?u=ada|GET /item/17|POST /pay", asked, "|"); print $4, "\"" asked[NR % 3 + 1] " HTTP/1.1\"", $5, $6 }' "$log" > "$folder/paths.log"
asked=("$folder/paths.log" --log-format '[$msec] "$request" $status $request_time')
expect 0 '/item/*    667  33.4%' 'the values of path are kept, as names of 3 classes' import "${asked[@]}" --class-by path
expect 0 '"class": "/pay"' 'of 3 classes' import "${asked[@]}" --class-by path --json
expect 0 'GET     1333  66.7%' 'of 2 classes' import "${asked[@]}" --class-by method
expect 0 '/cart' 'of 3 classes' plan "${asked[@]}" --class-by path --slo 'p99<60ms' --workers 3
expect 0 '/cart      666' 'of 3 classes' replay "${asked[@]}" --class-by path --workers 3 --replications 0
expect 0 '"class": "/cart"' 'of 3 classes' replay "${asked[@]}" --class-by path --workers 3 --replications 0 --json
expect 2 '' "--class-by: unknown field 'pth' (did you mean 'path'?)" import "${asked[@]}" --class-by pth
expect 2 '' "--class-by: goes with a trace, not with a scenario" plan scenarios/mm8.toml --class-by path
expect 2 '' '--class-by: a forecast does not tell classes apart' watch "${asked[@]}" --class-by path --slo 'p99<60ms' --no-follow
expect 0 '' 'path' import "${asked[@]}" --class-by path -o "$folder/paths.trace"
expect 0 '/item/*' '' trace summary "$folder/paths.trace"
expect 0 'service    mean 54.5 ms' 'response is service' calibrate "$folder/paths.trace" -o "$folder/paths.toml" --arrivals fitted
expect 0 '/item/*' '' simulate "$folder/paths.toml"
expect 0 '' '2 000 tasks' import "${asked[@]}" -o "$folder/plain.trace"
if grep -aqE 'ada|item|cart' "$folder/plain.trace"; then echo 'a trace holds names that nobody asked for'; failures=$((failures + 1)); fi
if grep -aqE 'ada|17' "$folder/paths.trace"; then echo 'a trace holds more than the names of classes'; failures=$((failures + 1)); fi

# A log that was rotated.
head -n 1200 "$log" > "$folder/access.log.1"
tail -n 800 "$log" | gzip > "$folder/access.log.2.gz"
rotated=("$folder/access.log.1" "$folder/access.log.2.gz" --log-format "$format")
expect 0 '2000 tasks in' 'in 2 files, 2 000 tasks' import "${rotated[@]}"
planned() { "$artel" plan "$@" --slo 'p99<60ms' --policy central 2> /dev/null | grep -v ' tasks per second, '; }
same 'rotated' "$(planned "$log" --log-format "$format")" "$(planned "${rotated[@]}")"
expect 2 '' 'several files are read together if all of them are logs' plan "$log" tests/fuzz/corpus/task_trace/pool --log-format "$format" --slo 'p99<60ms'
printf 'submitted,started,finished\n3,3,4\n' > "$folder/b.csv" && printf 'submitted,started,finished\n0,1,2\n' > "$folder/a.csv"
expect 2 '' 'one with --format columns' import "$folder/b.csv" "$folder/a.csv"
expect 0 '2 tasks in 4.00 s' 'CSV in 2 files, 2 tasks' import "$folder/b.csv" "$folder/a.csv" --format columns

# Packed, into a trace, and that is all that a trace holds.
gzip -k "$log"
expect 0 '' '2 000 tasks' import "$log.gz" --log-format "$format" -o "$folder/a.trace"
expect 0 '2000 tasks in' '' trace summary "$folder/a.trace"
if grep -aqE 'ada|203\.0\.113' "$folder/a.trace"; then echo 'a trace holds names'; failures=$((failures + 1)); fi
head -c 2000 "$log.gz" > "$folder/cut.gz"
expect 2 'tasks in' 'the packed file is cut off here' import "$folder/cut.gz" --log-format "$format"

# Lines that cannot be read.
echo nonsense >> "$log"
expect 0 '2000 tasks' "1 line could not be read; the first: $log:2001:" import "$log" --log-format "$format"
expect 2 '' "$log:2001:" import "$log" --log-format "$format" --strict

# Spans: who calls whom, as a scenario. A front end of 20 ms in all asks a search for 5 ms, and a mailer that is called sometimes.
node -e '
const span = (service, trace, id, parent, kind, begin, end) => ({ resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
  scopeSpans: [{ spans: [{ traceId: `t${trace}`, spanId: `${id}`, ...(parent ? { parentSpanId: `${parent}` } : {}), kind, startTimeUnixNano: `${1790000000000000000n + BigInt(begin) * 1000000n}`, endTimeUnixNano: `${1790000000000000000n + BigInt(end) * 1000000n}` }] }] });
for (let i = 0; i < 400; ++i) {
  const spans = [span("front", i, 1, 0, 2, i * 50, i * 50 + 20), span("search", i, 2, 1, 2, i * 50 + 5, i * 50 + 10)];
  if (i % 4 === 0) spans.push(span("mailer", i, 3, 1, 2, i * 50 + 12, i * 50 + 19));
  console.log(JSON.stringify({ resourceSpans: spans }));
}' > "$folder/spans.json"
expect 0 'search   front                1       100.0%   5.00 ms' '' import "$folder/spans.json" --stages "$folder/shop.toml"
expect 0 'mailer   front             0.25        25.0%   7.00 ms' '' import "$folder/spans.json" --stages "$folder/shop.toml"
expect 0 '"schema": "artel.calls/1"' '' import "$folder/spans.json" --stages "$folder/shop.toml" --json
expect 0 'mailer' '' simulate "$folder/shop.toml" --set run.tasks=400
expect 0 'needs 1 worker with central' '' plan "$folder/shop.toml" --slo 'p99<40ms'
expect 0 "search    400" "kept, as names of 3 classes" import "$folder/spans.json" --class-by service.name
echo "{}" > "$folder/app.json"
expect 2 "" "no request comes from outside" import "$folder/app.json" --stages "$folder/x.toml"
expect 2 '' '--stages, --column: goes with a file of OTLP spans' import "$folder/spans.json" --column a=b --stages "$folder/x.toml"

# The file that most people have, without request times: it says what to do.
echo '203.0.113.7 - - [10/Oct/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "curl/7.88"' > "$folder/combined.log"
expect 2 '' 'add $request_time (nginx' plan "$folder/combined.log" --slo 'p99<300ms'
finish
