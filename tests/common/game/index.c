/* The numbers of an index. */

#include "tests/support.h"

#include "common/game/game.h"

#include <criterion/criterion.h>

/* The orbits by their definition: each has one configuration that is the lowest of its images. */
static uint32_t count_lowest(const struct nk_rules *rules)
{
    uint32_t lowest = 0;
    const uint64_t end = rules->all_squares + 1;
    for (uint64_t squares = nk_bit(rules->board.pieces) - 1; squares < end;
         squares = nk_index_next(squares)) {
        bool is_lowest = true;
        for (int g = 0; g < rules->symmetries; g++)
            is_lowest = is_lowest && nk_rules_image(rules, g, squares) >= squares;
        lowest += is_lowest;
    }
    return lowest;
}

Test(index, orbits_are_counted_without_listing_them)
{
    for (int width = NK_MIN_SIDE; width <= 7; width++)
        for (int height = NK_MIN_SIDE; height <= 7; height++)
            for (int pieces = NK_MIN_PIECES; pieces <= 4; pieces++) {
                const struct nk_board board = {width, height, pieces, NK_MIN_ROW_LENGTH, NK_WIN_LINE};
                struct nk_rules rules;
                struct nk_index index;
                if (nk_rules_init(&rules, &board, NULL))
                    continue;
                nk_index_init_sizes(&rules, &index);
                cr_assert_eq(index.orbit_count, count_lowest(&rules), "%dx%d/%d", width, height, pieces);
            }
}

Test(index, every_orbit_is_listed)
{
    AUTO_INDEX *index = index_of((struct nk_board){5, 5, 3, 3, NK_WIN_LINE});
    uint32_t members = 0;
    for (uint32_t orbit = 0; orbit < index->orbit_count; orbit++)
        members += index->orbits[orbit].size;
    cr_assert_eq(members, index->configurations);
}
