/* The slides of a board, and what is constant in a slice. */

#include "solver/analysis/bits.h"

#include <string.h>

static_assert(_Alignof(nk_row_bits) <= NK_ALIGNMENT, "arrays are aligned for rows");

/* ---- slides ---- */

void nk_slides_describe(const struct nk_index *index, struct nk_slides *slides, struct nk_memory *memory)
{
    const uint32_t stationary_count = nk_index_configurations_of(index, index->rules.board.pieces - 1);
    const uint64_t squares = (uint64_t)index->rules.squares, pieces = (uint64_t)index->rules.board.pieces;
    *slides = (struct nk_slides){.stationary_count = stationary_count};
    nk_memory_add(memory, &slides->row_of, stationary_count * squares, sizeof *slides->row_of);
    nk_memory_add(memory, &slides->stationary, stationary_count, sizeof *slides->stationary);
    nk_memory_add(memory, &slides->stationary_of, index->configurations * pieces,
                  sizeof *slides->stationary_of);
}

static void fill_lines(const struct nk_rules *rules, struct nk_slides *slides)
{
    for (int d = NK_NORTH; d <= NK_SOUTH_EAST; d++)
        for (int s = 0; s < rules->squares; s++) {
            const bool begins_line = rules->next[(d + 4) % NK_DIRECTIONS][s] == NK_NO_SQUARE;
            if (!begins_line || rules->next[d][s] == NK_NO_SQUARE)
                continue;
            struct nk_line *line = &slides->lines[slides->line_count++];
            for (int on = s; on != NK_NO_SQUARE; on = rules->next[d][on])
                line->square[line->length++] = (uint8_t)on;
        }
}

static void fill_stationary(const struct nk_index *index, struct nk_slides *slides)
{
    uint64_t stationary = nk_bit(index->rules.board.pieces - 1) - 1;
    for (uint32_t i = 0; i < slides->stationary_count; i++, stationary = nk_index_next(stationary)) {
        slides->stationary[i] = stationary;
        for (int s = 0; s < slides->squares; s++) {
            uint32_t *row = &slides->row_of[(size_t)i * (size_t)slides->squares + (size_t)s];
            if (stationary & nk_bit(s)) {
                *row = 0;
                continue;
            }
            const uint64_t configuration = stationary | nk_bit(s);
            *row = nk_index_number(index, configuration);
            /* Each set that a configuration contains lacks another one of its pieces. */
            const int missing = __builtin_popcountll(configuration & (nk_bit(s) - 1));
            slides->stationary_of[(size_t)*row * (size_t)slides->pieces + (size_t)missing] = i;
        }
    }
}

void nk_slides_fill(const struct nk_index *index, struct nk_slides *slides)
{
    slides->squares = index->rules.squares;
    slides->pieces = index->rules.board.pieces;
    slides->board = index->rules.all_squares;
    fill_lines(&index->rules, slides);
    fill_stationary(index, slides);
}

/* ---- what is constant in a slice ---- */

void nk_fill_occupied(const struct nk_index *index, uint32_t slice, nk_row_bits occupied[NK_MAX_SQUARES])
{
    const uint32_t first = slice * NK_SLICE_COLUMNS, left = index->orbit_count - first;
    memset(occupied, 0, NK_MAX_SQUARES * sizeof *occupied);
    for (uint32_t c = 0; c < left && c < NK_SLICE_COLUMNS; c++)
        for (uint64_t squares = nk_index_canonical_squares(index, first + c); squares; squares &= squares - 1)
            occupied[nk_first(squares)].word[c / 64] |= nk_bit(c % 64);
}

void nk_fill_won(const struct nk_index *index, uint8_t *won)
{
    for (uint32_t r = 0; r < index->configurations; r++)
        won[r] = nk_rules_won(&index->rules, index->squares[r]);
}

nk_row_bits nk_columns_by_win(const struct nk_index *index, uint32_t slice, const uint8_t *won, bool has_won)
{
    const uint32_t first = slice * NK_SLICE_COLUMNS, left = index->orbit_count - first;
    nk_row_bits columns = nk_no_bits;
    for (uint32_t c = 0; c < left && c < NK_SLICE_COLUMNS; c++)
        if (won[nk_index_canonical(index, first + c)] == has_won)
            columns.word[c / 64] |= nk_bit(c % 64);
    return columns;
}
