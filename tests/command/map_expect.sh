# For map_*_test.sh: after expect.sh; $folder is a temporary folder.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() {  # run STATUS STDOUT STDERR-PART ARGUMENT…: all of stdout, and a part of stderr
  local status=$1 out=$2 err=$3 got_out got_status=0; shift 3
  got_out=$("$artel" map "$@" 2>"$folder/err") || got_status=$?
  same "map $*: exit status" "$status" "$got_status"
  same "map $*: stdout" "$out" "$got_out"
  contains "map $*: stderr" "$err" "$(cat "$folder/err")"
}
wait_for() {  # wait_for COMMAND…: until it succeeds, ten seconds at most
  local i
  for ((i = 0; i < 1000; i++)); do "$@" && return; sleep 0.01; done
  same "waiting for $*" 'success' 'none'
}
limit() { grep -q -E '__[at]san_init' "$artel" || ulimit "$@"; }  # sanitizers need more memory and files
gone() {  # gone PID: not there, or ended and not yet waited for by its parent
  case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z* | X*) ;; *) return 1 ;; esac
}

