/* The command 'hint' of neutreeko play. */
#ifndef NK_HINT_H
#define NK_HINT_H

#include "player/play/session.h"

/* Gives the next hint for a position: which piece to move, which move to play, why, and then all moves. With the
 * argument 'all', lists the moves at once. */
enum outcome do_hint(struct session *session);

#endif
