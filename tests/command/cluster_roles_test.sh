#!/usr/bin/env bash
# What each role of docs/cluster-security.md can do, with TLS, users and signatures; and what a thief of each can.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"
artel=$(realpath "$artel")
type -P nats-server >/dev/null || PATH=$PATH:/usr/sbin
trap 'cleanup; rm -rf "$folder"' EXIT
cleanup() {
  touch "$folder/go"
  [ -z "${lab7:-}" ] || kill "$lab7" 2>/dev/null || true
  "$artel" cluster down --pool films --force >/dev/null 2>&1 || true
}
export XDG_STATE_HOME=$folder/state
films=$folder/state/artel/films
port=$((20000 + $$ % 20000))
note='nats-server 2'
printf '2.9.12\n%s\n' "$(nats-server --version | sed 's/.*v//')" | sort -VC && note=''
workers_are() { "$artel" cluster status --cluster "$films/operator" --window 10ms | grep -q "^$1 worker"; }

"$artel" cluster up --pool films --port $port >/dev/null 2>&1
wait_for workers_are 1

# A job that kills its workers until there is $folder/go: its chunk becomes a dead letter.
worker_is_gone() { ! kill -0 "$(cat "$films/here/pid")" 2>/dev/null; }
start_here() {
  rm -f "$films/here/log"
  setsid "$artel" worker --cluster "$films/here" --allow-commands </dev/null >"$films/here/log" 2>&1 &
  echo $! >"$films/here/pid"
  disown
  wait_for grep -q ' runs ' "$films/here/log"
}
"$artel" map --cluster "$films/master" --tries 1 --lease 500ms --shell -- \
  "[ -e $folder/go ] || { kill -9 \$PPID; sleep 10; }; echo {} >>$folder/ran" ::: $'a\tb' >/dev/null 2>"$folder/map.err" &
map=$!
for _ in 1 2 3; do
  wait_for worker_is_gone
  start_here
done
wait $map || true
contains 'the chunk is given up' 'it is kept: artel cluster dead' "$(cat "$folder/map.err")"
contains 'the command is shown, with what controls a terminal made visible' "sh -c" "$("$artel" cluster dead --cluster "$films/operator")"
contains 'the words are in the JSON' "$folder/go" "$("$artel" cluster dead --cluster "$films/operator" --json)"
wait_for workers_are 1

# ---- Role by command: exit status and what is said
while IFS='|' read -r role status out err command; do
  [ -n "$role" ] || continue
  read -ra words <<<"$command"
  expect "$status" "$out" "$err" "${words[@]//FOLDER/$films/$role}"
done <<TABLE
worker|255||may not publish|map --cluster FOLDER -- echo ::: a
worker|1||may not publish|cluster status --cluster FOLDER --window 10ms
worker|1||may not publish|cluster dead --cluster FOLDER
worker|1||may not publish|cluster remove --cluster FOLDER
master|0|1 worker||cluster status --cluster FOLDER --window 10ms
master|0|was lost||cluster dead --cluster FOLDER
master|1||cannot remove MR_films|cluster remove --cluster FOLDER --force
operator|0|1 worker||cluster status --cluster FOLDER --window 10ms
operator|0|was lost||cluster dead --cluster FOLDER
operator|1||still has|cluster remove --cluster FOLDER
operator|255||cannot make stream|map --cluster FOLDER -- echo ::: a
TABLE

# ---- The operator has no key to sign with, and requeues what the master has signed.
touch "$folder/go"
"$artel" cluster key "$folder/other.key" >"$folder/other.pub"
expect 1 'was lost' 'requeued 0' cluster dead --requeue --cluster "$films/operator" --master-keys "$folder/other.pub"
expect 0 'was lost' 'requeued 1' cluster dead --requeue --cluster "$films/operator"
wait_for test -s "$folder/ran"
expect 0 'no dead letters' '' cluster dead --cluster "$films/operator"

# ---- A worker of its own, revoked alone.
same 'add-worker: what is printed' "$films/workers/lab7" "$("$artel" cluster add-worker lab7 --pool films 2>"$folder/err")"
contains 'add-worker: what is said' 'need the new trusted.keys' "$(cat "$folder/err")"
same 'the server that up has started knows it' 0 "$(grep -c restart "$folder/err")"
expect 2 '' 'there is such a worker' cluster add-worker lab7 --pool films
expect 2 '' 'no name of a worker' cluster add-worker 'a b' --pool films
"$artel" worker --cluster "$films/workers/lab7" --tags lab7 --allow-commands -j 1 2>"$folder/lab7.log" &
lab7=$!
wait_for grep -q ' runs ' "$folder/lab7.log"
wait_for workers_are 2
expect 0 'hello' "$note" map --cluster "$films/master" --needs lab7 -- echo ::: hello
before=$(cat "$films/here/log")
expect 0 '' "worker 'lab7' is revoked" cluster revoke-worker lab7 --pool films
status=0
wait $lab7 || status=$?
same 'a revoked worker leaves' 1 $status
contains 'it says why' 'the server has shut the connection for good' "$(cat "$folder/lab7.log")"
lab7=
wait_for workers_are 1
same 'the others stay connected' "$before" "$(cat "$films/here/log")"
same 'nothing of it is left' '' "$(grep -rl lab7 "$films" --include='*.conf' --include='*.keys' || true)"
expect 0 'hello' "$note" map --cluster "$films/master" -- echo ::: hello
expect 1 '' "no worker 'lab7'" cluster revoke-worker lab7 --pool films
expect 0 '' 'is down' cluster down --pool films

# ---- A server that up has not started reads nothing again by itself.
again='systemctl restart artel-server@films'
expect 0 "$folder/etc" '' cluster configure --pool films --folder "$folder/etc" --address 127.0.0.1 --port $port
expect 0 "$folder/etc/workers/lab8" "$again" cluster add-worker lab8 --pool films --folder "$folder/etc"
expect 0 '' "$again" cluster revoke-worker lab8 --pool films --folder "$folder/etc"
finish
