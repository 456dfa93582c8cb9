/* A checkpoint of an analysis: a directory with a file for each slice of the matrix of codes, and a file `state` that
 * records which slice files are valid. `state` is replaced last, so the directory always holds the last complete
 * checkpoint, or none.
 *
 * The processes of an analysis share the directory; each reads and writes its own slices. Several threads may save or
 * load different slices at once; all other functions are for one thread.
 */
#ifndef NK_CHECKPOINT_H
#define NK_CHECKPOINT_H

#include "common/table.h"
#include "solver/slice_file.h"

struct nk_checkpoint;

/* Opens a directory, and creates it if it does not exist, for the analysis of a board with `slices` slices of
 * `slice_bytes` bytes each. At least `seconds` pass between checkpoints. Returns NK_E_CORRUPT if its contents are
 * damaged or belong to another board, NK_E_READ, NK_E_WRITE (also if another run uses it), or NK_E_MEMORY, with a
 * message in *error (may be NULL). The caller closes the checkpoint with nk_checkpoint_close, which accepts NULL. */
enum nk_status nk_checkpoint_open(const char *directory, const struct nk_rules *rules, uint32_t slices,
                                  uint64_t slice_bytes, int seconds, struct nk_checkpoint **checkpoint,
                                  struct nk_error *error);
void nk_checkpoint_close(struct nk_checkpoint *checkpoint);

/* Returns the ply after which the checkpoint was saved, with the positions decided in 0..ply plies in *by_distance,
 * valid until the next commit; -1 if the directory holds none. */
int nk_checkpoint_ply(const struct nk_checkpoint *checkpoint, const uint64_t **by_distance);

/* Loads a slice. Errors as nk_slice_file_read. */
enum nk_status nk_checkpoint_load(const struct nk_checkpoint *checkpoint, uint32_t slice, nk_consume *consume,
                                  void *context, struct nk_error *error);

/* Whether enough time has passed for the next checkpoint. */
bool nk_checkpoint_due(const struct nk_checkpoint *checkpoint);

/* Saves a slice as it is after `ply`, besides the last checkpoint. Errors as nk_slice_file_write. */
enum nk_status nk_checkpoint_save(struct nk_checkpoint *checkpoint, int ply, uint32_t slice,
                                  nk_produce *produce, void *context, struct nk_error *error);

/* Completes a checkpoint. All processes call it after saving their slices, with the first failure of that or NK_OK in
 * `saved`. If all slices were saved they become the checkpoint and the previous one is removed; otherwise the
 * previous one stays. by_distance[0..ply] as in nk_checkpoint_ply. Returns `saved` if it is a failure, then *error is
 * unchanged; otherwise NK_E_WRITE or NK_E_MEMORY, with a message in *error (may be NULL). */
enum nk_status nk_checkpoint_commit(struct nk_checkpoint *checkpoint, int ply, const uint64_t *by_distance,
                                    enum nk_status saved, struct nk_error *error);

/* Removes the files of the checkpoint after the analysis, and the directory if a run created it and it is empty. */
void nk_checkpoint_remove(struct nk_checkpoint *checkpoint);

#endif
