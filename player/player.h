/* What the commands share: their options, the table and its errors, the file that they write, parts of the help text,
 * the positions and games that they read; and of single commands what tests or other commands use. */
#ifndef NK_PLAYER_H
#define NK_PLAYER_H

#include "common/game/game.h"
#include "common/play/play.h"
#include "common/program/program.h"
#include "common/table/table.h"
#include "player/terminal/terminal.h"

#include <stdatomic.h>
#include <stdio.h>

/* A command of neutreeko. main parses its options, opens the table, and runs it. */
struct command {
    struct nk_command_line line;

    /* Checks the usage before the table is opened; NULL if the options alone are enough. Returns the exit status. */
    int (*check)(int argc, char **argv);

    /* Runs the command with its operands. Returns the exit status. */
    int (*run)(struct nk_table *table, int argc, char **argv);

    /* When it reads standard input: if an operand is "-", also if there are none, or always. */
    enum { NEVER, IF_NAMED, BY_DEFAULT, ALWAYS } reads_input;

    bool without_table; /* the table is not opened: run gets NULL */
};

extern const struct command play_command, query_command, review_command, puzzle_command, match_command,
    engine_command, export_command;

/* ---- options, the table, errors (common.c) ---- */

/* The values of options that have the same meaning in every command. */
extern struct common_options {
    const char *table;
    const char *output;  /* the file to write, "-" for standard output, or NULL */
    bool force;          /* this file may be replaced */
    uint64_t seed;       /* without --seed, one that differs from run to run */
    bool has_given_seed; /* with --seed */
    bool json;
    int color;       /* the index of a word of --color */
    int board_style; /* the index of a word of --board-style, or negative */
} common_options;

/* Headings of groups of options, in this order. */
#define GAME_OPTIONS NK_HEADING("Game options")
#define OUTPUT_OPTIONS NK_HEADING("Output options")
#define GENERAL_OPTIONS NK_HEADING("General options")

#define SEED_OPTION                                                                             \
    NK_OPTION(.name = "seed", .argument = "N",                                                  \
              .help = "Set the random seed|; the same seed gives the same choices",             \
              .fallback = "a different one each time", .given = &common_options.has_given_seed, \
              .number = &common_options.seed, .most = UINT64_MAX)
/* What --start takes, and the positions that its last three words choose. */
#define START_WORDS "POSITION|standard|drawn|random|fair"
#define START_ABOUT "a drawn one (drawn), any one (random) or a fair start (fair)"

#define JSON_OPTION(about) NK_FLAG("json", about, &common_options.json)
#define OUTPUT_OPTION(about)                                                        \
    NK_OPTION(.name = "output", .letter = 'o', .argument = "FILE", .help = (about), \
              .text = &common_options.output)
#define FORCE_OPTION NK_FLAG("force", "Replace FILE if it exists", &common_options.force)
#define TABLE_OPTION                                                                    \
    NK_TEXT("table", "FILE", "Read the table from FILE|, or from standard input for -", \
            "the file where neutreeko-solve writes it, or solve the game", &common_options.table)
#define COLOR_OPTION                                                                                  \
    NK_OPTION(.name = "color", .argument = "auto|always|never",                                       \
              .help = "Use colours|: auto where the output is a terminal, unless NO_COLOR is set or " \
                      "TERM is dumb",                                                                 \
              .choice = &common_options.color)

#define BOARD_STYLE_OPTION                                                                                 \
    NK_OPTION(.name = "board-style", .argument = "ascii|unicode",                                          \
              .help =                                                                                      \
                  "Draw pieces as letters, b and w, or as circles|, filled for Black and empty for White", \
              .fallback = "unicode where a terminal and its locale can show it",                           \
              .choice = &common_options.board_style)

/* Whether standard output is to have colours: --color auto gives it some if it is a terminal, unless NO_COLOR is set or
 * TERM is "dumb". */
bool use_colour(void);

/* How boards are to be shown on standard output. Without --board-style, the pieces are Unicode characters if it is a
 * terminal, unless TERM is "dumb", and the locale's characters are UTF-8. */
