#!/usr/bin/env bash
# artel cluster up, down and configure: here, over ssh as it is, and what the systemd units start.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"
artel=$(realpath "$artel")
type -P nats-server >/dev/null || PATH=$PATH:/usr/sbin
trap 'cleanup; rm -rf "$folder"' EXIT
cleanup() { XDG_STATE_HOME=$folder/state "$artel" cluster down --pool films --force >/dev/null 2>&1 || true; [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true; }
export XDG_STATE_HOME=$folder/state
films=$folder/state/artel/films
# How many workers answer; on a busy machine one may take long to.
workers_are() { "$artel" cluster status --cluster "$films/operator" --window 10ms | grep -q "^$1 worker"; }
workers_of_etc_are() { [ "$("$artel" cluster status --cluster "$folder/etc/operator" --window 10ms --json | grep -c '"threads": ')" = "$1" ]; }
over() { ! pgrep -f -- "$1" >/dev/null; }  # over FOLDER: no process has it on its command line
# What masters say of an old server.
note='nats-server 2'
printf '2.9.12\n%s\n' "$(nats-server --version | sed 's/.*v//')" | sort -VC && note=''
port=$((20000 + $$ % 20000))

# ---- Here, without ssh
same 'up: what is printed' "$films/master" "$("$artel" cluster up --pool films --port $port 2>"$folder/err")"
contains 'up: what is said' "artel cluster down --pool films" "$(cat "$folder/err")"
same 'nobody else reads it' 700 "$(stat -c %a "$films")"
same 'nobody else reads its files' '' "$(find "$films" -type f -perm /077)"
expect 0 $'hello\nworld' "$note" map --cluster "$films/master" -- echo ::: hello world
wait_for workers_are 1
expect 1 '' 'may not publish' cluster status --cluster "$films/worker" --window 10ms
same 'a stranger is not let in' 1 "$(status=0; "$artel" cluster status --cluster tls://127.0.0.1:$port --tls-ca "$films/worker/ca.pem" 2>/dev/null >&2 || status=$?; echo $status)"
expect 255 '' 'TLS' map --cluster "nats://127.0.0.1:$port" --pool films --user master --password-file "$films/master/password" -- echo ::: a
expect 1 '' 'it is there already' cluster up --pool films --port $port
same 'up again harms nothing' hello "$("$artel" map --cluster "$films/master" -- echo ::: hello)"
expect 0 '' "pool 'films' is down" cluster down --pool films
same 'nothing is left' '' "$(find "$folder/state" -name '*films*')"
wait_for over "$films"
expect 1 '' 'nothing that' cluster down --pool films
expect 2 '' 'no name of a pool' cluster up --pool 'a b' --port $port
expect 2 '' 'there twice' cluster up --pool films --hosts a,a --ssh
expect 2 '' 'name of a host' cluster up --pool films --address 'a b' --port $port

# What cannot start is ended again.
"$artel" cluster up --pool films --port $port >/dev/null 2>&1
expect 1 '' 'address already in use' cluster up --pool other --port $port
same 'nothing is left of it' '' "$(find "$folder/state" -name '*other*')"

for blocks in 0 1 2; do  # no file may be longer, as on a full disk
  status=0
  message=$(trap '' XFSZ; ulimit -f $blocks; "$artel" cluster up --pool other --port $((port + 1)) 2>&1) || status=$?
  same "files of $blocks KiB at most: exit status" 1 "$status"
  contains "files of $blocks KiB at most" 'File too large' "$message"
  same "nothing is left with files of $blocks KiB" '' "$(find "$folder/state" -name '*other*')"
done
mkdir "$folder/tools"
for tool in sh setsid grep sleep tail cat rm mkdir nats-server; do ln -s "$(type -P $tool)" "$folder/tools"; done
status=0
message=$(PATH=$folder/tools "$artel" cluster up --pool other --port $((port + 1)) --hosts :,alpha --ssh 2>&1) || status=$?
same 'without ssh there: exit status' 1 "$status"
contains 'without ssh there' "alpha: cannot run 'ssh'" "$message"
same 'nothing is left without ssh there' '' "$(find "$folder/state" -name '*other*')"
over "$folder/state/artel/other" || same 'the server ends, too' 'ended' 'runs'

# What waits for a master is not thrown away unasked; for one that is gone it waits no more.
chunk_waits() { "$artel" cluster status --cluster "$films/operator" --window 10ms | grep -q '1 chunk waiting'; }
kill -9 "$(cat "$films/here/pid")"
"$artel" map --cluster "$films/master" -- echo ::: a >/dev/null 2>&1 & waiting=$!
wait_for chunk_waits
expect 1 '' '1 chunk and 0 dead letters; --force' cluster down --pool films
kill -9 $waiting
wait $waiting 2>/dev/null || true
chunk_waits || same 'what a dead master has left' 'waits' 'does not'
expect 0 '' 'is down' cluster down --pool films

# What cannot be asked for stays, too.
"$artel" cluster up --pool films --port $port >/dev/null 2>&1
kill -9 "$(cat "$films/server/pid")"
expect 1 '' 'what waits there cannot be asked for' cluster down --pool films
expect 0 '' 'is down' cluster down --pool films --force

# Hosts that are for others to reach: what to do there is said.
"$artel" cluster up --pool films --hosts :,lab7 --port $port --address 127.0.0.1 --artel "$artel" >/dev/null 2>"$folder/err"
contains 'without ssh' 'at lab7: sh join.sh' "$(cat "$folder/err")"
sh "$films/join.sh" 3 || same 'join.sh' works 'does not'
wait_for workers_are 2
sh "$films/leave.sh"
wait_for workers_are 1
expect 0 '' 'is down' cluster down --pool films

# ---- What the units start, with the folders that systemd would give
expect 0 "$folder/etc" '' cluster configure --pool films --folder "$folder/etc" --address 127.0.0.1 --port $port
unit() { sed -n 's/^ExecStart=//p' "packaging/systemd/artel-$1@.service"; }
handed() {  # handed UNIT: what LoadCredential hands over, in a folder
  local one
  mkdir -p "$folder/credentials.$1" "$folder/states.$1"
  sed -n 's/^LoadCredential=//p' "packaging/systemd/artel-$1@.service" | while IFS=: read -r one path; do
    cp "${path/#\/etc\/artel\/%i/$folder/etc}" "$folder/credentials.$1/$one"
  done
}
for which in server worker scale; do handed $which; done
command=$(unit server); command=${command//\$\$/\$}
CREDENTIALS_DIRECTORY=$folder/credentials.server STATE_DIRECTORY=$folder/states.server sh -c "exec $command" 2>"$folder/server.log" &
server=$!
wait_for grep -q 'Server is ready' "$folder/server.log"
command=$(unit worker); command=${command/#\/usr\/bin\/artel/$artel}
CREDENTIALS_DIRECTORY=$folder/credentials.worker ARTEL_WORKER_OPTIONS='-j 2' sh -c "exec $command" 2>"$folder/worker.log" &
worker=$!
wait_for grep -q ' runs ' "$folder/worker.log"
expect 0 'hello' "$note" map --cluster "$folder/etc/master" -- echo ::: hello
same 'its store is where it may write' yes "$([ -d "$folder/states.server/jetstream" ] && echo yes)"
kill $worker
wait $worker || true
wait_for workers_of_etc_are 0
command=$(sed -n 's/^ExecStartPre=//p' packaging/systemd/artel-scale@.service)
export CREDENTIALS_DIRECTORY=$folder/credentials.scale RUNTIME_DIRECTORY=$folder/runtime
sh -c "${command//\$\$/\$}"
same 'the folders of the roles' "$(cat "$folder"/etc/{operator,worker}/*)" "$(cat "$folder"/runtime/{operator,worker}/*)"
command=$(unit scale | sed -E "s|^/usr/bin/artel|$artel|; s/\\$\\{[A-Z_]+\\}/\"&\"/g")
policy=$(sed -n 's/^Environment="ARTEL_SCALE_POLICY=\(.*\)"$/\1/p' packaging/systemd/artel-scale@.service)
ARTEL_SCALE_POLICY=$policy ARTEL_SCALE_OPTIONS='--min 2 --max 2 -j 3' ARTEL_WORKER_OPTIONS='--tags scaled' sh -c "exec $command" 2>"$folder/scale.log" &
worker=$!
unset CREDENTIALS_DIRECTORY RUNTIME_DIRECTORY
wait_for workers_of_etc_are 2
contains 'scale: by which policy' '2 to 2 workers' "$(cat "$folder/scale.log")"
contains 'scale: by which policy' 'by keda; 3 at once each' "$(cat "$folder/scale.log")"
expect 0 'hello' "$note" map --cluster "$folder/etc/master" --needs scaled -- echo ::: hello
kill $worker
wait $worker || same 'exit status of scale' 0 $?
kill $server
wait $server || true
server=
if type -P systemd-analyze >/dev/null; then
  mkdir "$folder/units"
  for which in server worker scale; do
    sed "s|^ExecStart=/usr/bin/artel|ExecStart=$artel|; /^Documentation/d" "packaging/systemd/artel-$which@.service" >"$folder/units/artel-$which@films.service"
  done
  same 'systemd on the units' '' "$(systemd-analyze verify "$folder"/units/*.service 2>&1)"
fi

# ---- Over ssh
source "$(dirname "$0")/ssh_hosts.sh"
server=
expect 1 '' 'artel: gamma: ' cluster up --pool films --hosts gamma,alpha --ssh --port $port --address 127.0.0.1 --artel "$artel"
same 'nothing is left at the others' '' "$(find "$folder" -name 'films.worker*')"
expect 1 '' "there is no '/no/artel'" cluster up --pool films --hosts alpha --ssh --port $port --address 127.0.0.1 --artel /no/artel
unset XDG_STATE_HOME
HOME=$folder "$artel" cluster up --pool films --hosts :,3/alpha,beta --ssh --port $port --address 127.0.0.1 --artel "$artel" >"$folder/out" 2>"$folder/err" ||
  { echo 'up over ssh fails'; cat "$folder/err"; exit 1; }
contains 'who works' 'workers: here, alpha, beta' "$(cat "$folder/err")"
cluster=$(dirname "$(cat "$folder/out")")
films=$cluster wait_for workers_are 3
threads_as_asked() { [ "$("$artel" cluster status --cluster "$cluster/operator" --window 10ms --json | grep -c '"threads": 3,')" = 1 ]; }
wait_for threads_as_asked  # on a busy machine a worker may take long to answer
same 'all of them work' "$(seq 40)" "$(seq 40 | "$artel" map --cluster "$cluster/master" -- echo)"
same 'a secret is on no command line' 0 "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -cF -f "$cluster/worker/password")"
same 'down over ssh' '' "$(HOME=$folder "$artel" cluster down --pool films 2>&1 | grep -v 'is down')"
same 'nothing is left at hosts' '' "$(find "$folder/.local" -name '*films*')"
wait_for over "$folder/.local"
finish
