/* What an interrupted analysis goes on from: a directory with one file for each slice of the matrix of codes
 * and a file `state` that says which of them count. `state` is replaced last, so at any moment the directory
 * holds the last whole checkpoint, or none.
 *
 * The ranks of a team share the directory; each reads and writes its own slices. Several threads may save or
 * load different slices at once; everything else is for one thread.
 */
#ifndef NK_CHECKPOINT_H
#define NK_CHECKPOINT_H

#include "common/table.h"

struct nk_checkpoint;

/* Opens a directory, made if it is not there, for the analysis of a board: so many slices of so many bytes.
 * `seconds` must pass between checkpoints. NK_E_CORRUPT when what it holds is damaged or from another board,
 * NK_E_READ, NK_E_WRITE (another process uses it), NK_E_MEMORY, each with words in *error (may be NULL). The
 * caller hands it to nk_checkpoint_close. */
enum nk_status nk_checkpoint_open(const char *directory, const struct nk_rules *rules, uint32_t slices,
                                  uint64_t slice_bytes, int seconds, struct nk_checkpoint **checkpoint,
                                  struct nk_error *error);
void nk_checkpoint_close(struct nk_checkpoint *checkpoint);

/* The ply after which it was saved, or -1: it holds nothing yet. *by_distance is then the positions decided
 * in 0 .. ply plies. */
int nk_checkpoint_ply(const struct nk_checkpoint *checkpoint, const uint64_t **by_distance);

/* Takes some of a slice's bytes, in order. False when they cannot be right. */
typedef bool nk_take(void *context, uint64_t offset, const uint8_t *bytes, size_t length);

/* Loads a slice. NK_E_CORRUPT, NK_E_READ, NK_E_MEMORY. */
enum nk_status nk_checkpoint_load(const struct nk_checkpoint *checkpoint, uint32_t slice, nk_take *take,
                                  void *context, struct nk_error *error);

/* Whether it is time for the next one. */
bool nk_checkpoint_due(const struct nk_checkpoint *checkpoint);

/* Provides some of a slice's bytes, asked for in order. */
typedef void nk_give(void *context, uint64_t offset, uint8_t *bytes, size_t length);

/* Saves a slice as it is after `ply`, beside the last checkpoint. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_checkpoint_save(struct nk_checkpoint *checkpoint, int ply, uint32_t slice, nk_give *give,
                                  void *context, struct nk_error *error);

/* To be called by all ranks after their slices, with what came of them. If all were saved they become the
 * checkpoint and the former one goes; if not, the former one stays. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_checkpoint_commit(struct nk_checkpoint *checkpoint, int ply, const uint64_t *by_distance,
                                    enum nk_status saved, struct nk_error *error);

/* For the end of the analysis: takes out of the directory what was put there, and removes the directory if a
 * run made it and it is empty now. */
void nk_checkpoint_remove(struct nk_checkpoint *checkpoint);

#endif
