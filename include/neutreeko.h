/* libneutreeko: the rules of the board game Neutreeko, and exact values of all its positions and moves.
 *
 *     struct nk_table *table = NULL;
 *     struct nk_position position;
 *     enum nk_colour to_move;
 *     struct nk_value value;
 *     struct nk_error error;
 *     if (nk_table_solve(NULL, 0, 0, NULL, NULL, &table, &error) ||
 *         nk_position_parse(nk_table_rules(table), "1w1w1/2b2/5/2w2/1b1b1 b", &position, &to_move, &error) ||
 *         nk_table_value(table, position, &value, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *     else
 *         printf("result %d in %d plies\n", value.result, value.plies);
 *     nk_table_close(table);
 *
 * Errors: a function that can fail returns an nk_status: NK_OK, which is 0, or an error. After an error it describes
 * it in *error, which may be NULL, and sets none of its other results; exceptions are stated. The comment on a function
 * names its errors; those that all functions of a section have in common are stated at the beginning of the section.
 * NULL may be given only where this is stated, and for an array of no elements; a build for debugging asserts it.
 *
 * Positions: a position is legal if it passes nk_position_check. The library returns only legal positions, and every
 * legal move leads to one. For an illegal position, a function that returns an nk_status returns NK_E_POSITION; the
 * comment of any other states what it returns.
 *
 * Values: from the view of the side to move. Distances are in plies; a ply is one move by one side. They assume
 * optimal play: the winner wins as fast as possible, the loser delays as long as possible.
 *
 * Ownership: a function that creates an object names the function that frees it. NULL may be passed to that function.
 *
 * Threads: an nk_rules is immutable. Any number of threads may use an nk_table at the same time, except for
 * nk_table_close. An nk_game or nk_tree may be used by one thread at a time. There is no other state.
 *
 * Fork: a process made by fork has a copy of every object, and may use and free all those of its parent. If another
 * thread of the parent may have been using a table at that moment, the child calls nk_table_after_fork for it first. A
 * game or tree that another thread may have been changing at that moment must not be used in the child; one that was
 * only read may. What other threads were creating or freeing is lost to the child. A thread that is inside a function
 * of the library must not fork in a signal handler.
 *
 * Compatibility: programs that were compiled with one version run with all later versions of the same first number,
 * which is also that of libneutreeko.so.1. These only add functions, constants and errors; structures keep their
 * layout.
 *
 * The library never prints and never ends the program. */
#ifndef NEUTREEKO_H
#define NEUTREEKO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is part of another library may define it as empty: then that does not export these functions. */
#ifndef NK_API
#if defined(__GNUC__)
#define NK_API __attribute__((visibility("default")))
#else
#define NK_API
#endif
#endif

/* The version of this header, as numbers for the preprocessor and as text, "1.0.0". */
#define NK_VERSION_MAJOR 1
#define NK_VERSION_MINOR 0
#define NK_VERSION_PATCH 0
#define NK_VERSION NK_QUOTE(NK_VERSION_MAJOR) "." NK_QUOTE(NK_VERSION_MINOR) "." NK_QUOTE(NK_VERSION_PATCH)
#define NK_QUOTE(number) NK_QUOTE_EXPANDED(number)
#define NK_QUOTE_EXPANDED(number) #number

/* The heading of each of the following sections names the source file that defines its functions. */

/* ---- the library (common/play/describe.c) ---- */

/* The version of the library that is loaded, which may be later than NK_VERSION. A constant string. */
NK_API const char *nk_version(void);

/* The names and limits of this library as a JSON object, for programs in other languages: "engine" (the version),
 * "board" (the bounds of width and height, pieces and row length) and, in the order of their enumerations, "wins",
 * "statuses", "sides", "ends" and "marks"; then "opponents", the kinds of opponents, and "ranking", the names of
 * opponents to choose from, strongest first. docs/schema/names.json describes it. The caller frees it with free(). NULL
 * if memory runs out. */
NK_API char *nk_names(void);

/* ---- errors ---- */

/* Later versions may add further errors. */
enum nk_status {
    NK_OK = 0,
    NK_E_MEMORY,      /* memory allocation failed */
    NK_E_RULES,       /* unsupported rules: an impossible board, or one other than the table's */
    NK_E_SYNTAX,      /* the text is not a move, position or record; nk_error.at has the place */
    NK_E_POSITION,    /* the position is illegal */
    NK_E_MOVE,        /* the move is illegal in this position */
    NK_E_READ,        /* a file does not exist, or the operating system failed to read it */
    NK_E_WRITE,       /* the operating system failed to write a file, or the disk is too small for it */
    NK_E_NOT_TABLE,   /* the file is not a table, or has an unsupported version */
    NK_E_CORRUPT,     /* the file is a damaged table or checkpoint, or a table has wrong values */
    NK_E_LIMIT,       /* a distance exceeds the limit of the file format */
    NK_E_BUSY,        /* another process uses the file or directory */
    NK_E_UNSUPPORTED, /* this build, system, environment, processor or table cannot do it */
    NK_E_EXISTS,      /* a file that must not be overwritten has this name */
    NK_E_STOPPED      /* a function of the caller has stopped the work */
};

/* The description of an error. */
struct nk_error {
    enum nk_status status; /* as the function returned it */
    size_t at;             /* the character, of UTF-8, to which the error refers in the text, from 1; or 0 */
    char text[240]; /* one line: what is wrong, and what was expected; names in it are as they were given */
};

/* ---- rules and positions (common/game/rules.c) ---- */

enum {
    NK_MAX_SIDE = 8, /* the largest width and height, in squares */
    NK_MAX_SQUARES = NK_MAX_SIDE * NK_MAX_SIDE,
    NK_MAX_PIECES = 5, /* per side */
    NK_DIRECTIONS = 8,
    NK_MAX_MOVES = NK_MAX_PIECES * NK_DIRECTIONS /* each piece has at most one move in each direction */
};

