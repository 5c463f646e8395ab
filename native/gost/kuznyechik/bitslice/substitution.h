// Made by circuits.py. The S-box on the eight planes of a byte.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// pi(x) + pi(0). 230 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute(const V* x, V* y) {
    const V t0 = x[1] ^ x[3]; const V t1 = x[4] ^ x[7]; const V t2 = x[2] ^ x[6];
    const V t3 = t2 ^ x[5]; const V t4 = t0 ^ x[4]; const V t5 = t0 ^ x[7]; const V t6 = t1 ^ x[5];
    const V t7 = t5 ^ t3; const V t8 = t2 ^ t4; const V t9 = t4 ^ x[6]; const V t10 = t9 ^ x[5];
    const V t11 = t2 ^ x[0]; const V t12 = t6 ^ x[1]; const V t13 = x[0] ^ x[1];
    const V t14 = t13 ^ t3; const V t15 = t14 ^ x[4]; const V t16 = x[3] ^ x[6];
    const V t17 = t1 & x[5]; const V t18 = t1 ^ t16; const V t19 = t16 ^ x[7];
    const V t20 = t1 ^ t3; const V t21 = t11 ^ x[7]; const V t22 = t1 ^ t11; const V t23 = t1 & t20;
    const V t24 = t17 ^ t23; const V t25 = t1 | t20; const V t26 = t20 & x[5];
    const V t27 = t5 ^ x[5]; const V t28 = t1 & t27; const V t29 = t27 ^ x[0];
    const V t30 = t29 ^ x[2]; const V t31 = t1 & t26; const V t32 = t31 ^ x[5];
    const V t33 = t20 ^ t32; const V t34 = t27 & x[5]; const V t35 = t1 & t34;
    const V t36 = t23 ^ t35; const V t37 = t17 ^ t35; const V t38 = t1 ^ t33;
    const V t39 = t33 ^ t36; const V t40 = t26 ^ t37; const V t41 = t20 & t34;
    const V t42 = t41 ^ t27; const V t43 = t34 ^ t42; const V t44 = t37 ^ t43;
    const V t45 = t33 ^ t44; const V t46 = t21 & t45; const V t47 = t20 & t27;
    const V t48 = t47 ^ t42; const V t49 = t34 ^ t47; const V t50 = t1 & t47;
    const V t51 = t50 ^ t32; const V t52 = t20 ^ t50; const V t53 = t51 ^ t43;
    const V t54 = t51 ^ t24; const V t55 = t49 ^ t54; const V t56 = t12 & t55;
    const V t57 = t38 ^ t48; const V t58 = t26 ^ t57; const V t59 = t48 ^ t52;
    const V t60 = t36 ^ t59; const V t61 = t15 & t60; const V t62 = t28 ^ t38;
    const V t63 = t24 ^ t62; const V t64 = t26 ^ t28; const V t65 = t19 & t63;
    const V t66 = t64 ^ t53; const V t67 = t30 & t66; const V t68 = t49 ^ t64;
    const V t69 = t68 ^ t39; const V t70 = t18 & t69; const V t71 = t1 ^ t49;
    const V t72 = t71 ^ t40; const V t73 = t28 ^ t71; const V t74 = t52 ^ t73;
    const V t75 = t10 & t74; const V t76 = t72 & x[4]; const V t77 = t22 & t58;
    const V t78 = t76 ^ t65; const V t79 = t76 ^ t56; const V t80 = t67 ^ t79;
    const V t81 = t77 ^ t70; const V t82 = t75 ^ t81; const V t83 = t77 ^ t80;
    const V t84 = t82 ^ t78; const V t85 = t46 ^ t56; const V t86 = t46 ^ t82;
    const V t87 = t81 ^ t85; const V t88 = t80 ^ t86; const V t89 = t61 ^ t88;
    const V t90 = t83 & t89; const V t91 = t87 ^ t90; const V t92 = t91 ^ t89;
    const V t93 = t89 & t84; const V t94 = t83 & t87; const V t95 = t27 | x[5];
    const V t96 = t95 | t25; const V t97 = ~t96 & t10; const V t98 = ~t96 & t22;
    const V t99 = ~t96 & t19; const V t100 = ~t96 & x[4]; const V t101 = t89 & t87;
    const V t102 = t89 & t94; const V t103 = t94 ^ t102; const V t104 = t100 & t99;
    const V t105 = t98 & t99; const V t106 = t97 ^ t105; const V t107 = t104 ^ t106;
    const V t108 = t107 ^ t101; const V t109 = t108 ^ t87; const V t110 = t87 & t84;
    const V t111 = t100 & t97; const V t112 = t111 ^ t104; const V t113 = t89 ^ t110;
    const V t114 = t98 & t97; const V t115 = t114 ^ t108; const V t116 = t99 & t114;
    const V t117 = t98 ^ t111; const V t118 = t116 ^ t117; const V t119 = t99 & t111;
    const V t120 = t119 ^ t83; const V t121 = t98 & t100; const V t122 = t121 ^ t113;
    const V t123 = t97 & t99; const V t124 = t123 ^ t122; const V t125 = t97 & t121;
    const V t126 = t125 ^ t109; const V t127 = t126 ^ t124; const V t128 = t99 & t121;
    const V t129 = t92 ^ t110; const V t130 = t128 ^ t93; const V t131 = t122 ^ t130;
    const V t132 = t112 ^ t131; const V t133 = t128 ^ t118; const V t134 = t89 & t110;
    const V t135 = t120 ^ t134; const V t136 = t93 ^ t134; const V t137 = t136 ^ t101;
    const V t138 = t137 ^ t129; const V t139 = t127 ^ t135; const V t140 = t100 ^ t139;
    const V t141 = t130 ^ t140; const V t142 = t83 & t110; const V t143 = t83 & t84;
    const V t144 = t103 ^ t143; const V t145 = t89 & t142; const V t146 = t89 & t143;
    const V t147 = t103 ^ t146; const V t148 = t143 ^ t146; const V t149 = t147 ^ t138;
    const V t150 = t149 & t5; const V t151 = t147 ^ t84; const V t152 = t148 ^ t142;
    const V t153 = t148 ^ t84; const V t154 = t92 ^ t153; const V t155 = t145 ^ t137;
    const V t156 = t137 ^ t152; const V t157 = t156 & t6; const V t158 = t152 ^ t110;
    const V t159 = t155 ^ t110; const V t160 = t155 ^ t142; const V t161 = t92 ^ t160;
    const V t162 = t160 ^ t151; const V t163 = t8 & t162; const V t164 = t145 ^ t158;
    const V t165 = t144 ^ t161; const V t166 = t145 ^ t84; const V t167 = t144 ^ t166;
    const V t168 = t167 & t7; const V t169 = t165 & t27; const V t170 = t169 ^ t157;
    const V t171 = t164 & x[5]; const V t172 = t1 & t159; const V t173 = t172 ^ t27;
    const V t174 = t154 ^ t159; const V t175 = t174 & t3; const V t176 = t154 & t20;
    const V t177 = t176 ^ t170; const V t178 = t1 ^ t177; const V t179 = t170 ^ x[5];
    const V t180 = t171 ^ t177; const V t181 = t173 ^ t180; const V t182 = t171 ^ t175;
    const V t183 = t163 ^ t182; const V t184 = t169 ^ t183; const V t185 = t184 ^ t20;
    const V t186 = t183 ^ t178; const V t187 = t150 ^ t175; const V t188 = t150 ^ t186;
    const V t189 = t187 ^ t179; const V t190 = t168 ^ t188; const V t191 = t185 & t190;
    const V t192 = t185 & t181; const V t193 = t189 & t190; const V t194 = t192 ^ t193;
    const V t195 = t190 & t192; const V t196 = t181 ^ t194; const V t197 = t189 & t181;
    const V t198 = t181 & t190; const V t199 = t198 ^ t99; const V t200 = t190 ^ t197;
    const V t201 = t195 ^ t200; const V t202 = t201 ^ t118; const V t203 = t185 ^ t202;
    const V t204 = t127 ^ t203; const V t205 = t204 ^ t199; const V t206 = t189 & t185;
    const V t207 = t206 ^ t191; const V t208 = t190 & t206; const V t209 = t190 & t197;
    const V t210 = t209 ^ t207; const V t211 = t185 & t197; const V t212 = t189 ^ t211;
    const V t213 = t210 ^ t205; const V t214 = t185 ^ t208; const V t215 = t198 ^ t208;
    const V t216 = t189 ^ t215; const V t217 = t216 ^ t196; const V t218 = t200 ^ t217;
    const V t219 = t210 ^ t212; const V t220 = t212 ^ t201; const V t221 = t215 ^ t220;
    const V t222 = t219 ^ t194; const V t223 = t219 ^ t214; const V t224 = t201 ^ t222;
    const V t225 = t223 ^ t84; const V t226 = t225 ^ t133; const V t227 = t115 ^ t226;
    const V t228 = t224 ^ t132; const V t229 = t99 ^ t228; y[0] = t218; y[1] = t213; y[2] = t229;
    y[3] = t221; y[4] = t227; y[5] = t141; y[6] = t224; y[7] = t223;
}

