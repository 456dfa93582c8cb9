/* The fair starts of boards against their definition, which is tried on every placement. */

#include "tests/player/support.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct nk_position exchanged(struct nk_position position)
{
    return (struct nk_position){position.other, position.mover};
}

/* Squares reflected from file to file, from rank to rank and, on square boards, from file to rank. */
static uint64_t image(struct nk_board board, uint64_t squares, int symmetry)
{
    uint64_t result = 0;
    for (int square = 0; square < board.width * board.height; square++) {
        int file = square % board.width, rank = square / board.width;
        if (symmetry & 1)
            file = board.width - 1 - file;
        if (symmetry & 2)
            rank = board.height - 1 - rank;
        if (squares >> square & 1)
            result |= UINT64_C(1) << (symmetry & 4 ? file * board.width + rank : rank * board.width + file);
    }
    return result;
}

/* Whether no symmetric position comes before this one. */
static bool is_unique(struct nk_board board, struct nk_position position)
{
    for (int symmetry = 1; symmetry < (board.width == board.height ? 8 : 4); symmetry++) {
        const uint64_t mover = image(board, position.mover, symmetry);
        const uint64_t other = image(board, position.other, symmetry);
        if (mover < position.mover || (mover == position.mover && other < position.other))
            return false;
    }
    return true;
}

/* How many placements, one of each symmetric set, fulfil the first conditions: drawn with either side to move; two
 * moves of each side that keep the draw; and trap values that differ by at most 16. */
struct counts {
    int drawn, two_moves, close_traps;
};

static int compare(const void *a, const void *b)
{
    const struct nk_position *x = a, *y = b;
    if (x->mover != y->mover)
        return x->mover < y->mover ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

/* Counts by the definition; the fair starts are put into found[], which has room for all. */
static struct counts count_all(struct nk_position found[])
{
    struct counts counts = {0, 0, 0};
    struct nk_position white = {0, 0};
    uint64_t mover = 0; /* changes rarely */
    bool may_be_unique = false;
    const struct nk_rules *rules = nk_table_rules(table);
    cr_assert(!nk_table_load(table, NULL));
    while (next_placement(rules, &white)) {
        uint8_t traps[2];
        const struct nk_position position = exchanged(white);
        if (position.mover != mover)
            may_be_unique = is_unique(rules->board, (struct nk_position){mover = position.mover, 0});
        if (!may_be_unique || nk_rules_won(rules, position.mover) || nk_rules_won(rules, position.other) ||
            value_of(position).result != NK_DRAW || value_of(white).result != NK_DRAW ||
            !is_unique(rules->board, position))
            continue;
        counts.drawn++;
        if (moves_to(position, NK_DRAW) < 2 || moves_to(white, NK_DRAW) < 2)
            continue;
        counts.two_moves++;
        cr_assert(!nk_table_trap(table, position, &traps[0], NULL));
        cr_assert(!nk_table_trap(table, white, &traps[1], NULL));
        if (traps[0] - traps[1] <= 16 && traps[1] - traps[0] <= 16)
            found[counts.close_traps++] = position;
    }
    qsort(found, (size_t)counts.close_traps, sizeof *found, compare);
    return counts;
}

/* Expects the list that the definition gives for the open table, which is counted. */
static struct counts expect_list(void)
{
    static struct nk_position expected[1000];
    struct nk_position *starts;
    uint64_t count = 0;
    const struct counts counts = count_all(expected);
    cr_assert(!nk_fair_starts(table, &starts, &count, NULL));
    cr_assert_eq(count, (uint64_t)counts.close_traps, "%d", (int)count);
    for (uint64_t n = 0; n < count; n++)
        cr_assert(same_position(starts[n], expected[n]), "%d", (int)n + 1);
    free(starts);
    return counts;
}

Test(fair, the_list_of_the_standard_board_has_the_published_counts, .init = open_standard,
     .fini = close_board)
{
    const struct counts counts = expect_list();
    cr_assert_eq(counts.drawn, 378);
    cr_assert_eq(counts.two_moves, 204);
    cr_assert_eq(counts.close_traps, 180);
}

Test(fair, the_lists_of_other_boards_are_what_the_definition_gives)
{
    static const struct nk_board boards[] = {
        {4, 4, 3, 3, NK_WIN_LINE},
        {4, 5, 3, 3, NK_WIN_LINE},
        {4, 4, 3, 3, NK_WIN_ORTHOGONAL},
        {3, 4, 3, 3, NK_WIN_ORTHOGONAL}, /* with trap values that differ by exactly 16, and by 17 */
    };
    for (size_t b = 0; b < COUNT(boards); b++) {
        open_board(boards[b]);
        expect_list();
        close_board();
    }
}

Test(fair, each_number_means_one_of_the_list, .init = open_4x4, .fini = close_board)
{
    struct nk_position *starts;
    uint64_t count;
    cr_assert(!nk_fair_starts(table, &starts, &count, NULL));
    for (uint64_t number = 1; number <= count; number++) {
        struct nk_position position = {0, 0};
        cr_assert(!nk_fair_start(table, number, &position, NULL));
        cr_assert(same_position(position, starts[number - 1]), "%d", (int)number);
    }
    free(starts);
}

Test(fair, a_list_that_its_caller_changes_is_a_copy, .init = open_4x4, .fini = close_board)
{
    struct nk_position *starts, position = {0, 0};
    uint64_t count;
    cr_assert(!nk_fair_starts(table, &starts, &count, NULL));
    const struct nk_position first = starts[0];
    starts[0] = starts[1];
    cr_assert(!nk_fair_start(table, 1, &position, NULL));
    cr_assert(same_position(position, first));
    free(starts);
}

static void *find_17(void *position)
{
    cr_assert(!nk_fair_start(table, 17, position, NULL));
    return NULL;
}

Test(fair, threads_that_search_at_the_same_time_find_the_same, .init = open_standard, .fini = close_board)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    struct nk_position found[THREADS], expected;
    for (int t = 0; t < THREADS; t++)
        cr_assert(!pthread_create(&threads[t], NULL, find_17, &found[t]));
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    cr_assert(!nk_fair_start(table, 17, &expected, NULL));
    for (int t = 0; t < THREADS; t++)
        cr_assert(same_position(found[t], expected));
}

