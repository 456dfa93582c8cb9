/* The kernel: the functions in which the verifier spends its time. Compiled once for each width of vectors, with
 * VECTOR_BYTES and the instructions for it (solver/analysis/meson.build). Where no vectors are named, the compiler
 * turns loops over bytes into them. */

#include "solver/verify/verify.h"

#include "common/system/system.h"
#include "common/table/table.h"

#include <assert.h>
#include <string.h>

static_assert(NK_LOSS_CODE_PLUS_VALUE == NK_CODE_LOSS + UINT8_MAX,
              "the nearest loss of the opponent has the greatest value");

typedef struct nk_group_bytes group_bytes;

enum { PARTS = NK_VERIFY_GROUP / VECTOR_BYTES }; /* vectors of the bytes of a group */
typedef uint8_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* ---- moves ---- */

/* A square while one piece slides and the others of its side are stationary. */
struct verify_square {
    uint32_t configuration; /* of the side with the slider on this square */
    const vector *after;    /* [PARTS] the values of that; of any configuration if the square is not vacant */
    vector vacant[PARTS];   /* 255 where no piece is on the square, otherwise 0 */
    vector best[PARTS];     /* the greatest value of the slides from this square; any if it is not vacant */
};

/* All lines of the board with at least two squares. */
struct verify_lines {
    int count;
    struct verify_line {
        int length;
        uint8_t squares[NK_MAX_SIDE];
    } lines[NK_DIRECTIONS / 2 * 2 * NK_MAX_SIDE];
};

static void list_lines(const struct nk_rules *rules, struct verify_lines *lines)
{
    lines->count = 0;
    for (int d = 0; d < NK_DIRECTIONS / 2; d++) {
        const int8_t *next = rules->next[d], *previous = rules->next[d + NK_DIRECTIONS / 2];
        for (int s = 0; s < rules->squares; s++) {
            if (previous[s] != NK_NO_SQUARE || next[s] == NK_NO_SQUARE)
                continue;
            struct verify_line *line = &lines->lines[lines->count++];
            line->length = 0;
            for (int at = s; at != NK_NO_SQUARE; at = next[at])
                line->squares[line->length++] = (uint8_t)at;
        }
    }
}

/* Finds the configurations of the stationary pieces and the slider on each square. The number of a configuration is a
 * sum with a term for each piece, which depends on how many pieces are below it (common/game/game.h). */
static void place_slider(const struct nk_index *index, uint64_t stationary, const group_bytes *after,
                         struct verify_square *squares)
{
    const uint32_t(*choose)[NK_MAX_PIECES + 1] = index->choose;
    uint32_t sum = 0; /* of the terms of the stationary pieces */
    int below = 0;
    for (uint64_t left = stationary; left; left &= left - 1)
        sum += choose[nk_first(left)][++below + 1]; /* all above the slider */
    below = 0;
    for (int s = 0; s < index->rules.squares; s++) {
        if (stationary & nk_bit(s)) {
            below++;
            sum += choose[s][below] - choose[s][below + 1];
            memset(squares[s].vacant, 0, sizeof squares[s].vacant);
        } else {
            squares[s].configuration = sum + choose[s][below + 1];
            squares[s].after = (const vector *)&after[squares[s].configuration];
            memset(squares[s].best, 0, sizeof squares[s].best);
        }
    }
}

static inline vector greater(vector a, vector b)
{
#ifdef __clang__ /* each compiler has one instruction for one of these */
    const vector is_greater = (vector)(a > b);
    return (a & is_greater) | (b & ~is_greater);
#else
    vector greatest = a;
    for (int i = 0; i < VECTOR_BYTES; i++)
        greatest[i] = a[i] > b[i] ? a[i] : b[i];
    return greatest;
#endif
}

/* Finds the best slides along a line of `length` squares, a constant wherever this is inlined, so that vectors stay in
 * registers. A slide stops on a square if the next one in its direction is not vacant. So a walk against the direction
 * carries the value of where a slide stops that has arrived on the square visited last: 0 if that is not vacant. */
static inline __attribute__((always_inline)) void walk(struct verify_square *squares, const uint8_t *line,
                                                       int length)
{
    for (int p = 0; p < PARTS; p++) {
        vector after[NK_MAX_SIDE], vacant[NK_MAX_SIDE], best[NK_MAX_SIDE], arrived = {0}, next = {0};
        NK_UNROLL
        for (int i = 0; i < length; i++) {
            after[i] = squares[line[i]].after[p];
            vacant[i] = squares[line[i]].vacant[p];
            best[i] = squares[line[i]].best[p];
        }
        NK_UNROLL
        for (int i = 0; i < length; i++) {
            best[i] = greater(best[i], arrived);
            arrived = (arrived | (after[i] & ~next)) & vacant[i];
            next = vacant[i];
        }
        arrived = next = (vector){0};
        NK_UNROLL
        for (int i = length - 1; i >= 0; i--) {
            squares[line[i]].best[p] = greater(best[i], arrived);
            arrived = (arrived | (after[i] & ~next)) & vacant[i];
            next = vacant[i];
        }
    }
}

static void slide(const struct verify_lines *lines, struct verify_square *squares)
{
    for (const struct verify_line *line = lines->lines; line < lines->lines + lines->count; line++)
        switch (line->length) {
        case 2:
            walk(squares, line->squares, 2);
            break;
        case 3:
            walk(squares, line->squares, 3);
            break;
        case 4:
            walk(squares, line->squares, 4);
            break;
        case 5:
            walk(squares, line->squares, 5);
            break;
        case 6:
            walk(squares, line->squares, 6);
            break;
        case 7:
            walk(squares, line->squares, 7);
            break;
        default:
            walk(squares, line->squares, NK_MAX_SIDE);
        }
}

