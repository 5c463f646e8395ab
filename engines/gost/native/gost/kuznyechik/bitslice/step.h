// Made by circuits.py. One step of the register R on planes.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// From the planes of sixteen bytes, the oldest first, those of the next. 177 gates.
template <typename V>
[[gnu::always_inline]] inline void step(const V* x, V* y) {
    const V t0 = x[123] ^ x[11]; const V t1 = x[125] ^ x[13]; const V t2 = x[94] ^ x[46];
    const V t3 = x[111] ^ x[31]; const V t4 = x[121] ^ x[9]; const V t5 = x[85] ^ x[53];
    const V t6 = x[59] ^ x[75]; const V t7 = x[87] ^ x[55]; const V t8 = x[86] ^ x[54];
    const V t9 = t7 ^ t1; const V t10 = x[83] ^ x[51]; const V t11 = x[95] ^ x[47];
    const V t12 = t8 ^ t9; const V t13 = t12 ^ t10; const V t14 = t4 ^ x[64];
    const V t15 = t13 ^ t14; const V t16 = t14 ^ x[68]; const V t17 = t11 ^ t16;
    const V t18 = t2 ^ t8; const V t19 = x[93] ^ x[45]; const V t20 = t17 ^ x[66];
    const V t21 = t19 ^ t5; const V t22 = t0 ^ t20; const V t23 = t9 ^ t22;
    const V t24 = x[107] ^ x[27]; const V t25 = t3 ^ t21; const V t26 = t10 ^ x[70];
    const V t27 = t6 ^ t23; const V t28 = t24 ^ t25; const V t29 = t28 ^ t23;
    const V t30 = x[112] ^ x[16]; const V t31 = t29 ^ t30; const V t32 = x[97] ^ x[33];
    const V t33 = x[92] ^ x[44]; const V t34 = t32 ^ t33; const V t35 = x[61] ^ x[77];
    const V t36 = t34 ^ t35; const V t37 = x[119] ^ x[23]; const V t38 = x[127] ^ x[15];
    const V t39 = t37 ^ x[70]; const V t40 = t38 ^ t39; const V t41 = t18 ^ x[65];
    const V t42 = t40 ^ t41; const V t43 = t42 ^ x[5]; const V t44 = t43 ^ t31;
    const V t45 = t36 ^ t44; const V t46 = x[84] ^ x[52]; const V t47 = t33 ^ t46;
    const V t48 = t37 ^ t26; const V t49 = x[100] ^ x[36]; const V t50 = x[102] ^ x[38];
    const V t51 = x[90] ^ x[42]; const V t52 = t50 ^ t51; const V t53 = x[115] ^ x[19];
    const V t54 = t53 ^ t49; const V t55 = x[117] ^ x[21]; const V t56 = t55 ^ t52;
    const V t57 = t51 ^ t47; const V t58 = x[110] ^ x[30]; const V t59 = t58 ^ t47;
    const V t60 = x[109] ^ x[29]; const V t61 = t60 ^ t38; const V t62 = x[126] ^ x[14];
    const V t63 = t62 ^ t28; const V t64 = t56 ^ t63; const V t65 = x[105] ^ x[25];
    const V t66 = t65 ^ t48; const V t67 = t59 ^ t66; const V t68 = t56 ^ t67;
    const V t69 = t68 ^ t21; const V t70 = x[91] ^ x[43]; const V t71 = t70 ^ x[71];
    const V t72 = t60 ^ t71; const V t73 = t72 ^ x[3]; const V t74 = t69 ^ t73;
    const V t75 = t27 ^ t74; const V t76 = t71 ^ x[69]; const V t77 = x[103] ^ x[39];
    const V t78 = x[118] ^ x[22]; const V t79 = t78 ^ t77; const V t80 = t79 ^ t16;
    const V t81 = t79 ^ t76; const V t82 = x[88] ^ x[40]; const V t83 = t65 ^ t82;
    const V t84 = t18 ^ t81; const V t85 = t83 ^ t54; const V t86 = x[89] ^ x[41];
    const V t87 = t86 ^ t54; const V t88 = x[81] ^ x[49]; const V t89 = t88 ^ t87;
    const V t90 = t82 ^ t89; const V t91 = t22 ^ t90; const V t92 = x[108] ^ x[28];
    const V t93 = x[82] ^ x[50]; const V t94 = t92 ^ t93; const V t95 = t26 ^ t94;
    const V t96 = t91 ^ t95; const V t97 = t92 ^ x[0]; const V t98 = x[104] ^ x[24];
    const V t99 = t98 ^ t94; const V t100 = t97 ^ t98; const V t101 = t100 ^ t70;
    const V t102 = x[57] ^ x[73]; const V t103 = t102 ^ t64; const V t104 = t96 ^ t103;
    const V t105 = t104 ^ x[1]; const V t106 = t84 ^ t105; const V t107 = t85 ^ t61;
    const V t108 = x[116] ^ x[20]; const V t109 = t108 ^ t61; const V t110 = x[63] ^ x[79];
    const V t111 = t110 ^ x[7]; const V t112 = t111 ^ t64; const V t113 = t81 ^ x[67];
    const V t114 = x[114] ^ x[18]; const V t115 = x[80] ^ x[48]; const V t116 = t114 ^ t115;
    const V t117 = t116 ^ t15; const V t118 = x[120] ^ x[8]; const V t119 = t118 ^ t113;
    const V t120 = t119 ^ t99; const V t121 = t112 ^ t120; const V t122 = t121 ^ t107;
    const V t123 = t122 ^ t117; const V t124 = x[99] ^ x[35]; const V t125 = t123 ^ t124;
    const V t126 = x[113] ^ x[17]; const V t127 = t90 ^ t126; const V t128 = t127 ^ t20;
    const V t129 = t128 ^ t113; const V t130 = t129 ^ t115; const V t131 = x[58] ^ x[74];
    const V t132 = t86 ^ t131; const V t133 = x[124] ^ x[12]; const V t134 = t11 ^ t133;
    const V t135 = t134 ^ t120; const V t136 = t57 ^ t135; const V t137 = x[101] ^ x[37];
    const V t138 = t137 ^ t109; const V t139 = t59 ^ x[4]; const V t140 = x[122] ^ x[10];
    const V t141 = t140 ^ t41; const V t142 = t139 ^ t133; const V t143 = t133 ^ t138;
    const V t144 = t143 ^ t130; const V t145 = t138 ^ t141; const V t146 = t48 ^ x[2];
    const V t147 = t7 ^ t145; const V t148 = t132 ^ t147; const V t149 = t148 ^ t146;
    const V t150 = t149 ^ t136; const V t151 = x[60] ^ x[76]; const V t152 = x[106] ^ x[26];
    const V t153 = t152 ^ t67; const V t154 = t152 ^ t119; const V t155 = t62 ^ t147;
    const V t156 = t62 ^ t141; const V t157 = x[62] ^ x[78]; const V t158 = t151 ^ t25;
    const V t159 = t154 ^ x[64]; const V t160 = x[98] ^ x[34]; const V t161 = x[96] ^ x[32];
    const V t162 = t157 ^ x[6]; const V t163 = t158 ^ t156; const V t164 = x[56] ^ x[72];
    const V t165 = t19 ^ t153; const V t166 = t162 ^ t144; const V t167 = t164 ^ t153;
    const V t168 = t160 ^ t165; const V t169 = t168 ^ t166; const V t170 = t80 ^ t167;
    const V t171 = t163 ^ t161; const V t172 = t159 ^ t171; const V t173 = t170 ^ t89;
    const V t174 = t155 ^ t101; const V t175 = t142 ^ t172; const V t176 = t173 ^ t174; y[0] = t176;
    y[1] = t106; y[2] = t150; y[3] = t75; y[4] = t175; y[5] = t45; y[6] = t169; y[7] = t125;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
