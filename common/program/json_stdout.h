/* JSON on standard output, one object per line. Only programs use it: the library does not print. */
#ifndef NK_JSON_STDOUT_H
#define NK_JSON_STDOUT_H

#include "common/base/json_writer.h"
#include "common/game/rules.h"

/* The version of the formats, which docs/schema describes. It is incremented when a key is removed or changes its
 * meaning; any release may add keys. */
enum { NK_JSON_VERSION = 1 };

/* Begins an object, with "version". There is only one writer: end an object before beginning the next one. */
struct nk_json *nk_json_begin_line(void);

/* Ends the object and its line. What cannot be written shows in ferror(stdout), as with printf. */
void nk_json_end_line(struct nk_json *json);

/* Adds "board", "pieces", "row_length" and "win" to an object: "5x5", 3, 3, "line". */
void nk_json_board(struct nk_json *json, const struct nk_board *board);

/* Adds a finite number with 6 significant digits and at least one decimal or an exponent: 0.25, 3.0, 1.5e-07. */
void nk_json_real(struct nk_json *json, const char *key, double value);

#endif
