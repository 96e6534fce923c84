#!/usr/bin/env bash
# components_test.sh COMPILER: ARTEL_COMPONENTS configures just what was asked for and what that stands on, looks for no
# other package, and refuses what it does not know.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd) compiler=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "$*"; cat "$folder/log"; exit 1; }
configure() {  # configure COMPONENTS [OPTION…]
  rm -rf "$folder/build"
  cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DARTEL_COMPONENTS="$1" \
    -DARTEL_TESTS=OFF -DARTEL_BENCH=OFF "${@:2}" > "$folder/log" 2>&1
}
has() { ninja -C "$folder/build" -t query "$1" > /dev/null 2>&1; }
absent() { for package in "$@"; do echo "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done; }    # one that is REQUIRED fails

configure pool $(absent muparser ZLIB zstd nlohmann_json pugixml CLI11 OpenSSL re2 msgpack) || fail 'pool: wants a package too many'
has artel_pool || fail 'pool: is not built'
for target in artel_cluster artel_scenario artel_sim_kernel artel_app; do
  ! has "$target" || fail "pool: $target is built"
done

# A part has the tests of its rooms, and what these are linked with.
configure pool -DARTEL_TESTS=ON || fail 'pool: cannot be configured with tests'
for target in artel_pool_test artel_sync_test artel_explore; do has "$target" || fail "pool: $target is not built"; done

configure 'experiment;app' $(absent pugixml OpenSSL re2 msgpack) || fail 'experiment: wants a package too many'
for target in artel_app artel_report artel_sim_kernel; do has "$target" || fail "experiment: $target is not built"; done
for target in artel_cluster artel_sim_model artel_command; do ! has "$target" || fail "experiment: $target is built"; done

! configure 'pool;clustr' || fail 'a component that there is not was accepted'
grep -q "there is no 'clustr'; allowed: all, core, pool" "$folder/log" || fail 'an unknown component: the message'
