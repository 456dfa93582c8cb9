/* Progress of long work: how much of it is done. */
#ifndef NK_PROGRESS_SINK_H
#define NK_PROGRESS_SINK_H

#include <stdbool.h>
#include <stddef.h>

/* Where a function reports how much of its work is done: 0 to 1, never less than before. The thread that called it
 * calls `report`, which returns whether to continue: nk_traps_compute then stops, other functions do not. */
struct nk_progress_sink {
    bool (*report)(void *context, double done);
    void *context;
};

/* Reports to a sink, which may be NULL. Returns whether to continue. */
static inline bool nk_progress_report(const struct nk_progress_sink *sink, double done)
{
    return !sink || sink->report(sink->context, done);
}

#endif
