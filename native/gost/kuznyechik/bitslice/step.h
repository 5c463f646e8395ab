// Made by circuits.py. One step of the register R on planes.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// From the planes of sixteen bytes, the oldest first, those of the next. 177 gates.
template <typename V>
[[gnu::always_inline]] inline void step(const V* x, V* y) {
    const V t0 = x[86] ^ x[54]; const V t1 = x[111] ^ x[31]; const V t2 = x[97] ^ x[33];
    const V t3 = x[83] ^ x[51]; const V t4 = x[103] ^ x[39]; const V t5 = x[121] ^ x[9];
    const V t6 = x[87] ^ x[55]; const V t7 = x[85] ^ x[53]; const V t8 = x[61] ^ x[77];
    const V t9 = x[125] ^ x[13]; const V t10 = x[93] ^ x[45]; const V t11 = x[92] ^ x[44];
    const V t12 = t10 ^ t7; const V t13 = x[94] ^ x[46]; const V t14 = t2 ^ t11;
    const V t15 = t1 ^ t12; const V t16 = t13 ^ t0; const V t17 = t6 ^ t9;
    const V t18 = x[84] ^ x[52]; const V t19 = t14 ^ t8; const V t20 = t0 ^ t17;
    const V t21 = t20 ^ t3; const V t22 = t11 ^ t18; const V t23 = x[107] ^ x[27];
    const V t24 = t5 ^ x[64]; const V t25 = t23 ^ t15; const V t26 = x[60] ^ x[76];
    const V t27 = t21 ^ t24; const V t28 = t26 ^ t15; const V t29 = t3 ^ x[70];
    const V t30 = t24 ^ x[68]; const V t31 = x[118] ^ x[22]; const V t32 = t31 ^ t4;
    const V t33 = x[95] ^ x[47]; const V t34 = t33 ^ t30; const V t35 = t34 ^ x[66];
    const V t36 = t32 ^ t30; const V t37 = x[123] ^ x[11]; const V t38 = t37 ^ t35;
    const V t39 = t17 ^ t38; const V t40 = x[59] ^ x[75]; const V t41 = t40 ^ t39;
    const V t42 = t25 ^ t39; const V t43 = x[112] ^ x[16]; const V t44 = t42 ^ t43;
    const V t45 = x[127] ^ x[15]; const V t46 = x[119] ^ x[23]; const V t47 = t46 ^ x[70];
    const V t48 = t45 ^ t47; const V t49 = t16 ^ x[65]; const V t50 = t48 ^ t49;
    const V t51 = t50 ^ x[5]; const V t52 = t51 ^ t44; const V t53 = t19 ^ t52;
    const V t54 = x[122] ^ x[10]; const V t55 = t54 ^ t49; const V t56 = t46 ^ t29;
    const V t57 = x[110] ^ x[30]; const V t58 = t57 ^ t22; const V t59 = x[90] ^ x[42];
    const V t60 = t59 ^ t22; const V t61 = x[102] ^ x[38]; const V t62 = t61 ^ t59;
    const V t63 = x[117] ^ x[21]; const V t64 = t63 ^ t62; const V t65 = x[105] ^ x[25];
    const V t66 = t65 ^ t56; const V t67 = t58 ^ t66; const V t68 = t64 ^ t67;
    const V t69 = t68 ^ t12; const V t70 = x[109] ^ x[29]; const V t71 = t70 ^ t45;
    const V t72 = x[91] ^ x[43]; const V t73 = t72 ^ x[71]; const V t74 = t70 ^ t73;
    const V t75 = t74 ^ x[3]; const V t76 = t69 ^ t75; const V t77 = t41 ^ t76;
    const V t78 = t73 ^ x[69]; const V t79 = t32 ^ t78; const V t80 = t16 ^ t79;
    const V t81 = x[126] ^ x[14]; const V t82 = t81 ^ t25; const V t83 = t64 ^ t82;
    const V t84 = t81 ^ t55; const V t85 = t28 ^ t84; const V t86 = t58 ^ x[4];
    const V t87 = x[106] ^ x[26]; const V t88 = t87 ^ t67; const V t89 = t10 ^ t88;
    const V t90 = x[56] ^ x[72]; const V t91 = t90 ^ t88; const V t92 = t36 ^ t91;
    const V t93 = x[96] ^ x[32]; const V t94 = t85 ^ t93; const V t95 = t79 ^ x[67];
    const V t96 = x[120] ^ x[8]; const V t97 = t96 ^ t95; const V t98 = t87 ^ t97;
    const V t99 = t98 ^ x[64]; const V t100 = t99 ^ t94; const V t101 = x[124] ^ x[12];
    const V t102 = t86 ^ t101; const V t103 = t102 ^ t100; const V t104 = x[116] ^ x[20];
    const V t105 = t104 ^ t71; const V t106 = x[101] ^ x[37]; const V t107 = t106 ^ t105;
    const V t108 = t107 ^ t55; const V t109 = t6 ^ t108; const V t110 = t101 ^ t107;
    const V t111 = t33 ^ t101; const V t112 = t81 ^ t109; const V t113 = x[108] ^ x[28];
    const V t114 = x[82] ^ x[50]; const V t115 = t113 ^ t114; const V t116 = t113 ^ x[0];
    const V t117 = x[104] ^ x[24]; const V t118 = t116 ^ t117; const V t119 = t118 ^ t72;
    const V t120 = t112 ^ t119; const V t121 = t117 ^ t115; const V t122 = t97 ^ t121;
    const V t123 = t29 ^ t115; const V t124 = t111 ^ t122; const V t125 = t60 ^ t124;
    const V t126 = t56 ^ x[2]; const V t127 = x[89] ^ x[41]; const V t128 = x[58] ^ x[74];
    const V t129 = t127 ^ t128; const V t130 = t129 ^ t109; const V t131 = t130 ^ t126;
    const V t132 = t131 ^ t125; const V t133 = x[115] ^ x[19]; const V t134 = x[100] ^ x[36];
    const V t135 = t133 ^ t134; const V t136 = t127 ^ t135; const V t137 = x[81] ^ x[49];
    const V t138 = t137 ^ t136; const V t139 = t92 ^ t138; const V t140 = t139 ^ t120;
    const V t141 = x[88] ^ x[40]; const V t142 = t65 ^ t141; const V t143 = t142 ^ t135;
    const V t144 = t143 ^ t71; const V t145 = t141 ^ t138; const V t146 = t38 ^ t145;
    const V t147 = x[63] ^ x[79]; const V t148 = t147 ^ x[7]; const V t149 = x[113] ^ x[17];
    const V t150 = t145 ^ t149; const V t151 = t150 ^ t35; const V t152 = x[57] ^ x[73];
    const V t153 = t148 ^ t83; const V t154 = t153 ^ t122; const V t155 = x[98] ^ x[34];
    const V t156 = x[80] ^ x[48]; const V t157 = t146 ^ t123; const V t158 = t151 ^ t95;
    const V t159 = t154 ^ t144; const V t160 = x[99] ^ x[35]; const V t161 = x[114] ^ x[18];
    const V t162 = t161 ^ t156; const V t163 = t158 ^ t156; const V t164 = t155 ^ t89;
    const V t165 = t162 ^ t27; const V t166 = t110 ^ t163; const V t167 = x[62] ^ x[78];
    const V t168 = t152 ^ t83; const V t169 = t159 ^ t165; const V t170 = t157 ^ t168;
    const V t171 = t167 ^ x[6]; const V t172 = t171 ^ t166; const V t173 = t169 ^ t160;
    const V t174 = t164 ^ t172; const V t175 = t170 ^ x[1]; const V t176 = t80 ^ t175; y[0] = t140;
    y[1] = t176; y[2] = t132; y[3] = t77; y[4] = t103; y[5] = t53; y[6] = t174; y[7] = t173;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
