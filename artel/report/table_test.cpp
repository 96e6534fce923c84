#include "artel/report/table.hpp"

#include <gtest/gtest.h>

namespace artel::report {
namespace {

TEST(Table, AlignsTextLeftAndNumbersRight) {
  Table table;
  table.add_column("policy", Table::Align::left);
  table.add_column("mean");
  table.add_row({"random", "5"});
  table.add_row({"jsq(2)", "12.25"});
  EXPECT_EQ(table.text(),
            "policy   mean\n"
            "random      5\n"
            "jsq(2)  12.25\n");
}

TEST(Table, CountsCodePointsNotBytes) {
  Table table;
  table.add_column("±");
  table.add_column("x");
  table.add_row({"12", "µs"});
  EXPECT_EQ(table.text(), " ±   x\n12  µs\n");
}

TEST(Table, LeavesNoBlanksAtTheEndOfALine) {
  Table table;
  table.add_column("name", Table::Align::left);
  table.add_row({"a"});
  EXPECT_EQ(table.text(), "name\na\n");
}

TEST(TableDeathTest, RowMustHaveOneCellPerColumn) {
  Table table;
  table.add_column("one");
  EXPECT_DEATH(table.add_row({"1", "2"}), "one cell per column");
}

}  // namespace
}  // namespace artel::report
