#!/usr/bin/env bash
# artel map: how jobs start, end, print and are logged.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"
log=$folder/log

# ---- What is in the log has been printed: a slow first job holds back the others' output.
lines='echo $1 >> $RUNS; [ $1 = 1 ] && while [ ! -e $GO ]; do sleep 0.02; done; echo $1; : > $OVER.$1'
export GO=$folder/go OVER=$folder/over RUNS=$folder/runs
hold() {  # hold SIGNAL COMMAND…: artel, until the other jobs are over; then the signal
  local signal=$1 job; shift
  rm -f "$folder"/{go,over.*,log,runs}
  env --default-signal "$artel" map -j 2 --joblog "$log" "$@" > "$folder/out" 2> /dev/null &
  local artel_pid=$!
  for job in 2 3 4; do wait_for [ -e "$folder/over.$job" ]; done
  kill "-$signal" "$artel_pid"
  wait "$artel_pid" 2> /dev/null || true
  : > "$GO"
}
for signal in KILL TERM QUIT; do  # what has ended is kept, and its job does not run again
  hold $signal --shell -- "$lines" ::: 1 2 3 4
  same "SIG$signal: stdout and log" 1 "$(cat "$folder/out" "$log" | wc -l)"
  same "SIG$signal: a dry run shows what is left" 0 \
    "$("$artel" map --joblog "$log" --resume --dry-run --shell -- "$lines" ::: 1 2 3 4 | grep -c ' sh [23]$')"
  run 0 $'1\n2\n3\n4' '' -j 2 --joblog "$log" --resume --shell -- "$lines" ::: 1 2 3 4
  same "SIG$signal: what had ended has not run again" $'2\n3' "$(grep -x '[23]' "$RUNS")"
  same "SIG$signal: nothing is left" '' "$(ls "$folder" | grep unprinted || true)"
done

# A job that takes its time to end is not in the log, so its output is not printed when its turn comes.
for signal in TERM QUIT; do
  rm -f "$folder"/{go,over.*,log}
  env --default-signal "$artel" map -j 2 --joblog "$log" --shell -- \
    'if [ $1 = 1 ]; then while [ ! -e $GO ]; do sleep 0.02; done; fi; trap "" TERM; echo $1; : > $OVER.$1; sleep 1' ::: 1 2 \
    > "$folder/out" 2> /dev/null & stopped=$!
  wait_for [ -e "$OVER.2" ]
  kill "-$signal" $stopped
  wait $stopped 2> /dev/null || true
  same "SIG$signal: a job that lingers" "$(tail -n +2 "$log" | cut -f 1)" "$(cat "$folder/out")"
done

# Kept outputs that take more than --spill-max.
rm -f "$RUNS"
hold KILL --shell -- "$lines; [ \$1 = 1 ] || head -c 300000 /dev/zero" ::: 1 2 3 4
same 'kept outputs above --spill-max' 900008 "$(timeout 20 "$artel" map -j 1 --joblog "$log" --resume --spill-max 100kB --shell -- \
  "$lines; [ \$1 = 1 ] || head -c 300000 /dev/zero" ::: 1 2 3 4 | wc -c)"

# A reader that goes: what it has not taken is not in the log.
rm -f "$log"
set +o pipefail
"$artel" map -j 1 --joblog "$log" --shell -- 'echo {}; sleep 0.1' ::: {1..100} | { read -r one; echo "$one"; sleep 0.3; } > "$folder/out"
set -o pipefail
same 'the reader took one line' 1 "$(cat "$folder/out")"
"$artel" map -j 4 --joblog "$log" --resume --shell -- 'echo {}; sleep 0.1' ::: {1..100} > "$folder/rest"
taken=$((100 - $(wc -l < "$folder/rest")))
same 'the rest is printed by the run that resumes' "$(seq $((taken + 1)) 100)" "$(cat "$folder/rest")"

# A full disk.
rm -f "$log"
"$artel" map -j 1 --joblog "$log" -- echo ::: a b c > /dev/full 2> /dev/null || true
run 0 $'a\nb\nc' '' --joblog "$log" --resume -- echo ::: a b c

