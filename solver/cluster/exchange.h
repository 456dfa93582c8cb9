/* The exchange of a pass between several processes: each sends the rows of its `next` set to the processes that own
 * the orbits of the rows' configurations. Words that are zero are not sent.
 *
 * The functions that take a struct nk_exchange are for the thread that communicates (see comm.h). */
#ifndef NK_EXCHANGE_H
#define NK_EXCHANGE_H

#include "common/index.h"
#include "solver/lanes.h"
#include "solver/memory.h"

/* The slices that a process owns, and the orbits that their columns stand for. */
struct nk_share {
    uint32_t first_slice, slices;
    uint32_t first_orbit, orbits;
};

/* The slices of a whole matrix. */
uint32_t nk_slice_count(const struct nk_index *index);

/* The share of a process. Shares follow each other in the order of the ranks and differ by at most one slice; a share may
 * be empty. */
struct nk_share nk_share_of(const struct nk_index *index, int rank);

/* The share of the last process; no other has more slices. */
struct nk_share nk_largest_share(const struct nk_index *index);

/* The rows of a slice that one process received from another, or has itself. */
struct nk_source {
    uint32_t slice;          /* among all slices of the matrix */
    const nk_lanes *rows;    /* by local row after an exchange, otherwise by configuration */
    const uint8_t *nonempty; /* [rows] zero where the row is empty; such a row has undefined contents */
};

struct nk_exchange {
    const struct nk_index *index;
    uint32_t *row_order; /* [configurations] sorted by the process that owns their orbit */
    uint32_t *first_row; /* [size + 1] where the rows of each process begin in row_order */
    uint32_t *local_row; /* [configurations] position among the rows of the process that owns it */

    uint8_t *masks_out, *masks_in; /* for each row, a bit for each of its words that is not zero */
    uint64_t *words_out, *words_in;
    nk_lanes *rows;            /* the received rows */
    struct nk_source *sources; /* [size] */
    int *counts;               /* [4][2][size] for nk_comm_alltoall */
    uint64_t sent;             /* bytes that this process has sent to others */
};

/* Allocates what the exchange needs in `memory`, and fills it if that is ready. */
void nk_exchange_init(const struct nk_index *index, struct nk_exchange *exchange, struct nk_memory *memory);

/* Runs one round of an exchange, in which each process exchanges one slice; there are as many as the largest share has
 * slices. All processes call it. Sends the rows of this process's slice number `round`, by configuration
 * (NULL if it has fewer slices), and fills exchange->sources, valid until the next round. Returns their number. */
int nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const nk_lanes *rows,
                      const uint8_t *nonempty);

#endif
