#!/usr/bin/env bash
# artel watch: a log by its own clock, one that grows and is rotated, and a page of metrics.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'for each in ${watching:-} ${server:-}; do kill "$each" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
log=$folder/access.log
format='$remote_addr - $remote_user [$msec] $status $request_time'

# 40 minutes of a request every 0.5 s, of 1 s each: two are busy.
requests() {  # requests FROM COUNT: FROM in ms since 1970
  awk -v from="$1" -v count="$2" 'BEGIN { for (i = 0; i < count; ++i) {
    end = from + i * 500 + 1000
    printf "203.0.113.9 - - [%d.%03d] 200 1.00%d\n", int(end / 1000), end % 1000, i % 10 } }'
}
requests 1790000000000 4800 > "$log"
options=(--log-format "$format" --slo 'p99<1500ms' --horizon 10m)

expect 0 'next 10.0 min: 2/s, at most 2' '3 forecasts are over; the rate was off by 0.' \
  watch "$log" "${options[@]}" --workers 4 --no-follow --every 10m
expect 0 'for p99<1500ms (central); with 4 p99 1.0' 'reports, ' watch "$log" "${options[@]}" --workers 4 --no-follow --every 10m
expect 0 'no answer: too little was seen: ' 'log of the given format' watch "$log" "${options[@]}" --no-follow --every 20s
expect 0 '{"schema": "artel.watch/1", "at": "2026-09-21T' 'reports, ' watch "$log" "${options[@]}" --no-follow --every 10m --json
first=$("$artel" watch "$log" "${options[@]}" --no-follow --every 10m --json 2>/dev/null)
same 'the same question prints the same bytes' "$first" "$("$artel" watch "$log" "${options[@]}" --no-follow --every 10m --json -j 1 2>/dev/null)"

# artel's own columns, and packed.
awk 'BEGIN { print "submitted,started,finished"; for (i = 0; i < 2000; ++i) printf "%d,%d,%d\n", i, i, i + 1 }' > "$folder/own.csv"
gzip "$folder/own.csv"
expect 0 'next 10.0 min: 1/s' 'reports, ' watch "$folder/own.csv.gz" --slo 'p99<2s' --horizon 10m --no-follow --every 10m

# What makes no sense.
expect 2 '' 'expected a log, or --prometheus URL' watch --slo 'p99<1s'
expect 2 '' 'expected a log, or --prometheus URL' watch "$log" --prometheus :1 --slo 'p99<1s'
expect 2 '' '--format: goes with a log' watch --prometheus :1 --slo 'p99<1s' --format nginx
expect 2 '' '--requests-metric, --work-metric: go together, and with --prometheus' watch --prometheus :1 --slo 'p99<1s' --requests-metric a
expect 2 '' '--requests-metric, --work-metric: go together, and with --prometheus' watch "$log" --slo 'p99<1s' --requests-metric a --work-metric b
expect 2 '' '--workers: is required' watch --prometheus :1 --slo 'p99<1s' --requests-metric a --work-metric b
expect 2 '' "--work-metric: found 'b{', allowed: a counter" watch --prometheus :1 --slo 'p99<1s' --workers 4 --requests-metric a --work-metric 'b{'
expect 2 '' '--slo is required' watch "$log"
expect 2 '' '--slo: ' watch "$log" --slo 'p98<1s'
expect 2 '' "--every: found '1', allowed: 100 ms to 7d" watch "$log" --slo 'p99<1s' --every 1
expect 2 '' "--horizon: found '1s', allowed: 6" watch "$log" --slo 'p99<1s' --horizon 1s
expect 2 '' 'this log is in no format that is known' watch "$log" --slo 'p99<1s' --no-follow
expect 2 '' 'a packed file does not grow' watch "$folder/own.csv.gz" --slo 'p99<1s' --column submitted=submitted --column response=finished
expect 2 '' 'does not exist' watch "$folder/none" --slo 'p99<1s'
expect 2 '' 'https is not spoken here' watch --prometheus https://127.0.0.1/ --slo 'p99<1s'

now_ms() { date +%s%3N; }
prints() {  # prints FILE TEXT: within a minute
  for _ in $(seq 600); do grep -qF -- "$2" "$1" && return; sleep 0.1; done
  echo "$1 does not have '$2':"; cat "$1"; failures=$((failures + 1))
}
interrupted() {  # interrupted: ends what watches by Ctrl-C, which is its usual end
  kill -INT "$watching"
  local status=0
  wait "$watching" || status=$?
  same 'exit status after Ctrl-C' 0 "$status"
  contains 'summary' 'with an answer' "$(cat "$folder/err")"
  : > "$folder/out" > "$folder/err"      # or the next one's first look is at what this one said
  watching=
}

