#!/usr/bin/env bash
# What ./dev soak keeps of a part, and for how long it holds: in a folder of its own, with a ./dev that does nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p artel docs bench tests/soak
cp "$here/run.sh" tests/soak/
printf '#!/bin/sh\n[ ! -e fails ] || { echo "a dead link"; exit 1; }\n' >dev
chmod +x dev
echo build >.gitignore
echo fails >>.gitignore
touch artel/pool.cpp docs/pool.md bench/pool.cpp
git init -q && git add . && git -c user.name=x -c user.email=x@x commit -q -m x

fail() { echo "$*"; cat log; exit 1; }
soak() { tests/soak/run.sh "$@" docs >log 2>&1; }
expect() { grep -q -E "$1" log || fail "no line '$1' $2"; }    # expect LINE WHEN

soak --list; expect '^docs +not run yet' 'before the first run'
expect '^Not through with nothing found: docs$' 'before the first run'
soak 1 || fail 'a run that found nothing fails'
expect "^docs +through .* $(git rev-parse --short HEAD) +nothing" 'after a run'
expect '^All of them are through, have found nothing' 'after a run'
touch build/soak/docs.kept
soak 1 && soak --list; expect '^docs +through' 'after a second run'
[ -e build/soak/docs.kept ] || fail 'what is through runs again'

echo more >>bench/pool.cpp
soak --list; expect '^docs +through' 'after a change of what it does not test'
git -c user.name=x -c user.email=x@x commit -q -a -m y
soak --list; expect '^docs +through' 'after a commit of what it does not test'

for change in artel/pool.cpp docs/pool.md docs/new.md; do
  echo more >>"$change"
  soak --list; expect '^docs +changed' "after a change of $change"
  expect '^Not through with nothing found: docs$' "after a change of $change"
  soak 1 || fail "the run after a change of $change fails"
  expect '^docs +through .*-dirty' "after a change of $change and a run"
done
soak 1 && sed -i 's/^done/stopped/' build/soak/docs.state
soak --list; expect '^docs +stopped' 'after a run that was stopped'
touch build/soak/docs.kept
echo more >>docs/pool.md
soak --list; expect '^docs +stopped' 'after a run that was stopped, and a change'
soak 1; expect '^docs +through' 'after it has gone on'
[ ! -e build/soak/docs.kept ] || fail 'a stopped run goes on though a file has changed'

sed -i 's/\t[^\t]*$//' build/soak/docs.state
soak --list; expect '^docs +changed' 'of a result that does not say which files it holds for'

rm artel/pool.cpp
soak --list; expect '^docs +changed' 'after a file is gone'

touch fails
! soak 1 || fail 'a run that found something passes'
expect '^docs +through .* 1:' 'after a finding'
expect 'a dead link' 'after a finding'
expect '^Not through with nothing found: docs$' 'after a finding'
