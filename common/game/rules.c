/* The rules, the positions and moves that they permit, and numbers for positions. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the board and what wins ---- */

static const struct {
    int files, ranks;
} steps[NK_DIRECTIONS] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

static const char *const win_names[NK_WIN_RULES] = {"line", "orthogonal", "diagonal", "equidistant",
                                                    "centre"};

static int square_at(const struct nk_rules *rules, int file, int rank)
{
    if (file < 0 || file >= rules->board.width || rank < 0 || rank >= rules->board.height)
        return NK_NO_SQUARE;
    return file + rules->board.width * rank;
}

static int image_of(const struct nk_rules *rules, int g, int square)
{
    int file = square % rules->board.width;
    int rank = square / rules->board.width;
    if (g & NK_MIRROR_FILES)
        file = rules->board.width - 1 - file;
    if (g & NK_MIRROR_RANKS)
        rank = rules->board.height - 1 - rank;
    return g & NK_SWAP_FILES_AND_RANKS ? square_at(rules, rank, file) : square_at(rules, file, rank);
}

static void fill_geometry(struct nk_rules *rules)
{
    rules->squares = rules->board.width * rules->board.height;
    rules->all_squares = UINT64_MAX >> (NK_MAX_SQUARES - rules->squares);
    rules->symmetries = rules->board.width == rules->board.height ? 8 : 4;
    for (int s = 0; s < rules->squares; s++) {
        for (int d = 0; d < NK_DIRECTIONS; d++)
            rules->next[d][s] = (int8_t)square_at(rules, s % rules->board.width + steps[d].files,
                                                  s / rules->board.width + steps[d].ranks);
        for (int g = 0; g < rules->symmetries; g++)
            rules->image[g][s] = (uint8_t)image_of(rules, g, s);
    }
    for (int d = 0; d < NK_DIRECTIONS; d++)
        for (int s = 0; s < rules->squares; s++)
            for (int on = s; (on = rules->next[d][on]) != NK_NO_SQUARE;)
                rules->ray[d][s] |= nk_bit(on);
    for (int g = 0; g < rules->symmetries; g++)
        for (int h = 0; h < rules->symmetries; h++) {
            bool undone = true;
            for (int s = 0; s < rules->squares; s++)
                undone = undone && rules->image[h][rules->image[g][s]] == s;
            if (undone)
                rules->inverse[g] = (uint8_t)h;
        }
}

/* Lists the lines of row_length squares of which `first` is the lowest. */
static void list_lines(struct nk_rules *rules, int first)
{
    static const enum nk_direction upwards[] = {NK_NORTH, NK_NORTH_EAST, NK_EAST, NK_NORTH_WEST};
    for (int i = 0; i < 4; i++) {
        const bool diagonal = upwards[i] % 2;
        uint64_t line = 0;
        int length = 0;
        if (rules->board.win == (diagonal ? NK_WIN_ORTHOGONAL : NK_WIN_DIAGONAL))
            continue;
        for (int square = first; square != NK_NO_SQUARE && length < rules->board.row_length; length++) {
            line |= nk_bit(square);
            square = rules->next[upwards[i]][square];
        }
        if (length == rules->board.row_length)
            rules->wins[rules->win_count++] = line;
    }
}

/* Lists the triples in which a square is exactly halfway between `first`, the lowest, and another one. */
static void list_triples(struct nk_rules *rules, int first)
{
    for (int last = first + 1; last < rules->squares; last++) {
        const int files = first % rules->board.width + last % rules->board.width;
        const int ranks = first / rules->board.width + last / rules->board.width;
        if (files % 2 == 0 && ranks % 2 == 0)
            rules->wins[rules->win_count++] =
                nk_bit(first) | nk_bit(files / 2 + rules->board.width * (ranks / 2)) | nk_bit(last);
    }
}

