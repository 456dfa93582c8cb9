/* This process is the only one: it has all slices, and nothing is copied. */
#include "solver/cluster/cluster.h"
#include "solver/cluster/exchange.h"

void nk_cluster_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void nk_cluster_end(void) {}

void nk_cluster_abort(int status)
{
    (void)status;
}

int nk_cluster_process(void)
{
    return 0;
}

int nk_cluster_size(void)
{
    return 1;
}

int nk_cluster_local_size(void)
{
    return 1;
}

void nk_cluster_sum(uint64_t *values, size_t count)
{
    (void)values;
    (void)count;
}

uint64_t nk_cluster_min(uint64_t value)
{
    return value;
}

void nk_cluster_gather(int from, uint8_t *bytes, size_t length)
{
    (void)from;
    (void)bytes;
    (void)length;
}

/* ---- the exchange ---- */

void nk_exchange_list(const struct nk_index *index, struct nk_exchange *exchange, struct nk_memory *memory)
{
    (void)memory;
    *exchange = (struct nk_exchange){.index = index};
}

void nk_exchange_fill(struct nk_exchange *exchange)
{
    (void)exchange;
}

uint32_t nk_exchange_rounds(const struct nk_index *index)
{
    (void)index;
    return 1;
}

void nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const struct nk_source *own)
{
    (void)round;
    exchange->sources = own;
    exchange->source_count = nk_slice_count(exchange->index);
}
