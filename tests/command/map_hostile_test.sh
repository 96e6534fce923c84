#!/usr/bin/env bash
# No item of artel map is ever code: hostile and random bytes go through every way out, arrive as they are, and run nothing. Each
# hostile item tries to make a file PWNED. ARTEL_ITEMS=N: so many random ones.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"
artel=$(realpath "$artel")
mkdir "$folder/work"; cd "$folder/work"
items=$folder/items; log=$folder/log; out=$folder/out; err=$folder/err

hostile=('touch PWNED' '$(touch PWNED)' '`touch PWNED`' '; touch PWNED;' '& touch PWNED &' '| touch PWNED' $'\ntouch PWNED\n'
  $'report\n\'; touch PWNED; #.txt' "'; touch PWNED; '" '"; touch PWNED; "' "\\'; touch PWNED; \\'" ') touch PWNED (' '} ; touch PWNED'
  'a[$(touch PWNED)0]' 'x=$(touch PWNED)' '<(touch PWNED)' '${x:-$(touch PWNED)}' '>PWNED' $'$\'; touch PWNED\n' $'\\\ntouch PWNED' '!touch'
  '-n' '--help' '-ctouch PWNED' '' ' ' "it's" '\' '\\' "\\'" "'\\" '*' '~' '%self' '=ls' '#x' 'a=b' '{a,b}' '{}' '{1}' '$x' '"' "'" '!!' '^a^b'
  $'\t' $'\n' $'a\n' $'\r' $'\x01' $'\x1b]0;x\x07' $'\x7f' $'\xc2\x9b31m' $'\xff\xfe' $'\x81\x88' $'\xef\x98\x81' $'\xc3' 'ü€𝄞')
