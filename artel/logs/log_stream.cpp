#include "artel/logs/log_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <istream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/file/nameless_file.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/logs/detail/stopped.hpp"
#include "artel/logs/detail/unpacker.hpp"

namespace artel::logs {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 17U;

// The next bytes of a pipe, none at its end. A writer that keeps it open may give none for ever.
ssize_t read_some(int pipe, std::span<char> into, const std::stop_token& stop) {
  constexpr int kLookEvery = 50;  // ms
  while (!stop.stop_requested()) {
    pollfd more{.fd = pipe, .events = POLLIN, .revents = 0};
    if (::poll(&more, 1, stop.stop_possible() ? kLookEvery : -1) == 0) continue;
    const auto bytes = ::read(pipe, into.data(), into.size());
    if (bytes >= 0 || (errno != EINTR && errno != EAGAIN)) return bytes;
  }
  return 0;
}

// A pipe gives its bytes once: they go into a file without a name, to be read as often as needed.
Result<std::ifstream> copied(const std::filesystem::path& pipe, const std::stop_token& stop) {
  const auto refuse = [&](const char* what) {
    return fail(ErrorCode::io, std::string(what) + ": " + std::generic_category().message(errno),
                pipe.string());
  };
  const file::OpenFile from(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (from.get() < 0) return refuse("cannot be read");
  const auto copy = file::nameless_file();
  if (!copy) return fail(copy);
  const auto path = "/proc/self/fd/" + std::to_string(copy->get());
  std::ofstream to(path, std::ios::binary);
  std::vector<char> bytes(kBuffer);
  auto some = read_some(from.get(), bytes, stop);
  for (; some > 0 && to; some = read_some(from.get(), bytes, stop)) to.write(bytes.data(), some);
  if (stop.stop_requested()) return tl::unexpected<Error>(detail::stopped(pipe.string()));
  if (some < 0) return refuse("cannot be read");
  std::ifstream file(path, std::ios::binary);
  if (!to.flush() || !file) return refuse("cannot be copied into a temporary file");
  return file;
}

}  // namespace

class LogStream::Unpacked : public std::streambuf {
 public:
  Unpacked(std::ifstream file, std::string name, StreamWatch watch)
      : file_(std::move(file)),
        name_(std::move(name)),
        watch_(std::move(watch)),
        in_(kBuffer),
        out_(kBuffer) {
    size_ = static_cast<std::uint64_t>(file_.seekg(0, std::ios::end).tellg());
    file_.seekg(0);
    begin();
  }

  [[nodiscard]] bool packed() const { return unpacker_ != nullptr; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 protected:
  int_type underflow() override {
    std::size_t used = 0;
    while (used == 0) {
      if (watch_.stop.stop_requested()) failure_ = detail::stopped(name_);
      if (failure_ || (rest_.empty() && !fill())) return traits_type::eof();
      if (!unpacker_) {
        setg(in_.data(), in_.data(), in_.data() + rest_.size());
        rest_ = {};
        return traits_type::to_int_type(in_.front());
      }
      if (!unpacker_->unpack(rest_, out_, used, whole_)) fail_with("is damaged here");
    }
    setg(out_.data(), out_.data(), out_.data() + used);
    return traits_type::to_int_type(out_.front());
  }

  pos_type seekpos(pos_type to, std::ios_base::openmode /*which*/) override {
    if (to != pos_type(0)) return pos_type(off_type(-1));
    file_.clear();
    file_.seekg(0);
    begin();
    return to;
  }

 private:
  void begin() {
    setg(nullptr, nullptr, nullptr);
    rest_ = {};
    taken_ = 0;
    whole_ = true;
    failure_.reset();
    unpacker_.reset();
    fill();
    unpacker_ = detail::unpacker_of(rest_);
    whole_ = false;
  }

  bool fill() {
    file_.read(in_.data(), static_cast<std::streamsize>(in_.size()));
    rest_ = {in_.data(), static_cast<std::size_t>(file_.gcount())};
    taken_ += rest_.size();
    if (taken_ > told_ && watch_.progress) watch_.progress(told_ = taken_, size_);
    if (rest_.empty() && unpacker_ && !whole_) fail_with("is cut off here");
    return !rest_.empty();
  }

  void fail_with(const std::string& what) {
    failure_ = Error{ErrorCode::parse, "the packed file " + what,
                     name_ + ":byte " + std::to_string(taken_ - rest_.size())};
  }

  std::ifstream file_;
  std::string name_;
  StreamWatch watch_;
  std::vector<char> in_, out_;
  std::string_view rest_;    // of in_, not used yet
  std::uint64_t size_ = 0;   // of the file
  std::uint64_t taken_ = 0;  // bytes of it
  std::uint64_t told_ = 0;   // to who hears how far it is; it never goes back
  std::unique_ptr<detail::Unpacker> unpacker_;
  bool whole_ = false;  // a packed part ends here
  std::optional<Error> failure_;
};

LogStream::LogStream(std::unique_ptr<Unpacked> buffer)
    : std::istream(nullptr), buffer_(std::move(buffer)) {
  rdbuf(buffer_.get());
}

LogStream::~LogStream() = default;

bool LogStream::packed() const { return buffer_->packed(); }

std::optional<Error> LogStream::failure() const { return buffer_->failure(); }

Result<std::unique_ptr<LogStream>> LogStream::open(const std::filesystem::path& path, Pipes pipes,
                                                   StreamWatch watch) {
  std::error_code unknown;
  auto file = pipes == Pipes::copied && std::filesystem::is_fifo(path, unknown)
                  ? copied(path, watch.stop)
                  : file::open_text_file(path, std::numeric_limits<std::uint64_t>::max());
  if (!file) return artel::fail(file);
  return std::unique_ptr<LogStream>(
      new LogStream(std::make_unique<Unpacked>(*std::move(file), path.string(), std::move(watch))));
}

}  // namespace artel::logs
