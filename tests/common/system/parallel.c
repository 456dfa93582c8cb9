/* Work shared out among threads. */

#include "common/system/system.h"

#include <criterion/criterion.h>
#include <stdatomic.h>

enum { MOST = 2000 };

struct tally {
    int threads;
    _Atomic int done[MOST], busy[MOST]; /* busy: by worker */
};

static void count(void *context, uint32_t item, int worker)
{
    struct tally *tally = context;
    cr_assert(item < MOST);
    cr_assert(worker >= 0);
    cr_assert(worker < tally->threads);
    cr_assert_eq(tally->busy[worker]++, 0, "two threads have one worker's number");
    tally->done[item]++;
    tally->busy[worker]--;
}

Test(parallel, does_every_item_once)
{
    static const int threads[] = {1, 2, 3, 8, 100, 256, 257, 1000};
    static const uint32_t items[] = {0, 1, 2, 7, 255, 257, MOST};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
            static struct tally tally;
            tally = (struct tally){.threads = threads[t]};
            nk_parallel(threads[t], items[i], count, &tally);
            for (uint32_t item = 0; item < MOST; item++)
                cr_assert_eq(tally.done[item], item < items[i], "%d threads, item %u of %u", threads[t], item,
                             items[i]);
        }
}
