/* neutreeko puzzle: positions to find the one right move in. */

#include "player/commands.h"

#include "player/commands/arguments.h"
#include "player/commands/json.h"
#include "player/describe.h"
#include "player/display.h"
#include "player/puzzle.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: neutreeko puzzle [OPTION]...\n"
    "Show a position in which exactly one move wins, or, with --save, exactly one move does not lose.\n"
    "It is taken by chance from all such positions, and so are the colours.\n"
    "\n"
    "Examples:\n"
    "  neutreeko puzzle                          a win in 5 plies\n"
    "  neutreeko puzzle --plies 13 --answer      a hard one, and its answer\n"
    "  neutreeko puzzle --save --count 3         three draws to hold\n"
    "\n"
    "Options:\n"
    "      --plies N     a win in N plies; odd, for the winner moves last; 5 unless said\n"
    "      --save        instead of a win, a draw that only one move holds\n"
    "      --count K     that many different ones, 1 to 1000; 1 unless said\n"
    "      --answer      tell the answers, at the end\n"
    "      --seed N      what chance begins with, 0 to 18446744073709551615: the same seed, the same "
    "puzzles\n"
    "      --json        print one JSON object a line\n"
    "      --table FILE  the table to ask\n"
    "      --no-color    no colours (there are none anyway unless the output is a terminal)\n"
    "  -h, --help        show this help\n"
    "\n"
    "A JSON object has position, side, result (win or draw), distance (null for a draw) and, with --answer,\n"
    "answer.\n"
    "\n"
    "Exit status: 0 when there was at least one to show, 1 for a failure or when there is none, 2 for wrong\n"
    "usage.\n";

static const char command[] = "puzzle";

enum { MOST = 1000, EASY = 5 };

struct wish {
    const char *table;
    uint64_t plies; /* or NK_PUZZLE_SAVE */
    uint64_t count, seed;
    bool answer, json, colour;
};

static void print_puzzle(const struct wish *wish, const struct nk_rules *rules,
                         const struct nk_puzzle *puzzle)
{
    char text[NK_POSITION_TEXT];
    const char *mover = nk_colour_name(puzzle->to_move);
    nk_position_print(rules, puzzle->position, puzzle->to_move, text);
    printf("%s\n\n", text);
    nk_show_board(stdout, rules, puzzle->position, puzzle->to_move, (struct nk_look){.colour = wish->colour});
    if (wish->plies == NK_PUZZLE_SAVE)
        printf("\n%s to move can hold a draw: find the only move that does not lose.\n", mover);
    else
        printf("\n%s to move wins in %d %s: find the only winning move.\n", mover, (int)wish->plies,
               wish->plies == 1 ? "ply" : "plies");
}

static void print_puzzles(const struct wish *wish, const struct nk_rules *rules,
                          const struct nk_puzzle *puzzles, size_t count)
{
    char move[NK_MOVE_TEXT];
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            printf("%sPuzzle %zu: ", i ? "\n" : "", i + 1);
        print_puzzle(wish, rules, &puzzles[i]);
    }
    for (size_t i = 0; wish->answer && i < count; i++) {
        nk_move_print(rules, puzzles[i].answer, move);
        if (count > 1)
            printf("%sAnswer %zu: %s\n", i ? "" : "\n", i + 1, move);
        else
            printf("\nAnswer: %s\n", move);
    }
}

static void print_puzzles_json(const struct wish *wish, const struct nk_rules *rules,
                               const struct nk_puzzle *puzzles, size_t count)
{
    const bool save = wish->plies == NK_PUZZLE_SAVE;
    const struct nk_value value = {save ? NK_DRAW : NK_WIN, (int)wish->plies};
    for (size_t i = 0; i < count; i++) {
        struct nk_json *json = nk_json_begin_line();
        json_add_position(json, "position", rules, puzzles[i].position, puzzles[i].to_move);
        nk_json_string(json, "side", colour_json(puzzles[i].to_move));
        json_add_value(json, value);
        if (wish->answer)
            json_add_move(json, "answer", rules, puzzles[i].answer);
        nk_json_end_line(json);
    }
}

