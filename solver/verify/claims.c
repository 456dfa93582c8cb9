#include "solver/verify/claims.h"

#include "solver/plan.h"
#include "solver/analysis/trap.h"

#include <stdlib.h>
#include <xxhash.h>

enum nk_status nk_verify_no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the verification");
}

enum nk_status nk_verify_disagree(const struct nk_index *index, uint64_t entry, const char *why,
                                  struct nk_error *error)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(&index->rules, nk_index_position(index, entry), NK_BLACK, text);
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s", text, why);
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

/* Compares the trap values of a table with those that follow from its codes, which have been added. */
static enum nk_status compare_traps(struct nk_table *table, struct nk_traps *traps, int threads,
                                    struct nk_error *error)
{
    uint8_t *expected;
    if (nk_traps_compute(traps, threads, NULL, &expected))
        return nk_verify_no_memory(error);
    if (!expected)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       "the table is wrong: it has trap values, but the board has none");
    const uint32_t count = nk_traps_count(traps);
    uint8_t *values = malloc(count);
    enum nk_status status = values ? nk_table_traps(table, values, error) : nk_verify_no_memory(error);
    uint32_t draw = 0;
    while (!status && draw < count && values[draw] == expected[draw])
        draw++;
    if (!status && draw < count)
        status = nk_verify_disagree(nk_table_index(table), nk_traps_entry(traps, draw),
                                    "the trap value does not follow from the table", error);
    free(values);
    free(expected);
    return status;
}

uint64_t nk_verify_codes_memory(struct nk_table *table, int threads)
{
    const struct nk_index *index = nk_table_index(table);
    /* The header counts the positions of an entry separately. */
    const double positions = (double)nk_table_summary(table)->draws;
    const uint64_t draws = (uint64_t)(positions * (double)index->entries / (double)index->placements);
    return index->per_orbit + (nk_table_has_traps(table) ? draws + nk_plan_traps(index, draws, threads) : 0);
}

enum nk_status nk_verify_codes(struct nk_table *table, int threads, struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    const uint32_t count = index->per_orbit;
    const bool has_traps = nk_table_has_traps(table);
    struct nk_traps *traps = NULL;
    uint8_t *row = malloc(count);
    XXH3_state_t *hash = XXH3_createState();
    enum nk_status status = NK_OK;
    if (!row || !hash || (has_traps && nk_traps_new(index, &traps)))
        status = nk_verify_no_memory(error);
    else
        (void)XXH3_64bits_reset(hash);
    for (uint64_t entry = 0; !status && entry < index->entries; entry += count)
        if (!(status = nk_table_codes(table, entry, count, row, error))) {
            (void)XXH3_64bits_update(hash, row, count);
            nk_traps_add(traps, row, count);
        }
    if (!status && XXH3_64bits_digest(hash) != nk_table_codes_checksum(table))
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not agree");
    if (!status && has_traps)
        status = compare_traps(table, traps, threads, error);
    free(row);
    (void)XXH3_freeState(hash);
    nk_traps_free(traps);
    return status;
}
