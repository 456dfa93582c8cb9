/* The game without its values: rules, positions, numbers for positions, notation, games with their history, trees of
 * moves, and records. This is what include/neutreeko.h does not declare; its terms and conventions apply here as well.
 * Nothing here has state of its own, so any number of threads may call these functions. */
#ifndef NK_GAME_H
#define NK_GAME_H

#include "common/base/base.h"

#include <assert.h>

/* ---- rules: the board, how a piece slides, what wins, symmetries ---- */

enum {
    NK_MIN_SIDE = 3,
    NK_MIN_PIECES = 2,
    NK_MIN_ROW_LENGTH = 2,
    NK_USUAL_ROW_LENGTH = 3,
    NK_SYMMETRIES = 8, /* at most; a rectangle has 4 */
    NK_MAX_WINS = 480, /* equidistant on 8x8 */
    NK_NO_SQUARE = -1
};

/* The bits of a symmetry, done in this order; the last one on square boards only. */
enum { NK_MIRROR_FILES = 1, NK_MIRROR_RANKS = 2, NK_SWAP_FILES_AND_RANKS = 4 };

/* North is towards the higher ranks of the board. The direction opposite to d is (d + 4) % 8. */
enum nk_direction {
    NK_NORTH,
    NK_NORTH_EAST,
    NK_EAST,
    NK_SOUTH_EAST,
    NK_SOUTH,
    NK_SOUTH_WEST,
    NK_WEST,
    NK_NORTH_WEST
};

/* The rules as a value, which does not change after nk_rules_init: any number of threads may share one. Their source is
 * J. K. Haugland, Neutreeko (2001). */
struct nk_rules {
    struct nk_board board; /* the variant, from which the rest is derived */

    int squares; /* width * height */
    uint64_t all_squares;
    int8_t next[NK_DIRECTIONS][NK_MAX_SQUARES];  /* the neighbour in a direction, or NK_NO_SQUARE */
    uint64_t ray[NK_DIRECTIONS][NK_MAX_SQUARES]; /* all squares in a direction */
    int symmetries;                              /* 8 on a square board, 4 on a rectangle */
    uint8_t inverse[NK_SYMMETRIES];              /* the symmetry that undoes symmetry g */

    /* A side wins when it occupies one of these sets of squares. Those with the lowest square s are the sets from
     * wins_from[s] to before wins_from[s + 1]. */
    uint64_t wins[NK_MAX_WINS];
    int win_count;
    int wins_from[NK_MAX_SQUARES + 1];

    /* Where a symmetry, a set of NK_MIRROR_FILES and the others, takes a square; 0 is the identity. */
    uint8_t image[NK_SYMMETRIES][NK_MAX_SQUARES];

    /* In the rules of a table, it and nk_fair_start, which finds the position that a number in a text such as `fair:17`
     * means; NULL in others. */
    struct nk_table *table;
    enum nk_status (*fair_start)(struct nk_table *table, uint64_t number, struct nk_position *position,
                                 struct nk_error *error);
};

/* Fills *rules with those of a board, or of the standard game for NULL. NK_E_RULES, with the reason in *error (may be
 * NULL), for an impossible board: a number out of range, pieces that fill the board, `equidistant` without exactly 3
 * pieces, `centre` on a board without a centre square or smaller than 5x5. These two have no winning line, so
 * `row_length` must equal `pieces`. */
enum nk_status nk_rules_init(struct nk_rules *rules, const struct nk_board *board, struct nk_error *error);

/* The name of what makes a board impossible, with the message of nk_rules_init in *error (may be NULL): "size",
 * "pieces", "full" (the pieces fill the board), "row" (the row length), "win", "equidistant" or "centre" (the condition
 * does not fit the board). NULL if the board is possible. */
const char *nk_rules_fault(const struct nk_board *board, struct nk_error *error);

/* Whether both describe the same game, or a board is that of the standard game. */
bool nk_board_equal(const struct nk_board *a, const struct nk_board *b);
bool nk_board_is_standard(const struct nk_board *board);

/* The squares next to some of these in any direction, without these. */
uint64_t nk_rules_neighbours(const struct nk_rules *rules, uint64_t squares);

