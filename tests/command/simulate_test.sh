#!/usr/bin/env bash
# artel simulate: results, their independence of --jobs, output files, interruption, and bad input.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
small=(simulate scenarios/mm8.toml --set run.tasks=2000 --set run.replications=3)

expect 0 'M/M/8 at load 0.8: response time in s' '' "${small[@]}"
expect 0 '3 replications of 2000 tasks per policy' '' "${small[@]}"
expect 0 '"schema": "artel.simulate/1"' '' "${small[@]}" --json
expect 0 'policy,replications,tasks,response_mean_s' '' "${small[@]}" --csv
expect 0 'pool.queue_bound' '' simulate --schema
expect 0 '3 replications of 2000 tasks per policy' '' simulate - "${small[@]:2}" < scenarios/mm8.toml
expect 0 'M/M/8 at load 0.8: response time in s' '' simulate <(cat scenarios/mm8.toml) "${small[@]:2}"
expect 0 '-: OK' '' check - < <(sed 's/load = 0.8/load = 0.7/' scenarios/mm8.toml)
expect 2 '' '-:2:1' check - <<< $'[run]\nx = 1'
expect 0 'smallest pool.workers' '' "${small[@]}" --set slo.p99_response=8 --sweep pool.workers=8,16
expect 0 'p99 response <= 8.00 s with 8 workers: ' '' "${small[@]}" --set slo.p99_response=8

# Equal seeds give equal bytes, whatever --jobs is; another seed gives others.
one=$("$artel" "${small[@]}" --jobs 1 --json)
same 'jobs do not change the result' "$one" "$("$artel" "${small[@]}" --jobs 5 --json)"
[ "$one" != "$("$artel" "${small[@]}" --seed 2 --json)" ] || same 'another seed' 'another result' 'the same'
expect 0 '3 replications of 2000 tasks per policy' '' "${small[@]}" --seed 9000000000000000
for seed in -1 9000000000000001 abc; do
  expect 2 '' "artel: --seed: found $seed, allowed: a whole number from 0 to 9000000000000000" "${small[@]}" --seed $seed
done

# Files are written whole or not at all.
expect 0 '' '' "${small[@]}" --json -o "$folder/out.json"
same 'the file holds what stdout would' "$one" "$(cat "$folder/out.json")"
expect 2 '' "$folder/none/out.json: cannot create: No such file or directory" "${small[@]}" -o "$folder/none/out.json"
expect 2 '' '/dev/full: cannot write: No space left on device' "${small[@]}" -o /dev/full
same 'nothing else was left behind' 'out.json' "$(ls "$folder")"
status=0
message=$("$artel" "${small[@]}" 2>&1 >/dev/full) || status=$?
same 'a full disk behind stdout: exit status' 2 "$status"
contains 'a full disk behind stdout' 'No space left on device' "$message"

# Ctrl-C: what is finished, marked incomplete; the second one ends at once.
status=0
timeout --foreground --preserve-status -s INT 2 "$artel" simulate scenarios/mm8.toml --set run.tasks=1000000 --set run.replications=500 \
  > "$folder/partial" 2> "$folder/message" || status=$?
same 'interrupted: exit status' 130 "$status"
contains 'interrupted: stdout' 'INCOMPLETE' "$(cat "$folder/partial")"
contains 'interrupted: stderr' 'interrupted' "$(cat "$folder/message")"

# Interrupted runs are resumed from their result, to the same bytes, and only those of the same study.
long=(simulate scenarios/mm8.toml --set run.tasks=20000 --set run.replications=40 --json)
"$artel" "${long[@]}" > "$folder/whole.json"
status=0
timeout --foreground --preserve-status -s INT 0.3 "$artel" "${long[@]}" -o "$folder/long.json" 2> /dev/null || status=$?
if [ "$status" -eq 130 ]; then
  [ ! -e "$folder/long.json" ] || { echo 'an interrupted run made the file of a finished one'; failures=$((failures + 1)); }
  contains 'an interrupted result' '"resume":' "$(grep -o '"resume":' "$folder/long.partial.json")"
  cp "$folder/long.partial.json" "$folder/part.json"
  expect 2 '' "$folder/part.json: the result of another study" "${long[@]}" --seed 2 -o "$folder/part.json"
  expect 2 '' "$folder/part.json: the result of another study" "${long[@]}" --seed 2 --resume "$folder/part.json"
  "$artel" "${long[@]}" --resume "$folder/part.json" > "$folder/resumed.json"
  same 'resumed' "$(cat "$folder/whole.json")" "$(cat "$folder/resumed.json")"
fi
"$artel" "${long[@]}" -o "$folder/long.json"
same 'resumed by -o' "$(cat "$folder/whole.json")" "$(cat "$folder/long.json")"
[ ! -e "$folder/long.partial.json" ] || { echo 'a finished run left the interrupted result behind'; failures=$((failures + 1)); }
cp "$folder/whole.json" "$folder/long.partial.json"      # some other file of that name
expect 2 '' "$folder/long.partial.json: is no interrupted result" "${long[@]}" -o "$folder/long.json"
rm "$folder/long.partial.json"
expect 2 '' "$folder/whole.json: is not the JSON of an interrupted" "${long[@]}" --resume "$folder/whole.json"
expect 2 '' "$folder/none.json: is not the JSON of an interrupted" "${long[@]}" --resume "$folder/none.json"

# Bad input is refused before anything runs.
expect 2 '' 'which scenario?' simulate
expect 2 '' 'excludes' "${small[@]}" --json --csv
expect 2 '' "does not exist" simulate "$folder/none.toml"
expect 2 '' "jobs" "${small[@]}" --jobs 0
finish
