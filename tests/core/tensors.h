// Tensors for tests: values in, values out, bytes cut into a Cord anywhere.
#ifndef REDUCTOR_TESTS_CORE_TENSORS_H_
#define REDUCTOR_TESTS_CORE_TENSORS_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "core/dtype.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "core/schema.h"

namespace reductor {

template <class T>
std::string BytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()),
                     values.size() * sizeof(T));
}

template <class T>
std::vector<T> ValuesOf(const absl::Cord& bytes) {
  const std::string flat(bytes);
  std::vector<T> values(flat.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), flat.data(), flat.size());
  return values;
}

// The bytes as one piece that lies at an odd address.
inline absl::Cord MisalignedPiece(absl::string_view bytes) {
  auto* storage = new std::string(1, 'x');
  storage->append(bytes.data(), bytes.size());
  return absl::MakeCordFromExternal(absl::string_view(*storage).substr(1),
                                    [storage] { delete storage; });
}

// The bytes cut at random, into pieces of up to `longest` bytes.
inline absl::Cord CutAtRandom(absl::string_view bytes, size_t longest,
                              std::mt19937& rng) {
  absl::Cord cord;
  while (!bytes.empty()) {
    const size_t size = std::min<size_t>(bytes.size(), 1 + rng() % longest);
    cord.Append(MisalignedPiece(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
  return cord;
}

// A request for one reduction of a tensor of this type and shape.
inline RequestSpec RequestFor(DType dtype, std::vector<int64_t> shape,
                              ReduceSpec reduction) {
  int64_t bytes = SizeOf(dtype);
  for (const int64_t extent : shape) bytes *= extent;
  return {.reductions = {std::move(reduction)},
          .tensor = TensorSpec{
              .dtype = dtype, .shape = std::move(shape), .data_bytes = bytes}};
}

// A reduction of the newest version of the operator that allows the type, or
// nullopt where none does.
inline std::optional<ReduceSpec> SpecFor(Operator op, DType dtype) {
  for (const Family family : {Family::kOnnx, Family::kOpenvino}) {
    for (int32_t opset = NewestOpset(family); opset > 0; --opset) {
      const Schema* schema = FindSchema(op, family, opset);
      if (schema == nullptr || !schema->Allows(dtype)) continue;
      return ReduceSpec{.op = op, .family = family, .opset = opset};
    }
  }
  return std::nullopt;
}

// The plans of one reduction, of the version that SpecFor() says.
// REQUIRES: a version allows the type.
inline std::vector<Plan> PlansFor(DType dtype, std::vector<int64_t> shape,
                                  Operator op, std::vector<int64_t> axes,
                                  bool select_last_index = false) {
  ReduceSpec spec = SpecFor(op, dtype).value();
  spec.axes = std::move(axes);
  if (select_last_index) spec.select_last_index = true;
  return MakePlans(RequestFor(dtype, std::move(shape), std::move(spec)))
      .value();
}

// The results of one reduction. REQUIRES: the reduction is valid.
template <class T, class Result = T>
std::vector<Result> Reduced(const std::vector<T>& values,
                            std::vector<int64_t> shape, ReduceSpec reduction) {
  const std::vector<Plan> plans =
      MakePlans(RequestFor(kDTypeOf<T>, std::move(shape), std::move(reduction)))
          .value();
  return ValuesOf<Result>(
      Reduce(plans, absl::Cord(BytesOf(values))).value()[0].ToCord());
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_TENSORS_H_
