/* The choice of a move in every position, explanations of moves, the search, opponents, puzzles, matches and games;
 * with a damaged table, their answers are errors or correct. */

#include "player/engine.h"
#include "player/match.h"
#include "player/opponents.h"
#include "player/puzzle.h"
#include "player/random.h"
#include "player/search.h"
#include "player/explain.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sanitizers and coverage measurement make these tests slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(COVERAGE)
enum { SLOW = true };
#else
enum { SLOW = false };
#endif
#ifdef COVERAGE
enum { SHARE = 10 }; /* tests every n-th position only */
#else
enum { SHARE = 1 };
#endif

static struct nk_table *table;

/* Solves a board, writes its table to the file t.dat and opens it. */
static struct solved open_board(struct board board)
{
    struct solved solved = solve_board(board);
    write_table(&solved, "t.dat");
    cr_assert_eq(nk_table_open("t.dat", &table, NULL), NK_OK);
    return solved;
}

static void close_board(struct solved *solved)
{
    nk_table_close(table);
    solved_free(solved);
}

static void open_standard(void)
{
    enter_directory();
    struct solved solved = open_board(STANDARD);
    solved_free(&solved);
}

static void close_standard(void)
{
    nk_table_close(table);
    leave_directory();
}

TestSuite(player, .init = open_standard, .fini = close_standard);

static struct nk_game *begin(const char *text)
{
    struct nk_game *game;
    struct nk_position position;
    enum nk_colour to_move;
    cr_assert_eq(nk_position_parse(nk_table_rules(table), text, &position, &to_move, NULL), NK_OK);
    cr_assert_eq(nk_game_new(nk_table_rules(table), position, to_move, &game, NULL), NK_OK);
    return game;
}

static const char start[] = "1w1w1/2b2/5/2w2/1b1b1 b";

static void play(struct nk_game *game, const char *moves)
{
    for (; *moves; moves += strspn(moves, " ")) {
        struct nk_move move;
        struct nk_error error = {0};
        char text[16] = {0};
        const size_t length = strcspn(moves, " ");
        memcpy(text, moves, length);
        cr_assert_eq(nk_move_parse(nk_game_rules(game), text, &move, NULL), NK_OK);
        cr_assert_eq(nk_game_play(game, move, &error), NK_OK, "%s: %s", text, error.text);
        moves += length;
    }
}

/* ---- the perfect choice in every position that is not over ---- */

struct share {
    uint32_t first, step;
    uint64_t tested, wrong;
};

static bool is_right(struct nk_position position, uint64_t *random)
{
    struct nk_game *game;
    struct nk_move move = {0, 0};
    struct nk_value before, after;
    nk_game_new(nk_table_rules(table), position, NK_WHITE, &game, NULL);
    bool right = nk_choose(table, game, random, &move, NULL) == NK_OK &&
                 nk_move_check(nk_table_rules(table), position, NK_WHITE, move, NULL) == NK_OK &&
                 nk_table_value(table, position, &before, NULL) == NK_OK &&
                 nk_table_value(table, nk_position_after(position, move), &after, NULL) == NK_OK &&
                 (int)after.result == -(int)before.result &&
                 after.plies == (before.result == NK_DRAW ? 0 : before.plies - 1);
    nk_game_free(game);
    return right;
}

static void *check_share(void *context)
{
    struct share *share = context;
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = share->first;
    for (uint32_t a = share->first; a < index->configurations; a += share->step) {
        const uint64_t mover = nk_index_unrank(index, a);
        uint64_t other = nk_bit(index->rules.pieces) - 1;
        for (uint32_t b = 0; b < index->configurations; b++, other = nk_index_next(other)) {
            if (mover & other || nk_rules_won(&index->rules, mover) || nk_rules_won(&index->rules, other))
                continue;
            /* One position of each orbit is enough. */
            if (SLOW && index->orbits[index->orbit_of[b]].images[0] != b)
                continue;
            share->tested++;
            share->wrong += !is_right((struct nk_position){mover, other}, &random);
        }
    }
    return NULL;
}

Test(player, perfect_choice_on_every_position, .timeout = 1200)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct share shares[THREADS] = {{0}};
    uint64_t tested = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        shares[i] = (struct share){.first = i, .step = THREADS * SHARE};
        cr_assert_eq(pthread_create(&threads[i], NULL, check_share, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(shares[i].wrong, 0);
        tested += shares[i].tested;
    }
    if (!SLOW)
        cr_assert_eq(tested, 3395644);
}

/* ---- explanations of moves ---- */

static struct nk_value worth(struct nk_position position)
{
    struct nk_value value;
    cr_assert_eq(nk_table_value(table, position, &value, NULL), NK_OK);
    return value;
}

static struct nk_value worth_of_move(struct nk_position position, struct nk_move move)
{
    const struct nk_value after = worth(nk_position_after(position, move));
    return (struct nk_value){(enum nk_result) - after.result, after.result == NK_DRAW ? 0 : after.plies + 1};
}

