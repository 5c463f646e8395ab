// The two layers of a round of Kuznyechik on a register that holds one block in four copies
// (Copies), two blocks in two copies each (Pairs), or four blocks (Quads). To be included inside
// STEND_FOR, after x86/secret.h.
//
// What bounds a chain is latency. The instructions of GFNI take 3 cycles, and so does, instead of
// 1, whatever takes a result of theirs: all its operands wait. So the products are first summed
// among themselves, once, and those sums in a second step.
#pragma once

#include "gost/kuznyechik/avx512/forms.h"

namespace stend::gost::kuznyechik::wide {

// A substitution: two look-ups in 128 bytes, of which bit 7 chooses. Its mask is made without GFNI
// and without mask registers, for both are late.
template <const Tables& t>
class Substitution {
public:
    STEND_INLINE Substitution() {}

    STEND_INLINE Vector operator()(Vector x) const {
        const Vector seven = _mm512_max_epi8(kept(_mm512_min_epi8(x, none)), all);
        const Vector low = _mm512_permutex2var_epi8(q0, x, q1);
        const Vector high = _mm512_permutex2var_epi8(q2, x, q3);
        return ternary<0xCA>(seven, high, low);
    }

private:
    Vector q0 = load(t.quarter[0]), q1 = load(t.quarter[1]), q2 = load(t.quarter[2]),
           q3 = load(t.quarter[3]), none = _mm512_setzero_si512(), all = _mm512_set1_epi8(-1);
};

template <const Tables& t>
class Copies : public Copied {
public:
    STEND_INLINE Copies() {}

    STEND_INLINE Vector substituted(Vector x) const { return substitution(x); }

    STEND_INLINE Vector mixed(Vector s, Vector key) const {
        const Vector a = sum(times(s, m0), times(turned<1>(s), m1));
        const Vector b = sum(times(turned<2>(s), m2), times(turned<3>(s), m3));
        const Vector w = sum(kept(a), kept(b));
        return sum(sum(fold(f0, w), fold(f1, w), key), fold(f2, w), fold(f3, w));
    }

private:
    STEND_INLINE static Vector fold(Vector places, Vector w) { return permuted(places, w); }

    Substitution<t> substitution;
    Vector m0 = load(t.copies[0]), m1 = load(t.copies[1]), m2 = load(t.copies[2]),
           m3 = load(t.copies[3]), f0 = load(turns.fold_copies[0]), f1 = load(turns.fold_copies[1]),
           f2 = load(turns.fold_copies[2]), f3 = load(turns.fold_copies[3]);
};

template <const Tables& t>
class Pairs : public Paired {
public:
    STEND_INLINE Pairs() {}

    STEND_INLINE Vector substituted(Vector x) const { return substitution(x); }

    STEND_INLINE Vector mixed(Vector s, Vector key) const {
        const auto& m = t.pairs;
        const Vector u = _mm512_shuffle_epi8(s, by_two);
        const Vector a = sum(times(s, load(m[0][0])), times(turned<1>(s), load(m[1][0])),
                             times(turned<2>(s), load(m[2][0])));
        const Vector b = sum(times(turned<3>(s), load(m[3][0])), times(u, load(m[0][1])));
        const Vector c =
            sum(times(turned<1>(u), load(m[1][1])), times(turned<2>(u), load(m[2][1])),
                times(turned<3>(u), load(m[3][1])));
        const Vector w = sum(a, b, c);
        return sum(permuted(f0, w), permuted(f1, w), key);
    }

private:
    Substitution<t> substitution;
    Vector by_two = load(turns.turned[2]), f0 = load(turns.fold_pairs[0]),
           f1 = load(turns.fold_pairs[1]);
};

template <const Tables& t>
class Quads : public Packed {
public:
    STEND_INLINE Quads() {}

    STEND_INLINE Vector substituted(Vector x) const { return substitution(x); }

    STEND_INLINE Vector mixed(Vector s, Vector key) const {
        const Vector s1 = _mm512_shuffle_epi8(s, by_one), s2 = _mm512_shuffle_epi8(s, by_two),
                     s3 = _mm512_shuffle_epi8(s, by_three);
        const auto& m = t.quads;
        const Vector d = sum(two(m[3], s, s1), two(m[3] + 2, s2, s3));
        const Vector c = sum(two(m[2], s, s1), two(m[2] + 2, s2, s3), turned<1>(d));
        const Vector b = sum(two(m[1], s, s1), two(m[1] + 2, s2, s3), turned<1>(c));
        const Vector a = sum(times(s, load(m[0][0])), times(s1, load(m[0][1])), key);
        return sum(a, two(m[0] + 2, s2, s3), turned<1>(b));
    }

private:
    STEND_INLINE static Vector two(const Row* m, Vector x, Vector y) {
        return kept(sum(times(x, load(m[0])), times(y, load(m[1]))));
    }

    Substitution<t> substitution;
    Vector by_one = load(turns.turned[1]), by_two = load(turns.turned[2]),
           by_three = load(turns.turned[3]);
};

// The layers of one round over n registers; key(j) is what register j adds.
template <unsigned n, typename Shape, typename Key>
STEND_INLINE void mix(const Shape& shape, Vector (&x)[n], Key key) {
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = shape.mixed(x[j], key(j)); });
}

template <unsigned n, typename Shape>
STEND_INLINE void substitute(const Shape& shape, Vector (&x)[n]) {
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = shape.substituted(x[j]); });
}

}  // namespace stend::gost::kuznyechik::wide
