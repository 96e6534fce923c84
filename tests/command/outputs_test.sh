#!/usr/bin/env bash
# No output of a command opens one of its inputs, under whatever name; no interrupted command replaces a finished result.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# ---- Every option that names a file is an input or an output here; a new one has to be added, and to the cases below.
outputs=' -o,--output --report --stages --perfetto --csv --joblog --record --results '
inputs=' scenario file more log -a,--arg-file --sshloginfile,--slf --scenarios --resume --password-file --token-file --credentials --nkey
  --tls-ca --tls-cert --tls-key --sign-key --trusted-keys --master-keys '
makes_folders=' --save '      # and refuses files that are there
for command in demo simulate plan arena tune check import 'trace summary' calibrate replay map worker top watch; do
  while read -r name; do
    [[ " $outputs $inputs $makes_folders " == *[[:space:]]"$name"[[:space:]]* ]] ||
      { echo "artel $command: is the file of $name an input or an output?"; failures=$((failures + 1)); }
  done < <("$artel" $command --help | sed -n -E 's/^  ([-a-z,]+) (FILE|OUT|TRACE|DIR|FOLDER|LOG|PATH|[A-Za-z]+\.(toml|trace))( .*|$)/\1/p')
done

# ---- Inputs: what they are called, and every way to name one as an output.
cat > "$folder/s.toml" <<'S'
[workload]
arrivals = { kind = "trace" }
trace = { file = "tasks.csv", time = "at" }
service = { expression = "took" }
[pool]
workers = 2
[dispatch]
policies = ["random"]
[run]
replications = 2
[slo]
p99_response = "9 s"
S
{ echo at,took; for i in {1..40}; do echo "$i,0.5"; done; } > "$folder/tasks.csv"
{ echo submitted,started,finished; for i in {1..40}; do echo "$i,$i.1,$i.6"; done; } > "$folder/log.csv"
mkdir "$folder/arena"
sed 's/tasks.csv/..\/&/' "$folder/s.toml" > "$folder/arena/one.toml"
printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n' > "$folder/jobs"     # may be added to
printf '%s\n' items hard soft > "$folder/items"
printf ':\n' > "$folder/hosts"
cat > "$folder/spans.json" <<'S'
{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"spans":[
{"traceId":"1","spanId":"1","kind":2,"startTimeUnixNano":"1000000000","endTimeUnixNano":"1500000000"},
{"traceId":"2","spanId":"2","kind":2,"startTimeUnixNano":"2000000000","endTimeUnixNano":"2500000000"}]}]}]}
S

# refuses INPUT ARGUMENT…: the argument OUT stands for the input, by its own name, by a hard link and by a symbolic one.
refuses() {
  local input=$1 before names name got status word arguments; shift
  before=$(cksum < "$input")
  ln -f "$input" "$folder/hard"
  ln -sf "$input" "$folder/soft"
  names=("$input" "$folder/hard" "$folder/soft")
  for name in "${names[@]}"; do
    arguments=()
    for word; do arguments+=("${word/#OUT/$name}"); done
    status=0
    got=$("$artel" "${arguments[@]}" 2>&1 < /dev/null) || status=$?
    [ "$status" -ne 0 ] || { echo "artel ${arguments[*]}: succeeds"; failures=$((failures + 1)); }
    [[ $got == *'is also an input of this command'* || $got == *'this is the log itself'* ]] ||
      { echo "artel ${arguments[*]}: '$got'"; failures=$((failures + 1)); }
    same "artel ${arguments[*]}: the input" "$before" "$(cksum < "$input")"
  done
  rm -f "$folder/hard" "$folder/soft"
}
for input in "$folder/s.toml" "$folder/tasks.csv"; do
  for output in -o --report; do
    refuses "$input" simulate "$folder/s.toml" "$output" OUT
    refuses "$input" simulate "$folder/s.toml" --json "$output" OUT
    refuses "$input" plan "$folder/s.toml" "$output" OUT
  done
  refuses "$input" tune "$folder/s.toml" --policy 'jsq(d=1..2)' -o OUT
done
for input in "$folder/arena/one.toml" "$folder/tasks.csv"; do
  refuses "$input" arena random central --scenarios "$folder/arena" -o OUT
done
log=$folder/log.csv
refuses "$log" plan "$log" --workers 2 --slo 'p99<9s' -o OUT
refuses "$log" import "$log" -o OUT
refuses "$log" calibrate "$log" --workers 2 -o OUT
refuses "$folder/spans.json" import "$folder/spans.json" --stages OUT
for output in --report --perfetto; do refuses "$log" replay "$log" --workers 2 --replications 0 "$output" OUT; done
for output in --perfetto --csv; do refuses "$log" trace summary "$log" "$output" OUT; done
for output in --joblog --record; do
  refuses "$folder/jobs" map -a "$folder/jobs" "$output" OUT -- true {}
  refuses "$folder/jobs" map "$output" OUT -- true {} :::: "$folder/jobs"
  refuses "$folder/jobs" map --pipe -a "$folder/jobs" "$output" OUT -- cat
