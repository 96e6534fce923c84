# For the *_test.sh beside this file: source it, `record` a program's log, then `recording_is_read`; `finish` at the end.
source "$(dirname "$0")/../command/expect.sh"
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
readonly workers=3

# load COUNT GAP SIZES…: so many tasks, one every GAP seconds, of these sizes in turn. They come faster than they can be served.
load() {
  local i count=$1 gap=$2; shift 2
  for ((i = 0; i < count; ++i)); do
    local at=$((i + 1))
    awk -v "at=$at" -v "gap=$gap" -v "size=${*:i % $# + 1:1}" 'BEGIN { printf "%.4f %.4f\n", at * gap, size }'
  done > "$folder/load"
}

# record NAME [ARGUMENT…]: what record_NAME.py leaves is $folder/log; ends the test where the program is not installed.
record() {
  local name=$1 status=0; shift
  /usr/bin/python3 -B "$here/record_$name.py" "$folder/load" "$workers" "$folder/log" "$@" || status=$?
  [ $status -ne 77 ] || exit 77
  same "record_$name.py: exit status" 0 $status
  [ $status -eq 0 ] || finish
}

# recording_is_read RESOLUTION TITLE [OPTION…]: the log has the load that was sent; stderr names what it is, and no line is bad.
recording_is_read() {
  local resolution=$1 title=$2 err; shift 2
  err=$("$artel" trace summary "$folder/log" --strict "$@" --csv "$folder/tasks.csv" 2>&1 >/dev/null) || same "$err" '' failed
  contains 'what it is' "$title, $(wc -l < "$folder/load") tasks" "$err"
  python3 "$here/check_recording.py" "$folder/load" "$folder/log.seen" "$folder/tasks.csv" "$workers" "$resolution" || failures=$((failures + 1))
  expect 0 '' "$title" import "$folder/log" "$@" -o "$folder/trace"
  expect 0 "$(wc -l < "$folder/load") tasks in" '' trace summary "$folder/trace"
}
