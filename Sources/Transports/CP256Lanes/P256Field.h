// Arithmetic modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (FIPS 186-4, D.1.2.3), of eight numbers at
// once. A number is five limbs of 52 bits, and a vector holds the same limb of all eight.
//
// IFMA multiplies the low 52 bits of two lanes and adds the low or the high 52 bits of the product
// to a third. So an accumulator of 64 bits takes up to 4096 such halves before it must be carried.
//
// Numbers are in Montgomery form with R = 2^260. Between the functions of this file every element
// is in 0..<2p with limbs in 0..<2^52. Since R > 16p, a product of two such is below 2p without a
// final subtraction: (2p·2p + R·p) / R < 1.25p.
//
// All functions do the same instructions on the same addresses whatever the numbers are.

#include <immintrin.h>
#include <stdint.h>

#define LANES_TARGET __attribute__((target("avx512f,avx512ifma")))
#define FIELD static inline __attribute__((always_inline)) LANES_TARGET
#define UNROLLED _Pragma("clang loop unroll(full)")

typedef struct {
    __m512i limb[5];
} element;

/// The limbs of p. As -p is 1 modulo 2^52, Montgomery's factor of a limb is the limb itself.
static const uint64_t prime[5] = {
    0xfffffffffffff, 0x00fffffffffff, 0x0000000000000, 0x0001000000000, 0x0ffffffff0000,
};

FIELD __m512i all(uint64_t value) { return _mm512_set1_epi64((long long)value); }

FIELD element constant(const uint64_t limbs[5]) {
    element result;
    UNROLLED for (int i = 0; i < 5; i++) result.limb[i] = all(limbs[i]);
    return result;
}

/// Takes `second` in the lanes of the mask.
FIELD element choose(__mmask8 mask, element first, element second) {
    element result;
    UNROLLED for (int i = 0; i < 5; i++) {
        result.limb[i] = _mm512_mask_mov_epi64(first.limb[i], mask, second.limb[i]);
    }
    return result;
}

/// Carries signed limbs into the next higher; the last one keeps what is left.
FIELD element carry(element a) {
    UNROLLED for (int i = 0; i < 4; i++) {
        a.limb[i + 1] = _mm512_add_epi64(a.limb[i + 1], _mm512_srai_epi64(a.limb[i], 52));
        a.limb[i] = _mm512_and_si512(a.limb[i], all(prime[0]));
    }
    return a;
}

/// Brings a sum or difference of few elements back into 0..<2p.
///
/// Takes a number between -31·2^256 and 31·2^256 in signed limbs below 2^57, and subtracts q·p with
/// q the bits from 256 on, after a guard of 2^229. The guard exceeds what the carries of the lower
/// limbs (2^213) and the subtraction (31·2^224) can take away, so the result is in 0..<2^256+2^230.
FIELD element settle(element a) {
    __m512i q = _mm512_srai_epi64(_mm512_sub_epi64(a.limb[4], all(1 << 21)), 48);
    // q·p is q·2^256 - q·2^224 + q·2^192 + q·2^96 - q.
    a.limb[0] = _mm512_add_epi64(a.limb[0], q);
    a.limb[1] = _mm512_sub_epi64(a.limb[1], _mm512_slli_epi64(q, 96 - 52));
    a.limb[3] = _mm512_sub_epi64(a.limb[3], _mm512_slli_epi64(q, 192 - 156));
    a.limb[4] = _mm512_add_epi64(a.limb[4], _mm512_slli_epi64(q, 224 - 208));
    a.limb[4] = _mm512_sub_epi64(a.limb[4], _mm512_slli_epi64(q, 256 - 208));
    return carry(a);
}

/// a + b·2^shift; a shift of 2 at most.
FIELD element plus(element a, element b, unsigned shift) {
    UNROLLED for (int i = 0; i < 5; i++) {
        a.limb[i] = _mm512_add_epi64(a.limb[i], _mm512_slli_epi64(b.limb[i], shift));
    }
    return settle(a);
}

/// a - b·2^shift; a shift of 2 at most.
FIELD element minus(element a, element b, unsigned shift) {
    UNROLLED for (int i = 0; i < 5; i++) {
        a.limb[i] = _mm512_sub_epi64(a.limb[i], _mm512_slli_epi64(b.limb[i], shift));
    }
    return settle(a);
}

