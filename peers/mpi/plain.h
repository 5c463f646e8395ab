/* What plain.c measures: seconds of one message, barrier or sum, from so many of them. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void plain_prepare(size_t bytes);
void plain_release(void);
double plain_pingpong(size_t bytes, int times);
double plain_pingpong_alone(size_t bytes, int times);
double plain_barrier(size_t bytes, int times);
double plain_barrier_alone(size_t bytes, int times);
double plain_allreduce(size_t bytes, int times);
double plain_allreduce_alone(size_t bytes, int times);

#ifdef __cplusplus
}
#endif
