#include "solver/verify_claims.h"

#include "solver/plan.h"
#include "solver/trap.h"

#include <stdlib.h>

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

/* Compares the trap values of a table with those that follow from its codes. */
static enum nk_status compare_values(struct nk_table *table, const struct nk_traps *traps,
                                     const uint8_t *expected, struct nk_error *error)
{
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
    return status;
}

uint64_t nk_verify_traps_memory(struct nk_table *table, int threads)
{
    const struct nk_index *index = nk_table_index(table);
    if (!nk_table_has_traps(table))
        return 0;
    /* The header counts the positions of an entry separately. */
    const double positions = (double)nk_table_summary(table)->draws;
    const uint64_t draws = (uint64_t)(positions * (double)index->entries / (double)index->placements);
    return index->per_orbit + draws + nk_plan_traps(index, draws, threads);
}

enum nk_status nk_verify_traps(struct nk_table *table, int threads, struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    struct nk_traps *traps = NULL;
    uint8_t *expected = NULL;
    if (!nk_table_has_traps(table))
        return NK_OK;
    uint8_t *row = malloc(index->per_orbit);
    enum nk_status status = row && !nk_traps_new(index, &traps) ? NK_OK : nk_verify_no_memory(error);
    for (uint64_t entry = 0; !status && entry < index->entries; entry += index->per_orbit)
        if (!(status = nk_table_codes(table, entry, index->per_orbit, row, error)))
            nk_traps_add(traps, row, index->per_orbit);
    if (!status && nk_traps_compute(traps, threads, NULL, &expected))
        status = nk_verify_no_memory(error);
    if (!status)
        status = expected ? compare_values(table, traps, expected, error)
                          : nk_fail(error, NK_E_CORRUPT, 0,
                                    "the table is wrong: it has trap values, but the board has none");
    free(row);
    free(expected);
    nk_traps_free(traps);
    return status;
}
