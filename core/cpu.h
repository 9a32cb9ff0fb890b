// What core asks of the CPU beyond its instruction set. It changes how fast an
// answer comes, and no bit of it.
#ifndef REDUCTOR_CORE_CPU_H_
#define REDUCTOR_CORE_CPU_H_

namespace reductor {

// CPUs that want to be asked for memory differently (prefetch-inl.h), or for
// other instructions (kernels.cc).
enum class CpuKind { kZen4, kOtherAmd, kOther };

inline CpuKind FindCpuKind() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // Of family 25, which are Zen 3 and 4, only the latter have AVX-512.
  if (__builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f")) {
    return CpuKind::kZen4;
  }
  if (__builtin_cpu_is("amd")) return CpuKind::kOtherAmd;
#endif
  return CpuKind::kOther;
}
inline const CpuKind kCpuKind = FindCpuKind();

}  // namespace reductor

#endif  // REDUCTOR_CORE_CPU_H_
