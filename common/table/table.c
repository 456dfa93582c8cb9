#include "common/table/table.h"

enum nk_status nk_table_fail(const struct nk_table *table, enum nk_status status, const char *reason,
                             struct nk_error *error)
{
    const char *name = table->source.name;
    return name ? nk_fail(error, status, 0, NK_PATH ": %s", NK_PATH_OF(name), reason)
                : nk_fail(error, status, 0, "%s", reason);
}

const struct nk_rules *nk_table_rules(const struct nk_table *table)
{
    return &table->index->rules;
}

const struct nk_index *nk_table_index(const struct nk_table *table)
{
    return table->index;
}

const struct nk_summary *nk_table_summary(const struct nk_table *table)
{
    return &table->summary;
}

uint64_t nk_table_codes_checksum(const struct nk_table *table)
{
    return table->codes_checksum;
}

bool nk_table_has_traps(const struct nk_table *table)
{
    return table->has_traps;
}
