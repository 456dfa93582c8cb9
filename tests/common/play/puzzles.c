/* Puzzles, compared with their definition in all positions. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

TestSuite(puzzles, .init = open_4x4, .fini = close_board);

/* Whether it is a puzzle of that many plies. */
static void expect_puzzle(const struct nk_puzzle *puzzle, int plies)
{
    const struct nk_value value = value_of(puzzle->position);
    cr_assert(is_only_move(puzzle->position, puzzle->answer));
    cr_assert(value.plies == plies);
    cr_assert_eq(value.result, plies ? NK_WIN : NK_DRAW);
}

/* Takes all puzzles of a length, which are right, and some with and without a survey: the first of them. */
static void take(const uint8_t *survey, int plies, uint64_t expected, int longest)
{
    enum { MOST = 10000 };
    static struct nk_puzzle all[MOST], some[MOST];
    struct nk_puzzle_count count;
    uint64_t random = 7;
    cr_assert_lt(expected, MOST);
    cr_assert(!nk_puzzle_take(table, NULL, plies, &random, all, MOST, &count, NULL));
    cr_assert(count.total == expected, "%d plies", plies);
    cr_assert_eq(count.longest, plies ? longest : NK_PUZZLE_DRAW);
    for (size_t i = 0; i < expected; i++)
        expect_puzzle(&all[i], plies);
    for (int n = 0; n < 2; n++) {
        const size_t wanted = n || plies % 4 == 1 ? 10 : MOST;
        random = 7;
        cr_assert(!nk_puzzle_take(table, n ? NULL : survey, plies, &random, some, wanted, &count, NULL));
        cr_assert(count.total >= nk_least(expected, wanted), "%d plies", plies);
        cr_assert(count.total <= expected, "%d plies", plies);
        for (size_t i = 0; i < wanted && i < expected; i++) {
            cr_assert(same_position(some[i].position, all[i].position));
            cr_assert(some[i].to_move == all[i].to_move);
            cr_assert(nk_move_equal(some[i].answer, all[i].answer));
        }
    }
}

/* Whether the entry is the one that represents all symmetric positions. */
static bool is_first_image(const struct nk_index *index, uint64_t entry)
{
    const struct nk_position p = nk_index_position(index, entry);
    for (int g = 0; g < index->rules.symmetries; g++)
        if (nk_index_entry(index, (struct nk_position){nk_rules_image(&index->rules, g, p.mover),
                                                       nk_rules_image(&index->rules, g, p.other)}) < entry)
            return false;
    return true;
}

Test(puzzles, match_the_definition)
{
    static uint8_t survey[1 << 20];
    int expected[NK_MAX_PLIES + 1] = {0}, longest = 0;
    const struct nk_index *index = table->index;
    cr_assert_lt(index->entries, COUNT(survey));
    cr_assert(!nk_puzzle_survey(table, survey, NULL));
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position p = nk_index_position(index, entry);
        const bool is_open = goes_on(&index->rules, p);
        const struct nk_value value = is_open ? value_of(p) : (struct nk_value){NK_LOSS, 0};
        struct nk_move moves[NK_MAX_MOVES];
        const bool is_puzzle = is_first_image(index, entry) && value.result != NK_LOSS &&
                               moves_to(p, value.result) == 1 &&
                               nk_position_moves(&index->rules, p, moves) > 1;
        cr_assert_eq(survey[entry], is_puzzle ? nk_puzzle_survey_code(value.plies) : 0);
        expected[value.plies] += is_puzzle;
        longest = is_puzzle && value.plies > longest ? value.plies : longest;
    }
    cr_assert_geq(longest, 7);
    for (int plies = NK_PUZZLE_DRAW; plies <= longest + 2; plies += plies ? 2 : 1)
        take(survey, plies, (uint64_t)expected[plies], longest);
}

Test(puzzles, are_found_near_random_entries)
{
    static const struct {
        int from, to, least;
    } cases[] = {{3, 5, 10}, {NK_PUZZLE_DRAW, NK_PUZZLE_DRAW, 10}, {99, 99, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int samples = 0, white = 0, turned = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            uint64_t random = seed;
            struct nk_puzzle puzzle;
            bool found;
            cr_assert(!nk_puzzle_sample(table, cases[i].from, cases[i].to, &random, &puzzle, &found, NULL));
            if (!found)
                continue;
            const int plies = value_of(puzzle.position).plies;
            cr_assert(plies >= cases[i].from);
            cr_assert(plies <= cases[i].to);
            expect_puzzle(&puzzle, plies);
            samples++;
            white += puzzle.to_move == NK_WHITE;
            const uint64_t entry = nk_index_entry(table->index, puzzle.position);
            turned += !same_position(puzzle.position, nk_index_position(table->index, entry));
        }
        cr_assert_geq(samples, cases[i].least);
        cr_assert(!samples || (white && white < samples && turned)); /* a random symmetry and colour */
    }
}
