// What is a number of bytes and what is none.
#include "service/declared_size.h"

#include <string>

#include "gtest/gtest.h"
#include "service/status.h"

namespace reductor {
namespace {

absl::StatusOr<std::optional<int64_t>> Declared(const std::string& value) {
  return DeclaredSize({{kDeclaredSizeKey, value}});
}

TEST(DeclaredSize, IsANumberOfBytes) {
  EXPECT_EQ(Declared("0").value(), 0);
  EXPECT_EQ(Declared("96").value(), 96);
  EXPECT_EQ(Declared("9223372036854775807").value(), INT64_MAX);
}

TEST(DeclaredSize, IsAbsentWithoutADeclaration) {
  EXPECT_EQ(DeclaredSize({{"x-request-id", "7"}}).value(), std::nullopt);
}

TEST(DeclaredSize, IsNothingElse) {
  for (const char* const value : {"", "-1", "+1", " 1", "1.5", "1e3", "0x10",
                                  "64KiB", "9223372036854775808"}) {
    const auto declared = Declared(value);
    EXPECT_EQ(declared.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(declared.status()), "DECLARED_SIZE_INVALID") << value;
  }
  EXPECT_EQ(Declared("many").status().message(),
            "reductor-message-bytes: 'many' is no number of bytes");
}

TEST(DeclaredSize, IsDeclaredOnce) {
  EXPECT_EQ(DeclaredSize({{kDeclaredSizeKey, "1"}, {kDeclaredSizeKey, "1"}})
                .status()
                .message(),
            "reductor-message-bytes: '1, 1' is no number of bytes");
}

}  // namespace
}  // namespace reductor
