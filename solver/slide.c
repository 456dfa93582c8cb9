#include "solver/slide.h"

#include <stdlib.h>
#include <string.h>

static void fill_lines(const struct nk_rules *rules, struct nk_slides *slides)
{
    for (int d = NK_NORTH; d <= NK_SOUTH_EAST; d++)
        for (int s = 0; s < rules->squares; s++) {
            const bool is_first = rules->next[(d + 4) % NK_DIRECTIONS][s] == NK_NO_SQUARE;
            if (!is_first || rules->next[d][s] == NK_NO_SQUARE)
                continue;
            struct nk_line *line = &slides->lines[slides->line_count++];
            for (int on = s; on != NK_NO_SQUARE; on = rules->next[d][on])
                line->square[line->length++] = (uint8_t)on;
        }
}

static void fill_stationary(const struct nk_index *index, struct nk_slides *slides)
{
    uint64_t stationary = nk_bit(index->rules.pieces - 1) - 1;
    for (uint32_t i = 0; i < slides->stationary_count; i++, stationary = nk_index_next(stationary)) {
        slides->stationary[i] = stationary;
        for (int s = 0; s < slides->squares; s++) {
            uint32_t *row = &slides->row_of[(size_t)i * (size_t)slides->squares + (size_t)s];
            if (stationary & nk_bit(s)) {
                *row = 0;
                continue;
            }
            const uint64_t configuration = stationary | nk_bit(s);
            *row = nk_index_rank(index, configuration);
            /* Each set that a configuration contains lacks another one of its pieces. */
            const int missing = __builtin_popcountll(configuration & (nk_bit(s) - 1));
            slides->stationary_of[(size_t)*row * (size_t)slides->pieces + (size_t)missing] = i;
        }
    }
}

/* C(squares, pieces - 1), as the sum of two coefficients that the index has. */
static uint32_t count_stationary(const struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    return index->choose[rules->squares - 1][rules->pieces - 1] +
           index->choose[rules->squares - 1][rules->pieces - 2];
}

uint64_t nk_slides_memory(const struct nk_index *index)
{
    const uint64_t squares = (uint64_t)index->rules.squares, pieces = (uint64_t)index->rules.pieces;
    return count_stationary(index) * (4 * squares + 8) + 4 * pieces * index->configurations;
}

enum nk_status nk_slides_init(const struct nk_index *index, struct nk_slides *slides)
{
    const struct nk_rules *rules = &index->rules;
    memset(slides, 0, sizeof *slides);
    slides->squares = rules->squares;
    slides->pieces = rules->pieces;
    slides->board = rules->board;
    slides->stationary_count = count_stationary(index);
    slides->row_of =
        malloc((size_t)slides->stationary_count * (size_t)slides->squares * sizeof *slides->row_of);
    slides->stationary = malloc(slides->stationary_count * sizeof *slides->stationary);
    slides->stationary_of =
        malloc((size_t)index->configurations * (size_t)slides->pieces * sizeof *slides->stationary_of);
    if (!slides->row_of || !slides->stationary || !slides->stationary_of) {
        nk_slides_clear(slides);
        return NK_E_MEMORY;
    }
    fill_lines(rules, slides);
    fill_stationary(index, slides);
    return NK_OK;
}

void nk_slides_clear(struct nk_slides *slides)
{
    free(slides->row_of);
    free(slides->stationary);
    free(slides->stationary_of);
    memset(slides, 0, sizeof *slides);
}
