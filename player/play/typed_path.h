/* The names of files that people type at a prompt. */
#ifndef NK_TYPED_PATH_H
#define NK_TYPED_PATH_H

#include "player/terminal/terminal.h"

/* Reads a name as a shell would: without the quotes around it, and with the home directory in place of a tilde that is
 * not between quotes. False if the result is too long. */
enum { TYPED_PATH = 2 * TERMINAL_LINE };
bool typed_path_read(const char *typed, char path[TYPED_PATH]);

/* Writes a name for a saved game that no file in the working directory has. */
enum { TYPED_PATH_PROPOSAL = 32 };
void typed_path_propose(char path[TYPED_PATH_PROPOSAL]);

/* Completes the last part of a path. Hidden files are offered if a period was typed. */
void typed_path_complete(const char *typed, struct terminal_words *found);

#endif
