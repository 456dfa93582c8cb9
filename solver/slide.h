/* Tables of a board for sliding sets of positions backwards along moves (kernel_tmpl.c). All passes of the analysis
 * consist of this operation. A move changes the configuration of the side that moves, so it changes the row of a set and
 * keeps the column. */
#ifndef NK_SLIDE_H
#define NK_SLIDE_H

#include "common/index.h"
#include "solver/lanes.h"

/* Tables of a board for sliding. They never change after nk_slides_init, so threads may share them.
 *
 * A slide moves one piece of a side; its other pieces are the stationary pieces. */
struct nk_slides {
    uint32_t stationary_count; /* sets of stationary pieces */
    uint64_t *stationary;      /* [stationary_count] their squares */
    uint32_t *row_of; /* [stationary_count][squares] row of the configuration with the sliding piece on that
                                  square; 0 if a stationary piece occupies the square */
    uint32_t *stationary_of; /* [configurations][pieces] the sets that are left without one of the pieces */
    uint16_t *lines; /* each line of the board: its length, its axis 0..3 (an enum nk_direction), then its
                                  squares as offsets in bytes into a struct nk_scratch; a length of 0 ends the list */
    uint64_t board;  /* all squares */
    int squares, pieces;
};

/* Computes the tables for the board of `index`. Returns NK_E_MEMORY, with nothing to free, or NK_OK; then the caller
 * frees them with nk_slides_clear, which also accepts cleared and zeroed tables. */
enum nk_status nk_slides_init(const struct nk_index *index, struct nk_slides *slides);
void nk_slides_clear(struct nk_slides *slides);

/* An upper bound of the bytes that nk_slides_init allocates. */
uint64_t nk_slides_memory(const struct nk_index *index);

/* Working memory of one thread for slides. It must be zero before the first slide: in the directions in which a
 * square lies on no line, `origins` is read but never written. */
struct nk_scratch {
    struct nk_square {
        nk_lanes targets; /* columns with a target where the sliding piece is on this square */
        nk_lanes blocked; /* columns in which this square is occupied */
        /* Columns in which a slide from this square in the direction reaches a target. */
        nk_lanes origins[NK_DIRECTIONS];
    } square[NK_MAX_SQUARES];
};

#endif