/* A number that people have passed on must go on meaning the same position. */
Test(fair, numbers_of_the_standard_board_stay_the_same, .init = open_standard, .fini = close_board)
{
    static const struct {
        uint64_t number;
        const char *text;
    } known[] = {{1, "5/5/5/bww2/wb1b1 b"}, {90, "5/5/1b2w/2w1b/2bw1 b"}, {180, "b4/4w/4b/5/1wbw1 b"}};
    for (size_t k = 0; k < COUNT(known); k++) {
        struct nk_position position = {0, 0};
        cr_assert(!nk_fair_start(table, known[k].number, &position, NULL));
        const struct nk_text text = nk_position_text(nk_table_rules(table), position, NK_BLACK);
        cr_expect_str_eq(text.s, known[k].text);
    }
}

Test(fair, numbers_that_do_not_exist_are_refused, .init = open_standard, .fini = close_board)
{
    struct nk_position position;
    struct nk_error error;
    cr_assert_eq(nk_fair_start(table, 0, &position, &error), NK_E_POSITION);
    cr_assert_eq(nk_fair_start(table, 181, &position, &error), NK_E_POSITION);
    cr_assert_str_eq(error.text, "the fair starts of this board are numbered from 1 to 180");
    cr_assert_eq(nk_fair_start(table, UINT64_MAX, &position, &error), NK_E_POSITION);
}

/* Where the rules name no start, one of the draws is suggested in which each side is its own image from file to file
 * and, from rank to rank, that of the other. */
Test(fair, the_suggested_start_is_symmetric)
{
    const struct nk_board board = {4, 6, 4, 4, NK_WIN_LINE};
    struct nk_position start;
    open_board(board);
    cr_assert(!nk_suggested_start(table, &start, NULL));
    cr_expect_eq(image(board, start.mover, 1), start.mover);
    cr_expect_eq(image(board, start.mover, 2), start.other);
    cr_expect_eq(value_of(start).result, NK_DRAW);
    close_board();
}

/* Where no such position is drawn, that of the longest win, even if others are as long. */
Test(fair, the_suggested_start_of_a_board_without_draws_is_symmetric)
{
    struct nk_position start;
    open_board((struct nk_board){3, 4, 2, 2, NK_WIN_ORTHOGONAL});
    cr_assert(!nk_suggested_start(table, &start, NULL));
    cr_expect_str_eq(nk_position_text(nk_table_rules(table), start, NK_BLACK).s, "1w1/1b1/1w1/1b1 b");
    close_board();
}

