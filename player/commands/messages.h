/* What neutreeko play says. */
#ifndef NK_SPEECH_H
#define NK_SPEECH_H

#include "player/commands/session.h"

enum { SENTENCE = 512 };

/* Prints a sentence and ends its line. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/* The same to standard error, for what was wrong with something a person asked for. */
__attribute__((format(printf, 1, 2))) void object(const char *format, ...);

/* Complains that the session cannot go on; returns FAIL. */
enum outcome say_failure(const char *why);

void say_welcome(const struct session *session);
void say_rules(const struct session *session);
void say_players(const struct session *session);
void say_board(const struct session *session);

/* Says how the game has ended, and what can be done next. */
void say_end(const struct session *session);

/* For learners: what the position is worth and how many moves keep that. */
enum outcome say_outlook(const struct session *session);

/* For learners: what a move that has been played has given away. `options` are those it was chosen from. */
void say_judgement(const struct session *session, struct nk_move move, const struct nk_option options[],
                   int count);

#endif
