#!/usr/bin/env bash
# embedded_test.sh COMPILER: artel inside another project, beside a fmt of that project's own and a target `artel`: nothing of ours
# is installed with it or built that nobody asked for. Then two rooms as shared libraries: they show our names and no others.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd) compiler=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; cat "$folder/log"; exit 1; }

mkdir -p "$folder/outer/fmt"
cat > "$folder/outer/fmt/CMakeLists.txt" <<'CMAKE'
find_library(FMT fmt REQUIRED)
add_library(fmt INTERFACE)
add_library(fmt::fmt ALIAS fmt)
target_link_libraries(fmt INTERFACE ${FMT})
CMAKE
cat > "$folder/outer/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(outer CXX)
add_subdirectory(fmt)
add_subdirectory("$root" inner)
add_executable(artel "$root/tests/package/only_pool/main.cpp")
target_link_libraries(artel artel::pool)
install(TARGETS artel)
CMAKE
cmake -S "$folder/outer" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" > "$folder/log" 2>&1 ||
  fail 'cannot be embedded'
ninja -C "$folder/build" -t targets all > "$folder/log"
! grep -qE '_test:|^inner/app/|bench_' "$folder/log" || fail 'tests, benches or the command come along'
! grep -q artel_pool "$folder/build/inner/cmake_install.cmake" || fail 'our files are installed with the project'

cmake -S "$root" -B "$folder/shared" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O0 -DARTEL_COMPONENTS=pool \
  -DARTEL_TESTS=OFF -DARTEL_BENCH=OFF -DBUILD_SHARED_LIBS=ON > "$folder/log" 2>&1 || fail 'shared: cannot be configured'
cmake --build "$folder/shared" --target artel_sync > "$folder/log" 2>&1 || fail 'shared: cannot be built'
library=$(find "$folder/shared" -name 'libartel_sync.so')
readelf -d "$library" > "$folder/log"
grep -qE 'SONAME.*libartel_sync\.so\.[0-9]+\.[0-9]+\]' "$folder/log" || fail 'shared: no soname'
nm -DC --defined-only "$library" > "$folder/log"
grep -q 'artel::' "$folder/log" || fail 'shared: shows nothing'
! grep -qv 'artel::' "$folder/log" || fail 'shared: shows names of others'
