#include "artel/logs/log_stream.hpp"

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
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/file/nameless_file.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/logs/detail/unpacker.hpp"

namespace artel::logs {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 17U;

// A pipe gives its bytes once: they go into a file without a name, to be read as often as needed.
Result<std::ifstream> copied(const std::filesystem::path& pipe) {
  const auto refuse = [&](const char* what) {
    return fail(ErrorCode::io, std::string(what) + ": " + std::generic_category().message(errno),
                pipe.string());
  };
  std::ifstream from(pipe, std::ios::binary);
  if (!from) return refuse("cannot be read");
  const auto copy = file::nameless_file();
  if (!copy) return fail(copy);
  const auto path = "/proc/self/fd/" + std::to_string(copy->get());
  std::ofstream to(path, std::ios::binary);
  if (from.peek() != std::ifstream::traits_type::eof()) to << from.rdbuf();
  std::ifstream file(path, std::ios::binary);
  if (!to.flush() || !file) return refuse("cannot be copied into a temporary file");
  return file;
}

}  // namespace

class LogStream::Unpacked : public std::streambuf {
 public:
  Unpacked(std::ifstream file, std::string name)
      : file_(std::move(file)), name_(std::move(name)), in_(kBuffer), out_(kBuffer) {
    begin();
  }

  [[nodiscard]] bool packed() const { return unpacker_ != nullptr; }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 protected:
  int_type underflow() override {
    std::size_t used = 0;
    while (used == 0) {
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
    if (rest_.empty() && unpacker_ && !whole_) fail_with("is cut off here");
    return !rest_.empty();
  }

  void fail_with(const std::string& what) {
    failure_ = Error{ErrorCode::parse, "the packed file " + what,
                     name_ + ":byte " + std::to_string(taken_ - rest_.size())};
  }

  std::ifstream file_;
  std::string name_;
  std::vector<char> in_, out_;
  std::string_view rest_;    // of in_, not used yet
  std::uint64_t taken_ = 0;  // bytes of the file
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

Result<std::unique_ptr<LogStream>> LogStream::open(const std::filesystem::path& path, Pipes pipes) {
  std::error_code unknown;
  auto file = pipes == Pipes::copied && std::filesystem::is_fifo(path, unknown)
                  ? copied(path)
                  : file::open_text_file(path, std::numeric_limits<std::uint64_t>::max());
  if (!file) return artel::fail(file);
  return std::unique_ptr<LogStream>(
      new LogStream(std::make_unique<Unpacked>(*std::move(file), path.string())));
}

}  // namespace artel::logs
