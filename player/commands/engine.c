/* neutreeko engine: playing for another program. */

#include "player/commands/common.h"
#include "player/engine.h"

#include <stdlib.h>
#include <unistd.h>

static const char about[] = "Play for another program: it writes commands to standard input, one per line,\n"
                            "and reads the replies from standard output. docs/FORMATS.md describes them.\n"
                            "The values take repetitions in the moves of 'pos' into account.\n"
                            "\n"
                            "Examples:\n"
                            "  printf 'go think\\n' | neutreeko engine\n"
                            "  printf 'pos moves=\"b1-c1 b5-c5\"\\ngo analyze\\n' | neutreeko engine\n"
                            "  printf 'set-param name=opponent value=level:4\\ngo think\\n' |\n"
                            "    neutreeko engine --seed 7\n";

static const char notes[] = "\n"
                            "Exit status: 0 after 'quit' or at the end of the input, 1 for a failure, 2 for\n"
                            "incorrect usage.\n";

static const struct nk_program_option options[] = {
    GAME_OPTIONS, SEED_OPTION, GENERAL_OPTIONS, TABLE_OPTION, NK_LAST_OPTION,
};

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_error error;
    (void)argc, (void)argv;
    const enum nk_status status = nk_engine_run(table, common_options.seed, STDIN_FILENO, stdout, &error);
    if (status && status != NK_E_WRITE) /* which the caller reports for all commands */
        report_error(&error);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool reads_input(int argc, char **argv)
{
    (void)argc, (void)argv;
    return true;
}

const struct command engine_command = {
    .line = {"neutreeko engine", " [OPTION]...", about, options, .notes = notes},
    .reads_input = reads_input,
    .run = run};