/* The winning condition for the pieces of one side. */
enum nk_win {
    NK_WIN_LINE,        /* row_length adjacent pieces in an orthogonal or diagonal line: the standard game */
    NK_WIN_ORTHOGONAL,  /* row_length adjacent pieces in an orthogonal line */
    NK_WIN_DIAGONAL,    /* row_length adjacent pieces in a diagonal line */
    NK_WIN_EQUIDISTANT, /* of three pieces, one is exactly halfway between the other two */
    NK_WIN_CENTRE,      /* a piece is on the centre square */
    NK_WIN_RULES        /* the number of winning conditions */
};

/* A variant of the game. The standard game has a 5x5 board, three pieces per side and three pieces in a line. */
struct nk_board {
    int width;       /* in squares, 3..8 */
    int height;      /* in squares, 3..8 */
    int pieces;      /* per side, 2..5 */
    int row_length;  /* pieces in a winning line, 2..pieces; equal to `pieces` if no line wins */
    enum nk_win win; /* the winning condition */
};

struct nk_rules;

/* Creates the rules of a variant, or of the standard game if `board` is NULL. The caller frees them with
 * nk_rules_free. NK_E_RULES if the variant is not supported, NK_E_MEMORY. An open table has its own rules: see
 * nk_table_rules. */
NK_API enum nk_status nk_rules_new(const struct nk_board *board, struct nk_rules **rules,
                                   struct nk_error *error);

/* Frees rules from nk_rules_new, never those of a table. No game or tree may still use them. */
NK_API void nk_rules_free(struct nk_rules *rules);

/* The variant of these rules. */
NK_API struct nk_board nk_rules_board(const struct nk_rules *rules);

/* The squares of both sides. Squares are numbered file + width * rank, with a1 = 0, and a set of squares is a mask
 * with the bit of each square. On the standard board:
 *
 *     5 | 20 21 22 23 24
 *     4 | 15 16 17 18 19
 *     3 | 10 11 12 13 14
 *     2 |  5  6  7  8  9
 *     1 |  0  1  2  3  4
 *          a  b  c  d  e
 *
 * A position does not contain the colours, because values do not depend on them. Functions that need the colours take
 * the colour of the side to move as a separate argument. */
struct nk_position {
    uint64_t mover; /* squares of the side to move */
    uint64_t other; /* squares of its opponent */
};

/* Black moves first in a game from the start position. */
enum nk_colour { NK_BLACK, NK_WHITE };

/* Sets *start to the start position, in which Black moves first. There is one for three pieces per side and a row
 * length of 3 on 5x5 boards, and on 7x7 boards except with NK_WIN_CENTRE. Otherwise returns false and leaves *start
 * unchanged. */
NK_API bool nk_rules_start(const struct nk_rules *rules, struct nk_position *start);

/* Whether these squares of the board, of any number, fulfil the winning condition. */
NK_API bool nk_rules_won(const struct nk_rules *rules, uint64_t pieces);

/* A text that a function returns by value, so that it can be used at once, as in printf("%s\n",
 * nk_move_text(rules, move).s). */
struct nk_text {
    char s[80]; /* ends with a zero */
};

/* A square, from 0 to width * height - 1, as text: "b1". */
NK_API struct nk_text nk_square_text(const struct nk_rules *rules, int square);

/* A move of the piece on square `from`, which slides to square `to`. */
struct nk_move {
    uint8_t from; /* the square of the piece */
    uint8_t to;   /* an empty square */
};

/* Checks any position. It is legal if each side has its number of pieces, all pieces are on different squares of
 * the board, and the side to move has not already won. Otherwise NK_E_POSITION. The colour is used only in the
 * text of the error. */
NK_API enum nk_status nk_position_check(const struct nk_rules *rules, struct nk_position position,
                                        enum nk_colour to_move, struct nk_error *error);

/* Lists the legal moves and returns their number: 0 if the opponent has won, if no piece can move, or if the
 * position is illegal. There is one exception: a position that is illegal only because the side to move has already
 * won has the moves that its pieces could make if it had not. The moves are ordered by the square of the piece, then
 * by the direction, clockwise from north. */
NK_API int nk_position_moves(const struct nk_rules *rules, struct nk_position position,
                             struct nk_move moves[NK_MAX_MOVES]);

/* Checks whether any move, even one off the board, is legal for the side to move. NK_E_MOVE, with the reason, if
 * it is not; NK_E_POSITION. The colour is used only in the text of the error. */
NK_API enum nk_status nk_move_check(const struct nk_rules *rules, struct nk_position position,
                                    enum nk_colour to_move, struct nk_move move, struct nk_error *error);

/* The position after a move, with the opponent to move. It is legal if the move is, and may be illegal otherwise. */
static inline struct nk_position nk_position_after(struct nk_position position, struct nk_move move)
{
    struct nk_position after;
    after.mover = position.other;
    after.other = position.mover ^ (UINT64_C(1) << (move.from & 63)) ^ (UINT64_C(1) << (move.to & 63));
    return after;
}

/* The colour of the opponent. */
static inline enum nk_colour nk_colour_other(enum nk_colour colour)
{
    return colour == NK_BLACK ? NK_WHITE : NK_BLACK;
}

