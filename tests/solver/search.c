/* The second proof: a search without the table, on rules of its own, says of every position of the standard
 * board whether it is won or lost within a few plies, and in how many. It has nothing in common with solver/
 * and common/ but the numbering of the squares; table and search must say the same. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- the search: rules, written down once more ---- */

enum { SIDE = 5, SQUARES = SIDE * SIDE, UNDECIDED = -1 };

struct sides {
    uint32_t mover, other;
};

static uint8_t ray[SQUARES][8][SIDE];           /* the squares from here that way, nearest first */
static uint8_t ray_length[SQUARES][8];          /* how many */
static uint32_t completes[SQUARES][SQUARES];    /* the squares that make a line of three of these two */
static bool is_line[SQUARES][SQUARES][SQUARES]; /* by ascending squares */

static bool on_board(int file, int rank)
{
    return file >= 0 && file < SIDE && rank >= 0 && rank < SIDE;
}

/* Squares file + 5 * rank. */
static void set_up_search(void)
{
    for (int s = 0; s < SQUARES; s++)
        for (int d = 0, dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++) {
                if (!dx && !dy)
                    continue;
                int length = 0;
                for (int x = s % SIDE + dx, y = s / SIDE + dy; on_board(x, y); x += dx, y += dy)
                    ray[s][d][length++] = (uint8_t)(x + SIDE * y);
                ray_length[s][d++] = (uint8_t)length;
                if (length < 2)
                    continue;
                const int a = s, b = s + dx + SIDE * dy, c = b + dx + SIDE * dy;
                const int three[3] = {a, b, c};
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        if (i != j)
                            completes[three[i]][three[j]] |= UINT32_C(1) << three[3 - i - j];
                if (a < c)
                    is_line[a][b][c] = true;
            }
}

static void squares_in(uint32_t side, int squares[3])
{
    for (int i = 0; i < 3; i++, side &= side - 1)
        squares[i] = __builtin_ctz(side);
}

static bool has_line(uint32_t side)
{
    int s[3];
    squares_in(side, s);
    return is_line[s[0]][s[1]][s[2]];
}

/* Where a slide ends: the square itself when it cannot move that way. */
static int slide(uint32_t occupied, int from, int d)
{
    int to = from;
    for (int i = 0; i < ray_length[from][d] && !(occupied >> ray[from][d][i] & 1); i++)
        to = ray[from][d][i];
    return to;
}

/* Whether the mover, nobody having won yet, can make a line at once. */
static bool wins_at_once(struct sides p)
{
    const uint32_t occupied = p.mover | p.other;
    int s[3];
    squares_in(p.mover, s);
    for (int i = 0; i < 3; i++) {
        const uint32_t goals = completes[s[(i + 1) % 3]][s[(i + 2) % 3]] & ~occupied;
        for (int d = 0; goals && d < 8; d++)
            if (goals >> slide(occupied, s[i], d) & 1)
                return true;
    }
    return false;
}

static struct sides after(struct sides p, int from, int to)
{
    return (struct sides){p.other, p.mover ^ UINT32_C(1) << from ^ UINT32_C(1) << to};
}

static bool loses_within(struct sides p, int plies);

/* Whether the mover can force a win in so many plies, nobody having won yet. A window of one result needs no
 * evaluation: the first move that does it ends the search, as in alpha-beta. */
static bool wins_within(struct sides p, int plies)
{
    if (plies < 1)
        return false;
    if (wins_at_once(p))
        return true;
    if (plies < 3)
        return false;
    const uint32_t occupied = p.mover | p.other;
    for (uint32_t left = p.mover; left; left &= left - 1) {
        const int from = __builtin_ctz(left);
        for (int d = 0; d < 8; d++) {
            const int to = slide(occupied, from, d);
            if (to != from && loses_within(after(p, from, to), plies - 1))
                return true;
        }
    }
    return false;
}

/* Whether every move of the mover leads into a win of the other side. */
static bool loses_within(struct sides p, int plies)
{
    if (plies < 2 || wins_at_once(p))
        return false;
    const uint32_t occupied = p.mover | p.other;
    bool moved = false;
    for (uint32_t left = p.mover; left; left &= left - 1) {
        const int from = __builtin_ctz(left);
        for (int d = 0; d < 8; d++) {
            const int to = slide(occupied, from, d);
            if (to == from)
                continue;
            moved = true;
            if (!wins_within(after(p, from, to), plies - 1))
                return false;
        }
    }
    return moved;
}

/* The plies after which a position is decided, deepening one by one; UNDECIDED when they are more than
 * `most`. A win takes an odd number, a loss an even one. */
static int search(struct sides p, int most)
{
    if (has_line(p.other))
        return 0;
    for (int plies = 1; plies <= most; plies++)
        if (plies % 2 ? wins_within(p, plies) : loses_within(p, plies))
            return plies;
    return UNDECIDED;
}

/* ---- against the table ---- */

