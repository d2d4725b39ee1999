#include "CP256Lanes.h"

#include <string.h>

/// Bytes of a scalar or coordinate, and of an uncompressed point.
enum { SCALAR_SIZE = 32, KEY_SIZE = 65 };

void p256_lanes_wipe(void *memory, size_t count) {
    memset(memory, 0, count);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

#if defined(__x86_64__) && defined(__clang__)

#include "P256Points.h"

// A scalar is cut into 52 digits of base 32, all of them odd: -31, -29, …, 31. So every digit adds
// some multiple of the point, none is skipped, and no digit shows in what is done.
enum { DIGIT_BITS = 5, DIGITS = 52, MULTIPLES = 16 };

/// For each digit's place i: x and y of 1, 3, …, 31 times 32^i·G, one limb of all sixteen in a row.
static uint64_t generator_table[DIGITS][2][5][MULTIPLES] __attribute__((aligned(64)));

/// Everything that depends on private keys, in one place so that it can be wiped.
typedef struct {
    /// Four words of 64 bits, the lowest first.
    __m512i scalars[4];
    point own, shared, saved, selected;
    /// Q, 3Q, …, 31Q.
    point multiples[MULTIPLES];
    element inverses[2];
} workspace;

/// Overwrites what the functions called before have left on the stack (registers they saved).
static __attribute__((noinline)) void wipe_stack(void) {
    uint8_t below[32768];
    p256_lanes_wipe(below, sizeof(below));
}

// MARK: - Bytes

static uint64_t read_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return __builtin_bswap64(word);
}

/// Eight numbers of 32 bytes that lie `stride` bytes apart, as four words, the lowest first.
static LANES_TARGET void read_words(const uint8_t *bytes, size_t stride, __m512i words[4]) {
    uint64_t lanes[4][P256_LANES];
    for (int lane = 0; lane < P256_LANES; lane++) {
        for (int i = 0; i < 4; i++) lanes[i][lane] = read_word(bytes + lane * stride + 24 - 8 * i);
    }
    for (int i = 0; i < 4; i++) words[i] = _mm512_loadu_si512(lanes[i]);
    p256_lanes_wipe(lanes, sizeof(lanes));
}

static LANES_TARGET element read_element(const uint8_t *bytes, size_t stride) {
    __m512i words[4];
    read_words(bytes, stride, words);
    element result = {{
        words[0],
        _mm512_or_si512(_mm512_srli_epi64(words[0], 52), _mm512_slli_epi64(words[1], 12)),
        _mm512_or_si512(_mm512_srli_epi64(words[1], 40), _mm512_slli_epi64(words[2], 24)),
        _mm512_or_si512(_mm512_srli_epi64(words[2], 28), _mm512_slli_epi64(words[3], 36)),
        _mm512_srli_epi64(words[3], 16),
    }};
    for (int i = 0; i < 4; i++) {
        result.limb[i] = _mm512_and_si512(result.limb[i], all(prime[0]));
    }
    return result;
}

/// Writes numbers below p, zeros in the lanes that are not in the mask.
static LANES_TARGET void write_element(element a, __mmask8 mask, uint8_t *bytes, size_t stride) {
    __m512i words[4] = {
        _mm512_or_si512(a.limb[0], _mm512_slli_epi64(a.limb[1], 52)),
        _mm512_or_si512(_mm512_srli_epi64(a.limb[1], 12), _mm512_slli_epi64(a.limb[2], 40)),
        _mm512_or_si512(_mm512_srli_epi64(a.limb[2], 24), _mm512_slli_epi64(a.limb[3], 28)),
        _mm512_or_si512(_mm512_srli_epi64(a.limb[3], 36), _mm512_slli_epi64(a.limb[4], 16)),
    };
    uint64_t lanes[4][P256_LANES];
    for (int i = 0; i < 4; i++) {
        _mm512_storeu_si512(lanes[i], _mm512_maskz_mov_epi64(mask, words[i]));
    }
    for (int lane = 0; lane < P256_LANES; lane++) {
        for (int i = 0; i < 4; i++) {
            uint64_t word = __builtin_bswap64(lanes[i][lane]);
            memcpy(bytes + lane * stride + 24 - 8 * i, &word, 8);
        }
    }
    p256_lanes_wipe(lanes, sizeof(lanes));
}

// MARK: - Scalars