/* ---- notation (common/game/notation.c) ----
 *
 * Output: moves as `b1-c1`; positions similar to FEN in chess, `1w1w1/2b2/5/2w2/1b1b1 b`: the ranks from the highest
 * to the lowest, `b` and `w` for pieces, numbers for runs of empty squares, then the side to move.
 *
 * Input: the same and, in upper or lower case, moves as `b1c1`, `b1 c1`, `b1,c1`, `b1->c1`, `b1:c1`, `b1xc1`, `b1/c1`,
 * `b1 to c1` or `1B1C` (rank and file of both squares); positions with `_` in place of the space, or as
 * `B:.B.B...W.........B...W.W.`: the side to move, a colon, and every square from a1 rank by rank. A position may have
 * dots for empty squares, then also without slashes, or be the board as the programs print it, with the side to move
 * below. What chess adds to a position, `- - 0 1`, is skipped. `standard` is the start position (nk_rules_start) and,
 * with the rules of a table (nk_table_rules), `fair:17` a fair start by its number (nk_fair_start), both with Black to
 * move.
 *
 * In all texts that are read, the dashes U+2010 to U+2015, U+2212 and U+30FC and the arrow U+2192 stand for a hyphen,
 * U+00A0, U+2009, U+202F and U+3000 for a space, U+3001 for a comma, U+301C for `~`, and the full-width forms U+FF01 to
 * U+FF5E for their ASCII characters; U+200B, U+2060 and U+FEFF are skipped, as are blanks and line ends around a
 * position.
 *
 * The locale has no effect. */

/* A move between two squares of the board, legal or not, as text: "b1-c1". */
NK_API struct nk_text nk_move_text(const struct nk_rules *rules, struct nk_move move);

/* A position as text, with this side to move. Of an illegal position, the squares of the board, and Black's piece
 * where there are two. */
NK_API struct nk_text nk_position_text(const struct nk_rules *rules, struct nk_position position,
                                       enum nk_colour to_move);

/* Reads a move between two different squares of the board, which need not be legal (see nk_move_check).
 * NK_E_SYNTAX. */
NK_API enum nk_status nk_move_parse(const struct nk_rules *rules, const char *text, struct nk_move *move,
                                    struct nk_error *error);

/* Reads a legal position. NK_E_SYNTAX if the text is not a position of the board, NK_E_POSITION if the position is
 * illegal (see nk_position_check) or there is no such start. For a fair start also NK_E_UNSUPPORTED if the table has
 * draws but no trap values, NK_E_READ, NK_E_CORRUPT and NK_E_MEMORY; without a table, NK_E_SYNTAX. */
NK_API enum nk_status nk_position_parse(const struct nk_rules *rules, const char *text,
                                        struct nk_position *position, enum nk_colour *to_move,
                                        struct nk_error *error);

/* Reads many legal positions at once, for languages in which a call for each takes too long. texts[] has `count` arrays
 * of `size` bytes each, in which a text ends with a zero. Sets positions[] and to_move[], which has 0 for Black and 1
 * for White, and *done to the number of positions that were read, also after an error, which is in text number *done:
 * NK_E_SYNTAX if it is not a position of the board, NK_E_POSITION if the position is illegal or there is no such start;
 * for a fair start also NK_E_UNSUPPORTED, NK_E_READ, NK_E_CORRUPT and NK_E_MEMORY. */
NK_API enum nk_status nk_positions_parse(const struct nk_rules *rules, const char *texts, size_t size,
                                         size_t count, struct nk_position positions[], uint8_t to_move[],
                                         size_t *done, struct nk_error *error);

/* Writes many legal positions at once. Sets texts[] to the texts of nk_position_text with the side that to_move[] has,
 * 0 for Black and 1 for White, and *done to the number of positions that were written, also after an error:
 * NK_E_POSITION if position number *done is illegal. */
NK_API enum nk_status nk_positions_text(const struct nk_rules *rules, const struct nk_position positions[],
                                        const uint8_t to_move[], size_t count, struct nk_text texts[],
                                        size_t *done, struct nk_error *error);

/* ---- tables: the values of all positions (common/table/read.c) ---- */

enum { NK_MAX_PLIES = 507 }; /* the largest distance that a table can contain */

/* The result of the game for one side. */
enum nk_result { NK_LOSS = -1, NK_DRAW = 0, NK_WIN = 1 };

/* The value of a position. */
struct nk_value {
    enum nk_result result; /* for the side to move */
    int plies;             /* the distance to the end of the game with optimal play; 0 for a draw */
};

/* A move and its value for the side that makes it. The distance includes the move. */
struct nk_move_value {
    struct nk_move move;   /* a legal move */
    struct nk_value value; /* for the side that makes it */
};

/* Numbers of positions. */
struct nk_summary {
    uint64_t placements; /* ways to place the pieces of the side to move and of its opponent */
    uint64_t legal;      /* those that are legal positions */
    uint64_t wins;       /* for the side to move */
    uint64_t losses;     /* for the side to move */
    uint64_t draws;      /* with optimal play */
    uint64_t stalemates; /* draws because the side to move has no legal move; included in draws */
    uint32_t longest;    /* the largest distance of a win or loss, in plies */
};

struct nk_table;

/* The rules and the summary of the table's game. They are valid until nk_table_close. */
NK_API const struct nk_rules *nk_table_rules(const struct nk_table *table);
NK_API const struct nk_summary *nk_table_summary(const struct nk_table *table);

/* Opens a table from its `size` bytes in memory, which must not change until nk_table_close. The caller closes
 * it with nk_table_close. NK_E_NOT_TABLE; NK_E_CORRUPT if they are damaged; NK_E_MEMORY. */
NK_API enum nk_status nk_table_open_bytes(const void *bytes, size_t size, struct nk_table **table,
                                          struct nk_error *error);

/* Closes a table. No thread may be using it, and all games and trees on its rules must have been freed. */
NK_API void nk_table_close(struct nk_table *table);

/* Makes a table of the parent usable in a process made by fork, whatever other threads of the parent were doing with
 * it. Call it in the child, before any other function with this table and before the child starts threads. It cannot
 * fail. Without other threads at the time of the fork it is not necessary; then it has no effect. */
NK_API void nk_table_after_fork(struct nk_table *table);

/* ---- tables in files (common/table/open_file.c) ---- */