static bool same_value(struct nk_value a, struct nk_value b)
{
    return a.result == b.result && a.plies == b.plies;
}

/* The number of moves with a result for the side to move. */
static int moves_to(struct nk_position position, enum nk_result result)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(table), position, moves);
    int found = 0;
    for (int m = 0; m < count; m++)
        found += worth_of_move(position, moves[m]).result == result;
    return found;
}

/* Whether the side to move has several moves and only this one keeps its win or draw. */
static bool is_only_move(struct nk_position position, struct nk_move move)
{
    struct nk_move moves[NK_MAX_MOVES];
    const enum nk_result result = worth(position).result;
    return result != NK_LOSS && nk_position_moves(nk_table_rules(table), position, moves) > 1 &&
           moves_to(position, result) == 1 && worth_of_move(position, move).result == result;
}

static void expect_why(struct nk_position position, struct nk_move move)
{
    struct nk_explanation why;
    struct nk_move replies[NK_MAX_MOVES];
    const struct nk_position after = nk_position_after(position, move);
    struct nk_game *game;
    cr_assert_eq(nk_game_new(nk_table_rules(table), position, NK_BLACK, &game, NULL), NK_OK);
    cr_assert_eq(nk_explain(table, game, 0, move, &why, NULL), NK_OK);
    nk_game_free(game);
    cr_assert(same_value(why.before, worth(position)));
    cr_assert(same_value(why.value, worth_of_move(position, move)));
    cr_assert(same_value(worth_of_move(position, why.best), why.before));
    cr_assert(nk_move_equal(why.best, move) || !same_value(why.value, why.before));
    cr_assert_eq(why.only, is_only_move(position, move));
    if (nk_rules_won(nk_table_rules(table), after.other)) {
        cr_assert(!why.threat && !why.stopped && !why.replies && !why.losing && !why.holding &&
                  !why.winning && !why.has_only_reply);
        return;
    }
    cr_assert_eq(why.replies, nk_position_moves(nk_table_rules(table), after, replies));
    cr_assert_eq(why.losing, moves_to(after, NK_LOSS));
    cr_assert_eq(why.holding, moves_to(after, NK_DRAW));
    cr_assert_eq(why.winning, moves_to(after, NK_WIN));
    int only_replies = 0;
    for (int r = 0; r < why.replies; r++)
        if (is_only_move(after, replies[r])) {
            only_replies++;
            cr_assert(nk_move_equal(why.only_reply, replies[r]));
        }
    cr_assert_eq(why.has_only_reply, only_replies);
    const struct nk_value threat = worth(nk_position_after_pass(after));
    cr_assert_eq(why.threat, threat.result == NK_WIN ? threat.plies : 0);
    const struct nk_value feared = worth(nk_position_after_pass(position)), now = worth(after);
    const bool stopped = feared.result == NK_WIN && (now.result != NK_WIN || now.plies > feared.plies);
    cr_assert_eq(why.stopped, stopped ? feared.plies : 0);
}

Test(player, explanations_are_correct)
{
    const struct nk_index *index = nk_table_index(table);
    int told = 0;
    for (uint64_t entry = 0; entry < index->entries; entry += SLOW ? 9973 : 997) {
        const struct nk_position position = nk_index_position(index, entry);
        struct nk_move moves[NK_MAX_MOVES];
        if (nk_position_check(&index->rules, position, NK_BLACK, NULL))
            continue;
        const int count = nk_position_moves(&index->rules, position, moves);
        for (int m = 0; m < count; m++, told++)
            expect_why(position, moves[m]);
    }
    cr_assert_geq(told, SLOW ? 500 : 5000, "%d", told);
}

/* On 3x3 boards with four pieces per side there are few moves, and some positions have one or none. */
Test(explain, correct_with_few_moves, .init = enter_directory, .fini = leave_directory)
{
    struct solved solved = open_board((struct board){3, 3, 4, 3, NK_WIN_LINE});
    struct nk_position position = {0};
    int told = 0;
    while (next_placement(&solved.rules, &position)) {
        struct nk_move moves[NK_MAX_MOVES];
        if (!goes_on(&solved.rules, position))
            continue;
        const int count = nk_position_moves(&solved.rules, position, moves);
        for (int m = 0; m < count; m++, told++)
            expect_why(position, moves[m]);
    }
    cr_assert_gt(told, 100);
    close_board(&solved);
}

/* ---- a damaged table ---- */

enum { RANDOM = 7 };

static uint64_t sum_of_move(struct nk_move move)
{
    return (uint64_t)(move.from * NK_MAX_SQUARES + move.to);
}

static uint64_t sum_of_value(struct nk_value value)
{
    return (uint64_t)((value.result + 1) * 1024 + value.plies);
}

