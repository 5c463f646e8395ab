// Written by search.cpp. The substitutions of Magma as circuits of two-input gates over
// vectors of bits: y ^= pi'_n(x) ^ pi'_n(0).
#pragma once

namespace stend::gost::magma {

struct Tc26Z {
    template <unsigned n, typename V>
    [[gnu::always_inline]] static constexpr void add(V x0, V x1, V x2, V x3, V& y0, V& y1, V& y2,
                                                     V& y3) {
        if constexpr (n == 0) {
            const V t0 = x1 ^ x3;
            const V t1 = t0 & x0;
            const V t2 = x1 & x3;
            const V t3 = t2 ^ x0;
            const V t4 = x2 ^ t3;
            const V t5 = x2 & t4;
            const V t6 = t1 | t5;
            const V t7 = t0 | t4;
            const V t8 = t7 ^ t6;
            const V t9 = x2 ^ x3;
            const V t10 = t7 ^ t9;
            const V t11 = t8 | t9;
            const V t12 = t11 ^ t3;
            const V t13 = ~x1 & t5;
            const V t14 = t2 | x2;
            const V t15 = t13 ^ t14;
            y0 ^= t15;
            y1 ^= t12;
            y2 ^= t6;
            y3 ^= t10;
        } else if constexpr (n == 1) {
            const V t0 = ~x2 & x1;
            const V t1 = t0 | x0;
            const V t2 = x0 ^ x1;
            const V t3 = ~t2 & x2;
            const V t4 = x3 | t3;
            const V t5 = t4 ^ t1;
            const V t6 = x0 & t2;
            const V t7 = t6 | t3;
            const V t8 = ~x1 & x2;
            const V t9 = x3 ^ t8;
            const V t10 = t5 | t9;
            const V t11 = t10 ^ t2;
            const V t12 = x0 ^ t9;
            const V t13 = ~t4 & t11;
            const V t14 = t12 ^ t13;
            y0 ^= t11;
            y1 ^= t14;
            y2 ^= t5;
            y3 ^= t7;
        } else if constexpr (n == 2) {
            const V t0 = x0 | x2;
            const V t1 = ~x3 & t0;
            const V t2 = x2 ^ t1;
            const V t3 = ~t2 & x0;
            const V t4 = t3 | x1;
            const V t5 = t1 ^ t4;
            const V t6 = ~x0 & x2;
            const V t7 = ~t6 & x1;
            const V t8 = x1 ^ t0;
            const V t9 = t8 & x3;
            const V t10 = t7 ^ t9;
            const V t11 = x3 | t2;
            const V t12 = t11 ^ x0;
            const V t13 = ~t2 & t7;
            const V t14 = t13 | t12;
            const V t15 = ~t8 & t11;
            const V t16 = t15 | t6;
            y0 ^= t16;
            y1 ^= t10;
            y2 ^= t14;
            y3 ^= t5;
        } else if constexpr (n == 3) {
            const V t0 = x1 | x2;
            const V t1 = t0 & x0;
            const V t2 = x2 ^ t1;
            const V t3 = x0 ^ x1;
            const V t4 = t3 | t2;
            const V t5 = ~t4 & x3;
            const V t6 = x3 ^ t1;
            const V t7 = ~x3 & t2;
            const V t8 = t2 ^ t5;
            const V t9 = x1 ^ t8;
            const V t10 = ~t7 & t4;
            const V t11 = x1 & t10;
            const V t12 = t6 ^ t11;
            const V t13 = ~t6 & x2;
            const V t14 = t13 ^ t9;
            const V t15 = ~t9 & t1;
            const V t16 = t15 ^ t10;
            y0 ^= t8;
            y1 ^= t14;
            y2 ^= t16;
            y3 ^= t12;
        } else if constexpr (n == 4) {
            const V t0 = ~x1 & x2;
            const V t1 = t0 ^ x0;
            const V t2 = ~t1 & x1;
            const V t3 = t2 ^ x2;
            const V t4 = ~t1 & t3;
            const V t5 = t4 ^ x1;
            const V t6 = ~t5 & x3;
            const V t7 = t6 ^ t3;
            const V t8 = x3 ^ t5;
            const V t9 = x3 & t1;
            const V t10 = t4 ^ t9;
            const V t11 = ~t10 & x2;
            const V t12 = t11 ^ t8;
            const V t13 = t2 | t12;
            const V t14 = t13 ^ t10;
            y0 ^= t14;
            y1 ^= t7;
            y2 ^= t12;
            y3 ^= t1;
        } else if constexpr (n == 5) {
            const V t0 = ~x3 & x2;
            const V t1 = ~t0 & x0;
            const V t2 = ~x0 & x2;
            const V t3 = t2 ^ x3;
            const V t4 = x1 | t0;
            const V t5 = x1 | t3;
            const V t6 = t5 ^ t1;
            const V t7 = t3 ^ t4;
            const V t8 = t0 ^ t2;
            const V t9 = x0 ^ x2;
            const V t10 = t9 ^ x3;
            const V t11 = ~x1 & t9;
            const V t12 = x1 & t10;
            const V t13 = t12 | t8;
            const V t14 = ~t11 & t3;
            const V t15 = t14 ^ t0;
            y0 ^= t13;
            y1 ^= t7;
            y2 ^= t15;
            y3 ^= t6;
        } else if constexpr (n == 6) {
            const V t0 = x0 ^ x1;
            const V t1 = ~t0 & x3;
            const V t2 = t1 ^ x1;
            const V t3 = t2 | x2;
            const V t4 = t0 ^ t3;
            const V t5 = x2 ^ x3;
            const V t6 = t5 ^ t0;
            const V t7 = x2 | t6;
            const V t8 = t7 ^ x0;
            const V t9 = ~t8 & x1;
            const V t10 = t6 ^ t9;
            const V t11 = ~t6 & t3;
            const V t12 = t1 ^ t8;
            const V t13 = x3 & t2;
            const V t14 = t11 | t13;
            y0 ^= t14;
            y1 ^= t10;
            y2 ^= t4;
            y3 ^= t12;
        } else if constexpr (n == 7) {
            const V t0 = ~x0 & x3;
            const V t1 = t0 | x2;
            const V t2 = x0 ^ x2;
            const V t3 = t2 | x1;
            const V t4 = t1 ^ t3;
            const V t5 = x0 | t2;
            const V t6 = t5 & x3;
            const V t7 = x0 ^ t6;
            const V t8 = t1 & t7;
            const V t9 = x1 | t1;
            const V t10 = ~t7 & t9;
            const V t11 = ~t8 & x1;
            const V t12 = t11 ^ t6;
            const V t13 = t2 & t10;
            const V t14 = ~t13 & x1;
            const V t15 = ~x2 & x0;
            const V t16 = t14 ^ t15;
            y0 ^= t10;
            y1 ^= t16;
            y2 ^= t4;
            y3 ^= t12;
        }
    }
};

}  // namespace stend::gost::magma
