/* What several commands share: the table, error messages, options and parts of the help text. `program` is the name
 * that an error message begins with, such as "neutreeko query". */
#ifndef NK_COMMANDS_COMMON_H
#define NK_COMMANDS_COMMON_H

#include "common/options.h"
#include "common/table.h"

/* Options that have the same meaning in every command. */
#define RANDOM_SEED "a different one each time"
#define SEED_OPTION(seed, standard)                                                                       \
    NK_NUMBER("seed", "N", "Set the random seed; the same seed gives the same output", standard, seed, 0, \
              UINT64_MAX)
#define TABLE_OPTION(path) NK_TEXT("table", "FILE", "Read the table from FILE", NULL, path)
#define NO_COLOR_OPTION(off) NK_FLAG("no-color", "Use no colours, even when the output is a terminal", off)

/* A seed that differs from run to run. */
uint64_t random_seed(void);

/* Opens the table that a command works with: `path` (from --table) or, when that is NULL, the first that exists of
 * those in table_path.h. A command opens one table. Returns false after an error message. */
bool open_table(const char *program, const char *path, struct nk_table **table);

/* Prints an error of the library and, where the table is the cause, how to get a good one. Returns false. */
bool report_error(const char *program, const struct nk_error *error);

/* Writes why a text is not a legal position. Returns out. */
enum { POSITION_ERROR = 500 };
const char *format_position_error(const struct nk_rules *rules, const char *text,
                                  const struct nk_error *error, char out[POSITION_ERROR]);

/* Reads a position. When `text` is NULL, the position is the start of the board, with Black to move. Returns the exit
 * status, after an error message unless it is EXIT_SUCCESS. */
int read_position(const char *program, const struct nk_rules *rules, const char *text,
                  struct nk_position *position, enum nk_colour *to_move);

/* Prints the part of a help text that lists the opponents, under a title. `people`: include human players. */
void print_opponents(const char *title, bool people);

#endif
