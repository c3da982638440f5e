// The limit in lockstep: 64 games in the bytes of one AVX-512 register, base placement, random seats.
// Without AVX-512 (BW and VBMI) the same loops are left to the compiler, 64 bytes at a time.
#include "rounds.h"
#include <string.h>

enum { LANES = 64 };

static uint8_t HEADS[128] __attribute__((aligned(64)));
static uint8_t FRESH[104];
static uint8_t decks[LANES][128] __attribute__((aligned(64)));
static uint8_t cards[106][LANES] __attribute__((aligned(64)));
static uint8_t targets[106][LANES] __attribute__((aligned(64)));

__attribute__((constructor)) static void prepare(void) {
  for (int card = 1; card <= 104; card++) HEADS[card] = (uint8_t)heads_of(card);
  for (int i = 0; i < 104; i++) FRESH[i] = (uint8_t)(i + 1);
}

static void hand_out(int count) {
  for (int g = 0; g < LANES; g++) memcpy(decks[g], FRESH, 104);
  for (int i = 0; i < count; i++)
    for (int g = 0; g < LANES; g++) {
      uint8_t *deck = decks[g], j = targets[i][g];
      cards[i][g] = deck[j];
      deck[j] = deck[i];
    }
}

#if defined(__AVX512BW__) && defined(__AVX512VBMI__) && defined(__AVX512DQ__)
#include <immintrin.h>

typedef __m512i vec;
#define ALL(x) _mm512_set1_epi8((char)(x))
#define PICK(m, a, b) _mm512_mask_mov_epi8(b, m, a)

static void draw_targets(int size, int count, uint64_t seed, uint64_t first) {
  const vec gamma = _mm512_set1_epi64((long long)GAMMA), m1 = _mm512_set1_epi64((long long)0xBF58476D1CE4E5B9ull),
            m2 = _mm512_set1_epi64((long long)0x94D049BB133111EBull);
  vec state[8];
  uint64_t start[LANES];
  for (int g = 0; g < LANES; g++) start[g] = stream(seed, first + (uint64_t)g);
  for (int v = 0; v < 8; v++) state[v] = _mm512_loadu_si512(start + 8 * v);
  for (int i = 0; i < count; i += 2)
    for (int v = 0; v < 8; v++) {
      vec z = state[v] = _mm512_add_epi64(state[v], gamma);
      z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)), m1);
      z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)), m2);
      z = _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
      vec a = _mm512_srli_epi64(_mm512_mul_epu32(z, _mm512_set1_epi64(size - i)), 32);
      vec b = _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(z, 32), _mm512_set1_epi64(size - i - 1)), 32);
      _mm_storel_epi64((__m128i *)&targets[i][8 * v], _mm512_cvtepi64_epi8(_mm512_add_epi64(a, _mm512_set1_epi64(i))));
      _mm_storel_epi64((__m128i *)&targets[i + 1][8 * v],
                       _mm512_cvtepi64_epi8(_mm512_add_epi64(b, _mm512_set1_epi64(i + 1))));
    }
}

#define ORDER(a, b) (t = _mm512_min_epu8(a, b), b = _mm512_max_epu8(a, b), a = t)

