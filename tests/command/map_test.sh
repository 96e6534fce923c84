#!/usr/bin/env bash
# artel map: items, order, failures, logs, signals, and what it leaves behind.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"

# Items arrive as they are: one argument each.
nasty=$'a b\n it\'s "x"\n-n\n$(touch '"$folder"$'/run)\n`x`;|&*\n\n\\'
run 0 "$(sed 's/.*/<&>/' <<< "$nasty")" '' -- printf '<%s>\n' < <(printf '%s' "$nasty")
run 0 "$(sed 's/.*/<&>/' <<< "$nasty")" '' --shell -- printf "'<%s>\\n'" {} < <(printf '%s' "$nasty")
run 0 "$(sed 's/.*/<&>/' <<< "$nasty")" '' --shell -- 'printf "<%s>\n" "$1"' < <(printf '%s' "$nasty")
run 0 $'<a\nb>\n<-c>' '' -0 -- printf '<%s>\n' < <(printf 'a\nb\0-c\0')
same 'no item was run' '' "$(ls "$folder" | grep -v err || true)"
run 0 $'a\n--help\n{}' '' -- printf '%s\n' {} ::: a --help {}
run 0 '[a,b]' '' -- echo ::: '[a,b]'
run 0 '' '' -- echo < /dev/null
run 0 '' '' -- echo :::

