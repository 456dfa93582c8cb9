/* The commands of neutreeko and what they share. Each command parses its own options and returns the exit
 * status. */
#ifndef NK_COMMANDS_H
#define NK_COMMANDS_H

#include "common/table.h"

enum { EXIT_USAGE = 2 };

int command_play(int argc, char **argv);
int command_query(int argc, char **argv);
int command_line(int argc, char **argv);
int command_puzzle(int argc, char **argv);
int command_match(int argc, char **argv);
int command_engine(int argc, char **argv);
int command_review(int argc, char **argv);

/* Prints to stderr where to find help on a command ("query", or NULL for all); returns EXIT_USAGE. */
int usage_error(const char *command);

/* Prints a help or version text to stdout; returns the exit status. */
int print_text(const char *text);

/* Opens the table a command works with: `path` (from --table) or, when that is NULL, the first that exists of
 * those in locate.h. Prints a complaint of `command` and returns false when there is none or it is damaged.
 */
bool open_table(const char *command, const char *path, struct nk_table **table);

/* Flushes stdout; complains (once) and returns false when something printed did not reach its place.
 * `command` may be NULL. */
bool flush_output(const char *command);

/* Prints an error of the library to stderr, and what to do about a damaged table. */
void report_error(const char *command, const struct nk_error *error);

/* Tells on stderr why a text is no position of the board. */
void refuse_position(const char *command, const struct nk_rules *rules, const char *text,
                     const struct nk_error *error);

/* Writes what somebody typed so that it can be shown: cut short, and what does not print as a question mark.
 * Returns out. */
enum { QUOTED_TEXT = 80 };
const char *quoted(const char *text, char out[QUOTED_TEXT]);

#endif
