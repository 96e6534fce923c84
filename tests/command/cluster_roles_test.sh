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
dead_are() { "$artel" cluster dead --cluster "$films/operator" --json | grep -c '"number"' | grep -qx "$1"; }
numbers() { "$artel" cluster dead --cluster "$films/operator" --json | sed -n 's/.*"number": \([0-9]*\),/\1/p'; }

"$artel" cluster up --pool films --port $port >/dev/null 2>&1
wait_for workers_are 1

# A chunk that is given up: its job fails until there is $folder/go. (artel map keeps failures itself: only a lost worker leaves a letter.)
give_up() {  # give_up WORD: a job that kills its worker, so that it becomes a dead letter
  "$artel" map --cluster "$films/master" --tries 1 --shell -- \
    "[ -e $folder/go ] || { kill -9 \$PPID; sleep 10; }; echo {} >>$folder/ran" ::: "$1" >/dev/null 2>&1 &
  map=$!
  for _ in 1 2 3; do
    wait_for worker_is_gone
    start_here
  done
  wait $map || true
}
worker_is_gone() { ! kill -0 "$(cat "$films/here/pid")" 2>/dev/null; }
start_here() {
  (cd "$folder" && exec setsid "$artel" worker --cluster "$films/here" --allow-commands </dev/null >"$films/here/log" 2>&1) &
  echo $! >"$films/here/pid"
  disown
  wait_for grep -q ' runs ' "$films/here/log"
}
give_up 'a b'
wait_for dead_are 1

# ---- Role by command: exit status and what is said
while IFS='|' read -r role status out err command; do
  [ -n "$role" ] || continue
  read -ra words <<<"$command"
  expect "$status" "$out" "$err" "${words[@]}" --cluster "$films/$role"
done <<TABLE
worker|255||may not|map -- echo ::: a
worker|1||may not publish|cluster status --window 10ms
worker|1||may not|cluster dead
worker|1||may not|cluster remove
master|0|1 worker||cluster status --window 10ms
master|0|a b||cluster dead
master|1||may not|cluster remove --force
operator|0|1 worker||cluster status --window 10ms
operator|0|a b||cluster dead
operator|1||still has|cluster remove
TABLE
finish