# Limits of the shell: a message that names them.
status=0
(limit -f 8; "$artel" map -- seq ::: 9999 9999 > "$folder/out" 2> "$folder/err") || status=$?
grep -q __asan_init "$artel" || {
  same 'ulimit -f: exit status' 255 $status
  contains 'ulimit -f' 'cannot write to standard output: File too large' "$(cat "$folder/err")"
  same 'ulimit -f: jobs have the usual SIGXFSZ' 25 "$("$artel" map --joblog "$folder/limits" -- sh -c 'ulimit -f 1; exec seq "$1" > "$0"' "$folder/out" ::: 99999 2> /dev/null || cut -f 8 "$folder/limits" | tail -n 1)"
  for files in 4 8; do
    status=0
    (exec 3>&- 4>&- 5>&-; limit -n $files; exec "$artel" map -- echo ::: a) > "$folder/out" 2> "$folder/err" || status=$?
    same "ulimit -n $files: exit status" 255 $status
    contains "ulimit -n $files" "a process may have $files files open (ulimit -n)" "$(cat "$folder/err")"
  done
}
for closed in '' '-a -' '--pipe'; do
  status=0
  "$artel" map $closed -- cat <&- > "$folder/out" 2> "$folder/err" || status=$?
  same "closed stdin, '$closed'" '2 0' "$status $(wc -c < "$folder/out")"
  contains "closed stdin, '$closed'" 'standard input: it is closed' "$(cat "$folder/err")"
done
run 0 a '' -- echo ::: a <&-

# ---- One log, one run, one input.
run 255 '' 'job 2 of the log had another command' --joblog "$log" --resume -- echo ::: a x c d
run 255 '' 'job 1 of the log had another command' --joblog "$log" --resume -- rm -f ::: a b c
run 0 'd' '' --joblog "$log" --resume --trust-log -- echo ::: a x c d
run 0 "$(seq 2)" '' --joblog "$folder/log2" -j 1 --shell -- ': {}; echo {%}{#} | cut -c 2' ::: a b
run 0 3 '' --joblog "$folder/log2" --resume -j 1 --shell -- ': {}; echo {%}{#} | cut -c 2' ::: a b c
rm -f "$GO"
"$artel" map --joblog "$log" --shell -- ': > $OVER.begun; while [ ! -e $GO ]; do sleep 0.02; done; : {}' ::: 1 > /dev/null & first=$!
wait_for [ -e "$OVER.begun" ]
run 2 '' 'another run is writing this job log' --joblog "$log" -- echo ::: a
: > "$GO"
wait "$first"

# A run that is killed together with its guard: the next one waits until its jobs have gone. For a daemon that is left by a run whose
# guard was there, it does not.
killed() {  # killed SCRIPT: a run with a job of this script, which says when it has begun
  rm -f "$log" "$OVER.begun"
  "$artel" map --joblog "$log" --shell -- "$1" ::: a > /dev/null 2>&1 & first=$!
  wait_for [ -e "$OVER.begun" ]
}
killed ': > $OVER.begun; sleep 2; echo end >> $RUNS; : "$1"'
: > "$RUNS"
pkill -KILL -P $first -x job-guard
kill -KILL $first
wait $first 2> /dev/null || true
run 0 a '' --joblog "$log" --resume --trust-log --shell -- 'echo begin >> $RUNS; echo {}' ::: a
same 'an attempt begins when the one before has gone' $'end\nbegin' "$(cat "$RUNS")"
killed '(setsid sh -c "echo \$\$ > $OVER.daemon; exec sleep 1000" &); while [ ! -s $OVER.daemon ]; do sleep 0.02; done; : > $OVER.begun; sleep 1000; : "$1"'
kill -KILL $first
wait $first 2> /dev/null || true
run 0 a '' --joblog "$log" --resume --trust-log -- echo ::: a
kill "$(cat "$OVER.daemon")"

# The failed ones again, with the log's commands.
rm -f "$log"
run 2 '' 'To run them again' --joblog "$log" --shell -- 'test -e "$GO.$1"' ::: a 'b c' > "$folder/out"
: > "$GO.a"; : > "$GO.b c"
run 0 '' '' --joblog "$log" --retry-failed
run 0 '' '' --joblog "$log" --retry-failed
same 'the log after that' 4 "$(tail -n +2 "$log" | wc -l)"

# ---- Streams and late writers.
mkfifo "$folder/pipe"
rm -f "$GO"
"$artel" map --shell -- 'echo first; while [ ! -e $GO ]; do sleep 0.02; done; echo {}' ::: last > "$folder/pipe" & streaming=$!
exec 8< "$folder/pipe"
read -r -u 8 -t 30 line
same 'the job in turn is heard while it runs' first "$line"
: > "$GO"
read -r -u 8 -t 30 line
same 'and to its end' last "$line"
wait "$streaming"
exec 8<&-
same 'a stream takes no disk' 300000000 "$(TMPDIR=$folder limit -f 100; TMPDIR=$folder "$artel" map --shell -- 'head -c 300000000 /dev/zero; : {}' ::: 1 | wc -c)"
run 0 $'early\nlate a\nearly\nlate b' '' -j 1 --shell -- '(sleep 0.3; echo late {}) & echo early' ::: a b
run 0 8000 '' -- bash -c 'exec > >(cat); seq 8000 | tail -n "$1"' x ::: 1
[ "$("$artel" map --linger 100ms --shell -- 'sleep 1000 & echo $!; : {}' ::: a)" -gt 1 ]

