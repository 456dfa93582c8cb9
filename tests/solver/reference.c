#include "tests/solver/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- The rules, on plain boards ---- */

/* The pieces of one side: at[rank][file]. */
struct side {
    bool at[8][8];
};

struct direction {
    int file, rank;
};

static const struct direction slides[8] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                           {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

/* Of each line one of its two directions. */
static const struct direction orthogonals[2] = {{1, 0}, {0, 1}};
static const struct direction diagonals[2] = {{1, 1}, {1, -1}};

static uint64_t square_bit(const struct ref_board *board, int file, int rank)
{
    return UINT64_C(1) << (file + board->width * rank);
}

static struct side side_of(const struct ref_board *board, uint64_t mask)
{
    struct side side = {0};
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            side.at[rank][file] = (mask & square_bit(board, file, rank)) != 0;
    return side;
}

static bool on_board(const struct ref_board *board, int file, int rank)
{
    return file >= 0 && file < board->width && rank >= 0 && rank < board->height;
}

static bool has_piece(const struct ref_board *board, const struct side *side, int file, int rank)
{
    return on_board(board, file, rank) && side->at[rank][file];
}

static bool line_from(const struct ref_board *board, const struct side *side, int file, int rank,
                      struct direction step)
{
    for (int i = 0; i < board->row_length; i++)
        if (!has_piece(board, side, file + i * step.file, rank + i * step.rank))
            return false;
    return true;
}

static bool has_line(const struct ref_board *board, const struct side *side, const struct direction steps[2])
{
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            if (line_from(board, side, file, rank, steps[0]) || line_from(board, side, file, rank, steps[1]))
                return true;
    return false;
}

/* Whether there is a piece here and one each at this offset and at its opposite. */
static bool halfway_at(const struct ref_board *board, const struct side *side, int file, int rank, int right,
                       int up)
{
    return has_piece(board, side, file, rank) && has_piece(board, side, file + right, rank + up) &&
           has_piece(board, side, file - right, rank - up);
}

static bool has_halfway(const struct ref_board *board, const struct side *side)
{
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            for (int up = 0; up < board->height; up++)
                for (int right = -board->width; right < board->width; right++)
                    if ((right != 0 || up != 0) && halfway_at(board, side, file, rank, right, up))
                        return true;
    return false;
}

static bool has_row(const struct ref_board *board, const struct side *side)
{
    switch (board->win) {
    case REF_WIN_LINE:
        return has_line(board, side, orthogonals) || has_line(board, side, diagonals);
    case REF_WIN_ORTHOGONAL:
        return has_line(board, side, orthogonals);
    case REF_WIN_DIAGONAL:
        return has_line(board, side, diagonals);
    case REF_WIN_EQUIDISTANT:
        return has_halfway(board, side);
    case REF_WIN_CENTRE:
        return side->at[board->height / 2][board->width / 2];
    }
    return false;
}

static bool board_is_valid(const struct ref_board *board)
{
    if (board->width < 3 || board->width > 8 || board->height < 3 || board->height > 8 || board->pieces < 2 ||
        board->pieces > 5 || 2 * board->pieces > board->width * board->height)
        return false;
    switch (board->win) {
    case REF_WIN_LINE:
    case REF_WIN_ORTHOGONAL:
    case REF_WIN_DIAGONAL:
        return board->row_length >= 2 && board->row_length <= board->pieces;
    case REF_WIN_EQUIDISTANT:
        return board->pieces == 3;
    case REF_WIN_CENTRE:
        return board->width % 2 == 1 && board->height % 2 == 1;
    }
    return false;
}

/* ---- The positions and their moves, all listed beforehand ---- */

struct configuration {
    uint64_t mask;
    struct side side;
    bool has_row;
};

/* Configurations are numbered in ascending order of their masks, and {mover, other} is position number
 * mover * arrangements_count + other. Overlapping pairs have a number too, and count as illegal. */
struct ref_internal {
    struct configuration *configurations;
    size_t arrangements_count;
    size_t positions_count;
    unsigned char *results; /* an enum ref_result for each position; REF_DRAW as long as it is not decided */
    int *plies;
    /* One move leads from position p to children[first_child[p]] ... children[first_child[p + 1] - 1], where
     * the opponent is the mover. */
    size_t *first_child;
    uint32_t *children;
    size_t children_count, children_capacity;
};

static size_t count_arrangements(int squares, int pieces)
{
    size_t count = 1;
    for (int i = 0; i < pieces; i++)
        count = count * (size_t)(squares - i) / (size_t)(i + 1);
    return count;
}

/* Appends, in ascending order, all configurations that add so many pieces to mask on squares below one. */
static void list_arrangements(struct ref_internal *in, const struct ref_board *board, uint64_t mask,
                              int below, int pieces)
{
    if (pieces == 0) {
        struct side side = side_of(board, mask);
        in->configurations[in->arrangements_count++] =
            (struct configuration){mask, side, has_row(board, &side)};
        return;
    }
    for (int square = pieces - 1; square < below; square++)
        list_arrangements(in, board, mask | UINT64_C(1) << square, square, pieces - 1);
}

/* The number of a configuration; arrangements_count if it is none. */
static size_t number_of(const struct ref_internal *in, uint64_t mask)
{
    size_t low = 0;
    size_t high = in->arrangements_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (in->configurations[middle].mask < mask)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < in->arrangements_count && in->configurations[low].mask == mask;
    return found ? low : in->arrangements_count;
}

static bool add_child(struct ref_internal *in, size_t child)
{
    if (in->children_count == in->children_capacity) {
        size_t capacity = in->children_capacity == 0 ? 1024 : in->children_capacity / 2 * 3;
        uint32_t *grown = realloc(in->children, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        in->children = grown;
        in->children_capacity = capacity;
    }
    in->children[in->children_count++] = (uint32_t)child;
    return true;
}

/* Adds the position that arises when the mover's piece on this square slides this way, if it can. Returns
 * false when memory runs out. */
static bool add_slide(struct ref_internal *in, const struct ref_board *board, size_t mover, size_t other,
                      int file, int rank, struct direction step)
{
    const struct configuration *own = &in->configurations[mover];
    const struct configuration *opponent = &in->configurations[other];
    int to_file = file;
    int to_rank = rank;
    while (on_board(board, to_file + step.file, to_rank + step.rank) &&
           !has_piece(board, &own->side, to_file + step.file, to_rank + step.rank) &&
           !has_piece(board, &opponent->side, to_file + step.file, to_rank + step.rank)) {
        to_file += step.file;
        to_rank += step.rank;
    }
    if (to_file == file && to_rank == rank)
        return true;
    uint64_t moved = (own->mask & ~square_bit(board, file, rank)) | square_bit(board, to_file, to_rank);
    return add_child(in, other * in->arrangements_count + number_of(in, moved));
}

static bool add_children(struct ref_internal *in, const struct ref_board *board, size_t mover, size_t other)
{
    for (int rank = 0; rank < board->height; rank++)
        for (int file = 0; file < board->width; file++)
            for (int i = 0; i < 8; i++)
                if (in->configurations[mover].side.at[rank][file] &&
                    !add_slide(in, board, mover, other, file, rank, slides[i]))
                    return false;
    return true;
}

/* Enters what needs no look ahead, and the children of every position where the game goes on. */
static bool list_positions(struct ref_internal *in, const struct ref_board *board)
{
    size_t position = 0;
    for (size_t mover = 0; mover < in->arrangements_count; mover++) {
        for (size_t other = 0; other < in->arrangements_count; other++, position++) {
            const struct configuration *own = &in->configurations[mover];
            const struct configuration *opponent = &in->configurations[other];
            in->first_child[position] = in->children_count;
            if ((own->mask & opponent->mask) != 0 || own->has_row) {
                in->results[position] = REF_ILLEGAL;
            } else if (opponent->has_row) {
                in->results[position] = REF_LOSS;
            } else {
                in->results[position] = REF_DRAW;
                if (!add_children(in, board, mover, other))
                    return false;
            }
        }
    }
    in->first_child[position] = in->children_count;
    return true;
}

/* ---- The solution, layer by layer ---- */

/* Finds the positions that are won or lost in so many plies; `before` has the results of all smaller
 * distances and no others. So a child that is lost there is lost in exactly plies - 1, and the farthest of
 * children that are all won there is won in exactly plies - 1, or an earlier layer would have decided this
 * position. Returns whether it found any. */
static bool solve_layer(struct ref_internal *in, const unsigned char *before, int plies)
{
    bool found = false;
    for (size_t position = 0; position < in->positions_count; position++) {
        if (before[position] != REF_DRAW)
            continue;
        size_t moves = in->first_child[position + 1] - in->first_child[position];
        size_t children_won = 0;
        size_t children_lost = 0;
        for (size_t i = in->first_child[position]; i < in->first_child[position + 1]; i++) {
            children_won += before[in->children[i]] == REF_WIN;
            children_lost += before[in->children[i]] == REF_LOSS;
        }
        if (children_lost > 0)
            in->results[position] = REF_WIN;
        else if (moves > 0 && children_won == moves)
            in->results[position] = REF_LOSS;
        else
            continue;
        in->plies[position] = plies;
        found = true;
    }
    return found;
}

/* Returns the greatest distance, or -1 when memory runs out. */
static int solve_layers(struct ref_internal *in)
{
    unsigned char *before = malloc(in->positions_count);
    if (before == NULL)
        return -1;
    int plies = 0;
    do
        memcpy(before, in->results, in->positions_count);
    while (solve_layer(in, before, ++plies));
    free(before);
    return plies - 1;
}

static void count_results(struct ref_solution *solution)
{
    const struct ref_internal *in = solution->internal;
    for (size_t position = 0; position < in->positions_count; position++) {
        const struct configuration *own = &in->configurations[position / in->arrangements_count];
        const struct configuration *opponent = &in->configurations[position % in->arrangements_count];
        solution->placements += (own->mask & opponent->mask) == 0;
        switch ((enum ref_result)in->results[position]) {
        case REF_ILLEGAL:
            continue;
        case REF_WIN:
            solution->wins++;
            solution->wins_in[in->plies[position]]++;
            break;
        case REF_LOSS:
            solution->losses++;
            solution->losses_in[in->plies[position]]++;
            break;
        case REF_DRAW:
            solution->draws++;
            solution->draws_without_move += in->first_child[position] == in->first_child[position + 1];
            break;
        }
        solution->legal++;
    }
}

static bool solve(struct ref_solution *solution)
{
    struct ref_board *board = &solution->board;
    struct ref_internal *in = solution->internal;

    size_t configurations = count_arrangements(board->width * board->height, board->pieces);
    if (configurations > UINT16_MAX)
        return false; /* the numbers of positions would not fit 32 bits */
    in->positions_count = configurations * configurations;
    in->configurations = calloc(configurations, sizeof(*in->configurations));
    in->results = calloc(in->positions_count, sizeof(*in->results));
    in->plies = calloc(in->positions_count, sizeof(*in->plies));
    in->first_child = calloc(in->positions_count + 1, sizeof(*in->first_child));
    if (in->configurations == NULL || in->results == NULL || in->plies == NULL || in->first_child == NULL)
        return false;

    list_arrangements(in, board, 0, board->width * board->height, board->pieces);
    if (!list_positions(in, board))
        return false;
    solution->longest = solve_layers(in);
    if (solution->longest < 0)
        return false;

    solution->wins_in = calloc((size_t)solution->longest + 1, sizeof(*solution->wins_in));
    solution->losses_in = calloc((size_t)solution->longest + 1, sizeof(*solution->losses_in));
    if (solution->wins_in == NULL || solution->losses_in == NULL)
        return false;
    count_results(solution);
    return true;
}

struct ref_solution *ref_solve(struct ref_board board)
{
    if (!board_is_valid(&board))
        return NULL;
    struct ref_solution *solution = calloc(1, sizeof(*solution));
    if (solution == NULL)
        return NULL;
    solution->board = board;
    solution->internal = calloc(1, sizeof(*solution->internal));
    if (solution->internal == NULL || !solve(solution)) {
        ref_free(solution);
        return NULL;
    }
    return solution;
}

struct ref_value ref_value_of(const struct ref_solution *solution, uint64_t mover, uint64_t other)
{
    const struct ref_internal *in = solution->internal;
    size_t mover_number = number_of(in, mover);
    size_t other_number = number_of(in, other);
    if (mover_number == in->arrangements_count || other_number == in->arrangements_count)
        return (struct ref_value){REF_ILLEGAL, 0};
    size_t position = mover_number * in->arrangements_count + other_number;
    return (struct ref_value){(enum ref_result)in->results[position], in->plies[position]};
}

void ref_free(struct ref_solution *solution)
{
    if (solution == NULL)
        return;
    if (solution->internal != NULL) {
        free(solution->internal->configurations);
        free(solution->internal->results);
        free(solution->internal->plies);
        free(solution->internal->first_child);
        free(solution->internal->children);
        free(solution->internal);
    }
    free(solution->wins_in);
    free(solution->losses_in);
    free(solution);
}