# Placeholders, several items, a file of items, no shell.
run 0 'd/f.x d/f f.x f d 1' '' -- echo {} {.} {/} {/.} {//} {#} ::: d/f.x
run 0 $'1 -x=a -x=b\n2 -x=c' '' -n 2 -- echo {#} -x={} ::: a b c
run 0 $'1\n1' '' -j 1 -- sh -c 'echo $0' {%} ::: a b
printf 'x\ny' > "$folder/items"
run 0 $'x\ny' '' -a "$folder/items" -- echo
run 0 '$HOME | cat' '' -- echo '$HOME' '|' ::: cat
run 0 $'rm \'a b\'\nrm \'c\nd\'' '' --dry-run -- rm ::: 'a b' $'c\nd'
run 0 '' '' -- cat ::: /dev/stdin  # jobs read nothing of ours

# No item is code for a shell, wherever it stands in a script.
mkdir "$folder/v"; ( cd "$folder/v"; touch important data '*'; echo '*' > ../star )
run 0 "removed '*'" '' -a "$folder/star" --shell -- "cd $folder/v; "'out="$(rm -v "$1")"; echo "$out"'
same 'what was not asked to be removed' $'data\nimportant' "$(ls "$folder/v")"
run 0 'a b' '' --shell -- 'echo "$(basename "$1" .txt)"' ::: 'a b.txt'
run 0 'a b' '' --shell -- 'echo "`basename "$1" .txt`"' ::: 'd/a b.txt'
run 0 $'it\'s 4 $x' '' --shell -- $'# don\'t\ncat <<E\n$1 $(($2 * 2)) $3\nE' ::: "it's" ::: 2 ::: '$x'
run 0 'a; touch pw' '' -- bash -c 'echo {}' ::: 'a; touch pw'
run 0 '[a b]' '' --shell=bash -- $'[[ -n $1 ]] && x=("$1") && echo "[${x[0]}]"' ::: 'a b'
run 2 '' 'artel map: column 1 of the script: '\''eval'\'' may read it as code; write "$1"' --shell -- 'eval {}' ::: a
run 2 '' "line 2, column 4 of the script: it stands in quotes; write" --shell -- $'p\np \\{}' ::: a
run 2 '' "'/usr/bin/fish' is no shell whose syntax is known" --shell=/usr/bin/fish -- 'p' ::: a
rm -rf "$folder"/{v,star}

# Several inputs, fields, names, changes to items.
run 0 $'a 1\na 2\nb 1\nb 2' '' -- echo ::: a b ::: 1 2
run 0 $'1-a\n2-b' '' -- echo {2}-{1} ::: a b :::+ 1 2 3
run 0 $'a 1\nb 2\nc 1' '' --link -- echo {} ::: a b c ::: 1 2
printf 'x\ny\n' > "$folder/one"; printf '1\n2\n' > "$folder/two"
run 0 $'x 1\ny 2' '' -- echo :::: "$folder/one" ::::+ "$folder/two"
run 0 $'x 1\nx 2\ny 1\ny 2' '' -a "$folder/one" -a "$folder/two" -- echo
run 0 $'x q\ny q' '' -a - -- echo ::: q < "$folder/one"
run 0 $'b=2 a=1 1' '' --colsep ' +' --header : -- echo b={b} a={a} {-2} < <(printf 'a b\n1   2\n')
run 0 '[x, y] 2' '' --csv --header name,n -- echo '[{name}]' {n} < <(printf '"x, y",2\n')
run 0 'f f2 b' '' -- echo {1/%.tar.gz} {1/\\..*/2/} {2} ::: f.tar.gz ::: b
run 0 $'1\n2' '' -- echo {#} ::: a b
run 0 $'b a\nd c\n e' '' -n 2 -- echo {2} {1} ::: a b c d e
run 0 $'<a {}>\n<c\n {}>' '' -d ';' -I @ -- echo '<@ {}>' < <(printf 'a;c\n')
run 0 $'a\nb' '' -E stop -- echo ::: a b stop c
run 0 $'a\nb' '' ::: 'echo a' 'echo b | cat'
run 0 $'1\n2' '' -j 2 echo {} ::: 1 2
run 2 '' "{2}: there is one input" -- echo {2} ::: a
run 2 '' "{..} is GNU parallel's; here, two extensions:" -- echo {..} ::: a
run 2 '' "--roundrobin: a job reads one block" --roundrobin --pipe cat
run 2 '' "--tee: the input in a file" --tee --pipe cat
run 2 '' "unknown option '--keep' (did you mean" --keep -- echo ::: a
run 0 'a' '' -j 2 -j 3 -k -k -- echo ::: a
run 2 '' ':::+: there is no input before it' -- echo :::+ a

# As many items as a command line takes; what is left is spread over the jobs.
run 0 $'1 2 3\n4 5' '' -j 2 -X -- echo ::: 1 2 3 4 5
run 0 $'a1z a2z\na3z' '' -j 1 -X -s 16 -- echo a{}z ::: 1 2 3
same 'many long items' 5000000 "$(yes "$(head -c 99 /dev/zero | tr '\0' a)" | head -n 50000 | "$artel" map -n 100000 -- echo | tr ' ' '\n' | wc -c)"
run 2 '' 'the command has 5 bytes of the 4' -X -s 4 -- echo ::: 1
run 0 'a 1 2 3 z' '' -j 1 -m -- echo a {} z ::: 1 2 3
run 2 '' '-m: items that share a word' -m -- echo a{}z ::: 1 2 3

# Commands are shown, and asked for.
run 0 $'a\nb c' $'echo a\necho \'b c\'' -j 1 -t -- echo ::: a 'b c'
run 0 $'a' 'echo a' --verbose -- echo ::: a
same '-p needs a terminal' 2 "$(setsid -w "$artel" map -p -- echo ::: a > /dev/null 2>&1 < /dev/null; echo $?)"
if type script > /dev/null 2>&1; then
  asked() { printf '%b' "$1" | script -qec "$artel map -p -j 1 $2" /dev/null | tr -d '\r' | sed -e "/^[yn]\$/d" -e ":a; /\.\.\.[yn]\$/{N; s/\.\.\.[yn]\n/.../; ta}"; }
  contains '-p: yes' $'echo b ?...b' "$(asked 'n\ny\n' '-- echo ::: a b')"
  same '-p: no' 0 "$(asked 'n\nn\n' '-- echo ::: a b' | grep -c '^[ab]$' || true)"
  printf 'y\nn\n' | script -qec "$artel map -p -j 1 --joblog $folder/asked -- echo ::: a b" /dev/null > /dev/null
  same '-p: what was not wanted is not in the log' 1 "$(tail -n +2 "$folder/asked" | cut -f 1)"
fi

# Jobs that read the input, in blocks of whole lines.
run 0 $'4\n4\n2' '' -k --pipe -n 4 -- wc -l < <(seq 10)
run 0 $'1 1 2\n2 3 4' '' --pipe --block 4 --shell -- 'echo {#} $(cat)' < <(seq 4)
same 'all of a large input' "$(seq 200000 | sha256sum)" "$(seq 200000 | "$artel" map -j 3 --pipe --block 20k -- cat | sha256sum)"
run 0 '3' '' --retries 2 --pipe --shell -- "cat >> $folder/blocks; [ \$(wc -l < $folder/blocks) = 3 ] && echo 3" < <(echo x)
run 0 $'3\n2' '' -k --pipe -n 1 --recstart '>' -- wc -l < <(printf '>a\nA\nA\n>b\nB\n')
run 0 $'2\n2' '' -k --pipe -n 1 --recend '\n\n' -- wc -l < <(printf 'a\n\nb\n\n')
run 2 '' '--pipe: which command?' --pipe < /dev/null

# Order: a job waits until the one after it has ended, or is printed.
backwards() { echo "echo \$1; echo \$1 >&2; until [ \$1 = 3 ] || $1; do sleep 0.01; done; : > $folder/ended.\$1"; }
run 0 $'1\n2\n3' $'1\n2\n3' -j 3 --shell -- "$(backwards "[ -e $folder/ended.\$((\$1 + 1)) ]")" ::: 1 2 3
"$artel" map -j 3 --as-ready --shell -- "$(backwards "grep -q \$((\$1 + 1)) $folder/ready")" ::: 1 2 3 > "$folder/ready" 2> /dev/null
same 'as they are ready' $'3\n2\n1' "$(cat "$folder/ready")"
same 'outputs do not mix' "$(for i in 1 2 3 4 5 6; do printf "$i%.0s\n" {1..3000}; done)" \
  "$("$artel" map -j 6 --shell -- 'for x in $(seq 3000); do echo {}; done' ::: 1 2 3 4 5 6)"

# Failures: their number is the exit status, up to 101.
run 2 '' 'artel: 2 of 4 jobs failed:
  job 2, exit status 1: ' --shell -- 'exit {}' ::: 0 1 2 0
run 2 '' $'artel: 2 of 2 jobs failed:\n  job 1, exit status 1: ' -j 2 --shell -- 'sleep {}; exit 1' ::: 1 0
run 101 '' 'and 140 more' -- false {} < <(seq 150)
run 2 '' 'cannot run' -- {} ::: /nonexistent/a "$folder"
run 127 '' "artel: cannot run 'no-such-program': No such file or directory" -- no-such-program ::: a b
run 126 '' "artel: cannot run '/etc/passwd': Permission denied" -- /etc/passwd ::: a b
run 1 $'0\n1' '1 of 2 jobs failed' -j 1 --halt soon --shell -- 'echo {}; exit {}' ::: 0 1 0
run 1 'no' 'job 2, exit status 1' -j 2 --halt now --shell -- '[ {} = no ] && { echo no; exit 1; }; sleep 1000' ::: yes no maybe
run 0 '3' '' --retries 2 --shell -- "echo {} >> $folder/tries; wc -l < $folder/tries; [ \$(wc -l < $folder/tries) = 3 ]" ::: a
run 1 '' 'job 1, timed out' --timeout 200ms --shell -- "sleep 1000 & echo \$! > $folder/pid; wait; : {}" ::: a
[ ! -e "$folder/pid" ] || wait_for gone "$(cat "$folder/pid")"

# Job log and resuming.
log=$folder/log
run 1 $'a\nb\nc' "To run them again: artel map --joblog $log --retry-failed" -j 1 --joblog "$log" --shell -- 'echo {}; [ {} != b ]' ::: a b c
same 'columns of the log' $'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand' "$(head -n 1 "$log")"
same 'what the log says' $'1 : 2 0 0\n2 : 2 1 0\n3 : 2 0 0' "$(tail -n +2 "$log" | cut -f 1,2,6-8 | tr '\t' ' ')"
run 0 'd' '' --joblog "$log" --resume --trust-log -- echo ::: a b c d
run 0 'b' '' --joblog "$log" --resume-failed --trust-log -- echo ::: a b c d
run 0 'e' '' --joblog "$log" --resume-failed --trust-log -- echo ::: a b c d e
printf '9\tcut o' >> "$log"
run 0 'f' '' --joblog "$log" --resume --trust-log -- echo ::: a b c d e f
same 'a line that was cut off is gone' '' "$(grep 'cut o' "$log" || true)"
if type parallel > /dev/null 2>&1; then
  parallel --joblog "$folder/gnu" echo ::: a b > /dev/null 2>&1
  run 0 'c' '' --joblog "$folder/gnu" --resume -- echo ::: a b c
fi
echo nonsense > "$folder/bad"
run 2 '' "$folder/bad: the file holds something other than a job log" --joblog "$folder/bad" --resume -- echo ::: a
"$artel" map --joblog "$folder/bad2" -- true ::: a; echo nonsense >> "$folder/bad2"
run 2 '' "$folder/bad2:3: found 'nonsense'" --joblog "$folder/bad2" --resume -- echo ::: a
run 2 '' '--resume needs the --joblog' --resume -- echo ::: a
run 2 '' '/dev/full: cannot write the job log: No space left' --joblog /dev/full -- echo ::: a

# Outputs into files; a trace; progress.
run 1 '' 'job 2, exit status 1' --results "$folder/results" --shell -- 'echo {}; echo e >&2; exit {}' ::: 0 1
same 'results' $'0\ne\n1\ne' "$(cat "$folder"/results/{1,2}/{stdout,stderr})"
run 255 '' "$folder/items/1/stdout: cannot create: Not a directory" --results "$folder/items" -- echo ::: a
run 0 'a' '' --record "$folder/trace" -- echo ::: a
contains 'a trace' '1 done, 0 failed' "$("$artel" trace summary "$folder/trace")"
contains 'a log as a trace' '6 done, 1 failed' "$("$artel" trace summary "$log")"
run 0 $'a\nb' '[####################] 100% 2 of 2 jobs' --progress -- echo ::: a b

# Consumers that go, disks that are full.
set +o pipefail
start=$SECONDS
seq 1000000 | "$artel" map -- sh -c 'echo $0; sleep 0.1' 2> "$folder/err" | head -n 3 > "$folder/out"
same 'with head: stdout' $'1\n2\n3' "$(cat "$folder/out")"
same 'with head: stderr' '' "$(cat "$folder/err")"
[ $((SECONDS - start)) -lt 30 ] || same 'with head: seconds' 'few' $((SECONDS - start))
set -o pipefail
status=0
message=$("$artel" map -- echo ::: a 2>&1 > /dev/full) || status=$?
same 'a full disk: exit status' 255 "$status"
same 'a full disk' 'artel: cannot write to standard output: No space left on device' "$message"

# Memory is bounded while a slow first job holds back the others' output: 300 MB in 200 MB of address space.
same 'memory behind a slow job' 300000001 "$(limit -v 200000; TMPDIR=$folder "$artel" map -j 2 --shell -- \
  "if [ {} = 0 ]; then while [ ! -e $folder/last ]; do sleep 0.05; done; echo; else head -c 10000000 /dev/zero; fi; [ {} = 30 ] && : > $folder/last; :" \
  < <(seq 0 30) | wc -c)"
same 'no temporary file is left' '' "$(ls "$folder" | grep artel || true)"
status=0
message=$(TMPDIR=/nonexistent "$artel" map -j 2 --shell -- 'head -c 1000000 /dev/zero; : {}' ::: a b 2>&1 > /dev/null) || status=$?
same 'nowhere to put outputs: exit status' 255 "$status"
same 'nowhere to put outputs' 'artel: /nonexistent: cannot create a temporary file: No such file or directory' "$message"

# Signals: two jobs run, one is to come. What `"$@"` does meanwhile happens when they do.
interrupted() {  # interrupted STATUS STDOUT STDERR-PART COMMAND…
  local status=0 out=$1 want=$2 err=$3; shift 3
  rm -f "$folder"/{pid.*,artel,go}
  ( wait_for [ -s "$folder/pid.a" ]; wait_for [ -s "$folder/pid.b" ]; "$@" ) &
  bash -c 'echo $$ > "$1/artel"; shift; exec "$@"' sh "$folder" "$artel" map -j 2 --shell -- \
    "(trap '' TERM; while [ -d $folder -a ! -e $folder/go ]; do sleep 0.02; done) & echo \$! > $folder/pid.\$1; wait; echo \$1" ::: a b c \
    > "$folder/out" 2> "$folder/err" || status=$?
  wait
  same "$*: exit status" "$out" "$status"
  same "$*: stdout" "$want" "$(cat "$folder/out")"
  contains "$*: stderr" "$err" "$(cat "$folder/err")"
  wait_for gone "$(cat "$folder/pid.a")"
  wait_for gone "$(cat "$folder/pid.b")"
  same "$*: the third job" '' "$(ls "$folder" | grep pid.c || true)"
}
send() { kill "$1" "$(cat "$folder/artel")"; }
once() { send -INT; wait_for grep -q Again "$folder/err"; : > "$folder/go"; }
twice() { send -INT; wait_for grep -q Again "$folder/err"; send -INT; }
interrupted 130 $'a\nb' 'waiting for those that run' once
interrupted 130 '' 'waiting for those that run' twice
interrupted 143 '' '' send -TERM

# Nobody reads, nobody waits: Ctrl-C twice ends it all the same.
mkfifo "$folder/fifo"
exec 9<> "$folder/fifo"
( wait_for [ -s "$folder/pid.full" ]; twice ) &
status=0
bash -c 'echo $$ > "$1/artel"; shift; exec "$@"' sh "$folder" "$artel" map -j 2 --shell -- \
  "head -c 1000000 /dev/zero; echo {} > $folder/pid.full" ::: a b c d >&9 2> "$folder/err" || status=$?
wait
exec 9>&-
same 'blocked and interrupted: exit status' 130 "$status"

# Killed outright, it takes the jobs along.
( wait_for [ -s "$folder/pid.killed" ]; send -KILL ) &
status=0
bash -c 'echo $$ > "$1/artel"; shift; exec "$@"' sh "$folder" "$artel" map --shell -- \
  "echo \$\$ > $folder/pid.killed; exec sleep 1000 {}" ::: 1 || status=$?
wait
same 'killed: exit status' 137 "$status"
wait_for gone "$(cat "$folder/pid.killed")"

# With room for a few jobs only, the others wait for it.
same 'few files' "$(seq 200)" "$(limit -n 30; "$artel" map -j 50 -- echo < <(seq 200))"
# A file of hosts is read once: it may be a pipe.
same 'hosts from a pipe' a "$("$artel" map --sshloginfile <(echo :) -- echo ::: a)"
finish
