/* neutreeko puzzle: positions in which a single move is right. They are printed or, at a terminal, posed one after the
 * other in a quiz, which takes turns at a prompt as neutreeko play does. */

#include "common/base/base.h"
#include "common/play/play.h"
#include "common/system/system.h"
#include "json_keys.h"
#include "player/player.h"
#include "player/prompt.h"
#include "player/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                            "Exit status: 0 for success, 1 for a failure or when there is no such puzzle,\n"
                            "2 for incorrect usage.\n";

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
            "--plies '%d': a win takes an odd number of plies, because the winner moves last",
            (int)request.plies);
    return EXIT_SUCCESS;
}

/* ---- what is printed ---- */

/* Prints a puzzle, with the task. `plies` is that of the win, an odd number, or NK_PUZZLE_DRAW. */
static void print_puzzle(const struct nk_rules *rules, const struct nk_puzzle *puzzle, int plies)
{
    const char *mover = nk_colour_name(puzzle->to_move);
    printf("%s\n\n", nk_position_text(rules, puzzle->position, puzzle->to_move).s);
    display_board(rules, puzzle->position, puzzle->to_move, output_view());
    if (plies == NK_PUZZLE_DRAW)
        terminal_printf(0, "\n%s to move: only one move doesn't lose. Find it.\n", mover);
    else
        terminal_printf(0, "\n%s to move wins in %s: find the only winning move.\n", mover,
                        nk_distance_text(plies).s);
}

/* Reports that there are fewer puzzles than requested. */
static void report_shortage(struct nk_puzzle_count count, int plies)
{
    char what[120];
    const bool several = count.total > 1;
    if (plies == NK_PUZZLE_DRAW)
        snprintf(what, sizeof what, "%s drawn", several ? "are" : "is");
    else
        snprintf(what, sizeof what, "%s won in %s", several ? "are" : "is", nk_distance_text(plies).s);
    if (count.total)
        nk_report("only %d position%s, up to symmetry, %s by a single move", (int)count.total,
                  several ? "s" : "", what);
    else if (count.longest)
        nk_report("no position %s by a single move; the longest such win takes %s", what,
                  nk_distance_text(count.longest).s);
    else
        nk_report("no position %s by a single move", what);
}

static void print_puzzles(const struct nk_rules *rules, const struct nk_puzzle *puzzles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            printf("%sPuzzle %zu: ", i ? "\n" : "", i + 1);
        print_puzzle(rules, &puzzles[i], (int)request.plies);
    }
    for (size_t i = 0; request.answer && i < count; i++) {
        const struct nk_text move = nk_move_text(rules, puzzles[i].answer);
        if (count > 1)
            printf("%sAnswer %zu: %s\n", i ? "" : "\n", i + 1, move.s);
        else
            printf("\nAnswer: %s\n", move.s);
    }
    if (count && !common_options.has_given_seed)
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

/* ---- the quiz ---- */

enum { BATCH = 10 }; /* puzzles that are taken at a time, because that may read the whole table */

/* The puzzle that is being solved, and the score. */
struct quiz {
    struct nk_table *table;
    const struct nk_rules *rules;
    int plies;
    uint64_t random; /* the state of nk_random */
    struct nk_puzzle puzzles[BATCH];
    size_t count, current;
    int hints, mistakes; /* in this puzzle */
    bool solved, left;   /* this puzzle */
    int all_solved, alone, shown;
};

static const struct nk_puzzle *current(const struct quiz *quiz)
{
    return &quiz->puzzles[quiz->current];
}

/* Judges a move. */
static enum next_step try_move(struct quiz *quiz, const char *typed)
{
    struct nk_move move;
    struct nk_error error;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const struct nk_puzzle *puzzle = current(quiz);
    char message[PROMPT_MESSAGE];
    const enum nk_status status = nk_move_parse(quiz->rules, typed, &move, &error);
    if (!status && quiz->solved) {
        print_sentence("This puzzle is solved. Press Enter for the next one.");
        return CONTINUE;
    }
    if (status || nk_move_check(quiz->rules, puzzle->position, puzzle->to_move, move, &error)) {
        print_sentence("%s", prompt_move_error(quiz->rules, puzzle->position, typed, &error, message));
        return CONTINUE;
    }
    if (nk_table_moves(quiz->table, puzzle->position, moves, &count, &error))
        return prompt_fail(&error);
    const struct nk_text text = nk_move_text(quiz->rules, move);
    const struct nk_text value = nk_value_text(moves[nk_move_find(moves, sizeof *moves, count, move)].value);
    if (nk_move_equal(move, puzzle->answer)) {
        quiz->solved = true;
        quiz->all_solved++;
        quiz->alone += !quiz->hints && !quiz->mistakes;
        print_sentence("Correct! %s %s. Press Enter for the next puzzle.", text.s, value.s);
    } else {
        quiz->mistakes++;
        print_sentence("Not quite: %s %s. Try again, or type 'hint'.", text.s, value.s);
    }
    return CONTINUE;
}

