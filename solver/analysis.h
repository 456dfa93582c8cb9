/* The state of an analysis, for the files that share it: analysis.c makes it, pass.c does one ply of a slice,
 * resume.c brings it to a checkpoint and back, retrograde.c leads, solution.c reads what came out. */
#ifndef NK_ANALYSIS_H
#define NK_ANALYSIS_H

#include "common/parallel.h"
#include "solver/exchange.h"
#include "solver/retrograde.h"

/* What a thread needs for the slice at hand. */
struct nk_worker {
    nk_lanes *escapes; /* [rows] positions with a move that does not lose */
    struct nk_bench *bench;
    uint8_t *wanted; /* [groups] groups that can matter */
};

/* Two ways to see the same position (mover m, other o), each a bit matrix in slices (see slide.h):
 *   by mover   row m, column the orbit of o: how a pass finds positions, since a slide changes m and keeps o
 *   by other   row o, column the orbit of m: how a pass looks up where its moves lead, since after the move
 * the roles are exchanged and the row is again the side that slid. `hand_over` carries what a pass found from
 * the first to the second, turning each position so that the side that becomes the column stands as its
 * orbit's representative.
 *
 * Of the slices of all orbits a rank has those from `first_class` on. Everything in a pass stays in a slice;
 * only what is handed over goes from rank to rank. */
struct nk_analysis {
    const struct nk_index *index;
    const struct nk_kernels *kernels;
    struct nk_slides slides;
    uint32_t rows;        /* configurations */
    uint32_t slices;      /* of NK_LANES orbits, of this rank */
    uint32_t first_class; /* of them */
    uint32_t orbits;      /* in them */

    uint64_t *squares;  /* [rows] each configuration's squares */
    uint8_t *won;       /* [rows] whether it wins */
    nk_lanes *occupied; /* [slices][NK_MAX_SQUARES] columns whose representative stands on a square */
    nk_lanes *small;    /* [slices] columns of orbits with fewer members than there are symmetries */

    nk_lanes *open;       /* by mover: positions not decided yet */
    nk_lanes *found;      /* by mover: what this pass decides */
    nk_lanes *fresh;      /* by other: what the last pass decided */
    nk_lanes *almost_win; /* by other */
    uint8_t *found_any;   /* [slices][rows] the row of `found` is not empty */
    uint8_t *fresh_any;   /* the same of `fresh` */
    uint8_t *codes;       /* [slices][rows][NK_LANES] by mover */

    struct nk_worker *workers; /* [threads] */
    int threads;

    /* Of the pass at hand. */
    uint8_t code;      /* what it writes */
    uint64_t *decided; /* [slices] how many positions it decided */

    struct nk_source *sources;      /* [slices] what was found here */
    struct nk_exchange exchange;    /* of a team of several ranks */
    const struct nk_source *handed; /* what hand_over hands over */
    int handed_count;

    struct nk_checkpoint *checkpoint;
    struct nk_error *errors; /* [slices] of loading or saving one */
};

/* The two steps of a pass, compiled for each kind of vectors a machine may have. */
struct nk_kernels {
    nk_work *pass;      /* item: slice */
    nk_work *hand_over; /* item: word of the columns */
};

/* The kernels for vectors of that width, or the fastest for 0; NULL when the machine does not have them. */
const struct nk_kernels *nk_find_kernels(int vector_bytes);

/* Steps for one slice each, which note in a->decided how many positions they decide. */
nk_work nk_open_positions;     /* fills `open`, and takes out the positions without a move, which are drawn */
nk_work nk_finished_positions; /* ply 0: the positions in which the side that waits has won */
nk_work nk_draw_the_rest;      /* what is still open when a pass adds nothing */

/* Prepares the part of this rank. False when memory ran out; nk_end_analysis is due in any case. */
bool nk_begin_analysis(struct nk_analysis *a, const struct nk_index *index, int threads);

/* Frees all but what a solution is read from: squares and codes. */
void nk_end_analysis(struct nk_analysis *a);

/* Hands what all slices of all ranks found over to `fresh`. */
void nk_hand_over_all(struct nk_analysis *a);

/* Brings everything to where it was after `ply`, when the checkpoint was saved. Errors as nk_checkpoint_load.
 */
enum nk_status nk_resume_analysis(struct nk_analysis *a, int ply, struct nk_error *error);

/* Saves a checkpoint if it is time for one. The analysis goes on whether that works or not. */
void nk_save_analysis(struct nk_analysis *a, const struct nk_solve_options *options, int ply,
                      const uint64_t *by_distance);

/* The solution is read in parts of so many orbits: those whose codes share a line of the cache. */
enum { NK_PART_CLASSES = 64 };

static const nk_lanes nk_no_lanes = {{0}};

NK_INLINE bool nk_is_empty(const nk_lanes *lanes)
{
    uint64_t any = 0;
    for (int w = 0; w < NK_LANE_WORDS; w++)
        any |= lanes->word[w];
    return !any;
}

#endif