struct board_view output_view(void);

/* Whether one of the operands is "-", for standard input. */
bool names_input(int argc, char **argv);

/* The file that --table names or, without it, the one in the default place if there is one; otherwise NULL: then the
 * game is solved. The caller frees it. Returns false if memory runs out. */
bool table_file(char **path);

/* Opens the table of table_file, or solves the game. Returns false after an error message. */
bool open_table(struct nk_table **table);

/* Reports an error to standard error, after what has been printed, and what to do if the table in the default place is
 * its cause. Returns EXIT_FAILURE. */
int report_error(const struct nk_error *error);

/* Reports that memory has run out, as report_error does. */
int report_no_memory(void);

/* Has standard output write to the file of --output, if there is one. Returns false after an error message. */
bool begin_output(void);

/* Gives the file its name, if there is one and all of it was printed (`complete`); otherwise an old one stays. Returns
 * false after an error message. */
bool end_output(bool complete);

/* Prepares showing the progress of a stage, on a terminal only. */
void begin_progress(struct nk_progress *progress, const char *stage);

/* The description of a kind of opponents, after the bounds of the number, which the completions of the shells read in
 * help texts: "(1 to 20) searches N plies". That of another name begins with what it is the same as. */
struct nk_text opponent_about(const struct nk_opponent_kind *kind);

/* Prints the part of a help text that lists the opponents, under a title. `people`: include human players. */
void print_opponents(const char *title, bool people);

/* Prints the random seed, if none was given, so that the run can be repeated. */
void print_seed(void);

/* Adds "seed", the random seed, with which a run can be repeated. */
void json_add_seed(struct nk_json *json);

/* ---- positions (positions.c) ---- */

/* Positions as people write them: the one reader for arguments, options and lines of standard input.
 *
 * A text is "[POSITION] [MOVE]...": a position, moves, or moves that are played from the position. A position is in the
 * notation of nk_position_parse, or one of these words for a random one: `fair`, a fair start; `drawn`, a drawn
 * position in which the game continues; `random`, any one in which it does. Blanks, commas, the numbers of moves and a
 * comment from '#' on are skipped. */

/* Whether a text contains nothing but what is skipped. */
bool position_is_blank(const char *text);

/* The words for random positions. */
enum random_position { RANDOM_NONE, RANDOM_FAIR, RANDOM_DRAWN, RANDOM_ANY };

/* Which of them a text begins with, in upper or lower case; RANDOM_NONE for another text. */
enum random_position position_is_random(const char *text);

/* Texts, and the position that was read from them. */
struct position_texts {
    const char *const *texts; /* those that are left */
    int count;
    struct nk_position position;
    enum nk_colour to_move;
    const char *wrong; /* the text that the error is in, or NULL if reading the table failed */
};

/* Reads the position at the beginning of the texts: that of the first one, and the moves of those after it that begin
 * with a move. Moves alone, and no texts at all, begin at the start of the game, with Black to move; on a board without
 * one, at that of nk_suggested_start, which is printed to standard error the first time. So is a position that was
 * chosen at random, with --seed. read->texts and read->count become the texts after these, even after an error.
 * NK_E_SYNTAX for a text that is not a position of the board, NK_E_POSITION for an illegal one or if there is no such
 * start, NK_E_MOVE for an invalid or illegal move, NK_E_UNSUPPORTED for a fair start of a table without trap values;
 * NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status position_read(struct nk_table *table, struct position_texts *read, struct nk_error *error);

/* Lists the fair starts as nk_fair_starts does; NK_E_POSITION if there are none. */
enum nk_status position_fair_starts(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                                    struct nk_error *error);

/* Chooses a legal position that is not over and, if requested, drawn. All of them are equally likely. *random is the
 * state of nk_random. NK_E_POSITION if there is none or none is found, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. Threads
 * may call this at the same time. */
enum nk_status position_choose(struct nk_table *table, bool drawn, uint64_t *random,
                               struct nk_position *position, struct nk_error *error);

