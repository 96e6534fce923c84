#!/usr/bin/env bash
# artel cluster scale: workers of a pool that come and go by a scaling policy.
set -eEuo pipefail
. "$(dirname "$0")/expect.sh"
artel=$(realpath "$artel")
folder=$(mktemp -d)
started=()
stop() {
  kill "${started[@]}" 2>/dev/null || true
  touch "$folder/go"
  XDG_STATE_HOME=$folder/state "$artel" cluster down --pool scaled --force >/dev/null 2>&1 || true
  wait
  rm -rf "$folder"
}
trap stop EXIT
trap 'echo "line $LINENO: failed: $BASH_COMMAND" >&2' ERR
type -P nats-server >/dev/null || PATH=$PATH:/usr/sbin      # where Debian puts it

# until_ok COMMAND…: waits until it succeeds.
until_ok() {
  local deadline=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || { echo "gave up waiting for: $*"; tail -n 20 "$folder"/scale* "$folder"/err 2>/dev/null; exit 1; }
    sleep 0.05
  done
}
gone() {  # gone PID: not there, or ended and not yet waited for
  case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null || true) in '' | Z* | X*) ;; *) return 1 ;; esac
}
all_gone() { local each; for each in "$@"; do gone "$each" || return 1; done; }

# ---- What cannot be
scale=(cluster scale --cluster nats://127.0.0.1:1)
expect 2 '' '--policy is required' "${scale[@]}"
expect 2 '' "did you mean 'hpa'" "${scale[@]}" --policy hpaa
expect 2 '' 'pool.scaling.target' "${scale[@]}" --policy 'hpa(target=-1)'
expect 2 '' "did you mean 'target'" "${scale[@]}" --policy 'hpa(tarket=1)'
expect 2 '' 'start_up is for simulated fleets' "${scale[@]}" --policy 'hpa(start_up=40s)'
expect 2 '' 'metric_delay is for simulated fleets' "${scale[@]}" --policy 'keda(metric_delay=4s)'
expect 2 '' 'hpa: limits: found a minimum of 0' "${scale[@]}" --policy hpa --min 0
expect 2 '' 'allowed: min <= max' "${scale[@]}" --policy hpa --min 3 --max 2
expect 2 '' 'at most max, 2' "${scale[@]}" --policy 'hpa(min=3)' --max 2
expect 2 '' 'No such file' "${scale[@]}" --policy hpa -- no-such-worker
expect 2 '' 'which cluster' cluster scale --policy hpa
expect 2 '' 'gone with the command' cluster scale --policy hpa --cluster local
expect 1 '' 'no server answers' "${scale[@]}" --policy hpa
contains 'help' '[-- WORKER-OPTIONS]' "$("$artel" cluster scale --help)"
contains 'the manual' 'Start and end workers here' "$("$artel" man cluster)"

# ---- A server with a token, which the workers get from the environment, as we do
port=-1
serve() {  # on the same port as before
  printf 'listen: 127.0.0.1:%s\njetstream { store_dir: "%s" }\nauthorization { token: sesame }\n' $port "$folder/js" >"$folder/conf"
  nats-server -c "$folder/conf" --ports_file_dir "$folder" >"$folder/server" 2>&1 &
  server=$!
  started+=($server)
  until_ok test -s "$folder/nats-server_$server.ports"
  url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' "$folder/nats-server_$server.ports" | head -n 1)
  port=${url##*:}
}
serve
export ARTEL_CLUSTER_TOKEN=sesame
policy='keda(target=1, period=200ms, polling=200ms, cooldown=500ms, stabilisation_down=500ms, up_workers=9, up_within=200ms, down_within=200ms)'
commands=(--allow-commands --allow-unsigned)
begin() {  # begin NAME OPTION…: in the background; it writes to scale.NAME
  local name=$1; shift
  log=$folder/scale.$name
  env --default-signal "$artel" cluster scale --cluster "$url" --policy "$policy" "$@" 2>"$log" &
  scaler=$!
  started+=($scaler)
}
workers() { pgrep -P "$scaler" || true; }
are() { [ "$(workers | wc -l)" = "$1" ]; }
held() { # held NAME COUNT: that many jobs, which run until there is a file go, in the background
  rm -f "$folder/go"
  seq "$2" | "$artel" map --cluster "$url" --shell -- "until [ -e $folder/go ]; do sleep 0.05; done; echo {}" >"$folder/out.$1" 2>"$folder/err" &
  map=$!
  started+=($map)
}
ends_well() {  # ends_well WHAT EXPECTED GOT-FILE: the map has
  local status=0
  wait $map || status=$?
  same "$1: exit status of the map" 0 $status
  same "$1: nothing is lost" "$2" "$(cat "$3")"
}

# Work brings workers up to --max, idleness down to --min.
begin burst --min 1 --max 3 -- "${commands[@]}"
until_ok are 1
until_ok grep -q ' runs ' "$log"
same "the token is in no environment" 0 "$(tr '\0' '\n' </proc/"$(workers)"/environ | grep -c sesame || true)"
held burst 12
until_ok are 3
contains 'a change is told with its reason' ' workers by keda: ' "$(cat "$log")"
contains 'up to max' '-> 3 workers' "$(cat "$log")"

# One that is killed while it works is replaced; what it had goes to others.
until_ok sh -c "'$artel' cluster status --cluster $url --window 10ms --json | grep -c '\"running\": 1' | grep -qx 3"
killed=$(workers | head -n 1)
kill -9 "$killed"
until_ok grep -q "worker process $killed was ended by signal 9; another one in" "$log"
until_ok are 3
touch "$folder/go"
ends_well 'a burst and a killed worker' "$(seq 12)" "$folder/out.burst"
until_ok are 1
contains 'down to min' '-> 1 worker by keda' "$(cat "$log")"

# A server that is gone for a while changes nothing.
before=$(workers)
kill -9 $server
wait $server 2>/dev/null || true
until_ok grep -q 'the workers stay as they are' "$log"
serve
until_ok grep -q 'the server answers again' "$log"
same 'the same workers' "$before" "$(workers)"
held again 4
until_ok are 3
touch "$folder/go"
ends_well 'after the server was gone' "$(seq 4)" "$folder/out.again"

# Ctrl-C: what has begun is finished, then nobody is left.
held last 2
until_ok are 2
until_ok sh -c "'$artel' cluster status --cluster $url --window 10ms --json | grep -c '\"running\": 1' | grep -qx 2"
left=$(workers)
kill -INT $scaler
until_ok grep -q 'again: at once' "$log"
touch "$folder/go"
status=0
wait $scaler || status=$?
same 'Ctrl-C: exit status' 0 $status
all_gone $left || same 'workers after Ctrl-C' none "$left"
ends_well 'Ctrl-C' "$(seq 2)" "$folder/out.last"

# None at all until there is work; the second signal ends it at once, with commands that would take minutes.
begin none --min 0 --max 2 -- "${commands[@]}"
rm -f "$folder/go"
"$artel" map --cluster "$url" --shell -- "echo \$\$ >>$folder/begun; exec sleep 300 # {}" ::: a b c d >/dev/null 2>&1 &
map=$!
started+=($map)
until_ok grep -q '0 -> 1 worker ' "$log"
until_ok sh -c "[ \$(cat $folder/begun 2>/dev/null | wc -l) = 2 ]"
left="$(workers) $(cat "$folder/begun")"
kill -TERM $scaler
until_ok grep -q 'again: at once' "$log"
kill -TERM $scaler
status=0
wait $scaler || status=$?
same 'the second SIGTERM: exit status' 143 $status
until_ok all_gone $left
kill $map 2>/dev/null || true
wait $map 2>/dev/null || true
until_ok "$artel" cluster remove --cluster "$url" --force

# They do not outlive it, however it ends.
begin killed --min 2 --max 2 -- "${commands[@]}"
until_ok sh -c "[ \$(grep -c ' runs ' $log) = 2 ]"
left=$(workers)
kill -9 $scaler
wait $scaler 2>/dev/null || true
until_ok all_gone $left

# A worker that refuses its arguments is not tried again and again.
begin refused --max 2
status=0
wait $scaler || status=$?
same 'a worker with wrong arguments: exit status' 2 $status
contains 'a worker with wrong arguments' 'refuses its arguments' "$(cat "$log")"

# A program of one's own, which gets our way to the cluster; it dies at first.
printf '#!/bin/sh\n[ -e %s/ready ] || { : >%s/ready; exit 7; }\nexec %s worker --allow-commands --allow-unsigned "$@"\n' "$folder" "$folder" "$artel" >"$folder/mine"
chmod +x "$folder/mine"
begin mine --max 1 -j 3 -- "$folder/mine" --tags mine
until_ok grep -q 'ended with status 7; another one in' "$log"
until_ok grep -q '; 3 at once' "$log"
same 'work for a program of ones own' a "$("$artel" map --cluster "$url" --needs mine -- echo ::: a 2>/dev/null)"
kill -TERM $scaler
wait $scaler || same 'its exit status' 0 $?
unset ARTEL_CLUSTER_TOKEN

# ---- With the folders of a pool: the operator's looks, the worker's works
export XDG_STATE_HOME=$folder/state
films=$folder/state/artel/scaled
for try in 1 2 3 4 5; do  # a port may be taken
  "$artel" cluster up --pool scaled --port $((10000 + RANDOM % 20000)) >/dev/null 2>"$folder/err" && break
  [ $try -lt 5 ] || { cat "$folder/err"; exit 1; }
done
sh "$films/leave.sh" >/dev/null 2>&1 || true
"$artel" cluster scale --cluster "$films/operator" --policy "$policy" --min 1 --max 2 -- --cluster "$films/worker" --allow-commands 2>"$folder/scale.roles" &
scaler=$!
started+=($scaler)
until_ok grep -q ' runs ' "$folder/scale.roles"
same 'what is signed is done' hello "$("$artel" map --cluster "$films/master" -- echo ::: hello 2>/dev/null)"
kill -TERM $scaler
wait $scaler || same 'exit status with roles' 0 $?
finish
