#include "tests/solver/reference.h"

#include <stdbool.h>
#include <stdlib.h>

static void *not_null(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* ---- the rules ---- */

/* Whether a mask has a square, which need not be on the board. */
static bool has(const struct ref_board *board, uint64_t mask, int file, int rank)
{
    return file >= 0 && file < board->width && rank >= 0 && rank < board->height &&
           mask >> (file + board->width * rank) & 1;
}

/* Whether pieces that are so far apart count as side by side. */
static bool is_step(enum ref_win win, int right, int up)
{
    const bool is_nonzero = right || up, is_straight = !right || !up;
    return is_nonzero && (win == REF_WIN_EQUIDISTANT ||
                          (abs(right) <= 1 && up <= 1 &&
                           (win == REF_WIN_LINE || is_straight == (win == REF_WIN_ORTHOGONAL))));
}

static bool has_line(const struct ref_board *board, uint64_t mask, int square, int right, int up)
{
    const int file = square % board->width, rank = square / board->width;
    for (int i = 0; i < (board->win == REF_WIN_EQUIDISTANT ? 3 : board->row_length); i++)
        if (!has(board, mask, file + i * right, rank + i * up))
            return false;
    return is_step(board->win, right, up);
}

static bool has_win(const struct ref_board *board, uint64_t mask)
{
    if (board->win == REF_WIN_CENTRE)
        return has(board, mask, board->width / 2, board->height / 2);
    for (int square = 0; square < board->width * board->height; square++)
        for (int up = 0; up < board->height; up++)
            for (int right = -board->width; right <= board->width; right++)
                if (has_line(board, mask, square, right, up))
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
        in->has_win = not_null(realloc(in->has_win, in->count + 1));
        in->has_win[in->count] = has_win(board, mask);
        in->masks[in->count++] = mask;
    }
    for (int square = pieces - 1; pieces && square < below; square++)
        list_configurations(in, board, mask | UINT64_C(1) << square, square, pieces - 1);
}

static size_t number_of(const struct ref_solution *in, uint64_t mask)
{
    size_t number = 0;
    for (size_t left = in->count; left > 1; left -= left / 2)
        number += in->masks[number + left / 2] <= mask ? left / 2 : 0;
    if (in->masks[number] != mask)
        abort();
    return number;
}

/* Adds the position that arises when the mover's piece on this square slides this way, if it can. */
static void add_slide(struct ref_solution *in, const struct ref_board *board, uint64_t mover, size_t other,
                      int square, int right, int up)
{
    const uint64_t empty = ~(mover | in->masks[other]), piece = UINT64_C(1) << square;
    int file = square % board->width, rank = square / board->width;
    if (!has(board, empty, file + right, rank + up))
        return;
    while (has(board, empty, file + right, rank + up)) {
        file += right;
        rank += up;
    }
    const uint64_t moved = (mover & ~piece) | UINT64_C(1) << (file + board->width * rank);
    if (in->child_count == in->child_room) {
        in->child_room = in->child_room / 2 * 3 + 1024;
        in->children = not_null(realloc(in->children, in->child_room * sizeof *in->children));
    }
    in->children[in->child_count++] = (uint32_t)(other * in->count + number_of(in, moved));
}

/* Decides what needs no look ahead, and lists the moves where the game goes on. */
static void list_positions(struct ref_solution *in, const struct ref_board *board)
{
    size_t position = 0;
    for (size_t mover = 0; mover < in->count; mover++)
        for (size_t other = 0; other < in->count; other++, position++) {
            in->first_child[position] = in->child_count;
            in->values[position] = in->masks[mover] & in->masks[other] || in->has_win[mover] ? REF_ILLEGAL
                                   : in->has_win[other]                                      ? -REF_WON
                                                                                             : REF_DRAWN;
            const uint64_t pieces = in->values[position] == REF_DRAWN ? in->masks[mover] : 0;
            for (int square = 0; square < board->width * board->height && pieces >> square; square++)
                for (int way = 0; way < 9 && pieces >> square & 1; way++)
                    add_slide(in, board, in->masks[mover], other, square, way % 3 - 1, way / 3 - 1);
        }
    in->first_child[position] = in->child_count;
}

/* ---- the solution, layer by layer ---- */

/* Lists the positions without a value. */
static uint32_t *list_drawn(const struct ref_solution *in, size_t *count)
{
    uint32_t *drawn = not_null(malloc(in->count * in->count * sizeof *drawn));
    *count = 0;
    for (size_t position = 0; position < in->count * in->count; position++)
        if (in->values[position] == REF_DRAWN)
            drawn[(*count)++] = (uint32_t)position;
    return drawn;
}