/* Opens the table in a file. The file stays open until nk_table_close; replacing the file by another with the same
 * name does not affect the open table. The caller closes it with nk_table_close. NK_E_READ, NK_E_NOT_TABLE,
 * NK_E_CORRUPT, NK_E_MEMORY. */
NK_API enum nk_status nk_table_open(const char *path, struct nk_table **table, struct nk_error *error);

/* ---- solving (solver/analysis/solve.c) ---- */

/* How far nk_table_solve is. */
struct nk_solve_state {
    int ply;          /* the distance, in plies, of the positions that were decided last */
    uint64_t decided; /* how many of them */
    double done;      /* 0 until all positions are decided; then the share of the rest of the work, up to 1 */
};

/* A function for nk_table_solve, with the `context` that it was given. Returns whether to continue. */
typedef bool nk_solve_progress(void *context, const struct nk_solve_state *state);

/* Solves a board in memory: sets *table to the table that neutreeko-solve would write, with a byte for each entry in
 * memory, so that nothing has to be read and uncompressed. `board` is the variant, or NULL for the standard game, which
 * takes about 10 milliseconds. Uses at most `threads` threads, 1 to 256, or one per processor for 0; the table does not
 * depend on it. `memory` is the number of bytes that it may use, or 0 for what is available; see nk_solve_memory.
 * `progress`, which may be NULL, is called in the calling thread after each ply, and often during the rest of the work.
 * The caller closes the table with nk_table_close.
 *
 * NK_E_RULES if the variant is not supported; NK_E_MEMORY, before anything is allocated, if it needs more memory than
 * it may use; also later, if the trap values of unusually many draws do, and if memory runs out; NK_E_LIMIT if a
 * distance is over NK_MAX_PLIES; NK_E_STOPPED if `progress` returned false. */
NK_API enum nk_status nk_table_solve(const struct nk_board *board, int threads, uint64_t memory,
                                     nk_solve_progress *progress, void *context, struct nk_table **table,
                                     struct nk_error *error);

/* Sets *bytes to an estimate of the memory that nk_table_solve needs at its peak for the same board and number of
 * threads. It is an upper bound for boards with as few draws as boards usually have. Where most positions are drawn,
 * the trap values take about 60 to 140 bytes more for each drawn entry (see nk_table_load), the more the more pieces
 * there are. NK_E_RULES. */
NK_API enum nk_status nk_solve_memory(const struct nk_board *board, int threads, uint64_t *bytes,
                                      struct nk_error *error);

/* ---- looking up (common/table/lookup.c) ----
 *
 * In a table that is not loaded (nk_table_load), blocks of the file are read and verified when they are first
 * needed. So all functions of this section that return an nk_status can also return NK_E_READ, NK_E_CORRUPT and
 * NK_E_MEMORY. After an error, listed[] may have been written to. */

/* Whether `a` is better than `b` for the side to which both values refer: a better result, a faster win or a slower
 * loss. */
NK_API bool nk_value_better(struct nk_value a, struct nk_value b);

/* Looks up the value of a position. NK_E_POSITION. */
NK_API enum nk_status nk_table_value(struct nk_table *table, struct nk_position position,
                                     struct nk_value *value, struct nk_error *error);

/* Lists all legal moves with their values, best first: wins by increasing distance, then draws, then losses by
 * decreasing distance; moves of equal value are in the order of nk_position_moves. *count is their number.
 * NK_E_POSITION. */
NK_API enum nk_status nk_table_moves(struct nk_table *table, struct nk_position position,
                                     struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                     struct nk_error *error);

/* Looks up the trap value of a drawn position: an estimate of the probability, in 256ths, that the side to move will
 * lose to the perfect player if it looks only a few plies ahead. 0 if the position is not drawn or the table has no
 * trap values. NK_E_POSITION. */
NK_API enum nk_status nk_table_trap(struct nk_table *table, struct nk_position position, uint8_t *trap,
                                    struct nk_error *error);

/* Loads all of a table into memory: uncompresses and checks every block, and computes the distance of every win.
 * Afterwards nk_table_value and nk_table_moves take tens of nanoseconds for a legal position, without reading,
 * without locks and without failing; nk_table_trap still reads. It takes 2 bytes per entry (positions that are
 * symmetric to each other share one), in addition to the blocks: at most 2 bytes per entry, or 90 MiB
 * for a table of more than 67,108,864 entries. Other threads may use the table meanwhile. A table that is already
 * loaded stays as it is. NK_E_MEMORY also for a table that is too large. After an error the table stays open and is
 * read block by block. */
NK_API enum nk_status nk_table_load(struct nk_table *table, struct nk_error *error);

/* A legal position with all that the table has about it. `best` has bit 8 * p + d for piece p of the side to move, in
 * the order of their squares, and direction d, clockwise from north, both from 0. */
struct nk_listed_position {
    struct nk_position position; /* one of those that nk_table_positions lists */
    uint64_t best;               /* the best moves, as bits; 0 without NK_LIST_BEST */
    uint32_t symmetric;          /* the number of positions that are symmetric to this one, itself included */
    uint16_t plies;              /* the distance to the end of the game with optimal play; 0 for a draw */
    int8_t result;               /* an nk_result, for the side to move */
    uint8_t trap;                /* the trap value of a draw (see nk_table_trap), otherwise 0 */
};

/* Flags for nk_table_positions, to be combined with `|`. With some of the last three, it lists only the positions with
 * these results for the side to move. */
enum {
    NK_LIST_BEST = 1,   /* fill in `best`, which is 0 otherwise; takes several times as long */
    NK_LIST_UNIQUE = 2, /* list only the first of all positions that are symmetric to each other */
    NK_LIST_LOSSES = 4,
    NK_LIST_DRAWS = 8,
    NK_LIST_WINS = 16
};

