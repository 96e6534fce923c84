#!/usr/bin/env bash
# wheel_offline.sh FOLDER: `pip install .` from the files of this tree that git knows, in FOLDER, without a network; then uses what
# it has installed. Half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$1"
folder=$(realpath "$1")
rm -rf "$folder/tree" "$folder/venv"
mkdir "$folder/tree"
git ls-files -z | xargs -0 cp --parents -t "$folder/tree"
/usr/bin/python3 -m venv --system-site-packages "$folder/venv"

alone=(unshare -n)
[ "$(id -u)" = 0 ] || alone=(unshare -rn)
cd "$folder"
"${alone[@]}" "$folder/venv/bin/pip" install --no-deps "$folder/tree" -v 2>&1 | tee "$folder/pip.log" | tail -n 3
grep -q 'artel: without the page of .report()' "$folder/pip.log"
"${alone[@]}" "$folder/venv/bin/python" - <<'PYTHON'
import artel
from artel import sim

assert "/venv/" in artel.__file__, artel.__file__
scenario = {"workload": {"arrivals": {"kind": "poisson", "load": 0.5}, "service": {"distribution": "exponential", "mean": "1 s"}},
            "pool": {"workers": 2}, "dispatch": {"policies": ["central"]}, "run": {"tasks": 1000, "replications": 2}}
result = artel.simulate(scenario)
print(result)
try:
    result.report("page.html")
    raise SystemExit("there is a page, which nothing was there to make of")
except artel.Error as error:
    print("as it should be:", error)
env = sim.Environment()
env.run(until=env.timeout(1))
PYTHON
echo "==> Installed without a network, and used"
