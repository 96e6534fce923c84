#!/usr/bin/env bash
# The batch of logs in docs/map.md, as it stands there.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
page=$PWD/docs/map.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$(realpath "$artel")" "$folder/artel"
PATH=$folder:$PATH
cd "$folder"
mkdir -p "logs/old ones"
log() { for ((i = 0; i < $2; i++)); do echo "12:00:0$((i % 10)) ERROR it's \"$i\""; done > "$1"; echo '12:01 INFO ok' >> "$1"; }
log 'logs/web.log' 5
log "logs/old ones/it's a \"name\".log" 30
log 'logs/db.log' 17
log 'logs/idle.log' 0
gzip logs/db.log

example=$(awk '/^```/ {if (block ~ /compress\.log/) printf "%s", block; inside = /^```sh$/; block = ""; next} inside {block = block $0 "\n"}' "$page")
contains 'the page has the example' 'artel map' "$example"
out=$(bash -euo pipefail -c "$example" 2>&1)
same 'services with most errors' "30 it's a \"name\".log
17 db.log.gz
5 web.log" "$out"
same 'all are compressed' '' "$(find logs -name '*.log')"
same 'and unharmed' 31 "$(zcat "logs/old ones/it's a \"name\".log.gz" | wc -l)"
same 'each job is in the log' 4 "$(wc -l < compress.log)"
finish
