/* This process is the only one. */
#include "solver/cluster/cluster.h"

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
