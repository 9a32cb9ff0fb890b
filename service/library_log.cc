// Their texts quote what strangers sent: 12 KB of a header's value, once for
// each call.
#include "service/library_log.h"

#include <mutex>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"
#include "service/log.h"
#include "service/once_a_second.h"

namespace reductor {
namespace {

// Of a message; enough to recognise it.
constexpr size_t kMostMessageBytes = 256;

// The last error that is kept.
struct Kept {
  std::mutex mutex;
  std::string text;
};

Kept& TheKept() {
  // Never destroyed: gRPC's threads may say something while the process exits.
  static Kept& kept = *new Kept;
  return kept;
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

void LogMessage(LogLevel level, absl::string_view text, absl::string_view file,
                int line) {
  Log(level, text.substr(0, kMostMessageBytes),
      LogFields().Add("source", absl::StrCat(file, ":", line)));
}

// What is said before the process aborts is written at once, whatever else was
// said.
void LogLastWord(absl::string_view text, absl::string_view file, int line) {
  LogMessage(LogLevel::kError, text, file, line);
  FlushLog();
}

// What gRPC says goes to kOther, but for its last word, as GPR_ASSERT() says
// it.
template <gpr_log_func kOther>
void LogLastWordOr(gpr_log_func_args* args) {
  if (absl::StartsWith(args->message, "assertion failed")) {
    LogLastWord(args->message, args->file, args->line);
  } else {
    kOther(args);
  }
}

void LogGrpcMessage(gpr_log_func_args* args) {
  static OnceASecond limit;
  const LogLevel level = LevelOf(args->severity);
  if (!IsLogged(level) || !limit.IsFirst(absl::Now())) return;
  LogMessage(level, args->message, args->file, args->line);
}

void KeepGrpcMessage(gpr_log_func_args* args) {
  if (args->severity != GPR_LOG_SEVERITY_ERROR) return;
  const std::lock_guard lock(TheKept().mutex);
  TheKept().text = args->message;
}

// Such as that of a text which is no UTF-8; whoever sent it is told.
void LogProtobufMessage(google::protobuf::LogLevel level, const char* file,
                        int line, const std::string& text) {
  if (level == google::protobuf::LOGLEVEL_FATAL) {
    return LogLastWord(text, file, line);
  }
  LogMessage(LogLevel::kDebug, text, file, line);
}

}  // namespace

void LogLibraryMessages() {
  gpr_set_log_function(LogLastWordOr<LogGrpcMessage>);
  google::protobuf::SetLogHandler(LogProtobufMessage);
}

KeptMessages::KeptMessages() {
  {
    const std::lock_guard lock(TheKept().mutex);
    TheKept().text.clear();
  }
  gpr_set_log_function(LogLastWordOr<KeepGrpcMessage>);
}

KeptMessages::~KeptMessages() { LogLibraryMessages(); }

// gRPC wraps each error into another, "UNKNOWN:text {details, children:[...]}":
// the last is the innermost.
std::string KeptMessages::LastCause() const {
  constexpr absl::string_view kBefore = "UNKNOWN:";
  const std::lock_guard lock(TheKept().mutex);
  absl::string_view text = TheKept().text;
  const size_t last = text.rfind(kBefore);
  if (last != text.npos) text.remove_prefix(last + kBefore.size());
  std::string cause(
      text.substr(0, text.find(" {")).substr(0, kMostMessageBytes));
  if (!cause.empty()) cause.front() = absl::ascii_tolower(cause.front());
  return cause;
}

}  // namespace reductor
