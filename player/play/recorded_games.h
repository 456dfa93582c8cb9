/* The games that are recorded in the user's state directory, each in a file of its own. */
#ifndef NK_RECORDED_GAMES_H
#define NK_RECORDED_GAMES_H

#include "include/neutreeko.h"

/* The directory: neutreeko/games in $XDG_STATE_HOME or, without it, in ~/.local/state. It need not exist. The caller
 * frees it. NULL if it is unknown, because HOME is not set, or if memory runs out. */
char *recorded_games_directory(void);

/* Creates the directory if necessary. Sets *path to the name of a file for a new game, which differs from those of all
 * other games and programs. The caller frees it. NK_E_UNSUPPORTED if the directory is unknown, NK_E_WRITE,
 * NK_E_MEMORY. */
enum nk_status recorded_games_new_path(char **path, struct nk_error *error);

/* Of the files that are accepted, the one that was written last. The caller frees it. NULL if there is none. */
char *recorded_games_latest(bool (*accepts)(const char *path, const void *context), const void *context);

#endif
