/* neutreeko puzzle: positions in which a single move is right. */

#include "common/play/puzzle.h"
#include "json_keys.h"
#include "player/commands/common.h"
#include "player/play/puzzle_session.h"

#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "Print a position in which exactly one move wins or, with --draw, exactly one\n"
    "move does not lose. It is chosen at random from all such positions, and so are\n"
    "the colours. At a terminal, ask for the move, and then for that of the next\n"
    "puzzle; 'hint', 'next' and 'score' help. With --answer, --count or --json, only\n"
    "print the puzzles. With the same --seed, fewer puzzles are the first of more.\n"
    "\n"
    "Examples:\n"
    "  neutreeko puzzle                       a win in 3 moves (5 plies)\n"
    "  neutreeko puzzle --plies 13 --answer   a hard one, with its answer\n"
    "  neutreeko puzzle --draw --count 3      three draws to keep\n";

static const char notes[] = "\n" PUZZLE_JSON_KEYS "\n"
                            "Exit status: 0 if at least one puzzle was printed, 1 for a failure or when\n"
                            "there is none, 2 for incorrect usage.\n";

enum { MAX_COUNT = 1000 };

static struct {
    uint64_t plies; /* or NK_PUZZLE_DRAW */
    uint64_t count;
    bool draw, answer;
} request = {.plies = 5, .count = 1};

static const struct nk_program_option options[] = {
    NK_HEADING("Puzzle options"),
    NK_NUMBER("plies", "N", "Print a win in N plies, an odd number", NULL, &request.plies, 1, NK_MAX_PLIES),
    {.name = "draw",
     .help = "Print a draw that only one move keeps, instead of a win",
     .excludes = "plies",
     .flag = &request.draw},
    NK_NUMBER("count", "N", "Print N different puzzles", NULL, &request.count, 1, MAX_COUNT),
    NK_FLAG("answer", "Print the answers, at the end", &request.answer),
    SEED_OPTION,
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object per line"),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

static int check(int argc, char **argv)
{
    (void)argc, (void)argv;
    if (request.draw)
        request.plies = NK_PUZZLE_DRAW;
    else if (request.plies % 2 == 0)
        return nk_usage_error(
            command_name, "--plies '%d': a win takes an odd number of plies, because the winner moves last",
            (int)request.plies);
    return EXIT_SUCCESS;
}

static void print_puzzles(const struct nk_rules *rules, const struct nk_puzzle *puzzles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            printf("%sPuzzle %zu: ", i ? "\n" : "", i + 1);
        puzzle_print(rules, &puzzles[i], (int)request.plies);
    }
    for (size_t i = 0; request.answer && i < count; i++) {
        const struct nk_text move = nk_move_text(rules, puzzles[i].answer);
        if (count > 1)
            printf("%sAnswer %zu: %s\n", i ? "" : "\n", i + 1, move.s);
        else
            printf("\nAnswer: %s\n", move.s);
    }
    if (count && common_options.has_random_seed)
        putchar('\n');
    if (count)
        print_seed();
}

static void print_puzzles_json(const struct nk_rules *rules, const struct nk_puzzle *puzzles, size_t count)
{
    const bool draw = request.plies == NK_PUZZLE_DRAW;
    const struct nk_value value = {draw ? NK_DRAW : NK_WIN, (int)request.plies};
    for (size_t i = 0; i < count; i++) {
        struct nk_json *json = nk_json_begin_line();
        nk_json_position(json, "position", rules, puzzles[i].position, puzzles[i].to_move);
        nk_json_string(json, "to_move", nk_colour_key(puzzles[i].to_move));
        nk_json_value_members(json, value);
        if (request.answer)
            nk_json_move(json, "answer", rules, puzzles[i].answer);
        json_add_seed(json);
        nk_json_end_line(json);
    }
}

static int run(struct nk_table *table, int argc, char **argv)
{
    if (!common_options.json && !request.answer && request.count == 1 && puzzle_is_interactive())
        return puzzle_session(table, (int)request.plies, common_options.seed);
    const struct nk_rules *rules = nk_table_rules(table);
    const size_t wanted = (size_t)request.count;
    struct nk_puzzle *puzzles = calloc(wanted, sizeof *puzzles);
    struct nk_puzzle_count count;
    struct nk_error error;
    uint64_t random = common_options.seed;
    size_t shown = 0;
    (void)argc, (void)argv;
    if (!puzzles) {
        report_no_memory();
    } else if (nk_puzzle_take(table, NULL, (int)request.plies, &random, puzzles, wanted, &count, &error)) {
        report_error(&error);
    } else {
        shown = count.total < request.count ? (size_t)count.total : wanted;
        if (common_options.json)
            print_puzzles_json(rules, puzzles, shown);
        else
            print_puzzles(rules, puzzles, shown);
        if (shown < wanted)
            puzzle_report_shortage(count, (int)request.plies);
    }
    free(puzzles);
    return shown ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command puzzle_command = {
    .line = {"neutreeko puzzle", " [OPTION]...", about, options, .notes = notes}, .check = check, .run = run};
