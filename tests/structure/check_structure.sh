#!/usr/bin/env bash
# check_structure.sh [ROOT]: refuses an #include that layers.txt does not list, a folder of artel/ without a layer,
# two files of one name, and file names that say nothing. Prints file:line and what is allowed; exits 1 on any.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"
[ -f layers.txt ] || { echo "check_structure: no layers.txt in $PWD" >&2; exit 2; }

mapfile -t files < <(find artel -name '*.hpp' -o -name '*.cpp' | sort)

arrows=$(awk '
  FILENAME == "layers.txt" {
    if ($0 ~ /^[a-z]/) {
      split($0, part, ":"); layer = part[1]; gsub(/ /, "", layer)
      known[layer] = 1; allowed[layer] = " " layer " " part[2] " "; text[layer] = part[2]
    }
    next
  }
  function layer_of(path,   best, l) {          # the line of layers.txt with the longest path
    best = ""
    for (l in known) if (index(path, "artel/" l "/") == 1 && length(l) > length(best)) best = l
    return best
  }
  FNR == 1 {
    mine = layer_of(FILENAME)
    if (mine == "") { print FILENAME ": belongs to no layer of layers.txt"; nextfile }
  }
  match($0, /^#include "artel\/[^"]+"/) {
    target = substr($0, 11, RLENGTH - 11)
    other = layer_of(target)
    if (index(allowed[mine], " " other " ") == 0)
      print FILENAME ":" FNR ": layer " mine " may not include " target " (allowed:" text[mine] ")"
  }
' layers.txt "${files[@]}")

names=$(printf '%s\n' "${files[@]}" | sed 's|.*/||' | sort | uniq -d | sed 's|$|: two files of artel/ share this name|')
vague=$(printf '%s\n' "${files[@]}" | grep -E '/(util|utils|common|helper|helpers|misc|manager|base|data|info)[./]' |
  sed 's|$|: this name says nothing about what is inside|' || true)

findings=$(printf '%s\n' "$arrows" "$names" "$vague" | grep . || true)
[ -z "$findings" ] && exit 0
echo "$findings"
exit 1