/* Whether position_read has rejected the text `wrong` because the board has no such random position. */
bool position_is_missing(const char *wrong, const struct nk_error *error);

/* Returns why position_read has rejected the text `wrong`, as a message for people, which may be in `out`. */
enum { POSITION_ERROR = 500 };
const char *position_error(const struct nk_rules *rules, const char *wrong, const struct nk_error *error,
                           char out[POSITION_ERROR]);

/* Reads the value of --start, or the start of the game for NULL. Returns the exit status, after an error message unless
 * it is EXIT_SUCCESS. */
int position_read_start(struct nk_table *table, const char *text, struct nk_position *position,
                        enum nk_colour *to_move);

/* ---- of review.c, engine.c and match.c ---- */

/* Prints the review of a game. NK_E_RULES if it has another board than the table, NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY. */
enum nk_status review_print(struct nk_table *table, const struct nk_game *game, struct nk_error *error);

/* What a side did in a game. */
struct side_summary {
    int moves, mistakes, blunders, plies_lost;
    int chances; /* moves in positions that were not lost: only these can be mistakes */
};

/* The summary of many games (review_summary.c); all zero for none. It is cleared by review_summary_clear. */
struct review_summary {
    /* Games that have something in common, a player or how they begin, each with another name. */
    struct tallies {
        struct tally **list; /* [room], sorted by name until they are printed */
        size_t count, room;
    } players, openings;
    uint64_t games, unfinished, moves;
};

/* Adds a game, and what each side did in it. NK_E_MEMORY. */
enum nk_status review_summary_add(struct review_summary *summary, const struct nk_headers *headers,
                                  const struct nk_game *game, const struct side_summary sides[2],
                                  struct nk_error *error);
void review_summary_clear(const struct review_summary *summary);

/* Print the summary as text, or add it to a JSON object. `invalid` games could not be read. */
void review_summary_print(struct review_summary *summary, uint64_t invalid);
void review_summary_json(struct nk_json *json, struct review_summary *summary, uint64_t invalid);

/* The engine: reads commands of the protocol in docs/FORMATS.md from the file descriptor `in` and writes the answers to
 * `out`, flushing them after each command, until `quit` or the end of the input. The same seed and commands give the
 * same answers. NK_E_READ, NK_E_WRITE or NK_E_MEMORY, with the reason in *error (may be NULL); an error in a command is
 * an answer, not a failure. */
enum nk_status engine_run(struct nk_table *table, uint64_t seed, int in, FILE *out, struct nk_error *error);

/* Matches: many games between two opponents, in several threads. The result does not depend on their number. */

enum { SIDE_A, SIDE_B, SIDES };

struct match {
    struct nk_opponent opponents[SIDES]; /* not human; A is Black in games 0, 2, ..., B in the others */

    enum random_position start;  /* of each pair of games; RANDOM_NONE: one position for all */
    struct nk_position position; /* for RANDOM_NONE: a legal position that is not over */
    enum nk_colour to_move;      /* for RANDOM_NONE; otherwise Black moves first */
    struct nk_position *starts;  /* for RANDOM_FAIR: [start_count] legal positions that are not over */
    uint64_t start_count;        /* for RANDOM_FAIR: 1 or more */
    uint64_t seed;               /* the same seed gives the same games */
    uint32_t games;              /* 1 or more */
    int threads;                 /* 1 or more */
    int max_plies;               /* a longer game is stopped and counted as a draw; 1 or more */

    /* Called with each game when it has ended, unless it is NULL, by several threads at the same time. An error ends
     * the match. */
    enum nk_status (*finished)(void *context, uint32_t number, const struct nk_game *game,
                               struct nk_error *error);
    void *context;
};

struct score {
    uint64_t wins[SIDES];
    uint64_t draws;
    uint64_t plies;           /* the sum over all games */
    uint64_t mistakes[SIDES]; /* moves after which the result is one step worse, by nk_game_value */
    uint64_t blunders[SIDES]; /* moves that turn a win into a loss */
};

