#!/usr/bin/env bash
# artel tune: a parameter whose best value is known, equal bytes, and bad input.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tune=(tune scenarios/mm8.toml --set run.tasks=4000 --set run.warm_up=10% --replications 4)

# With fresh lengths of queues more choices are better: the end of the range.
"$artel" "${tune[@]}" --policy 'jsq(d=1..8)' > "$folder/table"
contains 'the end of the range' 'and 8.' "$(tail -n 1 "$folder/table")"
contains 'one choice is no choice' 'worse' "$(grep '^ *1 ' "$folder/table")"
contains 'the policy as it is' 'not given' "$(cat "$folder/table")"

# A time, from end to end; what it says can be pasted.
"$artel" "${tune[@]}" --policy 'peak_ewma(decay=1s..30s)' > "$folder/times"
contains 'the shortest time' '1s ' "$(sed -n 2,3p "$folder/times")"
contains 'the longest time' '30s ' "$(cat "$folder/times")"
contains 'the interval of a time' ': the best decay lies between ' "$(tail -n 1 "$folder/times")"
best=$(tail -n 1 "$folder/times" | sed 's/: the best.*//')
mkdir "$folder/few"
cp scenarios/mm8.toml "$folder/few"
expect 0 "$best" '' arena "$best" --scenarios "$folder/few" --set run.tasks=2000 --replications 2

# Equal bytes, whatever --jobs is.
one=$("$artel" "${tune[@]}" --policy 'jsq(d=1..3)' --json)
contains 'schema' '"schema": "artel.tune/1"' "$one"
same 'jobs do not change the result' "$one" "$("$artel" "${tune[@]}" --policy 'jsq(d=1..3)' --json --jobs 5)"
expect 0 '' '' "${tune[@]}" --policy 'jsq(d=1..3)' --json -o "$folder/file.json"
same 'the file holds what stdout would' "$one" "$(cat "$folder/file.json")"

# Ctrl-C.
status=0
timeout --foreground --preserve-status -s INT 2 "$artel" tune scenarios/mm8.toml --set run.tasks=3000000 \
  --policy 'jsq(d=1..3)' > "$folder/partial" 2> "$folder/message" || status=$?
same 'interrupted: exit status' 130 "$status"
same 'interrupted: stdout' '' "$(cat "$folder/partial")"
contains 'interrupted: stderr' 'interrupted; there is no result yet' "$(cat "$folder/message")"

# Bad input says what is allowed.
expect 2 '' '--policy is required' tune scenarios/mm8.toml
expect 2 '' "--policy jsq(d=2): expected one parameter with a range, like jsq(d=1..16)" tune scenarios/mm8.toml --policy 'jsq(d=2)'
expect 2 '' 'the range ends before it begins' tune scenarios/mm8.toml --policy 'jsq(d=4..2)'
expect 2 '' "d of jsq: found 0, allowed: whole number" tune scenarios/mm8.toml --policy 'jsq(d=0..4)'
expect 2 '' 'does not exist' tune "$folder/none.toml" --policy 'jsq(d=1..4)'
expect 2 '' 'closed_loop does not go with' tune scenarios/two-tier.toml --policy 'closed_loop(beacon_every=1ms..1s)'
finish
