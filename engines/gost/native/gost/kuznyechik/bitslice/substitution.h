// Made by circuits.py. The S-box on the eight planes of a byte.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// pi(x) + pi(0). 230 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute(const V* x, V* y) {
    const V t0 = x[1] ^ x[3]; const V t1 = x[4] ^ x[7]; const V t2 = t0 ^ x[7];
    const V t3 = x[2] ^ x[6]; const V t4 = t3 ^ x[5]; const V t5 = t2 ^ x[5]; const V t6 = t1 ^ t4;
    const V t7 = t1 & t6; const V t8 = t5 & x[5]; const V t9 = t6 & t8; const V t10 = t1 & x[5];
    const V t11 = t1 & t8; const V t12 = t9 ^ t5; const V t13 = t7 ^ t11; const V t14 = t10 ^ t11;
    const V t15 = t8 ^ t12; const V t16 = t10 ^ t7; const V t17 = t6 & t5; const V t18 = t17 ^ t12;
    const V t19 = t8 ^ t17; const V t20 = t0 ^ x[4]; const V t21 = t1 & t17;
    const V t22 = t6 & x[5]; const V t23 = t1 & t22; const V t24 = t23 ^ x[5];
    const V t25 = t6 ^ t21; const V t26 = t21 ^ t24; const V t27 = t6 ^ t24;
    const V t28 = t14 ^ t15; const V t29 = t26 ^ t15; const V t30 = t26 ^ t16;
    const V t31 = t27 ^ t28; const V t32 = t22 ^ t14; const V t33 = t18 ^ t25;
    const V t34 = t13 ^ t33; const V t35 = t27 ^ t13; const V t36 = t1 ^ t27;
    const V t37 = t36 ^ t18; const V t38 = t22 ^ t37; const V t39 = t1 & t5;
    const V t40 = t39 ^ t36; const V t41 = t16 ^ t40; const V t42 = t22 ^ t39;
    const V t43 = t42 ^ t29; const V t44 = t19 ^ t42; const V t45 = t44 ^ t35;
    const V t46 = t19 ^ t30; const V t47 = t1 ^ t19; const V t48 = t47 ^ t32;
    const V t49 = t39 ^ t47; const V t50 = t25 ^ t49; const V t51 = t48 & x[4];
    const V t52 = t5 ^ x[0]; const V t53 = t52 ^ x[2]; const V t54 = t53 & t43;
    const V t55 = x[0] ^ x[1]; const V t56 = t55 ^ t4; const V t57 = t56 ^ x[4];
    const V t58 = t57 & t34; const V t59 = t20 ^ x[6]; const V t60 = t59 ^ x[5];
    const V t61 = t60 & t50; const V t62 = t3 ^ x[0]; const V t63 = t3 ^ t20;
    const V t64 = t1 ^ x[5]; const V t65 = t64 ^ x[1]; const V t66 = t65 & t46;
    const V t67 = t51 ^ t66; const V t68 = t54 ^ t67; const V t69 = t62 ^ x[7];
    const V t70 = t69 & t31; const V t71 = t70 ^ t66; const V t72 = x[3] ^ x[6];
    const V t73 = t1 ^ t72; const V t74 = t73 & t45; const V t75 = t72 ^ x[7];
    const V t76 = t75 & t41; const V t77 = t51 ^ t76; const V t78 = t1 ^ t62;
    const V t79 = t78 & t38; const V t80 = t79 ^ t74; const V t81 = t61 ^ t80;
    const V t82 = t80 ^ t71; const V t83 = t70 ^ t81; const V t84 = t81 ^ t77;
    const V t85 = t79 ^ t68; const V t86 = t68 ^ t83; const V t87 = t58 ^ t86;
    const V t88 = t85 & t82; const V t89 = t87 & t88; const V t90 = t88 ^ t89;
    const V t91 = t85 & t84; const V t92 = t90 ^ t91; const V t93 = t87 & t91;
    const V t94 = t91 ^ t93; const V t95 = t90 ^ t93; const V t96 = t85 & t87;
    const V t97 = t82 ^ t96; const V t98 = t97 ^ t87; const V t99 = t82 & t84;
    const V t100 = t94 ^ t84; const V t101 = t98 ^ t100; const V t102 = t85 & t99;
    const V t103 = t94 ^ t102; const V t104 = t87 & t84; const V t105 = t87 & t82;
    const V t106 = t87 & t99; const V t107 = t104 ^ t106; const V t108 = t107 ^ t105;
    const V t109 = t108 ^ t103; const V t110 = t109 & t64; const V t111 = t103 ^ t99;
    const V t112 = t98 ^ t99; const V t113 = t108 ^ t112; const V t114 = t87 & t102;
    const V t115 = t114 ^ t108; const V t116 = t87 ^ t99; const V t117 = t115 ^ t99;
    const V t118 = t115 ^ t102; const V t119 = t95 ^ t113; const V t120 = t98 ^ t118;
    const V t121 = t95 ^ t84; const V t122 = t118 ^ t121; const V t123 = t63 & t122;
    const V t124 = t114 ^ t111; const V t125 = t92 ^ t120; const V t126 = t114 ^ t84;
    const V t127 = t92 ^ t126; const V t128 = t119 & t2; const V t129 = t2 ^ t4;
    const V t130 = t127 & t129; const V t131 = t124 & x[5]; const V t132 = t101 ^ t117;
    const V t133 = t132 & t4; const V t134 = t125 & t5; const V t135 = t1 & t117;
    const V t136 = t101 & t6; const V t137 = t131 ^ t133; const V t138 = t123 ^ t137;
    const V t139 = t134 ^ t110; const V t140 = t135 ^ t5; const V t141 = t136 ^ t139;
    const V t142 = t131 ^ t141; const V t143 = t140 ^ t142; const V t144 = t1 ^ t141;
    const V t145 = t138 ^ t144; const V t146 = t134 ^ t138; const V t147 = t128 ^ t145;
    const V t148 = t130 ^ t147; const V t149 = t128 ^ t133; const V t150 = t1 | t6;
    const V t151 = t146 ^ t6; const V t152 = t5 | x[5]; const V t153 = t152 | t150;
    const V t154 = t139 ^ x[5]; const V t155 = t149 ^ t154; const V t156 = ~t153 & t75;
    const V t157 = ~t153 & t60; const V t158 = ~t153 & t78; const V t159 = ~t153 & x[4];
    const V t160 = t151 & t143; const V t161 = t155 & t148; const V t162 = t160 ^ t161;
    const V t163 = t148 & t160; const V t164 = t151 & t148; const V t165 = t155 & t151;
    const V t166 = t165 ^ t164; const V t167 = t148 & t165; const V t168 = t155 & t143;
    const V t169 = t148 & t168; const V t170 = t169 ^ t166; const V t171 = t148 ^ t168;
    const V t172 = t151 & t168; const V t173 = t143 & t148; const V t174 = t143 ^ t162;
    const V t175 = t155 ^ t172; const V t176 = t173 ^ t167; const V t177 = t155 ^ t176;
    const V t178 = t177 ^ t174; const V t179 = t171 ^ t178; const V t180 = t163 ^ t171;
    const V t181 = t175 ^ t180; const V t182 = t176 ^ t181; const V t183 = t170 ^ t175;
    const V t184 = t151 ^ t167; const V t185 = t183 ^ t184; const V t186 = t183 ^ t162;
    const V t187 = t185 ^ t84; const V t188 = t159 & t157; const V t189 = t156 & t188;
    const V t190 = t189 ^ t85; const V t191 = t190 ^ t106; const V t192 = t158 & t156;
    const V t193 = t157 ^ t192; const V t194 = t159 & t156; const V t195 = t194 ^ t193;
    const V t196 = t195 ^ t105; const V t197 = t196 ^ t82; const V t198 = t188 ^ t194;
    const V t199 = t158 ^ t188; const V t200 = t158 & t159; const V t201 = t158 & t157;
    const V t202 = t201 ^ t196; const V t203 = t156 & t201; const V t204 = t203 ^ t199;
    const V t205 = t200 ^ t116; const V t206 = t157 & t200; const V t207 = t206 ^ t197;
    const V t208 = t157 & t156; const V t209 = t208 ^ t205; const V t210 = t207 ^ t209;
    const V t211 = t210 ^ t191; const V t212 = t159 ^ t211; const V t213 = t156 & t200;
    const V t214 = t213 ^ t104; const V t215 = t205 ^ t214; const V t216 = t198 ^ t215;
    const V t217 = t173 ^ t156; const V t218 = t180 ^ t186; const V t219 = t180 ^ t204;
    const V t220 = t151 ^ t219; const V t221 = t213 ^ t204; const V t222 = t218 ^ t216;
    const V t223 = t156 ^ t222; const V t224 = t210 ^ t220; const V t225 = t187 ^ t221;
    const V t226 = t224 ^ t217; const V t227 = t170 ^ t226; const V t228 = t202 ^ t225;
    const V t229 = t214 ^ t212; y[0] = t179; y[1] = t227; y[2] = t223; y[3] = t182; y[4] = t228;
    y[5] = t229; y[6] = t218; y[7] = t185;
}

