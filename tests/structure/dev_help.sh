#!/usr/bin/env bash
# Every command of ./dev tells of itself when asked for help, and does nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for command in $(sed -n -E 's/^cmd_([a-z]+)\(\).*/\1/p' dev); do
  [ "$command" != verify ] || continue      # artel_verify's own help, once that is built
  ./dev "$command" --help | grep -q -E "^  ([a-z]+, )?$command\b" || { echo "dev_help: ./dev $command --help says nothing of $command" >&2; exit 1; }
done
