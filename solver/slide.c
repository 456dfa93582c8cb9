#include "solver/slide.h"

#include <stdlib.h>
#include <string.h>

/* Each line of the board once, in one of its two directions. */
static void fill_lines(const struct nk_rules *rules, uint16_t *line)
{
    for (int d = NK_NORTH; d <= NK_SOUTH_EAST; d++)
        for (int s = 0; s < rules->squares; s++) {
            if (rules->next[(d + 4) % NK_DIRECTIONS][s] != NK_NO_SQUARE || rules->next[d][s] == NK_NO_SQUARE)
                continue;
            uint16_t *const length = line;
            line += 2;
            for (int on = s; on != NK_NO_SQUARE; on = rules->next[d][on])
                *line++ = (uint16_t)((size_t)on * sizeof(struct nk_square));
            length[0] = (uint16_t)(line - length - 2);
            length[1] = (uint16_t)d;
        }
    *line = 0;
}

static void fill_groups(const struct nk_index *index, struct nk_slides *slides)
{
    uint64_t group = nk_bit(index->rules.pieces - 1) - 1;
    for (uint32_t g = 0; g < slides->groups; g++, group = nk_index_next(group)) {
        slides->group[g] = group;
        for (int s = 0; s < slides->squares; s++) {
            uint32_t *row = &slides->row_of[(size_t)g * (size_t)slides->squares + (size_t)s];
            if (group & nk_bit(s)) {
                *row = 0;
                continue;
            }
            const uint64_t whole = group | nk_bit(s);
            *row = nk_index_rank(index, whole);
            /* The place of the missing piece tells the groups of an configuration apart. */
            const int place = __builtin_popcountll(whole & (nk_bit(s) - 1));
            slides->groups_of[(size_t)*row * (size_t)slides->pieces + (size_t)place] = g;
        }
    }
}

static uint32_t count_groups(const struct nk_index *index)
{
    const struct nk_rules *rules = &index->rules;
    return index->choose[rules->squares - 1][rules->pieces - 1] +
           index->choose[rules->squares - 1][rules->pieces - 2];
}

uint64_t nk_slides_memory(const struct nk_index *index)
{
    const uint64_t squares = (uint64_t)index->rules.squares, pieces = (uint64_t)index->rules.pieces;
    return count_groups(index) * (4 * squares + 8) + 4 * pieces * index->configurations;
}

enum nk_status nk_slides_make(const struct nk_index *index, struct nk_slides *slides)
{
    const struct nk_rules *rules = &index->rules;
    /* A square lies on four lines; a line needs two places more than its squares. */
    const size_t lines = 4 * (size_t)rules->squares + (size_t)NK_MAX_SIDE * 6 * 2 + 1;
    memset(slides, 0, sizeof *slides);
    slides->squares = rules->squares;
    slides->pieces = rules->pieces;
    slides->board = rules->board;
    slides->groups = count_groups(index);
    slides->row_of = malloc((size_t)slides->groups * (size_t)slides->squares * sizeof *slides->row_of);
    slides->group = malloc(slides->groups * sizeof *slides->group);
    slides->groups_of =
        malloc((size_t)index->configurations * (size_t)slides->pieces * sizeof *slides->groups_of);
    slides->line = malloc(lines * sizeof *slides->line);
    if (!slides->row_of || !slides->group || !slides->groups_of || !slides->line) {
        nk_slides_free(slides);
        return NK_E_MEMORY;
    }
    fill_lines(rules, slides->line);
    fill_groups(index, slides);
    return NK_OK;
}

void nk_slides_free(struct nk_slides *slides)
{
    free(slides->row_of);
    free(slides->group);
    free(slides->groups_of);
    free(slides->line);
    memset(slides, 0, sizeof *slides);
}