for ((i = 0; i < ${ARTEL_ITEMS:-40}; i++)); do hostile+=("$(head -c $((RANDOM % 30 + 1)) /dev/urandom | tr -d '\0'; echo .)"); done
printf '%s\0' "${hostile[@]}" > "$items"
count=${#hostile[@]}

arrived() {  # arrived WHAT [FILE]: all the items, and nothing was run
  cmp "$items" "${2:-$out}" > "$err.cmp" 2>&1 || { same "$1" 'all bytes' "$(cat "$err.cmp") of $(base64 -w 0 "$items")"; }
  [ ! -e PWNED ] && [ ! -e "$folder/PWNED" ] || { same "$1: runs nothing" 'no file' "PWNED, of $(base64 -w 0 "$items")"; rm -f PWNED "$folder/PWNED"; }
}
no_controls() {  # no_controls WHAT FILE: it can be shown at a terminal
  same "$1: control characters" 0 "$(LC_ALL=C grep -c $'[\x01-\x08\x0b-\x1f\x7f]' "$2" || true)"
}
fails='printf "%s\0" "$1" >> ../got; exit 1'

# ---- A job, a script, a placeholder within a word, several items.
"$artel" map -0 -a "$items" -- printf '%s\0' > "$out"; arrived 'a job'
"$artel" map -0 -a "$items" -- printf '%s\0' {} > "$out"; arrived 'a job with {}'
"$artel" map -0 -a "$items" -X -- printf '%s\0' > "$out"; arrived 'many items'
"$artel" map -0 -a "$items" --shell -- 'printf "%s\0"' > "$out"; arrived 'a script'
"$artel" map -0 -a "$items" --shell -- 'printf "%s\0" {} | cat' > "$out"; arrived 'a script with {}'
"$artel" map -0 -a "$items" --shell -- 'x="$1"; printf "%s\0" "$x"' > "$out"; arrived 'a script with $1'
"$artel" map -0 -a "$items" -n 7 --shell=bash -- 'for x in "$@"; do printf "%s\0" "$x"; done' > "$out"; arrived 'a script for bash'
"$artel" map -0 -a "$items" -- sh -c 'printf "%s\0" {}' > "$out"; arrived 'sh -c with {}'
"$artel" map -0 -a "$items" -- sh -c 'printf "%s\0" "$1"' sh > "$out"; arrived 'sh -c with $1'

# ---- Run again, from the log alone, or with it.
"$artel" map -0 -a "$items" -j 1 --joblog "$log" -- sh -c "$fails" sh 2> "$err" || true
arrived 'jobs that fail' "$folder/got"; no_controls 'jobs that fail' "$err"; no_controls 'the log' <(tr -d '\t' < "$log")
same 'a line for each job' $((count + 1)) "$(wc -l < "$log")"
for round in 1 2; do
  rm "$folder/got"
  "$artel" map -j 1 --joblog "$log" --retry-failed 2> "$err" || true
  arrived "--retry-failed, $round" "$folder/got"
done
"$artel" map --dry-run --joblog "$log" --retry-failed > "$folder/line"
same '--retry-failed --dry-run' "$count" "$(grep -c '^sh -c ' "$folder/line")"
"$artel" map -0 -a "$items" -j 1 --joblog "$log.2" --shell -- "$fails" 2> "$err" && same 'a script that fails' 'a failure' 'none'
rm "$folder/got"
"$artel" map -j 1 --joblog "$log.2" --retry-failed 2> "$err" || true
arrived '--retry-failed of a script' "$folder/got"
"$artel" map -0 -a "$items" -j 1 --joblog "$log.3" -- sh -c '[ -e ../go ] && printf "%s\0" "$1"' sh 2> "$err" || true
touch "$folder/go"
"$artel" map -0 -a "$items" --joblog "$log.3" --resume-failed -- sh -c '[ -e ../go ] && printf "%s\0" "$1"' sh > "$out"; arrived '--resume-failed'
{ head -n 1 "$log"; printf '1\t:\t1.0\t0.1\t0\t0\t1\t0\ttouch PWNED\n2\t:\t1.0\t0.1\t0\t0\t1\t0\ttouch a; touch PWNED\n'; } > "$log.4"
run 2 '' "$log.4:3: column 8 of the command: found \"; touch PWNED\"; expected words" --joblog "$log.4" --retry-failed
[ ! -e PWNED ] || same 'nothing runs of a log with a mistake' 'no file' 'PWNED'
run 2 '' '--retry-failed: the commands are in the log' --joblog "$log" --retry-failed --shell
run 2 '' '--retry-failed: the log has no items for --results' --joblog "$log" --retry-failed --results 'x/{}'

# ---- What is shown can be pasted.
shells=(/bin/sh dash bash 'busybox sh' 'zsh -f' 'fish -N')
have() { type -P "${1%% *}" > /dev/null; }
"$artel" map -0 -a "$items" --dry-run -- /usr/bin/printf '%s\0' > "$folder/line"; no_controls '--dry-run' "$folder/line"
"$artel" map -0 -a "$items" -t -j 1 -- true > "$out" 2> "$err"; no_controls '-t' "$err"
"$artel" map -0 -a "$items" -j 1 -- {} > /dev/null 2> "$err" < /dev/null || true; no_controls 'programs that are not there' "$err"
rm -f PWNED
for shell in "${shells[@]}"; do
  have "$shell" || continue
  for locale in C C.UTF-8; do
    LC_ALL=$locale $shell "$folder/line" > "$out" 2> "$err" || true; arrived "--dry-run, pasted into $shell, $locale"
  done
done

# ---- Names of files, tags, traces.
named=(); for item in "${hostile[@]}"; do [ "${item//\//}" = "$item" ] && named+=("$item"); done
printf '%s\0' "${named[@]}" > "$folder/named"
"$artel" map -0 -a "$folder/named" --results "r/x{}" -- printf '%s\0'
for item in "${named[@]}"; do cat "r/x$item"; done > "$out" || true
cmp "$folder/named" "$out" > "$err" || same 'names of --results' 'all' "$(cat "$err")"
"$artel" map -0 -a "$items" --tag -- sh -c 'echo x' | tr '\n' '\1' > "$out" || true
for item in "${hostile[@]}"; do printf '%s\tx\n' "$item"; done | tr '\n' '\1' | cmp - "$out" > "$err" || same 'tags' 'all' "$(cat "$err")"
"$artel" map -0 -a "$items" --record "$folder/trace" -- printf '%s\0' > "$out"; arrived 'with a trace'
contains 'the trace' "$count done" "$("$artel" trace summary "$folder/trace")"

# ---- A cluster.
if PATH=$PATH:/usr/sbin:/usr/local/bin type -P nats-server > /dev/null; then
  "$artel" map --cluster local -0 -a "$items" -n 3 -- printf '%s\0' > "$out"; arrived 'a cluster'
  "$artel" map --cluster local -0 -a "$items" -n 3 --shell -- 'printf "%s\0" {}' > "$out"; arrived 'a script on a cluster'
fi

# ---- The hint has all that says where and how the jobs run; and it is followed in every shell.
hint() { sed -n 's/^To run them again: artel //p' "$err"; }
"$artel" map -j 2 --retries 1 --timeout 9s --delay 1ms --halt soon,fail=9 --nice 1 --tag --load 999 --memfree 1kB --linger 1s --spill-max 1GB --as-ready \
  --joblog "it's a log" --shell -- 'exit 1; : {}' ::: a > "$out" 2> "$err" || true
same 'the hint' "map --joblog 'it'\\''s a log' --retry-failed --as-ready --delay=1ms --halt=soon,fail=9 --jobs=2 --linger=1s --load=999 --memfree=1kB --nice=1 --retries=1 --spill-max=1GB --tag --timeout=9s" \
  "$(hint | tr ' ' '\n' | awk '/^--/ && n++ > 1 { print | "sort"; next } { printf "%s ", $0 } END { close("sort") }' | tr '\n' ' ' | sed 's/ $//')"
contains 'the hint of blocks' 'the same command and input, with --resume-failed' "$(echo x | "$artel" map --pipe --joblog "$log.5" -- false 2>&1 || true)"
contains 'the hint of --results by item' 'the same command and input, with --resume-failed' "$("$artel" map --results 'q/{}' --joblog "$log.6" -- false ::: a 2>&1 || true)"

[ "$failures" -eq 0 ] || finish
cd - > /dev/null; source "$(dirname "$0")/ssh_hosts.sh"; cd "$folder/work"
"$artel" map -0 -a "$items" -j 1 --ssh alpha --joblog "$log.7" -- sh -c 'printf "%s\0" "$1" >> "$HOME/got"; exit 1' sh 2> "$err" || true
hint > "$folder/hint"
contains 'the hint has --ssh' '--ssh=alpha' "$(cat "$folder/hint")"
for shell in "${shells[@]}"; do
  have "$shell" || continue
  rm -f "$folder/got"
  { printf '%s ' "$artel"; cat "$folder/hint"; } > "$folder/line"
  $shell "$folder/line" 2> "$err" || true
  arrived "the hint, followed in $shell" "$folder/got"
done
same 'all ran there' alpha "$(tail -n +2 "$log.7" | cut -f 2 | sort -u)"
for shell in "${shells[@]}"; do
  have "$shell" || continue
  login_shell "$shell"
  "$artel" map -0 -a "$items" -n 5 -j 2 --ssh login -- printf '%s\0' > "$out"; arrived "ssh to a login shell $shell"
  "$artel" map -0 -a "$items" -n 5 -j 2 --ssh login --shell -- 'printf "%s\0" {} | cat' > "$out"; arrived "a script by ssh to a login shell $shell"
done
finish
