/* neutreeko: plays from the table and answers questions about it. */

#include "common/base/base.h"
#include "common/play/play.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "json_keys.h"
#include "player/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Play and analyse Neutreeko, based on its complete solution.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --hints           play with a comment on each move\n"
    "  neutreeko play --against easy    play a stronger opponent\n"
    "  neutreeko query                  evaluate the start position and its moves\n"
    "  neutreeko review game.txt        find the mistakes of a saved game\n"
    "  neutreeko puzzle --plies 5       print a position with a single winning move\n";

static const char notes[] = "\n"
                            "'neutreeko help COMMAND' describes the options of a command.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

static int print_names(struct nk_table *table, int argc, char **argv)
{
    (void)table, (void)argc, (void)argv;
    struct nk_json *json = nk_json_begin_line();
    nk_json_names(json);
    nk_json_end_line(json);
    return EXIT_SUCCESS;
}

/* What neutreeko.h and the opponents are called, so that no script has to list it. */
static const struct command names_command = {
    .line = {"neutreeko names", " [OPTION]...",
             "Print the opponents, names and limits as one JSON object, for scripts.\n"
             "\n"
             "Examples:\n"
             "  neutreeko names\n",
             (const struct nk_program_option[]){GENERAL_OPTIONS, NK_LAST_OPTION},
             .notes = "\n" NAMES_JSON_KEYS "\n"
                      "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n"},
    .run = print_names,
    .without_table = true};

static const struct {
    const char *name, *summary;
    const struct command *command;
} commands[] = {
    {"play", "Play a game at the terminal", &play_command},
    {"query", "Print the results of positions and of their moves, or the best line", &query_command},
    {"review", "Print the result of each move of a game, and mark mistakes", &review_command},
    {"puzzle", "Print positions in which a single move is right", &puzzle_command},
    {"match", "Play many games between two opponents", &match_command},
    {"engine", "Play for another program with a line-based protocol", &engine_command},
    {"export", "Write all positions with their results to a file", &export_command},
    {"help", "Print the help text of a command", NULL},
    {"names", "Print the opponents, names and limits as JSON, for scripts", &names_command},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_commands(void)
{
    char label[32];
    printf("\nCommands:\n");
    for (int i = 0; i < COMMANDS; i++) {
        snprintf(label, sizeof label, "  %s", commands[i].name);
        nk_print_help_entry(label, 14, commands[i].summary);
    }
}

/* What a report of a fault needs besides the version. */
static void print_environment(void)
{
    char *path;
    if (!table_file(&path))
        return;
    fputs("table: ", stdout);
    nk_print_escaped(path ? path : "solved at start");
    printf("\nvectors: %d bytes\n", nk_vector_bytes(0));
    free(path);
}

static const struct nk_command_line neutreeko = {"neutreeko",
                                                 " COMMAND [ARGUMENT]...",
                                                 about,
                                                 (const struct nk_program_option[]){NK_LAST_OPTION},
                                                 notes,
                                                 .print_list = print_commands,
                                                 .version = "neutreeko (Neutreeko) " NK_VERSION,
                                                 .print_more = print_environment,
                                                 .operands = NK_ANY_OPERANDS,
                                                 .has_commands = true};

/* That of a command, or of the program for help itself. Every command has the version of the program. */
static struct nk_command_line line_of(int command)
{
    struct nk_command_line line = commands[command].command ? commands[command].command->line : neutreeko;
    line.version = neutreeko.version;
    line.print_more = neutreeko.print_more;
    return line;
}

/* Rejects a position that the shell has split at its space. Returns the exit status. */
static int check_quotes(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        const char *rank = argv[i] + (strncmp(argv[i], "--start=", 8) == 0 ? 8 : 0);
        if (strchr(rank, '/') && !rank[strspn(rank, "12345678bwBW/")] && argv[i + 1][0] && !argv[i + 1][1] &&
            strchr("bwBW", argv[i + 1][0]))
            return nk_usage_error("the position '%s %s' contains a space: put it between quotes", rank,
                                  argv[i + 1]);
    }
    return EXIT_SUCCESS;
}

static bool reads_input(const struct command *command, int argc, char **argv)
{
    return command->reads_input == ALWAYS || (command->reads_input == BY_DEFAULT && !argc) ||
           (command->reads_input != NEVER && names_input(argc, argv));
}

static int run(int number, int argc, char **argv)
{
    const struct command *command = commands[number].command;
    const struct nk_command_line line = line_of(number);
    struct nk_table *table = NULL;
    nk_program_name = line.name;
    common_options.seed = nk_system_random() >> 32; /* short enough to be typed */
    int status = check_quotes(argc, argv);
    if (status)
        return status;
    if (!nk_read_options(&line, &argc, &argv, &status))
        return status;
    if (command->check && (status = command->check(argc, argv)))
        return status;
    if (common_options.force && !common_options.output)
        return nk_usage_error("--force requires --output");
    const char *path = common_options.table;
    if (path && nk_file_is_standard(path) && reads_input(command, argc, argv))
        return nk_usage_error("--table - cannot be combined with other input from standard input");
    if (!command->without_table && !open_table(&table))
        return EXIT_FAILURE;
    status = command->run(table, argc, argv);
    nk_table_close(table);
    return nk_flush_output() ? status : EXIT_FAILURE;
}

/* The index of a command, or -1 after an error message. */
static int find_command(const char *name)
{
    struct nk_suggestion similar = {.typed = name};
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return i;
    if (strcmp(name, "solve") == 0) {
        (void)nk_usage_error("unknown command 'solve': the solver is the program neutreeko-solve");
        return -1;
    }
    for (int i = 0; i < COMMANDS; i++)
        nk_suggest(&similar, commands[i].name);
    (void)nk_usage_error("unknown command '%s'%s%s%s", nk_quote(name).s,
                         similar.name ? "; did you mean '" : "", similar.name ? similar.name : "",
                         similar.name ? "'?" : "");
    return -1;
}

/* neutreeko help [COMMAND], also as neutreeko --help [COMMAND] and, brief, as neutreeko -h [COMMAND] */
static int help(int argc, char **argv)
{
    const bool brief = strcmp(argv[0], "-h") == 0;
    int status;
    if (!nk_read_options(&neutreeko, &argc, &argv, &status))
        return status;
    if (argc > 1)
        return nk_usage_error("unexpected argument '%s'", nk_quote(argv[1]).s);
    if (!argc)
        return nk_print_help(&neutreeko, brief);
    const int found = find_command(argv[0]);
    if (found < 0)
        return NK_EXIT_USAGE;
    const struct nk_command_line line = line_of(found);
    return nk_print_help(&line, brief);
}

int main(int argc, char **argv)
{
    int status;
    nk_program_begin();
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help(argc - 1, argv + 1);
    if (!nk_read_options(&neutreeko, &argc, &argv, &status))
        return status;
    if (!argc)
        return nk_print_help(&neutreeko, false);
    const int found = find_command(argv[0]);
    if (found < 0)
        return NK_EXIT_USAGE;
    return commands[found].command ? run(found, argc, argv) : help(argc, argv);
}