/* nk_table_configurations and nk_table_positions list all positions. A configuration is the set of squares of one side;
 * configurations are numbered from 0 in the order of their masks. nk_table_positions lists the legal positions in which
 * the side to move has this configuration, in the order of the opponent's masks, and sets *count to their number: 0 if
 * it is a winning configuration or does not exist. listed[] must have room for nk_summary.placements /
 * nk_table_configurations of them. Several threads may list at once. Much faster after nk_table_load. */
NK_API uint32_t nk_table_configurations(const struct nk_table *table);
NK_API enum nk_status nk_table_positions(struct nk_table *table, uint32_t configuration, unsigned flags,
                                         struct nk_listed_position listed[], uint32_t *count,
                                         struct nk_error *error);

/* ---- where a game may begin (common/table/fair.c) ----
 *
 * These functions look up values (nk_table_value), and can also return NK_E_READ, NK_E_CORRUPT and NK_E_MEMORY. */

/* Fair starts: positions from which a game has the same prospects for both sides. A placement is fair if
 *
 *     - it is drawn with either side to move,
 *     - either side, if it is to move, has at least two moves that keep the draw, and
 *     - the trap values with either side to move (see nk_table_trap) differ by at most 16.
 *
 * Of the placements that are symmetric to each other, the first is a fair start (see NK_LIST_UNIQUE). Black moves
 * first. Exchanging the colours gives another fair start, or a position that is symmetric to one.
 *
 * Fair starts are numbered from 1: in the order of the configurations of Black and, if these are equal, of White (see
 * nk_table_positions). A number means the same position in every table with trap values of the same game. The standard
 * game has 180, and some boards have none.
 *
 * nk_fair_starts sets *starts to all fair starts, in the order of their numbers, and *count to their number, which may
 * be 0; the caller frees *starts with free(). nk_fair_start sets *position to the one with this number; NK_E_POSITION
 * if there is none. The first call reads the codes of all entries and looks up the draws among them; the table keeps
 * the list. In a table of more than 67,108,864 entries (see nk_table_load), a block is uncompressed for most of these
 * draws, which takes most of the time, and nk_fair_start reads only up to the position and keeps nothing.
 * NK_E_UNSUPPORTED if the table has draws but no trap values. */
NK_API enum nk_status nk_fair_starts(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                                     struct nk_error *error);
NK_API enum nk_status nk_fair_start(struct nk_table *table, uint64_t number, struct nk_position *position,
                                    struct nk_error *error);

/* Sets *position to the start position (nk_rules_start) or, if the board has none, to a proposal, in which Black moves
 * first and White's pieces are those of Black seen from the other side of the board: reflected, with pieces that are
 * symmetric from left to right, or rotated. It is the first of at most a thousand such positions of each kind that is
 * drawn, otherwise the one of the first hundred whose win or loss takes longest, so that it is found quickly in any
 * table. The same table always gives the same proposal. NK_E_POSITION if there is none. */
NK_API enum nk_status nk_suggested_start(struct nk_table *table, struct nk_position *position,
                                         struct nk_error *error);

/* ---- games: moves, end of the game, undo and redo (common/game/game.c) ---- */

/* How a game has ended. */
enum nk_end {
    NK_END_NONE,       /* the game is not over */
    NK_END_WON,        /* the last move won */
    NK_END_REPETITION, /* a draw by threefold repetition: the same position with the same side to move */
    NK_END_STALEMATE,  /* a draw because the side to move has no legal move */
    NK_END_RESIGNED,   /* a side has resigned, not only the side to move */
    NK_END_TIME,       /* a side has lost on time */
    NK_END_AGREED,     /* a draw by agreement */
    NK_END_STATED      /* a record has this result, and not why */
};

/* The result of a game. */
enum nk_outcome { NK_OUTCOME_OPEN, NK_OUTCOME_BLACK, NK_OUTCOME_WHITE, NK_OUTCOME_DRAW };

struct nk_game;

/* Creates a game that starts at a position, which is checked. `rules` must outlive the game. The caller frees it with
 * nk_game_free. NK_E_POSITION (see nk_position_check), NK_E_MEMORY. */
NK_API enum nk_status nk_game_new(const struct nk_rules *rules, struct nk_position position,
                                  enum nk_colour to_move, struct nk_game **game, struct nk_error *error);

/* Frees a game. */
NK_API void nk_game_free(struct nk_game *game);

/* The rules with which the game was created. */
NK_API const struct nk_rules *nk_game_rules(const struct nk_game *game);

/* The current position and the side to move. */
NK_API struct nk_position nk_game_position(const struct nk_game *game);
NK_API enum nk_colour nk_game_to_move(const struct nk_game *game);

/* Whether and why the game is over. *winner (may be NULL) is set to the winner if there is one; otherwise it is
 * unchanged. */
NK_API enum nk_end nk_game_end(const struct nk_game *game, enum nk_colour *winner);

/* The end of a game as one of these sentences: "Black wins.", "White resigns: Black wins.", "Black wins on time.",
 * "Black wins, as the result says.", "Draw by threefold repetition.", "Draw: White has no legal moves.", "Draw by
 * agreement.", "Draw, as the result says.", "The game is not over: White is to move." */
NK_API struct nk_text nk_end_text(const struct nk_game *game);

/* nk_game_plies is the number of moves played and not undone, nk_game_plies_with_undone the number of moves including
 * those that nk_game_redo can play again. Ply 0 is the first move. nk_game_move_at returns the move at a ply,
 * 0 <= ply < nk_game_plies_with_undone. nk_game_position_at and nk_game_to_move_at return the position before it and
 * the side to move there, 0 <= ply <= nk_game_plies_with_undone. */
NK_API int nk_game_plies(const struct nk_game *game);
NK_API int nk_game_plies_with_undone(const struct nk_game *game);
NK_API struct nk_move nk_game_move_at(const struct nk_game *game, int ply);
NK_API struct nk_position nk_game_position_at(const struct nk_game *game, int ply);
NK_API enum nk_colour nk_game_to_move_at(const struct nk_game *game, int ply);

