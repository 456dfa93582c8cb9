/* What the commands share: their options, the table, error messages, JSON, and parts of the help text. */
#ifndef NK_COMMANDS_COMMON_H
#define NK_COMMANDS_COMMON_H

#include "common/play/describe.h"
#include "common/play/opponents.h"
#include "common/program/json_stdout.h"
#include "common/program/options.h"
#include "common/program/progress.h"
#include "common/program/report.h"
#include "common/table/lookup.h"
#include "player/terminal/display.h"

/* A command of neutreeko. main parses its options, opens the table, and runs it. */
struct command {
    struct nk_command_line line;

    /* Checks the usage before the table is opened; NULL if the options alone are enough. Returns the exit status. */
    int (*check)(int argc, char **argv);

    /* Runs the command with its operands. Returns the exit status. */
    int (*run)(struct nk_table *table, int argc, char **argv);

    /* Whether it reads standard input with these operands; NULL if it never does. */
    bool (*reads_input)(int argc, char **argv);

    bool without_table; /* the table is not opened: run gets NULL */
};

extern const struct command play_command, query_command, review_command, puzzle_command, match_command,
    engine_command, export_command;

/* The running command, such as "neutreeko query": its error messages begin with it. */
extern const char *command_name;

/* The values of options that have the same meaning in every command. */
extern struct common_options {
    const char *table;
    uint64_t seed;        /* before parsing: one that differs from run to run */
    bool has_random_seed; /* none was given */
    bool json;
    int color;       /* the index of a word of --color */
    int board_style; /* the index of a word of --board-style, or negative */
} common_options;

/* Headings of groups of options, in this order. */
#define GAME_OPTIONS NK_HEADING("Game options")
#define OUTPUT_OPTIONS NK_HEADING("Output options")
#define GENERAL_OPTIONS NK_HEADING("General options")

#define SEED_OPTION                                                                    \
    NK_NUMBER("seed", "N", "Set the random seed; the same seed gives the same output", \
              "a different one each time", &common_options.seed, 0, UINT64_MAX)
#define JSON_OPTION(about) NK_FLAG("json", about, &common_options.json)
#define TABLE_OPTION                                                                   \
    NK_TEXT("table", "FILE", "Read the table from FILE, or from standard input for -", \
            "the file where neutreeko-solve writes it, or solve the game", &common_options.table)
#define COLOR_OPTION                                                                                 \
    NK_OPTION(.name = "color", .argument = "auto|always|never",                                      \
              .help = "Use colours: auto where the output is a terminal, unless NO_COLOR is set or " \
                      "TERM is dumb",                                                                \
              .choice = &common_options.color)

#define BOARD_STYLE_OPTION                                                                                \
    NK_OPTION(.name = "board-style", .argument = "ascii|unicode",                                         \
              .help =                                                                                     \
                  "Draw pieces as letters, b and w, or as circles, filled for Black and empty for White", \
              .fallback = "unicode where a terminal and its locale can show it",                          \
              .choice = &common_options.board_style)

/* Whether standard output is to have colours. */
bool use_colour(void);

/* How boards are to be shown on standard output. */
struct nk_board_view board_view(void);

/* The text that nk_value_text returns, in colour if standard output has colours. */
struct nk_text painted_value(struct nk_value value);

/* Whether one of the operands is "-", for standard input. */
bool names_input(int argc, char **argv);

/* The file that --table names or, without it, the one in the default place if there is one; otherwise NULL: then the
 * game is solved. The caller frees it. Returns false if memory runs out. */
bool table_file(char **path);

/* Opens the table of table_file, or solves the game. Returns the exit status, after an error message unless it is
 * EXIT_SUCCESS. */
int open_table(struct nk_table **table);

/* Reports an error to standard error, after what has been printed, and what to do if the table in the default place is
 * its cause. */
void report_error(const struct nk_error *error);

/* Reports that memory has run out, as report_error does. */
void report_no_memory(void);

/* Prepares showing the progress of a stage, on a terminal only. */
void begin_progress(struct nk_progress *progress, const char *stage);

/* The description of a kind of opponents, after the bounds of the number, which the completions of the shells read in
 * help texts: "(1 to 20) searches N plies". That of another name begins with what it is the same as. Returns `text`. */
enum { OPPONENT_ABOUT = 120 };
const char *opponent_about(const struct nk_opponent_description *kind, char text[OPPONENT_ABOUT]);

/* Prints the part of a help text that lists the opponents, under a title. `people`: include human players. */
void print_opponents(const char *title, bool people);

/* Prints the random seed, if none was given, so that the run can be repeated. */
void print_seed(void);

/* Adds "seed", the random seed, with which a run can be repeated. */
void json_add_seed(struct nk_json *json);

#endif
