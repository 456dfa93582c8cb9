/* The numbers of positions, all of them. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Those of which all placements are visited only if there is time, and those with too many, come last. */
static const struct board boards[] = {
    {4, 3, 3, 3, NK_WIN_LINE},       {3, 4, 3, 3, NK_WIN_LINE}, {4, 4, 3, 3, NK_WIN_LINE},
    {3, 3, 4, 3, NK_WIN_LINE},       {3, 3, 2, 2, NK_WIN_LINE}, {5, 5, 2, 2, NK_WIN_LINE},
    {4, 3, 5, 3, NK_WIN_ORTHOGONAL}, {5, 5, 3, 3, NK_WIN_LINE}, {6, 4, 3, 3, NK_WIN_LINE},
    {4, 6, 3, 3, NK_WIN_LINE},       {8, 8, 2, 2, NK_WIN_LINE}, {6, 6, 5, 5, NK_WIN_LINE},
    {3, 8, 5, 4, NK_WIN_LINE},       {8, 6, 4, 3, NK_WIN_LINE},
};
enum { LARGE = 3, LONG = 4 };

static struct nk_position image_of(const struct nk_rules *rules, int g, struct nk_position position)
{
    return (struct nk_position){nk_rules_image(rules, g, position.mover),
                                nk_rules_image(rules, g, position.other)};
}

/* ---- configurations ---- */

static void check_configurations(struct board board)
{
    AUTO_INDEX *index = index_of(board);
    const struct nk_rules *rules = &index->rules;
    uint64_t squares = 0, before = 0;
    uint32_t rank = 0;
    for (; next_configuration(rules, &squares); rank++) {
        cr_assert_eq(nk_index_rank(index, squares), rank, "%s", board_text(board).s);
        cr_assert_eq(index->squares[rank], squares, "%s", board_text(board).s);
        cr_assert(!before || nk_index_next(before) == squares, "%s", board_text(board).s);
        before = squares;
    }
    cr_assert_eq(rank, index->configurations);
}

Test(index, configurations)
{
    for (size_t i = 0; i < COUNT(boards); i++)
        check_configurations(boards[i]);
    if (is_thorough())
        check_configurations((struct board){8, 8, 5, 5, NK_WIN_LINE}); /* the most there can be */
}

/* ---- orbits ---- */

static void check_orbits(struct board board)
{
    AUTO_INDEX *index = index_of(board);
    const struct nk_rules *rules = &index->rules;
    uint32_t *members = calloc(index->orbit_count, sizeof *members);
    cr_assert(members);
    uint32_t orbits = 0;
    for (uint32_t r = 0; r < index->configurations; r++) {
        const uint64_t squares = index->squares[r];
        const struct nk_orbit *orbit = &index->orbits[index->orbit_of[r]];
        const uint64_t first = index->squares[orbit->images[0]];
        cr_assert_lt(index->orbit_of[r], index->orbit_count);
        members[index->orbit_of[r]]++;
        cr_assert_eq(nk_rules_image(rules, index->to_canonical[r], squares), first);
        for (int g = 0; g < rules->symmetries; g++) {
            const uint64_t image = nk_rules_image(rules, g, squares);
            cr_assert_geq(image, first, "the first of an orbit represents it");
            cr_assert_eq(index->orbit_of[nk_index_rank(index, image)], index->orbit_of[r]);
            cr_assert_eq(index->squares[orbit->images[g]], nk_rules_image(rules, g, first));
        }
        /* Orbits are numbered in the order of their representatives. */
        if (squares == first)
            cr_assert_eq(index->orbit_of[r], orbits++);
    }
    cr_assert_eq(orbits, index->orbit_count);
    for (uint32_t c = 0; c < index->orbit_count; c++)
        cr_assert_eq(members[c], index->orbits[c].size, "%s: orbit %u", board_text(board).s, c);
    cr_assert_eq(index->entries, (uint64_t)index->orbit_count * index->per_orbit);
    free(members);
}

Test(index, orbits)
{
    for (size_t i = 0; i < COUNT(boards); i++)
        check_orbits(boards[i]);
}

Test(index, standard_board)
{
    AUTO_INDEX *index = index_of(STANDARD);
    cr_assert_eq(index->configurations, 2300);
    cr_assert_eq(index->per_orbit, 1540);
    cr_assert_eq(index->placements, 3542000);
    cr_assert_eq(index->orbit_count, 319);
    cr_assert_eq(index->entries, 491260);
}

/* ---- entries ---- */

/* Entries are numbered by orbit, then by the mover's configuration among the free squares. */
static void check_entries(const struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    uint64_t entry = 0;
    for (uint32_t c = 0; c < index->orbit_count; c++) {
        struct nk_position expected = {0, index->squares[index->orbits[c].images[0]]};
        while (next_configuration(rules, &expected.mover)) {
            if (expected.mover & expected.other)
                continue;
            const struct nk_position position = nk_index_position(index, entry);
            cr_assert(same_position(position, expected), "entry %llu", (unsigned long long)entry);
            cr_assert_eq(nk_index_entry(index, position), entry);
            entry++;
        }
    }
    cr_assert_eq(entry, index->entries);
}

/* The position of a position's entry is one of its images. */
static void check_placements(const struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    uint64_t placements = 0;
    for (struct nk_position p = {0}; next_placement(rules, &p); placements++) {
        const struct nk_position found = nk_index_position(index, nk_index_entry(index, p));
        bool is_image = false;
        for (int g = 0; g < rules->symmetries && !is_image; g++)
            is_image = same_position(image_of(rules, g, p), found);
        cr_assert(is_image, "%s", position_text(rules, p).s);
    }
    cr_assert_eq(placements, index->placements);
}

Test(index, entries_and_positions, .timeout = 600)
{
    for (size_t i = 0; i < COUNT(boards) - LARGE - (is_thorough() ? 0 : LONG); i++) {
        AUTO_INDEX *index = index_of(boards[i]);
        check_entries(index);
        check_placements(index);
    }
}
