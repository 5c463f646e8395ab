/* Adds a multiple of an array to another, and tells how many bytes a second that moved. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char** words) {
    const size_t n = count > 1 ? (size_t)atoll(words[1]) : 1000000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    double best = 1e9;
    if (!a || !b || !c) return 1;
    for (size_t i = 0; i < n; ++i) {
        a[i] = 0;
        b[i] = (double)i;
        c[i] = 2 * (double)i;
    }
    for (int k = 0; k < 10; ++k) {
        const double began = now();
        for (size_t i = 0; i < n; ++i) a[i] = b[i] + 3 * c[i];
        const double took = now() - began;
        if (took < best) best = took;
    }
    for (size_t i = 0; i < n; ++i)
        if (a[i] != 7 * (double)i) return 1;
    printf("Triad: %.1f MB/s\nThe results are right.\n", 24e-6 * (double)n / best);
    return 0;
}
