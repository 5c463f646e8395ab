// Written by search.cpp. The substitutions of Magma as circuits of two-input gates over
// vectors of bits: y ^= pi'_n(x) ^ pi'_n(0).
#pragma once

namespace stend::gost::magma {

struct Tc26Z {
    template <unsigned n, typename V>
    [[gnu::always_inline]] static constexpr void add(V x0, V x1, V x2, V x3, V& y0, V& y1, V& y2,
                                                     V& y3) {
        if constexpr (n == 0) {
            const V t0 = x0 & x2;
            const V t1 = x2 | x3;
            const V t2 = x1 | t0;
            const V t3 = t2 & t1;
            const V t4 = x0 ^ x1;
            const V t5 = t4 ^ x2;
            const V t6 = t1 & t5;
            const V t7 = x1 ^ x3;
            const V t8 = t7 | t6;
            const V t9 = x1 | x3;
            const V t10 = t9 ^ t6;
            const V t11 = x0 | x2;
            const V t12 = t11 & t8;
            const V t13 = t5 & t7;
            const V t14 = t13 ^ x0;
            y0 ^= t3;
            y1 ^= t10;
            y2 ^= t12;
            y3 ^= t14;
        } else if constexpr (n == 1) {
            const V t0 = ~x1 & x0;
            const V t1 = x0 ^ x1;
            const V t2 = ~t1 & x2;
            const V t3 = t0 ^ t2;
            const V t4 = x1 ^ x2;
            const V t5 = x3 & t3;
            const V t6 = t5 ^ t4;
            const V t7 = t0 | t6;
            const V t8 = t7 ^ x3;
            const V t9 = t6 | t8;
            const V t10 = t9 ^ t1;
            const V t11 = t0 ^ t5;
            const V t12 = ~x0 & x3;
            const V t13 = x2 | t12;
            const V t14 = t13 ^ t11;
            y0 ^= t10;
            y1 ^= t14;
            y2 ^= t8;
            y3 ^= t3;
        } else if constexpr (n == 2) {
            const V t0 = ~x0 & x2;
            const V t1 = ~x2 & x0;
            const V t2 = t1 & x1;
            const V t3 = t0 ^ t2;
            const V t4 = x0 ^ x1;
            const V t5 = ~t4 & x3;
            const V t6 = t5 | t3;
            const V t7 = x1 ^ x3;
            const V t8 = ~t3 & x0;
            const V t9 = ~t0 & t7;
            const V t10 = ~x2 & t4;
            const V t11 = t5 ^ t9;
            const V t12 = x3 | t10;
            const V t13 = t8 ^ t12;
            const V t14 = ~t7 & t6;
            const V t15 = t10 | t14;
            y0 ^= t6;
            y1 ^= t11;
            y2 ^= t13;
            y3 ^= t15;
        } else if constexpr (n == 3) {
            const V t0 = x0 & x2;
            const V t1 = t0 ^ x3;
            const V t2 = ~x1 & t1;
            const V t3 = t2 | x2;
            const V t4 = x1 ^ t3;
            const V t5 = t4 | t1;
            const V t6 = t5 & x0;
            const V t7 = t3 ^ t6;
            const V t8 = x3 & t7;
            const V t9 = t2 ^ t5;
            const V t10 = x0 | t5;
            const V t11 = ~x2 & t10;
            const V t12 = t11 ^ t8;
            const V t13 = t7 ^ t9;
            const V t14 = t9 & t12;
            const V t15 = t14 ^ t1;
            y0 ^= t7;
            y1 ^= t13;
            y2 ^= t12;
            y3 ^= t15;
        } else if constexpr (n == 4) {
            const V t0 = ~x1 & x2;
            const V t1 = t0 ^ x0;
            const V t2 = x1 | x3;
            const V t3 = ~x0 & t2;
            const V t4 = x3 ^ t0;
            const V t5 = t4 & x0;
            const V t6 = x2 ^ t3;
            const V t7 = ~t5 & t6;
            const V t8 = t7 ^ x1;
            const V t9 = t0 | t8;
            const V t10 = ~t9 & t4;
            const V t11 = ~t3 & t9;
            const V t12 = x3 ^ t11;
            const V t13 = t6 ^ t10;
            y0 ^= t8;
            y1 ^= t13;
            y2 ^= t12;
            y3 ^= t1;
        } else if constexpr (n == 5) {
            const V t0 = ~x3 & x2;
            const V t1 = ~t0 & x0;
            const V t2 = ~x0 & x2;
            const V t3 = t2 ^ x3;
            const V t4 = t3 | x1;
            const V t5 = x0 ^ x2;
            const V t6 = ~x1 & t5;
            const V t7 = ~t6 & t3;
            const V t8 = t0 ^ t7;
            const V t9 = t5 ^ t8;
            const V t10 = x1 | t0;
            const V t11 = t1 ^ t4;
            const V t12 = t2 | t10;
            const V t13 = t12 & t9;
            const V t14 = t3 ^ t10;
            y0 ^= t13;
            y1 ^= t14;
            y2 ^= t8;
            y3 ^= t11;
        } else if constexpr (n == 6) {
            const V t0 = x0 ^ x1;
            const V t1 = x3 | t0;
            const V t2 = t1 ^ x0;
            const V t3 = t2 | x2;
            const V t4 = t0 ^ t3;
            const V t5 = x2 ^ t0;
            const V t6 = t5 ^ x3;
            const V t7 = x2 & t6;
            const V t8 = t7 ^ x3;
            const V t9 = ~t6 & t3;
            const V t10 = ~x0 & x3;
            const V t11 = t10 | t9;
            const V t12 = t2 ^ t8;
            const V t13 = x1 & t8;
            const V t14 = t13 ^ t6;
            y0 ^= t11;
            y1 ^= t14;
            y2 ^= t4;
            y3 ^= t12;
        } else if constexpr (n == 7) {
            const V t0 = x1 ^ x3;
            const V t1 = ~x2 & t0;
            const V t2 = ~t1 & x0;
            const V t3 = x3 ^ t1;
            const V t4 = t3 ^ x0;
            const V t5 = x1 | t4;
            const V t6 = t5 ^ t2;
            const V t7 = ~x2 & x0;
            const V t8 = ~t4 & t0;
            const V t9 = t7 ^ t8;
            const V t10 = ~t9 & x1;
            const V t11 = ~t10 & t2;
            const V t12 = t11 | t1;
            const V t13 = x2 | t9;
            const V t14 = t13 ^ t4;
            const V t15 = t7 ^ t10;
            y0 ^= t14;
            y1 ^= t15;
            y2 ^= t12;
            y3 ^= t6;
        }
    }
};

}  // namespace stend::gost::magma
