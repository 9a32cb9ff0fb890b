// The log: one JSON object a line on stderr. Never tensor data.
//
// Whoever logs does not wait for whoever reads: lines are queued for a thread
// that writes them, and when it cannot the oldest are dropped, and counted.
#ifndef REDUCTOR_SERVICE_LOG_H_
#define REDUCTOR_SERVICE_LOG_H_

#include <string>

#include "absl/strings/string_view.h"
#include "service/log_fields.h"

namespace reductor {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning", "error", for the flag of this type.
bool AbslParseFlag(absl::string_view text, LogLevel* level, std::string* error);
std::string AbslUnparseFlag(LogLevel level);

// Lines below `level` are dropped from now on.
void SetLogLevel(LogLevel level);

// Whether lines of this level are written: asks before costly fields are made.
bool IsLogged(LogLevel level);

// Tells ts, level, msg, then `fields`. Any thread may call it.
void Log(LogLevel level, absl::string_view msg, const LogFields& fields = {});

// Returns when all that was logged before is written; or, if nobody reads it,
// after a second. Any thread may call it.
void FlushLog();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_LOG_H_
