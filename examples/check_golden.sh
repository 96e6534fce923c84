#!/usr/bin/env bash
# check_golden.sh EXPECTED PROGRAM ARGUMENT…: runs an example and compares what it prints with the file EXPECTED.
# After a change that is meant to show: PROGRAM > EXPECTED.
set -euo pipefail
expected=$1; shift
diff -u --label "$expected" --label "now" "$expected" <("$@") && exit 0
echo "If this is as it should be: $* > $expected"
exit 1