static enum next_step hint(void *context)
{
    struct quiz *quiz = context;
    const struct nk_puzzle *puzzle = current(quiz);
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_game *game = NULL;
    struct nk_error error;
    enum next_step step = FAIL;
    int count;
    if (hint_give(quiz->rules, quiz->hints++, puzzle->answer))
        return CONTINUE;
    if (nk_game_new(quiz->rules, puzzle->position, puzzle->to_move, &game, &error) ||
        nk_choices(quiz->table, game, choices, &count, &error))
        report_error(&error);
    else
        step = hint_explain(quiz->table, game, choices, count);
    nk_game_free(game);
    return step;
}

static enum next_step next(void *context)
{
    struct quiz *quiz = context;
    if (!quiz->solved)
        print_sentence("The answer was %s.", nk_move_text(quiz->rules, current(quiz)->answer).s);
    quiz->left = true;
    return CONTINUE;
}

static enum next_step score(void *context)
{
    struct quiz *quiz = context;
    const bool untouched = !quiz->solved && !quiz->hints && !quiz->mistakes;
    print_sentence("Solved %d of %d, %d at the first try without a hint.", quiz->all_solved,
                   quiz->shown - untouched, quiz->alone);
    return CONTINUE;
}

static enum next_step board(void *context)
{
    struct quiz *quiz = context;
    print_puzzle(quiz->rules, current(quiz), quiz->plies);
    return CONTINUE;
}

static enum next_step leave(void *context)
{
    (void)context;
    return LEAVE;
}

static enum next_step help(void *context);

static const struct prompt_command commands[] = {
    {"hint", "", "help step by step: which piece, which move, why", false, NULL, hint},
    {"next", "", "show the answer, and another puzzle", false, NULL, next},
    {"score", "", "show how many puzzles you have solved", false, NULL, score},
    {"board", "", "show the board again", false, NULL, board},
    {"quit", "", "leave (also 'exit' or Ctrl-D)", false, NULL, leave},
    {"help", "", "show this list", false, NULL, help},
    {"exit", "", NULL, false, NULL, leave},
    PROMPT_LAST_COMMAND,
};

static enum next_step help(void *context)
{
    const struct quiz *quiz = context;
    prompt_list(commands, quiz->rules, current(quiz)->position, &current(quiz)->answer);
    return CONTINUE;
}

static enum next_step carry_out(void *context, const char *line)
{
    struct quiz *quiz = context;
    struct prompt_line read;
    char move[TERMINAL_LINE], message[PROMPT_MESSAGE];
    if (!*line) {
        quiz->left = quiz->solved;
        return CONTINUE;
    }
    if (prompt_is_move(line, move))
        return try_move(quiz, move);
    if (prompt_read(commands, line, &read, message))
        return read.command->run(quiz);
    print_sentence("%s", message);
    return CONTINUE;
}

static void complete(void *context, const char *begun, struct terminal_words *found)
{
    const struct quiz *quiz = context;
    prompt_complete_moves(quiz->rules, current(quiz)->position, begun, found);
    prompt_complete_commands(commands, begun, found);
}

/* Asks about the current puzzle until it is left, then about the next one; fails if there is none. */
static enum next_step begin_turn(void *context, char prompt[PROMPT_TEXT])
{
    struct quiz *quiz = context;
    struct nk_puzzle_count count;
    struct nk_error error;
    if (quiz->left) {
        if (quiz->shown)
            putchar('\n');
        if (++quiz->current >= quiz->count) {
            if (nk_puzzle_take(quiz->table, NULL, quiz->plies, &quiz->random, quiz->puzzles, BATCH, &count,
                               &error))
                return prompt_fail(&error);
            if (!count.total) {
                report_shortage(count, quiz->plies);
                return FAIL;
            }
            quiz->count = count.total < BATCH ? (size_t)count.total : BATCH;
            quiz->current = 0;
        }
        if (!quiz->shown++) {
            print_invitation(quiz->rules, current(quiz)->position, &current(quiz)->answer);
            putchar('\n');
        }
        quiz->hints = quiz->mistakes = 0;
        quiz->solved = quiz->left = false;
        print_puzzle(quiz->rules, current(quiz), quiz->plies);
    }
    snprintf(prompt, PROMPT_TEXT, "%s> ", nk_colour_name(current(quiz)->to_move));
    return CONTINUE;
}

/* Asks for moves until the person leaves, and prints the score and the seed. Returns the exit status. */
static int run_quiz(struct nk_table *table)
{
    struct quiz quiz = {.table = table,
                        .rules = nk_table_rules(table),
                        .plies = (int)request.plies,
                        .random = common_options.seed,
                        .left = true};
    struct terminal *terminal = terminal_open(complete, &quiz);
    if (!terminal) {
        report_no_memory();
        return EXIT_FAILURE;
    }
    const enum next_step step = prompt_take_turns(&(struct prompt){&quiz, terminal, begin_turn, carry_out});
    if (step == LEAVE)
        (void)score(&quiz);
    terminal_close(terminal);
    if (quiz.shown)
        print_seed();
    return step == FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the command ---- */

static int run(struct nk_table *table, int argc, char **argv)
{
    if (!common_options.json && !request.answer && request.count == 1 && nk_system_is_terminal(stdin) &&
        nk_system_is_terminal(stdout))
        return run_quiz(table);
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
            report_shortage(count, (int)request.plies);
    }
    free(puzzles);
    return shown ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command puzzle_command = {
    .line = {"neutreeko puzzle", " [OPTION]...", about, options, .notes = notes}, .check = check, .run = run};
