/* STREAM as everybody runs it: three static arrays of ELEMENTS doubles, OpenMP loops.
   Operations in stend's order: 0 copy, 1 scale, 2 add, 3 triad. */
#ifndef CLASSIC_H
#define CLASSIC_H
#ifdef __cplusplus
extern "C" {
#endif

void classic_fill(void);        /* a = 1, b = 2, c = 0, each page first touched by its thread */
void classic_do(int operation); /* once, on as many threads as OpenMP is set to */
int classic_is_right(int operation); /* does every element hold what that operation leaves? */

#ifdef __cplusplus
}
#endif
#endif
