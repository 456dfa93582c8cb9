/* neutreeko: plays from the table and answers questions about it. */

#include "player/commands.h"

#include "common/program.h"
#include "player/table_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"play", "a game against a person or between programs", command_play},
    {"query", "what positions are worth, and each of their moves", command_query},
    {"review", "what the moves of a game were worth", command_review},
    {"line", "best play by both sides from a position", command_line},
    {"puzzle", "positions to find the one right move in", command_puzzle},
    {"match", "many games between two opponents", command_match},
    {"engine", "a line protocol for other programs", command_engine},
};

static int print_help(void)
{
    printf("Usage: neutreeko COMMAND [ARGUMENT]...\n"
           "Play Neutreeko from its complete solution.\n"
           "\n"
           "Examples:\n"
           "  neutreeko play --hints               a game against the perfect player, with a word on every "
           "move\n"
           "  neutreeko play --white level:3       an opponent that can be beaten\n"
           "  neutreeko query                      what the start position is worth, and all its moves\n"
           "  neutreeko review game.txt            where a saved game was lost\n"
           "  neutreeko puzzle --plies 5           a position with a single winning move\n"
           "\n"
           "Commands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    return print_text("\n"
                      "  -h, --help     show this help; 'neutreeko COMMAND --help' tells about a command\n"
                      "      --version  show the version\n"
                      "\n"
                      "Exit status: 0 when all went well, 1 for a failure, 2 for wrong usage.\n");
}

int usage_error(const char *command)
{
    fprintf(stderr, "Try 'neutreeko %s%s--help' for more information.\n", command ? command : "",
            command ? " " : "");
    return EXIT_USAGE;
}

bool flush_output(const char *command)
{
    static bool said; /* once is enough, however often somebody tries */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (!said)
        fprintf(stderr, "neutreeko%s%s: cannot write to standard output: %s\n", command ? " " : "",
                command ? command : "", strerror(errno));
    said = true;
    return false;
}

int print_text(const char *text)
{
    fputs(text, stdout);
    return flush_output(NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
}

void refuse_position(const char *command, const struct nk_rules *rules, const char *text,
                     const struct nk_error *error)
{
    char shown[QUOTED_TEXT];
    fprintf(stderr, "neutreeko %s: '%s' is no position of a %dx%d board with %d pieces a side: ", command,
            quoted(text, shown), rules->width, rules->height, rules->pieces);
    if (error->at)
        fprintf(stderr, "character %zu: ", error->at);
    fprintf(stderr, "%s\n", error->text);
}

void report_error(const char *command, const struct nk_error *error)
{
    fprintf(stderr, "neutreeko %s: %s\n", command, error->text);
    if (error->status == NK_E_CORRUPT || error->status == NK_E_NOT_TABLE)
        fputs("Make the table anew with: neutreeko-solve -o FILE\n", stderr);
}

const char *quoted(const char *text, char out[QUOTED_TEXT])
{
    size_t n = 0;
    for (; *text && n < QUOTED_TEXT - 4; text++)
        out[n++] = *text >= ' ' && *text <= '~' ? *text : '?';
    snprintf(out + n, QUOTED_TEXT - n, "%s", *text ? "..." : "");
    return out;
}

/* Advises how to replace a broken table, in a form that a shell takes as it stands. */
static void advise_to_write(const char *path)
{
    fputs("Make it anew with: neutreeko-solve -o '", stderr);
    for (; *path; path++)
        if (*path == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*path, stderr);
    fputs("'\n", stderr);
}

static bool open_named(const char *command, const char *path, struct nk_table **table)
{
    struct nk_error error;
    if (!nk_table_open(path, table, &error))
        return true;
    fprintf(stderr, "neutreeko %s: %s\n", command, error.text);
    if (error.status == NK_E_CORRUPT || error.status == NK_E_NOT_TABLE)
        advise_to_write(path);
    return false;
}

bool open_table(const char *command, const char *path, struct nk_table **table)
{
    if (path)
        return open_named(command, path, table);
    char *found = nk_table_path();
    if (found) {
        const bool opened = open_named(command, found, table);
        free(found);
        return opened;
    }
    char *places[NK_MAX_PLACES];
    const size_t count = nk_places(places);
    fprintf(stderr, "neutreeko %s: there is no table of the solved game. It was looked for as:\n", command);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "  %s\n", places[i]);
        free(places[i]);
    }
    fprintf(stderr,
            "Make one with: neutreeko-solve -o FILE\n"
            "and name it with --table FILE or in NEUTREEKO_TABLE, or put it into one of these places.\n");
    return false;
}

int main(int argc, char **argv)
{
    nk_program_begin();
    if (argc < 2) {
        fputs("neutreeko: a command is missing\n", stderr);
        return usage_error(NULL);
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0)
        return print_text("neutreeko (Neutreeko) " NK_VERSION "\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            /* getopt speaks of its argv[0] when it complains. */
            char name[32];
            snprintf(name, sizeof name, "neutreeko %s", commands[i].name);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    char text[QUOTED_TEXT];
    fprintf(stderr, "neutreeko: there is no %s '%s'\n", argv[1][0] == '-' ? "option" : "command",
            quoted(argv[1], text));
    return usage_error(NULL);
}