/* Plays a move, which is checked, and discards undone moves. NK_E_MOVE, with the reason, if the move is illegal or
 * the game is over; NK_E_MEMORY. */
NK_API enum nk_status nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error);

/* Undo the last move, or redo the last undone move. They return false if there is none. After nk_game_finish and
 * nk_game_resign, undo only takes that back, and redo returns false. */
NK_API bool nk_game_undo(struct nk_game *game);
NK_API bool nk_game_redo(struct nk_game *game);

/* The side to move resigns. Has no effect if the game is over. */
NK_API void nk_game_resign(struct nk_game *game);

/* Ends a game for a reason that the board does not show: NK_END_RESIGNED or NK_END_TIME with a winner, NK_END_AGREED
 * with a draw, or NK_END_STATED with either. NK_E_MOVE if the game is over or the result does not go with the reason.
 */
NK_API enum nk_status nk_game_finish(struct nk_game *game, enum nk_end end, enum nk_outcome outcome,
                                     struct nk_error *error);

/* Continues a game that threefold repetition has ended, for the records of players who do not know this rule. Has no
 * effect on another game. */
NK_API void nk_game_go_on(struct nk_game *game);

/* ---- trees: games with variations, comments and marks (common/game/tree.c) ---- */

struct nk_tree;

/* A node of a tree: a move of the game or of a variation. Node 0 is the start, without a move and marks. The texts are
 * valid until the next call that changes the tree. */
struct nk_node {
    struct nk_move move;
    int ply;       /* the number of moves from the start up to this one */
    int parent;    /* the node before, -1 for the start */
    int child;     /* the first node after it, which continues the line; -1 if there is none */
    int sibling;   /* the next alternative to this move, -1 if there is none */
    bool resigned; /* after it, the side to move has resigned: the moves after it are alternatives to that */
    const char *marks;   /* "", or words such as "?! $14" */
    const char *comment; /* "", or a line without control characters, in valid UTF-8 */
};

/* Creates a tree that has only the start, a position which is checked. `rules` must outlive the tree. The caller frees
 * it with nk_tree_free. One thread at a time may use it. NK_E_POSITION (see nk_position_check), NK_E_MEMORY. */
NK_API enum nk_status nk_tree_new(const struct nk_rules *rules, struct nk_position position,
                                  enum nk_colour to_move, struct nk_tree **tree, struct nk_error *error);
NK_API void nk_tree_free(struct nk_tree *tree);

/* The nodes have the numbers from 0 to below nk_tree_count, in the order in which they were added; those of a record in
 * the order of its text. `number` and `parent`, here and below, are one of these; for any other, functions that return
 * an nk_status return NK_E_MOVE, and nk_tree_node returns a node without neighbours and texts. */
NK_API int nk_tree_count(const struct nk_tree *tree);
NK_API struct nk_node nk_tree_node(const struct nk_tree *tree, int number);

/* Adds a move after a node, as the last of the moves there, and sets *node to its number: the first one continues the
 * line, the others are alternatives to it. Adding next to or after what was added last is fast. NK_E_MOVE, with the
 * reason, if the move is illegal or the game over; NK_E_MEMORY. */
NK_API enum nk_status nk_tree_add(struct nk_tree *tree, int parent, struct nk_move move, int *node,
                                  struct nk_error *error);

/* As nk_tree_add, but continues a game that threefold repetition has ended (see nk_game_go_on). */
NK_API enum nk_status nk_tree_go_on(struct nk_tree *tree, int parent, struct nk_move move, int *node,
                                    struct nk_error *error);

/* The side to move after a node resigns; without effect if the game is over. NK_E_MEMORY. */
NK_API enum nk_status nk_tree_resign(struct nk_tree *tree, int number, struct nk_error *error);

/* Adds a mark to a node, unless it has it or is the start: "!", "?", "!!", "??", "!?" or "?!", in the place of another
 * one of these, or "$0" to "$255". PGN has "$1" to "$6" for the former, in this order. NK_E_SYNTAX for another text,
 * NK_E_MEMORY. */
NK_API enum nk_status nk_tree_mark(struct nk_tree *tree, int number, const char *mark,
                                   struct nk_error *error);

/* Adds a comment to a node, behind the one that it has. White space becomes single spaces, and each byte that is not
 * safe to print U+FFFD. NK_E_MEMORY. */
NK_API enum nk_status nk_tree_comment(struct nk_tree *tree, int number, const char *comment,
                                      struct nk_error *error);

/* Creates the game that leads to a node. The caller frees it with nk_game_free; it may outlive the tree.
 * NK_E_MEMORY. */
NK_API enum nk_status nk_tree_game(struct nk_tree *tree, int number, struct nk_game **game,
                                   struct nk_error *error);

