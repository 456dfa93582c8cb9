/* nk_parallel for WebAssembly: built into neutreeko-solve-threads.wasm instead of common/parallel.c. A thread is a
 * worker with its own instance of the module. All instances share the memory, and so all variables; each has its own
 * stack.
 *
 * The C library is compiled for a single thread. Of its functions, the work of nk_parallel may call only those that
 * allocate memory, which are guarded here, and those without a state, such as memcpy and snprintf. errno is shared and
 * thus unreliable; it only matters for files, of which there are none. */
#include "common/system/parallel.h"
#include "web/engine/threads.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

/* Sleeps until `wake` is called for this number, unless it is not `expected`. It may return earlier. A function of its
 * own, since the first compiler of V8 11.3 (Node.js 20) loses local variables of a function that waits. */
static __attribute__((noinline)) void sleep_while(_Atomic int *number, int expected)
{
    __builtin_wasm_memory_atomic_wait32((int *)number, expected, -1);
}

static void wake(_Atomic int *number)
{
    __builtin_wasm_memory_atomic_notify((int *)number, UINT_MAX);
}

/* ---- jobs ---- */

static struct {
    nk_work *work;
    void *context;
    uint32_t items;
    int threads;
    _Atomic uint32_t next;
    _Atomic int workers;
} job;

static _Atomic int jobs;    /* that have begun */
static atomic_bool is_open; /* while helpers may join the last one */
static _Atomic int present; /* helpers that may use `job` */

static void work(void)
{
    const int worker = job.workers++;
    uint32_t item;
    while (worker < job.threads && (item = job.next++) < job.items)
        job.work(job.context, item, worker);
}

/* The helpers that are ready join in; the work is done even if there are none. */
void nk_parallel(int threads, uint32_t items, nk_work *task, void *context)
{
    job.work = task;
    job.context = context;
    job.items = items;
    job.threads = threads;
    job.next = 0;
    job.workers = 0;
    if (threads > 1 && items > 1) {
        is_open = true;
        jobs++;
        wake(&jobs);
    }
    work();
    is_open = false;
    for (int left; (left = present);)
        sleep_while(&present, left);
}

/* ---- helpers ---- */

enum { HELPERS = NK_WEB_THREADS - 1, STACK_BYTES = 1 << 17 };

static _Alignas(16) char stacks[HELPERS][STACK_BYTES];

/* What a helper sets its stack pointer to before it calls `help`. */
char *EXPORT(helper_stack)(int helper)
{
    return stacks[helper + 1];
}

/* Joins in the work of nk_parallel. Does not return: the worker is terminated. */
void EXPORT(help)(void)
{
    for (int seen = 0;;) {
        sleep_while(&jobs, seen);
        seen = jobs;
        present++;
        /* Either this is false, or nk_parallel finds that this helper is present, and waits for it. */
        if (is_open)
            work();
        if (--present == 0)
            wake(&present);
    }
}

/* ---- memory: the linker replaces calls of malloc by __wrap_malloc, and __real_malloc by malloc ---- */

enum lock { FREE, LOCKED, AWAITED };

static _Atomic int allocating;

static void lock(void)
{
    int expected = FREE;
    if (!atomic_compare_exchange_strong(&allocating, &expected, LOCKED))
        while (atomic_exchange(&allocating, AWAITED) != FREE)
            sleep_while(&allocating, AWAITED);
}

static void unlock(void)
{
    if (atomic_exchange(&allocating, FREE) == AWAITED)
        wake(&allocating);
}

#define GUARD(name, parameters, arguments)               \
    void *__real_##name parameters;                      \
    void *__wrap_##name parameters                       \
    {                                                    \
        lock();                                          \
        void *const allocated = __real_##name arguments; \
        unlock();                                        \
        return allocated;                                \
    }

GUARD(malloc, (size_t bytes), (bytes))
GUARD(calloc, (size_t count, size_t size), (count, size))
GUARD(realloc, (void *memory, size_t bytes), (memory, bytes))
GUARD(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))

void __real_free(void *memory);
void __wrap_free(void *memory)
{
    lock();
    __real_free(memory);
    unlock();
}