/* The set of squares after symmetry g, 0 <= g < rules->symmetries. */
uint64_t nk_rules_image(const struct nk_rules *rules, int g, uint64_t squares);

/* Whether a position is the first of all that are symmetric to it, by the squares of the mover, then of the other. */
bool nk_position_is_unique(const struct nk_rules *rules, struct nk_position position);

/* The name of a winning condition, as in --win: "line", "orthogonal", ... */
const char *nk_win_name(enum nk_win win);

/* Write a board, whose winning condition must exist: as people and records name it, "5x5, 3 pieces, row 3, line"; and
 * as options of the solver, "--board 5x5 --pieces 3 --row 3 --win line". */
struct nk_text nk_board_name(const struct nk_board *board);
struct nk_text nk_board_options(const struct nk_board *board);

/* The winning condition with this name, or NK_WIN_RULES if there is none. */
enum nk_win nk_win_named(const char *name);

/* Whether lines win. If not, the row length must equal the number of pieces. */
bool nk_win_has_lines(enum nk_win win);

/* The row length of a board for which none is given: NK_USUAL_ROW_LENGTH, or as many as there are pieces if that is
 * less or if no line wins. */
int nk_win_usual_row_length(enum nk_win win, int pieces);

static inline uint64_t nk_bit(int square)
{
    return UINT64_C(1) << square;
}

/* The lowest square of a set that is not empty. */
static inline int nk_first(uint64_t squares)
{
    return __builtin_ctzll(squares);
}

/* The highest square of a set that is not empty. */
static inline int nk_last(uint64_t squares)
{
    return 63 - __builtin_clzll(squares);
}

/* Whether a direction leads to higher squares. */
static inline bool nk_direction_is_up(int direction)
{
    return direction <= NK_EAST || direction == NK_NORTH_WEST;
}

/* The free squares from a square in a direction, up to the first occupied one: those that a sliding piece passes, and
 * where it stops. Without branches that depend on the pieces, since nothing could predict them; nor has nk_rules_stop.
 */
static inline uint64_t nk_rules_reach(const struct nk_rules *rules, uint64_t occupied, int from,
                                      int direction)
{
    const uint64_t ray = rules->ray[direction][from], blocked = ray & occupied;
    if (nk_direction_is_up(direction)) /* below the lowest blocked square */
        return ray & ((blocked & -blocked) - 1);
    const int above = nk_last(blocked << 1 | 1); /* the highest blocked one; 0 if there is none */
    return ray >> above << above;
}

/* The square where a piece that slides from a square in a direction stops, given all occupied squares; the same square
 * if it cannot move. */
static inline int nk_rules_stop(const struct nk_rules *rules, uint64_t occupied, int from, int direction)
{
    const uint64_t on = nk_bit(from) | nk_rules_reach(rules, occupied, from, direction);
    return nk_direction_is_up(direction) ? nk_last(on) : nk_first(on);
}

/* The squares from which a piece slides to an occupied one: those on one side of it if it cannot go on to the other. */
static inline uint64_t nk_rules_origins(const struct nk_rules *rules, uint64_t occupied, int to)
{
    uint64_t origins = 0;
    for (int d = 0; d < NK_DIRECTIONS / 2; d++) {
        const uint64_t ahead = nk_rules_reach(rules, occupied, to, d),
                       behind = nk_rules_reach(rules, occupied, to, d + NK_DIRECTIONS / 2);
        origins |= (ahead | behind) & -(uint64_t)(!ahead || !behind);
    }
    return origins;
}

/* ---- positions and moves, forwards and backwards ---- */

/* Whether each side has its number of pieces and all pieces are on different squares of the board. */
static inline bool nk_position_is_placement(const struct nk_rules *rules, struct nk_position position)
{
    uint64_t mover = position.mover, other = position.other;
    if ((mover | other) & ~rules->all_squares || mover & other)
        return false;
    /* All pieces of each side but one are removed. The processors for which this is compiled may lack an instruction
     * that counts them. */
    for (int piece = 1; piece < rules->board.pieces; piece++) {
        mover &= mover - 1;
        other &= other - 1;
    }
    return mover && !(mover & (mover - 1)) && other && !(other & (other - 1));
}

