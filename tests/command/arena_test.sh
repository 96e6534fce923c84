#!/usr/bin/env bash
# artel arena: ranks that queueing theory knows, the library, budgets, equal bytes, and bad input.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/few"
cp scenarios/mm8.toml "$folder/few"
few=(--scenarios "$folder/few" --set run.tasks=3000)

# The library that is built in: at least 24 scenarios, and every one has a best policy.
"$artel" arena central random --replications 1 --set run.tasks=500 > "$folder/library"
contains 'the library' 'central' "$(sed -n 2p "$folder/library")"
count=$(sed -n 's/.*mean of \([0-9]*\) scenarios.*/\1/p' "$folder/library")
same 'the library has them all' "$(ls scenarios/arena/*.toml | wc -l)" "$count"
[ "$count" -ge 24 ] || same 'the library is large enough' '24 or more' "$count"
same 'every scenario has a best policy' "$count" "$(sed '1,/^regret /d' "$folder/library" | grep -c ' best')"

# A policy under two names ties with itself; shortest queues beat chance.
"$artel" arena random jsq 'jsq(d=2)' "${few[@]}" --replications 3 --json > "$folder/one.json"
contains 'schema' '"schema": "artel.arena/1"' "$(cat "$folder/one.json")"
same 'ranks' '1 1 3' "$(sed -n 's/.*"rank": \([0-9]*\),.*/\1/p' "$folder/one.json" | xargs)"
same 'the last' 'random' "$(sed -n 's/^      "policy": "\(.*\)",/\1/p' "$folder/one.json" | tail -n 1)"
contains 'the worst scenario' '"worst": "mm8"' "$(cat "$folder/one.json")"

# Equal bytes, whatever --jobs and --budget are.
same 'jobs do not change the ranks' "$(cat "$folder/one.json")" \
  "$("$artel" arena random jsq 'jsq(d=2)' "${few[@]}" --replications 3 --json --jobs 5)"
"$artel" arena random jsq 'jsq(d=2)' "${few[@]}" --budget 1ns --json > "$folder/budget.json" 2> "$folder/message"
same 'a budget only says how many replications' "$(cat "$folder/one.json")" "$(cat "$folder/budget.json")"
contains 'a budget says what it was enough for' 'enough for 3 of 10 replications; --replications 3 gives the same' "$(cat "$folder/message")"
expect 0 '' '' arena random jsq 'jsq(d=2)' "${few[@]}" --replications 3 --json -o "$folder/file.json"
same 'the file holds what stdout would' "$(cat "$folder/one.json")" "$(cat "$folder/file.json")"
[ "$(cat "$folder/one.json")" != "$("$artel" arena random jsq 'jsq(d=2)' "${few[@]}" --replications 3 --json --seed 7)" ] ||
  same 'another seed, other tasks' yes no

# Ctrl-C: the rounds that are over.
status=0
timeout --foreground --preserve-status -s INT 2 "$artel" arena central random --replications 100000 \
  "${few[@]}" > "$folder/partial" 2> "$folder/message" || status=$?
same 'interrupted: exit status' 130 "$status"
contains 'interrupted: stdout' 'INCOMPLETE' "$(cat "$folder/partial")"
contains 'interrupted: stderr' 'interrupted;' "$(cat "$folder/message")"

# Bad input says what is allowed.
expect 2 '' 'policy is required' arena
expect 2 '' "jsk: unknown policy 'jsk' (did you mean 'jsq'?)" arena jsk
expect 2 '' "d of jsq: found 0, allowed: whole number" arena 'jsq(d=0)'
expect 2 '' 'random: is there twice' arena random random
expect 2 '' "$folder/none: No such file or directory" arena random --scenarios "$folder/none"
expect 2 '' 'has no scenarios' arena random --scenarios tests/command
expect 2 '' "--budget: found '60', allowed: a duration above 0 with its unit" arena random --budget 60
expect 2 '' "--set pool.wrokers=3" arena random "${few[@]}" --set pool.wrokers=3
echo '[workload]' > "$folder/few/wrong.toml"
expect 2 '' "$folder/few/wrong.toml" arena random "${few[@]}"
finish
