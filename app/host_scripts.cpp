#include "app/host_scripts.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/command/ssh_hosts.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/whole_file.hpp"

namespace artel::app {
namespace {

constexpr std::uint64_t kRoleFileBytesMax = 65'536;
constexpr int kNotStarted = 127;  // as the shell says it

// `begin` starts a program that outlives the shell, and waits until its log has some words.
constexpr const char* kBegin = R"sh(set -u
umask 077
begin() {
  words=$1; shift
  setsid "$@" </dev/null >"$folder/log" 2>&1 &
  pid=$!
  echo "$pid" >"$folder/pid"
  tries=0
  until grep -q "$words" "$folder/log" 2>/dev/null; do
    if [ "$tries" -ge 300 ] || ! kill -0 "$pid" 2>/dev/null; then
      tail -n 1 "$folder/log" >&2
      kill "$pid" 2>/dev/null
      exit 1
    fi
    tries=$((tries + 1))
    sleep 0.1
  done
}
)sh";

constexpr const char* kCheckWorker =
    R"sh(if [ -e "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
  echo "a worker runs there already, in $folder" >&2
  exit 1
fi
command -v "$artel" >/dev/null || { echo "there is no '$artel'; --artel names it" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder" || exit 1
)sh";

constexpr const char* kBeginWorker =
    R"sh(if [ "$jobs" -gt 0 ]; then set -- -j "$jobs"; else set --; fi
begin '^artel: worker .* runs ' "$artel" worker --cluster "$folder" --allow-commands "$@"
)sh";

// The process is the one that was started there if its command line says so: a number comes again.
constexpr const char* kEnd = R"sh(set -u
mine() { grep -qF -- "$folder" "/proc/$pid/cmdline" 2>/dev/null; }
wait_for_it() {  # so many seconds
  tries=0
  while mine && [ "$tries" -lt $(($1 * 10)) ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
}
[ -e "$folder" ] || exit 0
pid=$(cat "$folder/pid" 2>/dev/null) || pid=0
mine && kill "$pid"
wait_for_it "$patience"
mine && kill "$pid"
wait_for_it 3
mine && kill -9 "$pid"
rm -rf "$folder"
)sh";

// A file in memory, that begins with the text.
Result<file::OpenFile> memory_file(std::string_view text = {}) {
  file::OpenFile file(::memfd_create("artel", MFD_CLOEXEC));
  if (file.get() < 0 || !file::write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) < 0)
    return fail(ErrorCode::io, "cannot make a file in memory");
  return file;
}

std::string last_line(const file::OpenFile& file) {
  std::array<char, 4096> piece{};
  const auto end = ::lseek(file.get(), 0, SEEK_END);
  const auto from = end > std::ssize(piece) ? end - std::ssize(piece) : 0;
  const auto size = ::pread(file.get(), piece.data(), piece.size(), from);
  std::string_view text(piece.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

struct Running {
  command::Child child;
  file::OpenFile err;
};

Result<Running> start(const std::string& host, std::string_view script) {
  auto in = memory_file(script);
  if (!in) return fail(in);
  auto err = memory_file();
  if (!err) return fail(err);
  const file::OpenFile out(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const auto words =
      host == ":" ? std::vector<std::string>{"sh", "-s"} : command::ssh_command({}, host, "sh -s");
  const auto program = command::find_program(words.front());
  if (!program) {
    return fail(ErrorCode::not_found,
                fmt::format("cannot run '{}': {}", words.front(), program.error().message()));
  }
  auto child = command::Child::start(
      *program, words, {.in = in->get(), .out = out.get(), .err = err->get(), .inherit = false},
      {.own_group = false});
  if (!child) return fail(ErrorCode::io, "cannot run: " + child.error().message(), *program);
  return Running{*std::move(child), *std::move(err)};
}

}  // namespace

Result<std::string> worker_script(const std::filesystem::path& role) {
  std::string script = std::string(kBegin) + kCheckWorker;
  for (const char* name : {"access", "ca.pem", "password", "sign.key", "trusted.keys"}) {
    const auto text = file::read_text_file(role / name, kRoleFileBytesMax);
    if (!text) return fail(text);
    script +=
        fmt::format("cat >\"$folder/{}\" <<'end of {}'\n{}end of {}\n", name, name, *text, name);
  }
  return script + kBeginWorker;
}

// A server that has its store from the command line reads its configuration no second time: so it
// is named in a file of its own, which the roles' users are included in.
std::string server_script(const std::string& program) {
  return fmt::format(
      "{}cd \"$folder\" || exit 1\n"
      "printf 'include \"server.conf\"\\njetstream {{ store_dir: \"store\" }}\\n' >up.conf || exit "
      "1\n"
      "begin 'Server is ready' {} -c \"$folder/up.conf\"\n",
      kBegin, command::literal_quote(program));
}

std::string end_script(int patience) { return fmt::format("patience={}\n{}", patience, kEnd); }

std::vector<ScriptEnd> run_at_hosts(
    const std::vector<command::SshHost>& hosts,
    const std::function<std::string(const command::SshHost&)>& script) {
  std::vector<Result<Running>> running;
  for (const auto& host : hosts) running.push_back(start(host.name, script(host)));
  std::vector<ScriptEnd> ends;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    ScriptEnd& end = ends.emplace_back(ScriptEnd{.host = hosts[i].name});
    if (!running[i]) {
      end.status = kNotStarted;
      end.words = running[i].error().what;
      continue;
    }
    const auto ending = running[i]->child.wait();
    end.status = ending.signal != 0 ? 128 + ending.signal : ending.exit_status;
    end.words = last_line(running[i]->err);
  }
  return ends;
}

ScriptEnd run_here(const std::filesystem::path& folder, const std::string& script) {
  return run_at_hosts({{.name = ":"}},
                      [&](const command::SshHost& /*here*/) {
                        return fmt::format("folder={}\n{}", command::literal_quote(folder.string()),
                                           script);
                      })
      .front();
}

}  // namespace artel::app
