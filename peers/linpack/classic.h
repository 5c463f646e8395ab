/* LINPACK's dgefa and dgesl in C, as the benchmark's users compile them. */
#ifndef CLASSIC_H
#define CLASSIC_H
#ifdef __cplusplus
extern "C" {
#endif

/* Factors a (n by n, by columns, lda apart) and solves a x = b; 0 when it is singular. */
int classic_solve(double* a, int lda, int n, int* pivots, double* b);

#ifdef __cplusplus
}
#endif
#endif