/* Checks any position if the colour of the side to move is not known: it is legal if each side has its number of
 * pieces, all pieces are on different squares of the board, and the side to move has not already won. Otherwise
 * NK_E_POSITION, with a message that names the sides as the side to move and the opponent. */
enum nk_status nk_position_check_sides(const struct nk_rules *rules, struct nk_position position,
                                       struct nk_error *error);

/* Writes the slides of a piece of the opponent that end in this position to moves[] and returns their number, also
 * those from a position that is illegal or in which the game is over: at most one for each piece, direction and
 * square. */
enum { NK_MAX_REVERSE_MOVES = NK_MAX_PIECES * NK_DIRECTIONS * (NK_MAX_SIDE - 1) };
int nk_position_reverse_slides(const struct nk_rules *rules, struct nk_position position,
                               struct nk_move moves[NK_MAX_REVERSE_MOVES]);

/* The position before `move`, one of those that nk_position_reverse_slides lists. */
static inline struct nk_position nk_position_before(struct nk_position position, struct nk_move move)
{
    return (struct nk_position){position.other ^ nk_bit(move.from) ^ nk_bit(move.to), position.mover};
}

/* "Black" or "White". */
static inline const char *nk_colour_name(enum nk_colour colour)
{
    return colour == NK_BLACK ? "Black" : "White";
}

/* The squares of one colour in a position with this side to move. */
static inline uint64_t nk_pieces_of(struct nk_position position, enum nk_colour to_move,
                                    enum nk_colour colour)
{
    return (colour == NK_BLACK) == (to_move == NK_BLACK) ? position.mover : position.other;
}

static inline bool nk_position_equal(struct nk_position a, struct nk_position b)
{
    return a.mover == b.mover && a.other == b.other;
}

/* The position after a null move: the side to move passes. */
static inline struct nk_position nk_position_after_pass(struct nk_position position)
{
    return (struct nk_position){position.other, position.mover};
}

/* The direction of a move between two squares on a straight line. */
int nk_move_direction(const struct nk_rules *rules, struct nk_move move);

static inline bool nk_move_equal(struct nk_move a, struct nk_move b)
{
    return a.from == b.from && a.to == b.to;
}

/* The index of a move in a list of `count` structs of `size` bytes that begin with a move; one of them has it. */
int nk_move_find(const void *list, size_t size, int count, struct nk_move move);

/* ---- numbers for positions ----
 *
 * The configurations of one side (the squares of its pieces) are numbered by their masks in ascending order.
 * In this combinatorial number system, a set of squares s0 < s1 < ... has the number
 * C(s0, 1) + C(s1, 2) + C(s2, 3) + ...
 *
 * Configurations that are equal under the symmetries of the board form an orbit. Its first configuration is the
 * canonical one. To find the entry of a position, apply a symmetry that makes the configuration of `other`
 * canonical. Then the entry is orbit * per_orbit + the number of the mover's configuration among the squares that
 * the canonical one leaves free.
 *
 * Positions with the same entry are images of each other and have the same value. If the configuration of
 * `other` has symmetries of its own, several symmetries make it canonical; one of them is used, and the other
 * images of the position may have entries of their own, with the same value. So in counts of positions, every
 * entry of an orbit counts `size` times. The orbits are those of `other`, not of the mover, because then the
 * codes of neighbouring entries are more alike, and the table is smaller.
 *
 * An index does not change after nk_index_new: any number of threads may share one. */

struct nk_orbit {
    uint32_t images[NK_SYMMETRIES]; /* numbers of the canonical configuration's images; [0]: its own */
    uint32_t size;                  /* different configurations among the images */
};

struct nk_index {
    struct nk_rules rules;
    uint32_t configurations; /* of one side */
    uint32_t orbit_count;
    uint32_t per_orbit;  /* configurations of a side, given that of the other */
    uint64_t entries;    /* orbit_count * per_orbit */
    uint64_t placements; /* configurations * per_orbit */