static uint64_t add(uint64_t sum, uint64_t more)
{
    return sum * UINT64_C(6364136223846793005) + more + 1;
}

/* Queries something about a game that is not over; *sum is a checksum of the whole answer. */
typedef enum nk_status question(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                struct nk_error *error);

static enum nk_status ask_options(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                  struct nk_error *error)
{
    struct nk_option options[NK_MAX_MOVES];
    int count;
    const enum nk_status status = nk_options(asked, game, options, &count, error);
    for (int m = 0; !status && m < count; m++)
        *sum = add(add(add(*sum, sum_of_move(options[m].move)), sum_of_value(options[m].value)),
                   (uint64_t)(options[m].trap + 256 * options[m].repeats));
    return status;
}

/* Explains each move of the initial position of the game. */
static enum nk_status ask_why(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                              struct nk_error *error)
{
    const struct nk_position position = nk_game_position_at(game, 0);
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_explanation why;
    const int count = nk_position_moves(nk_game_rules(game), position, moves);
    enum nk_status status = NK_OK;
    for (int m = 0; m < count; m++) {
        const enum nk_status one = nk_explain(asked, game, 0, moves[m], &why, error);
        if (one)
            status = one; /* and all the others are asked for */
        else
            *sum = add(
                add(add(add(*sum, sum_of_move(why.best)), sum_of_value(why.value)), sum_of_value(why.before)),
                (uint64_t)(((why.threat * 512 + why.stopped) * 64 + why.losing) * 64 + why.holding));
    }
    return status;
}

static enum nk_status ask_review(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                 struct nk_error *error)
{
    struct nk_reviewed reviewed;
    const enum nk_status status = nk_review(asked, game, nk_game_plies(game) - 1, &reviewed, error);
    if (!status)
        *sum = add(add(sum_of_move(reviewed.better), sum_of_value(reviewed.before)),
                   sum_of_value(reviewed.after));
    return status;
}

static enum nk_status ask_opponent(const char *name, struct nk_table *asked, const struct nk_game *game,
                                   uint64_t *sum, struct nk_error *error)
{
    struct nk_opponent opponent;
    struct nk_move move;
    uint64_t random = RANDOM;
    cr_assert_eq(nk_opponent_parse(name, &opponent, NULL), NK_OK);
    const enum nk_status status = nk_opponent_move(opponent, asked, game, &random, &move, NULL, error);
    if (!status)
        *sum = sum_of_move(move);
    return status;
}

static enum nk_status ask_perfect(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                  struct nk_error *error)
{
    return ask_opponent("perfect", asked, game, sum, error);
}

static enum nk_status ask_level(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                struct nk_error *error)
{
    return ask_opponent("level:5", asked, game, sum, error);
}

static enum nk_status ask_weakest(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                  struct nk_error *error)
{
    return ask_opponent("weakest", asked, game, sum, error);
}

static enum nk_status ask_survey(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                 struct nk_error *error)
{
    enum { ENTRIES = 20 };
    const struct nk_index *index = nk_table_index(asked);
    const uint64_t begin = nk_index_entry(index, nk_game_position(game)) / ENTRIES * ENTRIES;
    const uint64_t end = begin + ENTRIES < index->entries ? begin + ENTRIES : index->entries;
    uint8_t *kinds = calloc(index->entries, 1);
    cr_assert(kinds);
    const enum nk_status status = nk_puzzle_survey(asked, begin, end, kinds, error);
    for (uint64_t entry = begin; !status && entry < end; entry++)
        *sum = add(*sum, kinds[entry]);
    free(kinds);
    return status;
}

static enum nk_status ask_match(struct nk_table *asked, const struct nk_game *game, uint64_t *sum,
                                struct nk_error *error)
{
    struct nk_match match = {.position = nk_game_position(game), .games = 2, .threads = 1, .max_plies = 3};
    struct nk_score score;
    cr_assert_eq(nk_opponent_parse("perfect", &match.opponents[0], NULL), NK_OK);
    cr_assert_eq(nk_opponent_parse("weakest", &match.opponents[1], NULL), NK_OK);
    const enum nk_status status = nk_match_play(asked, &match, &score, error);
    if (!status)
        *sum = score.plies + 8 * (score.wins[0] + 8 * (score.wins[1] + 8 * score.thrown[1]));
    return status;
}

/* A game of some moves from a position; NULL if the entry has no position or the game ends too soon. */
static struct nk_game *game_from(uint64_t entry)
{
    const struct nk_index *index = nk_table_index(table);
    const struct nk_position position = nk_index_position(index, entry);
    struct nk_game *game;
    if (nk_position_check(&index->rules, position, NK_BLACK, NULL))
        return NULL;
    cr_assert_eq(nk_game_new(&index->rules, position, NK_BLACK, &game, NULL), NK_OK);
    for (uint64_t left = 1 + entry % 7; left && nk_game_end(game, NULL) == NK_END_NONE; left--) {
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(&index->rules, nk_game_position(game), moves);
        cr_assert_eq(nk_game_play(game, moves[entry % (uint64_t)count], NULL), NK_OK);
    }
    if (nk_game_end(game, NULL) == NK_END_NONE)
        return game;
    nk_game_free(game);
    return NULL;
}

