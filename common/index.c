#include "index.h"

#include <stdlib.h>

static const uint32_t no_class = UINT32_MAX;

static void fill_choose(struct nk_index *index)
{
    for (int n = 0; n < NK_MAX_SQUARES; n++) {
        index->choose[n][0] = 1;
        for (int k = 1; k <= NK_MAX_PIECES; k++)
            index->choose[n][k] = n ? index->choose[n - 1][k - 1] + index->choose[n - 1][k] : 0;
    }
}

static uint32_t binomial(int n, int k)
{
    uint64_t product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (uint64_t)(n - k + i) / (uint64_t)i;
    return (uint32_t)product;
}

uint64_t nk_index_placements(const struct nk_rules *rules)
{
    return (uint64_t)binomial(rules->squares, rules->pieces) *
           binomial(rules->squares - rules->pieces, rules->pieces);
}

/* Every arrangement that no earlier one is an image of begins a class. */
static void fill_classes(struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    for (uint32_t r = 0; r < index->arrangements; r++)
        index->class_of[r] = no_class;
    uint64_t squares = nk_bit(rules->pieces) - 1;
    for (uint32_t r = 0; r < index->arrangements; r++, squares = nk_index_next(squares)) {
        if (index->class_of[r] != no_class)
            continue;
        struct nk_class *found = &index->classes[index->class_count];
        found->size = 0;
        for (int g = 0; g < rules->symmetries; g++) {
            const uint32_t image = nk_index_rank(index, nk_rules_image(rules, g, squares));
            found->images[g] = image;
            if (index->class_of[image] != no_class)
                continue;
            index->class_of[image] = index->class_count;
            index->turn[image] = rules->inverse[g];
            found->size++;
        }
        index->class_count++;
    }
}

enum nk_status nk_index_make(const struct nk_rules *rules, struct nk_index **out)
{
    struct nk_index *index = calloc(1, sizeof *index);
    if (!index)
        return NK_E_MEMORY;
    index->rules = *rules;
    fill_choose(index);
    index->arrangements = binomial(rules->squares, rules->pieces);
    index->per_class = binomial(rules->squares - rules->pieces, rules->pieces);
    index->placements = nk_index_placements(rules);
    index->class_of = malloc(index->arrangements * sizeof *index->class_of);
    index->turn = malloc(index->arrangements * sizeof *index->turn);
    /* Room for one class per arrangement; what is not used goes back below. */
    index->classes = malloc(index->arrangements * sizeof *index->classes);
    if (!index->class_of || !index->turn || !index->classes) {
        nk_index_free(index);
        return NK_E_MEMORY;
    }
    fill_classes(index);
    struct nk_class *shrunk = realloc(index->classes, index->class_count * sizeof *index->classes);
    if (shrunk)
        index->classes = shrunk;
    index->entries = (uint64_t)index->class_count * index->per_class;
    *out = index;
    return NK_OK;
}

void nk_index_free(struct nk_index *index)
{
    if (!index)
        return;
    free(index->class_of);
    free(index->turn);
    free(index->classes);
    free(index);
}

/* The set of k squares below n with this rank. */
static uint64_t unrank(const struct nk_index *index, uint32_t rank, int n, int k)
{
    uint64_t squares = 0;
    for (; k; k--) {
        do
            n--;
        while (index->choose[n][k] > rank);
        rank -= index->choose[n][k];
        squares |= nk_bit(n);
    }
    return squares;
}

uint64_t nk_index_unrank(const struct nk_index *index, uint32_t rank)
{
    return unrank(index, rank, index->rules.squares, index->rules.pieces);
}

uint64_t nk_index_entry(const struct nk_index *index, struct nk_position position)
{
    const uint32_t other = nk_index_rank(index, position.other);
    const uint8_t *image = index->rules.image[index->turn[other]];
    uint64_t turned = 0, mover = 0;
    for (uint64_t left = position.other; left; left &= left - 1)
        turned |= nk_bit(image[nk_first(left)]);
    for (uint64_t left = position.mover; left; left &= left - 1)
        mover |= nk_bit(image[nk_first(left)]);
    uint32_t rank = 0;
    for (int i = 1; mover; mover &= mover - 1) {
        const int square = nk_first(mover);
        rank += index->choose[square - __builtin_popcountll(turned & (nk_bit(square) - 1))][i++];
    }
    return (uint64_t)index->class_of[other] * index->per_class + rank;
}

struct nk_position nk_index_position(const struct nk_index *index, uint64_t entry)
{
    const struct nk_rules *rules = &index->rules;
    const uint64_t other = nk_index_unrank(index, index->classes[entry / index->per_class].images[0]);
    uint64_t packed =
        unrank(index, (uint32_t)(entry % index->per_class), rules->squares - rules->pieces, rules->pieces);
    uint64_t mover = 0;
    for (uint64_t left = rules->board & ~other; packed; left &= left - 1, packed >>= 1)
        if (packed & 1)
            mover |= left & -left;
    return (struct nk_position){mover, other};
}
