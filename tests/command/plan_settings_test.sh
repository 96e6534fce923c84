#!/usr/bin/env bash
# artel plan --settings: what is printed for nginx, HAProxy, systemd, Celery and in YAML is taken by those programs, where they are installed.
set -euo pipefail
source "$(dirname "$0")/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checked=0

missing() { echo "not checked: $1 is not installed"; }

# settings SYSTEM ARGUMENT…: the block of a small plan.
settings() {
  local system=$1; shift
  "$artel" plan scenarios/mm8.toml --set run.tasks=3000 --set run.replications=5 --settings "$system" "$@" | sed -n '/Checked for/,$p'
}

# What is asked.
expect 0 'nginx           nginx 1.22.1:' '' plan --settings list
expect 2 '' "--settings: unknown system 'ngimx' (did you mean 'nginx'?)" plan scenarios/mm8.toml --settings ngimx
expect 2 '' 'file is required' plan --settings nginx
small=(plan scenarios/mm8.toml --set run.tasks=3000 --policy central --slo 'mean_wait<150ms')
expect 0 'Settings of celery:' '' "${small[@]}" --settings celery,temporal
expect 0 'MaxConcurrentActivityExecutionSize: 9,' '' "${small[@]}" --settings celery,temporal
expect 0 'does not have what was planned (central)' '' "${small[@]}" --settings nginx
expect 0 '"settings": {' '' "${small[@]}" --settings haproxy --json
expect 1 'the work alone takes longer' '' plan scenarios/mm8.toml --set run.tasks=3000 --policy central --slo 'p99<1s' --settings nginx
same 'no C++ besides' 0 "$("$artel" "${small[@]}" --settings celery | grep -c '#include' || true)"

# Every policy that a balancer has, as itself reads it.
policies=(round_robin random least_loaded 'jsq(d=2)' weighted_round_robin)
for policy in "${policies[@]}" 'jsq(d=3)' central; do
  name=${policy//[^a-z0-9]/_}
  settings nginx,haproxy,envoy --slo 'mean_wait<2s' --policy "$policy" > "$folder/all"
  sed -n '/^# Checked for HAProxy/,/^Settings of envoy/p' "$folder/all" | sed '/^Settings of/d' > "$folder/$name.haproxy"
  sed -n '/^upstream/,/^}/p' "$folder/all" > "$folder/$name.nginx"
  sed -n '/^# Checked for Envoy/,$p' "$folder/all" > "$folder/$name.envoy.yaml"
done

if command -v nginx > /dev/null; then
  for policy in "${policies[@]}"; do
    name=${policy//[^a-z0-9]/_}
    { echo "pid $folder/pid; error_log stderr; events {} http { access_log off;"
      for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $folder/$kind;"; done
      cat "$folder/$name.nginx"
      echo "server { listen unix:$folder/socket; location / { proxy_pass http://workers; } } }"; } > "$folder/nginx.conf"
    said=$(nginx -t -p "$folder" -c "$folder/nginx.conf" 2>&1) || same "nginx -t with $policy" 'taken' "$said"
  done
  checked=$((checked + 1))
else missing nginx; fi

if command -v haproxy > /dev/null; then
  for policy in "${policies[@]}" 'jsq(d=3)' central; do
    name=${policy//[^a-z0-9]/_}
    { printf 'defaults\n    timeout connect 1s\n    timeout server 60s\n    timeout client 60s\n'; cat "$folder/$name.haproxy"
      printf 'frontend tasks\n    mode http\n    bind unix@%s/socket\n    default_backend workers\n' "$folder"; } > "$folder/haproxy.cfg"
    said=$(haproxy -c -f "$folder/haproxy.cfg" 2>&1) || same "haproxy -c with $policy" 'taken' "$said"
  done
  checked=$((checked + 1))
else missing haproxy; fi

# Units: each of the files that the comments name.
if command -v systemd-analyze > /dev/null; then
  for policy in central least_loaded; do
    rm -rf "$folder/units"; mkdir "$folder/units"
    settings systemd --slo 'mean_wait<2s' --policy "$policy" |
      awk -v to="$folder/units/" '/^# \/etc\/systemd\/system\//{sub(".*/", "", $2); file = to $2; next} file {print > file}'
    sed -i 's|/usr/local/bin/worker|/bin/true|' "$folder/units/worker@.service"
    said=$(cd "$folder/units" && systemd-analyze verify --man=no --recursive-errors=no ./*.target ./worker@1.service $(ls ./*.socket 2> /dev/null) 2>&1) ||
      same "systemd-analyze verify with $policy" taken "$said"
  done
  checked=$((checked + 1))
else missing systemd-analyze; fi

# python_with MODULE: the first Python that has it.
python_with() {
  local each
  for each in python3 /usr/bin/python3; do "$each" -c "import $1" 2> /dev/null && echo "$each" && break; done; true
}

python=$(python_with celery)
if [ -n "$python" ]; then
  settings celery --slo 'mean_wait<2s' --policy central > "$folder/celeryconfig.py"
  # Celery takes keys that it does not know without a word: each is looked up.
  got=$(cd "$folder" && "$python" -c '
import celery, celeryconfig
app = celery.Celery(); app.config_from_object(celeryconfig, force=True)
known = celery.app.defaults.flatten(celery.app.defaults.NAMESPACES)
names = [name for name in vars(celeryconfig) if not name.startswith("_")]
unknown = set(names) - {name for name, _ in known}
print(len(names), "keys, unknown:", sorted(unknown), app.conf.worker_prefetch_multiplier, app.conf.task_acks_late)')
  same 'celery reads them' '3 keys, unknown: [] 1 True' "$got"
  checked=$((checked + 1))
else missing "Python's celery"; fi

python=$(python_with yaml)
if [ -n "$python" ]; then
  settings kubernetes-hpa --slo 'mean_wait<2s' --policy central > "$folder/hpa.yaml"
  settings keda --slo 'mean_wait<2s' --policy central > "$folder/keda.yaml"
  settings ray-serve --slo 'mean_wait<2s' --policy 'jsq(d=2)' --queue 2 > "$folder/ray.yaml"
  got=$(cd "$folder" && "$python" -c '
import yaml
read = lambda name: yaml.safe_load(open(name))
print(read("hpa.yaml")["spec"]["metrics"][0]["resource"]["target"]["type"], read("keda.yaml")["spec"]["triggers"][0]["type"],
      read("ray.yaml")["deployments"][0]["max_ongoing_requests"],
      read("jsq_d_2_.envoy.yaml")["clusters"][0]["load_balancing_policy"]["policies"][0]["typed_extension_config"]["typed_config"]["choice_count"])')
  same 'the YAML is YAML' 'Utilization prometheus 2 2' "$got"
  checked=$((checked + 1))
else missing "Python's yaml"; fi
finish
[ "$checked" -gt 0 ] || { echo 'skipped: none of nginx, haproxy, systemd-analyze, celery and yaml is installed'; exit 77; }
