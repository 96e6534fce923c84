#include "artel/config/schema.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/config/schema_text.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"

namespace artel::config {
namespace {

constexpr SchemaKey kKeys[] = {
    {"", "host", KeyType::list, "", "the hosts"},
    {"host[]", "name", KeyType::text, kRequired, "of the host"},
    {"host[]", "speed", KeyType::flops, "\"1Gf\"", "of a core", 0, 1e30, true},
    {"host[]", "memory", KeyType::bytes, "0", "of the host", 0, 1e30},
    {"host[]", "uplink", KeyType::bandwidth, "1", "to the switch", 0, 1e30, true},
    {"host[]", "links", KeyType::texts, "", "by name"},
    {"host[]", "queue", KeyType::bound, "\"inf\"", "most that wait"},
    {"host[]", "when", KeyType::special, "", "to start", 0, 0, false, "\"dawn\" or \"dusk\""},
};

const Schema& hosts() {
  static const Schema schema(kKeys);
  return schema;
}

std::string errors_of(std::string_view toml) {
  Problems problems("f");
  const TomlValue table = *parse_toml(toml, "f");
  const TableReader reader(hosts(), table, "host[]", problems);
  static_cast<void>(reader.flops("speed"));
  static_cast<void>(reader.bytes("memory"));
  static_cast<void>(reader.bandwidth("uplink"));
  if (reader.has("links")) static_cast<void>(reader.texts("links"));
  std::string lines;
  for (const auto& error : problems.take()) lines += error.where + ": " + error.what + "\n";
  return lines;
}

TEST(Schema, FindsKeysByTable) {
  EXPECT_EQ(hosts().find("host[]", "speed"), &kKeys[2]);
  EXPECT_EQ(hosts().find("", "speed"), nullptr);
}

TEST(Schema, KnowsTheDefaultsThatThereAre) {
  EXPECT_EQ(hosts().fallback(kKeys[2])->text, "1Gf");
  EXPECT_EQ(hosts().fallback(kKeys[1]), nullptr);
}

TEST(SchemaDeathTest, DefaultsMustBeToml) {
  static constexpr SchemaKey kBad[] = {{"", "a", KeyType::text, "\"", ""}};
  EXPECT_DEATH(Schema{kBad}, "must be TOML");
}

TEST(Schema, SaysWhatSpecialKeysAllow) {
  EXPECT_EQ(allowed_text(kKeys[7]), "\"dawn\" or \"dusk\"");
}

TEST(Schema, TextTellsAllKeys) {
  EXPECT_EQ(schema_text(hosts()).substr(0, 133),
            "\ntop level\n"
            "  host             a list [ … ]\n"
            "                   the hosts\n"
            "\nitems of host\n"
            "  name             text in quotes; required\n");
}

TEST(TableReader, ReadsQuantitiesAsTextAndAsNumbers) {
  Problems problems("f");
  const TomlValue table =
      *parse_toml("name = 'a'\nmemory = '2KiB'\nuplink = 5\nlinks = ['x', 'y']", "f");
  const TableReader reader(hosts(), table, "host[]", problems);
  EXPECT_EQ(reader.flops("speed"), 1e9);
  EXPECT_EQ(reader.bytes("memory"), 2048);
  EXPECT_EQ(reader.bandwidth("uplink"), 5);
  EXPECT_EQ(reader.bound("queue"), std::numeric_limits<std::uint32_t>::max());
  const auto links = reader.texts("links");
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[1].text, "y");
  EXPECT_EQ(links[1].place.line, 4U);
  EXPECT_TRUE(problems.empty());
}

TEST(TableReader, RefusesQuantitiesWithTheirPlaceAndHowToWriteThem) {
  EXPECT_EQ(errors_of("name = 'a'\nspeed = '10GHz'\nmemory = -1\nuplink = true\nlinks = [3]"),
            "f:2:9: host.speed: found '10GHz', allowed: a speed above 0 (\"10Gf\", or a number of "
            "flop/s)\n"
            "f:3:10: host.memory: found -1, allowed: a size of at least 0 (\"16GiB\", or a number "
            "of bytes)\n"
            "f:4:10: host.uplink: found true, allowed: a bandwidth above 0 (\"125MBps\", "
            "\"1Gbps\", or a number of bytes per second)\n"
            "f:5:10: host.links: found 3, allowed: a list of texts in quotes\n");
}

}  // namespace
}  // namespace artel::config
