#include "artel/sim/platform/load_platform.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/profile.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/sim/platform/detail/named_profiles.hpp"
#include "artel/sim/platform/detail/platform_schema.hpp"
#include "artel/sim/platform/fat_tree.hpp"
#include "artel/sim/platform/parse_simgrid_platform.hpp"
#include "artel/sim/platform/platform.hpp"
#include "artel/sim/platform/star.hpp"

namespace artel::sim {
namespace {

using config::SourcePosition;
using config::TableReader;
using config::TomlValue;

DiskSpec read_disk(const TableReader& reader) {
  DiskSpec disk;
  if (reader.has("name")) disk.name = reader.text("name");
  if (reader.has("mount")) disk.mount = reader.text("mount");
  if (reader.has("capacity")) {
    disk.capacity = static_cast<std::uint64_t>(reader.bytes("capacity"));
  }
  disk.read = reader.bandwidth("read");
  disk.write = reader.bandwidth("write");
  return disk;
}

LinkSpec read_link(const TableReader& reader) {
  return {.bandwidth = reader.bandwidth("bandwidth"), .latency = reader.duration("latency")};
}

Sharing read_sharing(const TableReader& reader) {
  return reader.word("sharing") == "fat_pipe" ? Sharing::fat_pipe : Sharing::shared;
}

class PlatformReader {
 public:
  PlatformReader(const TomlValue& root, std::string_view file_name)
      : problems_(std::string(file_name)),
        root_(detail::platform_schema(), root, "", problems_),
        profiles_(file_name) {}

  config::Checked<Platform> read() {
    platform_.topology =
        Topology(root_.word("equal_paths") == "spread" ? Topology::EqualPaths::spread
                                                       : Topology::EqualPaths::lowest);
    for_each("hosts", [this](const TomlValue& item) { read_host(item); });
    if (root_.has("switches")) {
      for (const auto& name : root_.texts("switches")) {
        if (!platform_.add_node(name.text)) refuse_taken(name.text, name.place);
      }
    }
    for_each("clusters", [this](const TomlValue& item) { read_cluster(item); });
    for_each("links", [this](const TomlValue& item) { read_connection(item); });
    for_each("routes", [this](const TomlValue& item) { read_route(item); });
    if (problems_.empty() && platform_.hosts.empty()) {
      problems_.add(SourcePosition{}, "there are no hosts; expected [[hosts]] or [[clusters]]");
    }
    if (!problems_.empty()) return tl::unexpected(problems_.take());
    return std::move(platform_);
  }

 private:
  template <class Read>
  void for_each(std::string_view key, Read read) {
    if (!root_.has(key)) return;
    for (const auto& item : root_.items(key)) read(item);
  }

  void refuse_taken(std::string_view name, const SourcePosition& place) {
    if (name.empty()) return;  // that is reported already
    problems_.add(place, fmt::format("there is a node '{}' already; names are unique", name));
  }

  template <class Value>
  std::optional<Value> look_up(const std::map<std::string, Value, std::less<>>& known,
                               std::string_view kind, const TableReader::Text& wanted) {
    if (const auto found = known.find(wanted.text); found != known.end()) return found->second;
    if (wanted.text.empty()) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto& [name, value] : known) names.emplace_back(name);
    const auto meant = nearest_name(wanted.text, names);
    problems_.add(wanted.place,
                  fmt::format("unknown {} '{}'{}", kind, wanted.text,
                              meant ? fmt::format("; did you mean '{}'?", *meant) : ""),
                  ErrorCode::not_found);
    return std::nullopt;
  }

  std::optional<NodeId> node(const TableReader::Text& name) {
    return look_up(platform_.nodes, "host, switch or cluster", name);
  }

