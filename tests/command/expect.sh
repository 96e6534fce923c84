# For the *_test.sh beside this file: source it, then call `expect` per invocation and `finish` at the end.
artel=$1
failures=0
trap '[[ $- != *e* ]] || echo "line $LINENO ends with $?: $BASH_COMMAND" >&2' ERR    # set -e says nothing

# expect STATUS STDOUT STDERR ARGUMENT…: exit status, and a text that must be part of each stream ('' = nothing printed).
expect() {
  local status=$1 out=$2 err=$3 got_out got_err got_status=0; shift 3
  got_err=$(mktemp)
  got_out=$("$artel" "$@" 2>"$got_err") || got_status=$?
  same "artel $*: exit status" "$status" "$got_status"
  contains "artel $*: stdout" "$out" "$got_out"
  contains "artel $*: stderr" "$err" "$(cat "$got_err")"
  rm -f "$got_err"
  case $got_out in '{'*'"schema": "artel.'*) valid "$got_out" "artel $*" ;; esac
}

# valid JSON WHAT: it validates by its schema (schemas/), if Python's jsonschema is there.
json_python=
valid() {
  local file each complaint status=0
  if [ -z "$json_python" ]; then
    for each in python3 /usr/bin/python3; do
      "$each" -c 'import jsonschema.validators; jsonschema.validators.Draft202012Validator' 2>/dev/null && json_python=$each && break
    done
    json_python=${json_python:-none}
  fi
  [ "$json_python" != none ] || return 0
  file=$(mktemp)
  printf '%s\n' "$1" > "$file"
  complaint=$("$json_python" -B "$(dirname "${BASH_SOURCE[0]}")/valid_json.py" "$file" 2>&1) || status=$?
  rm -f "$file"
  same "$2: $complaint" 0 $status
}

same() {  # same WHAT EXPECTED GOT
  [ "$2" = "$3" ] || { echo "$1: expected '$2', got '$3'"; failures=$((failures + 1)); }
}

contains() {  # contains WHAT PART TEXT
  if [ -z "$2" ]; then same "$1" "" "$3"; return; fi
  [[ $3 == *"$2"* ]] || { echo "$1: expected to contain '$2', got '$3'"; failures=$((failures + 1)); }
}

finish() { [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }; }
