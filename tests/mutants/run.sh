#!/usr/bin/env bash
# run.sh [--list] [--check] [--again] [ROOM…]: mistakes put into the code on purpose, one at a time, and the tests that must notice.
#
# ROOM.txt, beside this script, holds the mutants of one room. A line is a word and the rest of the line:
#   tests TARGET [ARGUMENTS]   what is built and run for the mutants that follow: the room's own fast tests
#   mutant WORDS               what is broken
#   file PATH
#   find TEXT                  as it stands there, exactly once; spaces at the ends do not count
#   replace TEXT               what stands there instead (may be empty)
#   survives WHY               no test notices, and why that is known
# All happens in a copy of the tree, build/mutants/tree, without optimisation: what is compiled anew for each mutant takes
# longest. What was found stays in build/mutants/found, by a sum over the mutant, its file and the room's files, and is not
# run again before one of them changes (--again: it is).
# --check: only whether each applies to the tree as it is, in a second.
# Ends with 1 if a mutant survives that is not known to, or is known to and dies, does not apply or does not compile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly here=$PWD lists=tests/mutants tree=$PWD/build/mutants/tree found=$PWD/build/mutants/found
limit_s=600      # for one test; what takes longer hangs
list=no again=no check=no
rooms=()
for argument in "$@"; do
  case $argument in
    --list) list=yes ;;
    --again) again=yes ;;
    --check) check=yes ;;
    -*) echo "mutants: unknown option $argument; allowed: --list, --check, --again" >&2; exit 2 ;;
    *) [ -f "$lists/$argument.txt" ] || { echo "mutants: no room '$argument' in $lists" >&2; exit 2; }
       rooms+=("$argument") ;;
  esac
