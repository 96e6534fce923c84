#!/usr/bin/env bash
# run.sh [--list] [--again] [MINUTES] [PART…]: what takes too long for every change. See `./dev soak`.
#
# Every part keeps in build/soak: PART.state (a line: what, seconds, commit, the sum of what it tests), PART.found (a line for each
# finding: what, tab, how to repeat it) and its logs. A part that was stopped goes on where it stopped; one that is done is not run
# again before a file that it tests has changed (--again: all parts of this call are).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly state=build/soak
readonly all_parts=(swarms torture simulation docs debian wheel programs backtest fuzz asan tsan verify coverage mutants)
declare -A what=(
  [swarms]='seeded swarms and properties, with fresh seeds'
  [torture]='artel map under bad luck, and again'
  [simulation]='a million clusters in simulated time, each with its own faults'
  [docs]='the site built, every page and link of it opened in a browser'
  [debian]='the packages, used in a Debian 12 that has nothing else; libc++; arm64 under qemu'
  [wheel]='the Python package, installed by pip without a network'
  [programs]='logs of real programs: nginx, HAProxy, Celery, Slurm'
  [backtest]='runs of nginx, Celery and a pool, predicted from one of them'
  [fuzz]='all fuzzers'
  [asan]='all tests under AddressSanitizer and UndefinedBehaviorSanitizer'
  [tsan]='all tests under ThreadSanitizer'
  [verify]='the simulator against all known answers'
  [coverage]='how often 99% intervals hold the truth, in 300 runs each'
  [mutants]='mistakes put in on purpose: which tests notice')
# What is tested: a change of it lets a part begin anew. All test `sources`, and each what stands here, too.
readonly sources=(artel app cmake dev layers.txt CMakeLists.txt CMakePresets.json ':(glob)tests/*' tests/soak)
declare -A besides=(
  [swarms]='tests/cluster tests/command tests/conformance tests/experiment tests/scheduler tests/explore tests/verify'
  [torture]='tests/command'
  [simulation]='tests/cluster'
  [docs]='docs examples python scenarios schemas web tests/structure tests/web *.md'
  [debian]='examples packaging python scenarios schemas web pyproject.toml vcpkg.json tests'
  [wheel]='python scenarios web pyproject.toml tests/package'
  [programs]='scenarios tests/programs'
  [backtest]='bench python scenarios tests/programs'
  [fuzz]='scenarios tests/fuzz'
  [asan]='bench docs examples packaging python scenarios schemas web README.md tests'
  [verify]='scenarios tests/verify'
  [coverage]='tests/verify'
  [mutants]='bench examples scenarios tests')
besides[tsan]=${besides[asan]}
mkdir -p "$state"
commit_now() { echo "$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo -dirty)"; }

die() { echo "soak: $*" >&2; exit 2; }
found() { printf '%s\t%s\n' "$1" "$2" >>"$state/$part.found"; }

# ---- The parts. Each returns 0 when it is through, whatever it found; the rest of its time is in $limit_s.

# take_results PRESET: what the tests in the newest log came to. A run that was stopped leaves that to the next.
take_results() {
  local log=$state/$part.log.new name
  [ -f "$log" ] || return 0
  sed -n -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.*( +Passed |\*\*\*(Skipped|Not Run \(Disabled\)) ).*$/\1/p' "$log" >>"$state/$part.passed"
  sed -n -E '/\*\*\*(Skipped|Not Run \(Disabled\)) /d; s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.*\*\*\*.*$/\1/p' "$log" | while IFS= read -r name; do
    found "$name fails" "./dev $1 -R '^${name//./\\.}\$'"
    echo "$name" >>"$state/$part.passed"       # it has had its turn
  done
  cat "$log" >>"$state/$part.log"
  rm "$log"
}