static void compare_answers(struct nk_table *damaged, const struct nk_game *game, question *ask, int *refused,
                            int *answered)
{
    struct nk_error error = {0};
    uint64_t expected = 0, found = 0;
    cr_assert_eq(ask(table, game, &expected, NULL), NK_OK);
    const enum nk_status status = ask(damaged, game, &found, &error);
    if (status == NK_OK) {
        cr_assert_eq(found, expected, "a wrong answer");
        ++*answered;
        return;
    }
    cr_assert_eq(status, NK_E_CORRUPT);
    cr_assert_eq(error.status, NK_E_CORRUPT);
    cr_assert(strstr(error.text, "damaged"), "%s", error.text);
    ++*refused;
}

Test(player, damaged_table_gives_errors_or_correct_answers)
{
    static question *const questions[] = {ask_options, ask_why,     ask_review, ask_perfect,
                                          ask_level,   ask_weakest, ask_survey, ask_match};
    enum { PARTS = 8 };
    int refused[COUNT(questions)] = {0}, answered[COUNT(questions)] = {0};
    const struct bytes bytes = read_bytes("t.dat");
    for (size_t part = 1; part < PARTS; part++) {
        struct nk_table *damaged;
        struct nk_error error;
        struct nk_puzzle puzzle;
        struct nk_puzzle_count count;
        uint64_t random = RANDOM;
        bytes.data[bytes.size * part / PARTS] ^= 1;
        cr_assert_eq(nk_table_open_bytes(bytes.data, bytes.size, &damaged, &error), NK_OK, "%s", error.text);
        for (uint64_t entry = part; entry < nk_table_index(table)->entries; entry += 3001) {
            struct nk_game *game = game_from(entry);
            for (size_t q = 0; game && q < COUNT(questions); q++)
                compare_answers(damaged, game, questions[q], &refused[q], &answered[q]);
            nk_game_free(game);
        }
        /* A puzzle may be anywhere. */
        cr_assert_eq(nk_puzzle_take(damaged, NULL, 5, &random, &puzzle, 1, &count, &error), NK_E_CORRUPT);
        nk_table_close(damaged);
        bytes.data[bytes.size * part / PARTS] ^= 1;
    }
    for (size_t q = 0; q < COUNT(questions); q++)
        cr_assert(refused[q] && answered[q], "question %zu: %d refused, %d answered", q, refused[q],
                  answered[q]);
    free(bytes.data);
}

/* ---- puzzles ---- */

/* Whether the position is the one that represents all symmetric positions. */
static bool is_first_image(const struct nk_rules *rules, struct nk_position position)
{
    for (int g = 0; g < rules->symmetries; g++) {
        const uint64_t mover = nk_rules_image(rules, g, position.mover);
        const uint64_t other = nk_rules_image(rules, g, position.other);
        if (mover < position.mover || (mover == position.mover && other < position.other))
            return false;
    }
    return true;
}

/* Compares the puzzles of a board, counted by their definition in all positions, with those of a survey in two halves
 * and with those taken with and without the survey. Returns the number of different lengths. */
