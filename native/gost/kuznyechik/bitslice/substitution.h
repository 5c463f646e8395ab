// Made by circuits.py. The S-box on the eight planes of a byte.
#pragma once

namespace stend::gost::kuznyechik {

// clang-format off
// pi(x) + pi(0). 230 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute(const V* x, V* y) {
    const V t0 = x[0] ^ x[1]; const V t1 = x[1] ^ x[3]; const V t2 = x[4] ^ x[7];
    const V t3 = t1 ^ x[4]; const V t4 = t1 ^ x[7]; const V t5 = t2 & x[5]; const V t6 = t4 ^ x[5];
    const V t7 = x[2] ^ x[6]; const V t8 = t6 & x[5]; const V t9 = t7 ^ x[5]; const V t10 = t2 ^ t9;
    const V t11 = t2 & t8; const V t12 = t5 ^ t11; const V t13 = t0 ^ t9; const V t14 = t2 & t10;
    const V t15 = t5 ^ t14; const V t16 = t13 ^ x[4]; const V t17 = t10 & t8;
    const V t18 = t17 ^ t6; const V t19 = t14 ^ t11; const V t20 = t10 & t6;
    const V t21 = t20 ^ t18; const V t22 = t8 ^ t18; const V t23 = t8 ^ t20; const V t24 = t2 & t20;
    const V t25 = t10 ^ t24; const V t26 = t21 ^ t25; const V t27 = t19 ^ t26;
    const V t28 = t16 & t27; const V t29 = t10 & x[5]; const V t30 = t2 & t29;
    const V t31 = t30 ^ x[5]; const V t32 = t24 ^ t31; const V t33 = t10 ^ t31;
    const V t34 = t33 ^ t19; const V t35 = t12 ^ t22; const V t36 = t32 ^ t22;
    const V t37 = t33 ^ t35; const V t38 = t29 ^ t12; const V t39 = t2 ^ t33;
    const V t40 = t32 ^ t15; const V t41 = t39 ^ t21; const V t42 = t2 & t6;
    const V t43 = t42 ^ t39; const V t44 = t15 ^ t43; const V t45 = t29 ^ t41;
    const V t46 = t29 ^ t42; const V t47 = t46 ^ t36; const V t48 = t23 ^ t46;
    const V t49 = t48 ^ t34; const V t50 = t23 ^ t40; const V t51 = t2 ^ t23;
    const V t52 = t51 ^ t38; const V t53 = t42 ^ t51; const V t54 = t25 ^ t53;
    const V t55 = t6 ^ x[0]; const V t56 = t55 ^ x[2]; const V t57 = t56 & t47;
    const V t58 = t52 & x[4]; const V t59 = x[3] ^ x[6]; const V t60 = t2 ^ t59;
    const V t61 = t60 & t49; const V t62 = t59 ^ x[7]; const V t63 = t62 & t44;
    const V t64 = t58 ^ t63; const V t65 = t2 ^ x[5]; const V t66 = t65 ^ x[1];
    const V t67 = t66 & t50; const V t68 = t58 ^ t67; const V t69 = t57 ^ t68;
    const V t70 = t7 ^ x[0]; const V t71 = t70 ^ x[7]; const V t72 = t71 & t37;
    const V t73 = t2 ^ t70; const V t74 = t73 & t45; const V t75 = t7 ^ t3; const V t76 = t72 ^ t67;
    const V t77 = t3 ^ x[6]; const V t78 = t74 ^ t61; const V t79 = t77 ^ x[5];
    const V t80 = t79 & t54; const V t81 = t80 ^ t78; const V t82 = t78 ^ t76;
    const V t83 = t72 ^ t81; const V t84 = t81 ^ t64; const V t85 = t69 ^ t83;
    const V t86 = t74 ^ t69; const V t87 = t28 ^ t85; const V t88 = t86 & t82;
    const V t89 = t87 & t88; const V t90 = t88 ^ t89; const V t91 = t86 & t87;
    const V t92 = t82 ^ t91; const V t93 = t92 ^ t87; const V t94 = t86 & t84;
    const V t95 = t87 & t94; const V t96 = t90 ^ t95; const V t97 = t90 ^ t94;
    const V t98 = t94 ^ t95; const V t99 = t98 ^ t84; const V t100 = t93 ^ t99;
    const V t101 = t82 & t84; const V t102 = t86 & t101; const V t103 = t98 ^ t102;
    const V t104 = t87 & t101; const V t105 = t87 & t82; const V t106 = t87 & t84;
    const V t107 = t106 ^ t104; const V t108 = t107 ^ t105; const V t109 = t108 ^ t103;
    const V t110 = t109 & t65; const V t111 = t93 ^ t101; const V t112 = t108 ^ t111;
    const V t113 = t96 ^ t112; const V t114 = t96 ^ t84; const V t115 = t87 & t102;
    const V t116 = t115 ^ t108; const V t117 = t116 ^ t102; const V t118 = t117 ^ t114;
    const V t119 = t75 & t118; const V t120 = t93 ^ t117; const V t121 = t116 ^ t101;
    const V t122 = t103 ^ t101; const V t123 = t87 ^ t101; const V t124 = t97 ^ t120;
    const V t125 = t115 ^ t122; const V t126 = t115 ^ t84; const V t127 = t97 ^ t126;
    const V t128 = t113 & t4; const V t129 = t4 ^ t9; const V t130 = t127 & t129;
    const V t131 = t100 ^ t121; const V t132 = t131 & t9; const V t133 = t124 & t6;
    const V t134 = t125 & x[5]; const V t135 = t133 ^ t110; const V t136 = t100 & t10;
    const V t137 = t134 ^ t132; const V t138 = t119 ^ t137; const V t139 = t133 ^ t138;
    const V t140 = t136 ^ t135; const V t141 = t134 ^ t140; const V t142 = t2 ^ t140;
    const V t143 = t138 ^ t142; const V t144 = t128 ^ t143; const V t145 = t130 ^ t144;
    const V t146 = t128 ^ t132; const V t147 = t135 ^ x[5]; const V t148 = t146 ^ t147;
    const V t149 = t139 ^ t10; const V t150 = t2 | t10; const V t151 = t2 & t121;
    const V t152 = t151 ^ t6; const V t153 = t152 ^ t141; const V t154 = t6 | x[5];
    const V t155 = t154 | t150; const V t156 = ~t155 & t79; const V t157 = ~t155 & t62;
    const V t158 = ~t155 & t73; const V t159 = ~t155 & x[4]; const V t160 = t149 & t145;
    const V t161 = t148 & t149; const V t162 = t161 ^ t160; const V t163 = t145 & t161;
    const V t164 = t148 & t153; const V t165 = t145 & t164; const V t166 = t165 ^ t162;
    const V t167 = t145 ^ t164; const V t168 = t149 & t164; const V t169 = t148 ^ t168;
    const V t170 = t149 & t153; const V t171 = t148 & t145; const V t172 = t170 ^ t171;
    const V t173 = t145 & t170; const V t174 = t153 & t145; const V t175 = t153 ^ t172;
    const V t176 = t174 ^ t163; const V t177 = t148 ^ t176; const V t178 = t177 ^ t175;
    const V t179 = t167 ^ t178; const V t180 = t173 ^ t167; const V t181 = t169 ^ t180;
    const V t182 = t176 ^ t181; const V t183 = t166 ^ t169; const V t184 = t149 ^ t163;
    const V t185 = t183 ^ t184; const V t186 = t185 ^ t84; const V t187 = t183 ^ t172;
    const V t188 = t180 ^ t187; const V t189 = t159 & t156; const V t190 = t157 & t189;
    const V t191 = t190 ^ t86; const V t192 = t191 ^ t104; const V t193 = t158 & t157;
    const V t194 = t156 ^ t193; const V t195 = t159 & t157; const V t196 = t195 ^ t194;
    const V t197 = t196 ^ t105; const V t198 = t189 ^ t195; const V t199 = t158 ^ t189;
    const V t200 = t197 ^ t82; const V t201 = t158 & t156; const V t202 = t201 ^ t197;
    const V t203 = t157 & t201; const V t204 = t203 ^ t199; const V t205 = t180 ^ t204;
    const V t206 = t149 ^ t205; const V t207 = t158 & t159; const V t208 = t157 & t207;
    const V t209 = t208 ^ t204; const V t210 = t186 ^ t209; const V t211 = t202 ^ t210;
    const V t212 = t208 ^ t106; const V t213 = t156 & t157; const V t214 = t156 & t207;
    const V t215 = t174 ^ t157; const V t216 = t214 ^ t200; const V t217 = t207 ^ t123;
    const V t218 = t213 ^ t217; const V t219 = t216 ^ t218; const V t220 = t219 ^ t192;
    const V t221 = t159 ^ t220; const V t222 = t217 ^ t212; const V t223 = t198 ^ t222;
    const V t224 = t212 ^ t221; const V t225 = t219 ^ t206; const V t226 = t225 ^ t215;
    const V t227 = t188 ^ t223; const V t228 = t166 ^ t226; const V t229 = t157 ^ t227; y[0] = t179;
    y[1] = t228; y[2] = t229; y[3] = t182; y[4] = t211; y[5] = t224; y[6] = t188; y[7] = t185;
}

