#!/usr/bin/env bash
# artel map --cluster when a job kills its workers, and when artel itself is killed.
set -euo pipefail
. "$(dirname "$0")/expect.sh"
artel=$(realpath "$artel")
folder=$(mktemp -d)
started=()
stop() {
  touch "$folder/over"
  kill "${started[@]}" $(cat "$folder"/worker.* 2>/dev/null) 2>/dev/null || true
  wait
  rm -rf "$folder"
}
trap stop EXIT
PATH=$PATH:/usr/sbin      # where Debian puts nats-server

# until_ok COMMAND…: waits until it succeeds.
until_ok() {
  local deadline=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || { echo "gave up waiting for: $*"; exit 1; }
    sleep 0.02
  done
}

printf 'listen: 127.0.0.1:-1\njetstream { store_dir: "%s" }\n' "$folder/js" >"$folder/conf"
nats-server -c "$folder/conf" --ports_file_dir "$folder" >"$folder/server" 2>&1 &
server=$!
started+=($server)
ports=$folder/nats-server_$server.ports
until_ok test -s "$ports"
url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' "$ports" | head -n 1)
access=(--cluster "$url")

# ---- A job that kills every worker that gets it: the others are done, in order.
for i in 1 2; do
  while [ ! -e "$folder/over" ]; do
    "$artel" worker "${access[@]}" -j 2 --allow-commands --allow-unsigned 2>"$folder/log.$i" &
    echo $! >"$folder/worker.$i"
    wait $! 2>/dev/null || true
  done &
  started+=($!)
done
for i in 1 2; do until_ok grep -q 'artel.command' "$folder/log.$i"; done
status=0
seq 40 | "$artel" map "${access[@]}" --joblog "$folder/joblog" --shell -- \
  'if [ {} = 7 ]; then kill -9 $PPID; fi; echo {}' >"$folder/out" 2>"$folder/err" || status=$?
same "a job that kills its workers is one that failed" 1 $status
same "the others are printed" "$(seq 40 | grep -vx 7)" "$(cat "$folder/out")"
contains "it is said which one, and why" 'artel: job 7: every worker that had it was lost' "$(cat "$folder/err")"
same "it is in the log" 255 "$(awk '$1 == 7 { print $7 }' "$folder/joblog")"
same "all are in the log" "$(seq 40)" "$(tail -n +2 "$folder/joblog" | cut -f 1)"
contains "the chunk is kept" 'every worker that had it was lost' "$("$artel" cluster dead "${access[@]}")"
expect 0 '"schema": "artel.cluster.dead/1"' '' cluster dead "${access[@]}" --json
expect 2 '' 'no dead letter 4711' cluster dead "${access[@]}" 4711
expect 0 'was lost' 'discarded' cluster dead "${access[@]}" --discard
status=0
seq 40 | "$artel" map "${access[@]}" --joblog "$folder/joblog" --resume-failed --trust-log -- echo again >"$folder/out" || status=$?
same "it alone is run again" 'again 7' "$(cat "$folder/out")"
same "and succeeds now" 0 $status
touch "$folder/over"
kill $(cat "$folder"/worker.*)
rm "$folder"/worker.*

# ---- artel is killed while job 50 runs, at the only worker: everything once over both runs, in order.
"$artel" worker "${access[@]}" -j 1 --allow-commands --allow-unsigned 2>"$folder/alone" &
started+=($!)
until_ok grep -q 'artel.command' "$folder/alone"
until_ok sh -c "'$artel' cluster status ${access[*]} --window 50ms | grep -q '1 worker'"
export folder
job='echo {} >>'"$folder/ran"'; if [ {} = 50 ]; then until [ -e '"$folder/go"' ]; do sleep 0.02; done; fi; echo {}'
run=(map "${access[@]}" --joblog "$folder/resumed" --shell -- "$job")
seq 100 >"$folder/items"
queued() { "$artel" cluster status "${access[@]}" --window 50ms --json | grep -Eq "\"queued\": *$1\b"; }
"$artel" "${run[@]}" <"$folder/items" >"$folder/first" &
map=$!
until_ok grep -qx 49 "$folder/first"
until_ok sh -c "[ \$(wc -l <'$folder/resumed') -eq 50 ]"        # with its title
until_ok grep -qx 50 "$folder/ran"
until_ok queued '[1-9][0-9]*'
kill -9 $map
wait $map 2>/dev/null || true
# The next master, here one without anything to do, removes what the dead one has left.
same "nothing is left to do of the first 49" '' "$(head -n 49 "$folder/items" | "$artel" "${run[@]:0:5}" --resume "${run[@]:5}")"
queued 0 || { echo "what a dead master left is still queued"; failures=$((failures + 1)); }
touch "$folder/go"
"$artel" "${run[@]:0:5}" --resume "${run[@]:5}" <"$folder/items" >"$folder/second"
same "every output once, in order" "$(seq 100)" "$(cat "$folder/first" "$folder/second")"
same "the log has every job once" "$(seq 100)" "$(tail -n +2 "$folder/resumed" | cut -f 1)"
# Job 50 and what else the worker had in hand ran for nobody, the rest once.
same "nothing else ran twice" "" "$(sort -n "$folder/ran" | uniq -d | grep -vxE '50|51' || true)"
same "every job ran" "$(seq 100)" "$(sort -nu "$folder/ran")"
finish
