#!/usr/bin/env bash
# scenarios/papers/c3.toml: the order of three ways to choose a replica, as in section 6 of C3's paper, at speeds that change fast and slowly.
set -euo pipefail
artel=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for stay in 40ms 200ms 400ms; do
  "$artel" simulate scenarios/papers/c3.toml --json --set run.tasks=200000 --set run.replications=3 \
    --set "pool.speed_states=[{ speed = 3, mean_duration = \"$stay\" }, { speed = 1, mean_duration = \"$stay\" }]" > "$folder/$stay.json"
done
node - "$folder" <<'END'
const { readFileSync } = require('node:fs');
let failed = 0;
for (const stay of ['40ms', '200ms', '400ms']) {
  const { points: [{ policies }] } = JSON.parse(readFileSync(`${process.argv[2]}/${stay}.json`, 'utf8'));
  const [c3, fewest, turns] = policies.map(({ response }) => response);
  for (const statistic of ['mean', 'p95', 'p99']) {
    const [a, b, c] = [c3, fewest, turns].map((one) => one[statistic].value);
    const right = a < b && b < c;
    console.log(`${right ? 'ok  ' : 'FAIL'} ${stay} ${statistic}: C3 ${(1000 * a).toFixed(1)} ms, fewest outstanding ${(1000 * b).toFixed(1)} ms, round robin ${(1000 * c).toFixed(1)} ms`);
    failed += right ? 0 : 1;
  }
}
process.exit(failed);
END
