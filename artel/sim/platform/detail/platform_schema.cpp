#include "artel/sim/platform/detail/platform_schema.hpp"

#include "artel/config/schema.hpp"

namespace artel::sim::detail {
namespace {

using config::kRequired;
using enum config::KeyType;

constexpr double kMost = 1e18;       // of anything per second, and of bytes
constexpr double kHostsMax = 1e6;    // of a cluster
constexpr double kPortsMax = 158;    // k³/4 hosts: just below a million
constexpr double kSecondsMax = 1e4;  // their sums fit

constexpr config::SchemaKey kSchema[] = {
    {"", "name", text, "", "of the platform; for people"},
    {"", "hosts", list, "", "one by one"},
    {"", "switches", texts, "", "names of nodes that only pass on"},
    {"", "clusters", list, "", "many equal hosts, and their network"},
    {"", "links", list, "", "between two nodes, or by themselves for routes"},
    {"", "routes", list, "", "instead of the shortest way between two nodes"},
    {"", "equal_paths", word, "\"spread\"",
     "spread: a hash of both ends chooses among the shortest ways; lowest: always the same", 0, 0,
     false, "spread|lowest"},

    {"hosts[]", "name", text, kRequired, "of the host"},
    {"hosts[]", "speed", flops, kRequired, "of one core", 0, kMost, true},
    {"hosts[]", "cores", count, "1", "how many", 1, 1e6},
    {"hosts[]", "memory", bytes, "", "default: no limit", 0, kMost},
    {"hosts[]", "disks", list, "", "local disks"},
    {"hosts[]", "power", table, "", "what it draws, in watts"},
    {"hosts[]", "speeds", text, "",
     "a file with lines SECONDS PART: that part of its speed from then on; beside this file"},
    {"hosts[]", "states", text, "",
     "a file with lines SECONDS STATE: from then on down (0) or up; beside this file"},
    {"hosts.power", "off", number, "0", "while it is down", 0, kMost},
    {"hosts.power", "idle", number, kRequired, "while it is up", 0, kMost},
    {"hosts.power", "full", number, kRequired, "when all cores compute", 0, kMost},
    {"hosts.disks[]", "name", text, "", "of the disk"},
    {"hosts.disks[]", "mount", text, "", "where a file system shows it"},
    {"hosts.disks[]", "capacity", bytes, "", "default: no limit", 0, kMost},
    {"hosts.disks[]", "read", bandwidth, kRequired, "shared by all reads", 0, kMost, true},
    {"hosts.disks[]", "write", bandwidth, kRequired, "shared by all writes", 0, kMost, true},

    {"clusters[]", "name", text, kRequired, "of its switch: connect what is outside to it"},
    {"clusters[]", "prefix", text, "", "hosts are named prefix0, prefix1, …; default: \"name-\""},
    {"clusters[]", "count", count, "", "of hosts; a fat tree has ports³/4 unless told", 1,
     kHostsMax},
    {"clusters[]", "shape", word, "\"star\"",
     "star: all at one switch; fat_tree: three tiers of switches", 0, 0, false, "star|fat_tree"},
    {"clusters[]", "bandwidth", bandwidth, kRequired, "of each link", 0, kMost, true},
    {"clusters[]", "latency", duration, "0", "of each link", 0, kSecondsMax},
    {"clusters[]", "duplex", word, "\"full\"", "half: both directions share the bandwidth", 0, 0,
     false, "full|half"},
    {"clusters[]", "backbone", table, "", "a link that all traffic of the switch crosses", 0, 0,
     false, "", "star"},
    {"clusters[]", "ports", count, kRequired, "of every switch; even", 2, kPortsMax, false, "",
     "fat_tree"},
    {"clusters.backbone", "bandwidth", bandwidth, kRequired, "of the backbone", 0, kMost, true},
    {"clusters.backbone", "latency", duration, "0", "of the backbone", 0, kSecondsMax},
    {"clusters.backbone", "sharing", word, "\"shared\"",
     "fat_pipe: each transfer may use all of the bandwidth", 0, 0, false, "shared|fat_pipe"},

    {"links[]", "name", text, "", "for routes; a link between two nodes needs none"},
    {"links[]", "between", texts, "", "two nodes"},
    {"links[]", "bandwidth", bandwidth, kRequired, "of each direction, or of both if half duplex",
     0, kMost, true},
    {"links[]", "latency", duration, "0", "one way", 0, kSecondsMax},
    {"links[]", "sharing", word, "\"shared\"",
     "fat_pipe: each transfer may use all of the bandwidth", 0, 0, false, "shared|fat_pipe"},
    {"links[]", "duplex", word, "",
     "half: both directions share the bandwidth; default: full between two nodes, half by itself",
     0, 0, false, "full|half"},

    {"routes[]", "from", text, kRequired, "a node"},
    {"routes[]", "to", text, kRequired, "another"},
    {"routes[]", "links", texts, kRequired,
     "names in order of travel; of a full-duplex link the way there, or \"name:back\""},
    {"routes[]", "symmetric", flag, "true", "the way back is the same, turned around"},
};

}  // namespace

const config::Schema& platform_schema() {
  static const config::Schema schema(kSchema);
  return schema;
}

}  // namespace artel::sim::detail
