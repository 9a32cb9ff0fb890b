// What core asks of the CPU beyond its instruction set. It changes how fast an
// answer comes, and no bit of it.
#ifndef REDUCTOR_CORE_CPU_H_
#define REDUCTOR_CORE_CPU_H_

#include <cstdint>

namespace reductor {

// A line of memory, which is what caches hold, and a page, beyond which the
// CPU's own prefetching does not go.
inline constexpr int64_t kLineBytes = 64;
inline constexpr int64_t kPageBytes = 4096;

// CPUs that differ in which loop is fastest where their instruction set leaves
// a choice: in how memory is prefetched, in what it takes to widen elements, in
// how many arrays they read side by side. Whoever asks says what was measured.
// kZen3 and kZen5 stand for what AMD made before and after kZen4, too; kSkylake
// for Intel's with AVX-512 that add where they multiply, up to Rocket Lake, of
// which Cascade Lake was measured. kGoldenCove stands for Intel's since then,
// which were measured, and for all others, which were not and are taken for
// such.
enum class CpuKind { kZen3, kZen4, kZen5, kSkylake, kGoldenCove };

inline CpuKind FindCpuKind() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_is("amd")) {
    if (!__builtin_cpu_supports("avx512f")) return CpuKind::kZen3;
    // Of family 25, which are Zen 3 and 4.
    return __builtin_cpu_is("amdfam19h") ? CpuKind::kZen4 : CpuKind::kZen5;
  }
  if (__builtin_cpu_is("skylake-avx512") || __builtin_cpu_is("cascadelake") ||
      __builtin_cpu_is("cooperlake") || __builtin_cpu_is("cannonlake") ||
      __builtin_cpu_is("icelake-client") ||
      __builtin_cpu_is("icelake-server") || __builtin_cpu_is("tigerlake") ||
      __builtin_cpu_is("rocketlake")) {
    return CpuKind::kSkylake;
  }
#endif
  return CpuKind::kGoldenCove;
}
inline const CpuKind kCpuKind = FindCpuKind();
inline const bool kIsAmd =
    kCpuKind != CpuKind::kSkylake && kCpuKind != CpuKind::kGoldenCove;

// Whether the CPU follows several arrays by itself, and reads them side by side
// faster than one after the other. Zen 3 does (all of one array from memory,
// and as four quarters: 16 and 21 GB/s).
inline const bool kReadsSeveral = kCpuKind == CpuKind::kZen3;

}  // namespace reductor

#endif  // REDUCTOR_CORE_CPU_H_