    struct nk_orbit *orbits; /* [orbit_count] */
    uint64_t *squares;       /* [configurations] */
    uint32_t *orbit_of;      /* [configurations] */
    uint8_t *to_canonical;   /* [configurations] the symmetry that makes it canonical */
    uint32_t words;          /* with a bit for each configuration */
    /* [squares][words] the configurations that have the square; those that do not exist have all squares */
    uint64_t *having;
    uint32_t choose[NK_MAX_SQUARES][NK_MAX_PIECES + 1]; /* binomial coefficients C(square, pieces) */
};

/* The number of placements of a board, without an index. The index has at most as many entries, and at least
 * that number divided by the number of symmetries. */
uint64_t nk_index_placements(const struct nk_rules *rules);

/* Sets the members of an index that are numbers, and no array: enough to plan with, without allocating. */
void nk_index_init_sizes(const struct nk_rules *rules, struct nk_index *index);

/* The bytes that the arrays of an index take up. nk_index_init_sizes is enough: the arrays are not used. */
uint64_t nk_index_memory(const struct nk_index *index);

/* Creates the index of a board, which the caller frees with nk_index_free. NULL if memory runs out. */
struct nk_index *nk_index_new(const struct nk_rules *rules);
void nk_index_free(struct nk_index *index);

/* The number of the canonical configuration of an orbit, and its squares. */
static inline uint32_t nk_index_canonical(const struct nk_index *index, uint32_t orbit)
{
    return index->orbits[orbit].images[0];
}

static inline uint64_t nk_index_canonical_squares(const struct nk_index *index, uint32_t orbit)
{
    return index->squares[nk_index_canonical(index, orbit)];
}

/* The configurations from 64 * word on that have none of some squares: a bit for each. So those of a word of the index
 * that do not overlap a configuration of the other side are found without looking at each. */
static inline uint64_t nk_index_apart(const struct nk_index *index, uint64_t squares, uint32_t word)
{
    uint64_t having = 0;
    for (; squares; squares &= squares - 1)
        having |= index->having[(size_t)nk_first(squares) * index->words + word];
    return ~having;
}

/* Sets won[c], [configurations], to whether configuration c wins. */
void nk_index_fill_won(const struct nk_index *index, bool *won);

/* The number of configurations of `pieces` pieces on the board, 1 <= pieces <= NK_MAX_PIECES. */
static inline uint32_t nk_index_configurations_of(const struct nk_index *index, int pieces)
{
    const int last = index->rules.squares - 1;
    return index->choose[last][pieces - 1] + index->choose[last][pieces];
}

/* The number of a configuration. */
static inline uint32_t nk_index_number(const struct nk_index *index, uint64_t squares)
{
    uint32_t number = 0;
    for (int i = 1; squares; squares &= squares - 1)
        number += index->choose[nk_first(squares)][i++];
    return number;
}

/* The next configuration: the next greater mask with as many squares. After the last one the result is
 * meaningless.
 *
 * Adding the lowest square moves the highest piece of the lowest group of neighbouring pieces up by one square, and
 * removes the rest of the group (B. Gosper). These pieces go to the lowest squares. `squares ^ carried` has the group
 * and the square above it, which is two more than the rest: hence the shift by 2, and then down to square 0. */
static inline uint64_t nk_index_next(uint64_t squares)
{
    const uint64_t lowest = squares & -squares;
    const uint64_t carried = squares + lowest;
    return carried | (squares ^ carried) >> 2 >> nk_first(squares);
}

/* The entry of a legal position; a placement in which the mover has already won has one as well. */
uint64_t nk_index_entry(const struct nk_index *index, struct nk_position position);

/* The position of an entry, 0 <= entry < entries, in which the configuration of `other` is canonical. It is
 * illegal if the mover has already won. */
struct nk_position nk_index_position(const struct nk_index *index, uint64_t entry);

/* ---- positions and moves as text ---- */

/* Room for the text of any move or position, with the terminating zero. */
enum {
    NK_MOVE_ROOM = 6,                                    /* "b1-c1" */
    NK_POSITION_ROOM = NK_MAX_SQUARES + NK_MAX_SIDE + 2, /* squares, slashes, a space, the side to move */
};
static_assert(NK_POSITION_ROOM <= sizeof(struct nk_text), "the longest text");