static uint32_t image(uint32_t side, int g)
{
    uint32_t turned = 0;
    for (; side; side &= side - 1) {
        int file = __builtin_ctz(side) % SIDE, rank = __builtin_ctz(side) / SIDE;
        file = g & 1 ? SIDE - 1 - file : file;
        rank = g & 2 ? SIDE - 1 - rank : rank;
        turned |= UINT32_C(1) << (g & 4 ? rank + SIDE * file : file + SIDE * rank);
    }
    return turned;
}

/* How many different positions the board's symmetries make of this one; 0 if another stands for them. */
static int images_of(struct sides p)
{
    const uint64_t own = (uint64_t)p.other << SQUARES | p.mover;
    int same = 0;
    for (int g = 0; g < 8; g++) {
        const uint64_t turned = (uint64_t)image(p.other, g) << SQUARES | image(p.mover, g);
        if (turned < own)
            return 0;
        same += turned == own;
    }
    return 8 / same;
}

/* What the table says, in the words of the search. */
static int ask_table(struct nk_table *table, struct sides p, int most)
{
    const struct nk_position position = {p.mover, p.other};
    struct nk_value value;
    cr_assert(!nk_table_value(table, position, &value, NULL));
    cr_assert(value.result == NK_DRAW || value.plies % 2 == (value.result == NK_WIN));
    return value.result != NK_DRAW && value.plies <= most ? value.plies : UNDECIDED;
}

static void compare(struct nk_table *table, struct sides p, int most, int found)
{
    const int expected = ask_table(table, p, most);
    cr_assert_eq(found, expected, "%s: the search says %d, the table %d",
                 position_text(nk_table_rules(table), (struct nk_position){p.mover, p.other}).s, found,
                 expected);
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static struct nk_table *open_standard(struct bytes *bytes)
{
    struct solved s = solve_board(STANDARD);
    struct nk_table *table;
    *bytes = table_bytes(s.index, &s.solution->summary, s.codes, s.traps);
    solved_free(&s);
    cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &table, NULL));
    set_up_search();
    return table;
}

TestSuite(search, .init = enter_directory, .fini = leave_directory, .timeout = 1200);

/* Every position, one of each set of images. */
Test(search, confirms_every_position_of_few_plies)
{
    enum { MOST = 5 };
    struct bytes bytes;
    struct nk_table *table = open_standard(&bytes);
    const struct nk_rules *rules = nk_table_rules(table);
    uint64_t decided[MOST + 1] = {0}, legal = 0, searched = 0;
    const double begin = seconds();
    for (struct nk_position position = {0}; next_placement(rules, &position);) {
        const struct sides p = {(uint32_t)position.mover, (uint32_t)position.other};
        const int images = has_line(p.mover) ? 0 : images_of(p);
        if (!images)
            continue;
        const int found = search(p, MOST);
        compare(table, p, MOST, found);
        searched++;
        legal += (uint64_t)images;
        if (found != UNDECIDED)
            decided[found] += (uint64_t)images;
    }
    fprintf(stderr,
            "%llu positions for %llu, %.1f s: decided in 0 to 5 plies: %llu %llu %llu %llu %llu %llu\n",
            (unsigned long long)searched, (unsigned long long)legal, seconds() - begin,
            (unsigned long long)decided[0], (unsigned long long)decided[1], (unsigned long long)decided[2],
            (unsigned long long)decided[3], (unsigned long long)decided[4], (unsigned long long)decided[5]);
    cr_assert_eq(legal, nk_table_summary(table)->legal);
    for (int plies = 0; plies <= MOST; plies++)
        cr_assert(decided[plies]);
    nk_table_close(table);
    free(bytes.data);
}

/* Positions drawn by lot, farther. */
static void confirm_sample(struct nk_table *table, int most, int sample)
{
    enum { FARTHEST = 20 };
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 20010401;
    int decided[FARTHEST + 1] = {0}, farther = 0;
    const double begin = seconds();
    for (int sampled = 0; sampled < sample;) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const struct nk_position position = nk_index_position(index, (random >> 20) % index->entries);
        const struct sides p = {(uint32_t)position.mover, (uint32_t)position.other};
        if (has_line(p.mover))
            continue;
        const int found = search(p, most);
        compare(table, p, most, found);
        if (found != UNDECIDED)
            decided[found]++;
        sampled++;
    }
    fprintf(stderr, "%d positions, %.1f s: decided in 6 to %d plies:", sample, seconds() - begin, most);
    for (int plies = 6; plies <= most; plies++) {
        fprintf(stderr, " %d", decided[plies]);
        farther += decided[plies];
    }
    fputc('\n', stderr);
    cr_assert(farther);
}

Test(search, confirms_a_sample_of_more_plies)
{
    struct bytes bytes;
    struct nk_table *table = open_standard(&bytes);
    confirm_sample(table, 9, 3000);
    confirm_sample(table, 11, 150);
    nk_table_close(table);
    free(bytes.data);
}
