#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/sim/model/profile.hpp"

namespace artel::sim::detail {

/// The profiles that a platform file names, each read once; paths count from where that file is.
class NamedProfiles {
 public:
  explicit NamedProfiles(std::string_view platform_file);

  [[nodiscard]] Result<std::shared_ptr<const Profile>> load(const std::string& name);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<const Profile>> read_;
};

}  // namespace artel::sim::detail