/* The position that a text begins with, legal or not: by its squares, `standard` or the number of a fair start. */
struct nk_read_position {
    bool is_missing_start; /* it is `standard`, and the board has no start position: `position` is not set */
    struct nk_position position;
    enum nk_colour to_move;
    size_t length; /* of the text up to what follows: the end, a blank, a comma or a comment from '#' on */
};

/* Reads the position that a text begins with, in any notation that include/neutreeko.h describes: all other functions
 * that read positions call this one. *error may be NULL. NK_E_SYNTAX, with the place, if the text does not begin with
 * a position of the board; NK_E_POSITION if the board has not so many fair starts; for a fair start also
 * NK_E_UNSUPPORTED if the table has no trap values, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_position_read(const struct nk_rules *rules, const char *text, struct nk_read_position *read,
                                struct nk_error *error);

/* Reads a text that is a position, legal or not (see nk_position_check), and nothing else. The errors of
 * nk_position_read, and NK_E_POSITION for `standard` if the board has no start position. */
enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error);

/* Whether a text begins as links of the page do. Only the page reads these; other readers report the error. */
bool nk_is_link(const char *text);
#define NK_LINK_ERROR "this is a link of the page: open it there, or copy the position from there"

/* A character of a text of people, and what it stands for in moves, positions and records. */
struct nk_character {
    size_t bytes; /* 1 for a byte of any other character */
    char c;       /* '\0' if it stands for nothing; its byte if it stands for itself */
};

/* The character at `text`, which is before `end`: see include/neutreeko.h for those that stand for others. */
struct nk_character nk_character_at(const char *text, const char *end);

/* What people write between the squares of a move, besides blanks: dashes, arrows such as "->" and "=>", the signs for
 * a capture, and a word. */
#define NK_BETWEEN_SQUARES "-=>:xX~_/,"
#define NK_TO "to"

/* The length of the number of a move that a word begins with, such as "1.", "1...", "..." or "1)", or that the whole
 * word is, such as "1"; else 0. */
size_t nk_move_number_length(const char *text, size_t length);

/* Copies a text of `length` bytes with what include/neutreeko.h lets stand for other characters: the dashes, the
 * no-break space and the circles of a board become ASCII characters; joiners and byte order marks are omitted. Returns
 * the length of the copy, which is not longer than the text and may take its place. */
size_t nk_fold_unicode_to_ascii(const char *text, size_t length, char *folded);

/* ---- games with their history ---- */

/* NK_E_MOVE, with the end, if the game is over. */
enum nk_status nk_game_check_open(const struct nk_game *game, struct nk_error *error);

/* How often the position of a ply has occurred with this side to move, up to and including the ply,
 * 0 <= ply <= nk_game_plies_with_undone(game). */
int nk_game_occurrences_at(const struct nk_game *game, int ply);

/* How often a position with this side to move has occurred up to and including a ply,
 * 0 <= ply <= nk_game_plies_with_undone(game). */
int nk_game_occurrences(const struct nk_game *game, int ply, struct nk_position position,
                        enum nk_colour to_move);

/* Whether any position had occurred twice up to and including a ply, 0 <= ply <= nk_game_plies_with_undone(game). */
bool nk_game_has_repeated(const struct nk_game *game, int ply);

/* How often the position after a legal move at a ply has occurred up to that ply. */
int nk_game_repeats_at(const struct nk_game *game, int ply, struct nk_move move);

/* Sets *copy to a new game with the first `ply` moves of another,
 * 0 <= ply <= nk_game_plies_with_undone(game). The caller frees it with nk_game_free. NK_E_MEMORY. */
enum nk_status nk_game_prefix(const struct nk_game *game, int ply, struct nk_game **copy,
                              struct nk_error *error);

/* Takes back what nk_game_go_on has done at the current position, if it has. */
void nk_game_stay_ended(struct nk_game *game);

/* Takes back what nk_game_finish has done, if it has. */
void nk_game_reopen(struct nk_game *game);

/* Whether the side to move has resigned. */
bool nk_game_resigned_in_turn(const struct nk_game *game);

/* The outcome of a game that a side has won. */
static inline enum nk_outcome nk_outcome_won_by(enum nk_colour winner)
{
    return winner == NK_BLACK ? NK_OUTCOME_BLACK : NK_OUTCOME_WHITE;
}