  // What hosts and clusters have in common.
  HostSpec read_machine(const TableReader& reader, std::string_view disks_path) {
    HostSpec host{.name = reader.text("name"),
                  .speed = reader.flops("speed"),
                  .cores = static_cast<std::uint32_t>(reader.count("cores"))};
    if (reader.has("memory")) host.memory = static_cast<std::uint64_t>(reader.bytes("memory"));
    if (reader.has("power")) {
      const TableReader power(detail::platform_schema(), reader.table("power"), "hosts.power",
                              problems_);
      host.power = {
          .off = power.number("off"), .idle = power.number("idle"), .full = power.number("full")};
    }
    host.speeds = read_profile(reader, "speeds");
    host.states = read_profile(reader, "states");
    if (!reader.has("disks")) return host;
    for (const auto& item : reader.items("disks")) {
      host.disks.push_back(read_disk(TableReader(detail::platform_schema(), item, disks_path,
                                                 problems_, {.also_table = "hosts.disks[]"})));
    }
    return host;
  }

  std::shared_ptr<const Profile> read_profile(const TableReader& reader, std::string_view key) {
    if (!reader.has(key)) return nullptr;
    const std::string name = reader.text(key);
    if (name.empty()) return nullptr;  // that is reported already
    auto profile = profiles_.load(name);
    if (profile) return *profile;
    problems_.add(reader.place(key), fmt::format("{}: {}", key, to_string(profile.error())),
                  profile.error().code);
    return nullptr;
  }

  void read_host(const TomlValue& item) {
    const TableReader reader(detail::platform_schema(), item, "hosts[]", problems_);
    HostSpec host = read_machine(reader, "hosts.disks[]");
    const std::string name = host.name;
    if (!platform_.add_host(std::move(host))) refuse_taken(name, reader.place("name"));
  }

  void read_cluster(const TomlValue& item) {
    std::optional<std::string> shape = "star";
    if (item.find("shape") != nullptr) {
      shape =
          TableReader::kind_of(detail::platform_schema(), item, "clusters[]", "shape", problems_);
    }
    if (!shape) return;
    const TableReader reader(detail::platform_schema(), item, "clusters[]", problems_,
                             {.kind = *shape, .also_table = "hosts[]"});
    const HostSpec machine = read_machine(reader, "clusters.disks[]");
    const LinkSpec link = read_link(reader);
    const Duplex duplex = reader.word("duplex") == "half" ? Duplex::half : Duplex::full;
    std::uint64_t hosts = reader.has("count") ? reader.count("count") : 0;
    if (*shape == "fat_tree") {
      const auto ports = static_cast<std::uint32_t>(reader.count("ports"));
      if (!fits(reader, ports, hosts)) return;
      build_fat_tree(reader, machine,
                     {.ports = ports,
                      .hosts = static_cast<std::uint32_t>(hosts),
                      .link = link,
                      .duplex = duplex});
      return;
    }
    if (!reader.has("count")) reader.refuse_missing("count", "a whole number of at least 1");
    if (!room_for(reader, hosts)) return;
    StarSpec star{.hosts = static_cast<std::uint32_t>(hosts), .link = link, .duplex = duplex};
    if (reader.has("backbone")) {
      const TableReader backbone(detail::platform_schema(), reader.table("backbone"),
                                 "clusters.backbone", problems_);
      star.backbone = read_link(backbone);
      star.backbone->sharing = read_sharing(backbone);
    }
    const Star built = add_star(platform_.topology, star);
    name_hosts(reader, machine, built.hosts);
    name(machine.name, built.hub, reader.place("name"));
  }

  bool room_for(const TableReader& reader, std::uint64_t hosts) {
    if (platform_.hosts.size() + hosts <= kPlatformHostsMax) return true;
    reader.refuse("count", fmt::format("{} hosts with those before; allowed: {}",
                                       platform_.hosts.size() + hosts, kPlatformHostsMax));
    return false;
  }

  bool fits(const TableReader& reader, std::uint32_t ports, std::uint64_t& hosts) {
    const std::uint64_t most = FatTreeSpec::most_hosts(ports);
    if (ports % 2 != 0) {
      reader.refuse("ports", fmt::format("found {}, allowed: an even number", ports));
      return false;
    }
    if (hosts == 0) hosts = most;
    if (hosts > most) {
      reader.refuse("count", fmt::format("found {}, allowed: at most ports³/4, {}", hosts, most));
      return false;
    }
    return room_for(reader, hosts);
  }

