/* Errors of the verifier, and the first one that a thread has found. */
#ifndef NK_VERIFY_ERRORS_H
#define NK_VERIFY_ERRORS_H

#include "common/game/index.h"

/* Records in *error (may be NULL) that the value of an entry is wrong, with its position and the reason. Returns
 * NK_E_CORRUPT. */
enum nk_status nk_verify_disagree(const struct nk_index *index, uint64_t entry, const char *why,
                                  struct nk_error *error);

/* The failure at the lowest entry, so that it does not depend on how the work is divided among threads. */
struct nk_first_failure {
    /* With a disagreement, or the first of a row that could not be read or stored; NK_NO_FAILURE. */
    uint64_t entry;
    struct nk_error error;
};
#define NK_NO_FAILURE UINT64_MAX

/* Record a failure, or that the value of an entry is wrong, unless there is a failure at a lower entry. */
void nk_first_failure_record(struct nk_first_failure *first, uint64_t entry, const struct nk_error *error);
void nk_first_failure_disagree(struct nk_first_failure *first, const struct nk_index *index, uint64_t entry,
                               const char *why);

#endif
