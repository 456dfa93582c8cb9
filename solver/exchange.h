/* How the ranks of a team hand each other what they found: each row goes to the rank that owns the orbit of
 * its configuration. Only words that are not zero travel. */
#ifndef NK_EXCHANGE_H
#define NK_EXCHANGE_H

#include "solver/slide.h"

/* One slice of what a rank found, as far as it concerns another. */
struct nk_source {
    uint32_t slice;
    const nk_lanes *rows; /* by seat */
    const uint8_t *any;   /* [rows] zero where the row is empty */
};

struct nk_exchange {
    uint32_t *member; /* [configurations] by orbit, so that those of one rank follow each other */
    uint32_t *first;  /* [size + 1] where those of each rank begin */
    uint32_t *seat;   /* [configurations] their number among those of their rank */
    uint32_t slices;  /* of all ranks */

    uint8_t *masks_out, *masks_in; /* a bit for each word of a row that is not zero */
    uint64_t *words_out, *words_in;
    nk_lanes *rows;            /* what came, unpacked */
    struct nk_source *sources; /* [size] */
    int *counts;               /* [4][size] */
    uint64_t sent;             /* bytes that this rank has sent to others */
};

/* The slices of all orbits, shared out: those of a rank begin here and end where the next rank's begin. */
uint32_t nk_first_slice(uint32_t slices, int rank);

/* Bytes that an exchange takes at most for so many configurations and ranks; none for one rank. */
uint64_t nk_exchange_memory(uint64_t configurations, int ranks);

/* Prepares for a team of several ranks. NK_E_MEMORY. The caller hands it to nk_exchange_free in any case. */
enum nk_status nk_exchange_make(const struct nk_index *index, struct nk_exchange *exchange);
void nk_exchange_free(struct nk_exchange *exchange);

/* Rounds that take every rank's slices across, one slice of each rank a round. */
uint32_t nk_exchange_rounds(const struct nk_exchange *exchange);

/* One round, all ranks together: sends the rows of this rank's slice of that number (NULL when it has none)
 * and fills exchange->sources. Returns how many there are. */
int nk_exchange_round(struct nk_exchange *exchange, uint32_t round, const nk_lanes *found,
                      const uint8_t *found_any);

#endif
