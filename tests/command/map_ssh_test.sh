#!/usr/bin/env bash
# artel map --ssh: with ssh and sshd as they are, a server for each connection, which is a host as far as ssh knows.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
source "$(dirname "$0")/map_expect.sh"
artel=$(realpath "$artel")
source "$(dirname "$0")/ssh_hosts.sh"
gone_all() { for pid in "$@"; do gone "$pid" || return 1; done; }
lose() { kill -KILL $(cat "$folder/$1.servers") 2> /dev/null || true; }  # lose HOST: its servers, as if it were switched off
log=$folder/log

# ---- The same as here: order, words, statuses.
run 0 $'a\nb\nc\nd' '' --ssh 2/alpha,beta -- echo ::: a b c d
run 0 $'a\nb' '' -S alpha --sshlogin beta -j 1 -- echo ::: a b
hostile=("it's" '$(touch x)' '`touch x`' 'a  b' '*' '' '-n' $'two\nlines' '"' '\' 'ü' '!x' '{}')
printf '%s\0' "${hostile[@]}" > "$folder/items"
same 'words arrive as they are' "$(printf '<%s>\n' "${hostile[@]}")" "$("$artel" map -0 -a "$folder/items" --ssh alpha -- printf '<%s>\n')"
same 'and in scripts' "$(printf '<%s>\n' "${hostile[@]}")" "$("$artel" map -0 -a "$folder/items" --ssh alpha --shell -- 'x=$1; printf "<%s>\n" "$x"')"
run 0 "$(cd && pwd)" '' --ssh alpha --shell -- 'pwd; : {}' ::: a
run 0 'end' '' --ssh alpha --shell -- 'cat; echo end; : {}' ::: a
run 2 '' '2 of 3 jobs failed' -j 1 --ssh alpha --joblog "$log" --shell -- 'exit {}' ::: 0 3 7
same 'statuses and hosts in the log' $'1 alpha 0\n2 alpha 3\n3 alpha 7' "$(tail -n +2 "$log" | cut -f 1,2,7 | tr '\t' ' ')"
run 1 '' 'exit status 255' --ssh alpha --shell -- "echo x >> $folder/once; exit 255; : {}" ::: a
same 'a job that ends with 255 has run once' x "$(cat "$folder/once")"
run 1 '' 'exit status 127' --ssh alpha -- no-such-program ::: a
run 0 $'a\t1\nb\t1' '' --ssh alpha --tag --shell -- 'echo 1; : {}' ::: a b
run 0 "$(seq 40)" '' --ssh 20/alpha -- echo < <(seq 40)
printf '# hosts\n 1/alpha # one\nbeta\n' > "$folder/hosts"
rm -f "$log"
run 0 "$(seq 6)" '' --slf "$folder/hosts" -j 1 --joblog "$log" --shell -- 'sleep 0.1; echo {}' < <(seq 6)
same 'all hosts work' $'alpha\nbeta' "$(tail -n +2 "$log" | cut -f 2 | sort -u)"
run 0 $'a\nb' '' --ssh :,1/alpha -- echo ::: a b
same 'many items for each' 20000 "$(seq 20000 | "$artel" map -X --ssh 2/alpha -- echo | tr ' ' '\n' | wc -l)"
run 0 'b' '' --resume --joblog "$folder/log2" --ssh alpha -- echo ::: b

# ---- Hosts that cannot be reached, and hosts that go.
run 255 '' "host 'gamma' cannot be reached: " --ssh gamma -- echo ::: a
contains 'the reason' 'no host can be reached' "$(cat "$folder/err")"
run 0 $'a\nb' "host 'gamma' cannot be reached" --ssh gamma,alpha -- echo ::: a b
rm -f "$log" "$folder"/*.servers
: > "$folder/pids"
job="echo \$\$ >> $folder/pids; echo {}; until [ -e $folder/go ]; do sleep 0.02; done"
"$artel" map --ssh 2/alpha,2/beta --joblog "$log" --shell -- "$job" ::: 1 2 3 4 > "$folder/out" 2> "$folder/err" & map=$!
wait_for sh -c "[ \$(wc -l < $folder/pids) = 4 ]"
lose alpha
wait_for sh -c "grep -q \"host 'alpha' is lost\" $folder/err"
: > "$folder/go"
status=0; wait $map || status=$?
same 'a host is lost: exit status' 0 "$status"
same 'a host is lost: outputs' $'1\n2\n3\n4' "$(cat "$folder/out")"
same 'a host is lost: who ran the jobs' beta "$(tail -n +2 "$log" | cut -f 2 | sort -u)"
wait_for gone_all $(cat "$folder/pids")
rm -f "$log" "$folder/go" "$folder"/*.servers
: > "$folder/pids"
"$artel" map --ssh 1/alpha,1/beta --joblog "$log" --shell -- "$job" ::: 1 2 3 > "$folder/out" 2> "$folder/err" & map=$!
wait_for sh -c "[ \$(wc -l < $folder/pids) = 2 ]"
lose alpha; lose beta
status=0; wait $map || status=$?
same 'all hosts are lost: exit status' 255 "$status"
contains 'all hosts are lost' 'all hosts are lost' "$(cat "$folder/err")"
wait_for gone_all $(cat "$folder/pids")
: > "$folder/go"
same 'and the rest of the jobs later' $'1\n2\n3' "$({ cat "$folder/out"; "$artel" map --ssh alpha --joblog "$log" --resume --shell -- "$job" ::: 1 2 3; } | sort)"

# ---- What is ended here ends there.
: > "$folder/pids"
run 1 '' 'timed out' --timeout 3 --ssh alpha --shell -- "echo \$\$ >> $folder/pids; sleep 1000 & echo \$! >> $folder/pids; wait; : {}" ::: a
wait_for gone_all $(cat "$folder/pids")
for signal in TERM KILL; do
  rm -f "$folder/pids"
  env --default-signal "$artel" map --ssh alpha --shell -- "echo \$\$ >> $folder/pids; exec sleep 1000; : {}" ::: a > /dev/null 2>&1 & map=$!
  wait_for [ -s "$folder/pids" ]
  kill -$signal $map
  wait $map 2> /dev/null || true
  wait_for gone_all $(cat "$folder/pids")
done
rm -rf "$folder"/tmp/artel-ssh-*  # of the one that was killed
"$artel" map --ssh alpha -- echo ::: a > /dev/null
same 'no folder is left' '' "$(ls "$folder/tmp")"

# ---- What does not go together.
run 2 '' '--ssh: hosts, or a --cluster' --ssh alpha --cluster local -- echo ::: a
run 2 '' '--pipe: workers elsewhere' --ssh alpha --pipe -- cat < /dev/null
run 2 '' '--tty: the terminal is here' --ssh alpha --tty -- echo ::: a
run 2 '' '--load, --memfree' --ssh alpha --load 2 -- echo ::: a
run 2 '' "found '0/alpha'" --ssh 0/alpha -- echo ::: a
run 2 '' "'' is no host" --ssh alpha, -- echo ::: a
run 2 '' 'cannot read' --slf "$folder/none" -- echo ::: a
run 0 'echo a' '' --ssh gamma --dry-run -- echo ::: a
finish
