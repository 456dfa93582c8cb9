#include "solver/exchange.h"

#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

uint32_t nk_first_slice(uint32_t slices, int rank)
{
    return (uint32_t)((uint64_t)slices * (uint64_t)rank / (uint64_t)nk_comm_size());
}

uint64_t nk_exchange_memory(uint64_t configurations, int ranks)
{
    /* Member and seat, masks, then words out and in and the rows they make. What comes in may be a orbit's
     * configurations more than a fair share from every rank. */
    const uint64_t in = configurations + (uint64_t)ranks * NK_LANES * NK_SYMMETRIES;
    return ranks == 1 ? 0 : configurations * (8 + 1 + sizeof(nk_lanes)) + in * (1 + 2 * sizeof(nk_lanes));
}

static void seat_all(const struct nk_index *index, struct nk_exchange *exchange)
{
    uint32_t filled = 0;
    for (int r = 0; r < nk_comm_size(); r++) {
        const uint32_t end = nk_first_slice(exchange->slices, r + 1) * NK_LANES;
        exchange->first[r] = filled;
        for (uint32_t c = nk_first_slice(exchange->slices, r) * NK_LANES; c < end && c < index->orbit_count;
             c++)
            for (int g = 0; g < index->rules.symmetries; g++) {
                const uint32_t image = index->orbits[c].images[g];
                bool is_new = true;
                for (int before = 0; before < g; before++)
                    is_new = is_new && index->orbits[c].images[before] != image;
                if (!is_new)
                    continue;
                exchange->seat[image] = filled - exchange->first[r];
                exchange->member[filled++] = image;
            }
    }
    exchange->first[nk_comm_size()] = filled;
}

enum nk_status nk_exchange_make(const struct nk_index *index, struct nk_exchange *exchange)
{
    const size_t all = index->configurations, size = (size_t)nk_comm_size(), rank = (size_t)nk_comm_rank();
    memset(exchange, 0, sizeof *exchange);
    exchange->slices = (index->orbit_count + NK_LANES - 1) / NK_LANES;
    exchange->member = malloc(all * sizeof *exchange->member);
    exchange->first = malloc((size + 1) * sizeof *exchange->first);
    exchange->seat = malloc(all * sizeof *exchange->seat);
    exchange->sources = malloc(size * sizeof *exchange->sources);
    exchange->counts = malloc(4 * size * sizeof *exchange->counts);
    exchange->masks_out = malloc(all);
    exchange->words_out = malloc(all * NK_LANE_WORDS * sizeof *exchange->words_out);
    if (!exchange->member || !exchange->first || !exchange->seat || !exchange->sources || !exchange->counts ||
        !exchange->masks_out || !exchange->words_out)
        return NK_E_MEMORY;
    seat_all(index, exchange);
    const size_t in = (exchange->first[rank + 1] - exchange->first[rank]) * size + 1;
    exchange->masks_in = malloc(in);
    exchange->words_in = malloc(in * NK_LANE_WORDS * sizeof *exchange->words_in);
    exchange->rows = aligned_alloc(sizeof(nk_lanes), in * sizeof(nk_lanes));
    return exchange->masks_in && exchange->words_in && exchange->rows ? NK_OK : NK_E_MEMORY;
}

void nk_exchange_free(struct nk_exchange *exchange)
{
    free(exchange->member);
    free(exchange->first);
    free(exchange->seat);
    free(exchange->sources);
    free(exchange->counts);
    free(exchange->masks_out);
    free(exchange->masks_in);
    free(exchange->words_out);
    free(exchange->words_in);
    free(exchange->rows);
}

static uint32_t slices_of(const struct nk_exchange *exchange, int rank)
{
    return nk_first_slice(exchange->slices, rank + 1) - nk_first_slice(exchange->slices, rank);
}

uint32_t nk_exchange_rounds(const struct nk_exchange *exchange)
{
    uint32_t most = 0;
    for (int r = 0; r < nk_comm_size(); r++)
        most = slices_of(exchange, r) > most ? slices_of(exchange, r) : most;
    return most;
}

/* Puts the rows for each rank behind each other. counts: how many words that makes for each. */
static void pack(struct nk_exchange *exchange, const nk_lanes *found, const uint8_t *found_any, int *counts)
{
    uint64_t *word = exchange->words_out;
    for (int r = 0; r < nk_comm_size(); r++) {
        const uint64_t *begin = word;
        for (uint32_t p = exchange->first[r]; p < exchange->first[r + 1]; p++) {
            const uint32_t member = exchange->member[p];
            uint8_t mask = 0;
            if (found_any[member])
                for (int w = 0; w < NK_LANE_WORDS; w++) {
                    mask |= (uint8_t)((found[member].word[w] != 0) << w);
                    *word = found[member].word[w];
                    word += *word != 0;
                }
            exchange->masks_out[p] = mask;
        }
        counts[r] = (int)(word - begin);
    }
}

/* Makes rows of words. */
static void unpack(struct nk_exchange *exchange, uint64_t rows)
{
    const uint64_t *word = exchange->words_in;
    for (uint64_t p = 0; p < rows; p++)
        if (exchange->masks_in[p])
            for (int w = 0; w < NK_LANE_WORDS; w++)
                exchange->rows[p].word[w] = exchange->masks_in[p] >> w & 1 ? *word++ : 0;
}

int nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const nk_lanes *found,
                      const uint8_t *found_any)
{
    const int size = nk_comm_size(), rank = nk_comm_rank();
    const uint32_t own = exchange->first[rank + 1] - exchange->first[rank];
    int *rows_out = exchange->counts, *rows_in = rows_out + size;
    int *words_out = rows_in + size, *words_in = words_out + size;
    int count = 0;

    memset(words_out, 0, (size_t)size * sizeof *words_out);
    if (found)
        pack(exchange, found, found_any, words_out);
    for (int r = 0; r < size; r++) {
        rows_out[r] = found ? (int)(exchange->first[r + 1] - exchange->first[r]) : 0;
        rows_in[r] = round < slices_of(exchange, r) ? (int)own : 0;
        exchange->sent += r == rank ? 0 : (uint64_t)rows_out[r] + 8 * (uint64_t)words_out[r];
    }
    nk_comm_alltoall_bytes(exchange->masks_out, rows_out, exchange->masks_in, rows_in);

    uint64_t rows = 0;
    for (int r = 0; r < size; r++) {
        words_in[r] = 0;
        for (const uint64_t end = rows + (uint64_t)rows_in[r]; rows < end; rows++)
            words_in[r] += __builtin_popcount(exchange->masks_in[rows]);
    }
    nk_comm_alltoall_words(exchange->words_out, words_out, exchange->words_in, words_in);
    unpack(exchange, rows);

    rows = 0;
    for (int r = 0; r < size; r++) {
        if (rows_in[r])
            exchange->sources[count++] = (struct nk_source){nk_first_slice(exchange->slices, r) + round,
                                                            exchange->rows + rows, exchange->masks_in + rows};
        rows += (uint64_t)rows_in[r];
    }
    return count;
}
