/* Writing the games of matches to a file. */
#ifndef NK_MATCH_RECORD_H
#define NK_MATCH_RECORD_H

#include "player/matches.h"

struct match_record;

/* Creates the file, which gets its name in match_record_close, and sets the `finished` and the context of the
 * match. `force`: the file may be replaced. `event`: the header of the games, which must outlive the
 * record. NK_E_MEMORY, NK_E_WRITE, NK_E_EXISTS. */
enum nk_status match_record_open(const char *path, bool force, const char *event, struct nk_match *match,
                                 struct match_record **record, struct nk_error *error);

/* Ends the file and frees the record. `complete`: the match was played to their end or interrupted; otherwise the
 * old file, if there is one, stays as it is. NULL is allowed. NK_E_WRITE,
 * NK_E_MEMORY, NK_E_EXISTS if another program has created or changed the file meanwhile. */
enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error);

#endif
