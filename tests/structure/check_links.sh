#!/usr/bin/env bash
# check_links.sh: every relative link of every tracked Markdown page leads to a file that exists.
set -euo pipefail
cd "$(dirname "$0")/../.."
broken=0
while IFS=: read -r page line link; do
  target=${link%%#*}
  [ -z "$target" ] && continue
  if [ ! -e "$(dirname "$page")/$target" ]; then
    echo "$page:$line: broken link: $link"
    broken=1
  fi
done < <(git ls-files -- '*.md' | xargs -r grep -noP '\]\(\K(?!https?://|mailto:)[^)\s]+(?=\))' /dev/null)
exit $broken
