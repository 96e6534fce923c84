#!/usr/bin/env bash
# Policies in shared objects, from C: in scenarios, in artel plan's answer, when they fail, and when they change between runs.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# make_plugin NAME ANSWER: a policy that always gives that answer.
make_plugin() {
  cat > "$folder/$1.c" <<C
#include "artel/dispatch/artel_policy.h"
static int64_t choose(void* self, const artel_loads* loads, const artel_draw* draw) {
  (void)self, (void)loads, (void)draw;
  return $2;
}
const uint32_t artel_policy_abi = ARTEL_POLICY_ABI;
const char* artel_make_policy(const char* options, artel_policy* policy) {
  (void)options;
  policy->name = "mine";
  policy->choose = choose;
  return 0;
}
C
  cc -std=c99 -Wall -Wextra -pedantic -Werror -I. -shared -fPIC "$folder/$1.c" -o "$folder/$1.so.new"
  mv "$folder/$1.so.new" "$folder/$1.so"
}
make_plugin turns 'draw->turn % loads->workers'
make_plugin far 'loads->workers'

# scenario FILE POLICY: eight workers.
scenario() {
  cat > "$1" <<TOML
[workload]
arrivals = { kind = "poisson", load = 0.5 }
service = { distribution = "exponential", mean = 1 }
[pool]
workers = 8
[dispatch]
policies = [$2]
[run]
tasks = 2000
replications = 2
TOML
}
scenario "$folder/mine.toml" '{ name = "plugin", file = "turns.so", label = "policy" }'
scenario "$folder/theirs.toml" '{ name = "round_robin", label = "policy" }'

# Found beside the scenario, whatever the current folder is; the same numbers as the built-in policy's.
figures() { "$artel" simulate "$1" --csv 2>/dev/null; }
contains 'figures' 'policy,' "$(figures "$folder/mine.toml")"
same 'a plugin answers as the same policy that is built in' "$(figures "$folder/theirs.toml")" \
  "$(figures "$folder/mine.toml")"

# As text, from where one is. It takes turns as round robin does, but counts workers that are not there, too, so one of 41 scenarios may differ.
artel=$(realpath "$artel")
(cd "$folder" && "$artel" arena 'plugin(file=turns.so)' round_robin --replications 1 --set run.tasks=300 >arena)
same 'the arena' '(1-2) (1-2)' "$(sed -n -E 's/^(plugin|round_robin)[^ ]* +[0-9]+ (\([0-9-]+\)) .*/\2/p' "$folder/arena" | xargs)"
same 'the arena runs it everywhere' 0 "$(grep -c cannot "$folder/arena")"

# Mistakes: where, and what.
scenario "$folder/wrong.toml" '{ name = "plugin", file = "nowhere.so" }'
expect 2 '' "wrong.toml:7:39: dispatch.policies: plugin: $folder/nowhere.so: no such file" simulate "$folder/wrong.toml"
scenario "$folder/wrong.toml" '"plugin"'
expect 2 '' 'plugin needs a file' check "$folder/wrong.toml"
scenario "$folder/wrong.toml" '{ name = "plugin", file = "far.so" }'
expect 1 '' "policy mine ($folder/far.so): found worker 8, allowed: 0 to 7, or -1 for any" simulate "$folder/wrong.toml"
finish
