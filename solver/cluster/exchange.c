#include "solver/cluster/exchange.h"

#include "solver/cluster/comm.h"

#include <string.h>

uint32_t nk_slice_count(const struct nk_index *index)
{
    return (index->orbit_count + NK_LANES - 1) / NK_LANES;
}

static uint32_t first_slice(const struct nk_index *index, int rank)
{
    return (uint32_t)((uint64_t)nk_slice_count(index) * (uint64_t)rank / (uint64_t)nk_comm_size());
}

struct nk_share nk_share_of(const struct nk_index *index, int rank)
{
    const uint32_t first = first_slice(index, rank), end = first_slice(index, rank + 1);
    const uint32_t first_orbit = first * NK_LANES, orbits = (end - first) * NK_LANES;
    const uint32_t left = index->orbit_count > first_orbit ? index->orbit_count - first_orbit : 0;
    return (struct nk_share){first, end - first, first_orbit, orbits < left ? orbits : left};
}

struct nk_share nk_largest_share(const struct nk_index *index)
{
    return nk_share_of(index, nk_comm_size() - 1);
}

/* Whether image g of an orbit's canonical configuration is not among the images before it. */
static bool is_new_image(const struct nk_orbit *orbit, int g)
{
    for (int before = 0; before < g; before++)
        if (orbit->images[before] == orbit->images[g])
            return false;
    return true;
}

static void sort_rows(const struct nk_index *index, struct nk_exchange *exchange)
{
    uint32_t filled = 0;
    for (int r = 0; r < nk_comm_size(); r++) {
        const struct nk_share share = nk_share_of(index, r);
        exchange->first_row[r] = filled;
        for (uint32_t c = 0; c < share.orbits; c++) {
            const struct nk_orbit *orbit = &index->orbits[share.first_orbit + c];
            for (int g = 0; g < index->rules.symmetries; g++)
                if (is_new_image(orbit, g)) {
                    exchange->local_row[orbit->images[g]] = filled - exchange->first_row[r];
                    exchange->row_order[filled++] = orbit->images[g];
                }
        }
    }
    exchange->first_row[nk_comm_size()] = filled;
}

void nk_exchange_init(const struct nk_index *index, struct nk_exchange *exchange, struct nk_memory *memory)
{
    const uint64_t all = index->configurations, size = (uint64_t)nk_comm_size();
    /* Every process sends as many rows as this one owns: a fair share of the configurations, and at most a slice of full
     * orbits more. */
    const uint64_t in = all + size * NK_LANES * NK_SYMMETRIES;
    memset(exchange, 0, sizeof *exchange);
    exchange->index = index;
    exchange->row_order = nk_memory_get(memory, all, sizeof *exchange->row_order);
    exchange->first_row = nk_memory_get(memory, size + 1, sizeof *exchange->first_row);
    exchange->local_row = nk_memory_get(memory, all, sizeof *exchange->local_row);
    exchange->sources = nk_memory_get(memory, size, sizeof *exchange->sources);
    exchange->counts = nk_memory_get(memory, 8 * size, sizeof *exchange->counts);
    exchange->masks_out = nk_memory_get(memory, all, 1);
    exchange->words_out = nk_memory_get(memory, all, sizeof(nk_lanes));
    exchange->masks_in = nk_memory_get(memory, in, 1);
    exchange->words_in = nk_memory_get(memory, in, sizeof(nk_lanes));
    exchange->rows = nk_memory_get(memory, in, sizeof(nk_lanes));
    if (nk_memory_is_ready(memory))
        sort_rows(index, exchange);
}

/* Fills masks_out and words_out in the order of row_order. counts[r] receives the number of words for process r. */
static void pack(struct nk_exchange *exchange, const nk_lanes *rows, const uint8_t *nonempty, int *counts)
{
    uint64_t *word = exchange->words_out;
    for (int r = 0; r < nk_comm_size(); r++) {
        const uint64_t *begin = word;
        for (uint32_t i = exchange->first_row[r]; i < exchange->first_row[r + 1]; i++) {
            const uint32_t row = exchange->row_order[i];
            uint8_t mask = 0;
            if (nonempty[row])
                for (int w = 0; w < NK_LANE_WORDS; w++) {
                    mask |= (uint8_t)((rows[row].word[w] != 0) << w);
                    *word = rows[row].word[w]; /* overwritten by the next word if it is zero */
                    word += *word != 0;
                }
            exchange->masks_out[i] = mask;
        }
        counts[r] = (int)(word - begin);
    }
}

/* The inverse of `pack`: restores the rows that are not empty. */
static void unpack(struct nk_exchange *exchange, uint64_t rows)
{
    const uint64_t *word = exchange->words_in;
    for (uint64_t i = 0; i < rows; i++)
        if (exchange->masks_in[i])
            for (int w = 0; w < NK_LANE_WORDS; w++)
                exchange->rows[i].word[w] = exchange->masks_in[i] >> w & 1 ? *word++ : 0;
}

int nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const nk_lanes *rows,
                      const uint8_t *nonempty)
{
    const int size = nk_comm_size(), rank = nk_comm_rank();
    const uint32_t own = exchange->first_row[rank + 1] - exchange->first_row[rank];
    const size_t step = 2 * (size_t)size;
    int *rows_out = exchange->counts, *rows_in = rows_out + step;
    int *words_out = rows_in + step, *words_in = words_out + step;
    int sources = 0;

    memset(words_out, 0, (size_t)size * sizeof *words_out);
    if (rows)
        pack(exchange, rows, nonempty, words_out);
    for (int r = 0; r < size; r++) {
        rows_out[r] = rows ? (int)(exchange->first_row[r + 1] - exchange->first_row[r]) : 0;
        rows_in[r] = round < nk_share_of(exchange->index, r).slices ? (int)own : 0;
        exchange->sent += r == rank ? 0 : (uint64_t)rows_out[r] + 8 * (uint64_t)words_out[r];
    }
    nk_comm_alltoall(1, exchange->masks_out, rows_out, exchange->masks_in, rows_in);

    uint64_t received = 0; /* rows */
    for (int r = 0; r < size; r++) {
        words_in[r] = 0;
        for (const uint64_t end = received + (uint64_t)rows_in[r]; received < end; received++)
            words_in[r] += __builtin_popcount(exchange->masks_in[received]);
    }
    nk_comm_alltoall(sizeof(uint64_t), exchange->words_out, words_out, exchange->words_in, words_in);
    unpack(exchange, received);

    received = 0;
    for (int r = 0; r < size; r++) {
        if (rows_in[r])
            exchange->sources[sources++] =
                (struct nk_source){nk_share_of(exchange->index, r).first_slice + round,
                                   exchange->rows + received, exchange->masks_in + received};
        received += (uint64_t)rows_in[r];
    }
    return sources;
}
