/* neutreeko query --svg: a picture of a position with the values of its moves. */
#ifndef NK_QUERY_SVG_H
#define NK_QUERY_SVG_H

#include "common/system/file.h"
#include "player/commands/query.h"

/* Whether a file begins as an earlier picture does. */
bool query_svg_is_picture(const char *bytes, size_t length);

/* Writes the picture to a file, and closes or abandons it. Errors as nk_writer_close. */
enum nk_status query_svg_write(struct nk_writer *file, const struct nk_rules *rules,
                               const struct answer *answer, struct nk_error *error);

#endif
