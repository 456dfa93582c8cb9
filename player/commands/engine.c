/* neutreeko engine: playing for another program. */

#include "player/commands.h"

#include "player/commands/common.h"
#include "player/engine.h"

#include <stdlib.h>
#include <unistd.h>

static const char program[] = "neutreeko engine";

static const char about[] = "Play for another program: it writes commands to standard input, one per line,\n"
                            "and reads the replies from standard output. docs/engine.md describes them. The\n"
                            "values take repetitions in the moves of 'pos' into account.\n"
                            "\n"
                            "Examples:\n"
                            "  printf 'go think\\n' | neutreeko engine\n"
                            "  printf 'pos moves=\"b1-c1 b5-c5\"\\ngo analyze\\n' | neutreeko engine\n"
                            "  printf 'set-param name=opponent value=level:4\\ngo think\\n' |\n"
                            "    neutreeko engine --seed 7\n";

static const char notes[] = "\n"
                            "Exit status: 0 after 'quit' or at the end of the input, 1 for a failure, 2 for\n"
                            "incorrect usage.\n";

static struct {
    const char *table;
    uint64_t seed;
} options;

static const struct nk_program_option known_options[] = {
    SEED_OPTION(&options.seed, RANDOM_SEED),
    TABLE_OPTION(&options.table),
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {program, " [OPTION]...", about, known_options, .notes = notes};

int command_engine(int argc, char **argv)
{
    struct nk_table *table;
    struct nk_error error;
    options.seed = random_seed();
    const int status = nk_read_options(&command, &argc, &argv);
    if (status != NK_OPTIONS_READ)
        return status;
    if (!open_table(program, options.table, &table))
        return EXIT_FAILURE;
    const bool done = nk_engine_run(table, options.seed, STDIN_FILENO, stdout, &error) == NK_OK ||
                      report_error(program, &error);
    nk_table_close(table);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
