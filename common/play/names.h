/* What other languages have to know about this library. */
#ifndef NK_NAMES_H
#define NK_NAMES_H

#include "common/base/json_writer.h"

/* Adds the members of the object of nk_names, which docs/schema/names.json describes, to an object. */
void nk_json_names(struct nk_json *json);

#endif
