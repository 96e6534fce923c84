#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "artel/logs/detail/byte_source.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {

/// Finds objects of one kind in JSON, whatever is around them, and the values of some of their
/// fields. Nothing of a document is kept but those of the object that is being read.
class JsonObjects {
 public:
  /// Gets the values of the fields; those that are not there are empty.
  using Sink = std::function<void(std::span<const std::string_view>)>;

  /// `layout`: where the objects are, as in LogFormat. Fields are paths from there: "ctx.elapsed";
  /// or the keys of OpenTelemetry's attributes, {"key": "http.route", "value": {"stringValue": …}},
  /// of the object or of what stands before the objects around it ("service.name").
  JsonObjects(std::string_view layout, std::span<const LogField> fields, Sink sink);
  ~JsonObjects();
  JsonObjects(const JsonObjects&) = delete;
  JsonObjects& operator=(const JsonObjects&) = delete;

  /// Reads one document; false, and `stopped` says behind which byte, when it is not JSON or nested
  /// too deeply. Objects that came before that are in the sink.
  [[nodiscard]] bool read(std::string_view document, std::size_t& stopped);
  [[nodiscard]] bool read(ByteSource& document, std::size_t& stopped);

 private:
  struct Handler;
  std::unique_ptr<Handler> handler_;
};

}  // namespace artel::logs::detail
