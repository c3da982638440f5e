// The limit on a CUDA device: base placement, random seats, a thread a round, everything in registers but the deck.
// Prints, for 2, 4 and 10 players, rounds a second (median of seven launches) and the bullheads of every seat.
#include "rounds.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { THREADS = 128 };

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

template <int N>
void measure(int64_t count, uint64_t seed) {
  int blocks = 0, processors = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds<N>, THREADS, 0));
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
    rounds<N><<<blocks * processors, THREADS>>>(10, count, seed, total);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (run) times.push_back(ms);
  }
  CHECK(cudaMemcpy(sums, total, sizeof sums, cudaMemcpyDeviceToHost));
  std::sort(times.begin(), times.end());
  std::printf("{\"players\": %d, \"rounds\": %lld, \"per_second\": %.6g, \"blocks\": %d, \"total\": [", N, (long long)count,
              count / (times[times.size() / 2] * 1e-3), blocks * processors);
  for (int p = 0; p < N; p++) std::printf("%s%llu", p ? ", " : "", sums[p]);
  std::printf("]}\n");
  CHECK(cudaFree(total));
}

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 100000000;
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 7;
  uint16_t words[104];
  for (int card = 1; card <= 104; card++) {
    int heads = card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
    words[card - 1] = (uint16_t)(card << 7 | heads << 4);
  }
  CHECK(cudaMemcpyToSymbol(WORDS, words, sizeof words));
  measure<2>(count, seed);
  measure<4>(count, seed);
  measure<10>(count, seed);
}
