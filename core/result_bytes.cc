#include "core/result_bytes.h"

namespace reductor {

void Append(LineBytes bytes, int64_t n, absl::Cord& cord) {
  // A block of memory for each costs more than to copy fewer.
  constexpr int64_t kFewestOwned = 1024;
  const absl::string_view view(reinterpret_cast<const char*>(bytes.data()), n);
  if (n < kFewestOwned) {
    cord.Append(view);
    return;
  }
  cord.Append(absl::MakeCordFromExternal(view, [owned = std::move(bytes)] {}));
}

}  // namespace reductor
