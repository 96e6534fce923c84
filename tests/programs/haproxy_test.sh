#!/usr/bin/env bash
# Logs of a real HAProxy: `option httplog`, and a log-format of one's own.
set -euo pipefail
source "$(dirname "$0")/expect_recording.sh"
load 150 0.015 0.02 0.06 0.04 0.09
record haproxy
recording_is_read 0.006 'HAProxy log (option httplog, 2.x)'

format='%ci [%tr] %b %TR/%Tw/%Tc/%Tr/%Ta %ST %B'
record haproxy "$format"
recording_is_read 0.006 'log of the given format' --log-format "$format"
finish
