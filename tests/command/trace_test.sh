#!/usr/bin/env bash
# artel trace: what it makes of a recording, a job log and CSV, whole or broken.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
recorded=tests/fuzz/corpus/task_trace/pool

expect 2 '' 'artel: expected a command: summary' trace
expect 0 'Examples:' '' trace summary --help
expect 0 '463 done, 4 failed, 0 cancelled, 9 expired' '' trace summary "$recorded"
expect 0 'queue delay' '' trace summary "$recorded"
expect 0 '"schema": "artel.trace/1"' '' trace summary "$recorded" --json
expect 2 '' "'$folder/none' does not exist" trace summary "$folder/none"
expect 2 '' "option '--perfeto' (did you mean '--perfetto'?)" trace summary "$recorded" --perfeto=x

# Through CSV the numbers stay.
expect 0 'tasks in' '' trace summary "$recorded" --csv "$folder/a.csv" --perfetto "$folder/a.json"
for pair in 'a b' 'b c'; do  # times of CSV count from the first submission: once more changes nothing
  "$artel" trace summary "$folder/${pair% *}.csv" --csv "$folder/${pair#* }.csv" > "$folder/${pair#* }.txt"
done
cmp "$folder/b.csv" "$folder/c.csv" || failures=$((failures + 1))
same 'the summary of CSV' "$("$artel" trace summary "$recorded" | tail -n +4)" "$(tail -n +3 "$folder/b.txt")"
contains 'Perfetto' '"traceEvents"' "$(cat "$folder/a.json")"
expect 2 'tasks in' "$folder/none/a.csv: cannot create" trace summary "$recorded" --csv "$folder/none/a.csv"

# Broken files: what is usable, and where it is broken.
head -c $(($(stat -c %s "$recorded") - 60)) "$recorded" > "$folder/cut.trace"
expect 2 'The recording has no end' 'cut.trace:byte ' trace summary "$folder/cut.trace"
printf 'arrival,service\n0,1.5\n0.5,two\n' > "$folder/d.csv"
expect 2 '' "unknown column 'submitted'" trace summary "$folder/d.csv"
expect 2 '' "d.csv:3:5: column 'service': found 'two'" trace summary "$folder/d.csv" --column submitted=arrival
expect 2 '' '--column: found' trace summary "$folder/d.csv" --column arrival
sed -i 's/two/2/' "$folder/d.csv"
expect 0 '2 tasks in 2.50 s: 0.8 per second' '' trace summary "$folder/d.csv" --column submitted=arrival
expect 0 'how long they waited is not known' '' trace summary "$folder/d.csv" --column submitted=arrival
printf 'arrival\n0\n0.5\n' > "$folder/arrivals.csv"
expect 2 '' 'arrivals.csv:1: no column says how long a task took' trace summary "$folder/arrivals.csv" --column submitted=arrival

# A job log of GNU parallel: two slots, one failure.
{
  printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n'
  printf '2\t:\t1700000000.100\t     0.500\t0\t0\t1\t0\tfalse\n'
  printf '1\t:\t1700000000.000\t     1.000\t0\t6\t0\t0\techo a\tb\n'
} > "$folder/jobs"
expect 0 '1 done, 1 failed' '' trace summary "$folder/jobs"
expect 0 '"worker": 1' '' trace summary "$folder/jobs" --json
printf '3\t:\tsoon\n' >> "$folder/jobs"
expect 2 '' "jobs:4: found '3" trace summary "$folder/jobs"
finish
