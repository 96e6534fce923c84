#!/usr/bin/env bash
# What a newcomer types first: artel alone, artel demo, artel help.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder/tmp
mkdir "$TMPDIR"

expect 2 '' 'artel demo'
expect 0 'Usage: artel [OPTIONS] SUBCOMMAND' '' help
expect 0 'Usage: artel map [OPTIONS]' '' help map
same 'help of a command is its --help' "$("$artel" plan --help)" "$("$artel" help plan)"
same 'help of a command in a command is its --help' "$("$artel" cluster up --help)" "$("$artel" help cluster up)"
expect 2 '' "artel help: unknown topic 'cluster upp'" help cluster upp
expect 0 'pool.queue_bound' '' help scenario
expect 0 'round_robin           the workers in turn' '' help policies
expect 2 '' "artel help: unknown topic 'maap' (did you mean 'map'?)" help maap

# The demo answers as the scenario does that it is made of, and leaves nothing behind.
answer=$("$artel" demo 2>"$folder/said")
contains 'artel demo: stdout' 'p99 response <= 4.00 s needs pool.workers = 20 with central' "$answer"
contains 'artel demo: stderr' 'artel demo --save FOLDER' "$(cat "$folder/said")"
same 'the demo leaves no files' '' "$(ls "$TMPDIR")"
same 'the demo is scenarios/llm-code.toml' "$("$artel" simulate scenarios/llm-code.toml)" "$answer"

expect 0 "$folder/mine/llm-code.toml: artel simulate" '' demo --save "$folder/mine"
cmp "$folder/mine/llm-code.toml" scenarios/llm-code.toml || same 'the scenario' 'the same' 'another'
cmp "$folder/mine/data/azure-llm-code-2023.csv" scenarios/data/azure-llm-code-2023.csv || same 'the recording' 'the same' 'another'
expect 0 'llm-code.toml: OK' '' check "$folder/mine/llm-code.toml"
expect 2 '' "$folder/mine/llm-code.toml: is there already" demo --save "$folder/mine"
expect 2 '' 'artel-demo' demo --save /proc/artel-demo
same 'no place for temporary files' 2 "$(TMPDIR=/none "$artel" demo >/dev/null 2>&1; echo $?)"
finish
