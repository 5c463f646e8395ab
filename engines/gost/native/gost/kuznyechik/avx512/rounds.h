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

// A substitution: two look-ups in 128 bytes, of which bit 7 chooses. Its mask is wanted early where
// latency counts, so two plain instructions make it there; one of GFNI is fewer.
enum class Mask { early, cheap };

template <const Tables& t, Mask mask = Mask::early>
class Substitution {
public:
    STEND_INLINE Substitution() {}

    STEND_INLINE Vector operator()(Vector x) const {
        const Vector low = _mm512_permutex2var_epi8(q0, x, q1);
        const Vector high = _mm512_permutex2var_epi8(q2, x, q3);
        return ternary<0xCA>(seventh(x), high, low);
    }

private:
    STEND_INLINE static Vector seventh(Vector x) {
        if constexpr (mask == Mask::cheap) return affine<0>(x, everywhere(0x8080808080808080));
        const Vector none = _mm512_setzero_si512(), all = _mm512_set1_epi8(-1);
        return _mm512_max_epi8(kept(_mm512_min_epi8(x, none)), all);
    }

    Vector q0 = load(t.quarter[0]), q1 = load(t.quarter[1]), q2 = load(t.quarter[2]),
           q3 = load(t.quarter[3]);
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
        const Vector c = sum(times(turned<1>(u), load(m[1][1])), times(turned<2>(u), load(m[2][1])),
                             times(turned<3>(u), load(m[3][1])));
        const Vector w = sum(a, b, c);
        return sum(permuted(f0, w), permuted(f1, w), key);
    }

private:
    Substitution<t> substitution;
    Vector by_two = load(turns.turned[2]), f0 = load(turns.fold_pairs[0]),
           f1 = load(turns.fold_pairs[1]);
};

// One of n registers side by side. A lone one waits for its products, several for the ports.
template <const Tables& t, unsigned n>
class Quads : public Packed {
public:
    STEND_INLINE Quads() {}

    STEND_INLINE Vector substituted(Vector x) const { return substitution(x); }

    STEND_INLINE Vector mixed(Vector s, Vector key) const {
        const Vector turns_of_s[4] = {s, _mm512_shuffle_epi8(s, by_one),
                                      _mm512_shuffle_epi8(s, by_two),
                                      _mm512_shuffle_epi8(s, by_three)};
        return n == 1 ? soon(turns_of_s, key) : cheaply(turns_of_s, key);
    }

private:
    STEND_INLINE static Vector soon(const Vector (&s)[4], Vector key) {
        const Vector d = sum(two<3, 0>(s), two<3, 2>(s));
        const Vector c = sum(two<2, 0>(s), two<2, 2>(s), turned<1>(d));
        const Vector b = sum(two<1, 0>(s), two<1, 2>(s), turned<1>(c));
        const Vector a = sum(product<0, 0>(s), product<0, 1>(s), key);
        return sum(a, two<0, 2>(s), turned<1>(b));
    }

    STEND_INLINE static Vector cheaply(const Vector (&s)[4], Vector key) {
        const Vector d = sum(three<3>(s), product<3, 3>(s));
        const Vector c = sum(three<2>(s), product<2, 3>(s));
        const Vector b = sum(three<1>(s), product<1, 3>(s), turned<2>(d));
        const Vector a = sum(three<0>(s), product<0, 3>(s), key);
        return sum(a, turned<1>(b), turned<2>(c));
    }

    template <unsigned step, unsigned i>
    STEND_INLINE static Vector product(const Vector (&s)[4]) {
        return times(s[i], load(t.quads[step][i]));
    }
    template <unsigned step, unsigned i>
    STEND_INLINE static Vector two(const Vector (&s)[4]) {
        return kept(sum(product<step, i>(s), product<step, i + 1>(s)));
    }
    template <unsigned step>
    STEND_INLINE static Vector three(const Vector (&s)[4]) {
        return sum(product<step, 0>(s), product<step, 1>(s), product<step, 2>(s));
    }

    Substitution<t, n == 4 ? Mask::cheap : Mask::early> substitution;
    Vector by_one = load(turns.turned[1]), by_two = load(turns.turned[2]),
           by_three = load(turns.turned[3]);
};

// A round over n registers, of which register j adds key(j). One after the other, so that one's
// look-ups run beside another's products.
template <unsigned n, typename Shape, typename Key>
STEND_INLINE void round(const Shape& shape, Vector (&x)[n], Key key) {
    each<n>([&](auto j) __attribute__((always_inline)) {
        x[j] = kept(shape.mixed(shape.substituted(x[j]), key(j)));
    });
}

}  // namespace stend::gost::kuznyechik::wide
