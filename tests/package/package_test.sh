#!/usr/bin/env bash
# package_test.sh BUILD COMPILER [FLAGS…]: installs BUILD into a temporary folder, builds foreign/ against it, runs it.
set -euo pipefail
build=$1 compiler=$2; shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/artel" > "$folder/log" || { cat "$folder/log"; exit 1; }
cmake -S "$(dirname "$0")/foreign" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$*" -DCMAKE_PREFIX_PATH="$folder/artel" > "$folder/log"
cmake --build "$folder/build"
"$folder/build/foreign"
"$folder/artel/bin/artel" --version