/* Plays all games, or until *stop is true: then those that are being played do not count. Random start positions are
 * legal and not over, each with the same probability. Reports to `progress` (may be NULL) every 0.1 to 0.2 s, as far
 * as games do not take longer. Adds the results to *score, which begins with zeros. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY, NK_E_POSITION if no start position is found, and the errors of match->finished; *score then has the
 * games that were reported to `progress`. */
enum nk_status match_play(struct nk_table *table, const struct match *match, const atomic_bool *stop,
                          const struct nk_progress_sink *progress, struct score *score,
                          struct nk_error *error);

/* The games that were played. */
static inline uint64_t score_games(const struct score *score)
{
    return score->wins[SIDE_A] + score->draws + score->wins[SIDE_B];
}

/* ---- archives and recorded games (archive.c) ---- */

/* Bytes of a game. Enough for a million moves, or for half a million with comments and variations; what is read as one
 * game takes up this much memory at most before it is rejected. */
enum { MAX_RECORD = 1 << 26 };

struct archive;

/* Opens a file, or standard input if the path is "-". NK_E_READ or NK_E_MEMORY. The caller frees the archive with
 * archive_close, which accepts NULL. One thread at a time may use it. */
enum nk_status archive_open(const char *path, const struct nk_rules *rules, struct archive **archive,
                            struct nk_error *error);
void archive_close(struct archive *archive);

/* Reads the next game: sets *headers, *game and, unless it is NULL, *tree, which the caller frees with nk_game_free and
 * nk_tree_free; *game is NULL after the last game; a file with nothing but blanks and comments has none. An error
 * begins with the name of the file. After NK_E_RULES for another board, NK_E_SYNTAX, NK_E_POSITION or NK_E_MOVE in the
 * record of a game, or NK_E_MEMORY for a game, the next call reads the next game. After NK_E_READ, NK_E_MEMORY for the
 * text, or NK_E_SYNTAX with nk_error.at 0 for a game of more than MAX_RECORD bytes, the next call finds no more
 * games. */
enum nk_status archive_next(struct archive *archive, struct nk_headers *headers, struct nk_game **game,
                            struct nk_tree **tree, struct nk_error *error);

/* Why there is no game with this number, from 1, among so many: "there is no game", or "there is no game 3, only 2
 * games". */
struct nk_text archive_no_game(uint64_t number, uint64_t count);

/* Whether a tree has more than the moves of its game. */
bool tree_has_more(const struct nk_tree *tree);

/* Reads the game of a file with this number, from 1, or 0 for the only one. Sets *headers, *has_more as tree_has_more
 * says, and *game, which the caller frees with nk_game_free. NK_E_READ, NK_E_MEMORY; NK_E_RULES if the game has another
 * board; NK_E_SYNTAX if there are fewer games or, for 0, several; NK_E_SYNTAX, NK_E_POSITION or NK_E_MOVE for an
 * invalid record. An error begins with the name of the file. */
enum nk_status archive_single(const char *path, const struct nk_rules *rules, uint64_t number,
                              struct nk_headers *headers, struct nk_game **game, bool *has_more,
                              struct nk_error *error);

/* Sets the header with the date of a game, which stays as it is if the system does not know today's. */
void set_date_to_today(char date[NK_HEADER_TEXT]);

/* The games that are recorded in the user's state directory, each in a file of its own. */

/* The directory: neutreeko/games in $XDG_STATE_HOME or, without it, in ~/.local/state. It need not exist. The caller
 * frees it. NULL with errno 0 if it is unknown, because HOME is not set, or with ENOMEM if memory runs out. */
char *recorded_games_directory(void);

/* Creates the directory if necessary. Sets *path to the name of a file for a new game, which differs from those of all
 * other games and programs. The caller frees it. NK_E_UNSUPPORTED if the directory is unknown, NK_E_WRITE,
 * NK_E_MEMORY. */
enum nk_status recorded_games_new_path(char **path, struct nk_error *error);

/* Of the files that are accepted, the one that was written last. The caller frees it. NULL if there is none. */
char *recorded_games_latest(bool (*accepts)(const char *path, const void *context), const void *context);

#endif