static void list_wins(struct nk_rules *rules)
{
    for (int square = 0; square < rules->squares; square++) {
        rules->wins_from[square] = rules->win_count;
        if (rules->board.win == NK_WIN_EQUIDISTANT)
            list_triples(rules, square);
        else if (rules->board.win != NK_WIN_CENTRE)
            list_lines(rules, square);
        else if (square == rules->squares / 2)
            rules->wins[rules->win_count++] = nk_bit(square);
    }
    rules->wins_from[rules->squares] = rules->win_count;
}

/* Why a winning condition does not fit a board whose numbers are in range; as nk_rules_fault. */
static const char *win_fault(const struct nk_board *board, struct nk_error *error)
{
    if ((unsigned)board->win >= NK_WIN_RULES) {
        nk_error_record(error, NK_E_RULES, 0, "winning condition %d: expected 0 to %d", (int)board->win,
                        (int)NK_WIN_RULES - 1);
        return "win";
    }
    if (board->win == NK_WIN_EQUIDISTANT && board->pieces != 3) {
        nk_error_record(error, NK_E_RULES, 0, "equidistant needs 3 pieces per side, not %d", board->pieces);
        return "equidistant";
    }
    const int width = board->width, height = board->height;
    if (board->win == NK_WIN_CENTRE && (width % 2 == 0 || height % 2 == 0 || width < 5 || height < 5)) {
        nk_error_record(error, NK_E_RULES, 0, "centre needs odd sizes from 5, not %dx%d", width, height);
        return "centre";
    }
    if (!nk_win_has_lines(board->win) && board->row_length != board->pieces) {
        nk_error_record(error, NK_E_RULES, 0,
                        "%s has no winning lines: the row length must be %d, the pieces per side",
                        win_names[board->win], board->pieces);
        return "row";
    }
    return NULL;
}

const char *nk_rules_fault(const struct nk_board *board, struct nk_error *error)
{
    const int width = board->width, height = board->height, pieces = board->pieces;
    if (width < NK_MIN_SIDE || width > NK_MAX_SIDE || height < NK_MIN_SIDE || height > NK_MAX_SIDE) {
        nk_error_record(error, NK_E_RULES, 0, "a board of %dx%d: expected width and height %d to %d", width,
                        height, (int)NK_MIN_SIDE, (int)NK_MAX_SIDE);
        return "size";
    }
    if (pieces < NK_MIN_PIECES || pieces > NK_MAX_PIECES) {
        nk_error_record(error, NK_E_RULES, 0, "%d pieces per side: expected %d to %d", pieces,
                        (int)NK_MIN_PIECES, (int)NK_MAX_PIECES);
        return "pieces";
    }
    if (2 * pieces >= width * height) {
        nk_error_record(error, NK_E_RULES, 0, "%d pieces per side fill the board of %dx%d", pieces, width,
                        height);
        return "full";
    }
    if (board->row_length < NK_MIN_ROW_LENGTH || board->row_length > pieces) {
        nk_error_record(error, NK_E_RULES, 0, "a row length of %d: expected %d to %d, the pieces per side",
                        board->row_length, (int)NK_MIN_ROW_LENGTH, pieces);
        return "row";
    }
    return win_fault(board, error);
}

static const struct nk_board standard = {5, 5, 3, 3, NK_WIN_LINE};

enum nk_status nk_rules_init(struct nk_rules *rules, const struct nk_board *board, struct nk_error *error)
{
    if (!board)
        board = &standard;
    else if (nk_rules_fault(board, error))
        return NK_E_RULES;
    memset(rules, 0, sizeof *rules);
    rules->board = *board;
    fill_geometry(rules);
    list_wins(rules);
    return NK_OK;
}

bool nk_board_equal(const struct nk_board *a, const struct nk_board *b)
{
    return a->width == b->width && a->height == b->height && a->pieces == b->pieces &&
           a->row_length == b->row_length && a->win == b->win;
}

bool nk_board_is_standard(const struct nk_board *board)
{
    return nk_board_equal(board, &standard);
}

