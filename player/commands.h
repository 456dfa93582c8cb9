/* The commands of neutreeko. main parses the options of a command, opens the table, and runs it. */
#ifndef NK_COMMANDS_H
#define NK_COMMANDS_H

#include "common/options.h"
#include "common/table.h"

struct command {
    struct nk_command_line line;

    /* Checks the usage before the table is opened; NULL if the options alone are enough. Returns the exit status. */
    int (*check)(int argc, char **argv);

    /* Runs the command with its operands. Returns the exit status. */
    int (*run)(struct nk_table *table, int argc, char **argv);
};

extern const struct command play_command, query_command, review_command, line_command, puzzle_command,
    match_command, engine_command;

#endif