// The byte y with pi(y) = x + pi(0). 205 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute_back(const V* x, V* y) {
    const V t0 = x[6] ^ x[7]; const V t1 = t0 ^ x[3]; const V t2 = t1 & x[6];
    const V t3 = x[0] | x[7]; const V t4 = x[0] & x[7]; const V t5 = x[1] ^ x[3];
    const V t6 = x[6] & x[7]; const V t7 = t6 ^ t1; const V t8 = t6 & t1; const V t9 = t8 ^ x[0];
    const V t10 = t2 ^ t9; const V t11 = x[0] & x[6]; const V t12 = t5 ^ x[5];
    const V t13 = t12 ^ x[4]; const V t14 = t4 & t1; const V t15 = t11 ^ t14;
    const V t16 = t11 & t1; const V t17 = t16 ^ t7; const V t18 = t1 & x[7];
    const V t19 = t1 | x[6]; const V t20 = t3 | t19; const V t21 = t17 ^ x[7];
    const V t22 = t18 ^ t15; const V t23 = t22 ^ t10; const V t24 = t22 ^ x[7];
    const V t25 = t17 ^ x[6]; const V t26 = t17 ^ t23; const V t27 = t10 ^ t25;
    const V t28 = t25 ^ t24; const V t29 = t24 ^ x[6]; const V t30 = t27 ^ x[7];
    const V t31 = t4 & x[6]; const V t32 = t4 ^ t31; const V t33 = t18 ^ t32;
    const V t34 = t15 ^ t32; const V t35 = t34 ^ t21; const V t36 = t34 ^ t27;
    const V t37 = t25 ^ t33; const V t38 = t33 ^ x[6]; const V t39 = x[5] ^ x[6];
    const V t40 = t39 ^ x[2]; const V t41 = t40 ^ x[4]; const V t42 = t41 ^ t5;
    const V t43 = t41 ^ x[7]; const V t44 = t42 & t43; const V t45 = t13 & t42;
    const V t46 = t40 & t42; const V t47 = t44 & t13; const V t48 = t44 ^ t42;
    const V t49 = t45 ^ t47; const V t50 = t40 & t13; const V t51 = t40 ^ t50;
    const V t52 = t46 ^ t13; const V t53 = t47 ^ t42; const V t54 = t53 ^ t50;
    const V t55 = t50 ^ t43; const V t56 = t40 & t43; const V t57 = t40 & t47;
    const V t58 = t40 ^ t55; const V t59 = t56 ^ t42; const V t60 = t56 ^ t57;
    const V t61 = t57 ^ t13; const V t62 = t58 ^ t48; const V t63 = t58 ^ t45;
    const V t64 = t13 & t43; const V t65 = t55 ^ t64; const V t66 = t59 ^ t13;
    const V t67 = t65 ^ t66; const V t68 = t59 ^ t45; const V t69 = t65 ^ t46;
    const V t70 = t69 ^ t48; const V t71 = t40 & t45; const V t72 = t54 ^ t43;
    const V t73 = t40 & t64; const V t74 = t40 & t44; const V t75 = t46 ^ t74;
    const V t76 = t56 ^ t13; const V t77 = t44 ^ t56; const V t78 = t44 ^ t73;
    const V t79 = t45 ^ t74; const V t80 = t73 ^ t71; const V t81 = t80 ^ t74;
    const V t82 = t81 ^ t47; const V t83 = t47 ^ t71; const V t84 = t82 ^ t68;
    const V t85 = t82 ^ t62; const V t86 = t77 ^ t82; const V t87 = t86 ^ t13;
    const V t88 = t86 ^ t69; const V t89 = t64 ^ t87; const V t90 = t88 ^ t45;
    const V t91 = t40 ^ t89; const V t92 = t45 ^ t71; const V t93 = t71 ^ t76;
    const V t94 = t40 ^ t93; const V t95 = t94 ^ t78; const V t96 = t93 ^ t54;
    const V t97 = ~t20 & t96; const V t98 = t95 ^ t72; const V t99 = t79 ^ t98;
    const V t100 = ~t20 & t95; const V t101 = ~t20 & t93; const V t102 = ~t20 & t99;
    const V t103 = t92 ^ t51; const V t104 = t78 ^ t51; const V t105 = t92 ^ t43;
    const V t106 = t78 ^ t75; const V t107 = t76 ^ t75; const V t108 = t76 ^ t42;
    const V t109 = t105 ^ t106; const V t110 = t61 ^ t106; const V t111 = t83 ^ t110;
    const V t112 = t26 & t111; const V t113 = t83 ^ t108; const V t114 = t42 ^ t109;
    const V t115 = t23 & t114; const V t116 = t73 ^ t61; const V t117 = t103 ^ t42;
    const V t118 = t117 ^ t116; const V t119 = t44 ^ t113; const V t120 = t44 ^ t105;
    const V t121 = t28 & t119; const V t122 = t60 ^ t120; const V t123 = t103 ^ t107;
    const V t124 = t36 & t123; const V t125 = t29 & t122; const V t126 = t49 ^ t107;
    const V t127 = t35 ^ t124; const V t128 = t35 & t118; const V t129 = t30 ^ t128;
    const V t130 = t104 ^ t60; const V t131 = t49 ^ t130; const V t132 = t38 & t131;
    const V t133 = t73 ^ t43; const V t134 = t104 ^ t43; const V t135 = t108 ^ t134;
    const V t136 = t126 ^ t133; const V t137 = t30 & t136; const V t138 = t37 & t135;
    const V t139 = t77 ^ t63; const V t140 = t63 ^ t52; const V t141 = t77 ^ t52;
    const V t142 = t125 ^ t121; const V t143 = t28 ^ t121; const V t144 = t28 ^ t125;
    const V t145 = t127 ^ t29; const V t146 = t29 ^ t112; const V t147 = t127 ^ t112;
    const V t148 = t146 ^ t132; const V t149 = t144 ^ t137; const V t150 = t149 ^ t115;
    const V t151 = t150 ^ t132; const V t152 = t132 ^ t138; const V t153 = t151 & t91;
    const V t154 = t142 ^ t115; const V t155 = t142 ^ t129; const V t156 = t155 ^ t148;
    const V t157 = t156 & t139; const V t158 = t152 ^ t129; const V t159 = t152 ^ t137;
    const V t160 = t158 ^ t115; const V t161 = t144 ^ t158; const V t162 = t143 ^ t160;
    const V t163 = t162 & t90; const V t164 = t145 ^ t161; const V t165 = t164 & t84;
    const V t166 = t165 ^ t97; const V t167 = t153 ^ t166; const V t168 = t154 ^ t145;
    const V t169 = t168 & t70; const V t170 = t137 ^ t138; const V t171 = t155 ^ t170;
    const V t172 = t157 ^ t169; const V t173 = t154 ^ t159; const V t174 = t159 ^ t146;
    const V t175 = t174 & t141; const V t176 = t171 & t140; const V t177 = t171 ^ t100;
    const V t178 = t100 ^ t172; const V t179 = t147 ^ t138; const V t180 = t143 ^ t179;
    const V t181 = t147 ^ t173; const V t182 = t180 & t85; const V t183 = t181 & t67;
    const V t184 = t176 ^ t182; const V t185 = t176 ^ t183; const V t186 = t101 ^ t184;
    const V t187 = t186 ^ t172; const V t188 = t186 ^ t167; const V t189 = t163 ^ t177;
    const V t190 = t184 ^ t189; const V t191 = t177 ^ t188; const V t192 = t181 ^ t167;
    const V t193 = t174 ^ t192; const V t194 = t178 ^ t193; const V t195 = t181 ^ t187;
    const V t196 = t174 ^ t175; const V t197 = t151 ^ t196; const V t198 = t175 ^ t190;
    const V t199 = t181 ^ t198; const V t200 = t190 ^ t197; const V t201 = t197 ^ t185;
    const V t202 = t153 ^ t201; const V t203 = t102 ^ t202; const V t204 = t169 ^ t203; y[0] = t204;
    y[1] = t194; y[2] = t200; y[3] = t191; y[4] = t187; y[5] = t174; y[6] = t199; y[7] = t195;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