/// t / R modulo p, of ten limbs that are not carried. Each step adds the multiple of p that makes
/// the lowest limb vanish: m·p = m·2^96·(…) - m, so that limb gives nothing but its carry.
FIELD element reduce(__m512i t[10]) {
    UNROLLED for (int i = 0; i < 5; i++) {
        __m512i m = t[i];  // IFMA takes its low 52 bits.
        t[i + 1] = _mm512_madd52lo_epu64(t[i + 1], m, all(prime[1] + 1));
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(m, 52));
        t[i + 2] = _mm512_madd52hi_epu64(t[i + 2], m, all(prime[1] + 1));
        t[i + 3] = _mm512_madd52lo_epu64(t[i + 3], m, all(prime[3]));
        t[i + 4] = _mm512_madd52hi_epu64(t[i + 4], m, all(prime[3]));
        t[i + 4] = _mm512_madd52lo_epu64(t[i + 4], m, all(prime[4]));
        t[i + 5] = _mm512_madd52hi_epu64(t[i + 5], m, all(prime[4]));
    }
    return carry((element){{t[5], t[6], t[7], t[8], t[9]}});
}

FIELD element multiply(element a, element b) {
    __m512i t[10];
    UNROLLED for (int i = 0; i < 10; i++) t[i] = _mm512_setzero_si512();
    UNROLLED for (int i = 0; i < 5; i++) {
        UNROLLED for (int j = 0; j < 5; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.limb[i], b.limb[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.limb[i], b.limb[j]);
        }
    }
    return reduce(t);
}

/// The products of different limbs come twice, so they are made once and doubled.
FIELD element square(element a) {
    __m512i t[10];
    UNROLLED for (int i = 0; i < 10; i++) t[i] = _mm512_setzero_si512();
    UNROLLED for (int i = 0; i < 5; i++) {
        UNROLLED for (int j = i + 1; j < 5; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.limb[i], a.limb[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.limb[i], a.limb[j]);
        }
    }
    UNROLLED for (int i = 1; i < 9; i++) t[i] = _mm512_add_epi64(t[i], t[i]);
    UNROLLED for (int i = 0; i < 5; i++) {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a.limb[i], a.limb[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a.limb[i], a.limb[i]);
    }
    return reduce(t);
}

/// The lanes in which a is 0 modulo p: zero has two forms below 2p.
FIELD __mmask8 is_zero(element a) {
    __m512i zero = _mm512_setzero_si512(), same = _mm512_setzero_si512();
    UNROLLED for (int i = 0; i < 5; i++) {
        zero = _mm512_or_si512(zero, a.limb[i]);
        same = _mm512_or_si512(same, _mm512_xor_si512(a.limb[i], all(prime[i])));
    }
    return _mm512_cmpeq_epi64_mask(zero, _mm512_setzero_si512())
        | _mm512_cmpeq_epi64_mask(same, _mm512_setzero_si512());
}

/// a - p, and in `below` the lanes in which that is negative.
FIELD element minus_prime(element a, __mmask8 *below) {
    UNROLLED for (int i = 0; i < 5; i++) a.limb[i] = _mm512_sub_epi64(a.limb[i], all(prime[i]));
    a = carry(a);
    *below = _mm512_cmplt_epi64_mask(a.limb[4], _mm512_setzero_si512());
    return a;
}

FIELD element to_montgomery(element a) {
    static const uint64_t r_squared[5] = {
        0x0000000000300, 0xffffffff00000, 0xffffefffffffb, 0xfdfffffffffff, 0x0000004ffffff,
    };
    return multiply(a, constant(r_squared));
}

/// The number itself, below p.
FIELD element from_montgomery(element a) {
    static const uint64_t one[5] = {1};
    __mmask8 below;
    a = multiply(a, constant(one));
    element reduced = minus_prime(a, &below);
    return choose(below, reduced, a);
}

/// a^(2^count)·b
static LANES_TARGET element power(element a, int count, element b) {
    for (int i = 0; i < count; i++) a = square(a);
    return multiply(a, b);
}

/// 1 / a, as a^(p-2) (Fermat); the exponent is the same for every a. p-2 is, in words of 32 bits,
/// ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff fffffffd.
static LANES_TARGET element invert(element a) {
    element ones2 = power(a, 1, a);
    element ones4 = power(ones2, 2, ones2);
    element ones8 = power(ones4, 4, ones4);
    element ones16 = power(ones8, 8, ones8);
    element ones32 = power(ones16, 16, ones16);
    element result = power(ones32, 32, a);
    result = power(result, 128, ones32);
    result = power(result, 32, ones32);
    result = power(result, 16, ones16);
    result = power(result, 8, ones8);
    result = power(result, 4, ones4);
    result = power(result, 2, ones2);
    return power(result, 2, a);
}