// A row is its end and heads << 3 | count. `n` is a constant in each copy, so that plays stay in registers.
SHARED void block(int n, int tricks, int ascending, int64_t *total) {
  const vec low_heads = _mm512_load_si512(HEADS), high_heads = _mm512_load_si512(HEADS + 64);
  const vec zero = _mm512_setzero_si512(), five = ALL(5), seven = ALL(7), one = ALL(1), heads = ALL(0xF8);
  vec e[4], w[4], points[10], t;
  for (int r = 0; r < 4; r++) e[r] = _mm512_load_si512(cards[n * tricks + r]);
  if (ascending) ORDER(e[0], e[1]), ORDER(e[2], e[3]), ORDER(e[0], e[2]), ORDER(e[1], e[3]), ORDER(e[1], e[2]);
#define ALONE(c) _mm512_or_si512(_mm512_slli_epi16(_mm512_permutex2var_epi8(low_heads, c, high_heads), 3), one)
  for (int r = 0; r < 4; r++) w[r] = ALONE(e[r]);
  for (int p = 0; p < n; p++) points[p] = zero;
  for (int k = 0; k < tricks; k++) {
    vec card[10], seat[10];
#pragma GCC unroll 10
    for (int p = 0; p < n; p++) {
      vec c = _mm512_load_si512(cards[k * n + p]), s = ALL(p);
#pragma GCC unroll 10
      for (int q = 0; q < p; q++) {
        __mmask64 m = _mm512_cmplt_epu8_mask(c, card[q]);
        vec lower = _mm512_min_epu8(c, card[q]), its = PICK(m, s, seat[q]);
        c = _mm512_max_epu8(c, card[q]), s = PICK(m, seat[q], s);
        card[q] = lower, seat[q] = its;
      }
      card[p] = c, seat[p] = s;
    }
#pragma GCC unroll 10
    for (int q = 0; q < n; q++) {
      vec c = card[q], alone = ALONE(c);
      vec nearest = _mm512_maskz_mov_epi8(_mm512_cmplt_epu8_mask(e[0], c), e[0]);
      for (int r = 1; r < 4; r++)
        nearest = _mm512_mask_max_epu8(nearest, _mm512_cmplt_epu8_mask(e[r], c), nearest, e[r]);
      __mmask64 low = _mm512_testn_epi8_mask(nearest, nearest), s[4];
      for (int r = 0; r < 4; r++) s[r] = _mm512_cmpeq_epi8_mask(e[r], nearest);
      if (low) {
        vec price[4], best;
        for (int r = 0; r < 4; r++) price[r] = _mm512_or_si512(_mm512_and_si512(w[r], heads), ALL(r));
        best = _mm512_min_epu8(_mm512_min_epu8(price[0], price[1]), _mm512_min_epu8(price[2], price[3]));
        for (int r = 0; r < 4; r++) s[r] |= _mm512_mask_cmpeq_epi8_mask(low, price[r], best);
      }
      vec row = PICK(s[0], w[0], PICK(s[1], w[1], PICK(s[2], w[2], w[3])));
      __mmask64 taken = low | _mm512_cmpeq_epi8_mask(_mm512_and_si512(row, seven), five);
      vec cost = _mm512_maskz_mov_epi8(taken, _mm512_and_si512(_mm512_srli_epi16(row, 3), ALL(0x1F)));
      row = PICK(taken, alone, _mm512_add_epi8(row, alone));
      for (int r = 0; r < 4; r++) e[r] = PICK(s[r], c, e[r]), w[r] = PICK(s[r], row, w[r]);
#pragma GCC unroll 10
      for (int p = 0; p < n; p++)
        points[p] = _mm512_mask_add_epi8(points[p], _mm512_cmpeq_epi8_mask(seat[q], ALL(p)), points[p], cost);
    }
  }
  for (int p = 0; p < n; p++) total[p] += _mm512_reduce_add_epi64(_mm512_sad_epu8(points[p], zero));
}

static void any_block(int n, int tricks, int ascending, int64_t *total) {
  switch (n) {
    case 2: block(2, tricks, ascending, total); break;
    case 3: block(3, tricks, ascending, total); break;
    case 4: block(4, tricks, ascending, total); break;
    case 5: block(5, tricks, ascending, total); break;
    case 6: block(6, tricks, ascending, total); break;
    case 7: block(7, tricks, ascending, total); break;
    case 8: block(8, tricks, ascending, total); break;
    case 9: block(9, tricks, ascending, total); break;
    case 10: block(10, tricks, ascending, total); break;
  }
}

const char *simd_kind(void) { return "AVX-512 intrinsics"; }

#else

