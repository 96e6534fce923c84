#!/usr/bin/env bash
# package_test.sh BUILD COMPILER [FLAGS…]: installs BUILD into a temporary folder and uses it as strangers do: foreign/ with
# everything, in a shared library of its own, too; only_pool/ without the packages of the rest, and by pkg-config alone.
set -euo pipefail
build=$1 compiler=$2; shift 2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix="$folder/a place"
cmake --install "$build" --prefix "$prefix" > "$folder/log" || { cat "$folder/log"; exit 1; }

fail() { echo "$*"; cat "$folder/log"; exit 1; }
[ ! -e "$prefix/share/lintian" ] || fail 'what only Debian packages need is installed'
configure() {    # configure PROJECT [OPTION…]
  rm -rf "$folder/build"
  cmake -S "$here/$1" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_PREFIX_PATH="$prefix" "${@:2}" > "$folder/log" 2>&1
}
absent() { for package in "$@"; do echo "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done; }
flags="$*"

configure foreign || fail 'foreign: cannot be configured'
cmake --build "$folder/build"
"$folder/build/artel"
"$prefix/bin/artel" --version
(cd "$folder" && "$prefix/bin/artel" check scenarios/mm8.toml 2>log) || fail 'the installed scenarios are not found by the name that the help gives'

others=$(absent muparser ZLIB zstd nlohmann_json pugixml tomlplusplus CLI11 OpenSSL re2 msgpack nats Boost)
configure only_pool $others || fail 'only_pool: wants a package too many'
cmake --build "$folder/build"
"$folder/build/only_pool"
# The other components, each with its own packages.
parts() {    # parts PART ABSENT…
  configure parts -DPART="$1" $(absent "${@:2}") || fail "$1: wants a package too many"
  cmake --build "$folder/build" && "$folder/build/part"
}
parts sim muparser ZLIB zstd nlohmann_json CLI11 OpenSSL re2 msgpack nats Boost
parts experiment pugixml nlohmann_json CLI11 OpenSSL re2 msgpack nats Boost
parts cluster CLI11 Boost nlohmann_json
configure only_pool -DPRETENDED_CMAKE=3.16.0 || fail 'only_pool: cannot be configured by an older CMake'
cmake --build "$folder/build"

# A component that cannot be had is named with the reason, and an optional one stays optional.
! configure only_pool -DCOMPONENTS=cluster $(absent OpenSSL) || fail 'cluster without OpenSSL was found'
grep -q "component 'cluster' needs what was not found: OpenSSL" "$folder/log" || fail 'cluster without OpenSSL: the message'
! configure only_pool -DCOMPONENTS=pol || fail 'the component pol was found'
grep -q "there is no component 'pol'; this artel has: core, pool" "$folder/log" || fail 'pol: the message'
configure only_pool $others -DOPTIONAL=cluster || fail 'an optional component is asked for in vain, and that is an error'

# Another version in a place of its own, looked at first, is not taken for this one.
mkdir -p "$folder/next/lib/cmake"
cp -r "$(dirname "$(find "$prefix" -name artelConfig.cmake)")" "$folder/next/lib/cmake/"
other="$folder/next/lib/cmake/artel/artelConfigVersion.cmake"
sed -i "s/$(sed -n -E 's/^set\(PACKAGE_VERSION "(.*)"\)/\1/p' "$other")/7.8.9/g" "$other"
configure foreign -DCMAKE_PREFIX_PATH="$folder/next;$prefix" || fail 'two versions: none is found'
grep -q "^artel_DIR:PATH=$prefix/" "$folder/build/CMakeCache.txt" || fail 'two versions: the wrong one is found'

# All headers, under the warnings of a project that is strict. Who has no stdexec does not include what is for it.
(cd "$prefix/include" && find artel -name '*.hpp' ! -path '*/detail/*' ! -name pool_scheduler.hpp | sort |
  sed 's/.*/#include "&"/') > "$folder/all_headers.cpp"
"$compiler" -std=c++20 $flags -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror \
  -I "$prefix/include" "$folder/all_headers.cpp"

export PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name artel-pool.pc)")
eval "words=($(pkg-config --cflags --libs artel-pool))"
"$compiler" -std=c++20 $flags "$here/only_pool/main.cpp" -o "$folder/plain" "${words[@]}"
"$folder/plain"
for part in sim-platform report cluster; do
  pkg-config --exists --print-errors "artel-$part" || fail "pkg-config does not find artel-$part"
done
