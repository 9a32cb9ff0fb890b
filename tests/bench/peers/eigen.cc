// Eigen's dense module as a shared library: row-major matrices of any layout
// [outer, reduced, inner], one thread. Built for the CPU that it runs on.
#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

template <class T>
using Matrix = Eigen::Map<
    const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Column = Eigen::Array<std::remove_const_t<T>, Eigen::Dynamic, 1>;
template <class T>
using Vector = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, const Column<T>, Column<T>>>;

// What `of` makes of each row of [outer, reduced], or of each column of
// [reduced, inner] for every outer one, after `lift`.
template <class T, class Lift, class Of>
void Reduce(const T* x, int64_t outer, int64_t reduced, int64_t inner, T* y,
            const Lift& lift, const Of& of) {
  if (inner == 1 && outer == 1) {
    Vector<T>(y, 1)[0] = of(lift(Vector<const T>(x, reduced)));
  } else if (inner == 1) {
    Vector<T>(y, outer) = of(lift(Matrix<T>(x, outer, reduced)).rowwise());
  } else {
    for (int64_t i = 0; i < outer; ++i) {
      const Matrix<T> slab(x + i * reduced * inner, reduced, inner);
      Vector<T>(y + i * inner, inner) = of(lift(slab).colwise()).transpose();
    }
  }
}

template <class T>
bool Run(const std::string& op, const T* x, int64_t outer, int64_t reduced,
         int64_t inner, T* y) {
  const auto reduce = [&](const auto& lift, const auto& of) {
    Reduce(x, outer, reduced, inner, y, lift, of);
    return true;
  };
  const auto same = [](const auto& v) { return v; };
  const auto absolute = [](const auto& v) { return v.abs(); };
  const auto sum = [](const auto& v) { return v.sum(); };
  if (op == "ReduceL1") return reduce(absolute, sum);
  if (op == "ReduceSum") return reduce(same, sum);
  // It divides by the count as a T, which may be 0 of 8 or 16 bits.
  if (op == "ReduceMean" && sizeof(T) >= 4) {
    return reduce(same, [](const auto& v) { return v.mean(); });
  }
  if (op == "ReduceMax") {
    return reduce(same, [](const auto& v) { return v.maxCoeff(); });
  }
  if (op == "ReduceMin") {
    return reduce(same, [](const auto& v) { return v.minCoeff(); });
  }
  if (op == "ReduceProd") {
    return reduce(same, [](const auto& v) { return v.prod(); });
  }
  return false;
}

}  // namespace

// Runs the reduction so many times. Whether it has it.
extern "C" bool eigen_run(const char* op, const char* dtype, const void* x,
                          int64_t outer, int64_t reduced, int64_t inner,
                          void* y, int64_t times) {
  const auto run = [&](auto type) {
    using T = decltype(type);
    bool has_it = true;
    for (int64_t i = 0; i < times && has_it; ++i) {
      has_it = Run<T>(op, static_cast<const T*>(x), outer, reduced, inner,
                      static_cast<T*>(y));
      // Each time anew.
      asm volatile("" ::: "memory");
    }
    return has_it;
  };
  // Its sums of columns of floats of 16 bits do not compile.
  const std::string_view name = dtype;
  if (name == "float32") return run(float{});
  if (name == "float64") return run(double{});
  if (name == "int8") return run(int8_t{});
  if (name == "int16") return run(int16_t{});
  if (name == "int32") return run(int32_t{});
  if (name == "int64") return run(int64_t{});
  if (name == "uint8") return run(uint8_t{});
  if (name == "uint16") return run(uint16_t{});
  if (name == "uint32") return run(uint32_t{});
  if (name == "uint64") return run(uint64_t{});
  return false;
}
