// reductor's core as a program that the comparison with its peers talks to, a
// command a line, an answer a line: a case is planned once and run often, as a
// peer's model is.
//
//   case OPERATOR TYPE FILE RESULT RANK DIM... AXES AXIS...   ok, or no
//   run TIMES                                                 seconds of one
//   save                                                      ok: to RESULT
//
// The arguments are the number of threads and, if not all there are, the
// instruction sets, as reductord's --isa names them. FILE holds the elements.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "core/kernels.h"
#include "core/parallel.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "service/allocator.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

// The bytes of a file, for the life of the process: a case has its own.
absl::string_view MapFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) std::exit(1);
  void* bytes = mmap(nullptr, status.st_size, PROT_READ,
                     MAP_SHARED | MAP_POPULATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) std::exit(1);
  return {static_cast<const char*>(bytes), static_cast<size_t>(status.st_size)};
}

template <class List>
auto Find(const List& list, const std::string& name) {
  return *std::find_if(std::begin(list), std::end(list),
                       [&](auto each) { return NameOf(each) == name; });
}

std::vector<int64_t> ReadList(std::istream& in) {
  int64_t size = 0;
  in >> size;
  std::vector<int64_t> list(size);
  for (int64_t& each : list) in >> each;
  return list;
}

class Session {
 public:
  bool SetCase(std::istream& in) {
    std::string op;
    std::string dtype;
    std::string path;
    in >> op >> dtype >> path >> result_path_;
    const std::vector<int64_t> shape = ReadList(in);
    std::vector<int64_t> axes = ReadList(in);
    if (!bytes_.empty())
      munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    bytes_ = MapFile(path);
    data_ = absl::MakeCordFromExternal(bytes_, [] {});
    std::optional<ReduceSpec> spec =
        SpecFor(Find(kOperators, op), Find(kDTypes, dtype));
    if (!spec.has_value()) return false;
    spec->axes = std::move(axes);
    auto plans = MakePlans(RequestFor(Find(kDTypes, dtype), shape, *spec));
    if (!plans.ok()) return false;
    plans_ = *std::move(plans);
    return true;
  }

  // The seconds of one of `times` runs.
  double Run(int times) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) {
      // As a server does, which sends a result before it makes the next.
      results_.reset();
      results_.emplace(Reduce(plans_, data_).value());
    }
    const std::chrono::duration<double> all =
        std::chrono::steady_clock::now() - start;
    return all.count() / times;
  }

  void Save() const {
    std::ofstream(result_path_) << results_->front().ToCord();
  }

 private:
  absl::string_view bytes_;
  absl::Cord data_;
  std::vector<Plan> plans_;
  std::optional<Results> results_;
  std::string result_path_;
};

}  // namespace
}  // namespace reductor

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  const int threads = std::stoi(argv[1]);
  const std::string isa = argc == 3 ? argv[2] : "auto";
  const absl::Status checked = reductor::CheckIsa(isa);
  if (!checked.ok()) {
    std::cerr << checked << std::endl;
    return 2;
  }
  reductor::TuneAllocator(threads);
  reductor::LimitIsa(isa);
  reductor::SetThreads(threads);
  reductor::Session session;
  std::string command;
  while (std::cin >> command) {
    if (command == "case") {
      std::cout << (session.SetCase(std::cin) ? "ok" : "no") << std::endl;
    } else if (command == "run") {
      int times = 0;
      std::cin >> times;
      std::cout << session.Run(times) << std::endl;
    } else {
      session.Save();
      std::cout << "ok" << std::endl;
    }
  }
}