/* ---- records: games as text (common/game/record_read.c) ----
 *
 *     # A comment extends from a hash sign, or as in PGN from a semicolon, to the end of the line, or is in {braces}.
 *     start 1w1w1/2b2/5/2w2/1b1b1 b
 *     1. b1-c1 b5-c5
 *     2. c4-a2 resign
 *
 * The line `start` is optional if the game begins at the start position of the board. Then follow the moves of both
 * sides in turn, in any notation that nk_move_parse reads, separated by spaces, commas or line ends. Move numbers such
 * as `1.`, `1)` or `1` are ignored, and so are lines that begin with a percent sign and, before the words of a line,
 * `>` of quoted mail and `*` of a list. `resign` means that the side to move resigns.
 *
 * As in PGN, a variation in parentheses is an alternative to the move before it; variations may be nested to any depth,
 * and a result in them is ignored. Other parentheses, such as `(a good move)`, and marks such as `<12>` are comments. A
 * comment belongs to the move before it, or to the first move of its variation, or to the start. Marks follow a move,
 * such as `!?` or `$4`. `nk_record_read` checks all this and keeps the moves of the game.
 *
 * Headers as in PGN may come first, such as [White "perfect"], and the result may follow the moves: 1-0 if White has
 * won, 0-1 if Black has won, 1/2-1/2, or * if the game is not over, or words such as `White resigns` and `draw agreed`.
 * [Start "POSITION"] or [FEN "POSITION"] is another form of the line `start`; one of them must follow [SetUp "1"], and
 * both must agree. [Variant "Neutreeko"], [Board "5x5, 3 pieces, row 3, line"], the size, pieces per side, row length
 * and winning condition, must agree with the game. Other headers have no effect. A text with nothing but blanks,
 * comments and numbers is not a record.
 *
 * Skipped with a warning are lines of prose that cannot be a part of a game, such as a title; signs such as `+-` and
 * labels such as `Moves:`; the signs around a move, also those of ["b1-c1", "c2-c3"]; and a comment that begins with #
 * or ; and has nothing but moves.
 *
 * A game whose result the board does not show has ended as nk_game_finish ends one: by resignation, on time or by
 * agreement if [Termination "..."] or the last comment says so, as "White wins on time" does, and otherwise with
 * NK_END_STATED. What does not agree gives a warning, in nk_headers.warning, and not an error: a result other than that
 * of a game that is over, or `resign` after a draw by repetition, which is ignored; results that differ, of which the
 * one after the moves counts; and moves after the third occurrence of a position, with which the game goes on. The
 * first is told, and how many there are. */

enum { NK_HEADER_TEXT = 304 }; /* bytes of the value of a header, with the zero: 100 characters */

/* The headers of a record. An empty text is a missing header. */
struct nk_headers {
    char event[NK_HEADER_TEXT];
    char date[NK_HEADER_TEXT];
    char round[NK_HEADER_TEXT];
    char players[2][NK_HEADER_TEXT];  /* by colour */
    enum nk_outcome outcome;          /* NK_OUTCOME_OPEN if there is none */
    char termination[NK_HEADER_TEXT]; /* such as "time forfeit" */
    char warning[240];                /* see above; after reading, or "" */
};

/* Reads a record of `length` bytes, which contains one game. Sets *headers, which may be NULL: the texts are valid
 * UTF-8 without control characters, and a longer one is cut; the outcome is that of the game or, if it is not over, of
 * the record. `rules` must outlive the game. The caller frees it with nk_game_free. NK_E_RULES if the header Board or
 * Variant names another board or game, NK_E_SYNTAX, NK_E_POSITION, NK_E_MOVE, NK_E_MEMORY. The text of the error
 * contains the line, the character in the line and, for a move, its number; nk_error.at counts characters from the
 * beginning of the record. */
NK_API enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                                     struct nk_headers *headers, struct nk_game **game,
                                     struct nk_error *error);

/* Reads a record with its variations, comments and marks. Sets *headers, which may be NULL, as nk_record_read does, and
 * has the same errors. `rules` must outlive the tree. The caller frees it with nk_tree_free. */
NK_API enum nk_status nk_record_read_tree(const char *text, size_t length, const struct nk_rules *rules,
                                          struct nk_headers *headers, struct nk_tree **tree,
                                          struct nk_error *error);

/* ---- writing records (common/game/record_write.c) ---- */

/* Sets the value of a header as far as it fits, with U+FFFD for each byte that is not safe to print. */
NK_API void nk_header_set(char text[NK_HEADER_TEXT], const char *value);

/* Returns an outcome as text: "1-0" if White has won, "0-1", "1/2-1/2" or "*". A constant string. */
NK_API const char *nk_outcome_text(enum nk_outcome outcome);

/* Returns the record of the game up to the current position: those of *headers (which may be NULL) that are not empty,
 * the result, the board and, unless it is the start of the board, the start position; the moves; a comment on the end
 * of the game; and the result, which is that of the game or, if it is not over, headers->outcome. The caller frees it
 * with free(). NULL if memory runs out. */
NK_API char *nk_record_text(const struct nk_game *game, const struct nk_headers *headers);

/* Returns the record of a tree with its variations, comments and marks, and with the headers, the comment on the end
 * and the result of its game, as nk_record_text. The caller frees it with free(). NULL if memory runs out. */
NK_API char *nk_record_tree_text(struct nk_tree *tree, const struct nk_headers *headers);

/* ---- values as text (common/play/describe.c) ---- */

/* A value as text, for people, who count moves as in chess: "wins in 7 moves" for 13 plies, the last of which is the
 * winner's seventh move, "draws", or "loses in 1 move" for 2 plies. */
NK_API struct nk_text nk_value_text(struct nk_value value);

/* ---- values in a game (common/play/values.c) ----
 *
 * The value of a move in a game is the one in the table, with two exceptions because the third occurrence of a position
 * is a draw: a move to a position that has occurred twice is a draw, and a win after which the opponent can move to
 * such a position is one as well. The value of a position in a game is that of its best move. Nothing else looks at the
 * moves before, so that it is exact as long as no position that is won or lost has occurred twice: in every game that
 * the perfect player has played itself.
 *
 * These functions look up values (nk_table_value), and can also return NK_E_READ, NK_E_CORRUPT and NK_E_MEMORY.
 * Those that are given a game return NK_E_RULES if it has another board than the table. After an error, choices[]
 * and reviewed[] may have been written to. */

/* Computes the value of the current position for the side to move. In a game that is over, it is the value of the end:
 * a loss in 0 plies if the opponent has won, a draw after threefold repetition or without a legal move; after an end
 * that the board does not show, the value of the position in which it happened. */
NK_API enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game,
                                    struct nk_value *value, struct nk_error *error);

/* A legal move in a game. */
struct nk_choice {
    struct nk_move move;   /* see nk_move_text */
    struct nk_value value; /* for the side to move; the distance includes the move */
    int repeats;           /* how often the position after it has occurred; after 2 the move ends the game */
    uint8_t trap;          /* for a draw, nk_table_trap of the position after the move */
};

