/* neutreeko play: the turns of a game, with people or between programs. */
#ifndef NK_PLAY_SESSION_H
#define NK_PLAY_SESSION_H

#include "player/play/session.h"

/* Plays with people at the terminal or through a pipe until they leave; without people, plays one game to its end.
 * Returns the exit status. */
int play_session(const struct play_settings *settings);

#endif
