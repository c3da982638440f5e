// The limit for one game after the other: every rule that bullpen.fast plays, random seats, as bare as C allows.
#include "rounds.h"
#include <string.h>

static uint8_t HEADS[128];
static uint8_t FRESH[104];

__attribute__((constructor)) static void prepare(void) {
  for (int card = 1; card <= 104; card++) HEADS[card] = (uint8_t)heads_of(card);
  for (int i = 0; i < 104; i++) FRESH[i] = (uint8_t)(i + 1);
}

SHARED uint64_t deal(int size, uint8_t *out, int count, uint64_t state) {
  uint8_t deck[104];
  memcpy(deck, FRESH, 104);
  for (int i = 0; i < count; i += 2) {
    uint64_t word = mixed(state += GAMMA);
    uint32_t j = i + low_draw(word, size - i);
    out[i] = deck[j];
    deck[j] = deck[i];
    if (i + 1 < count) {
      j = i + 1 + high_draw(word, size - i - 1);
      out[i + 1] = deck[j];
      deck[j] = deck[i + 1];
    }
  }
  return state;
}

SHARED void sort_four(uint8_t *cards) {
  for (int i = 1; i < 4; i++)
    for (int j = 0; j < i; j++) {
      uint8_t x = cards[j], y = cards[i];
      cards[j] = x < y ? x : y;
      cards[i] = x < y ? y : x;
    }
}

// ---- Base placement: the four rows packed into two words, sorted by their ends.
// ends: one byte a row, ascending. rows: 16 bits each, heads << 5 | row's place on the table << 3 | count.

typedef struct {
  uint32_t ends;
  uint64_t rows;
} packed_t;

SHARED uint64_t alone(int card) { return (uint64_t)HEADS[card] << 5 | 1; }

SHARED packed_t pack(const uint8_t *starts) {
  uint8_t end[4];
  uint64_t row[4];
  for (int r = 0; r < 4; r++) {
    int at = r;
    for (; at > 0 && end[at - 1] > starts[r]; at--) end[at] = end[at - 1], row[at] = row[at - 1];
    end[at] = starts[r], row[at] = alone(starts[r]) | (uint64_t)r << 3;
  }
  packed_t p = {0, 0};
  for (int r = 0; r < 4; r++) p.ends |= (uint32_t)end[r] << 8 * r, p.rows |= row[r] << 16 * r;
  return p;
}

SHARED int place_packed(packed_t *p, int card) {
  uint32_t above = ((uint32_t)card * 0x01010101u | 0x80808080u) - p->ends;
  int lower = __builtin_popcount(above & 0x80808080u);
  if (__builtin_expect(lower > 0, 1)) {
    int at = lower - 1;
    uint64_t row = p->rows >> 16 * at & 0xFFFF;
    int full = (row & 7) == 5;
    uint64_t now = full ? alone(card) | (row & 0x18) : row + alone(card);
    p->rows ^= (row ^ now) << 16 * at;
    p->ends = (p->ends & ~(0xFFu << 8 * at)) | (uint32_t)card << 8 * at;
    return full ? (int)(row >> 5) : 0;
  }
  int at = 0;
  uint64_t row = p->rows & 0xFFFF;
  for (int r = 1; r < 4; r++) {
    uint64_t other = p->rows >> 16 * r & 0xFFFF;
    if (other >> 3 < row >> 3) row = other, at = r;
  }
  uint64_t bytes = (1ull << 8 * (at + 1)) - 1, words = at == 3 ? ~0ull : (1ull << 16 * (at + 1)) - 1;
  uint64_t ends = p->ends;
  p->ends = (uint32_t)((ends & ~bytes) | (ends << 8 & bytes) | (uint64_t)card);
  p->rows = (p->rows & ~words) | (p->rows << 16 & words) | alone(card) | (row & 0x18);
  return (int)(row >> 5);
}

