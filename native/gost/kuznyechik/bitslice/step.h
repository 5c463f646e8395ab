// Made by circuits.py. One step of the register R on planes.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// From the planes of sixteen bytes, the oldest first, those of the next. 177 gates.
template <typename V>
[[gnu::always_inline]] inline void step(const V* x, V* y) {
    const V t0 = x[113] ^ x[17]; const V t1 = x[86] ^ x[54]; const V t2 = x[80] ^ x[48];
    const V t3 = x[108] ^ x[28]; const V t4 = x[59] ^ x[75]; const V t5 = x[94] ^ x[46];
    const V t6 = t5 ^ t1; const V t7 = x[123] ^ x[11]; const V t8 = x[87] ^ x[55];
    const V t9 = x[118] ^ x[22]; const V t10 = x[120] ^ x[8]; const V t11 = x[90] ^ x[42];
    const V t12 = x[105] ^ x[25]; const V t13 = x[101] ^ x[37]; const V t14 = x[115] ^ x[19];
    const V t15 = x[114] ^ x[18]; const V t16 = t15 ^ t2; const V t17 = x[63] ^ x[79];
    const V t18 = t17 ^ x[7]; const V t19 = x[92] ^ x[44]; const V t20 = t6 ^ x[65];
    const V t21 = x[127] ^ x[15]; const V t22 = x[60] ^ x[76]; const V t23 = x[117] ^ x[21];
    const V t24 = x[93] ^ x[45]; const V t25 = x[121] ^ x[9]; const V t26 = t25 ^ x[64];
    const V t27 = x[102] ^ x[38]; const V t28 = t27 ^ t11; const V t29 = t23 ^ t28;
    const V t30 = x[97] ^ x[33]; const V t31 = t30 ^ t19; const V t32 = x[100] ^ x[36];
    const V t33 = t14 ^ t32; const V t34 = x[61] ^ x[77]; const V t35 = t31 ^ t34;
    const V t36 = x[107] ^ x[27]; const V t37 = x[110] ^ x[30]; const V t38 = x[58] ^ x[74];
    const V t39 = x[125] ^ x[13]; const V t40 = t8 ^ t39; const V t41 = t1 ^ t40;
    const V t42 = x[111] ^ x[31]; const V t43 = x[81] ^ x[49]; const V t44 = x[98] ^ x[34];
    const V t45 = x[112] ^ x[16]; const V t46 = x[116] ^ x[20]; const V t47 = x[106] ^ x[26];
    const V t48 = x[109] ^ x[29]; const V t49 = x[124] ^ x[12]; const V t50 = x[84] ^ x[52];
    const V t51 = t19 ^ t50; const V t52 = t11 ^ t51; const V t53 = t37 ^ t51;
    const V t54 = t26 ^ x[68]; const V t55 = x[83] ^ x[51]; const V t56 = t41 ^ t55;
    const V t57 = t56 ^ t26; const V t58 = t16 ^ t57; const V t59 = t55 ^ x[70];
    const V t60 = x[119] ^ x[23]; const V t61 = t60 ^ x[70]; const V t62 = t21 ^ t61;
    const V t63 = t60 ^ t59; const V t64 = t62 ^ t20; const V t65 = t64 ^ x[5];
    const V t66 = t48 ^ t21; const V t67 = t46 ^ t66; const V t68 = t13 ^ t67;
    const V t69 = x[89] ^ x[41]; const V t70 = t69 ^ t38; const V t71 = t69 ^ t33;
    const V t72 = t43 ^ t71; const V t73 = x[62] ^ x[78]; const V t74 = t73 ^ x[6];
    const V t75 = t12 ^ t63; const V t76 = t53 ^ t75; const V t77 = t63 ^ x[2];
    const V t78 = t53 ^ x[4]; const V t79 = t78 ^ t49; const V t80 = x[104] ^ x[24];
    const V t81 = x[85] ^ x[53]; const V t82 = t24 ^ t81; const V t83 = t42 ^ t82;
    const V t84 = t36 ^ t83; const V t85 = t22 ^ t83; const V t86 = x[103] ^ x[39];
    const V t87 = t9 ^ t86; const V t88 = t87 ^ t54; const V t89 = x[95] ^ x[47];
    const V t90 = t89 ^ t54; const V t91 = t90 ^ x[66]; const V t92 = t89 ^ t49;
    const V t93 = t7 ^ t91; const V t94 = t49 ^ t68; const V t95 = t40 ^ t93;
    const V t96 = t4 ^ t95; const V t97 = t84 ^ t95; const V t98 = t97 ^ t45;
    const V t99 = t65 ^ t98; const V t100 = t35 ^ t99; const V t101 = x[122] ^ x[10];
    const V t102 = t101 ^ t20; const V t103 = t68 ^ t102; const V t104 = t8 ^ t103;
    const V t105 = t70 ^ t104; const V t106 = t105 ^ t77; const V t107 = t29 ^ t76;
    const V t108 = t107 ^ t82; const V t109 = t47 ^ t76; const V t110 = t24 ^ t109;
    const V t111 = t44 ^ t110; const V t112 = x[88] ^ x[40]; const V t113 = t12 ^ t112;
    const V t114 = t113 ^ t33; const V t115 = t114 ^ t66; const V t116 = t112 ^ t72;
    const V t117 = t116 ^ t0; const V t118 = t117 ^ t91; const V t119 = t93 ^ t116;
    const V t120 = x[91] ^ x[43]; const V t121 = t120 ^ x[71]; const V t122 = t48 ^ t121;
    const V t123 = t122 ^ x[3]; const V t124 = t108 ^ t123; const V t125 = t96 ^ t124;
    const V t126 = t121 ^ x[69]; const V t127 = t87 ^ t126; const V t128 = t6 ^ t127;
    const V t129 = t127 ^ x[67]; const V t130 = t118 ^ t129; const V t131 = t130 ^ t2;
    const V t132 = t10 ^ t129; const V t133 = t94 ^ t131; const V t134 = t74 ^ t133;
    const V t135 = t111 ^ t134; const V t136 = t47 ^ t132; const V t137 = t136 ^ x[64];
    const V t138 = x[56] ^ x[72]; const V t139 = t138 ^ t109; const V t140 = t88 ^ t139;
    const V t141 = t140 ^ t72; const V t142 = x[57] ^ x[73]; const V t143 = x[126] ^ x[14];
    const V t144 = t143 ^ t102; const V t145 = t85 ^ t144; const V t146 = t143 ^ t104;
    const V t147 = t143 ^ t84; const V t148 = t29 ^ t147; const V t149 = t142 ^ t148;
    const V t150 = t18 ^ t148; const V t151 = t3 ^ x[0]; const V t152 = t151 ^ t80;
    const V t153 = t152 ^ t120; const V t154 = t146 ^ t153; const V t155 = t141 ^ t154;
    const V t156 = x[96] ^ x[32]; const V t157 = t145 ^ t156; const V t158 = t137 ^ t157;
    const V t159 = t79 ^ t158; const V t160 = x[82] ^ x[50]; const V t161 = t3 ^ t160;
    const V t162 = t80 ^ t161; const V t163 = t132 ^ t162; const V t164 = t59 ^ t161;
    const V t165 = t119 ^ t164; const V t166 = t165 ^ t149; const V t167 = t150 ^ t163;
    const V t168 = t92 ^ t163; const V t169 = t167 ^ t115; const V t170 = t52 ^ t168;
    const V t171 = t169 ^ t58; const V t172 = t106 ^ t170; const V t173 = t166 ^ x[1];
    const V t174 = t128 ^ t173; const V t175 = x[99] ^ x[35]; const V t176 = t171 ^ t175;
    y[0] = t155; y[1] = t174; y[2] = t172; y[3] = t125; y[4] = t159; y[5] = t100; y[6] = t135;
    y[7] = t176;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