done
refuses "$folder/items" map -a "$folder/items" --results "$folder/{}" -- true {}
refuses "$folder/hosts" map --slf "$folder/hosts" --record OUT -- true {} ::: a

# Standard input has a name, too, and so has standard output.
kept=$(cat "$folder/items")
for command in 'map -- true {}' 'map --pipe -- cat' 'simulate -' 'import -'; do
  status=0
  "$artel" $command < "$folder/items" >> "$folder/items" 2> "$folder/message" || status=$?
  [ "$status" -ne 0 ] || { echo "artel $command < items >> items: succeeds"; failures=$((failures + 1)); }
  contains "artel $command < items >> items" 'is also standard output' "$(cat "$folder/message")"
  same "artel $command < items >> items" "$kept" "$(cat "$folder/items")"
done
printf 'before\n' > "$folder/out"
"$artel" simulate "$folder/s.toml" -o /dev/stdout >> "$folder/out"
contains '-o /dev/stdout >> out' before "$(cat "$folder/out")"
contains '-o /dev/stdout >> out' random "$(cat "$folder/out")"
[ -L /dev/stdout ] || { echo '/dev/stdout was replaced'; failures=$((failures + 1)); }

# ---- A file that the user did not name is replaced only if it was written by the same command before.
cp "$log" "$folder/web.csv"
expect 0 '40' '' calibrate "$folder/web.csv" --workers 2 -o "$folder/web.toml"
same 'calibrate WEB.csv -o WEB.toml' "$(cat "$log")" "$(cat "$folder/web.csv")"
expect 0 'central' '' simulate "$folder/web.toml"
expect 0 '40' '' calibrate "$log" --workers 2 -o "$folder/web.toml"      # the pair is its own to replace
echo mine >> "$folder/web.tasks.csv"
expect 2 '40' "$folder/web.tasks.csv: the tasks of 'web.toml' go there, and the file holds something else" \
  calibrate "$log" --workers 2 -o "$folder/web.toml"
same 'a file that was changed' mine "$(tail -n 1 "$folder/web.tasks.csv")"
echo mine > "$folder/other.tasks.csv"
expect 2 '40' "$folder/other.tasks.csv: the tasks of" calibrate "$log" --workers 2 -o "$folder/other.toml"
same 'a file of that name' mine "$(cat "$folder/other.tasks.csv")"
[ ! -e "$folder/other.toml" ] || { echo 'half of a pair was written'; failures=$((failures + 1)); }
echo 'not a job log' > "$folder/notes"
expect 2 '' "$folder/notes: the file holds something other than a job log" map --joblog "$folder/notes" -- true {} ::: a
same 'a file that is no job log' 'not a job log' "$(cat "$folder/notes")"

# ---- An interrupted command replaces no finished result.
# interrupt SECONDS FILE ARGUMENT…: FILE keeps what it has.
interrupt() {
  local seconds=$1 file=$2 status=0; shift 2
  echo finished > "$file"
  timeout --foreground --preserve-status -s INT "$seconds" "$artel" "$@" > "$folder/known" 2> "$folder/message" || status=$?
  same "artel $*, interrupted: exit status" 130 "$status"
  same "artel $*, interrupted: $file" finished "$(cat "$file")"
}
endless=(--set run.tasks=1000000 --set run.replications=500)
for form in '' --csv; do
  interrupt 1 "$folder/result" simulate scenarios/mm8.toml "${endless[@]}" $form -o "$folder/result"
  contains 'not written' "not written: $folder/result" "$(cat "$folder/message")"
  [ -s "$folder/known" ] || { echo 'the part that is known is not printed'; failures=$((failures + 1)); }
done
interrupt 1 "$folder/page.html" simulate scenarios/mm8.toml "${endless[@]}" --report "$folder/page.html"
interrupt 1 "$folder/result.json" simulate scenarios/mm8.toml "${endless[@]}" --json -o "$folder/result.json"
contains 'resumes' "the same command resumes it from $folder/result.partial.json" "$(cat "$folder/message")"
contains 'resumes' '"resume":' "$(grep -o '"resume":' "$folder/result.partial.json")"
interrupt 0.3 "$folder/result" plan scenarios/web-fleet.toml --set run.tasks=10000000 -o "$folder/result"
interrupt 0.3 "$folder/result" arena random central -o "$folder/result"
interrupt 0.3 "$folder/result" tune scenarios/stale-dispatchers.toml --policy 'jsq(d=1..16)' -o "$folder/result"
finish
