#!/usr/bin/env bash
# artel plan: answers that queueing theory knows, options, code that compiles, interruption, and bad input.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
any=(plan scenarios/mm8.toml --set run.tasks=3000)
small=("${any[@]}" --policy central)

# M/M/c at 6.4 tasks per second: mean wait 0.286 s with 8 workers, 0.0956 s with 9 (Erlang C).
expect 0 'mean wait <= 150 ms needs 9 workers with central.' '' "${small[@]}" --slo 'mean_wait<150ms'
expect 0 '"schema": "artel.plan/1"' '' "${small[@]}" --slo 'mean_wait<150ms' --json
expect 0 'needs 9 workers with central: 1.08 per hour.' '' "${small[@]}" --slo 'mean_wait<150ms' --price 0.12/h
expect 0 '12.8 tasks per second' '' "${small[@]}" --slo 'mean_wait<150ms' --rate x2
expect 0 '12.8 tasks per second' '' "${small[@]}" --slo 'mean_wait<150ms' --rate 12.8/s
expect 0 'verdicts hold with 90% confidence' '' "${small[@]}" --slo 'mean_wait<150ms' --confidence 0.9
expect 0 'jsq(d=5)      3' '' "${any[@]}" --slo 'mean_wait<150ms' --policy 'jsq(d=5)' --queue 1,3
expect 1 'the work alone takes longer, however many workers' '' "${small[@]}" --slo 'p99<1s'
expect 1 'the most allowed, cannot keep up' '' "${small[@]}" --slo 'p99<20s' --max-workers 6

# What the README says of the demo.
expect 0 'needs 19 workers with central, but 41 with round_robin.' '' plan scenarios/llm-code.toml --policy central --policy round_robin

# Equal bytes, whatever --jobs is.
one=$("$artel" "${small[@]}" --slo 'p99<7s' --json --jobs 1)
same 'jobs do not change the plan' "$one" "$("$artel" "${small[@]}" --slo 'p99<7s' --json --jobs 5)"

# What is printed as C++ compiles.
"$artel" "${any[@]}" --slo 'p99<7s' --policy 'jsq(d=3)' --policy round_robin --queue 4 > "$folder/plan"
sed -n '/^#include/,$p' "$folder/plan" > "$folder/pool.cpp"
contains 'the code' '.queue = 3,' "$(cat "$folder/pool.cpp")"
"${CXX:-c++}" -std=c++20 -fsyntax-only -I. "$folder/pool.cpp" || same 'the code compiles' yes no

# Files are written whole or not at all.
expect 0 '' '' "${small[@]}" --slo 'p99<7s' --json -o "$folder/plan.json"
same 'the file holds what stdout would' "$one" "$(cat "$folder/plan.json")"
expect 2 '' "$folder/none/plan.json: cannot create: No such file or directory" "${small[@]}" --slo 'p99<7s' -o "$folder/none/plan.json"

# Ctrl-C: what is known, marked incomplete.
status=0
timeout --foreground --preserve-status -s INT 2 "$artel" plan scenarios/mm8.toml --slo 'p99<6s' --set run.tasks=2000000 \
  --set run.replications=100 > "$folder/partial" 2> "$folder/message" || status=$?
same 'interrupted: exit status' 130 "$status"
contains 'interrupted: stdout' 'INCOMPLETE' "$(cat "$folder/partial")"
contains 'interrupted: stderr' 'interrupted' "$(cat "$folder/message")"

