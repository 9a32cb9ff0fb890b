// What core asks of the CPU beyond its instruction set.
#ifndef REDUCTOR_CORE_CPU_H_
#define REDUCTOR_CORE_CPU_H_

namespace reductor {

// Whether the CPU is AMD's.
inline bool FindAmd() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}
inline const bool kIsAmd = FindAmd();

}  // namespace reductor

#endif  // REDUCTOR_CORE_CPU_H_
