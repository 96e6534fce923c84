#!/usr/bin/env bash
# artel top, of files, of a served page, and on a terminal (tmux).
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'tmux -L "artel-$$" kill-server 2>/dev/null || true; [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

labels='{pool="films",worker="a1"}'
page() {  # page DONE: as a worker serves it
  printf '%s %s\n' "artel_worker_threads$labels" 4 "artel_worker_chunks_running$labels" 3 \
    "artel_worker_chunks_done_total$labels" "$1" "artel_worker_chunks_failed_total$labels" 0
}
page 10 > "$folder/page"
echo 'go_threads 8' > "$folder/other"
echo '<html>' > "$folder/html"
: > "$folder/empty"

expect 0 'worker  a1 (films)        4     -        3' '' top "$folder/page"
expect 0 '"schema": "artel.top/1"' '' top --json "$folder/page"
expect 0 '"running": 3, "queued": null' '' top --json "$folder/page"
expect 2 '' 'no metrics of artel there (1 figures of others)' top "$folder/other"
expect 2 '' 'not in the text format of Prometheus' top "$folder/html"
expect 2 'a1 (films)' 'no metrics of artel there (nothing)' top "$folder/empty" "$folder/page"
expect 2 '' 'nonsense: not an address: expected host:9464' top nonsense
expect 2 '' 'https is not spoken here' top https://127.0.0.1/
expect 2 '' "--interval: found '1ms', allowed: 100ms to 24h" top "$folder/page" --interval 1ms
expect 1 '' '127.0.0.1:1: Connection refused' top 127.0.0.1:1 --interval 100ms

# A server whose counter grows by 7 with each answer.
cat > "$folder/server.mjs" <<'JS'
import { createServer } from "node:http";
import { renameSync, writeFileSync } from "node:fs";
let done = 0;
const labels = '{pool="films",worker="b2"}';
createServer((request, answer) => {
  if (request.url !== "/metrics") { answer.statusCode = 404; answer.end(); return; }
  answer.end(`artel_worker_threads${labels} 4\nartel_worker_chunks_done_total${labels} ${done += 7}\n`);
}).listen(Number(process.argv[3] ?? 0), "127.0.0.1", function () {
  writeFileSync(process.argv[2] + ".part", String(this.address().port));
  renameSync(process.argv[2] + ".part", process.argv[2]);
});
JS
serve() {  # serve [PORT]: sets port
  rm -f "$folder/port"
  node "$folder/server.mjs" "$folder/port" "$@" & server=$!
  for _ in $(seq 600); do [ -e "$folder/port" ] && break; sleep 0.05; done
  port=$(cat "$folder/port")
}
serve
rate=$("$artel" top ":$port" --json --interval 200ms | sed -n 's/.*"done_per_s": \([0-9.]*\).*/\1/p')
[ -n "$rate" ] || { echo 'no rate of two looks'; failures=$((failures + 1)); }
expect 1 '' 'the server answers 404 Not Found' top "127.0.0.1:$port/nothing" --interval 100ms

if ! command -v tmux >/dev/null; then echo 'no tmux: the screen is not looked at'; finish; exit; fi
if "$artel" top "$folder/page" --once >/dev/null && ! ldd "$artel" | grep -q ncurses; then finish; exit; fi
screen() { tmux -L "artel-$$" capture-pane -p -t top; }
shows() {  # shows TEXT: within a minute
  for _ in $(seq 600); do [[ $(screen) == *"$1"* ]] && return; sleep 0.1; done
  echo "the screen does not show '$1':"; screen; failures=$((failures + 1))
}
tmux -L "artel-$$" -f /dev/null new-session -d -s top -x 110 -y 20 \
  "$artel top :$port $folder/page --interval 200ms; echo ended with \$?; sleep 600"
shows 'q quits'
shows 'worker  b2 (films)'
shows 'a1 (films)'
tmux -L "artel-$$" resize-window -t top -x 60 -y 3
shows '... 2 lines more'
tmux -L "artel-$$" resize-window -t top -x 110 -y 20
shows 'a1 (films)'
tmux -L "artel-$$" send-keys -t top n
for _ in $(seq 600); do [[ $(screen | grep -c films) -eq 2 && $(screen | grep films | head -1) == *a1* ]] && break; sleep 0.1; done
contains 'in order of names' 'a1 (films)' "$(screen | grep films | head -1)"
kill "$server"; wait "$server" 2>/dev/null || true
shows 'Connection refused; trying again'
shows 'worker  b2 (films)'
serve "$port"
for _ in $(seq 600); do [[ $(screen) != *refused* ]] && break; sleep 0.1; done
same 'back again' '' "$(screen | grep refused || true)"
tmux -L "artel-$$" send-keys -t top q
shows 'ended with 0'
tmux -L "artel-$$" kill-server

# A cluster of our own, where artel has one and serves its metrics.
PATH=$PATH:/usr/sbin
"$artel" map --cluster local -j 2 --metrics 127.0.0.1:0 --shell -- "until [ -e $folder/done ]; do sleep 0.05; done; : {}" \
  ::: a b c 2> "$folder/map" & map=$!
for _ in $(seq 600); do grep -q '/metrics$' "$folder/map" && break; kill -0 $map 2>/dev/null || break; sleep 0.05; done
port=$(sed -n 's/.*metrics: http:.*:\([0-9]*\)\/metrics$/\1/p' "$folder/map")
if [ -n "$port" ]; then
  tmux -L "artel-$$" -f /dev/null new-session -d -s top -x 110 -y 20 "$artel top 127.0.0.1:$port --interval 200ms"
  shows 'master  artel        2     -        3'
fi
: > "$folder/done"
wait $map || [ -z "$port" ] || { echo 'the map failed'; failures=$((failures + 1)); }
finish
