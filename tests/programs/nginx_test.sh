#!/usr/bin/env bash
# Access logs of a real nginx: `combined` with $request_time, and a format of one's own.
set -euo pipefail
source "$(dirname "$0")/expect_recording.sh"
load 250 0.015 0.02 0.06 0.04 0.09
record nginx
recording_is_read 0.003 'nginx log (combined, request time)'

format='$remote_addr [$time_iso8601] "$request" $msec $status rt=$request_time up=$upstream_response_time'
record nginx "$format"
recording_is_read 0.003 'log of the given format' --log-format "$format"
expect 0 'Back-test: fitted to the first 125 tasks' 'starts are inferred for 3 workers' plan "$folder/log" --log-format "$format" \
  --slo 'p99<10s' --workers $workers
finish
