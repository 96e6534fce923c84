#!/usr/bin/env bash
# word_count_test.sh WORD_COUNT FOLDER: compares its answer, all of it, with a shell pipeline's.
set -euo pipefail
export LC_ALL=C
diff <("$1" "$2" 1000000000 2> /dev/null) \
  <(find "$2" -type f ! -name '*.gz' -exec cat {} + | tr -cs '[:alpha:]' '\n' | tr '[:upper:]' '[:lower:]' |
      sed '/^$/d' | sort | uniq -c | sort -k1,1nr -k2)