// The byte y with pi(y) = x + pi(0). 205 gates.
template <typename V>
[[gnu::always_inline]] inline void substitute_back(const V* x, V* y) {
    const V t0 = x[6] ^ x[7]; const V t1 = x[5] ^ x[6]; const V t2 = x[6] & x[7];
    const V t3 = t0 ^ x[3]; const V t4 = x[0] & x[7]; const V t5 = t4 & t3; const V t6 = t2 & t3;
    const V t7 = x[0] | x[7]; const V t8 = t3 & x[6]; const V t9 = t3 & x[7]; const V t10 = t2 ^ t3;
    const V t11 = x[0] & x[6]; const V t12 = x[1] ^ x[3]; const V t13 = t11 & t3;
    const V t14 = t13 ^ t10; const V t15 = t11 ^ t5; const V t16 = t6 ^ x[0];
    const V t17 = t8 ^ t16; const V t18 = t14 ^ x[6]; const V t19 = t4 & x[6];
    const V t20 = t3 | x[6]; const V t21 = t12 ^ x[5]; const V t22 = t14 ^ x[7];
    const V t23 = t1 ^ x[2]; const V t24 = t4 ^ t19; const V t25 = t9 ^ t15; const V t26 = t7 | t20;
    const V t27 = t15 ^ t24; const V t28 = t27 ^ t22; const V t29 = t21 ^ x[4];
    const V t30 = t17 ^ t18; const V t31 = t9 ^ t24; const V t32 = t18 ^ t31;
    const V t33 = t25 ^ t17; const V t34 = t23 ^ x[4]; const V t35 = t34 ^ t12;
    const V t36 = t25 ^ x[7]; const V t37 = t27 ^ t30; const V t38 = t14 ^ t33;
    const V t39 = t31 ^ x[6]; const V t40 = t18 ^ t36; const V t41 = t30 ^ x[7];
    const V t42 = t36 ^ x[6]; const V t43 = t34 ^ x[7]; const V t44 = t23 & t29;
    const V t45 = t29 & t35; const V t46 = t23 & t45; const V t47 = t45 ^ t46;
    const V t48 = t23 ^ t44; const V t49 = t47 ^ t43; const V t50 = t47 ^ t48;
    const V t51 = t35 & t43; const V t52 = t29 & t43; const V t53 = t23 & t52;
    const V t54 = t51 ^ t53; const V t55 = t54 ^ t48; const V t56 = t23 & t35;
    const V t57 = t23 & t51; const V t58 = t56 ^ t57; const V t59 = t54 ^ t58;
    const V t60 = t49 ^ t59; const V t61 = t35 ^ t60; const V t62 = t33 & t61;
    const V t63 = t51 ^ t49; const V t64 = t23 & t43; const V t65 = t64 ^ t29;
    const V t66 = t65 ^ t58; const V t67 = t50 ^ t66; const V t68 = t37 & t67;
    const V t69 = t28 ^ t68; const V t70 = t50 ^ t35; const V t71 = t51 & t29;
    const V t72 = t23 & t71; const V t73 = t72 ^ t29; const V t74 = t73 ^ t59;
    const V t75 = t53 ^ t73; const V t76 = t70 ^ t75; const V t77 = t28 & t76;
    const V t78 = t64 ^ t72; const V t79 = t78 ^ t63; const V t80 = t55 ^ t78;
    const V t81 = t45 ^ t71; const V t82 = t81 ^ t80; const V t83 = t81 ^ t66;
    const V t84 = t39 & t82; const V t85 = t53 ^ t43; const V t86 = t83 ^ t85;
    const V t87 = t41 & t86; const V t88 = t41 ^ t77; const V t89 = t71 ^ t46;
    const V t90 = t89 ^ t74; const V t91 = t38 & t90; const V t92 = t53 ^ t46;
    const V t93 = t46 ^ t65; const V t94 = t65 ^ t35; const V t95 = t55 ^ t43;
    const V t96 = t89 ^ t94; const V t97 = t94 ^ t95; const V t98 = t32 & t97;
    const V t99 = t92 ^ t57; const V t100 = t99 ^ t71; const V t101 = t71 ^ t35;
    const V t102 = t23 ^ t93; const V t103 = t102 ^ t54; const V t104 = t101 ^ t44;
    const V t105 = t45 ^ t57; const V t106 = t44 ^ t43; const V t107 = t104 ^ t43;
    const V t108 = t103 ^ t107; const V t109 = t105 ^ t108; const V t110 = ~t26 & t109;
    const V t111 = t93 ^ t104; const V t112 = ~t26 & t111; const V t113 = ~t26 & t103;
    const V t114 = ~t26 & t93; const V t115 = t42 & t79; const V t116 = t51 ^ t96;
    const V t117 = t40 & t116; const V t118 = t115 ^ t117; const V t119 = t40 ^ t117;
    const V t120 = t40 ^ t115; const V t121 = t42 ^ t91; const V t122 = t69 ^ t91;
    const V t123 = t69 ^ t42; const V t124 = t120 ^ t87; const V t125 = t124 ^ t62;
    const V t126 = t125 ^ t84; const V t127 = t118 ^ t62; const V t128 = t118 ^ t88;
    const V t129 = t84 ^ t98; const V t130 = t129 ^ t88; const V t131 = t120 ^ t130;
    const V t132 = t130 ^ t62; const V t133 = t123 ^ t131; const V t134 = t129 ^ t87;
    const V t135 = t127 ^ t123; const V t136 = t121 ^ t84; const V t137 = t127 ^ t134;
    const V t138 = t134 ^ t121; const V t139 = t87 ^ t98; const V t140 = t122 ^ t98;
    const V t141 = t122 ^ t137; const V t142 = t119 ^ t132; const V t143 = t119 ^ t140;
    const V t144 = t128 ^ t136; const V t145 = t128 ^ t139; const V t146 = t64 ^ t35;
    const V t147 = t51 ^ t35; const V t148 = t51 ^ t64; const V t149 = t146 ^ t45;
    const V t150 = t100 ^ t149; const V t151 = t133 & t150; const V t152 = t151 ^ t112;
    const V t153 = t146 ^ t29; const V t154 = t23 ^ t106; const V t155 = t106 ^ t52;
    const V t156 = t155 ^ t153; const V t157 = t155 ^ t56; const V t158 = t157 ^ t147;
    const V t159 = t135 & t158; const V t160 = t154 ^ t147; const V t161 = t100 ^ t160;
    const V t162 = t143 & t161; const V t163 = t148 ^ t100; const V t164 = t56 ^ t29;
    const V t165 = t163 ^ t157; const V t166 = t163 ^ t29; const V t167 = t52 ^ t166;
    const V t168 = t23 ^ t167; const V t169 = t154 ^ t45; const V t170 = t165 ^ t45;
    const V t171 = t142 & t170; const V t172 = t148 ^ t169; const V t173 = t144 & t172;
    const V t174 = t169 ^ t164; const V t175 = t148 ^ t164; const V t176 = t145 & t174;
    const V t177 = t141 & t156; const V t178 = t176 ^ t162; const V t179 = t176 ^ t177;
    const V t180 = t145 ^ t113; const V t181 = t171 ^ t180; const V t182 = t178 ^ t181;
    const V t183 = t114 ^ t178; const V t184 = t126 & t168; const V t185 = t138 & t175;
    const V t186 = t173 ^ t159; const V t187 = t184 ^ t152; const V t188 = t113 ^ t186;
    const V t189 = t183 ^ t186; const V t190 = t141 ^ t189; const V t191 = t138 ^ t185;
    const V t192 = t183 ^ t187; const V t193 = t126 ^ t191; const V t194 = t141 ^ t187;
    const V t195 = t193 ^ t179; const V t196 = t185 ^ t182; const V t197 = t141 ^ t196;
    const V t198 = t180 ^ t192; const V t199 = t138 ^ t194; const V t200 = t184 ^ t195;
    const V t201 = t110 ^ t200; const V t202 = t182 ^ t193; const V t203 = t159 ^ t201;
    const V t204 = t188 ^ t199; y[0] = t203; y[1] = t204; y[2] = t202; y[3] = t198; y[4] = t189;
    y[5] = t138; y[6] = t197; y[7] = t190;
}
// clang-format on

}  // namespace stend::gost::kuznyechik