# go_on_with_tests PRESET: all tests of a preset that have not had their turn.
go_on_with_tests() {
  local preset=$1 log=$state/$part.log passed=$state/$part.passed list=$state/$part.tests
  take_results "$preset"
  ./dev "$preset" --build-only >"$state/$part.build" 2>&1 || {
    found "does not build" "./dev $preset --build-only"; tail -n 30 "$state/$part.build" >&2; return 0; }
  touch "$passed"
  ctest --test-dir "build/$preset" -N | sed -n -E 's/^ *Test +#([0-9]+): (.*)$/\1 \2/p' >"$list"
  {
    printf '0,0,0'
    awk 'FILENAME == ARGV[1] { passed[$1]; next } { number = $1; sub(/^[0-9]+ /, "") } !($0 in passed) { printf ",%s", number }' \
      "$passed" "$list"
  } >"$state/$part.left"
  [ "$(cat "$state/$part.left")" != 0,0,0 ] || return 0
  ./dev "$preset" -I "$PWD/$state/$part.left" >"$log.new" 2>&1 || true
  take_results "$preset"
  tail -n 30 "$log" | grep -q '^Total Test time'
}
# And a million programs whose code acts wherever the kernel runs it.
soak_asan() {
  local seed status=0
  go_on_with_tests asan || return 1
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  set -- ARTEL_SWARM_SEED="$seed" ARTEL_GUARD_PROGRAMS=1000000 build/asan/tests/scheduler/artel_scheduler_test '--gtest_filter=Guards.*'
  timeout $((limit_s > SECONDS ? limit_s - SECONDS : 1)) env "$@" >"$state/$part.guards" 2>&1 || status=$?
  [ $status -ne 124 ] || return 1
  [ $status -eq 0 ] || found "Guards.* fails" "$*"
}
soak_tsan() { go_on_with_tests tsan; }

soak_fuzz() {
  local fuzzer seconds
  ./dev fuzz --build-only >"$state/$part.build" 2>&1 || { found "does not build" "./dev fuzz --build-only"; return 0; }
  seconds=$(((limit_s - SECONDS) * $(nproc) / $(find build/asan/tests/fuzz -name '*_fuzz' -type f | wc -l) - 5))
  ./dev fuzz $((seconds > 5 ? seconds : 5)) >"$state/$part.log" 2>&1 || true
  for file in build/asan/tests/fuzz/*_fuzz.{crash,leak,oom,timeout}-*; do
    [ -e "$file" ] || continue
    fuzzer=${file%_fuzz.*}_fuzz
    found "$(basename "$fuzzer"): $(basename "$file")" "$fuzzer $file"
  done
}

soak_verify() {
  local log=$state/$part.log from
  ./dev verify --build-only >"$state/$part.build" 2>&1 || { found "does not build" "./dev verify --build-only"; return 0; }
  touch "$log"
  from=$(($(grep -c -E ' (pass|FAIL)( |$)' "$log" || true) + 1))
  stdbuf -oL ./dev verify --from "$from" >>"$log" 2>/dev/null || true
  grep -q -E '^[0-9]+ passed, [0-9]+ failed' "$log" || return 1
  grep ' FAIL' "$log" | while IFS= read -r line; do
    found "$(sed -E 's/ +/ /g' <<<"$line")" "./dev verify --only '$(cut -c 22-93 <<<"$line" | sed -E 's/ +$//')'"
  done
}

# Cell by cell, run by run: what is done is in coverage.csv, which stays when it is stopped. It begins with runs of cells that take
# hours, done before.
soak_coverage() {
  local log=$state/$part.log status=0
  ./dev verify --build-only artel_coverage >"$state/$part.build" 2>&1 ||
    { found "does not build" "./dev verify --build-only artel_coverage"; return 0; }
  [ -e "$state/$part.csv" ] || cp tests/verify/coverage_begun.csv "$state/$part.csv"
  build/bench/tests/verify/artel_coverage --keep "$state/$part.csv" --seconds $((limit_s - SECONDS)) >"$log" 2>&1 || status=$?
  [ $status -ne 2 ] || { found "$(tail -n 1 "$log")" "build/bench/tests/verify/artel_coverage"; return 0; }
  grep 'FAIL' "$log" | sed 's/ *| */|/g' | while IFS='|' read -r _ system load stop _; do
    found "$system, load $load, $stop" "build/bench/tests/verify/artel_coverage --only '$system, load $load, $stop'"
  done
  grep -q -E ' 0 not through$' "$log"
}