static int count_puzzles(struct board board)
{
    enum { MOST = 1000 };
    struct solved solved = open_board(board);
    int expected[NK_MAX_PLIES + 1] = {0}, surveyed[256] = {0}, longest = 0, kinds_seen = 0;
    struct nk_position position = {0};
    static struct nk_puzzle plain[MOST], quick[MOST];
    while (next_placement(&solved.rules, &position)) {
        if (nk_position_check(&solved.rules, position, NK_BLACK, NULL) ||
            nk_rules_won(&solved.rules, position.other) || !is_first_image(&solved.rules, position))
            continue;
        const struct nk_value value = worth(position);
        if (value.result == NK_LOSS || moves_to(position, value.result) != 1)
            continue;
        if (moves_to(position, NK_WIN) + moves_to(position, NK_DRAW) + moves_to(position, NK_LOSS) > 1)
            expected[value.plies]++; /* 0 for a draw: NK_PUZZLE_SAVE */
        longest = expected[value.plies] && value.plies > longest ? value.plies : longest;
    }
    const uint64_t entries = nk_table_index(table)->entries;
    uint8_t *kinds = malloc(entries);
    cr_assert(kinds);
    cr_assert_eq(nk_puzzle_survey(table, entries / 2, entries, kinds, NULL), NK_OK);
    cr_assert_eq(nk_puzzle_survey(table, 0, entries / 2, kinds, NULL), NK_OK);
    for (uint64_t entry = 0; entry < entries; entry++)
        surveyed[kinds[entry]]++;
    for (int plies = NK_PUZZLE_SAVE; plies <= longest + 2; plies += plies ? 2 : 1) {
        struct nk_puzzle_count count, found;
        uint64_t one = RANDOM, two = RANDOM;
        const size_t wanted = plies % 4 == 1 ? MOST : 10; /* all, or some of them */
        cr_assert_eq(nk_puzzle_take(table, NULL, plies, &one, plain, wanted, &count, NULL), NK_OK);
        cr_assert_eq(nk_puzzle_take(table, kinds, plies, &two, quick, wanted, &found, NULL), NK_OK);
        cr_assert_eq(count.total, (uint64_t)expected[plies], "%d plies", plies);
        cr_assert_eq(found.total, (uint64_t)expected[plies], "%d plies, surveyed", plies);
        cr_assert_eq(surveyed[nk_puzzle_kind(plies)], expected[plies], "%d plies", plies);
        cr_assert_eq(count.longest, plies ? longest : NK_PUZZLE_SAVE);
        for (size_t i = 0; i < wanted && i < count.total; i++) {
            const struct nk_puzzle puzzle = plain[i];
            cr_assert(puzzle.position.mover == quick[i].position.mover &&
                      puzzle.position.other == quick[i].position.other &&
                      puzzle.to_move == quick[i].to_move && nk_move_equal(puzzle.answer, quick[i].answer));
            cr_assert(is_only_move(puzzle.position, puzzle.answer));
            cr_assert_eq(worth(puzzle.position).plies, plies);
        }
        kinds_seen += expected[plies] > 0;
    }
    free(kinds);
    close_board(&solved);
    return kinds_seen;
}

/* On the second board all positions are draws, and there is no other move if only one keeps the draw. */
Test(puzzle, counts_match_the_definition, .init = enter_directory, .fini = leave_directory)
{
    cr_assert_geq(count_puzzles((struct board){4, 4, 3, 3, NK_WIN_LINE}), 5);
    cr_assert_eq(count_puzzles((struct board){3, 3, 4, 4, NK_WIN_LINE}), 0);
}

/* ---- errors in matches and engine sessions ---- */

/* Everything but the positions near the start is damaged, so every thread is playing a game when the first fails. */
Test(player, a_match_ends_with_the_error_of_any_thread)
{
    const struct bytes bytes = read_bytes("t.dat");
    struct nk_table *damaged;
    struct nk_error error = {0};
    struct nk_score score = {.plies = 99};
    struct nk_match match = {.games = 100, .threads = 4, .max_plies = 10};
    cr_assert(nk_rules_start(nk_table_rules(table), &match.position));
    cr_assert_eq(nk_opponent_parse("minimax:4", &match.opponents[0], NULL), NK_OK);
    match.opponents[1] = match.opponents[0];
    const uint64_t seen = nk_index_entry(nk_table_index(table), match.position);
    const size_t here = (size_t)((double)seen / (double)nk_table_index(table)->entries * (double)bytes.size);
    for (size_t at = bytes.size / 10; at < bytes.size - 1000; at += 100)
        if (at + bytes.size / 10 < here || at > here + bytes.size / 10)
            bytes.data[at] ^= 1;
    cr_assert_eq(nk_table_open_bytes(bytes.data, bytes.size, &damaged, &error), NK_OK, "%s", error.text);
    cr_assert_eq(nk_match_play(damaged, &match, &score, &error), NK_E_CORRUPT);
    cr_assert_eq(error.status, NK_E_CORRUPT);
    cr_assert(strstr(error.text, "damaged"), "%s", error.text);
    cr_assert_eq(nk_match_play(damaged, &match, &score, NULL), NK_E_CORRUPT);
    cr_assert_eq(score.plies, 99, "a score of a match that was not played");
    nk_table_close(damaged);
    free(bytes.data);
}

