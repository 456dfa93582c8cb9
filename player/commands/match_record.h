/* Writing the games of a match to a file. */
#ifndef NK_MATCH_RECORD_H
#define NK_MATCH_RECORD_H

#include "player/opponents/match.h"

struct match_record;

/* Creates the file, which gets its name in match_record_close, and sets match->finished. Errors as nk_writer_open. */
enum nk_status match_record_open(const char *path, struct nk_match *match, struct match_record **record,
                                 struct nk_error *error);

/* Ends the file and frees the record. `complete`: the match was played to its end or interrupted;
 * otherwise the old file, if there is one, stays as it is. NULL is allowed. Errors as nk_writer_close. */
enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error);

#endif
