/* Work shared out among threads. */
#ifndef NK_PARALLEL_H
#define NK_PARALLEL_H

#include <stdint.h>

/* Does one item of the work. `worker`, below the number of threads, is the caller's for the time of the call.
 */
typedef void nk_work(void *context, uint32_t item, int worker);

/* Calls work(context, item, worker) once for every item below `items`, in no particular order, by up to
 * `threads` threads, the calling one among them, and returns when all is done. Where the system gives fewer
 * threads, those that there are do it all. */
void nk_parallel(int threads, uint32_t items, nk_work *work, void *context);

/* The processors that this process may use; at least 1. */
int nk_processors(void);

#endif
