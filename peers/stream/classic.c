/* The peer: the classic algorithm (McCalpin 1995), compiled as its users compile it, with
   gcc -O3 -march=native -fopenmp. Each operation is done again and again on its own, with
   the values that filling and the operations before it left: 1 2 0 → c = a → b = 3c →
   c = a + b → a = b + 3c. */
#include "classic.h"

#include <stddef.h>

static double a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];
static const double scalar = 3.0;

void classic_fill(void) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i) {
        a[i] = 1.0;
        b[i] = 2.0;
        c[i] = 0.0;
    }
}

static void copy(void) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i) c[i] = a[i];
}

static void scale(void) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i) b[i] = scalar * c[i];
}

static void add(void) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i) c[i] = a[i] + b[i];
}

static void triad(void) {
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i) a[i] = b[i] + scalar * c[i];
}

void classic_do(int operation) {
    static void (*const operations[])(void) = {copy, scale, add, triad};
    operations[operation]();
}

int classic_is_right(int operation) {
    static const double* const results[] = {c, b, c, a};
    static const double expected[] = {1.0, 3.0, 4.0, 15.0};
    const double* const result = results[operation];
    for (ptrdiff_t i = 0; i < ELEMENTS; ++i)
        if (result[i] != expected[operation]) return 0;
    return 1;
}
