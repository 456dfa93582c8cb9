#include "solver/verify/claims.h"

enum nk_status nk_verify_no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the verification");
}

enum nk_status nk_verify_disagree(const struct nk_index *index, uint64_t entry, const char *why,
                                  struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s",
                   nk_position_text(&index->rules, nk_index_position(index, entry), NK_BLACK).s, why);
}

enum nk_status nk_verify_counts(const struct nk_summary *header, const struct nk_summary *found,
                                struct nk_error *error)
{
    const struct {
        const char *name;
        uint64_t found, header;
    } counts[] = {
        {"legal positions", found->legal, header->legal},
        {"wins", found->wins, header->wins},
        {"losses", found->losses, header->losses},
        {"draws", found->draws, header->draws},
        {"draws without a move", found->stalemates, header->stalemates},
        {"plies at most", found->longest, header->longest},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].found != counts[i].header)
            return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %llu in its header, counted %llu",
                           counts[i].name, (unsigned long long)counts[i].header,
                           (unsigned long long)counts[i].found);
    return NK_OK;
}
