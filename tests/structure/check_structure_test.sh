#!/usr/bin/env bash
# The structure check finds what it is there to find: run it on a small tree with one mistake of each kind.
set -euo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check_structure.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/artel/{low,high/inner,stray}
printf 'low :\nhigh/inner : low\n' > "$tree/layers.txt"
printf '#include "artel/low/a.hpp"\n' > "$tree/artel/high/inner/b.hpp"
printf '#pragma once\n' > "$tree/artel/low/a.hpp"

"$check" "$tree" || { echo "a sound tree was refused"; exit 1; }

expect() {  # expect TEXT: the check fails and says TEXT
  if output=$("$check" "$tree"); then echo "accepted, though: $1"; exit 1; fi
  grep -qF "$1" <<< "$output" || { echo "expected '$1', got: $output"; exit 1; }
}
printf '\n#include "artel/high/inner/b.hpp"\n' > "$tree/artel/low/c.cpp"
expect 'artel/low/c.cpp:2: layer low may not include artel/high/inner/b.hpp'
rm "$tree/artel/low/c.cpp"
echo > "$tree/artel/stray/d.hpp"; expect 'artel/stray/d.hpp: belongs to no layer'; rm "$tree/artel/stray/d.hpp"
echo > "$tree/artel/low/b.hpp"; expect 'b.hpp: two files'; rm "$tree/artel/low/b.hpp"
echo > "$tree/artel/low/utils.hpp"; expect 'utils.hpp: this name says nothing'