# Outputs that cannot be printed yet have a bound: jobs wait, and none is lost.
same 'a bounded spill' "$(seq 1 6 | sed 's/.*/1000000/')" "$("$artel" map -j 6 --spill-max 300kB --shell -- \
  '[ {} = 1 ] && sleep 0.5; head -c 999999 /dev/zero | tr "\0" {}; echo' ::: 1 2 3 4 5 6 | while IFS= read -r line; do echo $((${#line} + 1)); done)"
same 'a bounded spill, as ready' 6000000 "$("$artel" map -j 6 --as-ready --spill-max 100kB --shell -- \
  'head -c 500000 /dev/zero; head -c 500000 /dev/zero >&2; : {}' ::: 1 2 3 4 5 6 2>&1 | wc -c)"

# ---- How outputs are printed.
run 0 $'a\t1\na\t2\nb\t1\nb\t2' '' --tag --shell -- 'echo 1; echo 2; : {}' ::: a b
run 0 $'1:a\tx\n2:b\tx' '' --tagstring '{#}:{}' --shell -- 'echo x; : {}' ::: a b
run 0 $'x' $'y' -u --shell -- 'echo x; echo y >&2; : {}' ::: a
rm -f "$GO"
run 0 $'b\na' '' -j 2 --line-buffer --shell -- 'if [ {} = a ]; then while [ ! -e $GO ]; do sleep 0.02; done; else : > $GO.b; fi; echo {}; [ {} = a ] || : > $GO' ::: a b
same 'lines do not mix' "$(for i in 1 2 3 4; do printf "$i%.0s" {1..300}; echo; done)" \
  "$("$artel" map -j 4 --line-buffer --shell -- 'for x in $(seq 50); do for y in $(seq 300); do printf %s {}; done; echo; done' ::: 1 2 3 4 | sort -u)"
run 0 '' '' --results "$folder/r/{/.}.txt" --shell -- 'echo {}; echo e >&2' ::: d/a.x d/b.x
same 'results by item' $'d/a.x\nd/b.x\ne\ne' "$(cat "$folder"/r/{a,b}.txt "$folder"/r/{a,b}.txt.err)"
same 'files' $'a\nb' "$(TMPDIR=$folder "$artel" map --files -- echo ::: a b | xargs cat)"

# ---- How jobs start and end.
run 3 '' '3 of 3 jobs failed' -j 1 --halt soon,fail=3 -- false ::: 1 2 3 4 5 6
run 0 '' '' -j 1 --halt now,success=2 -- true ::: 1 2 3 4
run 0 $'1\n2' '' -j 1 --halt soon,done=2 -- echo ::: 1 2 3 4
run 3 '' '3 of 6 jobs' -j 1 --halt soon,fail=50% --shell -- 'test {} = 0' ::: 0 1 0 1 0 1 0 1
run 2 '' "found 'later'" --halt later -- echo ::: a
run 0 "$(seq 50)" '' -j 0 -- echo < <(seq 50)
run 0 a '' -j 100% -- echo ::: a
run 0 a '' -j +1 -- echo ::: a
run 2 '' '--jobs: found' -j many -- echo ::: a
echo 1 > "$folder/jobs"
rm -f "$GO"
run 0 $'1\n2\n3' '' -j "$folder/jobs" --shell -- '[ {} = 1 ] && { echo 2 > '"$folder"'/jobs; while [ ! -e $GO ]; do sleep 0.02; done; }; [ {} = 2 ] && : > $GO; echo {}' ::: 1 2 3
run 1 '' 'timed out' --timeout 0.2 -- sleep ::: 100
for time in 1h30m 2.5 90s 1d3.5h; do run 0 a '' --timeout $time -- echo ::: a; done
for option in --timeout --delay --linger; do
  for time in inf nan -1 1h30 30m1x m 1e9d; do run 2 '' "$option: found '$time'; expected a time" $option=$time -- echo ::: a; done
done
run 2 '' "found '0'; expected a time above 0" --timeout 0 -- echo ::: a

# What a job has started in process groups of its own ends with it; what its parent has left behind is a daemon.
tree='setsid -w sh -c "echo \$\$ >> $PIDS; exec sleep 1000" & timeout 1000 sh -c "echo \$\$ >> $PIDS; exec sleep 1000" &
  (setsid sh -c "echo \$\$ > $PIDS.daemon; exec sleep 1000" &)
  trap "" TERM; bash -mc "sleep 1000 & echo \$! >> $PIDS; wait" & wait; : "$1"'
