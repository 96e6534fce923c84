#!/usr/bin/env bash
# Events of a real Celery worker on Redis.
set -euo pipefail
source "$(dirname "$0")/expect_recording.sh"
load 150 0.015 0.02 0.06 0.04 0.09
record celery
recording_is_read 0.003 'Celery events (5.x, a JSON object per line)'
expect 0 'queue delay' '' trace summary "$folder/trace"
finish