/* Whether a side has won. */
static inline bool nk_outcome_is_win(enum nk_outcome outcome)
{
    return outcome == NK_OUTCOME_BLACK || outcome == NK_OUTCOME_WHITE;
}

/* ---- trees of moves ---- */

/* Ends the game of the tree as nk_game_finish does, until a move is added to its last node. NK_E_MOVE, NK_E_MEMORY. */
enum nk_status nk_tree_finish(struct nk_tree *tree, enum nk_end end, enum nk_outcome outcome,
                              struct nk_error *error);

/* Removes from the comment of a node the sentence with which it ends, or all if it is how the sentence begins, as
 * "Black resigns" is. */
void nk_tree_cut_comment(struct nk_tree *tree, int node, const char *sentence);

/* The node at which the game ends: the last one on the way of first moves, or the first at which a side resigns. */
int nk_tree_last(const struct nk_tree *tree);

/* Sets *game to the game at a node, which belongs to the tree and is valid until the next call with a tree that is not
 * const. NK_E_MEMORY. */
enum nk_status nk_tree_at(struct nk_tree *tree, int node, const struct nk_game **game,
                          struct nk_error *error);

/* Creates a tree with the moves of a game up to the current position, and with its resignation. The caller frees it
 * with nk_tree_free. NK_E_MEMORY. */
enum nk_status nk_tree_of_game(const struct nk_game *game, struct nk_tree **tree, struct nk_error *error);

/* Adds a comment of `length` bytes to a node, behind the one that it has. White space becomes single spaces, and each
 * byte that is not safe to print U+FFFD. NK_E_MEMORY. */
enum nk_status nk_tree_comment_bytes(struct nk_tree *tree, int node, const char *text, size_t length,
                                     struct nk_error *error);

/* ---- records, in files of one or more games ----
 *
 *     [Event "Neutreeko match"]
 *     [Date "2026.05.17"]
 *     [Round "1"]
 *     [White "level:5"]
 *     [Black "perfect"]
 *     [Result "0-1"]
 *     [Board "5x5, 3 pieces, row 3, line"]
 *     [Start "1w1w1/2b2/5/2w2/1b1b1 w"]
 *
 *     1... b5-c5
 *     2. b1-c1 c4-a2
 *     0-1
 *
 * As in PGN, the notation of chess games, headers come before the moves, and the result follows them: 1-0 if White
 * has won, 0-1 if Black has won, 1/2-1/2 for a draw, and * for a game that is not over. A quotation mark or a
 * backslash in a value follows a backslash. All headers are optional, and those with other names are ignored, but for
 * FEN, SetUp and Variant of other programs, which are read as include/neutreeko.h describes. In an archive, a line that
 * begins a header after the moves of a game, and anything but a comment after its result, begins the next game. */

/* The header Event of every game that this program writes begins with it. */
#define NK_EVENT "Neutreeko"

/* Part of a text: offsets, `end` exclusive. */
struct nk_span {
    size_t begin, end;
};

/* A place in a text: the offset of the character, the number of its line, from 1, and the offset of the first character
 * of the line. */
struct nk_place {
    size_t at, line, line_begin;
};

/* What is still to be read of a text. */
struct nk_scanner {
    const char *text;
    size_t length;
    struct nk_place place;  /* the next character */
    size_t before;          /* characters of the first line before the text */
    size_t comment_end;     /* of the last comment */
    size_t word_line;       /* in which something has been read: no signs of mail are left there */
    struct nk_error *error; /* may be NULL */
};

enum nk_token_kind {
    NK_TOKEN_END,       /* of the text */
    NK_TOKEN_COMMENT,   /* `span` is without the characters around it */
    NK_TOKEN_HEADER,    /* `span` is the value, between the quotation marks */
    NK_TOKEN_OPEN,      /* an opening parenthesis */
    NK_TOKEN_CLOSE,     /* a closing parenthesis */
    NK_TOKEN_BRACKETED, /* a mark such as <12> */
    NK_TOKEN_OUTCOME,   /* the result of a game */
    NK_TOKEN_ENDING,    /* words that say how it ended, such as "White resigns."; `outcome` may be open */
    NK_TOKEN_PROSE,     /* a line of prose, such as the title of a game; `outcome` if that is all it has */
    NK_TOKEN_WORD       /* any other; if it begins with '[', an incomplete header or a list */
};

