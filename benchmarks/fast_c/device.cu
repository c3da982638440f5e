// The limit on a CUDA device: base placement, random seats, a thread a round, everything in registers but the deck.
// Twice: by the plain method, and by that of bullpen/fast/simd/registers.py. Prints, for 2, 4 and 10 players,
// rounds a second (median of seven launches) and the bullheads of every seat.
#include "rounds.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { THREADS = 128, WAVES = 4 };

#define CHECK(call)                                                                     \
  do {                                                                                  \
    cudaError_t error = (call);                                                         \
    if (error != cudaSuccess) {                                                         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));               \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)

// card << 7 | heads << 4 | seat, and heads << 3 | count for a row.
__constant__ uint16_t WORDS[104];

template <int N>
__global__ void __launch_bounds__(THREADS) rounds(int tricks, int64_t count, uint64_t seed, unsigned long long *total) {
  __shared__ uint16_t decks[104][THREADS];
  uint16_t *deck = &decks[0][threadIdx.x];
  unsigned long long sums[N] = {};
  for (int64_t round = blockIdx.x * (int64_t)THREADS + threadIdx.x; round < count;
       round += gridDim.x * (int64_t)THREADS) {
    for (int i = 0; i < 104; i++) deck[i * THREADS] = WORDS[i];
    uint64_t state = stream(seed, (uint64_t)round);
    int cards = N * tricks + 4;
    for (int i = 0; i < cards; i += 2) {
      uint64_t word = mixed(state += GAMMA);
      uint32_t j = i + __umulhi((uint32_t)word, 104 - i);
      uint16_t card = deck[j * THREADS];
      deck[j * THREADS] = deck[i * THREADS];
      deck[i * THREADS] = card;
      j = i + 1 + __umulhi((uint32_t)(word >> 32), 103 - i);
      card = deck[j * THREADS];
      deck[j * THREADS] = deck[(i + 1) * THREADS];
      deck[(i + 1) * THREADS] = card;
    }
    uint32_t end[4], row[4], points[N];
#pragma unroll
    for (int r = 0; r < 4; r++) {
      uint32_t word = deck[(N * tricks + r) * THREADS];
      end[r] = word >> 7, row[r] = (word >> 1 & 0x38) | 1;
    }
#pragma unroll
    for (int p = 0; p < N; p++) points[p] = 0;
    for (int k = 0; k < tricks; k++) {
      uint32_t play[N];
#pragma unroll
      for (int p = 0; p < N; p++) {
        uint32_t word = deck[(k * N + p) * THREADS] | p;
#pragma unroll
        for (int q = 0; q < p; q++) {
          uint32_t other = play[q];
          play[q] = min(other, word), word = max(other, word);
        }
        play[p] = word;
      }
#pragma unroll
      for (int q = 0; q < N; q++) {
        uint32_t card = play[q] >> 7, alone = (play[q] >> 1 & 0x38) | 1, nearest = 0, price[4], chosen = row[3];
#pragma unroll
        for (int r = 0; r < 4; r++) nearest = max(nearest, end[r] < card ? end[r] : 0), price[r] = (row[r] & 0xF8) | r;
        bool low = nearest == 0;
        uint32_t wanted = low ? min(min(price[0], price[1]), min(price[2], price[3])) : nearest;
        bool here[4];
#pragma unroll
        for (int r = 0; r < 4; r++) here[r] = (low ? price[r] : end[r]) == wanted;
#pragma unroll
        for (int r = 0; r < 3; r++) chosen = here[r] ? row[r] : chosen;
        bool taken = low || (chosen & 7) == 5;
        uint32_t cost = taken ? chosen >> 3 : 0;
        chosen = taken ? alone : chosen + alone;
#pragma unroll
        for (int r = 0; r < 4; r++) end[r] = here[r] ? card : end[r], row[r] = here[r] ? chosen : row[r];
#pragma unroll
        for (int p = 0; p < N; p++) points[p] += (play[q] & 15) == p ? cost : 0;
      }
    }
#pragma unroll
    for (int p = 0; p < N; p++) sums[p] += points[p];
  }
#pragma unroll
  for (int p = 0; p < N; p++) atomicAdd(total + p, sums[p]);
}

// The same rounds with rows kept sorted by their ends, two cards in a cell of the deck and the seats' bills beside it.
__constant__ uint32_t FRESH[52];

static __device__ __forceinline__ int place_of(int i) { return i * THREADS - (i & 1) * (THREADS - 1); }

static __device__ __forceinline__ void draw(uint16_t *cards, int i, int by) {
  uint16_t *here = cards + place_of(i), *there = cards + place_of(i + by), card = *there;
  *there = *here;
  *here = card;
}

static __device__ __forceinline__ void charge(uint32_t *cells, uint32_t play, uint32_t heads) {
  cells[(play & 0xFFFC) >> 2] += heads;
}

static __device__ __forceinline__ uint32_t lay(uint32_t play, uint32_t row, bool low, uint32_t *heads) {
  bool taken = low || (row & 15u << 21) == 5u << 21;
  *heads = taken ? row & 31u << 16 : 0;
  return play + (row & (taken ? 3u : 0x1FF0003u));
}

static __device__ __forceinline__ void swap_up(uint32_t &x, uint32_t &y) {
  uint32_t low = min(x, y);
  y = max(x, y), x = low;
}

