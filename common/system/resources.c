/* Threads that share work, arrays that are planned before they are allocated, and the width of vectors. */

#include "common/system/system.h"

#include <assert.h>
#include <string.h>
#ifndef __wasm__
#include <pthread.h>
#include <stdatomic.h>
#endif

/* ---- work divided among threads; WebAssembly has one ---- */

#ifdef __wasm__

void nk_parallel(int threads, uint32_t items, nk_work *work, void *context)
{
    (void)threads;
    for (uint32_t item = 0; item < items; item++)
        work(context, item, 0);
}

#else

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

#endif

/* ---- arrays ---- */

static void set_pointer(const struct nk_array *array, void *pointer)
{
    memcpy(array->place, &pointer, sizeof pointer); /* a pointer of any type */
}

void nk_memory_add(struct nk_memory *memory, void *place, uint64_t count, size_t size)
{
    assert(memory->count < NK_MAX_ARRAYS);
    const uint64_t bytes = count * size + NK_ALIGNMENT;
    memory->arrays[memory->count++] = (struct nk_array){.place = place, .bytes = bytes};
    memory->bytes += bytes;
}

bool nk_memory_allocate(struct nk_memory *memory)
{
    for (int i = 0; i < memory->count; i++) {
        struct nk_array *array = &memory->arrays[i];
        if (array->allocated)
            continue;
        if (array->bytes <= SIZE_MAX)
            array->allocated = nk_system_allocate((size_t)array->bytes);
        if (!array->allocated)
            return false;
        const uintptr_t misaligned = (uintptr_t)array->allocated % NK_ALIGNMENT;
        set_pointer(array, (char *)array->allocated + (misaligned ? NK_ALIGNMENT - misaligned : 0));
    }
    return true;
}

void nk_memory_free(struct nk_memory *memory)
{
    for (int i = 0; i < memory->count; i++) {
        const struct nk_array *array = &memory->arrays[i];
        if (!array->allocated)
            continue;
        nk_system_free(array->allocated, (size_t)array->bytes);
        set_pointer(array, NULL);
    }
    *memory = (struct nk_memory){0};
}

/* ---- vectors ---- */

int nk_vector_bytes(int wanted)
{
#ifdef __x86_64__
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && (wanted == 64 || !wanted))
        return 64;
    if (has_avx2 && (wanted == 32 || !wanted))
        return 32;
#endif
    return wanted == 16 || !wanted ? 16 : 0;
}
