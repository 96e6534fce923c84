#!/usr/bin/env bash
# One of each file that artel 0.1 wrote, in 0.1/, and today's command: it is read, or refused by naming its version.
# They were made by that version from 0.1/scenario.toml and from a pool of two workers that refused a part of its tasks.
set -euo pipefail
source "$(dirname "$0")/../command/expect.sh"
old=$(dirname "$0")/0.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A trace recorded by a pool. 0.1 called refusing when full "fail".
expect 0 '87 done, 0 failed, 0 cancelled, 0 expired, 63 rejected; 0 dropped' '' trace summary "$old/pool.trace"
expect 0 'policy jsq(d=2; busyness=queued), 2 workers, open loop' '' trace summary "$old/pool.trace"
expect 0 '63 tasks were refused' '' calibrate "$old/pool.trace"
expect 0 '87 tasks, 2 workers, jsq(d=2; busyness=queued)' '' replay "$old/pool.trace" --replications 0

# A scenario with a key of every section, and one that calibrate made.
expect 0 'scenario.toml: OK' '' check "$old/scenario.toml"
expect 0 'one queue' '' simulate "$old/scenario.toml" --set run.tasks=50
expect 0 'calibrated.toml: OK' '' check "$old/calibrated.toml"
expect 0 'jsq(busyness=queued, d=2)' '' simulate "$old/calibrated.toml"

# The log of three jobs, the second of which failed.
expect 0 '2 done, 1 failed' '' trace summary "$old/jobs.log"
cp "$old/jobs.log" "$folder/jobs"
expect 0 'd' '' map --joblog "$folder/jobs" --resume --trust-log -- echo ::: a b c d
cp "$old/jobs.log" "$folder/jobs"
expect 0 'b' '' map --joblog "$folder/jobs" --resume-failed --trust-log -- echo ::: a b c

# A result that was stopped: today's command goes on from it, or says whose it is.
study=(simulate "$old/scenario.toml" --set 'dispatch.policies=["random", "central"]' --sweep run.seed=7 --set run.tasks=30
  --set run.replications=200 --json)
if "$artel" "${study[@]}" --resume "$old/simulate_stopped.json" >"$folder/resumed" 2>"$folder/refusal"; then
  "$artel" "${study[@]}" >"$folder/whole"
  cmp "$folder/whole" "$folder/resumed" || failures=$((failures + 1))
else
  contains 'a result of 0.1 is refused by naming its version' 'artel 0.1' "$(cat "$folder/refusal")"
fi

# What others read: as long as a schema has its name, all that was in it stays.
keys() { grep -o '"[A-Za-z0-9_.]*":' "$1" | sort -u; }
schema() { sed -n 's/^ *"schema": "\(.*\)",$/\1/p' "$1"; }
still() {  # still FILE ARGUMENT…
  local file=$1 lost; shift
  "$artel" "$@" --json >"$folder/now.json" 2>/dev/null || same "artel $* --json: exit status" 0 "$?"
  [ "$(schema "$folder/now.json")" = "$(schema "$old/$file")" ] || return 0
  lost=$(comm -23 <(keys "$old/$file") <(keys "$folder/now.json"))
  same "artel $* --json has all that $(schema "$old/$file") has" '' "$lost"
}
still simulate.json "${study[@]:0:${#study[@]}-1}"
still plan.json plan "$old/scenario.toml" --slo 'p99<3s,rejected<20%' --policy central --max-workers 12
still replay.json replay "$old/pool.trace" --replications 3
still calibrate.json calibrate "$old/pool.trace"
still trace_summary.json trace summary "$old/pool.trace"
finish
