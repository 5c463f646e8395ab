/* Copying on memory nodes in plain C. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What this thread touches from now on lies on that node; below 0: where it likes. 0: done. */
int bound_to(int node);

/* Touched memory of that node, in huge pages if there are any; null when there is none. */
void* bound_memory(size_t bytes, int node);

void bound_free(void* memory, size_t bytes);

void bound_copy(void* to, const void* from, size_t bytes);

#ifdef __cplusplus
}
#endif
