#!/usr/bin/env bash
# bare_debian.sh PACKAGES FOLDER: installs the packages of `./dev package` in a Debian 12 that has nothing else, made in FOLDER, and uses
# them there as a stranger does. Needs root, debootstrap and the network.
set -euo pipefail
packages=$(realpath "$1") root=$2
rm -rf "$root"
debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian
mkdir "$root/packages" "$root/mine"
cp "$packages"/*.deb "$root/packages/"
within() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C sh -euc "$1"; }

echo "==> A program with a pool, by CMake and by pkg-config; nothing of a cluster is there"
cat >"$root/mine/main.cpp" <<'END'
#include <cstdio>

#include "artel/pool/pool.hpp"

int main() {
  artel::pool::Pool pool{{.workers = 2}};
  std::printf("%d\n", pool.submit([] { return 6 * 7; }).get());
}
END
cat >"$root/mine/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(mine CXX)
find_package(artel REQUIRED COMPONENTS pool)
add_executable(mine main.cpp)
target_link_libraries(mine PRIVATE artel::pool)
END
within 'apt-get update; apt-get install -y --no-install-recommends g++ cmake make pkg-config /packages/libartel-core*.deb'
within '! dpkg -l | grep -qE "libnats|libtoml|libmuparser|libmsgpack|libboost"'
within 'cd /mine && cmake -B build . && cmake --build build && [ "$(build/mine)" = 42 ]'
within 'cd /mine && g++ -std=c++20 main.cpp $(pkg-config --cflags --libs artel-pool) -o plain && [ "$(./plain)" = 42 ]'

echo "==> The command"
within 'apt-get install -y --no-install-recommends man-db bash-completion /packages/*.deb'
within 'cd / && artel demo' | grep 'needs pool.workers = 20 with central'
within '[ "$(seq 3 | artel map -k -- echo)" = "$(seq 3)" ]'
within 'man artel-map >/dev/null; man artel >/dev/null; ls /usr/share/bash-completion/completions/artel >/dev/null'
echo "==> A bare Debian 12 can use the packages"
