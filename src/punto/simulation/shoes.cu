// Whole shoes on a GPU: one thread plays one shoe after the other. The same generator, the same draws and the same
// rules as shoe_kernel.py, so that the histogram of the same shoes is the same to the last count.
//
// Cards above each code are counted in fields packed side by side into words of 32 bits. Each field keeps one
// bit free at its top: adding "all ones less the draw" sets that bit exactly where the count lies above the draw,
// so a handful of additions compares a draw with three counts at once and takes the card out of them. The words have
// their sign turned: to add one that is shifted is one step of the machine, to subtract it would be two.
//
// FIELDS and BITS say how the counts are packed, SUITS whether suits of pairs are drawn. KINDS is 0, or how many codes of
// cards there are where every hand is looked up for bets on single cards: 13 ranks, or 52 cards with their suits. READINGS
// is then the number of look-ups, and NEAR_ROWS how many of their cells are counted in the block's own memory: all or none.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;

#define WORDS (12 / FIELDS)
#define TOTALS 400
#define PAIR_CODES 14
#define SUITED_CODES 27
#define COURTS 3
#define GUARD (1u << (BITS - 1))
#if FIELDS == 3
#define REPEAT ((1u << 2 * BITS) | (1u << BITS) | 1u)
#else
#define REPEAT ((1u << BITS) | 1u)
#endif
#define GUARDS (GUARD * REPEAT)
#define NO_CARD (GUARD - 1u)  // no count lies above it
#define CARDS 52u

struct Four { u32 a, b, c, d; };

__device__ __forceinline__ Four philox(u32 x0, u32 x1, u32 x2, u32 x3, u32 k0, u32 k1) {
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u32 h0 = __umulhi(0xD2511F53u, x0), l0 = 0xD2511F53u * x0;
        u32 h1 = __umulhi(0xCD9E8D57u, x2), l1 = 0xCD9E8D57u * x2;
        x0 = h1 ^ x1 ^ k0;
        x2 = h0 ^ x3 ^ k1;
        x1 = l1;
        x3 = l0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {x0, x1, x2, x3};
}

__device__ __forceinline__ void split(Four f, u32* word) {
    word[0] = f.a >> 11;
    word[1] = f.b >> 11;
    word[2] = f.c >> 11;
    word[3] = f.d >> 11;
    word[4] = (f.a & 0x7FFu) << 10 | (f.b & 0x3FFu);
    word[5] = (f.c & 0x7FFu) << 10 | (f.d & 0x3FFu);
}

// Six draws, each below its own bound, with every rejection that is due.
__device__ __noinline__ void draw_exactly(u32 round, u32 attempt, u64 shoe, u64 seed, const u32* below, u32* draw) {
    bool is_rejected = true;
    while (is_rejected) {
        split(philox(round, attempt, (u32)shoe, (u32)(shoe >> 32), (u32)seed, (u32)(seed >> 32)), draw);
        is_rejected = false;
        for (int i = 0; i < 6; i++) {
            u32 product = draw[i] * below[i];
            draw[i] = product >> 21;
            is_rejected |= (product & 0x1FFFFFu) < 0x200000u % below[i];
        }
        attempt++;
    }
}

// The code of the card that a draw means: how many counts lie above the draw. One is taken from each of those.
__device__ __forceinline__ u32 take(u32* turned, u32 draw) {
    const u32 less = GUARDS - (draw + 1u) * REPEAT;
    u32 sum = 0;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const u32 guards = (less - turned[i]) & GUARDS;
        turned[i] += guards >> (BITS - 1);
        sum += FIELDS == 3 ? guards : guards >> (BITS - 1);
    }
#if FIELDS == 3
    // Four words leave room for their sum where the guards are; the upper half of the product adds up its three fields.
    return __umulhi(sum, REPEAT << (33 - 3 * BITS)) & (GUARD - 1u);
#else
    return (sum * REPEAT) >> BITS & (GUARD - 1u);
#endif
}

__device__ __forceinline__ u32 points(u32 code) { return (u32)max((int)code - COURTS, 0); }

__device__ __forceinline__ u32 total(u32 one, u32 two) { return min(one + two, one + two - 10u); }

