/* Writing the games of matches to a file. */
#ifndef NK_MATCH_RECORD_H
#define NK_MATCH_RECORD_H

#include "player/match.h"

struct match_record;

/* Creates the file, which gets its name in match_record_close, and sets the `finished` of all matches[count], which
 * have as many games each. `event`: the header of the games, which must outlive the record. Errors as
 * nk_writer_open. */
enum nk_status match_record_open(const char *path, const char *event, struct nk_match matches[],
                                 uint32_t count, struct match_record **record, struct nk_error *error);

/* Ends the file and frees the record. `complete`: the matches were played to their end or interrupted; otherwise the
 * old file, if there is one, stays as it is. NULL is allowed. Errors as nk_writer_close. */
enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error);

#endif
