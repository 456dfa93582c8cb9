/* The exchange of the frontier. Each process has the rows of its slices of `next`, and the transposition
 * (solver/analysis/analysis.h) needs, from all slices of the matrix, the rows of the configurations whose orbits this
 * process owns.
 *
 * A single process has them all already (cluster_single.c). Several processes (exchange_mpi.c) send each other their
 * rows in rounds of one slice from each, so that buffers do not grow with the number of slices; words that are zero are
 * not sent.
 *
 * The functions are for the thread that communicates (see cluster.h). */
#ifndef NK_EXCHANGE_H
#define NK_EXCHANGE_H

#include "solver/base/memory.h"
#include "solver/cluster/cluster.h"

/* Rows of a slice. */
struct nk_source {
    uint32_t slice; /* among all slices of the matrix */
    /* By configuration in the slices that are sent; see row_of in those that are received. */
    const nk_row_bits *rows;
    const uint8_t *nonempty; /* [rows] zero where the row is empty; such a row has undefined contents */
};

struct nk_exchange {
    const struct nk_index *index;

    /* What the round has brought. */
    const struct nk_source *sources; /* [source_count] */
    uint32_t source_count;
    /* [configurations] the row of each configuration in a source; NULL if that is its number */
    uint32_t *row_of;
    uint64_t sent; /* bytes that this process has sent to others in all rounds */

    /* For several processes. */
    uint32_t *row_order;           /* [configurations] sorted by the process that owns their orbit */
    uint32_t *first_row;           /* [size + 1] where the rows of each process begin in row_order */
    uint8_t *masks_out, *masks_in; /* for each row, a bit for each of its words that is not zero */
    uint64_t *words_out, *words_in;
    nk_row_bits *rows;          /* the received rows */
    struct nk_source *received; /* [size] */
    int *counts;                /* [4][2][size] items for each process or from it, and where they begin */
};

/* Lists what the exchange needs in `memory`; fills it after it has been allocated. */
void nk_exchange_list(const struct nk_index *index, struct nk_exchange *exchange, struct nk_memory *memory);
void nk_exchange_fill(struct nk_exchange *exchange);

/* The rounds of an exchange; the same in all processes. */
uint32_t nk_exchange_rounds(const struct nk_index *index);

/* Runs a round, which all processes do in order. `own` are the slices of this process, all of them, from which it
 * sends. Fills the sources, valid until the next round. */
void nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const struct nk_source *own);

#endif
