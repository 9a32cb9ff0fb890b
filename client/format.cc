#include "client/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reductor {
namespace {

// numpy's own settings: threshold, edgeitems and linewidth.
constexpr int64_t kMaxShownWhole = 1000;
constexpr int64_t kEdge = 3;
constexpr size_t kLineWidth = 75;

// "3" becomes "3.0", so that a float is seen to be one.
std::string WithPoint(std::string digits) {
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return digits;
}

template <class T>
requires std::is_integral_v<T> std::string ElementText(T x) {
  return absl::StrCat(
      static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(
          x));
}

std::string ElementText(Bool x) { return x.byte != 0 ? "True" : "False"; }

template <class T>
requires std::is_floating_point_v<T> std::string ElementText(T x) {
  if (std::isnan(x)) return "nan";  // Whatever its sign.
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), x);
  return WithPoint(std::string(buffer, end));
}

// The library knows the shortest text of a float, which is longer: a 16-bit
// float takes the first precision that reads back as itself.
template <class T>
requires std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16> std::string
ElementText(T x) {
  const float wide = Widen(x);
  if (!std::isfinite(wide)) return ElementText(wide);
  char buffer[32];
  char* end = buffer;
  for (int precision = 1; precision <= 5; ++precision) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), wide,
                        std::chars_format::general, precision)
              .ptr;
    float read_back = 0;
    std::from_chars(buffer, end, read_back);
    if (Narrow<T>(read_back).bits == x.bits) break;
  }
  return WithPoint(std::string(buffer, end));
}

template <class T>
std::string TextAt(const Tensor& tensor, int64_t index) {
  T x;
  std::memcpy(&x, tensor.data.data() + index * sizeof(T), sizeof(T));
  return ElementText(x);
}

using TextFunction = std::string (*)(const Tensor&, int64_t);

TextFunction TextFunctionOf(DType dtype) {
  switch (dtype) {
    case DType::kUnspecified:
      break;
#define X(enumerator, type, name) \
  case DType::enumerator:         \
    return TextAt<type>;
      REDUCTOR_DTYPES(X)
#undef X
  }
  return nullptr;
}

// Writes a tensor of at least one axis and one element.
class Writer {
 public:
  explicit Writer(const Tensor& tensor)
      : tensor_(tensor),
        text_at_(TextFunctionOf(tensor.dtype)),
        is_abridged_(tensor.data.size() / SizeOf(tensor.dtype) >
                     kMaxShownWhole) {}

  std::string Write() {
    // Once for the width of the widest element, once for the text.
    WriteAxis(0, 0);
    out_.clear();
    WriteAxis(0, 0);
    return std::move(out_);
  }

 private:
  // The sub-tensor whose first `axis` coordinates are given by `row`, the
  // number of sub-tensors of that kind before it.
  void WriteAxis(size_t axis, int64_t row) {
    if (axis == tensor_.shape.size()) {
      WriteElement(row);
      return;
    }
    const int64_t extent = tensor_.shape[axis];
    const bool has_gap = is_abridged_ && extent > 2 * kEdge;
    out_ += '[';
    for (int64_t i = 0; i < extent; ++i) {
      if (i > 0) Separate(axis);
      if (has_gap && i == kEdge) {
        out_ += "...";
        Separate(axis);
        i = extent - kEdge;
      }
      WriteAxis(axis + 1, row * extent + i);
    }
    out_ += ']';
  }

  // Goes on to the next sub-tensor along `axis`: elements share a line as long
  // as it has room, rows begin one, matrices leave one empty, and so on.
  void Separate(size_t axis) {
    size_t new_lines = tensor_.shape.size() - axis - 1;
    if (new_lines == 0) {
      const size_t line = out_.size() - (out_.rfind('\n') + 1);
      if (line + 1 + width_ < kLineWidth) {
        out_ += ' ';
        return;
      }
      new_lines = 1;
    }
    out_.append(new_lines, '\n').append(axis + 1, ' ');
  }

  void WriteElement(int64_t index) {
    const std::string text = text_at_(tensor_, index);
    width_ = std::max(width_, text.size());
    out_.append(width_ - text.size(), ' ');
    out_ += text;
  }

  const Tensor& tensor_;
  const TextFunction text_at_;
  const bool is_abridged_;
  size_t width_ = 0;
  std::string out_;
};

}  // namespace

std::string Format(const Tensor& tensor) {
  if (tensor.data.empty()) {
    return absl::StrCat("[] of ", Signature(tensor.dtype, tensor.shape));
  }
  return Writer(tensor).Write();
}

std::string Signature(DType dtype, absl::Span<const int64_t> shape) {
  return absl::StrCat(NameOf(dtype), "[", absl::StrJoin(shape, ","), "]");
}

}  // namespace reductor
