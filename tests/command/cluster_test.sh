#!/usr/bin/env bash
# A cluster of commands: a server of our own, workers, artel map --cluster, artel cluster.
set -euo pipefail
. "$(dirname "$0")/expect.sh"
artel=$(realpath "$artel")
folder=$(mktemp -d)
started=()
stop() {
  kill "${started[@]}" $(jobs -p) 2>/dev/null || true
  kill -CONT $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$folder"
}
trap stop EXIT
PATH=$PATH:/usr/sbin      # where Debian puts nats-server

# until COMMAND…: waits until it succeeds.
until_ok() {
  local deadline=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || { echo "gave up waiting for: $*"; exit 1; }
    sleep 0.02
  done
}

# ---- Without a server
expect 2 '' 'which cluster' cluster status
expect 2 '' 'unknown option' worker --clustre nats://a
expect 2 '' "'@'" worker --allow-commands --allow-unsigned --cluster nats://ann:sesame@127.0.0.1
same "a secret in an address is not shown" 0 "$("$artel" worker --cluster nats://ann:sesame@a 2>&1 | grep -c sesame)"
expect 2 '' 'letters, digits' cluster status --cluster nats://a --pool a.b
expect 2 '' 'gone with the command' cluster status --cluster local
expect 2 '' 'workers of its own' worker --allow-commands --allow-unsigned --cluster local
expect 1 '' 'no server answers' worker --allow-commands --allow-unsigned --cluster nats://127.0.0.1:1
expect 1 '' 'no server answers' cluster status --cluster nats://127.0.0.1:1
expect 2 '' 'unknown option' simulate scenarios/mm8.toml --cluster nats://127.0.0.1:1
expect 255 '' 'no server answers' map --cluster nats://127.0.0.1:1 -- echo ::: a
expect 2 '' 'slots' map --cluster local -- echo '{%}' ::: a
same 'with few files jobs wait for others' "$(seq 12)" "$(ulimit -n 40; seq 12 | "$artel" map --cluster local -j 6 -- sh -c 'sleep 0.1; echo $0' 2>&1)"
same 'an output larger than a message' 20000000 "$("$artel" map --cluster local -- head -c {} /dev/zero ::: 20000000 | wc -c)"
expect 2 '' '--halt soon' map --cluster local --halt now -- echo ::: a
expect 2 '' '--results' map --cluster local --results "$folder/r" -- echo ::: a
expect 2 '' '--record' map --cluster local --record "$folder/r" -- echo ::: a
expect 0 'echo a' '' map --cluster nats://127.0.0.1:1 --dry-run -- echo ::: a
contains "completion" '--allow-commands' "$("$artel" completion bash)"

# ---- A cluster of its own
same "outputs in order" "$(seq 300 | md5sum)" "$(seq 300 | "$artel" map --cluster local -j 2 -- echo | md5sum)"
same "outputs as they come" "$(seq 100 | md5sum)" \
  "$(seq 100 | "$artel" map --cluster local --as-ready -n 3 -- printf '%s\n' | sort -n | md5sum)"
expect 2 'out1' 'err2' map --cluster local -j 1 --shell -- 'echo out{}; echo err{} >&2; test {} = 2' ::: 1 2 3
expect 1 '' "cannot run 'no-such-program'" map --cluster local -j 1 -- no-such-program ::: a
expect 1 '' 'timed out' map --cluster local -j 1 --timeout 50ms -- sleep ::: 100
expect 0 'third' '' map --cluster local -j 1 --retries 3 --shell -- \
  ": {}; echo x >>$folder/tries; [ \$(wc -l <$folder/tries) -eq 3 ] && echo third; [ \$(wc -l <$folder/tries) -ge 3 ]" ::: a
expect 1 '' 'jobs failed' map --cluster local -j 1 --halt soon --joblog "$folder/log" -- test x = ::: y x x x x x x x x x x x x x x x x x x x x x x x
[ "$(wc -l <"$folder/log")" -lt 25 ] || { echo "--halt soon went on to the end"; failures=$((failures + 1)); }
expect 0 '' '' map --cluster local -j 2 --joblog "$folder/log" --resume-failed -- test x = ::: x x x x x x x x x x x x x x x x x x x x x x x x
same "a resumed log has every job" 24 "$(tail -n +2 "$folder/log" | awk '$7 == 0 { print $1 }' | sort -un | wc -l)"

