/* neutreeko engine: playing for another program. */

#include "player/commands.h"

#include "player/commands/arguments.h"
#include "player/engine.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

static const char help[] =
    "Usage: neutreeko engine [OPTION]...\n"
    "Play for another program: it writes commands to standard input, a line each, and reads the answers "
    "from\n"
    "standard output. docs/engine.md tells all of them. The values it reports take\n"
    "the repetitions in the moves of 'pos' into account.\n"
    "\n"
    "Examples:\n"
    "  printf 'go think\\n' | neutreeko engine\n"
    "  printf 'pos moves=\"b1-c1 b5-c5\"\\ngo analyze\\n' | neutreeko engine --table perfect_move.dat\n"
    "  printf 'set-param name=opponent value=level:4\\ngo think\\n' | neutreeko engine --seed 7\n"
    "\n"
    "Options:\n"
    "      --seed N      other chances; the same seed and commands give the same answers (default: chance)\n"
    "      --table FILE  the table to play from\n"
    "  -h, --help        show this help\n"
    "\n"
    "Exit status: 0 after 'quit' or at the end of the input, 1 for a failure, 2 for wrong usage.\n";

static const char command[] = "engine";

int command_engine(int argc, char **argv)
{
    enum { SEED = 256, TABLE };
    static const struct option known[] = {
        {"seed", required_argument, NULL, SEED},
        {"table", required_argument, NULL, TABLE},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct nk_table *table;
    struct nk_error error;
    const char *path = NULL;
    uint64_t seed = fresh_seed();
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        switch (option) {
        case SEED:
            if (!read_number(command, "--seed", optarg, 0, UINT64_MAX, &seed))
                return usage_error(command);
            break;
        case TABLE:
            path = optarg;
            break;
        case 'h':
            return print_text(help);
        default:
            return usage_error(command);
        }
    if (optind < argc) {
        fprintf(stderr, "neutreeko engine: unexpected argument '%s'\n", argv[optind]);
        return usage_error(command);
    }
    if (!open_table(command, path, &table))
        return EXIT_FAILURE;
    const enum nk_status status = nk_engine_run(table, seed, STDIN_FILENO, stdout, &error);
    if (status)
        fprintf(stderr, "neutreeko engine: %s\n", error.text);
    nk_table_close(table);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
