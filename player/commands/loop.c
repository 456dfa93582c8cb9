#include "player/commands/loop.h"

#include <stdio.h>

static enum outcome ask(const struct loop *loop, const char *prompt)
{
    struct nk_error error;
    const char *line;
    if (terminal_read(loop->terminal, prompt, &line, &error)) {
        report_error(&error);
        return FAIL;
    }
    if (line)
        return loop->answer(loop->context, line);
    if (terminal_has_person(loop->terminal))
        putchar('\n');
    return LEAVE;
}

enum outcome loop_run(const struct loop *loop)
{
    enum outcome outcome = CONTINUE;
    while (outcome == CONTINUE) {
        char prompt[LOOP_PROMPT] = "";
        outcome = loop->begin(loop->context, prompt);
        if (!nk_flush_output(program))
            outcome = FAIL;
        if (outcome == CONTINUE && *prompt)
            outcome = ask(loop, prompt);
    }
    return outcome;
}
