/* The names of files that people type at a prompt. */
#ifndef NK_TYPED_PATH_H
#define NK_TYPED_PATH_H

#include "player/terminal/terminal.h"

/* Reads a name as a shell would: without the quotes around it, and with the home directory in place of a tilde that is
 * not between quotes. False if the result is too long. */
enum { PROMPT_PATH = 2 * TERMINAL_LINE };
bool prompt_path_read(const char *typed, char path[PROMPT_PATH]);

/* Writes a name for a saved game that no file in the working directory has. */
enum { PROMPT_PROPOSAL = 32 };
void prompt_path_propose(char path[PROMPT_PROPOSAL]);

/* Completes the last part of a path. Hidden files are offered if a period was typed. */
void prompt_path_complete(const char *typed, struct terminal_words *found);

#endif
