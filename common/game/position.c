#include "common/game/position.h"

/* One of the two sides, with its name in error messages. */
struct side {
    const char *name;
    uint64_t pieces;
};

/* Checks the placement of the two sides. */
static enum nk_status check_placement(const struct nk_rules *rules, const struct side sides[2],
                                      struct nk_error *error)
{
    if ((sides[0].pieces | sides[1].pieces) & ~rules->all_squares)
        return nk_fail(error, NK_E_POSITION, 0, "a piece is outside the board of %dx%d", rules->board.width,
                       rules->board.height);
    for (const struct side *side = sides; side < sides + 2; side++) {
        const int count = __builtin_popcountll(side->pieces);
        if (count != rules->board.pieces)
            return nk_fail(error, NK_E_POSITION, 0, "%s has %d piece%s, expected %d", side->name, count,
                           count == 1 ? "" : "s", rules->board.pieces);
    }
    if (sides[0].pieces & sides[1].pieces)
        return nk_fail(error, NK_E_POSITION, 0, "two pieces are on one square");
    return NK_OK;
}

enum nk_status nk_position_check(const struct nk_rules *rules, struct nk_position position,
                                 enum nk_colour to_move, struct nk_error *error)
{
    const struct side sides[] = {{nk_colour_name(NK_BLACK), nk_pieces_of(position, to_move, NK_BLACK)},
                                 {nk_colour_name(NK_WHITE), nk_pieces_of(position, to_move, NK_WHITE)}};
    const enum nk_status status = check_placement(rules, sides, error);
    if (!status && nk_rules_won(rules, position.mover))
        return nk_fail(error, NK_E_POSITION, 0, "%s has already won and cannot be the one to move",
                       nk_colour_name(to_move));
    return status;
}

enum nk_status nk_position_check_sides(const struct nk_rules *rules, struct nk_position position,
                                       struct nk_error *error)
{
    const struct side sides[] = {{"the side to move", position.mover}, {"its opponent", position.other}};
    const enum nk_status status = check_placement(rules, sides, error);
    if (!status && nk_rules_won(rules, position.mover))
        return nk_fail(error, NK_E_POSITION, 0, "the side to move has already won");
    return status;
}

int nk_position_moves(const struct nk_rules *rules, struct nk_position position,
                      struct nk_move moves[NK_MAX_MOVES])
{
    if (!nk_position_is_placement(rules, position) || nk_rules_won(rules, position.other))
        return 0;
    const uint64_t occupied = position.mover | position.other;
    int count = 0;
    for (uint64_t left = position.mover; left; left &= left - 1) {
        const int from = nk_first(left);
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            const int to = nk_rules_stop(rules, occupied, from, d);
            moves[count] = (struct nk_move){(uint8_t)from, (uint8_t)to}; /* overwritten if it is not a move */
            count += to != from;
        }
    }
    return count;
}

int nk_move_direction(const struct nk_rules *rules, struct nk_move move)
{
    static const uint8_t directions[3][3] = {
        {NK_SOUTH_WEST, NK_SOUTH, NK_SOUTH_EAST},
        {NK_WEST, 0, NK_EAST},
        {NK_NORTH_WEST, NK_NORTH, NK_NORTH_EAST},
    };
    const int width = rules->board.width, files = move.to % width - move.from % width,
              ranks = move.to / width - move.from / width;
    return directions[1 + (ranks > 0) - (ranks < 0)][1 + (files > 0) - (files < 0)];
}

/* Whether two squares are on a straight line, in the direction from the first to the second. */
static bool is_on_line(const struct nk_rules *rules, struct nk_move move, int direction)
{
    int square = rules->next[direction][move.from];
    while (square != NK_NO_SQUARE && square != move.to)
        square = rules->next[direction][square];
    return square == move.to;
}

enum nk_status nk_move_check(const struct nk_rules *rules, struct nk_position position,
                             enum nk_colour to_move, struct nk_move move, struct nk_error *error)
{
    const uint64_t occupied = position.mover | position.other;
    const enum nk_status status = nk_position_check(rules, position, to_move, error);
    if (status)
        return status;
    if (move.from >= rules->squares || move.to >= rules->squares)
        return nk_fail(error, NK_E_MOVE, 0, "invalid squares %d and %d: expected 0 to %d", move.from, move.to,
                       rules->squares - 1);
    const struct nk_text from = nk_square_text(rules, move.from);
    const struct nk_text to = nk_square_text(rules, move.to);
    if (nk_rules_won(rules, position.other))
        return nk_fail(error, NK_E_MOVE, 0, "the game is over");
    if (position.other & nk_bit(move.from))
        return nk_fail(error, NK_E_MOVE, 0, "the piece on %s is not %s's", from.s, nk_colour_name(to_move));
    if (!(position.mover & nk_bit(move.from)))
        return nk_fail(error, NK_E_MOVE, 0, "there is no piece on %s", from.s);
    const int d = nk_move_direction(rules, move);
    if (!is_on_line(rules, move, d))
        return nk_fail(error, NK_E_MOVE, 0,
                       "%s and %s are not on one line: a piece slides in a straight line", from.s, to.s);
    const int end = nk_rules_stop(rules, occupied, move.from, d);
    if (end == move.from)
        return nk_fail(error, NK_E_MOVE, 0, "the piece on %s is blocked in that direction", from.s);
    if (end != move.to)
        return nk_fail(error, NK_E_MOVE, 0, "the piece slides until something stops it: on %s, not %s",
                       nk_square_text(rules, end).s, to.s);
    return NK_OK;
}

int nk_position_reverse_slides(const struct nk_rules *rules, struct nk_position position,
                               struct nk_move moves[NK_MAX_REVERSE_MOVES])
{
    const uint64_t occupied = position.mover | position.other;
    int count = 0;
    for (uint64_t left = position.other; left; left &= left - 1) {
        const int to = nk_first(left);
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            /* It slid towards d until something stopped it here, so it came from the squares behind. */
            const int beyond = rules->next[d][to];
            if (beyond != NK_NO_SQUARE && !(occupied & nk_bit(beyond)))
                continue;
            const int8_t *behind = rules->next[(d + 4) % NK_DIRECTIONS];
            for (int from = behind[to]; from != NK_NO_SQUARE && !(occupied & nk_bit(from));
                 from = behind[from])
                moves[count++] = (struct nk_move){(uint8_t)from, (uint8_t)to};
        }
    }
    return count;
}

int nk_move_find(const void *list, size_t size, int count, struct nk_move move)
{
    const struct nk_move *at = list;
    int found = 0;
    for (; found < count - 1 && !nk_move_equal(*at, move); found++)
        at = (const struct nk_move *)((const char *)at + size);
    return found;
}
