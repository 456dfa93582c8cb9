#include "tests/solver/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Configurations are numbered in ascending order of their masks, and {mover, other} is position number
 * mover * count + other. Overlapping pairs have a number too, and count as illegal. */
struct ref_solution {
    uint64_t *masks; /* of the configurations */
    bool *has_row;
    size_t count, positions;
    unsigned char *results; /* an enum ref_result for each position; REF_DRAW as long as it is not decided */
    int *plies;
    /* One move leads from position p to children[first_child[p]] ... children[first_child[p + 1] - 1], where the
     * opponent is the mover. */
    size_t *first_child;
    uint32_t *children;
    size_t child_count, child_room;
};

static void *not_null(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* ---- the rules ---- */

static bool on_board(const struct ref_board *board, int file, int rank)
{
    return file >= 0 && file < board->width && rank >= 0 && rank < board->height;
}

static bool has_piece(const struct ref_board *board, uint64_t mask, int file, int rank)
{
    return on_board(board, file, rank) && mask >> (file + board->width * rank) & 1;
}

static bool has_line_from(const struct ref_board *board, uint64_t mask, int file, int rank, int right, int up)
{
    for (int i = 0; i < board->row_length; i++)
        if (!has_piece(board, mask, file + i * right, rank + i * up))
            return false;
    return true;
}

/* Whether there is a piece here and one each at some offset and at its opposite. */
static bool is_halfway(const struct ref_board *board, uint64_t mask, int file, int rank)
{
    for (int up = 0; up < board->height; up++)
        for (int right = -board->width; right < board->width; right++)
            if ((right || up) && has_piece(board, mask, file, rank) &&
                has_piece(board, mask, file + right, rank + up) &&
                has_piece(board, mask, file - right, rank - up))
                return true;
    return false;
}

static bool has_row_from(const struct ref_board *board, uint64_t mask, int file, int rank)
{
    const bool orthogonal =
        has_line_from(board, mask, file, rank, 1, 0) || has_line_from(board, mask, file, rank, 0, 1);
    const bool diagonal =
        has_line_from(board, mask, file, rank, 1, 1) || has_line_from(board, mask, file, rank, 1, -1);
    switch (board->win) {
    case REF_WIN_LINE:
        return orthogonal || diagonal;
    case REF_WIN_ORTHOGONAL:
        return orthogonal;
    case REF_WIN_DIAGONAL:
        return diagonal;
    case REF_WIN_EQUIDISTANT:
        return is_halfway(board, mask, file, rank);
    case REF_WIN_CENTRE:
        return file == board->width / 2 && rank == board->height / 2 && has_piece(board, mask, file, rank);
    }
    return false;
}

static bool has_row(const struct ref_board *board, uint64_t mask)
{
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            if (has_row_from(board, mask, file, rank))
                return true;
    return false;
}

/* ---- the positions and their moves, all listed beforehand ---- */

/* Appends, in ascending order, all configurations that add so many pieces to mask on squares below one. */
static void list_configurations(struct ref_solution *in, const struct ref_board *board, uint64_t mask,
                                int below, int pieces)
{
    if (pieces == 0) {
        in->masks = not_null(realloc(in->masks, (in->count + 1) * sizeof *in->masks));
        in->has_row = not_null(realloc(in->has_row, in->count + 1));
        in->has_row[in->count] = has_row(board, mask);
        in->masks[in->count++] = mask;
    }
    for (int square = pieces - 1; pieces && square < below; square++)
        list_configurations(in, board, mask | UINT64_C(1) << square, square, pieces - 1);
}

/* The number of a configuration; in->count if it is none. */
static size_t number_of(const struct ref_solution *in, uint64_t mask)
{
    size_t low = 0, high = in->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (in->masks[middle] < mask)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->count && in->masks[low] == mask ? low : in->count;
}

/* Adds the position that arises when the mover's piece on this square slides this way, if it can. */
static void add_slide(struct ref_solution *in, const struct ref_board *board, uint64_t mover, size_t other,
                      int file, int rank, int right, int up)
{
    const uint64_t occupied = mover | in->masks[other];
    int to_file = file, to_rank = rank;
    while (on_board(board, to_file + right, to_rank + up) &&
           !has_piece(board, occupied, to_file + right, to_rank + up)) {
        to_file += right;
        to_rank += up;
    }
    if (to_file == file && to_rank == rank)
        return;
    const uint64_t moved = (mover & ~(UINT64_C(1) << (file + board->width * rank))) |
                           UINT64_C(1) << (to_file + board->width * to_rank);
    if (in->child_count == in->child_room) {
        in->child_room = in->child_room / 2 * 3 + 1024;
        in->children = not_null(realloc(in->children, in->child_room * sizeof *in->children));
    }
    in->children[in->child_count++] = (uint32_t)(other * in->count + number_of(in, moved));
}

static void add_moves(struct ref_solution *in, const struct ref_board *board, uint64_t mover, size_t other)
{
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            for (int way = 0; way < 9; way++)
                if (way != 4 && has_piece(board, mover, file, rank))
                    add_slide(in, board, mover, other, file, rank, way % 3 - 1, way / 3 - 1);
}

/* Decides what needs no look ahead, and lists the moves where the game goes on. */
static void list_positions(struct ref_solution *in, const struct ref_board *board)
{
    size_t position = 0;
    for (size_t mover = 0; mover < in->count; mover++)
        for (size_t other = 0; other < in->count; other++, position++) {
            in->first_child[position] = in->child_count;
            in->results[position] = in->masks[mover] & in->masks[other] || in->has_row[mover] ? REF_ILLEGAL
                                    : in->has_row[other]                                      ? REF_LOSS
                                                                                              : REF_DRAW;
            if (in->results[position] == REF_DRAW)
                add_moves(in, board, in->masks[mover], other);
        }
    in->first_child[position] = in->child_count;
}

/* ---- the solution, layer by layer ---- */

/* Finds the positions that are won or lost in so many plies; `before` has the results of all smaller distances and no
 * others. So a child that is lost there is lost in exactly plies - 1, and the farthest of children that are all won
 * there is won in exactly plies - 1, or an earlier layer would have decided this position. Returns whether it found
 * any. */
static bool solve_layer(struct ref_solution *in, const unsigned char *before, int plies)
{
    bool found = false;
    for (size_t position = 0; position < in->positions; position++) {
        size_t won = 0, lost = 0;
        if (before[position] != REF_DRAW)
            continue;
        for (size_t i = in->first_child[position]; i < in->first_child[position + 1]; i++) {
            won += before[in->children[i]] == REF_WIN;
            lost += before[in->children[i]] == REF_LOSS;
        }
        if (lost > 0)
            in->results[position] = REF_WIN;
        else if (won > 0 && won == in->first_child[position + 1] - in->first_child[position])
            in->results[position] = REF_LOSS;
        else
            continue;
        in->plies[position] = plies;
        found = true;
    }
    return found;
}

static void solve_layers(struct ref_solution *in)
{
    unsigned char *before = not_null(malloc(in->positions));
    int plies = 0;
    do
        memcpy(before, in->results, in->positions);
    while (solve_layer(in, before, ++plies));
    free(before);
}

struct ref_solution *ref_solve(struct ref_board board)
{
    struct ref_solution *in = not_null(calloc(1, sizeof *in));
    list_configurations(in, &board, 0, board.width * board.height, board.pieces);
    if (in->count > UINT16_MAX)
        abort(); /* the numbers of positions would not fit 32 bits */
    in->positions = in->count * in->count;
    in->results = not_null(malloc(in->positions));
    in->plies = not_null(calloc(in->positions, sizeof *in->plies));
    in->first_child = not_null(malloc((in->positions + 1) * sizeof *in->first_child));
    list_positions(in, &board);
    solve_layers(in);
    return in;
}

static size_t position_number(const struct ref_solution *in, uint64_t mover, uint64_t other)
{
    return number_of(in, mover) * in->count + number_of(in, other);
}

struct ref_value ref_value_of(const struct ref_solution *in, uint64_t mover, uint64_t other)
{
    const size_t position = position_number(in, mover, other);
    return (struct ref_value){(enum ref_result)in->results[position], in->plies[position]};
}

size_t ref_moves(const struct ref_solution *in, uint64_t mover, uint64_t other)
{
    const size_t position = position_number(in, mover, other);
    return in->first_child[position + 1] - in->first_child[position];
}

size_t ref_moves_to(const struct ref_solution *in, uint64_t mover, uint64_t other, uint64_t next_mover,
                    uint64_t next_other)
{
    const size_t position = position_number(in, mover, other),
                 next = position_number(in, next_mover, next_other);
    size_t moves = 0;
    for (size_t i = in->first_child[position]; i < in->first_child[position + 1]; i++)
        moves += in->children[i] == next;
    return moves;
}

void ref_free(struct ref_solution *in)
{
    free(in->masks);
    free(in->has_row);
    free(in->results);
    free(in->plies);
    free(in->first_child);
    free(in->children);
    free(in);
}
