#!/usr/bin/env bash
# What the scenarios of scenarios/ answer stays the same to the last byte: a new key leaves those that do not have it alone, with any compiler.
# scenario_bytes_test.sh ARTEL [write]: `write` makes scenario_bytes.txt anew, for an answer that was wrong (CHANGELOG says which).
set -euo pipefail
artel=$1
folder=$(dirname "$0")
answers() {
  for file in scenarios/*.toml scenarios/{arena,atlas,papers}/*.toml; do
    short=(--set run.tasks=300 --set run.replications=2)
    if grep -q '^precision' "$file"; then short+=(--set run.replications_max=2); fi
    printf '%s  %s\n' "$("$artel" simulate "$file" "${short[@]}" --json --jobs 1 | sha256sum | cut -c1-16)" "$file"
  done
}
if [ "${2:-}" = write ]; then
  answers > "$folder/scenario_bytes.txt"
else
  diff "$folder/scenario_bytes.txt" <(answers) || { echo 'these scenarios answer otherwise than before (< before, > now)'; exit 1; }
  if grep -q '^e3b0c442' "$folder/scenario_bytes.txt"; then echo 'one gives no answer'; exit 1; fi   # the digest of nothing
  [ "$(wc -l < "$folder/scenario_bytes.txt")" -ge 60 ]
fi