# A signal ends it, after what is printed whole.
seq 500 | "$artel" map --cluster local -j 2 --shell -- 'sleep 0.02; echo {}' >"$folder/out" 2>"$folder/err" &
map=$!
until_ok test -s "$folder/out"
kill -TERM $map
status=0
wait $map || status=$?
same "artel map at SIGTERM" 143 $status
same "what it printed" "$(seq 500 | grep -xFf "$folder/out")" "$(cat "$folder/out")"

# A long job does not keep it: by a signal, by Ctrl-C twice; no more jobs are started then. Nor does a reader that pauses.
long="sleep 300.$$"  # nobody else's
ended() {  # ended STATUS SIGNAL…: with jobs that would take minutes
  local expected=$1 status=0 begun=$SECONDS signal before; shift
  rm -f "$folder"/started.*
  env --default-signal "$artel" map --cluster local -j 2 --shell -- ": > $folder/started.{}; head -c 300000 /dev/zero; exec $long" \
    ::: 1 2 3 4 5 6 >&9 2>"$folder/err" &
  map=$!
  until_ok sh -c "[ \$(ls $folder | grep -c started) = 2 ]"
  before=$(ls "$folder" | grep started)
  for signal in "$@"; do
    kill "-$signal" $map
    [ "$signal" != INT ] || until_ok grep -q Again "$folder/err"
  done
  wait $map || status=$?
  same "artel map --cluster local at $*" "$expected" $status
  [ $status = "$expected" ] || cat "$folder/err"
  [ $((SECONDS - begun)) -lt 60 ] || same "seconds at $*" few $((SECONDS - begun))
  same "no more jobs are started at $*" "$before" "$(ls "$folder" | grep started)"
  same "no folder is left at $*" '' "$(ls "$folder" | grep artel-nats || true)"
  until_ok sh -c "! pgrep -f '^$long\$' >/dev/null"
}

# Ctrl-Z stops the jobs of workers that are here.
"$artel" map --cluster local --shell -- 'i=0; while [ $i -lt 40 ]; do echo >> '"$folder"'/ticks; sleep 0.05; i=$((i + 1)); done; echo {}' ::: done > "$folder/out" & map=$!
until_ok test -s "$folder/ticks"
kill -TSTP $map
stands() {  # the job makes no more ticks
  local before
  before=$(wc -l < "$folder/ticks")
  sleep 0.4
  [ "$(wc -l < "$folder/ticks")" = "$before" ]
}
until_ok stands
[ "$(wc -l < "$folder/ticks")" -lt 40 ] || same 'jobs stop at Ctrl-Z' 'fewer than 40 ticks' "$(wc -l < "$folder/ticks")"
kill -CONT $map
wait $map
same 'and go on' 'done' "$(cat "$folder/out")"

# The log has their host, their lines the tag.
expect 0 $'a\tx\nb\tx' '' map --cluster local --joblog "$folder/hosts" --tag --shell -- 'echo x; : {}' ::: a b
same 'hosts in the log' "$(hostname)" "$(tail -n +2 "$folder/hosts" | cut -f 2 | sort -u)"
mkfifo "$folder/fifo"
exec 9<>"$folder/fifo"
export TMPDIR=$folder
ended 143 TERM
ended 129 HUP
ended 131 QUIT
ended 130 INT INT
"$artel" map --cluster local -- sleep ::: 300 & map=$!
until_ok sh -c "ls $folder | grep -q artel-nats"
kill -9 $map
wait $map 2>/dev/null || true
until_ok sh -c "! ls $folder | grep -q artel-nats"
unset TMPDIR
exec 9>&-