/// Replaces even scalars d by n - d, which is odd: (n - d)·P is -(d·P). Returns in `even` which
/// these are, and the lanes with 0 < d < n.
static LANES_TARGET __mmask8 make_odd(__m512i words[4], __mmask8 *even) {
    static const uint64_t order[4] = {
        0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000,
    };
    __m512i zero = _mm512_setzero_si512(), given = zero, left = zero;
    __mmask8 borrow = 0;
    *even = _mm512_testn_epi64_mask(words[0], all(1));
    for (int i = 0; i < 4; i++) {
        __m512i word = words[i];
        __m512i difference = _mm512_sub_epi64(all(order[i]), word);
        __mmask8 next = _mm512_cmplt_epu64_mask(all(order[i]), word);
        next |= borrow & _mm512_cmpeq_epi64_mask(difference, zero);
        difference = _mm512_mask_sub_epi64(difference, borrow, difference, all(1));
        borrow = next;
        given = _mm512_or_si512(given, word);
        left = _mm512_or_si512(left, difference);
        words[i] = _mm512_mask_mov_epi64(word, *even, difference);
    }
    return _mm512_test_epi64_mask(given, given) & _mm512_test_epi64_mask(left, left) & ~borrow;
}

/// Digit i of odd scalars. The six bits at its place, with the lowest taken as 1, less 32 are the
/// digit; taking the lowest bit as 1 at every place is what balances the 32 of the place below. So
/// the digit is negative if the sixth bit is 0, and its absolute value is 2·index + 1 with the four
/// bits between as index, inverted for negative digits.
FIELD __m512i digit(const __m512i words[4], int i, __mmask8 *negative) {
    unsigned word = (unsigned)(DIGIT_BITS * i) / 64, shift = (unsigned)(DIGIT_BITS * i) % 64;
    __m512i bits = _mm512_srli_epi64(words[word], shift);
    if (shift > 64 - DIGIT_BITS - 1) {
        bits = _mm512_or_si512(bits, _mm512_slli_epi64(words[word + 1], 64 - shift));
    }
    *negative = _mm512_testn_epi64_mask(bits, all(1 << DIGIT_BITS));
    bits = _mm512_and_si512(_mm512_srli_epi64(bits, 1), all(MULTIPLES - 1));
    return _mm512_mask_xor_epi64(bits, *negative, bits, all(MULTIPLES - 1));
}

// MARK: - Multiplication

// Both multiplications below compute, for an odd d in 1...n-1, from the highest digit down:
// A = 32·T·P + k·P. The top digit is 1, because d < 2^256. T is odd and positive, and 32·T + |k| is
// below n except in the last step, so before that A's summands are neither equal nor opposite, and
// the addition is right. In the last step 32·T + k = d, so infinity cannot come out; but 32·T - k
// may be n (it is for d = n - 34), and then both summands are the same point, to be doubled instead.
// The addition reports that, and the doubling is computed in any case and chosen by mask.

/// own = d·G. The table has the multiples for each place, so there is nothing to double. All of a
/// place's entries are read, and the one of a lane is taken by a permutation of registers.
static LANES_TARGET void multiply_generator(workspace *work) {
    point *sum = &work->own;
    for (int limb = 0; limb < 5; limb++) {
        sum->x.limb[limb] = all(generator_table[DIGITS - 1][0][limb][0]);
        sum->y.limb[limb] = all(generator_table[DIGITS - 1][1][limb][0]);
    }
    sum->z = constant(unit);
    __mmask8 same = 0;
    for (int i = DIGITS - 2; i >= 0; i--) {
        __mmask8 negative;
        __m512i index = digit(work->scalars, i, &negative);
        element chosen[2];
        UNROLLED for (int axis = 0; axis < 2; axis++) {
            UNROLLED for (int limb = 0; limb < 5; limb++) {
                const uint64_t *row = generator_table[i][axis][limb];
                chosen[axis].limb[limb] = _mm512_permutex2var_epi64(
                    _mm512_load_si512(row), index, _mm512_load_si512(row + 8));
            }
        }
        if (i == 0) work->saved = *sum;
        same = add_affine(sum, chosen[0], negate(negative, chosen[1]));
    }
    double_point(&work->saved);
    *sum = choose_point(same, *sum, work->saved);
}

/// Q, 3Q, …, 31Q.
static LANES_TARGET void make_multiples(point multiples[MULTIPLES], const point *q) {
    point twice = *q;
    multiples[0] = *q;
    double_point(&twice);
    for (int i = 1; i < MULTIPLES; i++) {
        multiples[i] = multiples[i - 1];
        add_point(&multiples[i], &twice);
    }
}

/// The lanes' entries of a table: all are read, and kept where index and number agree.
static LANES_TARGET void select_point(
    point *selected, const point multiples[MULTIPLES], __m512i index) {
    point result = multiples[0];
    for (int i = 1; i < MULTIPLES; i++) {
        __mmask8 mask = _mm512_cmpeq_epi64_mask(index, all((uint64_t)i));
        result = choose_point(mask, result, multiples[i]);
    }
    *selected = result;
}