template <int N>
__global__ void __launch_bounds__(THREADS)
    sorted_rounds(int tricks, int64_t count, uint64_t seed, unsigned long long *total) {
  __shared__ uint32_t cells[(52 + N) * THREADS];
  uint16_t *cards = (uint16_t *)cells + 2 * threadIdx.x;
  unsigned long long sums[N] = {};
#pragma unroll
  for (int p = 0; p < N; p++) cells[(52 + p) * THREADS + threadIdx.x] = 0;
  for (int64_t round = blockIdx.x * (int64_t)THREADS + threadIdx.x; round < count;
       round += gridDim.x * (int64_t)THREADS) {
#pragma unroll
    for (int i = 0; i < 52; i++) cells[i * THREADS + threadIdx.x] = FRESH[i];
    uint64_t state = stream(seed, (uint64_t)round);
    int dealt = N * tricks;
    for (int i = 0; i < dealt + 4; i += 2) {
      uint64_t word = mixed(state += GAMMA);
      draw(cards, i, __umulhi((uint32_t)word, 104 - i));
      draw(cards, i + 1, __umulhi((uint32_t)(word >> 32), 103 - i));
    }
    uint32_t row[4];
#pragma unroll
    for (int r = 0; r < 4; r++) row[r] = (uint32_t)cards[place_of(dealt + r)] << 16 | 1u << 21 | r;
    swap_up(row[0], row[1]), swap_up(row[2], row[3]), swap_up(row[0], row[2]), swap_up(row[1], row[3]);
    swap_up(row[1], row[2]);
    for (int at = 0; at < dealt; at += N) {
      uint32_t play[N], heads;
#pragma unroll
      for (int p = 0; p < N; p++) {
        uint32_t bill = ((52 + p) * THREADS + threadIdx.x) << 2;
        uint32_t word = (uint32_t)cards[place_of(at + p)] << 16 | 1u << 21 | bill;
#pragma unroll
        for (int q = 0; q < p; q++) swap_up(play[q], word);
        play[p] = word;
      }
      const uint32_t price = 31u << 16 | 3;
      bool low = play[0] < row[0];
      uint32_t cheapest = min(min(row[0] & price, row[1] & price), min(row[2] & price, row[3] & price));
      uint32_t fits = play[0] > row[3] ? row[3] : play[0] > row[2] ? row[2] : play[0] > row[1] ? row[1] : row[0];
      uint32_t chosen = low ? cheapest : fits, laid = lay(play[0], chosen, low, &heads);
      charge(cells, play[0], heads);
#pragma unroll
      for (int r = 0; r < 4; r++) row[r] = ((row[r] ^ chosen) & 3) == 0 ? laid : row[r];
      swap_up(row[2], row[3]), swap_up(row[1], row[2]), swap_up(row[0], row[1]);
#pragma unroll
      for (int q = 1; q < N; q++) {
        bool above1 = row[1] < play[q], above2 = row[2] < play[q], above3 = row[3] < play[q];
        laid = lay(play[q], above3 ? row[3] : above2 ? row[2] : above1 ? row[1] : row[0], false, &heads);
        charge(cells, play[q], heads);
        row[0] = above1 ? row[0] : laid;
        row[1] = above2 ? row[1] : above1 ? laid : row[1];
        row[2] = above3 ? row[2] : above2 ? laid : row[2];
        row[3] = above3 ? laid : row[3];
      }
    }
#pragma unroll
    for (int p = 0; p < N; p++) {
      uint32_t *bill = cells + (52 + p) * THREADS + threadIdx.x;
      sums[p] += *bill >> 16, *bill = 0;
    }
  }
#pragma unroll
  for (int p = 0; p < N; p++) atomicAdd(total + p, sums[p]);
}

typedef void (*kernel_t)(int, int64_t, uint64_t, unsigned long long *);

template <int N>
void measure(const char *method, kernel_t kernel, int64_t count, uint64_t seed) {
  int blocks = 0, processors = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  unsigned long long *total, sums[N];
  CHECK(cudaMalloc(&total, sizeof sums));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int run = 0; run < 8; run++) {
    CHECK(cudaMemset(total, 0, sizeof sums));
    CHECK(cudaEventRecord(begin));
    kernel<<<WAVES * blocks * processors, THREADS>>>(10, count, seed, total);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (run) times.push_back(ms);
  }
  CHECK(cudaMemcpy(sums, total, sizeof sums, cudaMemcpyDeviceToHost));
  std::sort(times.begin(), times.end());
  std::printf("{\"method\": \"%s\", \"players\": %d, \"rounds\": %lld, \"per_second\": %.6g, \"blocks\": %d, \"total\": [",
              method, N, (long long)count, count / (times[times.size() / 2] * 1e-3), WAVES * blocks * processors);
  for (int p = 0; p < N; p++) std::printf("%s%llu", p ? ", " : "", sums[p]);
  std::printf("]}\n");
  CHECK(cudaFree(total));
}

template <int N>
void measure_both(int64_t count, uint64_t seed) {
  measure<N>("plain", rounds<N>, count, seed);
  measure<N>("sorted", sorted_rounds<N>, count, seed);
}

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 100000000;
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 7;
  uint16_t words[104], cards[104];
  for (int card = 1; card <= 104; card++) {
    int heads = card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
    words[card - 1] = (uint16_t)(card << 7 | heads << 4);
    cards[card - 1] = (uint16_t)(card << 9 | heads);
  }
  CHECK(cudaMemcpyToSymbol(WORDS, words, sizeof words));
  CHECK(cudaMemcpyToSymbol(FRESH, cards, sizeof cards));
  measure_both<2>(count, seed);
  measure_both<4>(count, seed);
  measure_both<10>(count, seed);
}
