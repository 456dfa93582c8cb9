/* Numbers for positions. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>

static const uint32_t no_orbit = UINT32_MAX;

static uint32_t binomial(int n, int k)
{
    uint64_t product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (uint64_t)(n - k + i) / (uint64_t)i;
    return (uint32_t)product;
}

/* The coefficients with more pieces than squares stay 0. */
static void fill_choose(struct nk_index *index)
{
    for (int n = 0; n < NK_MAX_SQUARES; n++)
        for (int k = 0; k <= NK_MAX_PIECES && k <= n; k++)
            index->choose[n][k] = binomial(n, k);
}

uint64_t nk_index_placements(const struct nk_rules *rules)
{
    return (uint64_t)binomial(rules->squares, rules->board.pieces) *
           binomial(rules->squares - rules->board.pieces, rules->board.pieces);
}

/* The configurations that a symmetry leaves as they are: those that consist of whole cycles of it. */
static uint64_t fixed_by(const struct nk_rules *rules, int symmetry)
{
    const uint8_t *image = rules->image[symmetry];
    uint64_t sets[NK_MAX_PIECES + 1] = {1}; /* sets of the cycles so far, by their number of squares */
    for (int square = 0; square < rules->squares; square++) {
        int length = 1, lowest = square;
        for (int next = image[square]; next != square; next = image[next], length++)
            lowest = next < lowest ? next : lowest;
        if (lowest != square)
            continue; /* this cycle has been counted */
        for (int pieces = rules->board.pieces; pieces >= length; pieces--)
            sets[pieces] += sets[pieces - length];
    }
    return sets[rules->board.pieces];
}

/* The number of orbits by Burnside's lemma: the mean number of configurations that a symmetry leaves as they are. */
static uint32_t count_orbits(const struct nk_rules *rules)
{
    uint64_t fixed = 0;
    for (int g = 0; g < rules->symmetries; g++)
        fixed += fixed_by(rules, g);
    return (uint32_t)(fixed / (uint64_t)rules->symmetries);
}

void nk_index_init_sizes(const struct nk_rules *rules, struct nk_index *index)
{
    *index = (struct nk_index){.rules = *rules};
    fill_choose(index);
    index->configurations = binomial(rules->squares, rules->board.pieces);
    index->orbit_count = count_orbits(rules);
    index->per_orbit = binomial(rules->squares - rules->board.pieces, rules->board.pieces);
    index->entries = (uint64_t)index->orbit_count * index->per_orbit;
    index->placements = nk_index_placements(rules);
}

uint64_t nk_index_memory(const struct nk_index *index)
{
    return index->configurations *
               (uint64_t)(sizeof *index->orbit_of + sizeof *index->to_canonical + sizeof *index->squares) +
           index->orbit_count * (uint64_t)sizeof *index->orbits;
}

/* A configuration that is not in an orbit yet is the canonical one of a new orbit. */
static void fill_orbits(struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    uint32_t orbits = 0;
    for (uint32_t c = 0; c < index->configurations; c++)
        index->orbit_of[c] = no_orbit;
    uint64_t squares = nk_bit(rules->board.pieces) - 1;
    for (uint32_t c = 0; c < index->configurations; c++, squares = nk_index_next(squares)) {
        index->squares[c] = squares;
        if (index->orbit_of[c] != no_orbit)
            continue;
        struct nk_orbit *orbit = &index->orbits[orbits];
        orbit->size = 0;
        for (int g = 0; g < rules->symmetries; g++) {
            const uint32_t image = nk_index_number(index, nk_rules_image(rules, g, squares));
            orbit->images[g] = image;
            if (index->orbit_of[image] != no_orbit)
                continue;
            index->orbit_of[image] = orbits;
            index->to_canonical[image] = rules->inverse[g];
            orbit->size++;
        }
        orbits++;
    }
}

enum nk_status nk_index_new(const struct nk_rules *rules, struct nk_index **out)
{
    struct nk_index *index = malloc(sizeof *index);
    if (!index)
        return NK_E_MEMORY;
    nk_index_init_sizes(rules, index);
    assert(index->configurations > 0); /* on every board */
    assert(index->orbit_count > 0);
    index->orbit_of = malloc(index->configurations * sizeof *index->orbit_of);
    index->to_canonical = malloc(index->configurations * sizeof *index->to_canonical);
    index->squares = malloc(index->configurations * sizeof *index->squares);
    index->orbits = malloc(index->orbit_count * sizeof *index->orbits);
    if (!index->orbit_of || !index->to_canonical || !index->squares || !index->orbits) {
        nk_index_free(index);
        return NK_E_MEMORY;
    }
    fill_orbits(index);
    *out = index;
    return NK_OK;
}

void nk_index_free(struct nk_index *index)
{
    if (!index)
        return;
    free(index->orbit_of);
    free(index->to_canonical);
    free(index->squares);
    free(index->orbits);
    free(index);
}

/* The set of k squares below square n that has this number. */
static uint64_t set_numbered(const struct nk_index *index, uint32_t number, int n, int k)
{
    uint64_t squares = 0;
    for (; k; k--) {
        do
            n--;
        while (index->choose[n][k] > number);
        number -= index->choose[n][k];
        squares |= nk_bit(n);
    }
    return squares;
}

uint64_t nk_index_entry(const struct nk_index *index, struct nk_position position)
{
    const uint32_t other = nk_index_number(index, position.other);
    const uint8_t *image = index->rules.image[index->to_canonical[other]];
    uint8_t taken[NK_MAX_PIECES];
    uint64_t mover = 0;
    uint32_t number = 0;
    int pieces = 0;
    for (uint64_t left = position.other; left; left &= left - 1)
        taken[pieces++] = image[nk_first(left)];
    for (uint64_t left = position.mover; left; left &= left - 1)
        mover |= nk_bit(image[nk_first(left)]);
    for (int i = 1; mover; mover &= mover - 1) {
        const int square = nk_first(mover);
        int free_square = square; /* among the squares that are not taken */
        for (int p = 0; p < pieces; p++)
            free_square -= taken[p] < square;
        number += index->choose[free_square][i++];
    }
    return (uint64_t)index->orbit_of[other] * index->per_orbit + number;
}

struct nk_position nk_index_position(const struct nk_index *index, uint64_t entry)
{
    const struct nk_rules *rules = &index->rules;
    const uint64_t other = nk_index_canonical_squares(index, (uint32_t)(entry / index->per_orbit));
    uint64_t packed = set_numbered(index, (uint32_t)(entry % index->per_orbit),
                                   rules->squares - rules->board.pieces, rules->board.pieces);
    uint64_t mover = 0;
    for (uint64_t left = rules->all_squares & ~other; packed; left &= left - 1, packed >>= 1)
        if (packed & 1)
            mover |= left & -left;
    return (struct nk_position){mover, other};
}