/* On a 3x3 board, four pieces have two in a row unless they are in the corners, where only one side can be. */
Test(match, fails_without_a_start_position, .init = enter_directory, .fini = leave_directory)
{
    struct solved solved = open_board((struct board){3, 3, 4, 2, NK_WIN_LINE});
    static const struct {
        enum nk_start start;
        const char *words;
    } cases[] = {{NK_START_RANDOM, "no start position found"},
                 {NK_START_DRAWN, "no drawn start position found"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_match match = {.start = cases[i].start, .games = 1, .threads = 1, .max_plies = 10};
        struct nk_score score;
        struct nk_error error;
        cr_assert_eq(nk_opponent_parse("random", &match.opponents[0], NULL), NK_OK);
        match.opponents[1] = match.opponents[0];
        cr_assert_eq(nk_match_play(table, &match, &score, &error), NK_E_POSITION);
        cr_assert(strstr(error.text, cases[i].words), "%s", error.text);
    }
    close_board(&solved);
}

/* Where nothing is held back, a write fails before the flush does. */
Test(player, an_engine_notices_a_full_disk_behind_an_unbuffered_stream, .timeout = 60)
{
    struct nk_error error = {0};
    int in[2];
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        cr_skip("no /dev/full");
    cr_assert(!setvbuf(out, NULL, _IONBF, 0) && !pipe(in) && write(in[1], "ping\n", 5) == 5);
    /* Somebody could still write to the pipe: to read on would be to wait. */
    cr_assert_eq(nk_engine_run(table, 0, in[0], out, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "cannot write to standard output: No space left"), "%s", error.text);
    close(in[0]);
    close(in[1]);
    fclose(out);
}

/* ---- search ---- */

Test(player, alpha_beta_gives_the_scores_of_minimax)
{
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 1, plain = 0, pruned = 0;
    for (int i = 0; i < 1000;) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        if (nk_rules_won(&index->rules, position.mover) || nk_rules_won(&index->rules, position.other))
            continue;
        i++;
        for (int plies = 1; plies <= (SLOW ? 3 : 4); plies++) {
            int a[NK_MAX_MOVES], b[NK_MAX_MOVES];
            const int count = nk_search(&index->rules, position, plies, false, a, &plain);
            cr_assert_eq(nk_search(&index->rules, position, plies, true, b, &pruned), count);
            for (int m = 0; m < count; m++)
                cr_assert_eq(a[m], b[m]);
        }
    }
    cr_assert_lt(pruned, plain / 2);
}

Test(player, search_sees_what_the_table_says)
{
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 2;
    for (int i = 0; i < 300;) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        int scores[NK_MAX_MOVES];
        struct nk_value value;
        if (nk_position_check(&index->rules, position, NK_BLACK, NULL) ||
            nk_rules_won(&index->rules, position.other))
            continue;
        cr_assert_eq(nk_table_value(table, position, &value, NULL), NK_OK);
        if (value.result == NK_DRAW || value.plies > 5)
            continue;
        i++;
        const int count = nk_search(&index->rules, position, 5, true, scores, NULL);
        int best = -NK_SCORE_WIN;
        for (int m = 0; m < count; m++)
            best = scores[m] > best ? scores[m] : best;
        cr_assert_eq(best, value.result == NK_WIN ? NK_SCORE_WIN - value.plies : value.plies - NK_SCORE_WIN);
    }
}

Test(player, evaluation_counts_lines)
{
    struct nk_position position;
    enum nk_colour to_move;
    nk_position_parse(nk_table_rules(table), start, &position, &to_move, NULL);
    cr_assert_eq(nk_evaluate(nk_table_rules(table), position), 0); /* the start is symmetric */
    /* Black in the corner a1: 3 lines of its own; White on c3: 12 of its own, one of them through a1. */
    cr_assert_eq(nk_evaluate(nk_table_rules(table), (struct nk_position){nk_bit(0), nk_bit(12)}),
                 3 - 1 - (12 - 1));
}

/* A 4x4 board has 24 orthogonal and 18 diagonal lines of two squares. Other winning conditions have no lines. */
Test(search, evaluation_counts_the_lines_of_the_rule)
{
    static const struct {
        enum nk_win win;
        int width, pieces, corner, inside; /* what one piece there is worth */
    } cases[] = {{NK_WIN_LINE, 4, 2, 3, 8},
                 {NK_WIN_ORTHOGONAL, 4, 2, 2, 4},
                 {NK_WIN_DIAGONAL, 4, 2, 1, 4},
                 {NK_WIN_EQUIDISTANT, 5, 3, 0, 0},
                 {NK_WIN_CENTRE, 5, 3, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int width = cases[i].width, pieces = cases[i].pieces;
        const struct nk_rules rules = rules_of((struct board){width, width, pieces, pieces, cases[i].win});
        const uint64_t corner = nk_bit(0), inside = nk_bit(2 * width + 2);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, 0}), cases[i].corner);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){inside, 0}), cases[i].inside);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, inside}),
                     cases[i].corner - cases[i].inside);
    }
}

/* On a 3x3 board with four pieces per side, one square is empty. A search to the end agrees with the table, in which
 * stalemate is a draw. */
Test(search, stalemate_is_a_draw, .init = enter_directory, .fini = leave_directory)
{
    enum { PLIES = 8 };
    struct solved solved = open_board((struct board){3, 3, 4, 4, NK_WIN_LINE});
    struct nk_position position = {0};
    int stalemates = 0;
    while (next_placement(&solved.rules, &position)) {
        int scores[NK_MAX_MOVES];
        struct nk_move moves[NK_MAX_MOVES], replies[NK_MAX_MOVES];
        if (!goes_on(&solved.rules, position))
            continue;
        (void)nk_position_moves(&solved.rules, position, moves);
        const int count = nk_search(&solved.rules, position, PLIES, true, scores, NULL);
        for (int m = 0; m < count; m++) {
            cr_assert_eq(worth_of_move(position, moves[m]).result, NK_DRAW);
            stalemates += !nk_position_moves(&solved.rules, nk_position_after(position, moves[m]), replies);
            cr_assert_lt(abs(scores[m]), NK_SCORE_WIN - PLIES);
        }
    }
    cr_assert_gt(stalemates, 0);
    close_board(&solved);
}

