#!/usr/bin/env bash
# artel map and artel worker when their server goes away, and when it comes back and knows them no more.
set -euo pipefail
. "$(dirname "$0")/expect.sh"
artel=$(realpath "$artel")
folder=$(mktemp -d)
started=()
stop() { kill "${started[@]}" 2>/dev/null || true; touch "$folder/go"; wait; rm -rf "$folder"; }
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

port=-1
serve() {  # serve TOKEN: on the same port as before
  printf 'listen: 127.0.0.1:%s\njetstream { store_dir: "%s" }\nauthorization { token: %s }\n' $port "$folder/js" "$1" >"$folder/conf"
  nats-server -c "$folder/conf" --ports_file_dir "$folder" >"$folder/server" 2>&1 &
  server=$!
  started+=($server)
  until_ok test -s "$folder/nats-server_$server.ports"
  url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' "$folder/nats-server_$server.ports" | head -n 1)
  port=${url##*:}
}
serve sesame
export ARTEL_CLUSTER_TOKEN=sesame
"$artel" worker --cluster "$url" -j 1 --allow-commands --allow-unsigned 2>"$folder/worker" &
worker=$!
until_ok grep -q 'artel.command' "$folder/worker"

# It is said at once, and the jobs go on when the server is there again.
"$artel" map --cluster "$url" --shell -- "echo >>$folder/begun; until [ -e $folder/go ]; do sleep 0.05; done; echo {}" ::: a b c \
  >"$folder/out" 2>"$folder/err" &
map=$!
until_ok test -s "$folder/begun"
kill -9 $server
wait $server 2>/dev/null || true
until_ok grep -q "artel: $url: the connection is lost; trying to get it back" "$folder/err"
serve sesame
touch "$folder/go"
wait $map || same "artel map after the server was gone" 0 $?
same "nothing is lost" "$(printf 'a\nb\nc')" "$(cat "$folder/out")"

# A server that refuses them now is the end, for both.
rm "$folder/go" "$folder/begun"
"$artel" map --cluster "$url" --shell -- "echo >>$folder/begun; until [ -e $folder/go ]; do sleep 0.05; done; echo {}" ::: a b c \
  >"$folder/out" 2>"$folder/err" &
map=$!
until_ok test -s "$folder/begun"
kill $server
wait $server 2>/dev/null || true
serve barley
status=0
wait $map || status=$?
same "artel map when its token is worth nothing any more" 255 $status
contains "it says why" 'the server has shut the connection for good' "$(cat "$folder/err")"
touch "$folder/go"
status=0
wait $worker || status=$?
same "artel worker likewise" 1 $status
contains "it says why, too" 'the server has shut the connection for good' "$(cat "$folder/worker")"
same "no secret is told" 0 "$(cat "$folder/err" "$folder/worker" | grep -c -e sesame -e barley)"
finish