  void build_fat_tree(const TableReader& reader, const HostSpec& machine, const FatTreeSpec& spec) {
    Topology& topology = platform_.topology;
    const FatTree tree = add_fat_tree(topology, spec);
    name_hosts(reader, machine, tree.hosts);
    const NodeId outside = topology.add_node();
    for (const NodeId core : tree.core) topology.connect(core, outside, spec.link, spec.duplex);
    name(machine.name, outside, reader.place("name"));
  }

  void name_hosts(const TableReader& reader, const HostSpec& machine,
                  const std::vector<NodeId>& nodes) {
    const std::string prefix = reader.has("prefix") ? reader.text("prefix") : machine.name + "-";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      HostSpec host = machine;
      host.name = fmt::format("{}{}", prefix, i);
      host.node = nodes[i];
      if (!platform_.name_node(host.name, host.node)) {
        refuse_taken(host.name, reader.place("prefix"));
        return;
      }
      platform_.hosts.push_back(std::move(host));
    }
  }

  void name(const std::string& name, NodeId node, const SourcePosition& place) {
    if (!platform_.name_node(name, node)) refuse_taken(name, place);
  }

  void read_connection(const TomlValue& item) {
    const TableReader reader(detail::platform_schema(), item, "links[]", problems_);
    LinkSpec spec = read_link(reader);
    spec.sharing = read_sharing(reader);
    const bool between = reader.has("between");
    const std::string duplex = reader.has("duplex") ? reader.word("duplex") : "";
    const bool full = duplex.empty() ? between : duplex == "full";
    Topology::LinkPair made;
    if (between) {
      const auto ends = reader.texts("between");
      if (ends.size() != 2) {
        reader.refuse("between", fmt::format("found a list of {}, allowed: two", ends.size()));
        return;
      }
      const auto a = node(ends[0]);
      const auto b = node(ends[1]);
      if (!a || !b) return;
      made = platform_.topology.connect(*a, *b, spec, full ? Duplex::full : Duplex::half);
    } else if (!reader.has("name")) {
      reader.refuse_missing("between", "two nodes, or a name for routes to use");
      return;
    } else {
      made.there = platform_.topology.add_link(spec);
      made.back = full ? platform_.topology.add_link(spec) : made.there;
    }
    if (!reader.has("name")) return;
    const std::string name = reader.text("name");
    if (!platform_.links.emplace(name, made).second) {
      reader.refuse("name", fmt::format("there is a link '{}' already; names are unique", name));
    }
  }

  void read_route(const TomlValue& item) {
    const TableReader reader(detail::platform_schema(), item, "routes[]", problems_);
    const auto from = node({reader.text("from"), reader.place("from")});
    const auto to = node({reader.text("to"), reader.place("to")});
    const auto names = reader.texts("links");
    const bool symmetric = reader.flag("symmetric");
    std::vector<LinkId> there;
    std::vector<LinkId> back;
    for (const auto& [text, place] : names) {
      constexpr std::string_view kBack = ":back";
      const bool turned = text.ends_with(kBack);
      const auto link =
          look_up(platform_.links, "link",
                  {turned ? text.substr(0, text.size() - kBack.size()) : text, place});
      if (!link) continue;
      there.push_back(turned ? link->back : link->there);
      back.insert(back.begin(), turned ? link->there : link->back);
    }
    if (!from || !to) return;
    if (*from == *to) {
      reader.refuse("to", "is where the route begins; inside a host no links are crossed");
      return;
    }
    platform_.topology.set_route(*from, *to, std::move(there));
    if (symmetric) platform_.topology.set_route(*to, *from, std::move(back));
  }

  config::Problems problems_;
  TableReader root_;
  detail::NamedProfiles profiles_;
  Platform platform_;
};

}  // namespace

config::Checked<Platform> parse_platform(std::string_view text, std::string_view file_name) {
  const auto root = config::parse_toml(text, file_name);
  if (!root) return tl::unexpected(config::Errors{root.error()});
  return PlatformReader(*root, file_name).read();
}

config::Checked<Platform> load_platform(const std::filesystem::path& path) {
  const auto text = file::read_text_file(path, kPlatformBytesMax);
  if (!text) return tl::unexpected(config::Errors{text.error()});
  return path.extension() == ".xml" ? parse_simgrid_platform(*text, path.string())
                                    : parse_platform(*text, path.string());
}

}  // namespace artel::sim
