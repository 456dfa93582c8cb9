#include "solver/verify/errors.h"

enum nk_status nk_verify_disagree(const struct nk_index *index, uint64_t entry, const char *why,
                                  struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s",
                   nk_position_text(&index->rules, nk_index_position(index, entry), NK_BLACK).s, why);
}

void nk_first_failure_record(struct nk_first_failure *first, uint64_t entry, const struct nk_error *error)
{
    if (entry < first->entry)
        *first = (struct nk_first_failure){entry, *error};
}

void nk_first_failure_disagree(struct nk_first_failure *first, const struct nk_index *index, uint64_t entry,
                               const char *why)
{
    struct nk_error error;
    if (entry >= first->entry)
        return;
    (void)nk_verify_disagree(index, entry, why, &error);
    nk_first_failure_record(first, entry, &error);
}