static void base_rounds(const plan_t *plan, int64_t first, int64_t count, uint64_t seed, int64_t *total) {
  int n = (int)plan->players, tricks = (int)(plan->first + plan->second);
  uint8_t cards[104], owner[128];
  for (int64_t round = first; round < first + count; round++) {
    deal((int)plan->size, cards, n * tricks + 4, stream(seed, (uint64_t)round));
    if (plan->ascending) sort_four(cards + n * tricks);
    packed_t rows = pack(cards + n * tricks);
    for (int k = 0; k < tricks; k++) {
      uint64_t low = 0, high = 0;
      for (int p = 0; p < n; p++) {
        int card = cards[k * n + p];
        owner[card] = (uint8_t)p;
        if (card < 64) low |= 1ull << card;
        else high |= 1ull << (card - 64);
      }
      for (; low; low &= low - 1) {
        int card = __builtin_ctzll(low);
        total[owner[card]] += place_packed(&rows, card);
      }
      for (; high; high &= high - 1) {
        int card = 64 + __builtin_ctzll(high);
        total[owner[card]] += place_packed(&rows, card);
      }
    }
  }
}

// ---- The other rules: plain arrays, one row at a time.

typedef struct {
  int end[4], first[4], count[4], heads[4], mark, side;
} table_t;

SHARED int lowest_end(const table_t *t, int but) {
  int best = -1, lowest = 1000;
  for (int r = 0; r < 4; r++)
    if (r != but && t->end[r] < lowest) best = r, lowest = t->end[r];
  return best;
}

SHARED void restart(table_t *t, int row, int card) {
  t->end[row] = t->first[row] = card, t->count[row] = 1, t->heads[row] = HEADS[card];
}

SHARED int jump(table_t *t) {
  int cost = 0;
  for (;;) {
    int row = t->mark = lowest_end(t, t->mark);
    if (t->count[row] < 5) return cost;
    cost += t->heads[row] - HEADS[t->end[row]];
    restart(t, row, t->end[row]);
  }
}

SHARED int take_row(int rule, table_t *t, int card, int row) {
  int cost = t->heads[row];
  restart(t, row, card);
  if (rule == JUMPING_COW) {
    if (t->mark == row) cost += jump(t);
  } else if (rule == EVEN_ODD) {
    t->mark = lowest_end(t, t->mark), t->side = t->end[t->mark] & 1;
  } else if (rule == MOUNTAIN) {
    t->mark += t->side;
    if (t->mark == 0) t->side = 1;
    if (t->mark == 3) t->side = -1;
  }
  return cost;
}

SHARED int cheapest(const table_t *t) {
  int best = 0;
  for (int r = 1; r < 4; r++)
    if (t->heads[r] < t->heads[best]) best = r;
  return best;
}

// Returns the row, 4 + row for its left end, or -1.
SHARED int spot_for(int rule, const table_t *t, int value, int tie) {
  int best = -1, gap = 1000, left = -1, left_gap = 1000;
  for (int r = 0; r < 4; r++) {
    int d = value - t->end[r];
    if (rule == MOUNTAIN && r == t->mark) d = -d;
    if (rule == EVEN_ODD && r == t->mark && (value & 1) != t->side) continue;
    if (d > 0 && (d < gap || (rule == MOUNTAIN && d == gap && r == t->mark))) best = r, gap = d;
    if (rule == PROFESSIONAL) {
      d = t->first[r] - value;
      if (d > 0 && d < left_gap) left = r, left_gap = d;
    }
  }
  if (rule != PROFESSIONAL || gap < left_gap) return best;
  if (left_gap < gap) return 4 + left;
  if (best < 0 || tie == RIGHT_ON_TIE) return best;
  if (tie == LEFT_ON_TIE) return 4 + left;
  int right_cost = t->count[best] == 5 ? t->heads[best] : 0, left_cost = t->count[left] == 5 ? t->heads[left] : 0;
  return right_cost < left_cost || (right_cost == left_cost && best < left) ? best : 4 + left;
}

SHARED int place(int rule, table_t *t, int card, int value, int tie) {
  int spot = spot_for(rule, t, value, tie);
  if (spot < 0) return take_row(rule, t, card, cheapest(t));
  int row = spot & 3, cow = rule == JUMPING_COW && t->mark == row;
  if (t->count[row] + cow >= 5) return take_row(rule, t, card, row);
  if (spot >= 4) t->first[row] = card;
  else t->end[row] = card;
  t->count[row]++, t->heads[row] += HEADS[card];
  return cow ? jump(t) : 0;
}

