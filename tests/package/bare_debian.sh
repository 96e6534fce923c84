#!/usr/bin/env bash
# bare_debian.sh PACKAGES FOLDER [STEP…]: installs the packages of `./dev package` in a Debian 12 that has nothing else, made in FOLDER,
# and uses them there as strangers do; then builds from source, in their projects and for another processor. Needs root, debootstrap and
# the network. STEPs, in this order: fresh pool parts command python source libcxx arm64; without any, all of them, and FOLDER goes at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=$(realpath "$1") root=$2
shift 2
# With nothing of the environment here, either.
within() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C HOME=/root \
    chroot "$root" sh -euc "$1"
}
install() { within "apt-get install -qy --no-install-recommends $*"; }

step_fresh() {
  rm -rf "$root"
  debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian
  mkdir "$root/packages" "$root/source"
  cp "$packages"/*.deb "$root/packages/"
  git ls-files -z | xargs -0 cp --parents -t "$root/source"
  echo 'deb-src http://deb.debian.org/debian bookworm main' >"$root/etc/apt/sources.list.d/sources.list"
  within 'apt-get -q update'
}

step_pool() {
  echo "==> The pool by CMake, in C++20 and 23 and in a shared library, and by pkg-config; nothing of a cluster is there"
  install g++ cmake make pkg-config '/packages/libartel-core*.deb'
  within '! dpkg -l | grep -qE "libnats|libtoml|libmuparser|libmsgpack|libboost"'
  for standard in 20 23; do
    within "cmake -S /source/tests/package/stranger -B /b$standard -DCMAKE_CXX_STANDARD=$standard && cmake --build /b$standard && /b$standard/stranger"
  done
  within 'g++ -std=c++20 /source/tests/package/only_pool/main.cpp $(pkg-config --cflags --libs artel-pool) -o /plain && /plain'
}

step_parts() {
  local part module
  echo "==> The other -dev packages, each with what it brings along, by CMake and pkg-config"
  for part in sim:sim-platform experiment:report cluster:cluster; do
    module=artel-${part#*:} part=${part%:*}
    install "/packages/libartel-$part*.deb"
    within "cmake -S /source/tests/package/parts -B /part-$part -DPART=$part && cmake --build /part-$part && /part-$part/part"
    within "g++ -std=c++20 /source/tests/package/parts/$part.cpp \$(pkg-config --cflags --libs $module) -o /part-$part/plain && /part-$part/plain"
  done
}

step_command() {
  echo "==> The command"
  install man-db bash-completion zsh fish '/packages/*.deb'
  within 'cd /proc && artel demo' | grep 'needs pool.workers = 20 with central'       # nothing can be written there
  within '[ "$(seq 3 | artel map -k -- echo)" = "$(seq 3)" ]'
  within 'id -u stranger >/dev/null 2>&1 || useradd -m stranger; su stranger -c "cd \$(mktemp -d) && artel demo --save . && artel check llm-code.toml && artel plan llm-code.toml --slo p99\<9s" | grep -q Pool'
  within '[ -z "$(man artel-map artel 2>&1 >/dev/null)" ]; artel help map >/dev/null; artel 2>&1 | grep -q "artel demo"'
  echo "==> Completion in bash, zsh and fish"
  within 'bash -c ". /usr/share/bash-completion/bash_completion; _completion_loader artel; COMP_WORDS=(artel si); COMP_CWORD=1; COMP_LINE=\"artel si\"; COMP_POINT=8
    \$(complete -p artel | sed -E \"s/.*-F ([^ ]+).*/\\1/\") artel si artel; printf %s \"\${COMPREPLY[*]}\"" | grep -q simulate'
  within 'fish -c "complete -C \"artel si\"" | grep -q simulate'
  within 'zsh -fc "autoload -Uz compinit && compinit -u && print \$_comps[artel]" | grep -q _artel'
}

step_python() {
  echo "==> The Python package, without numpy and pandas"
  install python3 '/packages/*.deb'
  within '! dpkg -l | grep -qE "python3-(numpy|pandas)"'
  within 'cd / && python3 -c "
import artel
from artel import sim
result = artel.simulate(\"/source/scenarios/mm8.toml\", set={\"run.tasks\": 5000, \"run.replications\": 2},
                        policies={\"mine\": lambda loads, draw: loads.least()})
assert result.table.column(\"policy\")[-1] == \"mine\", result.table
env = sim.Environment()
assert env.run(until=env.timeout(1, \"done\")) == \"done\"
"'
}

# What others bring along: fmt as a part of the project around us.
bundled_fmt() {
  [ -d "$root/fmt" ] || { install dpkg-dev && within 'cd /tmp && apt-get source -q fmtlib && mv fmtlib-*/ /fmt'; }
}

step_source() {
  echo "==> From source, by FetchContent, beside a bundled fmt, as somebody who may not write to the sources"
  bundled_fmt
  install g++ cmake ninja-build libexpected-dev libboost-dev
  within 'id -u builder >/dev/null 2>&1 || useradd -m builder'
  within 'su builder -c "cmake -G Ninja -S /source/tests/package/fetched -B \"\$HOME/a build\" && cmake --build \"\$HOME/a build\" && \"\$HOME/a build/fetched\""'
}

step_libcxx() {
  echo "==> From source, by clang++-19 with libc++"
  bundled_fmt
  install clang-19 libc++-19-dev libc++abi-19-dev cmake ninja-build libexpected-dev libboost-dev libtomlplusplus-dev libpugixml-dev
  within 'cmake -G Ninja -S /source/tests/package/fetched -B /libcxx -DCMAKE_CXX_COMPILER=clang++-19 \
    -DCMAKE_CXX_FLAGS="-stdlib=libc++ -fexperimental-library" -DCOMPONENTS=sim && cmake --build /libcxx && /libcxx/fetched'
}

step_arm64() {
  echo "==> For arm64: the tests of sync, pool and the simulation kernel, by qemu"
  install g++-aarch64-linux-gnu qemu-user-static cmake ninja-build
  within 'dpkg --add-architecture arm64 && apt-get -q update'
  install libboost-dev nlohmann-json3-dev libpcg-cpp-dev libexpected-dev libfmt-dev:arm64 libgtest-dev:arm64 libgmock-dev:arm64 \
    librapidcheck-dev:arm64 libtomlplusplus-dev:arm64 libpugixml-dev:arm64
  within 'cmake -G Ninja -S /source -B /arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_CXX_FLAGS=-O1 -DARTEL_FAST_TESTS=ON -DARTEL_PCH=ON \
    -DARTEL_COMPONENTS="pool;sim" -DARTEL_COMMAND=OFF -DARTEL_BENCH=OFF
    cmake --build /arm64 --target artel_sync_test artel_pool_test artel_sim_kernel_test'
  # qemu starts no second program for arm64, which death tests are, and ten thousand threads are too many for it.
  for test in sync/artel_sync_test pool/artel_pool_test sim/kernel/artel_sim_kernel_test; do
    within "qemu-aarch64-static /arm64/artel/$test --gtest_brief=1 --gtest_filter=-*DeathTest.*:PoolWaits.TenThousandTasksMayWaitAtOnce"
  done
}

steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(fresh pool parts command python source libcxx arm64)
for step in "${steps[@]}"; do "step_$step"; done
echo "==> Done: ${steps[*]}"
[ $# -gt 0 ] || rm -rf "$root"
