#!/usr/bin/env bash
# artel itself, check and completion: what they print where, and their exit status.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/workers = 8/workers = 0/' scenarios/mm8.toml > "$folder/none.toml"
: > "$folder/empty.toml"

expect 0 'artel 0.' '' --version
expect 0 'Exit status: 0' '' --help
expect 0 'Examples:' '' check --help
for name in $("$artel" --help | awk '/^Subcommands:/ { inside = 1; next } /^$/ { inside = 0 } inside { print $1 }'); do
  same "the help of $name ends with something of its own" 0 "$("$artel" "$name" --help | grep -c '^Exit status: 0 done; 1 the work' || true)"
done
expect 2 '' "artel: unknown command 'chekc' (did you mean 'check'?)" chekc
expect 2 '' "artel: unknown option '--swep' (did you mean '--sweep'?)" check --swep=1 x.toml
expect 2 '' 'artel: scenario is required' check

expect 0 'scenarios/mm8.toml: OK' '' check scenarios/*.toml
expect 0 'scenarios/mm8.toml: OK' '' check scenarios/mm8.toml --set pool.workers=16 --sweep run.seed=1..3
expect 2 '' 'none.toml:13:11: pool.workers: found 0, allowed: a whole number from 1 to 100000' check "$folder/none.toml"
expect 2 'scenarios/mm8.toml: OK' 'empty.toml: the scenario is empty' check "$folder/empty.toml" scenarios/mm8.toml
expect 2 '' "'$folder/nothing.toml' does not exist" check "$folder/nothing.toml"
expect 2 '' "'$folder' is a directory" check "$folder"
expect 2 '' '--set workers: found' check scenarios/mm8.toml --set workers
expect 2 '' '--sweep pool.workers=8..4: found' check scenarios/mm8.toml --sweep pool.workers=8..4
expect 2 '' '--set pool.workers=none: pool.workers: found' check scenarios/mm8.toml --set pool.workers=none

status=0
message=$("$artel" check scenarios/mm8.toml 2>&1 >/dev/full) || status=$?
same 'a full disk behind stdout: exit status' 2 "$status"
same 'a full disk behind stdout' 'artel: cannot write to standard output: No space left on device' "$message"
for page in 'man map' 'completion bash' 'map --help'; do
  status=0
  "$artel" $page 2>/dev/null >/dev/full || status=$?
  same "a full disk behind artel $page" 2 "$status"
done

# Messages say who wrote them, but for places in files, which editors read.
expect 2 '' "artel: 'nothing.toml' does not exist" simulate nothing.toml
expect 2 '' 'artel: --halt: found' map --halt x -- echo
expect 2 '' "artel: --report: found '', allowed: a FILE" simulate scenarios/mm8.toml --report ''
expect 2 '' "artel: --results: found '', allowed: a DIR" map --results '' -- echo ::: a
expect 2 '' 'artel: expected a command: up, down' cluster
for option in -v -V --version; do expect 0 'artel ' '' $option; done
if type script > /dev/null 2>&1; then
  same 'help fits its terminal' '' "$(script -qec "stty cols 70; $artel map --help; $artel plan --help" /dev/null < /dev/null | tr -d '\r' | LC_ALL=C.UTF-8 awk 'length > 70')"
fi

commands=$("$artel" --help | awk '/^Subcommands:/ { inside = 1; next } /^$/ { inside = 0 } inside && $1 !~ /^(help|completion|man)$/ { print $1 }')
manuals=$(for command in $commands; do "$artel" man "$command"; done)
same 'a manual page is installed for each command' "$(sort <<<"$commands")" \
  "$(find "$(dirname "$artel")/made" -name 'artel-*.1.gz' -printf '%f\n' | sed -E 's/^artel-(.*)\.1\.gz$/\1/' | sort)"
same 'manual pages have no character that a terminal may lack' '' "$(LC_ALL=C grep -n '[^[:print:][:space:]]' <<<"$manuals")"

expect 2 '' 'artel: shell' completion csh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for shell in bash zsh fish; do
  "$artel" completion $shell > "$folder/$shell"
  command -v $shell > /dev/null || continue
  same "the completion of $shell is read" '' "$($shell -n "$folder/$shell" 2>&1)"
done
source "$folder/bash"
complete_word() {  # complete_word WORD…: what bash would offer for the last one
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _artel
  echo "${COMPREPLY[*]}"
}
same 'completion of a command' 'check' "$(complete_word artel ch)"
same 'completion of a part of a command' 'status' "$(complete_word artel cluster sta)"
same 'completion of what stands by itself' 'bash' "$(complete_word artel completion ba)"
same 'completion of a topic' 'map' "$(complete_word artel help ma | tr ' ' '\n' | grep -x map)"
same 'a completion offers a command once' 1 "$(complete_word artel map -- ech | tr ' ' '\n' | grep -cx echo)"
same 'completion of an option' '--sweep' "$(complete_word artel check --sw)"
same 'readline completes files' '' "$(complete_word artel check scenarios/mm)"
same 'completion of a value' 'never' "$(complete_word artel map --halt ne)"
same 'completion of a system' 'nginx' "$(complete_word artel plan --settings ngi)"
same 'completion of a policy' 'central' "$(complete_word artel arena cen)"
for command in plan tune watch calibrate; do same "completion of a policy of $command" 'rendezvous' "$(complete_word artel $command --policy ren)"; done
same 'completion of a policy of a cluster' 'least_loaded' "$(complete_word artel map --policy least_lo)"
same 'completion of a scaling policy' 'keda' "$(complete_word artel cluster scale --policy ked)"
contains 'completion of a command behind --' 'true' " $(complete_word artel map -- tru) "

# Manual pages.
contains 'a manual page' '.SH EXAMPLES' "$("$artel" man check)"
expect 2 '' "there is no command 'nothing'" man nothing
if command -v man > /dev/null; then
  for name in artel $commands; do
    "$artel" man $name > "$folder/artel-$name.1"
    same "man has nothing to say against $name" '' \
      "$(MANROFFSEQ='' MANWIDTH=200 man --warnings -E UTF-8 -l -Tutf8 -Z "$folder/artel-$name.1" 2>&1 > /dev/null)"
  done
  contains 'an option in the manual' '--delimiter CHAR' "$(man -l "$folder/artel-map.1" | col -b)"
fi
finish