# ---- A server with a token, and workers of two kinds
printf 'listen: 127.0.0.1:-1\njetstream { store_dir: "%s" }\nauthorization { token: sesame }\n' "$folder/js" >"$folder/conf"
nats-server -c "$folder/conf" --ports_file_dir "$folder" >"$folder/server" 2>&1 &
server=$!
started+=($server)
ports=$folder/nats-server_$server.ports
until_ok test -s "$ports"
url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' "$ports" | head -n 1)
echo sesame >"$folder/token"
access=(--cluster "$url" --token-file "$folder/token")

expect 1 '' 'refuses' cluster status --cluster "$url"
expect 0 '0 workers' '' cluster status "${access[@]}" --window 50ms
expect 0 '"schema": "artel.cluster.status/1"' '' cluster status "${access[@]}" --window 50ms --json

expect 2 '' '--allow-commands' worker "${access[@]}"
expect 0 'no dead letters' '' cluster dead "${access[@]}"
(cd "$folder" && ARTEL_CLUSTER_TOKEN=sesame exec "$artel" worker --cluster "$url" -j 1 --allow-commands --allow-unsigned 2>plain) &
plain=$!
started+=($plain)
until_ok grep -q ' runs ' "$folder/plain"
same "the token is not in the environment of a worker that runs" 0 "$(tr '\0' '\n' <"/proc/$plain/environ" | grep -c sesame)"
kill $plain
wait $plain || { echo "a worker that was told to leave failed"; failures=$((failures + 1)); }
contains "the worker's last words" ' left: 0 chunks done' "$(cat "$folder/plain")"

"$artel" worker "${access[@]}" -j 2 --allow-commands --allow-unsigned --metrics 127.0.0.1:0 2>"$folder/allowed" &
allowed=$!
started+=($allowed)
until_ok grep -q 'artel.command' "$folder/allowed"
# Masters say what an old server means, too; of a new one there is nothing to say.
note='nats-server 2'
printf '2.9.12\n%s\n' "$(nats-server --version | sed 's/.*v//')" | sort -VC && note=''
expect 0 'hello' "$note" map "${access[@]}" -- echo ::: hello
same "a command does not see the token" 0 \
  "$(ARTEL_CLUSTER_TOKEN=sesame "$artel" map --cluster "$url" --shell -- 'env; cat /proc/$PPID/cmdline #' ::: a | grep -c sesame)"
until_ok sh -c "'$artel' cluster status ${access[*]} --window 50ms | grep -q '1 worker'"

# What Prometheus reads: the names of docs/cluster-operation.md, no others.
if ! grep -q 'without prometheus-cpp' "$folder/allowed"; then
  scrape() {  # scrape FILE: what is served by whoever has written that
    local port
    port=$(sed -n 's/.*metrics: http:.*:\([0-9]*\)\/metrics$/\1/p' "$1")
    exec 8<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /metrics HTTP/1.0\r\n\r\n' >&8
    cat <&8
    exec 8>&-
  }
  named() { grep -o "\`artel_$1_[a-z_]*\`" docs/cluster-operation.md | tr -d '\`' | sort -u; }
  served() { sed -n 's/^# TYPE \(artel_[a-z_]*\) .*/\1/p' | sort -u; }
  scrape "$folder/allowed" >"$folder/page"
  same "metrics of a worker" "$(named worker)" "$(served <"$folder/page")"
  contains "what a worker has done" 'artel_worker_chunks_done_total{' "$(grep ' [1-9][0-9]*\r*$' "$folder/page")"
  "$artel" map "${access[@]}" --metrics 127.0.0.1:0 --shell -- "until [ -e $folder/scraped ]; do sleep 0.05; done; : {}" ::: a 2>"$folder/master" &
  map=$!
  until_ok grep -q '/metrics' "$folder/master"
  until_ok sh -c "'$artel' cluster status ${access[*]} --window 10ms --json | grep -q '\"running\": 1'"
  scrape "$folder/master" >"$folder/page"
  : >"$folder/scraped"
  wait $map
  same "metrics of a master" "$(named master)" "$(served <"$folder/page")"
  contains "what a master has sent" 'artel_master_chunks_issued_total{pool="artel"} 1' "$(cat "$folder/page")"
  expect 1 '' 'cannot listen' worker "${access[@]}" --allow-commands --allow-unsigned --metrics "${url#nats://}"
  expect 2 '' 'not an address' worker "${access[@]}" --allow-commands --allow-unsigned --metrics nowhere
