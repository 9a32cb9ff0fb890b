// spdlog filters, tells the time and writes; the rest of a line is LogFields'.
#include "service/log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "grpc/support/log.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

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

spdlog::logger& Logger() {
  // Never destroyed: gRPC's threads may log while the process exits.
  static spdlog::logger& logger = *[] {
    auto* const made = new spdlog::logger(
        "reductord", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("{\"ts\":\"%Y-%m-%dT%H:%M:%S.%fZ\",%v}",
                      spdlog::pattern_time_type::utc);
    return made;
  }();
  return logger;
}

// What gRPC calls an error is mostly a stranger's fault: no error of ours.
LogLevel LevelOf(gpr_log_severity severity) {
  switch (severity) {
    case GPR_LOG_SEVERITY_DEBUG:
      return LogLevel::kDebug;
    case GPR_LOG_SEVERITY_INFO:
      return LogLevel::kInfo;
    case GPR_LOG_SEVERITY_ERROR:
      return LogLevel::kWarning;
  }
  return LogLevel::kWarning;
}

void LogGrpcMessage(gpr_log_func_args* args) {
  Log(LevelOf(args->severity), args->message,
      LogFields().Add("source", absl::StrCat(args->file, ":", args->line)));
}

void DropGrpcMessage(gpr_log_func_args*) {}

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

void LogGrpcMessages(bool on) {
  gpr_set_log_function(on ? LogGrpcMessage : DropGrpcMessage);
}

}  // namespace reductor
