#include "artel/file/system_failure.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "artel/core/error.hpp"

namespace artel::file {
namespace {

TEST(SystemFailure, NamesActionReasonAndPlace) {
  std::string where = "a path that is too long to be kept without asking for memory";
  errno = ENOENT;
  const Error error = system_failure("write", where).value();
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_EQ(error.what, "cannot write: No such file or directory");
  EXPECT_EQ(error.where, where);
}

TEST(SystemFailure, NeedsNoPlace) {
  errno = EADDRINUSE;
  EXPECT_EQ(to_string(system_failure("reserve a port").value()),
            "cannot reserve a port: Address already in use");
}

}  // namespace
}  // namespace artel::file