#if SUITS
__device__ u32 take_suit(unsigned char* left, u32 draw) {
    for (int suit = 0; suit < 4; suit++) {
        if (draw < left[suit]) {
            left[suit]--;
            return suit;
        }
        draw -= left[suit];
    }
    return 4;
}

// The codes of the two pairs with suits, as count_suits in shoe_kernel.py draws them.
__device__ __noinline__ u32 suited(u32 player, u32 banker, unsigned char left[13][4], u32 round, u64 shoe, u64 seed) {
    u32 below[6] = {1, 1, 1, 1, 1, 1}, draw[6];
    if (player) {
        unsigned char* l = left[player - 1];
        below[0] = l[0] + l[1] + l[2] + l[3];
        below[1] = below[0] - 1;
    }
    if (banker) {
        unsigned char* l = left[banker - 1];
        below[2] = l[0] + l[1] + l[2] + l[3] - (player == banker ? 2 : 0);
        below[3] = below[2] - 1;
    }
    draw_exactly(round, 1u << 31, shoe, seed, below, draw);
    u32 rank = player - 1, other = banker - 1;
    if (player) {
        u32 one = take_suit(left[rank], draw[0]), two = take_suit(left[rank], draw[1]);
        player = 2 * player - 1 + (one == two);
    }
    if (banker) {
        u32 one = take_suit(left[other], draw[2]), two = take_suit(left[other], draw[3]);
        banker = 2 * banker - 1 + (one == two);
    }
    return player * SUITED_CODES + banker;
}
#endif

// A pair in one hand at most is counted in the block's own memory, the rare pair in both in the card's.
#if KINDS == CARDS
#define CODES SUITED_CODES
#else
#define CODES PAIR_CODES
#endif
#define NEAR_PAIRS (2 * CODES - 1)
#define FACT_CELLS (CODES * CODES * TOTALS)

#if KINDS == CARDS
// Which card of its rank a draw means: cards of a higher code come first, as in shoe_kernel.py. `left` has how many of each
// suit are left, eight bits for each; other threads' words stand between those of a thread, so that none waits for another.
__device__ __forceinline__ u32 card_of(const u32* turned, u32* left, u32 rank, u32 draw) {
    u32 higher = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        if (rank / FIELDS == w) higher = 0u - turned[w] >> (rank % FIELDS * BITS) & (2u * GUARD - 1u);
    const u32 of_rank = draw - higher, word = left[rank * THREADS];
    const u32 three = word >> 24, two = three + (word >> 16 & 255u), one = two + (word >> 8 & 255u);
    const u32 suit = of_rank < three ? 3u : of_rank < two ? 2u : of_rank < one ? 1u : 0u;
    left[rank * THREADS] = word - (1u << 8u * suit);
    return rank * 4u + suit;
}
#endif

#if KINDS
// Places in the plan of a reading, as in shoe_kernel.py: where its look-ups begin, Banker's codes, and where its cells are.
enum { TWO_PLAYER, END_PLAYER, TWO_BANKER, END_BANKER, ROW_TABLE, BANKER_CODES, CELLS, PLAN };

