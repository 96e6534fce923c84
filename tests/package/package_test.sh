#!/usr/bin/env bash
# package_test.sh BUILD COMPILER [FLAGS…]: installs BUILD into a temporary folder and uses it as strangers do: foreign/ with
# everything, in a shared library of its own, too; only_pool/ without the packages of the rest, and by pkg-config alone.
set -euo pipefail
build=$1 compiler=$2; shift 2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/artel" > "$folder/log" || { cat "$folder/log"; exit 1; }

fail() { echo "$*"; cat "$folder/log"; exit 1; }
configure() {    # configure PROJECT [OPTION…]
  rm -rf "$folder/build"
  cmake -S "$here/$1" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_PREFIX_PATH="$folder/artel" "${@:2}" > "$folder/log" 2>&1
}
absent() { for package in "$@"; do echo "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done; }
flags="$*"

configure foreign || fail 'foreign: cannot be configured'
cmake --build "$folder/build"
"$folder/build/artel"
"$folder/artel/bin/artel" --version

others=$(absent muparser ZLIB zstd nlohmann_json pugixml tomlplusplus CLI11 OpenSSL msgpack nats Boost)
configure only_pool $others || fail 'only_pool: wants a package too many'
cmake --build "$folder/build"
"$folder/build/only_pool"

# A component that cannot be had is named with the reason, and an optional one stays optional.
! configure only_pool -DCOMPONENTS=cluster $(absent OpenSSL) || fail 'cluster without OpenSSL was found'
grep -q "component 'cluster' needs what was not found: OpenSSL" "$folder/log" || fail 'cluster without OpenSSL: the message'
! configure only_pool -DCOMPONENTS=pol || fail 'the component pol was found'
grep -q "there is no component 'pol'; this artel has: core, pool" "$folder/log" || fail 'pol: the message'
configure only_pool $others -DOPTIONAL=cluster || fail 'an optional component is asked for in vain, and that is an error'

modules=$(find "$folder/artel" -name pkgconfig)
"$compiler" -std=c++20 $flags "$here/only_pool/main.cpp" -o "$folder/plain" \
  $(PKG_CONFIG_PATH=$modules pkg-config --define-prefix --cflags --libs artel-pool)
"$folder/plain"