bool nk_rules_won(const struct nk_rules *rules, uint64_t pieces)
{
    assert(rules);
    for (uint64_t left = pieces; left; left &= left - 1) {
        const int square = nk_first(left);
        for (int w = rules->wins_from[square]; w < rules->wins_from[square + 1]; w++)
            if (!(rules->wins[w] & ~pieces))
                return true;
    }
    return false;
}

uint64_t nk_rules_image(const struct nk_rules *rules, int g, uint64_t squares)
{
    uint64_t image = 0;
    for (; squares; squares &= squares - 1)
        image |= nk_bit(rules->image[g][nk_first(squares)]);
    return image;
}

bool nk_position_is_unique(const struct nk_rules *rules, struct nk_position position)
{
    for (int g = 1; g < rules->symmetries; g++) {
        const uint64_t image = nk_rules_image(rules, g, position.mover);
        if (image < position.mover ||
            (image == position.mover && nk_rules_image(rules, g, position.other) < position.other))
            return false;
    }
    return true;
}

const char *nk_win_name(enum nk_win win)
{
    return win_names[win];
}

struct nk_text nk_board_name(const struct nk_board *board)
{
    return nk_text_of("%dx%d, %d pieces, row %d, %s", board->width, board->height, board->pieces,
                      board->row_length, nk_win_name(board->win));
}

struct nk_text nk_board_options(const struct nk_board *board)
{
    return nk_text_of("--board %dx%d --pieces %d --row %d --win %s", board->width, board->height,
                      board->pieces, board->row_length, nk_win_name(board->win));
}

enum nk_win nk_win_named(const char *name)
{
    int win = 0;
    while (win < NK_WIN_RULES && strcmp(win_names[win], name) != 0)
        win++;
    return (enum nk_win)win;
}

bool nk_win_has_lines(enum nk_win win)
{
    return win != NK_WIN_EQUIDISTANT && win != NK_WIN_CENTRE;
}

int nk_win_usual_row_length(enum nk_win win, int pieces)
{
    return nk_win_has_lines(win) && pieces > NK_USUAL_ROW_LENGTH ? NK_USUAL_ROW_LENGTH : pieces;
}

uint64_t nk_rules_neighbours(const struct nk_rules *rules, uint64_t squares)
{
    uint64_t found = 0;
    for (uint64_t left = squares; left; left &= left - 1)
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            const int next = rules->next[d][nk_first(left)];
            found |= next == NK_NO_SQUARE ? 0 : nk_bit(next);
        }
    return found & ~squares;
}

enum nk_status nk_rules_new(const struct nk_board *board, struct nk_rules **out, struct nk_error *error)
{
    assert(out);
    struct nk_rules *rules = malloc(sizeof *rules);
    if (!rules)
        return nk_fail_memory(error);
    const enum nk_status status = nk_rules_init(rules, board, error);
    if (status)
        free(rules);
    else
        *out = rules;
    return status;
}

void nk_rules_free(struct nk_rules *rules)
{
    free(rules);
}

struct nk_board nk_rules_board(const struct nk_rules *rules)
{
    assert(rules);
    return rules->board;
}

bool nk_rules_start(const struct nk_rules *rules, struct nk_position *start)
{
    assert(rules && start);
    static const struct {
        int side;
        bool centre;
        struct nk_position position;
    } starts[] = {
        {5, false, {UINT64_C(0x2000a), UINT64_C(0xa00080)}},          /* 1w1w1/2b2/5/2w2/1b1b1 b */
        {5, true, {UINT64_C(0x88004), UINT64_C(0x400220)}},           /* 2w2/b3b/5/w3w/2b2 b */
        {7, false, {UINT64_C(0x80000014), UINT64_C(0x500000020000)}}, /* 2w1w2/7/3b3/7/3w3/7/2b1b2 b */
    };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (rules->board.width == starts[i].side && rules->board.height == starts[i].side &&
            rules->board.pieces == 3 && rules->board.row_length == 3 &&
            (rules->board.win == NK_WIN_CENTRE) == starts[i].centre) {
            *start = starts[i].position;
            return true;
        }
    return false;
}

