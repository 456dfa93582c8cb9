/* The commands that people type at the prompt of neutreeko play. */
#ifndef NK_PLAY_COMMANDS_H
#define NK_PLAY_COMMANDS_H

#include "player/play/session.h"

/* Runs the command in a line that is not a move; prints an error message when there is none. */
enum after_turn play_commands_run(struct session *session, const char *line);

/* Runs the command that has been asked about, if the line is 'yes'. */
enum after_turn play_commands_confirm(struct session *session, const char *line);

/* Adds the commands that begin with what was typed. */
void play_commands_complete(const char *typed, struct terminal_words *found);

/* Prints the part of the help text that lists the commands. */
void play_commands_print(void);

#endif
