/* The loop of the commands at which people type lines. */
#ifndef NK_LOOP_H
#define NK_LOOP_H

#include "player/commands/common.h"
#include "player/terminal/terminal.h"

enum { LOOP_PROMPT = 16 };

struct loop {
    void *context;
    struct terminal *terminal; /* NULL if no line is ever wanted */

    /* Begins a turn: shows what has changed, and writes the prompt for a line. Without a prompt the turn is over. */
    enum outcome (*begin)(void *context, char prompt[LOOP_PROMPT]);

    /* Carries out the line. */
    enum outcome (*answer)(void *context, const char *line);
};

/* Takes turns until one leaves or fails, or the input ends. Returns LEAVE or, after an error message, FAIL. */
enum outcome loop_run(const struct loop *loop);

#endif
