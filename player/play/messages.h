/* The messages of neutreeko play. */
#ifndef NK_MESSAGES_H
#define NK_MESSAGES_H

#include "player/play/session.h"

enum { SENTENCE = 512 };

/* Prints a sentence and ends its line. */
__attribute__((format(printf, 1, 2))) void print_sentence(const char *format, ...);

/* Prints a sentence for a line that cannot be carried out, to standard error. */
__attribute__((format(printf, 2, 3))) void reject_line(struct session *session, const char *format, ...);

/* Prints what can be typed at a terminal, with an example move that is neither good nor bad. */
void print_invitation(void);

void print_welcome(const struct session *session);
void print_rules(const struct session *session);
void print_players(const struct session *session);
void print_board(const struct session *session);

/* Prints how the game ended, and what can be done next. */
void print_end(const struct session *session);

/* Whether there are several moves, best first, which all lose in the same number of plies: none is to be advised. */
bool all_lose_equally(const struct nk_choice choices[], int count);

/* For --hints: prints the result of the position and how many moves keep it. */
enum after_turn print_evaluation(const struct session *session);

/* For --hints: prints a comment on a move that was played. `choices` are those it was chosen from. */
void print_comment(const struct session *session, struct nk_move move, const struct nk_choice choices[],
                   int count);

#endif