/* Tells why there are fewer than wished. */
static void tell_shortage(const struct wish *wish, struct nk_puzzle_count count)
{
    char what[64];
    if (wish->plies == NK_PUZZLE_SAVE)
        snprintf(what, sizeof what, "a single move that holds the draw");
    else
        snprintf(what, sizeof what, "a single winning move, in %d %s", (int)wish->plies,
                 wish->plies == 1 ? "ply" : "plies");
    fflush(stdout);
    if (count.total == 1)
        fprintf(stderr, "neutreeko puzzle: only 1 position, up to symmetry, has %s\n", what);
    else if (count.total)
        fprintf(stderr, "neutreeko puzzle: only %d positions, up to symmetry, have %s\n", (int)count.total,
                what);
    else if (count.longest)
        fprintf(stderr, "neutreeko puzzle: no position has %s; the longest such wins take %d %s\n", what,
                count.longest, count.longest == 1 ? "ply" : "plies");
    else
        fprintf(stderr, "neutreeko puzzle: no position has %s\n", what);
}

static int show(const struct wish *wish, struct nk_table *table)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_puzzle *puzzles = calloc(wish->count, sizeof *puzzles);
    struct nk_puzzle_count count;
    struct nk_error error;
    uint64_t random = wish->seed;
    bool good = true;
    if (!puzzles) {
        fputs("neutreeko puzzle: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    if (nk_puzzle_take(table, NULL, (int)wish->plies, &random, puzzles, wish->count, &count, &error)) {
        fprintf(stderr, "neutreeko puzzle: %s\n", error.text);
        free(puzzles);
        return EXIT_FAILURE;
    }
    const size_t shown = count.total < wish->count ? (size_t)count.total : wish->count;
    if (wish->json)
        print_puzzles_json(wish, rules, puzzles, shown);
    else
        print_puzzles(wish, rules, puzzles, shown);
    if (shown < wish->count)
        tell_shortage(wish, count);
    good = flush_output(command) && shown;
    free(puzzles);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int command_puzzle(int argc, char **argv)
{
    enum { PLIES = 256, SAVE, COUNT, ANSWER, SEED, JSON, TABLE, NO_COLOR };
    static const struct option known[] = {
        {"plies", required_argument, NULL, PLIES}, {"save", no_argument, NULL, SAVE},
        {"count", required_argument, NULL, COUNT}, {"answer", no_argument, NULL, ANSWER},
        {"seed", required_argument, NULL, SEED},   {"json", no_argument, NULL, JSON},
        {"table", required_argument, NULL, TABLE}, {"no-color", no_argument, NULL, NO_COLOR},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    struct wish wish = {.count = 1, .seed = fresh_seed(), .colour = nk_use_colour(stdout)};
    uint64_t plies = 0; /* none asked for yet */
    bool save = false, understood = true;
    int option;
    while (understood && (option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        switch (option) {
        case PLIES:
            understood = read_number(command, "--plies", optarg, 1, NK_MAX_PLIES, &plies);
            break;
        case SAVE:
            save = true;
            break;
        case COUNT:
            understood = read_number(command, "--count", optarg, 1, MOST, &wish.count);
            break;
        case ANSWER:
            wish.answer = true;
            break;
        case SEED:
            understood = read_number(command, "--seed", optarg, 0, UINT64_MAX, &wish.seed);
            break;
        case JSON:
            wish.json = true;
            break;
        case TABLE:
            wish.table = optarg;
            break;
        case NO_COLOR:
            wish.colour = false;
            break;
        case 'h':
            return print_text(help);
        default:
            understood = false;
        }
    if (!understood)
        return usage_error(command);
    if (optind < argc || (save && plies) || (plies && plies % 2 == 0)) {
        if (optind < argc)
            fprintf(stderr, "neutreeko puzzle: '%s' is one argument too many\n", argv[optind]);
        else if (save)
            fputs("neutreeko puzzle: --plies is about wins, --save about draws: one or the other\n", stderr);
        else
            fputs("neutreeko puzzle: a win takes an odd number of plies, for the winner moves last\n",
                  stderr);
        return usage_error(command);
    }
    wish.plies = save ? NK_PUZZLE_SAVE : plies ? plies : EASY;
    struct nk_table *table;
    if (!open_table(command, wish.table, &table))
        return EXIT_FAILURE;
    const int status = show(&wish, table);
    nk_table_close(table);
    return status;
}
