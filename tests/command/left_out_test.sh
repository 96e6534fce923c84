#!/usr/bin/env bash
# left_out_test.sh ARTEL: of an artel that was built without any component, every subcommand says what it lacks.
. "$(dirname "$0")/expect.sh"

expect 0 'completion' '' --help
expect 0 '(this artel was built without cluster)' '' --help
expect 0 'simulate' '' completion bash

for name in demo simulate plan arena tune check import trace calibrate replay watch; do
  expect 2 '' "artel $name: this artel was built without experiment" "$name"
done
expect 2 '' 'artel map: this artel was built without command' map -j 4 -- gzip {}
expect 2 '' 'artel worker: this artel was built without cluster' worker --cluster nats://broker:4222 -j 4
expect 2 '' 'artel cluster: this artel was built without cluster' cluster status --cluster nats://broker:4222
expect 2 '' 'artel simulate: this artel was built without experiment' simulate scenarios/mm8.toml --report x.html
expect 2 '' "unknown command 'simulte' (did you mean 'simulate'?)" simulte
finish
