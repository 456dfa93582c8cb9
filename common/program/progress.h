/* Progress of long work, for people: how much is done, the time so far, and an estimate of the time left. On a terminal
 * it is one line that is replaced in place and erased at the end, otherwise a plain line from time to time. What works
 * long does not print; it calls an nk_progress_sink. One thread at a time may use a struct nk_progress. */
#ifndef NK_PROGRESS_H
#define NK_PROGRESS_H

#include "common/base/progress_sink.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct nk_progress {
    FILE *out; /* NULL: nothing is printed */
    bool is_terminal;
    bool has_line;       /* on the terminal */
    double interval;     /* the least seconds between two lines */
    const char *stage;   /* what is being done, such as "verifying" */
    double began, shown; /* when the stage began, and when a line was printed; monotonic time */
    double first;        /* the first fraction of the stage that was reported; negative before */
    double first_time;
    uint64_t decided[2]; /* in the last two plies */
    double ply_time[2];
};

/* Prepares printing to `out`, or nothing if it is NULL. */
void nk_progress_init(struct nk_progress *progress, FILE *out);

/* Begins a stage. `name` must remain valid until the next one. */
void nk_progress_stage(struct nk_progress *progress, const char *name);

/* Prints how much of the stage is done. `progress` is a struct nk_progress: a function for nk_progress_sink.
 * Returns true. */
bool nk_progress_show(void *progress, double done);

/* Prints how many positions were decided in the work of one ply. The number of plies is not known in advance, so the
 * time left is estimated only when odd plies, or even ones, decide fewer and fewer positions. */
void nk_progress_show_ply(void *progress, int ply, uint64_t decided);

/* Erases the line from the terminal, before a message or at the end. */
void nk_progress_clear(struct nk_progress *progress);

#endif