/* Lists all moves that can be played in a game, in the order of nk_table_moves. *count is their number: 0 if the game
 * is over. */
NK_API enum nk_status nk_choices(struct nk_table *table, const struct nk_game *game,
                                 struct nk_choice choices[NK_MAX_MOVES], int *count, struct nk_error *error);

/* Chooses the perfect move of a game. It never lowers the result. NK_E_MOVE if the game is over.
 *
 *     win    a fastest win; among these, one after which the fewest replies delay the win as long as possible
 *     draw   a draw with the fewest occurrences of the position; among these, one with the largest trap value
 *     loss   a slowest loss; among these, one after which the most replies do not keep the win
 *
 * Ties are broken at random. *random is the state of the random generator: set it to any number before the first call,
 * and do not change it afterwards. The same state and game give the same move. */
NK_API enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                                struct nk_move *move, struct nk_error *error);

/* How bad a mistake is. */
enum nk_mark {
    NK_MARK_NONE,    /* the result stays the same */
    NK_MARK_MISTAKE, /* ? the result drops by one step: from a win to a draw, or from a draw to a loss */
    NK_MARK_BLUNDER  /* ?? the result drops from a win to a loss */
};

/* A move of a game, and its review. */
struct nk_reviewed {
    struct nk_move move;    /* as it was played */
    enum nk_colour side;    /* that made the move */
    struct nk_value before; /* of the position before the move, for this side */
    struct nk_value after;  /* of the move, for this side; the distance includes the move */
    enum nk_mark mark;      /* whether the move is a mistake */
    struct nk_move better;  /* a best move, or the move itself if it is as good */
    int plies_lost;         /* by which a win is delayed or a loss comes sooner; 0 if the result changed */
};

/* Reviews the moves of a game up to the current position. reviewed[] must have room for nk_game_plies(game) of them. */
NK_API enum nk_status nk_review(struct nk_table *table, const struct nk_game *game,
                                struct nk_reviewed reviewed[], struct nk_error *error);

/* Why a move has its value. */
struct nk_explanation {
    struct nk_value before; /* of the position before the move, for the side that moves */
    struct nk_value value;  /* of the move, for the same side; the distance includes the move */
    struct nk_move best;    /* a best move; the move itself if no other is better */
    bool repeats;           /* whether it ends the game by threefold repetition */
    bool only;              /* whether there are several moves and only this one keeps the win or the draw */
    /* Plies in which the side that moves would win if the opponent passed; 0 if it would not win or the move ends the
     * game. */
    int threat;
    /* Plies in which the opponent would have won if the side that moves had passed, if it now wins later or not at all;
     * 0 if it would not have won or the move ends the game. */
    int prevented;
    int replies;         /* number of the opponent's moves; 0 if the move ends the game */
    int losing;          /* how many of them lose for the opponent */
    int holding;         /* how many draw */
    int winning;         /* how many win */
    bool has_only_reply; /* whether there are several replies and only one keeps the opponent's win or draw */
    struct nk_move only_reply; /* this one */
};

/* Explains a move that is legal at a ply of the game, 0 <= ply <= nk_game_plies_with_undone(game). The values of moves
 * and replies are those in a game with the moves up to this ply, as nk_choices has them. `threat` and `prevented`
 * assume that a side passes and are values of the table. NK_E_MOVE if the move is illegal or the ply does not exist. */
NK_API enum nk_status nk_explain(struct nk_table *table, const struct nk_game *game, int ply,
                                 struct nk_move move, struct nk_explanation *why, struct nk_error *error);

/* ---- opponents (common/play/opponents.c) ---- */

/* The opponents to choose from, strongest first: sets *name to the name of the n-th one, from 0, and *about to what it
 * does, such as "sees 3 plies ahead". Returns false if n is negative or not less than their number. */
NK_API bool nk_opponent_ranked(int n, struct nk_text *name, struct nk_text *about);

/* Chooses the move of an opponent in a game that is not over. The name is one of nk_opponent_ranked or of another
 * form that nk_names describes under "opponents", but not "human". *random is the state of the random generator: set
 * it to any number before the first call, and do not change it afterwards. The same state, game and name give the
 * same move. The opponents that search, "minimax:N" and "alphabeta:N", take seconds for N = 10 and years for the
 * largest N; the others take a bounded time. NK_E_SYNTAX if there is no such opponent or it is "human", NK_E_MOVE if
 * the game is over, NK_E_RULES if the game has another board than the table; NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
NK_API enum nk_status nk_opponent_move(struct nk_table *table, const struct nk_game *game, const char *name,
                                       uint64_t *random, struct nk_move *move, struct nk_error *error);

/* ---- puzzles (common/play/puzzle.c) ---- */

enum { NK_PUZZLE_DRAW = 0 }; /* in place of the plies of a win: a draw that only one move keeps */

/* A position in which only one of several moves keeps the win or the draw. */
struct nk_puzzle {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move answer; /* the only move that wins or, in a drawn position, that does not lose */
};

/* Chooses puzzles at random: writes `room` different ones to puzzles[], or all if there are fewer, and sets *count to
 * the number of those written. `plies` is the distance of the win, an odd number, or NK_PUZZLE_DRAW; of another one
 * there are none. *random is the state of the random generator: set it to any number before the first call, and do not
 * change it afterwards. With the same number, fewer puzzles are the first of more. Positions that differ only by
 * colours or symmetry are one puzzle. May read the whole table. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY; puzzles[] may
 * then have been written to. */
NK_API enum nk_status nk_puzzles(struct nk_table *table, int plies, uint64_t *random,
                                 struct nk_puzzle puzzles[], size_t room, size_t *count,
                                 struct nk_error *error);

#ifdef __cplusplus
}
#endif

#endif
