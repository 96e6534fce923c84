#!/usr/bin/env bash
# artel map beside GNU parallel and xargs: the same output and exit status, or a reason why not. A contender that is not
# installed is left out.
set -uo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export M="$(realpath "$artel") map" PARALLEL_HOME=$folder
mkdir "$folder/work"; cd "$folder/work"; : > "$folder/will-cite"
printf 'A\nB\nC\n' > abc; printf 'D\nE\nF\n' > def; printf 'a\tb\nc\td\n' > tsv; printf 'f1\tf2\nA\tB\nC\tD\n' > hdr.tsv
mkdir d; echo x > d/1.txt; echo y > d/2.txt; echo z > 'd/sp ace.txt'; cp d/1.txt d/3.log
same=0; left_out=0; differ=0

with() {  # with CONTENDER NAME ITS-COMMAND OURS [REASON]: the same, or different for a reason
  local contender=$1 name=$2 theirs=$3 ours=$4 reason=${5:-} want got want_status=0 got_status=0
  command -v "$contender" > /dev/null || { left_out=$((left_out + 1)); return; }
  want=$(timeout 60 bash -c "$theirs" 2> /dev/null < /dev/null) || want_status=$?
  got=$(timeout 60 bash -c "$ours" 2> "$folder/err" < /dev/null) || got_status=$?
  if [ "$want" = "$got" ] && [ $want_status = $got_status ]; then
    same=$((same + 1))
    [ -z "$reason" ] || same "$name: still different ($reason)" 'yes' 'no'
  elif [ -n "$reason" ]; then
    differ=$((differ + 1))
  else
    same "$name: as $contender" "$want ($want_status)" "$got ($got_status) $(head -c 300 "$folder/err")"
  fi
}
p() { with parallel "$@"; }
x() { with xargs "$@"; }

# Where items come from.
p 'items appended' 'parallel -k echo ::: A B C' '$M -k -- echo ::: A B C'
p 'from stdin' 'cat abc | parallel -k echo' 'cat abc | $M -- echo'
p 'several files' 'parallel -k -a abc -a def echo' '$M -k -a abc -a def echo'
p 'a file behind ::::' 'parallel -k echo :::: abc' '$M -k echo :::: abc'
p 'a delimiter' 'printf a_b_c | parallel -k -d _ echo' 'printf a_b_c | $M -k -d _ echo'
p 'an item that ends the input' 'parallel -k -E stop echo ::: A B stop C' '$M -k -E stop echo ::: A B stop C'
p 'items are commands' 'parallel -k ::: "echo a" "echo b|cat"' '$M -k ::: "echo a" "echo b|cat"'
p 'lines are commands' 'seq 3 | sed "s/^/echo /" | parallel -k' 'seq 3 | sed "s/^/echo /" | $M -k'
p 'linked inputs' 'parallel -k --link echo ::: A B C ::: D E' '$M -k --link echo ::: A B C ::: D E'
p 'linked by :::+' 'parallel -k echo {1}-{2} ::: A B C :::+ D E' '$M -k echo {1}-{2} ::: A B C :::+ D E'
p 'linked files' 'parallel -k echo :::: abc ::::+ def' '$M -k echo :::: abc ::::+ def'
p 'null bytes' 'printf "a\0b c\0" | parallel -k -0 echo' 'printf "a\0b c\0" | $M -k -0 echo'
p 'a script with #!' 'printf "#!/usr/bin/parallel --shebang -k echo\nA\nB\n" > sb; chmod +x sb; ./sb' 'printf "#!/bin/sh\nprintf \"A\nB\n\" | $M echo\n" > sb2; chmod +x sb2; ./sb2'

