/* libneutreeko: the game of Neutreeko, and what its complete solution says about it.
 *
 *     struct nk_table *table;
 *     struct nk_position position;
 *     enum nk_colour to_move;
 *     struct nk_value value;
 *     struct nk_error error;
 *     if (nk_table_find(&table, &error) ||
 *         nk_position_parse(nk_table_rules(table), "1w1w1/2b2/5/2w2/1b1b1 b", &position, &to_move, &error) ||
 *         nk_table_value(table, position, &value, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *
 * Errors: a function that can fail returns an nk_status, 0 when it did not fail, and fills *error, which may
 * be NULL. Results are written only on success.
 *
 * Positions: unless it says otherwise, a function expects a position that passes nk_position_check, as all do
 * that come from this library and all that a legal move leads to from there. Check those put together by
 * hand.
 *
 * Values: always from the view of the side to move. Distances are in plies; a ply is one move by one side.
 * They assume best play: the winner hurries, the loser delays.
 *
 * Ownership: what a function makes, its caller hands to the function named there; NULL is allowed there.
 *
 * Threads: an nk_rules never changes. Any number of threads may ask an open nk_table at once. One thread at a
 * time may use an nk_game. Everything else is without state.
 *
 * The library prints nothing and never ends the program. */
#ifndef NEUTREEKO_H
#define NEUTREEKO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NK_API __attribute__((visibility("default")))
#else
#define NK_API
#endif

/* The version of the library that runs, "0.1.0". */
NK_API const char *nk_version(void);

/* ---- errors ---- */

/* There may be more in a later version. */
enum nk_status {
    NK_OK = 0,
    NK_E_MEMORY,    /* an allocation failed */
    NK_E_RULES,     /* no such board: a size, a number of pieces or a row out of range */
    NK_E_SYNTAX,    /* a text that is no move or position; nk_error.at says where */
    NK_E_POSITION,  /* a well-formed position that cannot occur */
    NK_E_MOVE,      /* a well-formed move that the rules do not allow here */
    NK_E_READ,      /* the operating system could not read a file */
    NK_E_WRITE,     /* the operating system could not write a file */
    NK_E_NOT_TABLE, /* the file is something else, or of a version unknown here */
    NK_E_CORRUPT,   /* the file is a table, but damaged */
    NK_E_LIMIT      /* a distance beyond what the format can hold */
};

struct nk_error {
    enum nk_status status;
    size_t at;      /* the character of the text, counted from 1; 0 when no single one is to blame */
    char text[240]; /* one line without a newline: what was found, what was expected */
};

/* ---- rules ---- */

enum {
    NK_MAX_SIDE = 8, /* squares */
    NK_MAX_SQUARES = NK_MAX_SIDE * NK_MAX_SIDE,
    NK_MAX_PIECES = 5, /* of one side */
    NK_DIRECTIONS = 8,
    NK_MAX_MOVES = NK_MAX_PIECES * NK_DIRECTIONS /* a piece stops at one square in each direction */
};

/* What makes a side's pieces a winning configuration. */
enum nk_win {
    NK_WIN_LINE,        /* `row` pieces in an unbroken orthogonal or diagonal line: the standard game */
    NK_WIN_ORTHOGONAL,  /* the same, orthogonal lines only */
    NK_WIN_DIAGONAL,    /* the same, diagonal lines only */
    NK_WIN_EQUIDISTANT, /* of three pieces one is exactly halfway between the other two */
    NK_WIN_CENTRE,      /* a piece on the centre square */
    NK_WIN_RULES        /* how many there are */
};

/* A game of this family. The standard one is 5x5, three pieces a side, three in a line. */
struct nk_board {
    int width, height; /* squares; 3..8 */
    int pieces;        /* a side; 2..5 */
    int row_length;    /* pieces in a winning line; 2..pieces, and `pieces` where no line wins */
    enum nk_win win;
};

struct nk_rules;

/* The rules of `board`, or of the standard game when that is NULL. NK_E_RULES for a board that cannot be,
 * NK_E_MEMORY. For nk_rules_free. A table has its own: nk_table_rules. */