// The byte y with pi(y) = x + pi(0). 205 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute_back(const V* x, V* y) {
    const V t0 = x[6] ^ x[7]; const V t1 = x[0] & x[6]; const V t2 = x[1] ^ x[3];
    const V t3 = t0 ^ x[3]; const V t4 = t2 ^ x[5]; const V t5 = x[5] ^ x[6];
    const V t6 = x[6] & x[7]; const V t7 = x[0] & x[7]; const V t8 = t3 & x[7];
    const V t9 = t6 & t3; const V t10 = t9 ^ x[0]; const V t11 = t1 & t3; const V t12 = t3 & x[6];
    const V t13 = t3 | x[6]; const V t14 = t7 & x[6]; const V t15 = t7 & t3; const V t16 = t7 ^ t14;
    const V t17 = t6 ^ t3; const V t18 = t5 ^ x[2]; const V t19 = t18 ^ x[4];
    const V t20 = t11 ^ t17; const V t21 = t1 ^ t15; const V t22 = t20 ^ x[6];
    const V t23 = t4 ^ x[4]; const V t24 = t12 ^ t10; const V t25 = t20 ^ x[7];
    const V t26 = t21 ^ t16; const V t27 = t8 ^ t21; const V t28 = t27 ^ t24;
    const V t29 = t20 ^ t28; const V t30 = t24 ^ t22; const V t31 = t26 ^ t25;
    const V t32 = t27 ^ x[7]; const V t33 = t8 ^ t16; const V t34 = t19 ^ t2;
    const V t35 = t18 & t23; const V t36 = t26 ^ t30; const V t37 = t30 ^ x[7];
    const V t38 = t19 ^ x[7]; const V t39 = t23 & t34; const V t40 = t18 & t39;
    const V t41 = t39 ^ t40; const V t42 = t18 ^ t35; const V t43 = t41 ^ t38;
    const V t44 = t41 ^ t42; const V t45 = t34 & t38; const V t46 = t18 & t38;
    const V t47 = t18 & t34; const V t48 = t46 ^ t23; const V t49 = t18 & t45;
    const V t50 = t47 ^ t49; const V t51 = t48 ^ t50; const V t52 = t44 ^ t34;
    const V t53 = t44 ^ t51; const V t54 = t36 & t53; const V t55 = t31 ^ t54;
    const V t56 = t23 & t38; const V t57 = t18 & t56; const V t58 = t45 ^ t57;
    const V t59 = t58 ^ t42; const V t60 = t58 ^ t50; const V t61 = t43 ^ t60;
    const V t62 = t34 ^ t61; const V t63 = t28 & t62; const V t64 = t45 & t23;
    const V t65 = t18 & t64; const V t66 = t65 ^ t23; const V t67 = t66 ^ t60;
    const V t68 = t57 ^ t66; const V t69 = t52 ^ t68; const V t70 = t31 & t69;
    const V t71 = t46 ^ t65; const V t72 = t37 ^ t70; const V t73 = t64 ^ t40;
    const V t74 = t73 ^ t67; const V t75 = t29 & t74; const V t76 = t45 ^ t43;
    const V t77 = t71 ^ t76; const V t78 = t59 ^ t71; const V t79 = t39 ^ t64;
    const V t80 = t79 ^ t78; const V t81 = t79 ^ t51; const V t82 = t57 ^ t38;
    const V t83 = t81 ^ t82; const V t84 = t37 & t83; const V t85 = t59 ^ t38;
    const V t86 = t40 ^ t48; const V t87 = t57 ^ t40; const V t88 = t48 ^ t34;
    const V t89 = t73 ^ t88; const V t90 = t88 ^ t85; const V t91 = t33 ^ x[6];
    const V t92 = t91 & t80; const V t93 = t22 ^ t33; const V t94 = t93 & t90;
    const V t95 = t45 ^ t89; const V t96 = t22 ^ t32; const V t97 = t96 & t95;
    const V t98 = t32 ^ x[6]; const V t99 = t98 & t77; const V t100 = t55 ^ t98;
    const V t101 = t55 ^ t75; const V t102 = t98 ^ t75; const V t103 = t96 ^ t99;
    const V t104 = t96 ^ t97; const V t105 = t99 ^ t97; const V t106 = t105 ^ t63;
    const V t107 = t105 ^ t72; const V t108 = t92 ^ t94; const V t109 = t108 ^ t72;
    const V t110 = t108 ^ t84; const V t111 = t103 ^ t84; const V t112 = t103 ^ t109;
    const V t113 = t109 ^ t63; const V t114 = t111 ^ t63; const V t115 = t104 ^ t113;
    const V t116 = t84 ^ t94; const V t117 = t101 ^ t94; const V t118 = t104 ^ t117;
    const V t119 = t114 ^ t92; const V t120 = t102 ^ t92; const V t121 = t107 ^ t120;
    const V t122 = t107 ^ t116; const V t123 = t100 ^ t112; const V t124 = t110 ^ t102;
    const V t125 = t106 ^ t110; const V t126 = t106 ^ t100; const V t127 = t87 ^ t49;
    const V t128 = t101 ^ t125; const V t129 = t127 ^ t64; const V t130 = t64 ^ t34;
    const V t131 = t130 ^ t35; const V t132 = t46 ^ t34; const V t133 = t45 ^ t34;
    const V t134 = t45 ^ t46; const V t135 = t132 ^ t39; const V t136 = t129 ^ t135;
    const V t137 = t123 & t136; const V t138 = t132 ^ t23; const V t139 = t35 ^ t38;
    const V t140 = t139 ^ t56; const V t141 = t140 ^ t138; const V t142 = t140 ^ t47;
    const V t143 = t47 ^ t23; const V t144 = t142 ^ t133; const V t145 = t126 & t144;
    const V t146 = t18 ^ t139; const V t147 = t146 ^ t133; const V t148 = t129 ^ t147;
    const V t149 = t118 & t148; const V t150 = t134 ^ t129; const V t151 = t150 ^ t23;
    const V t152 = t150 ^ t142; const V t153 = t56 ^ t151; const V t154 = t152 ^ t39;
    const V t155 = t115 & t154; const V t156 = t39 ^ t49; const V t157 = t146 ^ t39;
    const V t158 = t18 ^ t153; const V t159 = t18 ^ t86; const V t160 = t159 ^ t58;
    const V t161 = t134 ^ t157; const V t162 = t121 & t161; const V t163 = t157 ^ t143;
    const V t164 = t134 ^ t143; const V t165 = t131 ^ t38; const V t166 = t160 ^ t165;
    const V t167 = t156 ^ t166; const V t168 = t86 ^ t131; const V t169 = x[0] | x[7];
    const V t170 = t169 | t13; const V t171 = ~t170 & t168; const V t172 = t137 ^ t171;
    const V t173 = ~t170 & t167; const V t174 = ~t170 & t86; const V t175 = ~t170 & t160;
    const V t176 = t128 & t141; const V t177 = t122 & t163; const V t178 = t177 ^ t176;
    const V t179 = t177 ^ t149; const V t180 = t174 ^ t179; const V t181 = t122 ^ t175;
    const V t182 = t155 ^ t181; const V t183 = t179 ^ t182; const V t184 = t124 & t164;
    const V t185 = t119 & t158; const V t186 = t124 ^ t184; const V t187 = t119 ^ t186;
    const V t188 = t185 ^ t172; const V t189 = t187 ^ t178; const V t190 = t185 ^ t189;
    const V t191 = t173 ^ t190; const V t192 = t128 ^ t188; const V t193 = t145 ^ t191;
    const V t194 = t162 ^ t145; const V t195 = t180 ^ t188; const V t196 = t180 ^ t194;
    const V t197 = t128 ^ t196; const V t198 = t175 ^ t194; const V t199 = t124 ^ t192;
    const V t200 = t184 ^ t183; const V t201 = t128 ^ t200; const V t202 = t198 ^ t199;
    const V t203 = t183 ^ t187; const V t204 = t181 ^ t195; y[0] = t193; y[1] = t202; y[2] = t203;
    y[3] = t204; y[4] = t196; y[5] = t124; y[6] = t201; y[7] = t197;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