/* ---- the game: repetition, undo, redo, reasons ---- */

Test(player, undone_moves_stay_known_until_another_move)
{
    struct nk_game *game = begin(start);
    play(game, "b1-c1 b5-c5 c1-a1");
    cr_assert_eq(nk_game_known(game), 3);
    cr_assert(nk_game_undo(game) && nk_game_undo(game));
    cr_assert_eq(nk_game_plies(game), 1);
    cr_assert_eq(nk_game_known(game), 3);
    play(game, "c2-c3");
    cr_assert_eq(nk_game_known(game), 2);
    nk_game_free(game);
}

Test(player, games_reject_illegal_positions)
{
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_position won = {7, 7 << 5}, crowded = {7, 6 << 5 | 1}, few = {3, 7 << 5};
    const struct nk_position impossible[] = {won, crowded, few};
    for (size_t i = 0; i < COUNT(impossible); i++) {
        struct nk_game *game = NULL;
        struct nk_error error = {0};
        cr_assert_eq(nk_game_new(rules, impossible[i], NK_BLACK, &game, &error), NK_E_POSITION);
        cr_assert(!game && error.text[0]);
    }
}

/* Moves that no text can describe, but that a program can construct. */
Test(player, moves_off_the_board_are_rejected)
{
    struct nk_game *game = begin(start);
    static const struct nk_move wrong[] = {{25, 0}, {1, 25}, {255, 255}, {1, 64}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct nk_error error = {0};
        cr_assert_eq(nk_game_play(game, wrong[i], &error), NK_E_MOVE);
        cr_assert(strstr(error.text, "expected 0 to 24"), "%s", error.text);
    }
    cr_assert_eq(nk_game_plies(game), 0);
    nk_game_free(game);
}

Test(player, third_occurrence_is_a_draw_and_can_be_taken_back)
{
    struct nk_game *game = begin("4w/2wb1/1w3/2b2/b4 b");
    struct nk_move last = {0, 0};
    play(game, "a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert_eq(nk_move_parse(nk_game_rules(game), "e1-e5", &last, NULL), NK_OK);
    cr_assert_eq(nk_game_repeats(game, last), 2);
    play(game, "e1-e5");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_REPETITION);
    cr_assert_eq(nk_game_occurrences(game, nk_game_position(game), NK_BLACK), 3);
    cr_assert_eq(nk_game_play(game, last, NULL), NK_E_MOVE);
    cr_assert(nk_game_undo(game));
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert(nk_game_redo(game));
    cr_assert_eq(nk_game_end(game, NULL), NK_END_REPETITION);
    cr_assert(!nk_game_redo(game));
    while (nk_game_undo(game))
        ;
    cr_assert_eq(nk_game_plies(game), 0);
    cr_assert_eq(nk_game_occurrences(game, nk_game_position(game), NK_BLACK), 1);
    nk_game_free(game);
}

/* Whether the values of the options are those of the table. */
static bool options_are_those_of_the_table(const struct nk_game *game)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_move_value moves[NK_MAX_MOVES];
    int count, in_table;
    bool same = true;
    cr_assert_eq(nk_options(table, game, options, &count, NULL), NK_OK);
    cr_assert_eq(nk_table_moves(table, nk_game_position(game), moves, &in_table, NULL), NK_OK);
    cr_assert_eq(count, in_table);
    for (int m = 0; m < count; m++)
        same = same && nk_move_equal(options[m].move, moves[m].move) &&
               same_value(options[m].value, moves[m].value) && options[m].repeats == 0;
    return same;
}

Test(player, ignored_repetition_neither_ends_a_game_nor_changes_a_value)
{
    struct nk_game *game = begin("4w/2wb1/1w3/2b2/b4 b");
    play(game, "a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1");
    cr_assert(!options_are_those_of_the_table(game));
    nk_game_ignore_repetition(game);
    cr_assert(options_are_those_of_the_table(game));
    play(game, "e1-e5 a1-a5 e5-e1 a5-a1 e1-e5");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert(options_are_those_of_the_table(game));
    nk_game_free(game);
}

Test(player, same_squares_with_the_other_side_to_move_do_not_count)
{
    struct nk_game *game = begin(start);
    const struct nk_position first = nk_game_position(game);
    cr_assert_eq(nk_game_occurrences(game, first, NK_BLACK), 1);
    cr_assert_eq(nk_game_occurrences(game, first, NK_WHITE), 0);
    nk_game_free(game);
}

