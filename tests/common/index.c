/* The numbers of configurations and orbits. tests/solver/compare.c looks up every position of many boards by its entry, and
 * the recorded checksum of the table depends on the order of the entries. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void check_configurations(const struct nk_index *index)
{
    uint64_t squares = 0, before = 0;
    uint32_t rank = 0;
    for (; next_configuration(&index->rules, &squares); rank++) {
        cr_assert_eq(nk_index_rank(index, squares), rank);
        cr_assert_eq(index->squares[rank], squares);
        cr_assert(!before || nk_index_next(before) == squares);
        before = squares;
    }
    cr_assert_eq(rank, index->configurations);
}

/* The first of an orbit represents it; orbits are numbered in the order of their representatives. */
static void check_orbits(const struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    uint32_t *members = calloc(index->orbit_count, sizeof *members);
    uint32_t orbits = 0;
    for (uint32_t r = 0; r < index->configurations; r++) {
        const uint64_t squares = index->squares[r];
        const uint32_t number = index->orbit_of[r];
        cr_assert_lt(number, index->orbit_count);
        const struct nk_orbit *orbit = &index->orbits[number];
        const uint64_t first = index->squares[orbit->images[0]];
        members[number]++;
        cr_assert(squares != first || number == orbits++);
        cr_assert_eq(nk_rules_image(rules, index->to_canonical[r], squares), first);
        for (int g = 0; g < rules->symmetries; g++) {
            const uint64_t image = nk_rules_image(rules, g, squares);
            cr_assert(image >= first && index->orbit_of[nk_index_rank(index, image)] == number);
            cr_assert_eq(index->squares[orbit->images[g]], nk_rules_image(rules, g, first));
        }
    }
    cr_assert_eq(orbits, index->orbit_count);
    for (uint32_t c = 0; c < index->orbit_count; c++)
        cr_assert_eq(members[c], index->orbits[c].size, "orbit %u", c);
    free(members);
}

/* The last one has the most configurations there can be. */
Test(index, configurations_and_orbits)
{
    static const struct board boards[] = {
        {3, 3, 4, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL}, {5, 5, 3, 3, NK_WIN_LINE},
        {4, 6, 3, 3, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE},       {3, 8, 5, 4, NK_WIN_LINE},
        {8, 6, 4, 3, NK_WIN_LINE}, {8, 8, 5, 5, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards) - !is_thorough(); i++) {
        AUTO_INDEX *index = index_of(boards[i]);
        check_configurations(index);
        check_orbits(index);
        cr_assert_eq(index->entries, (uint64_t)index->orbit_count * index->per_orbit);
    }
}