# Round after round, each with a seed of its own, until the time is up.
soak_swarms() {
  local seed log=$state/$part.log round=0 binary
  local binaries=(artel/pool/artel_pool_test tests/scheduler/artel_scheduler_test tests/cluster/artel_cluster_swarm_test
    tests/experiment/artel_drawn_scenarios_test tests/conformance/artel_room_rings_test)
  local properties=(dispatch file stat trace random sim/model sim/kernel)
  ./dev test --build-only artel_app artel_pool_test artel_scheduler_test artel_cluster_swarm_test artel_drawn_scenarios_test artel_room_rings_test \
    $(printf 'artel_%s_test ' "${properties[@]//\//_}") >"$state/$part.build" 2>&1 ||
    { found "does not build" "see $state/$part.build"; return 0; }
  # try SETTING BINARY FILTER
  try() {
    local command="$1 build/dev/$2 --gtest_filter=$3"
    env "$1" timeout 300 "build/dev/$2" "--gtest_filter=$3" --gtest_brief=1 >"$log" 2>&1 ||
      { found "${3%%:*} fails" "$command"; cp "$log" "$state/$part.$seed.log"; }
  }
  # try_command WHAT COMMAND…
  try_command() {
    local what=$1; shift
    timeout 300 "$@" >"$log" 2>&1 || { found "$what" "$*"; cp "$log" "$state/$part.$seed.log"; }
  }
  seed=chains
  try "ARTEL_CHAIN_LENGTH=10000000" "${binaries[0]}" 'FutureChain.*'    # 5 GB
  while [ $SECONDS -lt "$limit_s" ]; do
    seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
    try "ARTEL_SWARM_SEED=$seed" "${binaries[0]}" 'PoolSwarm.*'
    try "ARTEL_SWARM_SEED=$seed" "${binaries[1]}" 'Swarm.*:Guards.*'
    try "ARTEL_SWARM_SEED=$seed" "${binaries[2]}" 'ClusterSwarm.*'
    try "ARTEL_SWARM_SEED=$seed" "${binaries[3]}" 'DrawnScenarios.*'
    try "ARTEL_SWARM_SEED=$seed" "${binaries[4]}" 'RoomRings.*'
    try ARTEL_THIEF_ROUNDS=3000 "${binaries[2]}" '*Theft.*'
    try "RC_PARAMS=seed=$seed" "${binaries[1]}" 'Scheduler.*'
    for binary in "${properties[@]}"; do
      try "RC_PARAMS=seed=$seed max_success=300" "artel/$binary/artel_${binary//\//_}_test" '*'
    done
    try_command 'the second model differs' tests/verify/second_model/compare.py build/dev/app/artel --seed "$seed" --runs 5
    try_command 'an item of map is changed or runs' env ARTEL_ITEMS=300 tests/command/map_hostile_test.sh build/dev/app/artel
    round=$((round + 1))
    echo $(($(cat "$state/$part.rounds" 2>/dev/null || echo 0) + 1)) >"$state/$part.rounds"
  done
}

# Ten minutes; a machine with little to do has little bad luck, so it gets something to do.
soak_torture() {
  local log=$state/$part.log seconds=$((limit_s < 600 ? limit_s : 600)) load=()
  ./dev test --build-only artel >"$state/$part.build" 2>&1 || { found "does not build" "see $state/$part.build"; return 0; }
  for _ in $(seq $(($(nproc) * 2))); do
    timeout "$seconds" sh -c 'while :; do :; done' &
    load+=($!)
  done
  node tests/command/map_torture.mjs build/dev/app/artel "$seconds" >"$log" 2>&1 || true
  kill "${load[@]}" 2>/dev/null || true
  grep -q -E '^[0-9]+ rounds' "$log" || return 1
  grep '^seed' "$log" | while IFS= read -r line; do
    found "$line" "node tests/command/map_torture.mjs build/dev/app/artel 1 $(cut -d ' ' -f 2 <<<"$line")"
  done
  # 200 rounds of each signal.
  node tests/command/map_resume_law.mjs build/dev/app/artel 1000 >"$log" 2>&1 || true
  grep -q -E '^[0-9]+ rounds' "$log" || return 1
  grep '^seed' "$log" | while IFS= read -r line; do
    found "$line" "node tests/command/map_resume_law.mjs build/dev/app/artel 1 $(cut -d ' ' -f 2 <<<"$line")"
  done
}