# Long and short tasks in turn: with round robin an even number of workers gives half of them all that is long. A replay without dice is exact.
awk 'BEGIN { print "at,size"; for (i = 0; i < 400; ++i) printf "%.1f,%s\n", i * 0.1, i % 2 ? "0.1" : "0.9" }' > "$folder/turns.csv"
cat > "$folder/turns.toml" <<'END'
[workload]
arrivals = { kind = "trace" }
service  = { expression = "size" }
trace    = { file = "turns.csv", time = "at" }
[pool]
workers = 6
[dispatch]
policies = ["round_robin"]
END
expect 0 'p99 response <= 1.20 s needs 9 workers with round_robin' '' plan "$folder/turns.toml" --slo 'p99<1.2s'
expect 0 'round_robin: the sizes that do have holes: 7 met it too, 8 did not. Smaller ones were not all tried; the answer is where' '' plan "$folder/turns.toml" --slo 'p99<1.2s'
expect 0 'nothing is left to chance: verdicts are exact' '' plan "$folder/turns.toml" --slo 'p99<1.2s'
expect 0 '"exact": true' '' plan "$folder/turns.toml" --slo 'p99<1.2s' --json
expect 0 '"exact": true' '' simulate "$folder/turns.toml" --json
expect 0 '"exact": false' '' "${small[@]}" --slo 'mean_wait<150ms' --json

# Fleets of one size beside those that are scaled.
expect 0 'worker-hours/day  cost/h' '' "${small[@]}" --slo 'mean_wait<150ms' --price 0.1/h --scaling 'hpa(target=0.8, max=20)' --scaling 'predictive(max=20)'
expect 0 'central              9 workers' '' "${small[@]}" --slo 'mean_wait<150ms' --price 0.1/h --scaling 'hpa(target=0.8, max=20)'
expect 0 '1 to 20 workers (hpa(target=0.8, max=20))' '' "${small[@]}" --slo 'mean_wait<150ms' --scaling 'hpa(target=0.8, max=20)'
expect 2 '' '--scaling: does not go with pool.take_over' "${small[@]}" --set pool.take_over=true --slo 'mean_wait<150ms' --scaling hpa
expect 2 '' "--scaling: " "${small[@]}" --slo 'mean_wait<150ms' --scaling 'hpa(targt=1)'

# Bad input says what is allowed.
expect 2 '' 'file is required' plan
expect 2 '' "does not exist" plan "$folder/none.toml"
expect 2 '' 'there is no objective to meet; give one, like p99<80ms' "${small[@]}"
expect 2 '' "--slo: unknown objective 'p98'" "${small[@]}" --slo 'p98<1s'
expect 2 '' "--slo: p99_response: found '5', allowed: a duration above 0 with its unit" "${small[@]}" --slo 'p99<5'
expect 2 '' "--rate: found '2', allowed: a factor like x1.5" "${small[@]}" --slo 'p99<7s' --rate 2
expect 2 '' "--price: found 'free', allowed: a number per hour" "${small[@]}" --slo 'p99<7s' --price free
expect 2 '' "--policy jsk: unknown policy 'jsk' (did you mean 'jsq'?)" "${small[@]}" --slo 'p99<7s' --policy jsk
expect 2 '' "--queue: found '0', allowed: whole numbers from 1" "${small[@]}" --slo 'p99<7s' --queue 0
expect 2 '' 'found 2, allowed: from 0.5 to 0.9999' "${small[@]}" --slo 'p99<7s' --confidence 2
expect 2 '' 'p99_response has two limits' "${small[@]}" --slo 'p99<7s' --slo 'p99<8s'
expect 2 '' '--workers: goes with a trace, not with a scenario' "${small[@]}" --slo 'p99<7s' --workers 4

# A recorded run: its own policy beside one common queue.
{ echo submitted,service; for i in $(seq 0 399); do echo "$((i / 2)).$((i % 2 * 5)),1.$((i * 7 % 10))"; done; } > "$folder/run.csv"
recorded=(plan "$folder/run.csv" --workers 3 --slo 'p99<5s')
expect 0 'p99 response <= 5.00 s needs' 'taken for granted' "${recorded[@]}" --policy central
expect 0 'p99 response <= 5.00 s needs' 'taken for granted' "${recorded[@]}" --policy random --arrivals fitted
expect 2 '' '--set: goes with a scenario' "${recorded[@]}" --set run.tasks=3
expect 2 '' 'does not exist' plan "$folder/none.trace" --slo 'p99<5s'
finish
