#include "artel/sim/platform/detail/named_profiles.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/sim/model/profile.hpp"
#include "artel/sim/platform/load_profile.hpp"

namespace artel::sim::detail {

NamedProfiles::NamedProfiles(std::string_view platform_file)
    : folder_(std::filesystem::path(platform_file).parent_path()) {}

Result<std::shared_ptr<const Profile>> NamedProfiles::load(const std::string& name) {
  if (const auto known = read_.find(name); known != read_.end()) return known->second;
  const auto profile = load_profile(folder_ / name);
  if (!profile) return fail(profile);
  return read_.emplace(name, std::make_shared<const Profile>(*profile)).first->second;
}

}  // namespace artel::sim::detail
