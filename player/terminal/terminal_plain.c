/* The terminal without libedit: lines are edited as far as the system does this. */

#include "player/terminal/terminal.h"

#include "common/system/system.h"

#include <stdio.h>
#include <stdlib.h>

struct terminal {
    bool has_person;
    char line[TERMINAL_LINE];
};

struct terminal *terminal_open(terminal_completion *completion, void *context)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);
    (void)completion, (void)context;
    if (terminal)
        terminal->has_person = nk_system_is_terminal(stdin);
    return terminal;
}

void terminal_close(struct terminal *terminal)
{
    free(terminal);
}

bool terminal_has_person(const struct terminal *terminal)
{
    return terminal->has_person;
}

enum nk_status terminal_read(struct terminal *terminal, const char *prompt, const char **line,
                             struct nk_error *error)
{
    return terminal_read_input(terminal->has_person ? prompt : NULL, terminal->line, line, error);
}