export PIDS=$folder/pids
alive() { local pid; for pid in $(cat "$@"); do gone "$pid" || echo "$pid"; done; }
begun() { [ -s "$PIDS.daemon" ] && [ "$(cat "$PIDS" | wc -l)" = 3 ]; }
for end in timeout TERM Ctrl-C; do
  rm -f "$PIDS"*
  case $end in timeout) options='--timeout 2' ;; *) options= ;; esac
  env --default-signal "$artel" map $options --shell -- "$tree" ::: a > /dev/null 2>&1 & ending=$!
  wait_for begun
  case $end in
    TERM) kill -TERM $ending ;;
    Ctrl-C) kill -INT $ending; sleep 0.2; kill -INT $ending ;;
  esac
  wait $ending || true
  same "$end: all that the job has started has ended" '' "$(alive "$PIDS")"
  same "$end: but not the daemon" "$(cat "$PIDS.daemon")" "$(alive "$PIDS.daemon")"
  kill "$(cat "$PIDS.daemon")"
done

# artel alone is stopped: a job that ended meanwhile has not timed out.
rm -f "$OVER".*
rm -f "$GO"
"$artel" map --timeout 1 --shell -- ': > $OVER.begun; while [ ! -e $GO ]; do sleep 0.02; done; : > $OVER.ended; : {}' ::: a 2> "$folder/err" & stopped=$!
wait_for [ -e "$OVER.begun" ]
kill -STOP $stopped
: > "$GO"
wait_for [ -e "$OVER.ended" ]
sleep 1.2  # the time that it must not take for the job's
kill -CONT $stopped
wait $stopped || same 'a job that ended while artel was stopped' '' "$(cat "$folder/err")"
run 0 19 '' --nice 19 --shell -- 'nice; : {}' ::: a
run 0 $'a\nb' '' --load 1000 --memfree 1MB --delay 10ms -- echo ::: a b
run 2 '' '--load' --load x -- echo ::: a
run 2 '' "--memfree: found '99TB'; expected less than the memory of this machine" --memfree 99TB -- echo ::: a

# ---- Standard files and $TMPDIR are looked at first.
status=0
message=$("$artel" map -- echo ::: a 2>&1 >&-) || status=$?
same 'stdout is closed: exit status' 255 "$status"
contains 'stdout is closed' 'standard output is closed' "$message"
TMPDIR=/nonexistent run 255 '' '/nonexistent: cannot create a temporary file' -- touch "$folder/started" {} ::: a
[ ! -e "$folder/started" ] || same 'no job was started' 'no file' 'a file'

# ---- Ctrl-Z stops the jobs, and their time does not run meanwhile.
rm -f "$folder"/ticks
"$artel" map --timeout 5 --shell -- 'i=0; while [ $i -lt 40 ]; do echo >> '"$folder"'/ticks; sleep 0.05; i=$((i + 1)); done; echo {}' ::: done > "$folder/out" & ticking=$!
wait_for [ -s "$folder/ticks" ]
kill -TSTP $ticking
wait_for sh -c "grep -q '^State:.T' /proc/$(pgrep -P $ticking -x sh)/status"
before=$(wc -l < "$folder/ticks")
sleep 0.4
after=$(wc -l < "$folder/ticks")
[ $((after - before)) -le 1 ] || same 'jobs stop at Ctrl-Z' "$before" "$after"
kill -CONT $ticking
wait $ticking
same 'and go on' 'done' "$(cat "$folder/out")"
# However soon the terminal lets artel go on.
"$artel" map -j 60 --shell -- 'sleep 2; : {}' ::: {1..60} & ticking=$!
wait_for pgrep -P $ticking -x sh > /dev/null
for i in {1..60}; do
  kill -TSTP $ticking || break
  for ((j = RANDOM % 300; j > 0; j--)); do :; done
  kill -CONT $ticking
  sleep 0.01
done
wait_for gone $ticking
kill -CONT $ticking 2> /dev/null || true
wait $ticking

# ---- At a terminal: who asks there is told, and has it with --tty.
if type script > /dev/null 2>&1; then
  terminal() { script -qec "$1" /dev/null < /dev/null; }
  contains 'a job that wants the terminal' 'job 1 wants the terminal' \
    "$(terminal "$artel map --shell -- 'read x < /dev/tty; echo {}' ::: a")"
  contains 'a job that has the terminal' 'it is a terminal' \
    "$(terminal "$artel map --tty --shell -- 'test -t 0 && test -t 1 && echo it is a terminal; : {}' ::: a")"
  same 'a bar fits its terminal' '' "$(terminal "stty cols 30; $artel map --progress --shell -- 'sleep 0.3; : {}' ::: a b c" | tr '\r' '\n' | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' | awk 'length > 30' | grep -v failed || true)"
fi
finish