struct nk_token {
    enum nk_token_kind kind;
    struct nk_place place; /* of its first character */
    struct nk_span span;   /* but of a parenthesis */
    struct nk_span name;   /* of a header */
    size_t stop;           /* of an incomplete header: where something else was expected; otherwise 0 */
    bool in_braces;        /* of a comment */
    enum nk_outcome outcome;
};

/* A text from its beginning, without the byte order mark that it may have. */
struct nk_scanner nk_scanner_of(const char *text, size_t length);

/* Reads the next token. Only comments in braces extend over a line end. NK_E_SYNTAX if one is not closed. */
enum nk_status nk_scan_next(struct nk_scanner *scanner, struct nk_token *token);

/* Skips all tokens to the parenthesis that closes the one at `begin`, after which scanner->place is. NK_E_SYNTAX. */
enum nk_status nk_scan_to_close(struct nk_scanner *scanner, struct nk_place begin);

/* Reads the rest of the line, up to a comment. */
struct nk_span nk_scan_rest_of_line(struct nk_scanner *scanner);

/* Whether a part of the text is a name, in upper or lower case. */
bool nk_span_is(const struct nk_scanner *scanner, struct nk_span span, const char *name);

/* Whether a part of the text is the result of a game. */
bool nk_span_outcome(const struct nk_scanner *scanner, struct nk_span span, enum nk_outcome *outcome);

/* Whether a comment is a list of moves, perhaps with their numbers, as in "b1-c1; c2-c3". */
bool nk_span_has_only_moves(const struct nk_scanner *scanner, struct nk_span span);

/* Removes from the end of a word the marks of PGN, such as "!?", and from its beginning the number of a move. A word
 * that is a mark, also as "$4", becomes empty. */
struct nk_span nk_span_entry(const struct nk_scanner *scanner, struct nk_span word);

/* Removes the signs around a word, such as quotation marks, the emphasis of Markdown, and the "+" of chess. */
struct nk_span nk_span_without_signs(const struct nk_scanner *scanner, struct nk_span word);

/* Whether a word has neither letters nor digits, as the signs of other programs about moves and lines of dashes, or is
 * N for a new move, D for a drawing, or a label such as "Moves:". */
bool nk_span_is_sign(const struct nk_scanner *scanner, struct nk_span word);

/* Fails at a place. The text begins with the line and the character; `what` names what is being read, or is "". */
enum nk_status nk_scan_fail(const struct nk_scanner *scanner, enum nk_status status, struct nk_place place,
                            const char *what, const char *why);

/* Part of a file: a text, the number of its first line, from 1, and how many characters that has before the text. */
struct nk_record_part {
    const char *text;
    size_t length, line, before;
};

/* Reads a record, which contains one game, and sets *headers, *game and *tree, each of which may be NULL. Lines and
 * characters in errors are those of the file. A game that is over has its outcome; the outcome of another is that of
 * the record, NK_OUTCOME_OPEN if it has none. `rules` must outlive both. The caller frees them with nk_game_free and
 * nk_tree_free. NK_E_RULES if the header Board or Variant names another one, NK_E_SYNTAX, NK_E_POSITION, NK_E_MOVE,
 * NK_E_MEMORY. */
enum nk_status nk_record_read_part(const struct nk_record_part *part, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree,
                                   struct nk_error *error);

/* Whether a text has no header, move or result: only blanks and comments, also those in parentheses and marks such as
 * <12>. It is the record of no game. */
#define NK_NO_GAME "no game, only blanks or comments, which begin with #, ;, ( or {, as JSON does"
bool nk_record_is_empty(const char *text, size_t length);

/* The length of the first record in the text of an archive: the offset of the line with which the next game begins, or
 * of the token if that follows the result in the same line, or `length` if there is none. */
size_t nk_record_length(const char *text, size_t length);

/* The outcome of a game; `otherwise` if it is not over. */
enum nk_outcome nk_outcome_of(const struct nk_game *game, enum nk_outcome otherwise);

#endif