/// shared = d·Q, with Q's multiples made.
static LANES_TARGET void multiply_point(workspace *work) {
    point *sum = &work->shared;
    *sum = work->multiples[0];
    __mmask8 same = 0;
    for (int i = DIGITS - 2; i >= 0; i--) {
        __mmask8 negative;
        __m512i index = digit(work->scalars, i, &negative);
        for (int bit = 0; bit < DIGIT_BITS; bit++) double_point(sum);
        select_point(&work->selected, work->multiples, index);
        work->selected.y = negate(negative, work->selected.y);
        if (i == 0) work->saved = *sum;
        same = add_point(sum, &work->selected);
    }
    double_point(&work->saved);
    *sum = choose_point(same, *sum, work->saved);
}

LANES_TARGET void p256_lanes_prepare(void) {
    point place = {constant(generator_x), constant(generator_y), constant(unit)};
    point places = place, multiples[MULTIPLES];
    for (int i = 0; i < DIGITS; i++) {
        // Eight places are gathered in the lanes, then their multiples are made together.
        __mmask8 lane = (__mmask8)(1 << (i % P256_LANES));
        places = choose_point(lane, places, place);
        for (int bit = 0; bit < DIGIT_BITS; bit++) double_point(&place);
        if (i % P256_LANES != P256_LANES - 1 && i != DIGITS - 1) continue;
        make_multiples(multiples, &places);
        for (int j = 0; j < MULTIPLES; j++) {
            element inverse = invert(multiples[j].z), squared = square(inverse);
            element axes[2] = {
                multiply(multiples[j].x, squared),
                multiply(multiples[j].y, multiply(squared, inverse)),
            };
            uint64_t lanes[P256_LANES];
            for (int axis = 0; axis < 2; axis++) {
                for (int limb = 0; limb < 5; limb++) {
                    _mm512_storeu_si512(lanes, axes[axis].limb[limb]);
                    for (int k = 0; k <= i % P256_LANES; k++) {
                        generator_table[i - i % P256_LANES + k][axis][limb][j] = lanes[k];
                    }
                }
            }
        }
    }
}

// MARK: - Agreement

/// Reads the peers' points; G takes the place of those that are not valid.
static LANES_TARGET __mmask8 read_points(const uint8_t *points, point *result) {
    __mmask8 valid = 0, below;
    for (int lane = 0; lane < P256_LANES; lane++) {
        valid |= (__mmask8)((points[lane * KEY_SIZE] == 4) << lane);
    }
    element x = read_element(points + 1, KEY_SIZE);
    element y = read_element(points + 33, KEY_SIZE);
    minus_prime(x, &below);
    valid &= below;
    minus_prime(y, &below);
    valid &= below;
    x = to_montgomery(x);
    y = to_montgomery(y);
    valid &= is_on_curve(x, y);
    result->x = choose(valid, constant(generator_x), x);
    result->y = choose(valid, constant(generator_y), y);
    result->z = constant(unit);
    return valid;
}

static __attribute__((noinline)) LANES_TARGET uint8_t agree(
    const uint8_t *scalars, const uint8_t *points, uint8_t *keys, uint8_t *secrets) {
    workspace work;
    __mmask8 even;
    __mmask8 valid = read_points(points, &work.selected);
    make_multiples(work.multiples, &work.selected);
    read_words(scalars, SCALAR_SIZE, work.scalars);
    valid &= make_odd(work.scalars, &even);
    multiply_generator(&work);
    multiply_point(&work);
    // One inversion for both (Montgomery's trick).
    element inverse = invert(multiply(work.own.z, work.shared.z));
    work.inverses[0] = multiply(inverse, work.shared.z);
    work.inverses[1] = multiply(inverse, work.own.z);
    element square0 = square(work.inverses[0]), square1 = square(work.inverses[1]);
    element y = multiply(work.own.y, multiply(square0, work.inverses[0]));
    element x = from_montgomery(multiply(work.own.x, square0));
    write_element(x, valid, keys + 1, KEY_SIZE);
    write_element(from_montgomery(negate(even, y)), valid, keys + 33, KEY_SIZE);
    for (int lane = 0; lane < P256_LANES; lane++) {
        keys[lane * KEY_SIZE] = valid >> lane & 1 ? 4 : 0;
    }
    work.shared.x = from_montgomery(multiply(work.shared.x, square1));
    write_element(work.shared.x, valid, secrets, SCALAR_SIZE);
    p256_lanes_wipe(&work, sizeof(work));
    return valid;
}

uint8_t p256_lanes_agree(
    const uint8_t *scalars, const uint8_t *points, uint8_t *keys, uint8_t *secrets) {
    uint8_t valid = agree(scalars, points, keys, secrets);
    wipe_stack();
    return valid;
}

bool p256_lanes_available(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}

#else

bool p256_lanes_available(void) { return false; }

void p256_lanes_prepare(void) {}

uint8_t p256_lanes_agree(
    const uint8_t *scalars, const uint8_t *points, uint8_t *keys, uint8_t *secrets) {
    (void)scalars, (void)points;
    memset(keys, 0, P256_LANES * KEY_SIZE);
    memset(secrets, 0, P256_LANES * SCALAR_SIZE);
    return 0;
}

#endif
