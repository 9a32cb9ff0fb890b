// Looks flags up by the names that people write.
#include "service/flag_names.h"

#include "absl/flags/reflection.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "service/config.h"

namespace reductor {
namespace {

constexpr absl::string_view kNames[] = {
#define X(group, type, name, value, help) #name,
    REDUCTOR_FLAGS(X)
#undef X
};

// Only ours: the libraries' own flags are none of the user's business.
absl::CommandLineFlag* FindBy(std::string (*name_of)(absl::string_view),
                              absl::string_view wanted) {
  for (const absl::string_view name : kNames) {
    if (name_of(name) == wanted) return absl::FindCommandLineFlag(name);
  }
  return nullptr;
}

}  // namespace

std::string DashedName(absl::string_view name) {
  return absl::StrCat("--", absl::StrReplaceAll(name, {{"_", "-"}}));
}

std::string TwinName(absl::string_view name) {
  return absl::StrCat(kVariablePrefix, absl::AsciiStrToUpper(name));
}

absl::CommandLineFlag* FindFlag(absl::string_view dashed_name) {
  return FindBy(DashedName, dashed_name);
}

absl::CommandLineFlag* FindTwin(absl::string_view twin_name) {
  return FindBy(TwinName, twin_name);
}

absl::CommandLineFlag* FindBoolFlag(absl::string_view argument) {
  absl::CommandLineFlag* flag = FindFlag(argument);
  if (flag == nullptr && absl::ConsumePrefix(&argument, "--no")) {
    flag = FindFlag(absl::StrCat("--", argument));
  }
  return flag != nullptr && flag->IsOfType<bool>() ? flag : nullptr;
}

}  // namespace reductor
