#!/usr/bin/env bash
# artel calibrate and artel replay: traces, job logs and CSV in; scenarios and predictions out.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
recorded=tests/fuzz/corpus/task_trace/pool

# D/D/1 by hand: tasks of 3 s at 0, 4, 8, 8, 8 on one worker; responses 3, 3, 3, 6, 9; busy 15 of 17 s.
printf 'arrival,begin,service\n0,0,3\n4,4,3\n8,8,3\n8,11,3\n8,14,3\n' > "$folder/d.csv"
columns=(--column submitted=arrival --column started=begin)
expect 0 'mean response    4.80 s     4.80 s  +0.0%' '' replay "$folder/d.csv" "${columns[@]}" --workers 1 --replications 0
expect 0 'utilisation       88.2%      88.2%  +0.0%' '' replay "$folder/d.csv" "${columns[@]}" --replications 0
expect 0 'the trace does not name the workers: 1 are taken' '' replay "$folder/d.csv" "${columns[@]}" --replications 0
# Two workers: responses 3, 3, 3, 3, 6. That is what would have been, and no error.
two=(replay "$folder/d.csv" "${columns[@]}" --workers 2 --replications 0)
expect 0 'mean response    4.80 s     3.60 s  -25.0%' '' "${two[@]}"
expect 0 'Another run than the recorded one: 2 workers instead of 1.' '' "${two[@]}"
expect 0 'measured  same work  change' '' "${two[@]}"
expect 0 '"changes": [' '' "${two[@]}" --json
expect 0 '"error": null' '' "${two[@]}" --json
expect 0 'random instead of least_loaded' '' replay "$recorded" --policy random --replications 0

# A log that does not say when tasks started: a prediction, and nothing that was "measured".
printf 'arrival,service\n0,3\n4,3\n8,3\n8,3\n8,3\n' > "$folder/no_starts.csv"
log=("$folder/no_starts.csv" --column submitted=arrival --workers 1)
expect 0 'mean response         -     4.80 s      -' '' replay "${log[@]}" --replications 0
expect 0 'utilisation           -      88.2%      -' '' replay "${log[@]}" --replications 0
expect 0 'Note: the trace does not say when tasks started: nothing was measured' '' replay "${log[@]}" --replications 0
expect 0 '"measured": null' '' replay "${log[@]}" --replications 0 --json
expect 0 'Fitted work' '' replay "${log[@]}" --replications 2 --report "$folder/no_starts.html"
! grep -q '"measured"' <(grep -o '"name":"measured"' "$folder/no_starts.html") || { echo 'a curve of what nobody measured'; failures=$((failures + 1)); }

# A pool's recording: same bytes every time, whatever the threads.
expect 0 '467 tasks, 4 workers, least_loaded(busyness=queued)' '' replay "$recorded"
expect 0 '"schema": "artel.replay/1"' '' replay "$recorded" --json
same 'replay with other threads' "$("$artel" replay "$recorded" -j 1 --json)" "$("$artel" replay "$recorded" -j 3 --json)"
expect 0 'measured' '' replay "$recorded" --replications 0 --perfetto "$folder/p.json"
contains 'Perfetto' '"traceEvents"' "$(cat "$folder/p.json")"
expect 0 'Examples:' '' replay --help

# A scenario from it that the simulator takes as it is.
expect 0 'waking a worker' '' calibrate "$recorded" -o "$folder/s.toml"
contains 'where the numbers come from' '# Calibrated from a trace (artel pool).' "$(cat "$folder/s.toml")"
same 'tasks beside it' 468 "$(wc -l < "$folder/s.tasks.csv")"
expect 0 'least_loaded' '' simulate "$folder/s.toml"
expect 0 'bursts (MMPP)' '' calibrate "$recorded" -o "$folder/f.toml" --arrivals fitted
expect 0 'least_loaded' '' simulate "$folder/f.toml"
[ ! -e "$folder/f.tasks.csv" ] || { echo 'a fitted scenario needs no tasks'; failures=$((failures + 1)); }
expect 0 '"schema": "artel.calibrate/1"' '' calibrate "$recorded" --json

# A job log of GNU parallel: two slots, one job after the other in each.
{
  printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n'
  printf '1\t:\t1700000000.000\t     1.000\t0\t6\t0\t0\techo a\n'
  printf '2\t:\t1700000000.100\t     0.500\t0\t0\t1\t0\tfalse\n'
  printf '3\t:\t1700000000.700\t     0.500\t0\t0\t0\t0\ttrue\n'
} > "$folder/jobs"
expect 0 'mean response    667 ms     667 ms  +0.0%' '' replay "$folder/jobs" --replications 0
expect 0 'No fitted work' '' replay "$folder/jobs"
expect 0 'the loop was closed' '' calibrate "$folder/jobs"

# Wrong inputs.
expect 2 '' "'$folder/none' does not exist" replay "$folder/none"
expect 2 '' "unknown policy 'jsk' (did you mean 'jsq'?)" replay "$recorded" --policy jsk
expect 2 '' '--arrivals' calibrate "$recorded" --arrivals guessed
expect 2 '' "$folder/none/s.toml: cannot create" calibrate "$recorded" -o "$folder/none/s.toml"
printf 'submitted,service\n1,1\n' > "$folder/one.csv"
expect 2 '' '1 task of the trace ran; expected at least 2' calibrate "$folder/one.csv"
head -c $(($(stat -c %s "$recorded") - 60)) "$recorded" > "$folder/cut.trace"
expect 2 'damaged or cut off' 'cut.trace:byte ' replay "$folder/cut.trace" --replications 0
finish
