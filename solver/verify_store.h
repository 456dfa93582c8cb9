/* What a verification has found out so far (verify.c): rows of bytes, each compressed, in memory or in a directory from
 * which a later run resumes. The directory has two files: `verify-rows`, which only grows, and `verify-state`, which
 * lists the complete rows and is replaced last. So it always holds the last complete state, or none. */
#ifndef NK_VERIFY_STORE_H
#define NK_VERIFY_STORE_H

#include "common/table.h"

enum { NK_VERIFY_COUNTS = 512 };

/* How far a verification is. */
struct nk_verify_state {
    uint32_t phase;
    uint32_t rows;                     /* complete in this phase: those below this number */
    uint64_t counts[NK_VERIFY_COUNTS]; /* in those of the first phase */
};

struct nk_verify_store;

/* Creates a store for the rows of a table, one for each orbit of its index. With `directory` (may be NULL), creates it
 * if it does not exist, locks it, and sets *state to what it holds; otherwise *state stays. Without, `is_packed` is
 * whether rows are compressed. `checksum` identifies the table. The caller frees the store with nk_verify_store_free.
 * Returns NK_E_CORRUPT if the directory holds the state of another table or is damaged, NK_E_WRITE if it cannot be
 * created or another process uses it, NK_E_READ, and NK_E_MEMORY. */
enum nk_status nk_verify_store_new(const struct nk_index *index, uint64_t checksum, const char *directory,
                                   bool is_packed, struct nk_verify_state *state,
                                   struct nk_verify_store **store, struct nk_error *error);
void nk_verify_store_free(struct nk_verify_store *store);

/* Stores a row of index->per_orbit bytes; reads one that has been stored. Several threads may do this for different
 * rows. NK_E_WRITE; NK_E_READ, NK_E_CORRUPT; NK_E_MEMORY. */
enum nk_status nk_verify_store_put(struct nk_verify_store *store, uint32_t row, const uint8_t *bytes,
                                   struct nk_error *error);
enum nk_status nk_verify_store_get(const struct nk_verify_store *store, uint32_t row, uint8_t *bytes,
                                   struct nk_error *error);

/* Saves the state, with the rows below state->rows, or all after the first phase. Does nothing without a directory.
 * NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_verify_store_save(struct nk_verify_store *store, const struct nk_verify_state *state,
                                    struct nk_error *error);

/* Removes the files, and the directory if a run has created it and nothing else is in it. */
void nk_verify_store_remove(struct nk_verify_store *store);

#endif
