#include "service/log_fields.h"

#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace reductor {
namespace {

TEST(LogFields, AreMembersInTheirOrder) {
  const std::vector<int64_t> shape = {2, 0};
  EXPECT_EQ(LogFields()
                .Add("b", "text")
                .Add("a", int64_t{-7})
                .Add("ms", 0.25)
                .Add("shape", shape)
                .AddJson("on", true)
                .members(),
            R"("b":"text","a":-7,"ms":0.25,"shape":[2,0],"on":true)");
}

TEST(LogFields, AreNothingAtFirst) { EXPECT_EQ(LogFields().members(), ""); }

TEST(LogFields, EscapeWhatIsNotPlain) {
  EXPECT_EQ(LogFields().Add("x", "\"\\\n\x01").members(),
            R"("x":"\"\\\n\u0001")");
  EXPECT_EQ(LogFields().Add("x", "\xc3\xa4").members(), "\"x\":\"\xc3\xa4\"");
}

TEST(LogFields, ReplaceBytesThatAreNotText) {
  EXPECT_EQ(LogFields().Add("x", "a\xff").members(), "\"x\":\"a\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace reductor
