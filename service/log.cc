// spdlog filters and tells the time; the rest of a line is LogFields'.
#include "service/log.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "service/async_log.h"

namespace reductor {
namespace {

constexpr std::pair<LogLevel, absl::string_view> kLevels[] = {
    {LogLevel::kDebug, "debug"},
    {LogLevel::kInfo, "info"},
    {LogLevel::kWarning, "warning"},
    {LogLevel::kError, "error"},
};

absl::string_view NameOf(LogLevel level) {
  return kLevels[static_cast<int>(level)].second;
}

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::off;
}

// For a reader who stalls: at 40,000 lines a second those of 0.1 s. They take 2
// MiB, or 14 where strangers make each as long as it can be.
constexpr size_t kMostQueuedLines = 4096;

// For a reader who still reads.
constexpr absl::Duration kFlushTimeout = absl::Seconds(1);

AsyncLog& TheLog() {
  // Never destroyed: gRPC's threads may log while the process exits.
  static AsyncLog& log = *new AsyncLog(STDERR_FILENO, kMostQueuedLines);
  return log;
}

spdlog::logger& Logger() { return TheLog().logger(); }

}  // namespace

bool AbslParseFlag(absl::string_view text, LogLevel* level,
                   std::string* error) {
  for (const auto& [value, name] : kLevels) {
    if (text == name) {
      *level = value;
      return true;
    }
  }
  *error = "must be debug, info, warning or error";
  return false;
}

std::string AbslUnparseFlag(LogLevel level) {
  return std::string(NameOf(level));
}

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

bool IsLogged(LogLevel level) { return Logger().should_log(ToSpdlog(level)); }

void Log(LogLevel level, absl::string_view msg, const LogFields& fields) {
  if (!IsLogged(level)) return;
  LogFields line;
  line.Add("level", NameOf(level)).Add("msg", msg);
  const absl::string_view comma = fields.members().empty() ? "" : ",";
  const std::string text =
      absl::StrCat(line.members(), comma, fields.members());
  Logger().log(ToSpdlog(level), spdlog::string_view_t(text));
}

void FlushLog() { TheLog().Flush(kFlushTimeout); }

}  // namespace reductor
