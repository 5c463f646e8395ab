/* The libraries as a plain C program calls them: plan once, then a loop of transforms between two
 * readings of the clock. Linked with what -DFFTW and -DMKL name; without headers, so that the
 * libraries' run-time packages are enough. */
#define _POSIX_C_SOURCE 199309L
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#ifdef FFTW
extern void* fftw_plan_dft_2d(int rows, int columns, void* in, void* out, int sign, unsigned flags);
extern void fftw_execute(void* plan);

void* fftw_ready(int rows, int columns, void* in, void* out) {
    return fftw_plan_dft_2d(rows, columns, in, out, -1, 0);
}

double fftw_seconds(void* plan, void* in, void* out, int times) {
    (void)in, (void)out;
    const double begin = now();
    for (int i = 0; i < times; ++i) fftw_execute(plan);
    return now() - begin;
}
#endif

#ifdef MKL
extern long DftiCreateDescriptor_d_md(void** descriptor, int domain, long dimensions, long* sizes);
extern long DftiSetValue(void* descriptor, int what, ...);
extern long DftiCommitDescriptor(void* descriptor);
extern long DftiComputeForward(void* descriptor, void* in, ...);

void* mkl_ready(int rows, int columns, void* in, void* out) {
    (void)in, (void)out;
    void* descriptor = NULL;
    long sizes[2] = {rows, columns};
    DftiCreateDescriptor_d_md(&descriptor, 32, 2, sizes); /* DFTI_COMPLEX */
    DftiSetValue(descriptor, 11, 44);                     /* DFTI_PLACEMENT, DFTI_NOT_INPLACE */
    DftiCommitDescriptor(descriptor);
    return descriptor;
}

double mkl_seconds(void* descriptor, void* in, void* out, int times) {
    const double begin = now();
    for (int i = 0; i < times; ++i) DftiComputeForward(descriptor, in, out);
    return now() - begin;
}
#endif