NK_API enum nk_status nk_rules_new(const struct nk_board *board, struct nk_rules **rules,
                                   struct nk_error *error);
NK_API void nk_rules_free(struct nk_rules *rules);

NK_API struct nk_board nk_rules_board(const struct nk_rules *rules);

/* ---- positions ---- */

/* Where the pieces are. A set of squares is a 64-bit mask: bit = file + width * rank, a1 = bit 0. On the
 * standard board:
 *
 *     5 | 20 21 22 23 24
 *     4 | 15 16 17 18 19
 *     3 | 10 11 12 13 14
 *     2 |  5  6  7  8  9
 *     1 |  0  1  2  3  4
 *          a  b  c  d  e
 *
 * A position says who moves by role alone, for colours change nothing about its worth; where they are
 * wanted, an nk_colour tells which of the two is to move. */
struct nk_position {
    uint64_t mover; /* squares of the side to move */
    uint64_t other; /* squares of the side that waits */
};

/* Black begins. */
enum nk_colour { NK_BLACK, NK_WHITE };

/* A piece slides from one square to another; both are numbers of bits, as above. */
struct nk_move {
    uint8_t from, to;
};

/* The start position, Black to move: of the standard game and of every other win rule on its board, and of
 * 7x7 with three pieces. False, with *start untouched, for a board that has none. */
NK_API bool nk_rules_start(const struct nk_rules *rules, struct nk_position *start);

/* True when these pieces of one side win. */
NK_API bool nk_rules_won(const struct nk_rules *rules, uint64_t pieces);

/* NK_OK when the position, which may be any, can occur with that colour to move: both sides have their number
 * of pieces, on the board, on squares of their own, and the mover has not already won. Otherwise
 * NK_E_POSITION. The colour is only for the words of the error. */
NK_API enum nk_status nk_position_check(const struct nk_rules *rules, struct nk_position position,
                                        enum nk_colour to_move, struct nk_error *error);

/* The mover's moves, written to moves[]; how many. 0 when the other side has won or when no piece can move.
 * Order: pieces by square, then directions from north clockwise. */
NK_API int nk_position_moves(const struct nk_rules *rules, struct nk_position position,
                             struct nk_move moves[NK_MAX_MOVES]);

/* NK_OK when the side to move may make this move, which may be any, in this position, else NK_E_MOVE. */
NK_API enum nk_status nk_move_check(const struct nk_rules *rules, struct nk_position position,
                                    enum nk_colour to_move, struct nk_move move, struct nk_error *error);

/* The position after a legal move of the mover: the roles change. */
static inline struct nk_position nk_position_after(struct nk_position position, struct nk_move move)
{
    struct nk_position after;
    after.mover = position.other;
    after.other = position.mover ^ (UINT64_C(1) << move.from) ^ (UINT64_C(1) << move.to);
    return after;
}

static inline enum nk_colour nk_colour_other(enum nk_colour colour)
{
    return colour == NK_BLACK ? NK_WHITE : NK_BLACK;
}

/* ---- notation ----
 *
 * Printed: moves as `b1-c1`; positions like chess FEN, ranks from the highest down, `b` and `w` for pieces,
 * digits for runs of empty squares, then the side to move: `1w1w1/2b2/5/2w2/1b1b1 b`. Accepted as well, in
 * any case: moves `b1c1` and `1B1C` (rank, file, rank, file); positions with `_` for the space, and the
 * side's letter, a colon and every square from a1 along the ranks: `B:.B.B...W.........B...W.W.`.
 *
 * Nothing here depends on the locale. */

enum {
    NK_SQUARE_TEXT = 3,                                  /* bytes, with the final zero: "b1" */
    NK_MOVE_TEXT = 6,                                    /* "b1-c1" */
    NK_POSITION_TEXT = NK_MAX_SQUARES + NK_MAX_SIDE + 2, /* squares, slashes, the side, the zero */
    NK_VALUE_TEXT = 32,                                  /* "loses in 10 plies" */
    NK_END_TEXT = 64                                     /* "White resigns: Black wins." */
};

NK_API void nk_square_print(const struct nk_rules *rules, int square, char text[NK_SQUARE_TEXT]);
NK_API void nk_move_print(const struct nk_rules *rules, struct nk_move move, char text[NK_MOVE_TEXT]);

