#!/usr/bin/env bash
# Scenarios at random: what tests/scenario/random_scenarios.py says.
command -v python3 > /dev/null || { echo 'skipped: there is no Python'; exit 77; }
exec python3 -B tests/scenario/random_scenarios.py "$1"
