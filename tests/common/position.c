/* Moves forwards and backwards, on all positions. tests/solver/compare.c compares the moves with a second statement of
 * the rules. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- all positions ---- */

/* Checks all moves of a board; counts for each placement the moves that lead there. */
static void check_moves(const struct nk_index *index, uint8_t *arriving)
{
    const struct nk_rules *rules = &index->rules;
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_rules_won(rules, p.mover) ? 0 : nk_position_moves(rules, p, moves);
        for (int m = 0; m < count; m++) {
            const struct nk_position after = nk_position_after(p, moves[m]);
            cr_assert(!nk_move_check(rules, p, NK_BLACK, moves[m], NULL) &&
                          !nk_rules_won(rules, after.mover) &&
                          same_position(nk_position_before(after, moves[m]), p),
                      "%s: %d-%d", position_text(rules, p).s, moves[m].from, moves[m].to);
            arriving[(size_t)nk_index_rank(index, after.mover) * index->configurations +
                     nk_index_rank(index, after.other)]++;
        }
    }
}

/* Different moves of positions that were legal and not over, and as many as arrive: so it is all of them. */
static void check_reverse_moves(const struct nk_index *index, const uint8_t *arriving)
{
    const struct nk_rules *rules = &index->rules;
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_move moves[NK_MAX_REVERSE_MOVES];
        uint64_t from[NK_MAX_SQUARES] = {0}; /* for each square, where pieces came from to it */
        const int count = nk_position_reverse_moves(rules, p, moves);
        const size_t at = (size_t)nk_index_rank(index, p.mover) * index->configurations;
        cr_assert_eq(count, arriving[at + nk_index_rank(index, p.other)], "%s: %d reverse moves",
                     position_text(rules, p).s, count);
        for (int m = 0; m < count; m++) {
            const struct nk_position before = nk_position_before(p, moves[m]);
            const bool again = from[moves[m].to] >> moves[m].from & 1;
            cr_assert(goes_on(rules, before) && !again &&
                          !nk_move_check(rules, before, NK_BLACK, moves[m], NULL),
                      "%s: %d-%d", position_text(rules, p).s, moves[m].from, moves[m].to);
            from[moves[m].to] |= nk_bit(moves[m].from);
        }
    }
}

Test(position, moves, .timeout = 600)
{
    static const struct board boards[] = {
        {3, 3, 4, 3, NK_WIN_LINE}, {3, 3, 4, 4, NK_WIN_LINE}, {4, 3, 3, 3, NK_WIN_LINE},
        {3, 5, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 2); i++) {
        AUTO_INDEX *index = index_of(boards[i]);
        uint8_t *arriving = calloc((size_t)index->configurations * index->configurations, 1);
        check_moves(index, arriving);
        check_reverse_moves(index, arriving);
        free(arriving);
    }
}

/* ---- positions that cannot be ---- */

Test(position, says_what_cannot_be)
{
    static const struct {
        const char *mover, *other;
        enum nk_colour to_move;
        const char *words;
    } wrong[] = {
        {"b1 d1 c4", "b5 d5", NK_BLACK, "White has 2 pieces, expected 3"},
        {"b1 d1 c4", "b5 d5 c2 a1", NK_WHITE, "Black has 4 pieces, expected 3"},
        {"b1", "b5 d5 c2", NK_BLACK, "Black has 1 piece, expected 3"},
        {"", "", NK_BLACK, "Black has 0 pieces, expected 3"},
        {"b1 d1 c4", "b5 d5 c4", NK_BLACK, "two pieces are on one square"},
        {"b1 d1 c6", "b5 d5 c2", NK_BLACK, "a piece is outside the board of 5x5"},
        {"b1 c1 d1", "b5 d5 c2", NK_BLACK, "Black has already won and cannot be the one to move"},
        {"b1 c1 d1", "b5 d5 c2", NK_WHITE, "White has already won and cannot be the one to move"},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const struct nk_position position = {squares_of(&rules, wrong[i].mover),
                                             squares_of(&rules, wrong[i].other)};
        struct nk_error error;
        cr_assert_eq(nk_position_check(&rules, position, wrong[i].to_move, &error), NK_E_POSITION);
        cr_assert_eq(error.status, NK_E_POSITION);
        cr_assert_str_eq(error.text, wrong[i].words);
        cr_assert_eq(nk_position_check(&rules, position, wrong[i].to_move, NULL), NK_E_POSITION);
    }
}

/* ---- counts of games ---- */

/* How many sequences of so many moves begin in a position. */
static uint64_t perft(const struct nk_rules *rules, struct nk_position position, int depth)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    uint64_t sequences = 0;
    for (int m = 0; depth > 1 && m < count; m++)
        sequences += perft(rules, nk_position_after(position, moves[m]), depth - 1);
    return depth > 1 ? sequences : (uint64_t)count;
}

Test(position, perft)
{
    static const uint64_t sequences[] = {14, 207, 2723, 36677, 467422}; /* of 1, 2, ... moves */
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position start;
    cr_assert(nk_rules_start(&rules, &start));
    for (int depth = 1; depth <= 5; depth++)
        cr_assert_eq(perft(&rules, start, depth), sequences[depth - 1], "%d moves", depth);
}
