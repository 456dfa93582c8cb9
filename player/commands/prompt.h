/* The words that people use at the prompt of neutreeko play. */
#ifndef NK_WORDS_H
#define NK_WORDS_H

#include "player/commands/session.h"

/* Does what a line asks that is no move; complains when it asks nothing. */
enum outcome words_take(struct session *session, const char *line);

/* Whether a word in small letters begins with the `length` characters that a person has typed. */
bool words_begin(const char *word, const char *begun, size_t length);

/* Adds the words that begin so. */
void words_complete(const char *begun, struct terminal_words *found);

#endif