static void fill_squares(const struct nk_index *index, const uint64_t others[NK_VERIFY_GROUP],
                         const group_bytes *after, struct verify_square *squares)
{
    for (int s = 0; s < index->rules.squares; s++) {
        group_bytes vacant = {{0}};
        for (int o = 0; o < NK_VERIFY_GROUP; o++)
            vacant.orbit[o] = others[o] & nk_bit(s) ? 0 : UINT8_MAX;
        squares[s] = (struct verify_square){.after = (const vector *)after};
        memcpy(squares[s].vacant, &vacant, sizeof vacant);
    }
}

static void best_moves(const struct nk_index *index, const uint64_t others[NK_VERIFY_GROUP],
                       const group_bytes *after, group_bytes *best)
{
    const struct nk_rules *rules = &index->rules;
    struct verify_lines lines;
    struct verify_square all_vacant[NK_MAX_SQUARES] = {0}, squares[NK_MAX_SQUARES];
    list_lines(rules, &lines);
    fill_squares(index, others, after, all_vacant);
    memcpy(squares, all_vacant, sizeof squares);
    memset(best, 0, index->configurations * sizeof *best);
    uint64_t stationary = nk_bit(rules->board.pieces - 1) - 1;
    uint32_t left_sets = nk_index_configurations_of(index, rules->board.pieces - 1);
    for (; left_sets; left_sets--, stationary = nk_index_next(stationary)) {
        place_slider(index, stationary, after, squares);
        slide(&lines, squares);
        for (uint64_t left = rules->all_squares & ~stationary; left; left &= left - 1) {
            const struct verify_square *square = &squares[nk_first(left)];
            vector *greatest = (vector *)&best[square->configuration];
            for (int p = 0; p < PARTS; p++)
                greatest[p] = greater(greatest[p], square->best[p]);
        }
        for (uint64_t left = stationary; left; left &= left - 1)
            squares[nk_first(left)] = all_vacant[nk_first(left)];
    }
}

/* ---- codes ---- */

/* No position is over, and no code of a loss is wrong but for its distance. */
static bool agree(const uint8_t *codes, const uint8_t *best, uint32_t count)
{
    uint8_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t code = codes[i] < NK_CODE_LOSS + 1 ? codes[i] : NK_CODE_LOSS + 1;
        const uint8_t value = best[i] < NK_VALUE_WIN ? best[i] : NK_VALUE_WIN;
        const uint8_t right = value == NK_VALUE_WIN    ? NK_CODE_WIN
                              : value == NK_VALUE_DRAW ? NK_CODE_DRAW
                                                       : NK_CODE_LOSS + 1;
        wrong |= code ^ right;
    }
    return !wrong;
}

static bool measure(uint8_t *restrict codes, const uint8_t *restrict best, uint32_t count)
{
    if (!agree(codes, best, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        codes[i] = (uint8_t)((NK_LOSS_CODE_PLUS_VALUE - best[i]) & -(codes[i] == NK_CODE_WIN));
    return true;
}

static bool check(const uint8_t *codes, const uint8_t *farthest, uint32_t count)
{
    uint8_t wrong = 0;
    for (uint32_t i = 0; i < count; i++)
        wrong |= codes[i] < NK_CODE_LOSS ? 0 : (uint8_t)(codes[i] - 1) ^ farthest[i];
    return !wrong;
}

/* ---- tiles ---- */

/* A block has as many rows as a word has bytes; a vector has a row of several blocks. */
enum { BLOCK = 8, BLOCKS = VECTOR_BYTES / BLOCK };
typedef uint64_t words __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* Swaps the two quarters that are not on the diagonal, of blocks with 2 * `size` bytes on a side. `low` has the bytes
 * of their left half. */
static inline __attribute__((always_inline)) void swap_quarters(words row[BLOCK], int size, uint64_t low)
{
    NK_UNROLL
    for (int r = 0; r < BLOCK; r++)
        if (!(r & size)) {
            const words swap = (row[r] >> 8 * size ^ row[r + size]) & low;
            row[r] ^= swap << 8 * size;
            row[r + size] ^= swap;
        }
}

static void transpose(const group_bytes *const tile[NK_VERIFY_GROUP], group_bytes transposed[NK_VERIFY_GROUP])
{
    /* Where the first byte of a word is the highest one, the first row has to be the last one. */
    enum { FIRST = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? BLOCK - 1 : 0 };
    for (int i = 0; i < NK_VERIFY_GROUP; i += BLOCK)
        for (int j = 0; j < NK_VERIFY_GROUP; j += VECTOR_BYTES) {
            words row[BLOCK];
            for (int r = 0; r < BLOCK; r++)
                row[r ^ FIRST] = *(const words *)&tile[i + r]->orbit[j];
            swap_quarters(row, 4, 0x00000000ffffffff);
            swap_quarters(row, 2, 0x0000ffff0000ffff);
            swap_quarters(row, 1, 0x00ff00ff00ff00ff);
            for (int b = 0; b < BLOCKS; b++)
                for (int r = 0; r < BLOCK; r++) {
                    const uint64_t word = row[r ^ FIRST][b];
                    memcpy(&transposed[j + b * BLOCK + r].orbit[i], &word, sizeof word);
                }
        }
}

#define NAME_OF(bytes) nk_verify_kernel_##bytes
#define NAME(bytes) NAME_OF(bytes)
const struct nk_verify_kernel NAME(VECTOR_BYTES) = {
    .best_moves = best_moves,
    .measure = measure,
    .check = check,
    .transpose = transpose,
};
