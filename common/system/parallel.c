/* Work divided among threads. WebAssembly, which has one thread, does it in system_wasm.c. */

#include "common/system/system.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_THREADS = 256 };

struct job {
    nk_work *work;
    void *context;
    uint32_t items;
    _Atomic uint32_t next;
    _Atomic int workers;
};

static void *run(void *argument)
{
    struct job *job = argument;
    const int worker = atomic_fetch_add_explicit(&job->workers, 1, memory_order_relaxed);
    uint32_t item;
    while ((item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < job->items)
        job->work(job->context, item, worker);
    return NULL;
}

void nk_parallel(int threads, uint32_t items, nk_work *work, void *context)
{
    struct job job = {.work = work, .context = context, .items = items};
    pthread_t helpers[MAX_THREADS];
    int helping = 0;
    if (threads > MAX_THREADS)
        threads = MAX_THREADS;
    if ((uint32_t)threads > items)
        threads = (int)items;
    while (helping < threads - 1 && pthread_create(&helpers[helping], NULL, run, &job) == 0)
        helping++;
    run(&job);
    while (helping)
        pthread_join(helpers[--helping], NULL);
}