# Placeholders.
for placeholder in {} {.} {/} {/.} {//} {#}; do
  p "$placeholder" "parallel -k echo $placeholder ::: A/B.C D.E/F" "\$M -k echo $placeholder ::: A/B.C D.E/F"
done
p '{%}' 'parallel -j1 echo {%} ::: A B C' '$M -j1 echo {%} ::: A B C'
p '{1} and {2}' 'parallel -k echo {2} {1} ::: A B ::: C D' '$M -k echo {2} {1} ::: A B ::: C D'
p '{2/.}' 'parallel -k echo {2/.} {1//} ::: A/B ::: C/D.E' '$M -k echo {2/.} {1//} ::: A/B ::: C/D.E'
p '{-1}' 'parallel -k echo {-1} {-2} ::: A ::: B' '$M -k echo {-1} {-2} ::: A ::: B'
p 'fields' 'parallel -k --colsep "\t" echo 1={1} 2={2} :::: tsv' '$M -k --colsep "\t" echo 1={1} 2={2} :::: tsv'
p 'names of fields' 'parallel -k --colsep "\t" --header : echo {f2} {f1} :::: hdr.tsv' '$M -k --colsep "\t" --header : echo {f2} {f1} :::: hdr.tsv'
p 'a Perl expression' "parallel -k echo '{= s/_.*// =}' ::: a_b c_d" "\$M -k echo '{/_.*//}' ::: a_b c_d"
p '-n 2' 'parallel -k -n2 echo ::: A B C' '$M -k -n2 echo ::: A B C'
p '-N 2' 'parallel -k -N2 echo {2} {1} ::: A B C D' '$M -k -N2 echo {2} {1} ::: A B C D'
p '-I' 'parallel -k -I ,, echo ,,-{} ::: A' '$M -k -I ,, echo ,,-{} ::: A'
p 'the command is an item' 'echo p /bin/ls | parallel -k echo l{}' 'echo p /bin/ls | $M -k echo l{}'
p 'PARALLEL_SEQ' "parallel -k 'echo \$PARALLEL_SEQ' ::: a b" "\$M -k echo {#} {} ::: a b"

p '-X' 'parallel -j1 -X echo pre-{}-post ::: A B C' '$M -j1 -X echo pre-{}-post ::: A B C'
p '-X fills a line' 'seq 10 | parallel -j1 -X echo | wc -l' 'seq 10 | $M -j1 -X echo | wc -l'
p '-m' 'seq 1000 | parallel -m -j1 echo | wc -w' 'seq 1000 | $M -m -j1 echo | wc -w'

# Shells.
p 'quotes' "ls d | parallel -k -q perl -ne '/^(\\S+)/ and print \$1,\"\\n\"' d/{}" "ls d | \$M -k -q perl -ne '/^(\\S+)/ and print \$1,\"\\n\"' d/{}"
p 'a function' 'f() { echo f $1; }; export -f f; parallel -k f ::: A B' 'f() { echo f $1; }; export -f f; $M -k -- bash -c "f {}" ::: A B'
p 'a pipe' 'parallel -k "cat {} | wc -l" ::: d/*' '$M -k --shell -- "cat {} | wc -l" ::: d/*'
p 'calculating' 'parallel -k "echo \$(( {} * 2 ))" ::: 1 2' '$M -k --shell "echo \$(( \$1 * 2 ))" ::: 1 2'
p 'inside "$(…)"' 'parallel -k "echo \"\$(basename {} .txt)\"" ::: "a b.txt"' '$M -k --shell "echo \"\$(basename \"\$1\" .txt)\"" ::: "a b.txt"'

# Running.
p 'as ready' 'parallel -j3 "sleep 0.{}; echo {}" ::: 9 1 4' '$M -j3 --as-ready --shell -- "sleep 0.{}; echo {}" ::: 9 1 4'
p '--dry-run' 'parallel -k --dry-run echo ::: 1' '$M -k --dry-run echo ::: 1'
p '--shuf' 'parallel -j1 --shuf echo ::: 1 2 3 | sort' '$M --shuf echo ::: 1 2 3 | sort'
p 'exit statuses in the log' 'parallel -j1 --joblog l1 exit ::: 1 2 3 0; cut -f1,7 l1' '$M -j1 --joblog l2 --shell exit ::: 1 2 3 0; cut -f1,7 l2'
p 'the number of failures' 'parallel false ::: 1 2 3' '$M false ::: 1 2 3'
p 'no such command' 'parallel nosuchcmd ::: 1 2' '$M nosuchcmd ::: 1 2' 'artel tries a command that is not there once, and ends with 127'
p 'nice' "parallel --nice $(($(nice) + 5)) nice \; true ::: 1" '$M --nice 5 --shell -- "nice; true {}" ::: 1'
p '-j and no --' 'parallel -k -j2 echo {} ::: A B' '$M -k -j2 echo {} ::: A B'

p '--pipe -N' 'seq 10 | parallel -k --pipe -N4 "cat; echo rec"' 'seq 10 | $M -k --pipe -N4 --shell "cat; echo rec"'
p '--pipe --block' 'seq 1000 | parallel --pipe --block 500 wc -l | paste -sd+ | bc' 'seq 1000 | $M --pipe --block 500 wc -l | paste -sd+ | bc'
p '--pipepart' 'seq 1000 > num; parallel --pipepart -a num --block 500 cat | sort | sha256sum' '$M --pipepart -a num --block 500 cat | sort | sha256sum'

p '--recstart' 'printf ">a\nA\n>b\nB\nB\n" | parallel -k --pipe -N1 --recstart ">" "cat; echo ."' 'printf ">a\nA\n>b\nB\nB\n" | $M -k --pipe -N1 --recstart ">" --shell "cat; echo ."'
p '-t' '{ parallel -t echo ::: a; } 2>&1 | sort -u' '{ $M -t echo ::: a; } 2>&1 | sort -u'

# xargs.
x '-t' 'echo a | xargs -t echo 2>&1' 'echo a | $M -t echo 2>&1'
x '-n 2' 'printf "a\nb\nc\n" | xargs -n2 echo' 'printf "a\nb\nc\n" | $M -n2 echo'
x '-I' 'printf "a b\nc\n" | xargs -I{} echo "<{}>"' 'printf "a b\nc\n" | $M -I{} echo "<{}>"'
x '-0 -r -P 2' 'printf "a\0b\0" | xargs -0 -r -n1 -P2 echo | sort' 'printf "a\0b\0" | $M -0 -r -n1 -P2 echo | sort'
x '-d' 'printf "a,b" | xargs -d , -n1 echo' 'printf "a,b" | $M -d , -n1 echo'
x '-E' 'printf "a\nEND\nb\n" | xargs -n1 -E END echo' 'printf "a\nEND\nb\n" | $M -E END echo'
x 'what a command line takes' 'yes $(head -c 100 /dev/zero | tr "\0" a) | head -n 20000 | xargs -n 100000 sh -c "echo \$#"' 'yes $(head -c 100 /dev/zero | tr "\0" a) | head -n 20000 | $M -n 100000 -- sh -c "echo \$#"'
x '-s' 'seq 100 | xargs -s 50 echo' 'seq 100 | $M -j1 -n 1000 -s 50 echo'
x 'no items' 'xargs -r echo x' '$M echo x'

echo "$same the same, $differ different for a reason, $left_out left out"
finish
