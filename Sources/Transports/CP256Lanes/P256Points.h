// Points of the curve y² = x³ - 3x + b (FIPS 186-4, D.1.2.3), eight at once, in Jacobian
// coordinates: (X, Y, Z) is the point (X / Z², Y / Z³). The point at infinity is not provided for;
// see "Multiplication" in CP256Lanes.c for why nothing meets it.

#include "P256Field.h"

typedef struct {
    element x, y, z;
} point;

/// b, the generator's coordinates and 1, in Montgomery form.
static const uint64_t curve_b[5] = {
    0xdf6229c4bddfd, 0xca8843090d89c, 0x212ed6acf005c, 0x83415a220abf7, 0x0c30061dd4874,
};
static const uint64_t generator_x[5] = {
    0x30d418a9143c1, 0xc4fedb60179e7, 0x62251075ba95f, 0x5c669fb732b77, 0x08905f76b5375,
};
static const uint64_t generator_y[5] = {
    0x5357ce95560a8, 0x43a19e45cddf2, 0x21f3258b4ab8e, 0xd8552e88688dd, 0x0571ff18a5885,
};
static const uint64_t unit[5] = {
    0x0000000000010, 0xf000000000000, 0xfffffffffffff, 0xffeffffffffff, 0x00000000fffff,
};

FIELD point choose_point(__mmask8 mask, point first, point second) {
    return (point){
        choose(mask, first.x, second.x),
        choose(mask, first.y, second.y),
        choose(mask, first.z, second.z),
    };
}

/// -y in the lanes of the mask.
FIELD element negate(__mmask8 mask, element y) {
    element zero = {{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
        _mm512_setzero_si512(), _mm512_setzero_si512()}};
    return choose(mask, y, minus(zero, y, 0));
}

/// The lanes in which (x, y) is on the curve.
static LANES_TARGET __mmask8 is_on_curve(element x, element y) {
    element cube = multiply(square(x), x);
    element right = plus(minus(minus(cube, x, 1), x, 0), constant(curve_b), 0);
    return is_zero(minus(square(y), right, 0));
}

/// 2·P. With S = 2XY² and M = 3(X² - Z⁴), which is 3(X - Z²)(X + Z²) because the curve's a is -3:
/// X' = M² - 4S, Y' = M(2S - X') - 8Y⁴, Z' = 2YZ. Here M and the bracket have the opposite sign.
/// Right for every point, as none has Y = 0: the group's order is an odd prime.
static LANES_TARGET void double_point(point *p) {
    element zz = square(p->z), yy = square(p->y);
    element yy2 = plus(yy, yy, 0);
    element s = multiply(p->x, yy2);
    element m = multiply(minus(zz, p->x, 0), plus(zz, p->x, 0));
    m = plus(m, m, 1);
    element yz = multiply(p->y, p->z);
    p->x = minus(square(m), s, 2);
    p->y = minus(multiply(m, minus(p->x, s, 1)), square(yy2), 1);
    p->z = plus(yz, yz, 0);
}

/// P + Q from U = X·(other Z)² and S = Y·(other Z)³ of both and from z = Z·(other Z). With
/// H = U2 - U1 and r = S2 - S1: X' = r² - H³ - 2·U1·H², Y' = r(U1·H² - X') - S1·H³, Z' = z·H.
/// Wrong, and reported by the mask, in lanes with H = 0: those with P = Q or P = -Q.
FIELD __mmask8 finish_addition(
    point *p, element u1, element s1, element u2, element s2, element z) {
    element h = minus(u2, u1, 0), r = minus(s2, s1, 0);
    element hh = square(h);
    element hhh = multiply(h, hh), v = multiply(u1, hh);
    p->x = minus(minus(square(r), hhh, 0), v, 1);
    p->y = minus(multiply(r, minus(v, p->x, 0)), multiply(s1, hhh), 0);
    p->z = multiply(z, h);
    return is_zero(h);
}

/// P += Q.
static LANES_TARGET __mmask8 add_point(point *p, const point *q) {
    element zz1 = square(p->z), zz2 = square(q->z);
    return finish_addition(
        p, multiply(p->x, zz2), multiply(p->y, multiply(q->z, zz2)), multiply(q->x, zz1),
        multiply(q->y, multiply(p->z, zz1)), multiply(p->z, q->z));
}

/// P += (x, y), a point with Z = 1.
static LANES_TARGET __mmask8 add_affine(point *p, element x, element y) {
    element zz = square(p->z);
    return finish_addition(
        p, p->x, p->y, multiply(x, zz), multiply(y, multiply(p->z, zz)), p->z);
}
