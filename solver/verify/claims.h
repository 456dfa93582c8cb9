/* What a table claims besides the values of its positions: the counts in its header. Also what the verifier reports.
 * For verify.c. */
#ifndef NK_VERIFY_CLAIMS_H
#define NK_VERIFY_CLAIMS_H

#include "common/table/lookup.h"

/* Compares the counts in a header with those of the codes. Opening a table has already checked the number of
 * placements. NK_E_CORRUPT. */
enum nk_status nk_verify_counts(const struct nk_summary *header, const struct nk_summary *found,
                                struct nk_error *error);

/* Record that the value of an entry is wrong: NK_E_CORRUPT; that memory ran out: NK_E_MEMORY. */
enum nk_status nk_verify_disagree(const struct nk_index *index, uint64_t entry, const char *why,
                                  struct nk_error *error);
enum nk_status nk_verify_no_memory(struct nk_error *error);

#endif