/* Finds the positions that are won in so many plies, an odd number, or lost in an even one, when all of smaller
 * distances are known, among those without a value, which it removes. Returns whether it found any. */
static bool solve_layer(struct ref_solution *in, int plies, uint32_t *drawn, size_t *count)
{
    size_t left = 0;
    for (size_t n = 0; n < *count; n++) {
        const uint32_t position = drawn[n];
        const uint32_t *child = in->children + in->first_child[position],
                       *end = in->children + in->first_child[position + 1];
        const bool can_move = child < end;
        while (child < end && (plies % 2 ? in->values[*child] >= plies - REF_WON /* not lost */
                                         : in->values[*child] > REF_WON - plies /* won */))
            child++;
        if (can_move && (child < end) == plies % 2)
            in->values[position] = (int16_t)(plies % 2 ? REF_WON - plies : plies - REF_WON);
        else
            drawn[left++] = position;
    }
    const bool found = left < *count;
    *count = left;
    return found;
}

struct ref_solution *ref_solve(struct ref_board board)
{
    struct ref_solution *in = not_null(calloc(1, sizeof *in));
    list_configurations(in, &board, 0, board.width * board.height, board.pieces);
    if (in->count > UINT16_MAX)
        abort(); /* the numbers of positions would not fit 32 bits */
    in->values = not_null(malloc(in->count * in->count * sizeof *in->values));
    in->first_child = not_null(malloc((in->count * in->count + 1) * sizeof *in->first_child));
    list_positions(in, &board);
    size_t count;
    uint32_t *drawn = list_drawn(in, &count);
    for (int plies = 1; solve_layer(in, plies, drawn, &count);)
        plies++;
    free(drawn);
    return in;
}

/* ---- trap values ---- */

enum { ONE = 65536 }; /* probability 1 */

/* U for a drawn position, from V of those that its moves lead to. */
static uint32_t loss_chance(const struct ref_solution *in, size_t position, const uint32_t *reply_chances)
{
    enum { SIGHT = 7 };
    uint64_t sum = 0, moves = 0;
    for (size_t i = in->first_child[position]; i < in->first_child[position + 1]; i++) {
        const uint32_t child = in->children[i];
        const bool is_draw = in->values[child] == REF_DRAWN;
        const int plies = 1 + REF_WON - in->values[child]; /* until the move has lost, if it loses */
        sum += is_draw ? reply_chances[child] : plies > SIGHT ? ONE : 0;
        moves += is_draw || plies > SIGHT;
    }
    return moves ? (uint32_t)(sum * 15 / 16 / moves) : 0;
}

/* V for a drawn position, from U of those that its moves lead to. U is 0 for positions that are not drawn. */
static uint32_t reply_chance(const struct ref_solution *in, size_t position, const uint32_t *loss_chances)
{
    uint32_t greatest = 0;
    for (size_t i = in->first_child[position]; i < in->first_child[position + 1]; i++)
        if (loss_chances[in->children[i]] > greatest)
            greatest = loss_chances[in->children[i]];
    return greatest;
}

uint8_t *ref_traps(const struct ref_solution *in)
{
    enum { ROUNDS = 64 };
    const size_t positions = in->count * in->count;
    size_t count;
    uint32_t *drawn = list_drawn(in, &count);
    uint32_t *u = not_null(calloc(positions, sizeof *u)), *v = not_null(calloc(positions, sizeof *v));
    uint8_t *traps = not_null(malloc(positions));
    for (int round = 0, changed = 1; round < ROUNDS && changed; round++) {
        changed = 0;
        for (size_t n = 0; n < count; n++)
            v[drawn[n]] = reply_chance(in, drawn[n], u);
        for (size_t n = 0; n < count; n++) {
            const uint32_t before = u[drawn[n]];
            u[drawn[n]] = loss_chance(in, drawn[n], v);
            changed |= u[drawn[n]] != before;
        }
    }
    for (size_t q = 0; q < positions; q++)
        traps[q] = (uint8_t)(u[q] / (ONE / 256));
    free(drawn);
    free(u);
    free(v);
    return traps;
}

size_t ref_number(const struct ref_solution *in, uint64_t mover, uint64_t other)
{
    return number_of(in, mover) * in->count + number_of(in, other);
}

void ref_free(struct ref_solution *in)
{
    free(in->masks);
    free(in->has_win);
    free(in->values);
    free(in->first_child);
    free(in->children);
    free(in);
}
