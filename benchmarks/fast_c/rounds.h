// What all limits share: bullheads, the random stream and the deal of bullpen.fast, so that the same
// seed gives the same rounds and the totals can be compared to the last bullhead.
#pragma once
#include <stdint.h>

#ifdef __CUDACC__
#define SHARED static __device__ __forceinline__
#else
#define SHARED static inline __attribute__((always_inline))
#endif

typedef struct {
  int64_t rule, players, first, second, size, ascending, digits, flip_once;
} plan_t;

enum { BASE, PROFESSIONAL, EVEN_ODD, MOUNTAIN, JUMPING_COW };
enum { RIGHT_ON_TIE = 8, LEFT_ON_TIE = 16 };
enum { NO_FLIP = -1, PADDED, IDENTITY, FORBIDDEN };

#define GAMMA 0x9E3779B97F4A7C15ull

SHARED int heads_of(int card) {
  return card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
}

SHARED uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

SHARED uint64_t stream(uint64_t seed, uint64_t index) { return mixed(mixed(seed) + index * GAMMA); }
SHARED uint32_t low_draw(uint64_t word, uint32_t below) { return (uint32_t)(((word & 0xFFFFFFFFu) * below) >> 32); }
SHARED uint32_t high_draw(uint64_t word, uint32_t below) { return (uint32_t)(((word >> 32) * below) >> 32); }
