#include "client/npy_header.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string ErrorOf(absl::string_view text) {
  return std::string(ParseNpyHeader(text).status().message());
}

TEST(ParseNpyHeader, ReadsWhatNumpyWrites) {
  const auto header = ParseNpyHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }      \n");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->descr, "<f4");
  EXPECT_FALSE(header->fortran_order);
  EXPECT_THAT(header->shape, ElementsAre(3, 4));
}

TEST(ParseNpyHeader, ReadsAnyOrderOfKeysAndEitherQuote) {
  const auto header = ParseNpyHeader(
      R"({ "shape" :( 3 ,4),"fortran_order":True,'descr':">i8"})");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->descr, ">i8");
  EXPECT_TRUE(header->fortran_order);
  EXPECT_THAT(header->shape, ElementsAre(3, 4));
}

TEST(ParseNpyHeader, ReadsTheIntegersOfOldPythons) {
  const auto header = ParseNpyHeader(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 10L), }");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_THAT(header->shape, ElementsAre(3, 10));
}

TEST(ParseNpyHeader, ReadsTheShapeOfAScalar) {
  const auto header =
      ParseNpyHeader("{'descr': '|b1', 'fortran_order': False, 'shape': ()}");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_THAT(header->shape, IsEmpty());
}

TEST(ParseNpyHeader, ReadsATupleOfOne) {
  const auto header =
      ParseNpyHeader("{'descr': '|b1', 'fortran_order': False, 'shape': (7,)}");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_THAT(header->shape, ElementsAre(7));
}

TEST(ParseNpyHeader, RefusesAShapeThatIsNoTupleOfExtents) {
  for (const char* shape :
       {"(7)", "7", "[7]", "(-1,)", "(,)", "(3,,4)", "(3 4)", "(3.0,)",
        "(9223372036854775808,)", "(3,", "('3',)", "None"}) {
    EXPECT_EQ(ErrorOf(std::string("{'descr': '<f4', 'fortran_order': False, "
                                  "'shape': ") +
                      shape + "}"),
              "its header has a 'shape' that is not a tuple of extents from 0 "
              "to 2^63-1")
        << shape;
  }
}

TEST(ParseNpyHeader, RefusesAnOrderThatIsNoBool) {
  EXPECT_EQ(ErrorOf("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}"),
            "its header has a 'fortran_order' that is not True or False");
}

TEST(ParseNpyHeader, RefusesARecord) {
  EXPECT_EQ(ErrorOf("{'descr': [('x', '<f4'), ('y', '<f4')], "
                    "'fortran_order': False, 'shape': ()}"),
            "its header has a 'descr' that is not one element type, such as "
            "'<f4'");
}

TEST(ParseNpyHeader, RefusesAMissingAStrangeAndARepeatedKey) {
  EXPECT_EQ(ErrorOf("{'descr': '<f4', 'shape': ()}"),
            "its header lacks one of 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(ErrorOf("{'descr': '<f4', 'color': 'red'}"),
            "its header has a key other than 'descr', 'fortran_order' and "
            "'shape'");
  EXPECT_EQ(ErrorOf("{'descr': '<f4', 'descr': '<f4'}"),
            "its header has 'descr' twice");
}

TEST(ParseNpyHeader, RefusesWhatIsNoDict) {
  for (const char* text :
       {"", "{", "{'descr'", "{'descr' '<f4'}", "{descr: '<f4'}", "{,}",
        "['descr']", "{'descr': '<f4' 'shape': ()}", "{'unclosed: 1}"}) {
    EXPECT_EQ(ErrorOf(text), "its header is not a Python dict") << text;
  }
}

TEST(ParseNpyHeader, RefusesTextAfterTheDict) {
  EXPECT_EQ(ErrorOf("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x"),
            "its header goes on after its dict");
}

TEST(NpyHeaderText, IsWhatNumpyWrites) {
  EXPECT_EQ(NpyHeaderText({.descr = "<f4", .shape = {3, 4}}),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }");
  EXPECT_EQ(NpyHeaderText({.descr = "|b1", .shape = {3}}),
            "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }");
  EXPECT_EQ(NpyHeaderText({.descr = "<V2"}),
            "{'descr': '<V2', 'fortran_order': False, 'shape': (), }");
}

}  // namespace
}  // namespace reductor
