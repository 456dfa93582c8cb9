/* JSON on standard output, one object a line. For the programs alone: a library does not print. */
#ifndef NK_JSON_STDOUT_H
#define NK_JSON_STDOUT_H

#include "json_writer.h"

/* Begins an object. There is one writer: end an object before the next one begins. */
struct nk_json *nk_json_begin_line(void);

/* Ends the object and its line. What cannot be written shows in ferror(stdout), as with printf. */
void nk_json_end_line(struct nk_json *json);

#endif
