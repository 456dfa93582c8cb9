/* neutreeko: plays from the table and answers questions about it. */

#include "common/program.h"
#include "player/commands/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Play and analyse Neutreeko, based on its complete solution.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --hints           play with a comment on each move\n"
    "  neutreeko play --white level:3   play against an opponent that can be beaten\n"
    "  neutreeko query                  evaluate the start position and its moves\n"
    "  neutreeko review game.txt        find the mistakes of a saved game\n"
    "  neutreeko puzzle --plies 5       print a position with a single winning move\n";

static const char notes[] = "\n"
                            "'neutreeko COMMAND --help' describes the options of a command.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

static const struct {
    const char *name, *summary;
    const struct command *command;
} commands[] = {
    {"play", "Play a game at the terminal", &play_command},
    {"query", "Print the results of positions and of their moves", &query_command},
    {"review", "Print the result of each move of a game, and mark mistakes", &review_command},
    {"line", "Print the best line from a position to the end of the game", &line_command},
    {"puzzle", "Print positions in which a single move is right", &puzzle_command},
    {"match", "Play many games between two opponents", &match_command},
    {"tournament", "Rate several opponents by matches between every two", &tournament_command},
    {"engine", "Play for another program with a line-based protocol", &engine_command},
    {"export", "Write all positions with their results to a file", &export_command},
};

static void print_commands(void)
{
    printf("\nCommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct nk_table *table;
    program = command->line.name;
    common_options.seed = random_seed();
    int status = nk_read_options(&command->line, &argc, &argv);
    if (status != NK_OPTIONS_READ)
        return status;
    if (command->check && (status = command->check(argc, argv)))
        return status;
    if (!open_table(&table))
        return EXIT_FAILURE;
    status = command->run(table, argc, argv);
    nk_table_close(table);
    return nk_flush_output(program) ? status : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const struct nk_program_option options[] = {NK_LAST_OPTION};
    const struct nk_command_line command = {program,
                                            " COMMAND [ARGUMENT]...",
                                            about,
                                            options,
                                            notes,
                                            .print_list = print_commands,
                                            .version = "neutreeko (Neutreeko) " NK_VERSION,
                                            .operands = NK_ANY_OPERANDS,
                                            .has_commands = true};
    char quoted[NK_QUOTED_TEXT];
    nk_program_begin();
    const int status = nk_read_options(&command, &argc, &argv);
    if (status != NK_OPTIONS_READ)
        return status;
    if (!argc)
        return nk_usage_error(program, "missing command");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return run(commands[i].command, argc, argv);
    return nk_usage_error(program, "unknown command '%s'", nk_quote(argv[0], quoted));
}
