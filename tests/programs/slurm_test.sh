#!/usr/bin/env bash
# Accounts of a real Slurm (slurmctld, slurmd, slurmdbd on MariaDB), known to the second.
set -euo pipefail
source "$(dirname "$0")/expect_recording.sh"
load 8 0.2 1 3 2
record slurm
recording_is_read 1.1 'Slurm accounting (sacct --parsable2, 22.05)'
finish
