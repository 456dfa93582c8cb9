/* Puzzles, compared with their definition in all positions. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

static void open_small(void)
{
    open_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
}

TestSuite(puzzles, .init = open_small, .fini = close_board);

/* Whether it is a puzzle of that many plies. */
static void expect_puzzle(const struct nk_puzzle *puzzle, int plies)
{
    const struct nk_value value = value_of(puzzle->position);
    cr_assert(is_only_move(puzzle->position, puzzle->answer));
    cr_assert(value.plies == plies);
    cr_assert_eq(value.result, plies ? NK_WIN : NK_DRAW);
}

/* Takes all or some of the puzzles of a length, with and without a survey: the same ones, and right. */
static void take(const uint8_t *survey, int plies, int expected, int longest)
{
    enum { MOST = 1000 };
    static struct nk_puzzle plain[MOST], quick[MOST];
    struct nk_puzzle_count count, found;
    uint64_t one = 7, two = 7;
    const size_t wanted = plies % 4 == 1 ? MOST : 10;
    cr_assert(!nk_puzzle_take(table, NULL, plies, &one, plain, wanted, &count, NULL));
    cr_assert(!nk_puzzle_take(table, survey, plies, &two, quick, wanted, &found, NULL));
    cr_assert(count.total == (uint64_t)expected, "%d plies", plies);
    cr_assert(found.total == count.total, "%d plies", plies);
    cr_assert_eq(count.longest, plies ? longest : NK_PUZZLE_DRAW);
    for (size_t i = 0; i < wanted && i < count.total; i++) {
        cr_assert(same_position(plain[i].position, quick[i].position));
        cr_assert(plain[i].to_move == quick[i].to_move);
        cr_assert(nk_move_equal(plain[i].answer, quick[i].answer));
        expect_puzzle(&plain[i], plies);
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
        take(survey, plies, expected[plies], longest);
}

Test(puzzles, are_found_near_random_entries)
{
    static const struct {
        int from, to, least;
    } cases[] = {{3, 5, 10}, {NK_PUZZLE_DRAW, NK_PUZZLE_DRAW, 10}, {99, 99, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int samples = 0;
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
        }
        cr_assert_geq(samples, cases[i].least);
    }
}