static void draw_targets(int size, int count, uint64_t seed, uint64_t first) {
  uint64_t state[LANES];
  for (int g = 0; g < LANES; g++) state[g] = stream(seed, first + (uint64_t)g);
  for (int i = 0; i < count; i += 2)
    for (int g = 0; g < LANES; g++) {
      uint64_t word = mixed(state[g] += GAMMA);
      targets[i][g] = (uint8_t)(i + low_draw(word, (uint32_t)(size - i)));
      targets[i + 1][g] = (uint8_t)(i + 1 + high_draw(word, (uint32_t)(size - i - 1)));
    }
}

typedef uint8_t lane_t[LANES] __attribute__((aligned(64)));

static void order(lane_t a, lane_t b, lane_t sa, lane_t sb) {
  for (int g = 0; g < LANES; g++) {
    uint8_t x = a[g], y = b[g], p = sa[g], q = sb[g], swap = y < x;
    a[g] = swap ? y : x, b[g] = swap ? x : y, sa[g] = swap ? q : p, sb[g] = swap ? p : q;
  }
}

static void any_block(int n, int tricks, int ascending, int64_t *total) {
  static lane_t e[4], w[4], card[10], seat[10], cost, spare[4];
  static uint16_t points[10][LANES];
  memset(points, 0, sizeof points);
  for (int r = 0; r < 4; r++) memcpy(e[r], cards[n * tricks + r], LANES);
  if (ascending)
    for (int i = 1; i < 4; i++)
      for (int j = 0; j < i; j++) order(e[j], e[i], spare[j], spare[i]);
  for (int r = 0; r < 4; r++)
    for (int g = 0; g < LANES; g++) w[r][g] = (uint8_t)(HEADS[e[r][g]] << 3 | 1);
  for (int k = 0; k < tricks; k++) {
    for (int p = 0; p < n; p++) {
      memcpy(card[p], cards[k * n + p], LANES);
      memset(seat[p], p, LANES);
      for (int q = 0; q < p; q++) order(card[q], card[p], seat[q], seat[p]);
    }
    for (int q = 0; q < n; q++) {
      for (int g = 0; g < LANES; g++) {
        uint8_t c = card[q][g], alone = (uint8_t)(HEADS[c] << 3 | 1), nearest = 0, best = 255, row = 0;
        for (int r = 0; r < 4; r++) nearest = e[r][g] < c && e[r][g] > nearest ? e[r][g] : nearest;
        for (int r = 0; r < 4; r++) {
          uint8_t price = (uint8_t)((w[r][g] & 0xF8) | r);
          best = price < best ? price : best;
        }
        uint8_t low = nearest == 0;
        for (int r = 0; r < 4; r++) {
          uint8_t chosen = low ? (uint8_t)((w[r][g] & 0xF8) | r) == best : e[r][g] == nearest;
          row = chosen ? w[r][g] : row;
        }
        uint8_t taken = low || (row & 7) == 5, now = taken ? alone : (uint8_t)(row + alone);
        cost[g] = taken ? (uint8_t)(row >> 3) : 0;
        uint8_t s[4];
        for (int r = 0; r < 4; r++)
          s[r] = low ? (uint8_t)((w[r][g] & 0xF8) | r) == best : e[r][g] == nearest;
        for (int r = 0; r < 4; r++) e[r][g] = s[r] ? c : e[r][g], w[r][g] = s[r] ? now : w[r][g];
      }
      for (int p = 0; p < n; p++)
        for (int g = 0; g < LANES; g++) points[p][g] += seat[q][g] == p ? cost[g] : 0;
    }
  }
  for (int p = 0; p < n; p++)
    for (int g = 0; g < LANES; g++) total[p] += points[p][g];
}

const char *simd_kind(void) { return "loops left to the compiler"; }

#endif

// `count` is a multiple of 64.
void simd_rounds(const plan_t *plan, int64_t first, int64_t count, uint64_t seed, int64_t *total) {
  int n = (int)plan->players, tricks = (int)(plan->first + plan->second);
  for (int64_t round = first; round < first + count; round += LANES) {
    draw_targets((int)plan->size, n * tricks + 4, seed, (uint64_t)round);
    hand_out(n * tricks + 4);
    any_block(n, tricks, (int)plan->ascending, total);
  }
}