# A log that is being written: what it has, what comes, and what comes after a rotation.
requests $(($(now_ms) - 1200000)) 2400 > "$log"
"$artel" watch "$log" "${options[@]}" --workers 4 --every 200ms --json > "$folder/out" 2> "$folder/err" & watching=$!
prints "$folder/out" '"workers_needed": 3'
prints "$folder/out" '"rate_error": '
mv "$log" "$log.1"
requests $(($(now_ms) - 120000)) 2400 > "$log.new"
mv "$log.new" "$log"
tasks() { tail -1 "$folder/out" | sed 's/.*"tasks": \([0-9]*\).*/\1/'; }
for _ in $(seq 600); do [ "$(tasks)" -gt 1250 ] && break; sleep 0.1; done
[ "$(tasks)" -gt 1250 ] || { echo "after the rotation: $(tail -1 "$folder/out")"; failures=$((failures + 1)); }
interrupted

# A file that has nothing yet.
: > "$folder/empty"
"$artel" watch "$folder/empty" "${options[@]}" --every 200ms > "$folder/out" 2> "$folder/err" & watching=$!
prints "$folder/out" 'no answer: nothing was seen yet'
interrupted

# Metrics: 400 tasks a second of 5 ms on 4 workers.
cat > "$folder/server.mjs" <<'JS'
import { createServer } from "node:http";
import { renameSync, writeFileSync } from "node:fs";
const began = Date.now();
createServer((request, answer) => {
  const done = (Date.now() - began) * 0.4, labels = '{pool="films",worker="b2"}';
  answer.end(request.url !== "/metrics" ? `go_threads 8\ntook_seconds_count{name="mail",queue="a"} ${done / 2}\ntook_seconds_count{name="bill",queue="a"} ${done / 2}\n` +
    `took_seconds_count{name="mail",queue="b"} ${done * 9}\ntook_ms_sum{queue="a"} ${done * 5}\n` :
    `artel_worker_threads${labels} 4\nartel_worker_chunks_done_total${labels} ${done}\n` +
    `artel_worker_chunks_failed_total${labels} 0\nartel_worker_busy_seconds_total${labels} ${done * 0.005}\n`);
}).listen(0, "127.0.0.1", function () {
  writeFileSync(process.argv[2] + ".part", String(this.address().port));
  renameSync(process.argv[2] + ".part", process.argv[2]);
});
JS
node "$folder/server.mjs" "$folder/port" & server=$!
for _ in $(seq 600); do [ -e "$folder/port" ] && break; sleep 0.05; done
port=$(cat "$folder/port")
expect 2 '' 'no metrics of artel there' watch --prometheus "http://127.0.0.1:$port/other" --slo 'p99<1s'
"$artel" watch --prometheus ":$port" --slo 'p99<50ms' --horizon 6s --every 200ms > "$folder/out" 2> "$folder/err" & watching=$!
prints "$folder/out" 'for p99<50ms (central); with 4 p99 '
prints "$folder/out" 'last 6.00 s: forecast '
interrupted

# Of another program: 400 tasks a second in queue a, 5 ms each; those of queue b are no business of ours.
foreign=(watch --prometheus "http://127.0.0.1:$port/other" --slo 'p99<50ms' --workers 4 --horizon 6s --every 200ms)
expect 2 '' 'there is no counter took_seconds_total with these labels' "${foreign[@]}" --requests-metric took_seconds_total --work-metric took_ms_sum
expect 2 '' 'there is no counter took_ms_sum with these labels' "${foreign[@]}" --requests-metric took_seconds_count --work-metric 'took_ms_sum{queue="c"}'
"$artel" "${foreign[@]}" --requests-metric 'took_seconds_count{queue="a"}' --work-metric 'took_ms_sum{queue="a"}:ms' > "$folder/out" 2> "$folder/err" & watching=$!
prints "$folder/out" 'for p99<50ms (central); with 4 p99 '
rate=$(grep -m 1 'for p99<50ms (central); with 4 p99 ' "$folder/out" | sed 's/.*UTC  \([0-9.]*\)\/s.*/\1/')
awk -v rate="$rate" 'BEGIN { exit !(rate > 380 && rate < 420) }' || { echo "the rate of queue a: $rate instead of 400"; failures=$((failures + 1)); }
kill "$server"; wait "$server" 2>/dev/null || true
prints "$folder/err" 'Connection refused; trying again'
interrupted
finish
