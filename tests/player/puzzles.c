/* Puzzles, compared with their definition in all positions. */

#include "player/puzzle.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(puzzles, .fini = close_board);

enum { MOST = 1000 };

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

/* Counts the puzzles by their plies: 0 for NK_PUZZLE_SAVE. Returns the longest. */
static int count_by_definition(int expected[NK_MAX_PLIES + 1])
{
    const struct nk_rules *rules = nk_table_rules(table);
    int longest = 0;
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_move moves[NK_MAX_MOVES];
        if (!goes_on(rules, p) || !is_first_image(rules, p))
            continue;
        const struct nk_value value = value_of(p);
        if (value.result == NK_LOSS || moves_to(p, value.result) != 1 ||
            nk_position_moves(rules, p, moves) == 1)
            continue;
        expected[value.plies]++;
        longest = value.plies > longest ? value.plies : longest;
    }
    return longest;
}

static uint8_t *survey(int surveyed[256])
{
    const uint64_t entries = nk_table_index(table)->entries;
    uint8_t *kinds = malloc(entries);
    cr_assert(!nk_puzzle_survey(table, entries / 2, entries, kinds, NULL));
    cr_assert(!nk_puzzle_survey(table, 0, entries / 2, kinds, NULL));
    for (uint64_t entry = 0; entry < entries; entry++)
        surveyed[kinds[entry]]++;
    return kinds;
}

/* Takes all or some of the puzzles of a length, with and without a survey: the same ones, and right. */
static void take(const uint8_t *kinds, int plies, int expected, int longest)
{
    static struct nk_puzzle plain[MOST], quick[MOST];
    struct nk_puzzle_count count, found;
    uint64_t one = 7, two = 7;
    const size_t wanted = plies % 4 == 1 ? MOST : 10;
    cr_assert(!nk_puzzle_take(table, NULL, plies, &one, plain, wanted, &count, NULL));
    cr_assert(!nk_puzzle_take(table, kinds, plies, &two, quick, wanted, &found, NULL));
    cr_assert(count.total == (uint64_t)expected && found.total == count.total, "%d plies", plies);
    cr_assert_eq(count.longest, plies ? longest : NK_PUZZLE_SAVE);
    for (size_t i = 0; i < wanted && i < count.total; i++) {
        cr_assert(same_position(plain[i].position, quick[i].position) &&
                  plain[i].to_move == quick[i].to_move && nk_move_equal(plain[i].answer, quick[i].answer));
        cr_assert(is_only_move(plain[i].position, plain[i].answer));
        cr_assert_eq(value_of(plain[i].position).plies, plies);
    }
}

/* Returns the number of different lengths. */
static int check_board(struct board board)
{
    int expected[NK_MAX_PLIES + 1] = {0}, surveyed[256] = {0}, kinds_seen = 0;
    open_board(board);
    const int longest = count_by_definition(expected);
    uint8_t *kinds = survey(surveyed);
    for (int plies = NK_PUZZLE_SAVE; plies <= longest + 2; plies += plies ? 2 : 1) {
        cr_assert_eq(surveyed[nk_puzzle_kind(plies)], expected[plies], "%d plies", plies);
        take(kinds, plies, expected[plies], longest);
        kinds_seen += expected[plies] > 0;
    }
    free(kinds);
    return kinds_seen;
}

Test(puzzles, counts_match_the_definition)
{
    cr_assert_geq(check_board((struct board){4, 4, 3, 3, NK_WIN_LINE}), 5);
}

/* All positions are draws, and there is no other move if only one keeps the draw. */
Test(puzzles, there_are_none_if_everything_is_drawn)
{
    cr_assert_eq(check_board((struct board){3, 3, 4, 4, NK_WIN_LINE}), 0);
}

/* Looks for puzzles with from to to plies with many seeds. Returns how often there was one. */
static int sample(int from, int to, enum nk_result result)
{
    int samples = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint64_t random = seed;
        struct nk_puzzle puzzle;
        bool found;
        cr_assert(!nk_puzzle_sample(table, from, to, &random, &puzzle, &found, NULL));
        if (!found)
            continue;
        const struct nk_value value = value_of(puzzle.position);
        cr_assert(value.result == result && value.plies >= from && value.plies <= to);
        cr_assert(is_only_move(puzzle.position, puzzle.answer));
        samples++;
    }
    return samples;
}

Test(puzzles, samples_are_puzzles)
{
    open_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    cr_assert_geq(sample(3, 5, NK_WIN), 10);
    cr_assert_geq(sample(NK_PUZZLE_SAVE, NK_PUZZLE_SAVE, NK_DRAW), 10);
    cr_assert_eq(sample(99, 99, NK_WIN), 0);
}
