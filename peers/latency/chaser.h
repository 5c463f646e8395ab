/* A pointer chaser as one writes it in C, on its own: memory in huge pages where they are given,
   a random cycle drawn by Sattolo's algorithm on the pointers themselves. */
#ifndef CHASER_H
#define CHASER_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

void** chaser_make(size_t bytes); /* NULL when there is no memory */
void chaser_free(void** cycle);
void** chaser_follow(void** at, size_t loads); /* where so many loads lead */

#ifdef __cplusplus
}
#endif
#endif
