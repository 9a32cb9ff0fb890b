#include "client/table.h"

#include "gtest/gtest.h"

namespace reductor {
namespace {

const Table kTable = {.header = {"operator", "since"},
                      .rows = {{"ReduceL1", "1"}, {"ReduceProd", "11"}}};

TEST(ToText, AlignsTheColumns) {
  EXPECT_EQ(ToText(kTable),
            "operator    since\n"
            "ReduceL1    1\n"
            "ReduceProd  11\n");
}

TEST(ToMarkdown, RulesTheHeaderOff) {
  EXPECT_EQ(ToMarkdown(kTable),
            "| operator | since |\n"
            "| --- | --- |\n"
            "| ReduceL1 | 1 |\n"
            "| ReduceProd | 11 |\n");
}

}  // namespace
}  // namespace reductor
