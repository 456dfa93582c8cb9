/* The checkpoint of an analysis: its losses and its state, from which another run can continue, in the files of a
 * directory. This is created if it does not exist, locked against other runs, and removed by the run
 * that created it if it is empty then.
 *
 * All processes share the directory. Each appends its own slices to a file of its own, and any process can read all of
 * them. Another file, the state, has the counts and the list of the sections. It is replaced atomically after the
 * sections have been flushed to the disk, so there is always the last complete state, or none. What a killed run
 * appended after it is overwritten. */
#ifndef NK_CHECKPOINT_H
#define NK_CHECKPOINT_H

#include "common/base/base.h"
#include "solver/analysis/losses.h"

#include <stdbool.h>

struct nk_checkpoint {
    struct nk_storage storage;        /* for nk_losses_new */
    const struct nk_cluster *cluster; /* or NULL */
    struct nk_losses *losses;         /* for which the storage is */
    int lock;             /* its file descriptor; -1 in the other processes of the run that has locked it */
    bool is_made;         /* whether this run has created the directory */
    int own_file;         /* with the rows of this process, or -1 */
    _Atomic uint64_t end; /* of this file */
};

/* Whether a checkpoint may write or remove a file of this name in its directory. */
bool nk_checkpoint_has_name(const char *name);

/* Opens the checkpoint in a directory, which is created if it does not exist; `path` must outlive it. All processes
 * call it together, and then nk_losses_new with its storage, whose errors are NK_E_CORRUPT if the contents are damaged
 * or belong to another board, NK_E_READ, NK_E_WRITE and NK_E_MEMORY. NK_E_BUSY if another run uses the directory,
 * NK_E_READ, NK_E_WRITE, NK_E_MEMORY, with a message in *error (may be NULL). The caller closes the checkpoint with
 * nk_checkpoint_close, which accepts NULL. */
enum nk_status nk_checkpoint_open(const char *path, const struct nk_cluster *cluster,
                                  struct nk_checkpoint **checkpoint, struct nk_error *error);
void nk_checkpoint_close(struct nk_checkpoint *checkpoint);

/* Removes the files of the checkpoint, in the first process. */
void nk_checkpoint_remove(struct nk_checkpoint *checkpoint);

#endif
