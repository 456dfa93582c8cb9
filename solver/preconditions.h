/* What must hold before anything is computed: that the table can be written, and that memory and disk are sufficient.
 * All functions return NK_OK, or why not, with a message in *error. */
#ifndef NK_PRECONDITIONS_H
#define NK_PRECONDITIONS_H

#include "common/system/file.h"
#include "solver/settings.h"
#include "solver/solve.h"

/* Opens the writer of the output, if it can be written, as far as this shows now. NK_E_EXISTS if there is another file
 * than a table, or if it has the name of a file of the checkpoint; NK_E_UNSUPPORTED for --verify if it cannot be read
 * again; NK_E_WRITE, NK_E_READ, NK_E_MEMORY. */
enum nk_status nk_require_output(const struct nk_settings *settings, struct nk_writer **output,
                                 struct nk_error *error);

/* Plans with the layout that takes the least time and fits in memory. NK_E_MEMORY if none does. */
enum nk_status nk_require_memory(const struct nk_settings *settings, const struct nk_index *index,
                                 struct nk_plan *plan, struct nk_error *error);

/* Whether the directory has enough space for the rest of the losses and the sets. *bytes receives how much they need.
 * NK_E_WRITE if not. */
enum nk_status nk_require_disk(const struct nk_settings *settings, const struct nk_plan *plan,
                               const struct nk_losses *losses, uint64_t *bytes, struct nk_error *error);

/* " in each process" if there are several, otherwise nothing: what follows a number of bytes. */
const char *nk_in_each_process(const struct nk_settings *settings);

#endif