/* Writes the position with the colour that is to move. */
NK_API void nk_position_print(const struct nk_rules *rules, struct nk_position position,
                              enum nk_colour to_move, char text[NK_POSITION_TEXT]);

/* Reads a move: two different squares of the board. Whether it is legal is another question.
 * NK_E_SYNTAX with the place. */
NK_API enum nk_status nk_move_parse(const struct nk_rules *rules, const char *text, struct nk_move *move,
                                    struct nk_error *error);

/* Reads a position that can occur. NK_E_SYNTAX with the place for what is no position, NK_E_POSITION (see
 * nk_position_check) for one that cannot be. */
NK_API enum nk_status nk_position_parse(const struct nk_rules *rules, const char *text,
                                        struct nk_position *position, enum nk_colour *to_move,
                                        struct nk_error *error);

/* ---- the table: what every position is worth ---- */

enum { NK_MAX_PLIES = 507 }; /* no distance is longer, on any board */

enum nk_result { NK_LOSS = -1, NK_DRAW = 0, NK_WIN = 1 };

struct nk_value {
    enum nk_result result; /* from the view of the side to move */
    int plies;             /* to the end of the game with best play by both; 0 for a draw */
};

/* A move and what it is worth to the mover, counted from the position before it. */
struct nk_move_value {
    struct nk_move move;
    struct nk_value value;
};

struct nk_summary {
    uint64_t placements; /* pairs of disjoint configurations, mover and other */
    uint64_t legal;      /* of these, positions whose mover has not already won */
    uint64_t wins, losses, draws;
    uint64_t stalemates; /* draws because the mover has no move; contained in draws */
    uint32_t longest;    /* plies of the longest win or loss */
};

struct nk_table;

/* Opens the table in a file. The file stays open until nk_table_close; replacing it by another, under the
 * same name, leaves the open table as it was. NK_E_READ, NK_E_NOT_TABLE, NK_E_CORRUPT, NK_E_MEMORY. For
 * nk_table_close. */
NK_API enum nk_status nk_table_open(const char *path, struct nk_table **table, struct nk_error *error);

/* The same for the table that nobody names: the file in the environment variable NEUTREEKO_TABLE or, where
 * that is not set, the first that exists of neutreeko/perfect_move.dat in XDG_DATA_HOME, in XDG_DATA_DIRS and
 * in the directory that the library was installed with. NK_E_READ too when there is none. */
NK_API enum nk_status nk_table_find(struct nk_table **table, struct nk_error *error);

/* The same for the `size` bytes of a table in memory, which must stay there, unchanged, until nk_table_close.
 */
NK_API enum nk_status nk_table_open_bytes(const void *bytes, size_t size, struct nk_table **table,
                                          struct nk_error *error);

/* Nobody may be asking the table, and everything that lives on its rules ends before: games above all. */
NK_API void nk_table_close(struct nk_table *table);

/* These two live as long as the table. */
NK_API const struct nk_rules *nk_table_rules(const struct nk_table *table);
NK_API const struct nk_summary *nk_table_summary(const struct nk_table *table);

/* What a position is worth. A table is read piece by piece, as it is asked: NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY. */
NK_API enum nk_status nk_table_value(struct nk_table *table, struct nk_position position,
                                     struct nk_value *value, struct nk_error *error);

/* Every move and what it is worth, best first: wins by rising distance, draws, losses by falling distance;
 * equals in the order of nk_position_moves. Errors as nk_table_value. */
NK_API enum nk_status nk_table_moves(struct nk_table *table, struct nk_position position,
                                     struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                     struct nk_error *error);

/* How promising a drawn position is for the side that waits: the chance, in 256ths, that the mover will lose
 * it after all, playing by sight against one who sets traps. 0 for a position that is not drawn, and in a
 * table without traps. Errors as nk_table_value. */
NK_API enum nk_status nk_table_trap(struct nk_table *table, struct nk_position position, uint8_t *trap,
                                    struct nk_error *error);