SHARED int can_flip(int card, int digits) { return card <= 99 && (card >= 10 || digits != FORBIDDEN); }
SHARED int swapped(int card, int digits) {
  return card < 10 && digits == IDENTITY ? card : card % 10 * 10 + card / 10;
}

// A random legal play out of hand[0 … left-1]: its last card, or with the flip card one of those that can.
SHARED int choose_flip(const uint8_t *hand, int left, int digits, uint64_t word, int *flipped) {
  int flippable = 0;
  for (int i = 0; i < left; i++) flippable += can_flip(hand[i], digits);
  int pick = (int)high_draw(word, (uint32_t)(left + flippable)) - left;
  *flipped = pick >= 0;
  for (int i = 0; i < left && pick >= 0; i++)
    if (can_flip(hand[i], digits) && pick-- == 0) return i;
  return left - 1;
}

SHARED void rounds(int rule, int flips, const plan_t *plan, int64_t first, int64_t count, uint64_t seed,
                   int64_t *total) {
  int n = (int)plan->players, tricks = (int)(plan->first + plan->second), digits = (int)plan->digits;
  int tie = (int)plan->rule & ~7;
  uint8_t cards[104], hands[10][10];
  for (int64_t round = first; round < first + count; round++) {
    uint64_t state = deal((int)plan->size, cards, n * tricks + 4, stream(seed, (uint64_t)round));
    table_t t;
    int plays[10], has[10];
    for (int r = 0; r < 4; r++) restart(&t, r, cards[n * tricks + r]);
    t.mark = rule == MOUNTAIN ? 3 : lowest_end(&t, -1);
    t.side = rule == MOUNTAIN ? -1 : t.end[t.mark] & 1;
    if (flips)
      for (int p = 0; p < n; p++) {
        has[p] = 1;
        for (int k = 0; k < tricks; k++) hands[p][tricks - 1 - k] = cards[k * n + p];
      }
    for (int k = 0; k < tricks; k++) {
      for (int p = 0; p < n; p++) {
        int card = cards[k * n + p], value = card, flipped = 0;
        if (flips) {
          int left = tricks - k, at = left - 1;
          if (has[p]) at = choose_flip(hands[p], left, digits, mixed(state += GAMMA), &flipped);
          card = value = hands[p][at];
          hands[p][at] = hands[p][left - 1];
          if (flipped) value = swapped(card, digits), has[p] = 0;
        }
        int play = value << 12 | !flipped << 11 | card << 4 | p;
        for (int i = 0; i < p; i++) {
          int other = plays[i];
          plays[i] = other < play ? other : play;
          play = other < play ? play : other;
        }
        plays[p] = play;
      }
      for (int i = 0; i < n; i++)
        total[plays[i] & 15] += place(rule, &t, plays[i] >> 4 & 127, plays[i] >> 12, tie);
    }
  }
}

void scalar_rounds(const plan_t *plan, int64_t first, int64_t count, uint64_t seed, int64_t *total) {
  int rule = (int)plan->rule & 7;
  if (plan->digits != NO_FLIP) rounds(BASE, 1, plan, first, count, seed, total);
  else if (rule == BASE) base_rounds(plan, first, count, seed, total);
  else if (rule == PROFESSIONAL) rounds(PROFESSIONAL, 0, plan, first, count, seed, total);
  else if (rule == EVEN_ODD) rounds(EVEN_ODD, 0, plan, first, count, seed, total);
  else if (rule == MOUNTAIN) rounds(MOUNTAIN, 0, plan, first, count, seed, total);
  else rounds(JUMPING_COW, 0, plan, first, count, seed, total);
}

// The same loop with plain arrays for base placement too: which of the two is the limit, the machine decides.
void array_rounds(const plan_t *plan, int64_t first, int64_t count, uint64_t seed, int64_t *total) {
  rounds(BASE, 0, plan, first, count, seed, total);
}