struct nk_text nk_square_text(const struct nk_rules *rules, int square)
{
    assert(rules);
    return (struct nk_text){
        {(char)('a' + square % rules->board.width), (char)('1' + square / rules->board.width)}};
}

/* ---- positions ---- */

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
    assert(rules);
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

/* ---- moves ---- */

int nk_position_moves(const struct nk_rules *rules, struct nk_position position,
                      struct nk_move moves[NK_MAX_MOVES])
{
    assert(rules && moves);
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
    assert(rules);
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
        for (uint64_t origins = nk_rules_origins(rules, occupied, to); origins; origins &= origins - 1)
            moves[count++] = (struct nk_move){(uint8_t)nk_first(origins), (uint8_t)to};
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

/* ---- numbers for positions ---- */

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
    index->words = (index->configurations + 63) / 64;
}

uint64_t nk_index_memory(const struct nk_index *index)
{
    return index->configurations *
               (uint64_t)(sizeof *index->orbit_of + sizeof *index->to_canonical + sizeof *index->squares) +
           index->words * (uint64_t)index->rules.squares * sizeof *index->having +
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

static void fill_having(struct nk_index *index)
{
    for (uint32_t c = 0; c < index->configurations; c++)
        for (uint64_t left = index->squares[c]; left; left &= left - 1)
            index->having[(size_t)nk_first(left) * index->words + c / 64] |= nk_bit((int)(c % 64));
    for (int s = 0; s < index->rules.squares && index->configurations % 64; s++)
        index->having[(size_t)(s + 1) * index->words - 1] |= -nk_bit((int)(index->configurations % 64));
}

struct nk_index *nk_index_new(const struct nk_rules *rules)
{
    struct nk_index *index = malloc(sizeof *index);
    if (!index)
        return NULL;
    nk_index_init_sizes(rules, index);
    assert(index->configurations > 0); /* on every board */
    assert(index->orbit_count > 0);
    index->orbit_of = malloc(index->configurations * sizeof *index->orbit_of);
    index->to_canonical = malloc(index->configurations * sizeof *index->to_canonical);
    index->squares = malloc(index->configurations * sizeof *index->squares);
    index->orbits = malloc(index->orbit_count * sizeof *index->orbits);
    index->having = calloc(index->words * (size_t)rules->squares, sizeof *index->having);
    if (!index->orbit_of || !index->to_canonical || !index->squares || !index->orbits || !index->having) {
        nk_index_free(index);
        return NULL;
    }
    fill_orbits(index);
    fill_having(index);
    return index;
}

void nk_index_free(struct nk_index *index)
{
    if (!index)
        return;
    free(index->orbit_of);
    free(index->to_canonical);
    free(index->squares);
    free(index->orbits);
    free(index->having);
    free(index);
}

void nk_index_fill_won(const struct nk_index *index, bool *won)
{
    for (uint32_t c = 0; c < index->configurations; c++)
        won[c] = nk_rules_won(&index->rules, index->squares[c]);
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
    uint64_t mover = 0, taken = 0;
    for (uint64_t left = position.other; left; left &= left - 1)
        taken |= nk_bit(image[nk_first(left)]);
    for (uint64_t left = position.mover; left; left &= left - 1)
        mover |= nk_bit(image[nk_first(left)]);
    /* Each square of the other side is taken out, and those above it move down. */
    for (; taken; taken = (taken & (taken - 1)) >> 1) {
        const uint64_t below = (taken & -taken) - 1;
        mover = (mover & below) | (mover >> 1 & ~below);
    }
    return (uint64_t)index->orbit_of[other] * index->per_orbit + nk_index_number(index, mover);
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