/* On 3x3 with two pieces and a row of two, every position is won by the side to move. */
Test(fair, a_board_without_draws_has_none)
{
    struct nk_position position, *starts;
    uint64_t count = 1;
    struct nk_error error;
    open_board((struct nk_board){3, 3, 2, 2, NK_WIN_LINE});
    cr_assert_eq(nk_table_summary(table)->draws, 0);
    cr_assert(!nk_fair_starts(table, &starts, &count, NULL));
    free(starts);
    cr_assert_eq(count, 0);
    cr_assert_eq(nk_fair_start(table, 1, &position, &error), NK_E_POSITION);
    cr_assert_str_eq(error.text, "this board has no fair starts");
    close_board();
}

Test(fair, a_table_without_traps_has_no_list)
{
    struct nk_position *starts = NULL;
    uint64_t count = 7;
    struct nk_error error;
    enter_directory();
    AUTO_SOLVED solved = solve_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    struct contents contents = contents_of(&solved);
    contents.traps = NULL;
    table = open_contents(&contents);
    cr_assert_eq(nk_fair_starts(table, &starts, &count, &error), NK_E_UNSUPPORTED);
    cr_assert_eq(count, 7, "written to on failure");
    cr_assert(strstr(error.text, "no trap values"), "%s", error.text);
    close_board();
}

/* With the rules of a table, the names of positions are positions. */
Test(fair, numbers_are_positions, .init = open_4x4, .fini = close_board)
{
    struct nk_position named, numbered;
    enum nk_colour to_move = NK_WHITE;
    cr_assert(!nk_position_parse(nk_table_rules(table), " \n\tFair:17", &named, &to_move, NULL));
    cr_assert(!nk_fair_start(table, 17, &numbered, NULL));
    cr_assert(same_position(named, numbered));
    cr_assert_eq(to_move, NK_BLACK);
}

Test(fair, wrong_names_are_refused_with_the_place, .init = open_standard, .fini = close_board)
{
    static const struct {
        const char *text;
        enum nk_status status;
        size_t at;
        const char *message;
    } wrong[] = {
        {"fair", NK_E_SYNTAX, 5, "found the end, expected :N, the number of a fair start"},
        {"fairly", NK_E_SYNTAX, 5, "found 'l', expected :N, the number of a fair start"},
        {"fair:", NK_E_SYNTAX, 6, "found the end, expected the number of a fair start"},
        {"fair:x", NK_E_SYNTAX, 6, "found 'x', expected the number of a fair start"},
        {"fair:-1", NK_E_SYNTAX, 6, "found '-', expected the number of a fair start"},
        {"fair: 1", NK_E_SYNTAX, 6, "found ' ', expected the number of a fair start"},
        {"fair:1x", NK_E_SYNTAX, 7, "found 'x', expected the end of the text"},
        {"fair:0", NK_E_POSITION, 0, "fair start 0: they are numbered from 1"},
        {"fair:181", NK_E_POSITION, 0, "the fair starts of this board are numbered from 1 to 180"},
        {"fair:18446744073709551617", NK_E_POSITION, 0,
         "the fair starts of this board are numbered from 1 to 180"},
        {"standards", NK_E_SYNTAX, 9, "found 's', expected the end of the text"},
    };
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error error;
    for (size_t w = 0; w < COUNT(wrong); w++) {
        const enum nk_status status =
            nk_position_parse(nk_table_rules(table), wrong[w].text, &position, &to_move, &error);
        cr_assert_eq(status, wrong[w].status, "%s: %s", wrong[w].text, error.text);
        cr_assert_eq(error.at, wrong[w].at, "%s: %s", wrong[w].text, error.text);
        cr_assert_str_eq(error.text, wrong[w].message);
    }
}

/* Other rules know the start position, but no fair starts. */
Test(fair, rules_without_a_table_have_none)
{
    struct nk_rules *rules;
    struct nk_position position, start;
    enum nk_colour to_move;
    struct nk_error error;
    cr_assert(!nk_rules_new(NULL, &rules, NULL));
    cr_assert(nk_rules_start(rules, &start));
    cr_assert(!nk_position_parse(rules, " STANDARD ", &position, &to_move, NULL));
    cr_assert(same_position(position, start));
    cr_assert_eq(nk_position_parse(rules, "\uff46air:17", &position, &to_move, &error), NK_E_SYNTAX);
    cr_assert_str_eq(error.text, "fair starts need the rules of a table");
    cr_assert_eq(error.at, 7);
    nk_rules_free(rules);
}