fi
expect 2 '' '--metrics' map --metrics :9464 -- echo ::: a

# Commands of those who sign them alone.
expect 2 '' 'whose commands' worker "${access[@]}" --allow-commands
"$artel" cluster key "$folder/ann.key" >"$folder/masters.pub"
same "nobody else reads a key" 600 "$(stat -c %a "$folder/ann.key")"
expect 1 '' 'File exists' cluster key "$folder/ann.key"
"$artel" worker "${access[@]}" --pool signed -j 1 --allow-commands --trusted-keys "$folder/masters.pub" 2>"$folder/signed" &
started+=($!)
until_ok grep -q 'artel.command' "$folder/signed"
expect 255 '' 'signed orders only' map "${access[@]}" --pool signed -- echo ::: a
expect 0 'hello' "$note" map "${access[@]}" --pool signed --sign-key "$folder/ann.key" -- echo ::: hello
expect 2 '' 'named twice' cluster remove signed "${access[@]}" --pool other
expect 0 '' "removed pool 'signed'" cluster remove signed "${access[@]}"
expect 1 '' "no pool 'signed'" cluster remove "${access[@]}" --pool signed

# Workers that have what not all have.
for tags in gpu gpu,big-memory; do
  FROM=$tags "$artel" worker "${access[@]}" --pool placed -j 1 --tags "$tags" --allow-commands --allow-unsigned 2>"$folder/tags.$tags" &
  started+=($!)
  until_ok grep -q 'artel.command' "$folder/tags.$tags"
done
here=host:$(hostname)
placed=("${access[@]}" --pool placed --shell --lease 2s --tries 2 --queue-bytes 64MiB --dead-bytes 5MB --dead-age 2h)
same "only who has the tag" 'gpu,big-memory 40' "$(seq 40 | "$artel" map "${placed[@]}" --needs big-memory -- 'echo $FROM #' 2>/dev/null | sort | uniq -c | awk '{ print $2, $1 }')"
same "all tags that are needed" 'gpu,big-memory' "$("$artel" map "${placed[@]}" --needs "gpu,big-memory,$here" -- 'echo $FROM #' ::: a 2>/dev/null)"
same "at this host, by its name" a "$("$artel" map "${placed[@]}" --needs "$here" -- echo ::: a 2>/dev/null)"
contains "the status has hosts and tags" "$(hostname) gpu,big-memory " \
  "$("$artel" cluster status "${access[@]}" --pool placed --window 50ms | tr -s ' ')"
expect 2 '' "'a b' is no tag" map "${access[@]}" --needs 'a b' -- echo ::: a
expect 2 '' 'for --cluster' map --needs gpu -- echo ::: a
expect 2 '' 'for --cluster' map --dead-bytes 1MB -- echo ::: a
expect 2 '' 'dead_age_max is 1.00 s' map "${access[@]}" --dead-age 1s -- echo ::: a
contains "other limits are said" 'dead_bytes_max is 5000000, not 1000000' \
  "$("$artel" map "${placed[@]}" --dead-bytes 1MB --needs gpu -- echo ::: a 2>&1 >"$folder/out")"
expect 2 '' 'allowed: 1, 3, 5' map "${access[@]}" --replicas 2 -- echo ::: a
expect 2 '' '--retries: Value 4294967295 not in range 0 to 1000000' map "${access[@]}" --retries 4294967295 -- echo ::: a

# A worker that is killed while it works: what it had goes to another one.
"$artel" worker "${access[@]}" -j 2 --allow-commands --allow-unsigned 2>"$folder/killed" &
killed=$!
until_ok grep -q 'artel.command' "$folder/killed"
seq 60 | "$artel" map "${access[@]}" --shell -- 'sleep 0.05; echo {}' >"$folder/out" &
map=$!
until_ok test -s "$folder/out"
kill -9 $killed
wait $killed 2>/dev/null || true
wait $map || { echo "a map failed because a worker was killed"; failures=$((failures + 1)); }
same "a killed worker costs no result" "$(seq 60)" "$(cat "$folder/out")"
finish
