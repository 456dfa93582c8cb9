/* Progress of long work: how much of it is done. */
#ifndef NK_PROGRESS_SINK_H
#define NK_PROGRESS_SINK_H

#include <stddef.h>

/* Where a function reports how much of its work is done: 0 to 1, never less than before. The thread that called it
 * calls `report`. */
struct nk_progress_sink {
    void (*report)(void *context, double done);
    void *context;
};

/* Reports to a sink, which may be NULL. */
static inline void nk_progress_report(const struct nk_progress_sink *sink, double done)
{
    if (sink)
        sink->report(sink->context, done);
}

#endif