/* For going through the whole game, by numbers from 0 to below nk_table_entries: sets *position to the entry
 * of that number and returns for how many positions of the game it stands, itself included: all these are
 * worth the same. 0, with *position untouched, for a number without a position. The sum is nk_summary.legal;
 * the mirror images of a position may be spread over several entries. */
NK_API uint64_t nk_table_entries(const struct nk_table *table);
NK_API unsigned nk_table_entry(const struct nk_table *table, uint64_t number, struct nk_position *position);

/* True when `a` is worth more to the one who chooses: a faster win, a slower loss. */
NK_API bool nk_value_better(struct nk_value a, struct nk_value b);

/* Writes "wins in 13 plies", "draws" or "loses in 1 ply". */
NK_API void nk_value_format(struct nk_value value, char text[NK_VALUE_TEXT]);

/* ---- a game: its history, threefold repetition, its end and why, undo and redo ---- */

enum nk_end {
    NK_END_NONE,       /* the game goes on */
    NK_END_WON,        /* a side has made its winning configuration */
    NK_END_REPETITION, /* the third occurrence of a position: a draw */
    NK_END_STALEMATE,  /* the side to move has no move: a draw */
    NK_END_RESIGNED    /* the side to move has given up */
};

struct nk_game;

/* Begins a game from a position, which may be any. `rules` must outlive the game. NK_E_POSITION (see
 * nk_position_check), NK_E_MEMORY. For nk_game_free. */
NK_API enum nk_status nk_game_new(const struct nk_rules *rules, struct nk_position position,
                                  enum nk_colour to_move, struct nk_game **game, struct nk_error *error);
NK_API void nk_game_free(struct nk_game *game);

NK_API const struct nk_rules *nk_game_rules(const struct nk_game *game);

/* How the game stands now. */
NK_API struct nk_position nk_game_position(const struct nk_game *game);
NK_API enum nk_colour nk_game_to_move(const struct nk_game *game);

/* Whether and why the game is over. *winner (may be NULL) is set when the end has one: NK_END_WON,
 * NK_END_RESIGNED. */
NK_API enum nk_end nk_game_end(const struct nk_game *game, enum nk_colour *winner);

/* Writes a sentence: "Black wins.", "White resigns: Black wins.", "A draw: the position has occurred three
 * times.", "A draw: White has no move.", "The game is not over: White is to move." */
NK_API void nk_end_format(const struct nk_game *game, char text[NK_END_TEXT]);

/* Moves played so far: those not taken back, and all that are known. Each of them, and the position before
 * it; 0 <= ply < nk_game_known. nk_game_position_at and nk_game_to_move_at also take ply == nk_game_known. */
NK_API int nk_game_plies(const struct nk_game *game);
NK_API int nk_game_known(const struct nk_game *game);
NK_API struct nk_move nk_game_move_at(const struct nk_game *game, int ply);
NK_API struct nk_position nk_game_position_at(const struct nk_game *game, int ply);
NK_API enum nk_colour nk_game_to_move_at(const struct nk_game *game, int ply);

/* How often the position after `move`, a legal one, has occurred so far: 2 means that the move makes a draw
 * by repetition. */
NK_API int nk_game_repeats(const struct nk_game *game, struct nk_move move);

/* Plays a move of the side to move, which may be any; what had been taken back is forgotten. NK_E_MOVE with
 * the reason: the game is over, no such piece, no straight line, blocked, stops elsewhere. NK_E_MEMORY. */
NK_API enum nk_status nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error);

/* Takes back the last move, or plays again the last one taken back. False when there is none. A resignation
 * is taken back with the first undo, which then leaves the moves as they are. */
NK_API bool nk_game_undo(struct nk_game *game);
NK_API bool nk_game_redo(struct nk_game *game);

/* The side to move gives up. Without effect when the game is over. */
NK_API void nk_game_resign(struct nk_game *game);

/* ---- a game as text ----
 *
 *     # A hash sign begins a comment, here or after other words.
 *     start 1w1w1/2b2/5/2w2/1b1b1 b
 *     1. b1-c1 b5-c5
 *     2. c4-a2 resign
 *
 * The line `start` may be missing when the game began from the board's own start position. Then come the
 * moves, Black's and White's in turn, in any notation of nk_move_parse, between blanks or line ends; move
 * numbers such as `1.` are skipped, whatever they count. `resign` says that the side to move gave up. */

