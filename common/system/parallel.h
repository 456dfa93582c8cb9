/* Work divided among threads. */
#ifndef NK_PARALLEL_H
#define NK_PARALLEL_H

#include <stdint.h>

/* Does one item of the work. `worker` is a number below the number of threads that no other thread has at the
 * same time. */
typedef void nk_work(void *context, uint32_t item, int worker);

/* Calls work(context, item, worker) once for every item below `items`, in no particular order, by up to
 * `threads` threads (at most 256), one of which is the caller, and returns when all items are done. If the system
 * does not provide as many threads, fewer do all the work. */
void nk_parallel(int threads, uint32_t items, nk_work *work, void *context);

#endif
