#include "artel/sim/platform/parse_simgrid_platform.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/profile.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/sim/platform/detail/named_profiles.hpp"
#include "artel/sim/platform/detail/xml_element.hpp"
#include "artel/sim/platform/detail/zone_routing.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {
namespace {

// The numbers of "0-9,11".
std::optional<std::vector<std::uint32_t>> parse_radical(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const std::size_t dash = std::min(part.find('-'), part.size());
    const auto first = parse_number<std::uint32_t>(part.substr(0, dash));
    const auto last =
        dash == part.size() ? first : parse_number<std::uint32_t>(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    if (numbers.size() + (*last - *first) >= kPlatformHostsMax) return std::nullopt;
    for (std::uint64_t number = *first; number <= *last; ++number) {
      numbers.push_back(static_cast<std::uint32_t>(number));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

class SimgridReader {
 public:
  SimgridReader(config::Problems& problems, std::string_view file_name)
      : problems_(problems), profiles_(file_name) {}

  config::Checked<Platform> read(const detail::XmlElement& root) {
    if (root.name() != "platform") {
      root.refuse("expected <platform version=\"4.1\">");
    } else {
      root.allow({"version"});
      static_cast<void>(root.word("version", {"4.1"}, ""));
      read_platform(root);
    }
    if (!problems_.empty()) return tl::unexpected(problems_.take());
    platform_.topology.set_routing(
        [zones = routing_](NodeId from, NodeId to, std::vector<LinkId>& links) {
          return zones->route(from, to, links);
        });
    return std::move(platform_);
  }

 private:
  using Rule = detail::ZoneRouting::Rule;

  void read_platform(const detail::XmlElement& root) {
    bool found = false;
    for (const detail::XmlElement& element : root.children()) {
      if (element.name() != "zone") {
        refuse_element(element, "platform", {"zone"});
      } else if (found) {
        element.refuse("a platform has one outermost zone", ErrorCode::unsupported);
      } else {
        found = true;
        read_zone(element, nullptr);
      }
    }
    if (!found) root.refuse("there is no <zone>");
    for (const auto& route : routes_) read_route(route.element, route.zone);
    if (problems_.empty() && platform_.hosts.empty()) root.refuse("there are no hosts");
  }

  static void refuse_element(const detail::XmlElement& element, std::string_view inside,
                             std::initializer_list<std::string_view> allowed) {
    element.refuse(fmt::format("{}", unknown_name(fmt::format("element of <{}>", inside),
                                                  element.name(), allowed)),
                   ErrorCode::unsupported);
  }

  static void refuse_taken(const detail::XmlElement& element, std::string_view name) {
    if (name.empty()) return;  // that is reported already
    element.refuse(fmt::format("the id '{}' is taken; ids are unique", name));
  }

  detail::ZoneId add_zone(const detail::ZoneId* around, Rule rule) {
    return around == nullptr ? routing_->add_root(rule) : routing_->add_zone(*around, rule);
  }

  void read_zone(const detail::XmlElement& element, const detail::ZoneId* around) {
    element.allow({"id", "routing"});
    const std::string id = element.text("id");
    const std::string routing =
        element.word("routing", {"Full", "Floyd", "Dijkstra", "DijkstraCache", "None"}, "None");
    const bool table = routing == "Full" || routing == "None";
    const detail::ZoneId zone = add_zone(around, table ? Rule::table : Rule::shortest);
    if (!zones_.emplace(id, zone).second) refuse_taken(element, id);
    if (++depth_ > kZoneDepthMax) {
      element.refuse(fmt::format("zones nested deeper than {} levels", kZoneDepthMax),
                     ErrorCode::too_large);
      return;
    }
    for (const detail::XmlElement& child : element.children()) read_member(child, zone);
    --depth_;
  }

  void read_member(const detail::XmlElement& element, detail::ZoneId zone) {
    const std::string_view name = element.name();
    if (name == "zone") return read_zone(element, &zone);
    if (name == "host") return read_host(element, zone);
    if (name == "router") return read_router(element, zone);
    if (name == "link") return read_link(element);
    if (name == "cluster") return read_cluster(element, zone);
    if (name == "route" || name == "zoneRoute") return routes_.push_back({element, zone});
    if (name == "prop") return;
    refuse_element(element, "zone",
                   {"host", "router", "link", "route", "zoneRoute", "cluster", "zone", "prop"});
  }

  void read_host(const detail::XmlElement& element, detail::ZoneId zone) {
    element.allow(
        {"id", "speed", "core", "coordinates", "speed_file", "availability_file", "state_file"});
    HostSpec host{.name = element.text("id"),
                  .speed = element.flops("speed"),
                  .cores = element.count("core", 1)};
    host.speeds = read_profile(element, "speed_file");
    if (!host.speeds) host.speeds = read_profile(element, "availability_file");  // its older name
    host.states = read_profile(element, "state_file");
    for (const detail::XmlElement& child : element.children()) {
      if (child.name() == "disk") {
        host.disks.push_back(read_disk(child));
      } else if (child.name() != "prop") {
        refuse_element(child, "host", {"disk", "prop"});
      }
    }
    add_host(element, zone, std::move(host));
  }

  std::optional<detail::PointId> add_host(const detail::XmlElement& element, detail::ZoneId zone,
                                          HostSpec host) {
    const std::string name = host.name;
    if (platform_.hosts.size() >= kPlatformHostsMax) {
      element.refuse(fmt::format("more than {} hosts", kPlatformHostsMax), ErrorCode::too_large);
    } else if (!platform_.add_host(std::move(host))) {
      refuse_taken(element, name);
    } else {
      return routing_->add_node(zone, platform_.hosts.back().node);
    }
    return std::nullopt;
  }

  std::shared_ptr<const Profile> read_profile(const detail::XmlElement& element,
                                              const char* attribute) {
    const std::string name = element.text_or(attribute, "");
    if (name.empty()) return nullptr;
    auto profile = profiles_.load(name);
    if (profile) return *profile;
    element.refuse(fmt::format("{}: {}", attribute, to_string(profile.error())),
                   profile.error().code);
    return nullptr;
  }

  static DiskSpec read_disk(const detail::XmlElement& element) {
    element.allow({"id", "read_bw", "write_bw"});
    DiskSpec disk{.name = element.text("id"),
                  .read = element.bandwidth("read_bw"),
                  .write = element.bandwidth("write_bw")};
    for (const detail::XmlElement& child : element.children()) {
      if (child.name() != "prop") {
        refuse_element(child, "disk", {"prop"});
      } else if (child.text_or("id", "") == "size") {
        disk.capacity = static_cast<std::uint64_t>(std::min(child.bytes("value"), 1e18));
      } else if (child.text_or("id", "") == "mount") {
        disk.mount = child.text("value");
      }
    }
    return disk;
  }

  void read_router(const detail::XmlElement& element, detail::ZoneId zone) {
    element.allow({"id", "coordinates"});
    add_router(element, zone, element.text("id"));
  }

  void add_router(const detail::XmlElement& element, detail::ZoneId zone, const std::string& id) {
    if (!platform_.add_node(id)) return refuse_taken(element, id);
    routing_->add_node(zone, platform_.nodes.find(id)->second);
  }

  // A link with its two directions.
  Topology::LinkPair add_link(const LinkSpec& spec, std::string_view policy) {
    LinkSpec link = spec;
    if (policy == "FATPIPE") link.sharing = Sharing::fat_pipe;
    const LinkId there = platform_.topology.add_link(link);
    return {there, policy == "SPLITDUPLEX" ? platform_.topology.add_link(link) : there};
  }

  void read_link(const detail::XmlElement& element) {
    element.allow({"id", "bandwidth", "latency", "sharing_policy"});
    const std::string id = element.text("id");
    const LinkSpec spec{.bandwidth = element.bandwidth("bandwidth"),
                        .latency = element.duration("latency")};
    const std::string policy =
        element.word("sharing_policy", {"SHARED", "FATPIPE", "SPLITDUPLEX"}, "SHARED");
    for (const detail::XmlElement& child : element.children()) {
      if (child.name() != "prop") refuse_element(child, "link", {"prop"});
    }
    if (!platform_.links.emplace(id, add_link(spec, policy)).second) refuse_taken(element, id);
  }

  void read_cluster(const detail::XmlElement& element, detail::ZoneId around) {
    element.allow({"id", "prefix", "suffix", "radical", "speed", "core", "bw", "lat",
                   "sharing_policy", "bb_bw", "bb_lat", "bb_sharing_policy", "router_id",
                   "topology"});
    static_cast<void>(element.word("topology", {"FLAT"}, "FLAT"));
    const std::string id = element.text("id");
    const std::string prefix = element.text_or("prefix", "");
    const std::string suffix = element.text_or("suffix", "");
    const std::string radical = element.text("radical");
    const HostSpec machine{.speed = element.flops("speed"), .cores = element.count("core", 1)};
    const LinkSpec link{.bandwidth = element.bandwidth("bw"), .latency = element.duration("lat")};
    const std::string policy =
        element.word("sharing_policy", {"SHARED", "SPLITDUPLEX"}, "SPLITDUPLEX");

    const detail::ZoneId zone = routing_->add_zone(around, Rule::cluster);
    if (!zones_.emplace(id, zone).second) refuse_taken(element, id);
    const auto numbers = parse_radical(radical);
    if (!numbers && !radical.empty()) {
      element.refuse(
          fmt::format("radical: found '{}', allowed: numbers and ranges, like \"0-9,11\""
                      ", of at most {} hosts",
                      radical, kPlatformHostsMax));
    }
    if (!numbers) return;
    for (const std::uint32_t number : *numbers) {
      HostSpec host = machine;
      host.name = fmt::format("{}{}{}", prefix, number, suffix);
      const auto point = add_host(element, zone, std::move(host));
      if (!point) return;
      const auto own = add_link(link, policy);
      routing_->set_private_links(*point, own.there, own.back);
    }
    if (element.has("bb_bw")) {
      const LinkSpec backbone{.bandwidth = element.bandwidth("bb_bw"),
                              .latency = element.duration("bb_lat")};
      const std::string sharing =
          element.word("bb_sharing_policy", {"SHARED", "FATPIPE"}, "SHARED");
      routing_->set_backbone(zone, add_link(backbone, sharing).there);
    }
    add_router(element, zone,
               element.text_or("router_id", fmt::format("{}{}_router{}", prefix, id, suffix)));
  }

  template <class Value>
  std::optional<Value> look_up(const detail::XmlElement& element, const char* attribute,
                               std::string_view kind,
                               const std::map<std::string, Value, std::less<>>& known) {
    const std::string wanted = element.text(attribute);
    if (const auto found = known.find(wanted); found != known.end()) return found->second;
    if (wanted.empty()) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto& [name, value] : known) names.emplace_back(name);
    const auto meant = nearest_name(wanted, names);
    element.refuse(fmt::format("{}: unknown {} '{}'{}", attribute, kind, wanted,
                               meant ? fmt::format("; did you mean '{}'?", *meant) : ""),
                   ErrorCode::not_found);
    return std::nullopt;
  }

  // An end of a route: the point, and the node where the links begin or end.
  struct End {
    detail::PointId point{};
    NodeId gateway{};
  };

  std::optional<End> read_end(const detail::XmlElement& element, const char* attribute,
                              const char* gateway_attribute, detail::ZoneId zone) {
    if (element.name() == "route") {
      const auto node = look_up(element, attribute, "host or router", platform_.nodes);
      if (!node) return std::nullopt;
      const auto point = routing_->point(*node);
      if (!point) return std::nullopt;
      return check_end(element, attribute, {*point, *node}, zone);
    }
    const auto inner = look_up(element, attribute, "zone", zones_);
    const auto gateway = look_up(element, gateway_attribute, "host or router", platform_.nodes);
    if (!inner || !gateway) return std::nullopt;
    if (*inner == detail::ZoneId{0}) {
      element.refuse(fmt::format("{}: the outermost zone has no routes to it", attribute));
      return std::nullopt;
    }
    if (!routing_->contains(*inner, *gateway)) {
      element.refuse(fmt::format("{}: '{}' is not in the zone '{}'", gateway_attribute,
                                 element.text(gateway_attribute), element.text(attribute)));
      return std::nullopt;
    }
    return check_end(element, attribute, {routing_->point(*inner), *gateway}, zone);
  }

  std::optional<End> check_end(const detail::XmlElement& element, const char* attribute, End end,
                               detail::ZoneId zone) {
    if (routing_->zone_of(end.point) == zone) return end;
    element.refuse(fmt::format("{}: '{}' is not of the zone that the route is in", attribute,
                               element.text(attribute)));
    return std::nullopt;
  }

  void read_route(const detail::XmlElement& element, detail::ZoneId zone) {
    if (element.name() == "route") {
      element.allow({"src", "dst", "symmetrical"});
    } else {
      element.allow({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
    }
    const std::string symmetrical = element.word("symmetrical", {"YES", "NO", "yes", "no"}, "YES");
    const auto from = read_end(element, "src", "gw_src", zone);
    const auto to = read_end(element, "dst", "gw_dst", zone);
    std::vector<LinkId> there;
    std::vector<LinkId> back;
    for (const detail::XmlElement& child : element.children()) {
      if (child.name() != "link_ctn") {
        refuse_element(child, element.name(), {"link_ctn"});
        continue;
      }
      child.allow({"id", "direction"});
      const bool down = child.word("direction", {"UP", "DOWN", "NONE"}, "NONE") == "DOWN";
      const auto link = look_up(child, "id", "link", platform_.links);
      if (!link) continue;
      if (link->there != link->back && !child.has("direction")) {
        child.refuse("direction is missing; a SPLITDUPLEX link is crossed UP or DOWN");
      }
      there.push_back(down ? link->back : link->there);
      back.insert(back.begin(), down ? link->there : link->back);
    }
    if (!from || !to) return;
    if (from->point == to->point) return element.refuse("leads back to where it begins");
    bool added = routing_->add_route(from->point, to->point, {from->gateway, to->gateway}, there);
    if (symmetrical == "YES" || symmetrical == "yes") {
      added &= routing_->add_route(to->point, from->point, {to->gateway, from->gateway}, back);
    }
    if (!added) element.refuse("there is such a route already");
  }

  struct WaitingRoute {  // until all nodes and links are known
    detail::XmlElement element;
    detail::ZoneId zone{};
  };

  config::Problems& problems_;
  detail::NamedProfiles profiles_;
  Platform platform_;
  std::shared_ptr<detail::ZoneRouting> routing_ = std::make_shared<detail::ZoneRouting>();
  std::map<std::string, detail::ZoneId, std::less<>> zones_;
  std::vector<WaitingRoute> routes_;
  std::size_t depth_ = 0;
};

}  // namespace

config::Checked<Platform> parse_simgrid_platform(std::string_view text,
                                                 std::string_view file_name) {
  config::Problems problems{std::string(file_name)};
  const detail::LineStarts lines(text);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    problems.add(lines.place(static_cast<std::size_t>(parsed.offset)),
                 fmt::format("not XML: {}", parsed.description()), ErrorCode::parse);
    return tl::unexpected(problems.take());
  }
  return SimgridReader(problems, file_name)
      .read(detail::XmlElement(document.document_element(), lines, problems));
}

}  // namespace artel::sim