Test(player, illegal_moves_are_rejected_with_the_reason)
{
    struct nk_game *game = begin(start);
    static const struct {
        const char *move, *reason;
    } wrong[] = {
        {"b5-b4", "not Black's"}, {"a3-a4", "no piece"},      {"b1-c3", "not on one line"},
        {"c4-c3", NULL},          {"b1-b3", "on b4, not b3"}, {"c4-d4", "on e4, not d4"},
        {"c4-d5", "blocked"},     {"c4-b5", "blocked"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct nk_move move;
        struct nk_error error = {0};
        cr_assert_eq(nk_move_parse(nk_game_rules(game), wrong[i].move, &move, NULL), NK_OK);
        const enum nk_status status =
            nk_move_check(nk_game_rules(game), nk_game_position(game), NK_BLACK, move, &error);
        cr_assert_eq(status, wrong[i].reason ? NK_E_MOVE : NK_OK, "%s", wrong[i].move);
        if (wrong[i].reason)
            cr_assert(strstr(error.text, wrong[i].reason), "%s: %s", wrong[i].move, error.text);
    }
    nk_game_free(game);
}

Test(player, perfect_never_loses_and_the_same_seed_plays_the_same_game)
{
    struct nk_opponent perfect, random_mover;
    nk_opponent_parse("perfect", &perfect, NULL);
    nk_opponent_parse("random", &random_mover, NULL);
    struct nk_game *games[2];
    for (int i = 0; i < 2; i++) {
        uint64_t random = 99;
        games[i] = begin(start);
        while (nk_game_end(games[i], NULL) == NK_END_NONE) {
            struct nk_move move;
            const bool black = nk_game_to_move(games[i]) == NK_BLACK;
            cr_assert_eq(
                nk_opponent_move(black ? random_mover : perfect, table, games[i], &random, &move, NULL, NULL),
                NK_OK);
            cr_assert_eq(nk_game_play(games[i], move, NULL), NK_OK);
        }
    }
    enum nk_colour winner = NK_BLACK;
    cr_assert_eq(nk_game_end(games[0], &winner), NK_END_WON);
    cr_assert_eq(winner, NK_WHITE);
    cr_assert_eq(nk_game_plies(games[0]), nk_game_plies(games[1]));
    for (int ply = 0; ply < nk_game_plies(games[0]); ply++)
        cr_assert_eq(nk_game_move_at(games[0], ply).to, nk_game_move_at(games[1], ply).to);
    nk_game_free(games[0]);
    nk_game_free(games[1]);
}

/* ---- names of opponents ---- */

Test(player, opponents_by_name)
{
    static const char *const good[] = {"human",       "random",  "rules",   "minimax:1", "minimax:20",
                                       "alphabeta:4", "level:1", "level:9", "weakest",   "perfect"};
    static const char *const bad[] = {"",
                                      "Random",
                                      "minimax",
                                      "minimax:",
                                      "minimax:0",
                                      "minimax:21",
                                      "level:0",
                                      "level:10",
                                      "level:1x",
                                      "level:-1",
                                      "perfect:2",
                                      "levels:3",
                                      "level:99999999999999999999",
                                      "alphabeta:4:4",
                                      " perfect"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct nk_opponent opponent;
        char text[NK_OPPONENT_TEXT];
        cr_assert_eq(nk_opponent_parse(good[i], &opponent, NULL), NK_OK, "%s", good[i]);
        nk_opponent_print(opponent, text);
        cr_assert_str_eq(text, good[i]);
        cr_assert_eq(nk_opponent_is_human(opponent), i == 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct nk_opponent opponent;
        struct nk_error error = {0};
        cr_assert_eq(nk_opponent_parse(bad[i], &opponent, &error), NK_E_SYNTAX, "%s", bad[i]);
        cr_assert(error.text[0]);
    }
}

/* The page offers at least one opponent of every kind but a person and minimax, which plays like alphabeta. */
Test(player, every_kind_is_ranked)
{
    const char *form, *name, *kind_about, *about;
    for (int k = 0; nk_opponent_describe(k, &form, &kind_about); k++) {
        int found = 0;
        for (int n = 0; nk_opponent_ranked(n, &name, &about); n++)
            found += strcspn(name, ":") == strcspn(form, ":") && !strncmp(name, form, strcspn(form, ":")) &&
                     !strcmp(about, kind_about);
        cr_assert_eq(found > 0, strcmp(form, "human") != 0 && strcmp(form, "minimax:N") != 0, "%s", form);
    }
    cr_assert(nk_opponent_ranked(13, &name, &about));
    cr_assert_str_eq(name, "weakest");
    cr_assert_not(nk_opponent_ranked(14, &name, &about));
    cr_assert_not(nk_opponent_ranked(-1, &name, &about));
}
