#!/usr/bin/env bash
# moved_from_0_1_test.sh COMPILER: docs/from-0.1.sed brings a program of 0.1 to today's headers and names.
# headers_of_0_1.txt has all headers that 0.1 installed; those marked "gone" are inside now, or no more.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

while read -r header gone; do
  moved=$(sed -E -f docs/from-0.1.sed <<<"#include \"$header\"")
  moved=${moved#*\"} moved=${moved%\"}
  if [ -f "$moved" ] && [[ $moved != */detail/* ]]; then there=yes; else there=no; fi
  case $there,$gone in
    no,) echo "$header becomes $moved, which is no public header"; failed=1 ;;
    yes,gone) echo "$header is said to be gone, but becomes $moved"; failed=1 ;;
  esac
done <tests/compatibility/headers_of_0_1.txt

sed -E -f docs/from-0.1.sed tests/compatibility/0.1/program.cpp.txt >"$folder/program.cpp"
"$1" -std=c++20 -fsyntax-only -I . "$folder/program.cpp" || failed=1
exit $failed