// Both hands, as the first two cards and the third, looked up for every reading and counted.
__device__ __forceinline__ void count_rows(
    const int* plan, const u16* __restrict__ tables, const u32* two, const u32* third, u32* near_rows, u64* histogram) {
#pragma unroll
    for (int r = 0; r < READINGS; r++, plan += PLAN) {
        u32 player = __ldg(&tables[plan[TWO_PLAYER] + two[0]]), banker = __ldg(&tables[plan[TWO_BANKER] + two[1]]);
        if (plan[END_PLAYER] >= 0) {
            player = __ldg(&tables[plan[END_PLAYER] + player * (KINDS + 1u) + third[0]]);
            banker = __ldg(&tables[plan[END_BANKER] + banker * (KINDS + 1u) + third[1]]);
        }
        const u32 row = plan[CELLS] + __ldg(&tables[plan[ROW_TABLE] + player * plan[BANKER_CODES] + banker]);
        if (NEAR_ROWS) atomicAdd(&near_rows[row - FACT_CELLS], 1u);
        else atomicAdd(&histogram[row], 1ull);
    }
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) play_shoes(
    u64 first, u64 number, u64 seed, const long long* terms, const u16* masks, u64* histogram, u64* length_counts,
    u16* lengths, const int* plans, const u16* tables) {
    __shared__ u32 banker_masks[11];
#if KINDS
    extern __shared__ u32 room[];
    u32 *near = room, *near_lengths = near + NEAR_PAIRS * TOTALS, *near_rows = near_lengths + MOST_ROUNDS + 1;
    u32* left = near_rows + NEAR_ROWS + threadIdx.x;
    __shared__ int plan[READINGS * PLAN];
    for (int i = threadIdx.x; i < READINGS * PLAN; i += THREADS) plan[i] = plans[i];
    for (int i = threadIdx.x; i < NEAR_ROWS; i += THREADS) near_rows[i] = 0;
#else
    __shared__ u32 near[NEAR_PAIRS * TOTALS];
    __shared__ u32 near_lengths[MOST_ROUNDS + 1];
#endif
    for (int i = threadIdx.x; i < NEAR_PAIRS * TOTALS; i += THREADS) near[i] = 0;
    for (int i = threadIdx.x; i <= MOST_ROUNDS; i += THREADS) near_lengths[i] = 0;
    if (threadIdx.x < 11) banker_masks[threadIdx.x] = masks[2 + threadIdx.x];
    __syncthreads();
    const u32 player_mask = masks[0], naturals = masks[1], stood = masks[12];
    const u32 decks = (u32)terms[0], cut = (u32)terms[1], after = (u32)terms[2], most = (u32)terms[3];
    const long long fixed = terms[4];
    const u32 size = 52 * decks, each = 4 * decks;
    const u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);

    const u32 lane = threadIdx.x % 32u;
    // The threads of a warp take their shoes together: `from` is the warp's first, and the same for all of them.
    for (u64 from = (u64)blockIdx.x * THREADS + threadIdx.x - lane; from < number; from += (u64)gridDim.x * THREADS) {
        const u64 i = from + lane, shoe = first + i;
        u32 turned[WORDS], draw[6];
        int shown = -1;
        u32 burned = (u32)fixed, unseen = size;
        if (fixed < 0) {
            u32 below[6] = {size, 1, 1, 1, 1, 1};
            draw_exactly(0, 0, shoe, seed, below, draw);
            shown = 12 - (int)(draw[0] / each);
            burned = shown > COURTS ? shown - COURTS : 10;
            unseen--;
        }
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            turned[w] = 0;
#pragma unroll
            for (int f = 0; f < FIELDS; f++) {
                const int code = w * FIELDS + f;
                turned[w] -= ((12 - code) * each - (shown > code ? 1 : 0)) << (f * BITS);
            }
        }
#if KINDS == CARDS
        for (int rank = 0; rank < 13; rank++) left[rank * THREADS] = decks * 0x01010101u;
        if (shown >= 0) {
            const u32 card = CARDS - 1u - draw[0] / decks;
            left[(card >> 2) * THREADS] -= 1u << 8u * (card & 3u);
        }
#elif SUITS
        unsigned char left[13][4];
        for (int rank = 0; rank < 13; rank++)
            for (int suit = 0; suit < 4; suit++) left[rank][suit] = (unsigned char)decks;
#endif
        const u32 limit = cut + burned, floor = 6 + burned;
        u32 round = 1, last = most;
        bool is_last = i >= number;
        while (!is_last) {
            split(philox(round, 0, (u32)shoe, (u32)(shoe >> 32), k0, k1), draw);
            u32 lowest = 0xFFFFFFFFu;
#pragma unroll
            for (int n = 0; n < 6; n++) {
                u32 product = draw[n] * (unseen - n);
                draw[n] = product >> 21;
                lowest = min(lowest, product << 11);
            }
            if (lowest < unseen << 11) {
                u32 below[6], again[6];
                for (int n = 0; n < 6; n++) below[n] = unseen - n;
                draw_exactly(round, 0, shoe, seed, below, again);
                for (int n = 0; n < 6; n++) draw[n] = again[n];
            }
#if KINDS == CARDS
            // Cards are taken one by one, rank and suit, because the next draw is among what is left.
            u32 card[6], rank[4];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                rank[n] = take(turned, draw[n]);
                card[n] = card_of(turned, left, rank[n], draw[n]);
            }
            const u32 one = rank[0], two = rank[1], three = rank[2], four = rank[3];
