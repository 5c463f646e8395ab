/* The algorithm of the LINPACK Users' Guide (Dongarra, Bunch, Moler, Stewart 1979), written in C
   by its description: dgefa eliminates column by column with daxpy, dgesl substitutes. */
#include "classic.h"

#include <math.h>

static void daxpy(int n, double a, const double* x, double* y) {
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static int idamax(int n, const double* x) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

static void dscal(int n, double a, double* x) {
    for (int i = 0; i < n; i++) x[i] *= a;
}

static int dgefa(double* a, int lda, int n, int* pivots) {
    for (int k = 0; k < n - 1; k++) {
        double* column = a + (long)k * lda;
        int l = k + idamax(n - k, column + k);
        pivots[k] = l;
        if (column[l] == 0) return 0;
        double t = column[l];
        column[l] = column[k];
        column[k] = t;
        dscal(n - k - 1, -1 / t, column + k + 1);
        for (int j = k + 1; j < n; j++) {
            double* other = a + (long)j * lda;
            t = other[l];
            other[l] = other[k];
            other[k] = t;
            daxpy(n - k - 1, t, column + k + 1, other + k + 1);
        }
    }
    pivots[n - 1] = n - 1;
    return a[(long)(n - 1) * lda + n - 1] != 0;
}

static void dgesl(const double* a, int lda, int n, const int* pivots, double* b) {
    for (int k = 0; k < n - 1; k++) {
        double t = b[pivots[k]];
        b[pivots[k]] = b[k];
        b[k] = t;
        daxpy(n - k - 1, t, a + (long)k * lda + k + 1, b + k + 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= a[(long)k * lda + k];
        daxpy(k, -b[k], a + (long)k * lda, b);
    }
}

int classic_solve(double* a, int lda, int n, int* pivots, double* b) {
    if (!dgefa(a, lda, n, pivots)) return 0;
    dgesl(a, lda, n, pivots, b);
    return 1;
}
