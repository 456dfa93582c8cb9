#include "solver/cluster/cluster.h"

static uint32_t first_slice(const struct nk_index *index, int process)
{
    return (uint32_t)((uint64_t)nk_slice_count(index) * (uint64_t)process / (uint64_t)nk_cluster_size());
}

struct nk_slice_range nk_cluster_range_of(const struct nk_index *index, int process)
{
    const uint32_t first = first_slice(index, process), end = first_slice(index, process + 1);
    const uint32_t first_orbit = first * NK_SLICE_COLUMNS, orbits = (end - first) * NK_SLICE_COLUMNS;
    const uint32_t left = index->orbit_count > first_orbit ? index->orbit_count - first_orbit : 0;
    return (struct nk_slice_range){first, end - first, first_orbit, orbits < left ? orbits : left};
}

struct nk_slice_range nk_cluster_range(const struct nk_index *index)
{
    return nk_cluster_range_of(index, nk_cluster_process());
}

struct nk_slice_range nk_cluster_largest_range(const struct nk_index *index)
{
    return nk_cluster_range_of(index, nk_cluster_size() - 1);
}

int nk_cluster_owner(const struct nk_index *index, uint32_t slice)
{
    int process = 0;
    while (first_slice(index, process + 1) <= slice)
        process++;
    return process;
}