/* Reads the `length` bytes of a record. NK_E_SYNTAX, NK_E_POSITION, NK_E_MOVE or NK_E_MEMORY; then the error
 * tells the line and the character in its text and, for a move, which one it is and why it cannot be played;
 * nk_error.at is the character counted from the beginning of the record. `rules` must outlive the game. For
 * nk_game_free. */
NK_API enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                                     struct nk_game **game, struct nk_error *error);

/* The game so far as a record, its end in a comment. For free(). NULL when memory runs out. */
NK_API char *nk_record_text(const struct nk_game *game);

/* ---- playing ---- */

/* Values in a game are exact: they take threefold repetition into account. A position that has occurred twice
 * is a draw when it occurs again, so at every decision the game has the value of one in which all these
 * positions are drawn ends. Compared with the table, a win or loss may take longer or become a draw; a draw
 * stays one. What nk_options, nk_choose and nk_review say of a move is what nk_game_value says after it.
 *
 * Until a decided position has occurred twice this costs nothing. After that, on the standard board, it takes
 * milliseconds (docs/PERFORMANCE.md). For tables of more than 1,048,576 entries (nk_table_entries) the work for one
 * decision is bounded: at most 1,048,576 positions are looked up, and 65,536 if there are more than 67,108,864 entries.
 * Beyond that, a position whose value was seen to change counts as a draw, and any other as in the table. */

/* What the position now is worth to the side to move; in a game that is over, what its end is worth: a loss
 * in 0 plies where the opponent has won, a draw after a repetition or without a legal move. After a
 * resignation, what was resigned. The game must be on the table's board. Errors as nk_table_value. */
NK_API enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game,
                                    struct nk_value *value, struct nk_error *error);

/* What a move is worth in a game. */
struct nk_option {
    struct nk_move move;
    struct nk_value value; /* to the mover, counted from the position now */
    int repeats;           /* how often the position after it has occurred; 2: it ends the game as a draw */
    uint8_t trap;          /* of a draw: chance that the opponent errs, 0..255 (see nk_table_trap) */
};

/* Every move of a game that is not over, on the table's board, best first by value; equals in the order of
 * nk_position_moves. Errors as nk_table_value. */
NK_API enum nk_status nk_options(struct nk_table *table, const struct nk_game *game,
                                 struct nk_option options[NK_MAX_MOVES], int *count, struct nk_error *error);

/* Chooses the perfect move of a game that is not over. The guarantee: the move never lowers the result.
 *
 *     won    a shortest win; of those, the one that leaves the fewest replies that prolong the game to the
 *            full
 *     drawn  a draw; rather a position that has not occurred; of those, the most likely to make the opponent
 *            err
 *     lost   the longest delay; of those, the one with the most replies that throw the win away
 *
 * and where several are alike, one of them by chance. Chance is in *random, which the caller sets to any
 * number at first and then leaves alone: the same number and games give the same moves. Errors as
 * nk_table_value. */
NK_API enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                                struct nk_move *move, struct nk_error *error);

/* ---- review: where a win or a draw was given away ---- */

enum nk_mark {
    NK_MARK_NONE,
    NK_MARK_ERROR,  /* ? a draw or a win given away to less */
    NK_MARK_BLUNDER /* ?? a win turned into a loss */
};

struct nk_reviewed {
    struct nk_move move;
    enum nk_colour mover;
    struct nk_value before; /* the position, to the mover */
    struct nk_value after;  /* the move, to the mover, counted from the position before it */
    enum nk_mark mark;
    struct nk_move better; /* the best move; the move played when nothing was given away */
    int plies_lost;        /* a win delayed or a loss hastened by so many plies, the result being kept */
};

/* Reviews move number `ply` of a game on the table's board, with exact values (see nk_game_value).
 * 0 <= ply < nk_game_known(game). Errors as nk_table_value. */
NK_API enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, int ply,
                                struct nk_reviewed *reviewed, struct nk_error *error);

#ifdef __cplusplus
}
#endif

#endif