#else
            const u32 one = take(turned, draw[0]), two = take(turned, draw[1]);
            const u32 three = take(turned, draw[2]), four = take(turned, draw[3]);
#endif
            u32 player = total(points(one), points(three)), banker = total(points(two), points(four));
            const u32 goes_on = ~(naturals >> player | naturals >> banker) & 1u;
            const u32 player_draws = goes_on & (player_mask >> player);
            const u32 only_banker = goes_on & ~player_draws & (stood >> banker);
            const u32 is_fifth = player_draws | only_banker;
            const u32 fifth_code = take(turned, is_fifth ? draw[4] : NO_CARD - 1u), third = points(fifth_code);
#if KINDS == CARDS
            if (is_fifth) card[4] = card_of(turned, left, fifth_code, draw[4]);
#endif
            const u32 is_sixth = player_draws & (banker_masks[third] >> banker);
            const u32 sixth_code = take(turned, is_sixth ? draw[5] : NO_CARD - 1u), sixth = points(sixth_code);
#if KINDS == CARDS
            if (is_sixth) card[5] = card_of(turned, left, sixth_code, draw[5]);
#endif
            player = total(player, player_draws ? third : 0u);
            banker = total(banker, player_draws ? sixth : third);
            const u32 totals = player * 40 + banker * 4 + player_draws * 2 + (is_sixth | only_banker);
#if KINDS == CARDS
            const u32 player_pair = one == three ? 2 * one + 1 + (card[0] == card[2]) : 0u;
            const u32 banker_pair = two == four ? 2 * two + 1 + (card[1] == card[3]) : 0u;
#else
            const u32 player_pair = one == three ? one + 1 : 0u, banker_pair = two == four ? two + 1 : 0u;
#if KINDS
            const u32 card[6] = {one, two, three, four, fifth_code, sixth_code};
#endif
#endif
#if KINDS
            const u32 hands[2] = {card[0] * KINDS + card[2], card[1] * KINDS + card[3]};
            const u32 thirds[2] = {
                player_draws ? card[4] : KINDS, is_sixth ? card[5] : only_banker ? card[4] : KINDS};
            count_rows(plan, tables, hands, thirds, near_rows, histogram);
#endif
#if SUITS && !KINDS
            if (player_pair | banker_pair)
                atomicAdd(&histogram[suited(player_pair, banker_pair, left, round, shoe, seed) * TOTALS + totals], 1ull);
            else
                atomicAdd(&near[totals], 1u);
#else
            if (player_pair && banker_pair)
                atomicAdd(&histogram[(player_pair * CODES + banker_pair) * TOTALS + totals], 1ull);
            else
                atomicAdd(
                    &near[(player_pair ? player_pair : banker_pair ? CODES - 1 + banker_pair : 0u) * TOTALS + totals], 1u);
#endif
            unseen -= 4 + is_fifth + is_sixth;
            if (unseen <= limit) last = min(last, round + after);
            is_last = round >= last || unseen < floor;
            round++;
        }
        // Without this a thread whose shoe was short begins the next one by itself, and the warp is never together again:
        // a quarter of the speed where shoes end at the cut card.
        __syncwarp();
        if (i < number) {
            lengths[i] = (u16)(round - 1);
            atomicAdd(&near_lengths[round - 1], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < NEAR_PAIRS * TOTALS; i += THREADS) {
        if (!near[i]) continue;
        const int pair = i / TOTALS, totals = i % TOTALS;
        const int cell = pair == 0 ? 0 : pair < CODES ? pair * CODES : pair - CODES + 1;
        atomicAdd(&histogram[cell * TOTALS + totals], (u64)near[i]);
    }
#if KINDS
    for (int i = threadIdx.x; i < NEAR_ROWS; i += THREADS)
        if (near_rows[i]) atomicAdd(&histogram[FACT_CELLS + i], (u64)near_rows[i]);
#endif
    for (int i = threadIdx.x; i <= MOST_ROUNDS; i += THREADS)
        if (near_lengths[i]) atomicAdd(&length_counts[i], (u64)near_lengths[i]);
}