# Ten thousand seeds at a time, on from where it stopped.
soak_simulation() {
  local next step=10000 log=$state/$part.log
  ./dev test --build-only artel_cluster_simulation_test >"$state/$part.build" 2>&1 ||
    { found "does not build" "see $state/$part.build"; return 0; }
  next=$(cat "$state/$part.next" 2>/dev/null || echo 1)
  while [ "$next" -le 1000000 ]; do
    [ $SECONDS -lt "$limit_s" ] || return 1
    local command="ARTEL_SWARM_SEED=$next ARTEL_SWARM_RUNS=$step build/dev/tests/cluster/artel_cluster_simulation_test"
    env ARTEL_SWARM_SEED="$next" ARTEL_SWARM_RUNS="$step" timeout 600 \
      build/dev/tests/cluster/artel_cluster_simulation_test --gtest_filter='ClusterSimulation.Every*' --gtest_brief=1 >"$log" 2>&1 ||
      { found "seeds from $next fail" "$command"; cp "$log" "$state/$part.$next.log"; }
    next=$((next + step))
    echo "$next" >"$state/$part.next"
  done
}

soak_docs() {
  ./dev docs >"$state/$part.log" 2>&1 || found "$(tail -n 1 "$state/$part.log")" "./dev docs"
}

soak_programs() {
  local log=$state/$part.log name
  ./dev test --all -R '^programs\.' >"$log" 2>&1 || true
  grep -q '^Total Test time' "$log" || { found "does not build" "./dev test --all"; return 0; }
  sed -n -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.*\*\*\*.*$/\1/p' "$log" | while IFS= read -r name; do
    found "$name fails" "./dev test --all -R '^${name//./\\.}\$'"
  done
}

# 14 minutes. How far off predictions are is printed, not judged: a busy machine is another one.
soak_backtest() {
  local log=$state/$part.log
  ./dev bench backtest >"$log" 2>&1 || { found "$(tail -n 1 "$log")" "./dev bench backtest"; return 0; }
  sed -n '/p99/,$p' "$log"
}

# Step by step, so that it goes on with the one that it was stopped in.
soak_wheel() {
  local command="tests/package/wheel_offline.sh $state/wheel"
  $command >"$state/$part.log" 2>&1 || found "$(tail -n 1 "$state/$part.log")" "$command"
}

soak_debian() {
  local step done=$state/$part.steps log=$state/$part.log command
  touch "$done"
  for step in package fresh pool parts command python source libcxx arm64; do
    ! grep -qx "$step" "$done" || continue
    [ $SECONDS -lt "$limit_s" ] || return 1
    command="tests/package/bare_debian.sh build/package/packages $state/bare $step"
    [ $step != package ] || command='./dev package'
    $command >"$log" 2>&1 || {
      found "$step: $(tail -n 1 "$log")" "$command"
      cp "$log" "$state/$part.$step.log"
      case $step in package | fresh) return 0 ;; esac
    }
    echo "$step" >>"$done"
  done
  rm -rf "$state/bare"
}

soak_mutants() {
  ./dev mutants >"$state/$part.log" 2>&1 || true
  grep -q -E '^[0-9]+ mutants: ' "$state/$part.log" || { tail -n 5 "$state/$part.log" >&2; return 1; }
  sed -n -E '/(SURVIVES|does not|but its list)/s/^([^ ]+) +(.*[^ ])  +([^ ].*)$/\1\t\2\t\3/p' "$state/$part.log" |
    while IFS=$'\t' read -r room mutant outcome; do found "$room: $mutant: $outcome" "./dev mutants --again $room"; done
}

# ---- One part in a process of its own: run.sh --part NAME SECONDS

if [ "${1:-}" = --part ]; then
  part=$2 limit_s=$3 status=0
  SECONDS=0
  "soak_$part" || status=$?
  exit "$status"
fi

# ---- All of them

# sum_of PART: of all files that it tests, as they lie here.
sum_of() {
  local more
  set -f; more=(${besides[$1]}); set +f      # git reads the patterns
  git ls-files -z --cached --others --exclude-standard -- "${sources[@]}" "${more[@]}" |
    { xargs -0 sha256sum 2>/dev/null || true; } | sha256sum | cut -c 1-16
}

state_of() { cat "$state/$1.state" 2>/dev/null || echo 'not run yet'; }

# is_stale PART: a file that it tests has changed since it ran.
is_stale() {
  local sum
  sum=$(state_of "$1" | cut -s -f 4)
  [ -e "$state/$1.state" ] && [ "$sum" != "$(sum_of "$1")" ]
}

# standing PART: not run yet; stopped; through; or changed: through, but a file that it tests has changed since.
standing() {
  local result
  result=$(state_of "$1" | cut -f 1)
  if [ "$result" = 'not run yet' ]; then echo "$result"
  elif [ "$result" != 'done' ]; then echo stopped
  elif is_stale "$1"; then echo changed
  else echo through; fi
}
is_clean() { [ "$(standing "$1")" = through ] && [ ! -s "$state/$1.found" ]; }

