#include "artel/logs/detail/unpacker.hpp"

#include <zconf.h>
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace artel::logs::detail {
namespace {

class Gzip : public Unpacker {
 public:
  Gzip() { inflateInit2(&state_, kWindow + kGzipOrZlib); }
  ~Gzip() override { inflateEnd(&state_); }

  bool unpack(std::string_view& in, std::vector<char>& out, std::size_t& used,
              bool& whole) override {
    if (whole && inflateReset(&state_) != Z_OK) return false;
    // zlib does not write there.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // NOLINT(*-cast)
    state_.avail_in = static_cast<uInt>(in.size());
    state_.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT(*-cast)
    state_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&state_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - state_.avail_in);
    used = out.size() - state_.avail_out;
    whole = status == Z_STREAM_END;
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
  }

 private:
  static constexpr int kWindow = 15, kGzipOrZlib = 32;
  z_stream state_{};
};

class Zstd : public Unpacker {
 public:
  Zstd() : state_(ZSTD_createDStream()) {}
  ~Zstd() override { ZSTD_freeDStream(state_); }

  bool unpack(std::string_view& in, std::vector<char>& out, std::size_t& used,
              bool& whole) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const auto left = ZSTD_decompressStream(state_, &to, &from);
    in.remove_prefix(from.pos);
    used = to.pos;
    whole = left == 0;
    return ZSTD_isError(left) == 0;
  }

 private:
  ZSTD_DStream* state_;
};

}  // namespace

std::unique_ptr<Unpacker> unpacker_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x1F\x8B")) return std::make_unique<Gzip>();
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD")) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace artel::logs::detail