done
[ ${#rooms[@]} -gt 0 ] || mapfile -t rooms < <(basename -s .txt "$lists"/*.txt)

# ---- The lists

room_of=() tests_of=() words_of=() file_of=() find_of=() replace_of=() survives_of=()
read_list() {
  local room=$1 tests='' key value n
  while IFS= read -r line || [ -n "$line" ]; do
    [[ $line =~ ^[[:space:]]*(#.*)?$ ]] && continue
    key=${line%% *} value=
    [[ $line == *' '* ]] && value=${line#* }
    n=$((${#words_of[@]} - 1))
    case $key in
      tests) tests=$value ;;
      mutant) [ -n "$tests" ] || { echo "mutants: $lists/$room.txt: no tests before mutant '$value'" >&2; exit 2; }
              room_of+=("$room") tests_of+=("$tests") words_of+=("$value")
              file_of+=('') find_of+=('') replace_of+=('') survives_of+=('') ;;
      file) file_of[n]=$value ;;
      find) find_of[n]=$value ;;
      replace) replace_of[n]=$value ;;
      survives) survives_of[n]=$value ;;
      *) echo "mutants: $lists/$room.txt: unknown word '$key'" >&2; exit 2 ;;
    esac
  done <"$lists/$room.txt"
}
for room in "${rooms[@]}"; do read_list "$room"; done

if [ $list = yes ]; then
  for n in "${!words_of[@]}"; do printf '%-11s %s\n' "${room_of[n]}" "${words_of[n]}"; done
  exit 0
fi

# applies N ROOT: the text is there exactly once. Its file is in `text` then, with a dot behind it.
applies() {
  local file=$2/${file_of[$1]} find=${find_of[$1]} rest
  [ -f "$file" ] && [ -n "$find" ] || return 1
  text=$(cat "$file"; echo .)
  rest=${text//"$find"/}
  [ $((${#text} - ${#rest})) -eq ${#find} ]
}

if [ $check = yes ]; then
  stale=0
  for n in "${!words_of[@]}"; do
    applies "$n" "$here" || { stale=1; echo "${room_of[n]}: ${words_of[n]}: ${file_of[n]} does not have just once: ${find_of[n]}"; }
  done
  exit $stale
fi

# ---- The copy

changed=              # the file of the copy that a mutant is in
put_back() {
  [ -z "$changed" ] || cp "$found.original" "$tree/$changed"    # as of now, so that it is compiled again
  changed=
}
trap put_back EXIT
trap 'exit 130' INT TERM

copy_tree() {
  local file
  mkdir -p "$tree" "$found"
  git ls-files -co --exclude-standard | LC_ALL=C sort >"$found.files"
  while IFS= read -r file; do
    [ -f "$file" ] || continue
    cmp -s "$file" "$tree/$file" || { mkdir -p "$tree/$(dirname "$file")"; cp "$file" "$tree/$file"; }
  done <"$found.files"
  (cd "$tree" && find . -path ./build -prune -o -path ./web/node_modules -prune -o -type f -printf '%P\n' | LC_ALL=C sort) |
    LC_ALL=C comm -13 "$found.files" - | while IFS= read -r file; do rm -f "${tree:?}/$file"; done
  [ -e "$tree/web/node_modules" ] || [ ! -d web/node_modules ] || ln -s "$here/web/node_modules" "$tree/web/node_modules"
}

build() {
  CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 \
    cmake --build "$tree/build/dev" --target "$1" >"$found.build" 2>&1
}

# run_tests TARGET [ARGUMENTS]: "passed", or which test noticed what. A test that says nothing for limit_s hangs.
run_tests() {
  local binary status=0 last size=0 quiet=0 tests
  binary=$(find "$tree/build/dev" -name "$1" -type f -perm -u+x | head -n 1); shift
  (cd "$tree" && RC_PARAMS=seed=1 exec setsid "$binary" --gtest_fail_fast "$@") >"$found.log" 2>&1 </dev/null 9>&- &    # what a mutant leaves behind holds no lock
  tests=$!
  while kill -0 $tests 2>/dev/null; do
    sleep 0.1
    quiet=$((quiet + 1))
    [ "$(stat -c %s "$found.log")" = "$size" ] || { size=$(stat -c %s "$found.log") quiet=0; }
    [ $quiet -lt $((10 * limit_s)) ] || kill -KILL -- -$tests 2>/dev/null || true
  done
  wait $tests 2>/dev/null || status=$?
  last=$(grep -a '^\[ RUN  ' "$found.log" | tail -n 1 | sed 's/^\[ RUN  *\] //')
  case $status in
    0) echo passed ;;
    137) echo "$last (hangs)" ;;
    1) grep -a -m 1 '^\[  FAILED  \]' "$found.log" | sed -E 's/^\[  FAILED  \] ([^ ,]*).*/\1/' ;;
    *) echo "$last (ends the program)" ;;
  esac
}

# The longest of the tests that ran, in seconds, rounded up.
longest() { sed -n -E 's/^\[       OK \] .* \(([0-9]+) ms\)$/\1/p' "$found.log" | sort -n | tail -n 1 | awk '{ print int($1 / 1000) + 1 }'; }

# ---- One mutant

# sum_of N: what the outcome depends on, as far as it is looked at.
sum_of() {
  local n=$1 folder
  folder=$(dirname "${file_of[n]}"); folder=${folder%/detail}
  { printf '%s\n' "${tests_of[n]}" "${file_of[n]}" "${find_of[n]}" "${replace_of[n]}"
    cd "$tree" && find "$folder" -maxdepth 2 -type f -print0 | LC_ALL=C sort -z | xargs -0 cat; } | sha256sum | cut -c 1-16
}

# put_in N: fails if the text is not there exactly once.
put_in() {
  local n=$1 text
  applies "$n" "$tree" || return 1
  cp "$tree/${file_of[n]}" "$found.original"
  changed=${file_of[n]}
  text=${text/"${find_of[n]}"/"${replace_of[n]}"}
  printf '%s' "${text%.}" >"$tree/$changed"
}

# outcome_of N: into `outcome`.
sound= unsound=       # the tests that pass without a mutant; those that do not, and why
outcome_of() {
  local n=$1 tests
  read -ra tests <<<"${tests_of[n]}"
  put_in "$n" || { outcome='does not apply'; return; }
  put_back
  [ "$unsound" != "${tests[*]}" ] || { outcome=$why_unsound; return; }
  if [ "$sound" != "${tests[*]}" ]; then
    build "${tests[0]}" || { outcome="does not compile, nor does ${tests[0]} as it is"; cp "$found.build" "$found.error"; return; }
    limit_s=600
    outcome=$(run_tests "${tests[@]}")
    if [ "$outcome" != passed ]; then
      cp "$found.log" "$found.error"
      outcome="does not count: $outcome fails without it"
      unsound=${tests[*]} why_unsound=$outcome
      return
    fi
    limit_s=$((20 + 5 * $(longest)))
    sound=${tests[*]}
  fi
  put_in "$n"
  if build "${tests[0]}"; then
    outcome=$(run_tests "${tests[@]}")
    [ "$outcome" = passed ] && outcome=SURVIVES || outcome="killed by $outcome"
  else
    outcome='does not compile'
    cp "$found.build" "$found.error"
  fi
  put_back
}

mkdir -p "$found"
exec 9>"$found.lock"
flock -n 9 || { echo "mutants: another run is in this folder" >&2; exit 2; }
copy_tree
# Without inlining g++ 12 takes a coroutine promise's own operator new and delete for a mismatched pair.
[ -f "$tree/build/dev/build.ninja" ] ||
  cmake --preset dev -DCMAKE_CXX_FLAGS="-O0 -Wno-mismatched-new-delete" -DARTEL_PEERS="$here/../shared/peers" \
    -S "$tree" -B "$tree/build/dev" >"$found.log" 2>&1 || { cat "$found.log"; exit 2; }

bad=0 killed=0 known=0
printf '%-11s %-62s %s\n' room mutant outcome
for n in "${!words_of[@]}"; do
  sum=$(sum_of "$n" 2>/dev/null || echo none)
  if [ $again = no ] && [ -f "$found/$sum" ]; then
    outcome=$(cat "$found/$sum")
  else
    outcome_of "$n"
    case $outcome in killed* | SURVIVES) echo "$outcome" >"$found/$sum" ;; esac
  fi
  note=
  case $outcome in
    killed*) killed=$((killed + 1))
             [ -z "${survives_of[n]}" ] || { bad=$((bad + 1)); note=' (but its list says that it survives)'; } ;;
    SURVIVES) if [ -n "${survives_of[n]}" ]; then known=$((known + 1)); outcome=survives; note=": ${survives_of[n]}"
              else bad=$((bad + 1)); fi ;;
    *) bad=$((bad + 1)) ;;
  esac
  printf '%-11s %-62s %s\n' "${room_of[n]}" "${words_of[n]}" "$outcome$note"
done
echo "${#words_of[@]} mutants: $killed killed, $known known to survive, $bad to look at"
[ $bad -eq 0 ]