table() {
  local part result seconds at sum count first left=()
  printf '\n%-10s %-11s %8s  %-13s %s\n' part result time commit found
  for part in "${parts[@]}"; do
    IFS=$'\t' read -r result seconds at sum <<<"$(state_of "$part")"
    count=0
    [ ! -f "$state/$part.found" ] || count=$(wc -l <"$state/$part.found")
    first=nothing
    [ "$count" -eq 0 ] || first="$count:"
    [ "$part" = swarms ] && [ -f "$state/swarms.rounds" ] && first="$first ($(cat "$state/swarms.rounds") rounds)"
    [ "$result" = 'not run yet' ] && first=
    printf '%-10s %-11s %6s s  %-13s %s\n' "$part" "$(standing "$part")" "${seconds:--}" "${at:--}" "$first"
    [ "$count" -eq 0 ] || while IFS=$'\t' read -r finding repeat; do
      printf '         %s\n           %s\n' "$finding" "$repeat"
    done <"$state/$part.found"
    is_clean "$part" || left+=("$part")
  done
  if [ ${#left[@]} -eq 0 ]; then
    echo 'All of them are through, have found nothing, and what they test has not changed since.'
  else
    echo "Not through with nothing found: ${left[*]}"
  fi
}

minutes=60 again=no list=no
parts=()
for argument in "$@"; do
  case $argument in
    --list) list=yes ;;
    --again) again=yes ;;
    -*) die "unknown option $argument; allowed: --list, --again" ;;
    *[!0-9]*) [ -n "${what[$argument]:-}" ] || die "no part '$argument'; there are: ${all_parts[*]}"
              parts+=("$argument") ;;
    *) minutes=$argument ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=("${all_parts[@]}")
if [ $list = yes ]; then
  for part in "${parts[@]}"; do printf '%-10s %s\n' "$part" "${what[$part]}"; done
  table
  exit 0
fi

forget() { find "$state" -maxdepth 1 -name "$1.*" -delete; }

todo=()
for part in "${parts[@]}"; do
  if [ $again = yes ] || is_stale "$part"; then forget "$part"; fi
  [ "$(standing "$part")" = through ] || todo+=("$part")
done

running=
finish() {
  trap - INT TERM
  [ -z "$running" ] || kill -TERM -- "-$running" 2>/dev/null || true
  note stopped
  table
  exit 130
}
note() {      # note WHAT: of $part, which began at $begun with the files $sum
  printf '%s\t%s\t%s\t%s\n' "$1" $((before_s + SECONDS - begun)) "$commit" "$sum" >"$state/$part.state"
}

deadline=$((SECONDS + 60 * minutes))
for i in "${!todo[@]}"; do
  part=${todo[i]} begun=$SECONDS
  ! is_stale "$part" || forget "$part"      # changed while others ran
  sum=$(sum_of "$part") commit=$(commit_now) before_s=$(state_of "${todo[i]}" | cut -s -f 2)
  before_s=${before_s:-0}
  left=$((deadline - SECONDS))
  [ $left -gt 0 ] || break
  limit=$((left / (${#todo[@]} - i)))
  case $part in     # these never come to an end: they leave more to those that do
    swarms | fuzz) [ ${#todo[@]} -eq 1 ] || limit=$((limit < 60 * minutes / 10 ? limit : 60 * minutes / 10)) ;;
  esac
  [ $limit -gt 30 ] || limit=30
  printf '\033[1m==> soak: %s, %s, for %s min at most\033[0m\n' "$part" "${what[$part]}" $(((limit + 59) / 60)) >&2
  # Findings of a part that is told from its log as a whole are told anew.
  case $part in programs | fuzz | verify | coverage | mutants) rm -f "$state/$part.found" ;; esac
  set -m            # a process group of its own, to end it with all that it has started
  timeout -k 20 $((limit + 30)) tests/soak/run.sh --part "$part" "$limit" &
  running=$!
  set +m
  trap finish INT TERM
  status=0
  wait "$running" || status=$?
  trap - INT TERM
  running=
  if [ $status -eq 0 ]; then note done; else note stopped; fi
done
table
for part in "${parts[@]}"; do is_clean "$part" || exit 1; done
