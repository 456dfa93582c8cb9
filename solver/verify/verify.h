/* The independent verifier of a table. It checks the value of every position against the values of the positions that
 * its moves lead to. What it shares with the analysis is no more than:
 *
 *   the rules              the board, its symmetries, which configurations win, and the neighbours of a square
 *   numbers                the configurations and the entries of a table (common/game/index.h)
 *   reading the table      common/table/, of which the analysis uses only what writes
 *   tools                  threads, allocation, the packing of codes (common/table/packing.h), and the choice of a
 *                          vector width (solver/base/vectors.h)
 *
 * It does not share what generates moves and what computes values: the analysis moves backwards, in sets of bits. Only
 * trap values, which are an estimate, it computes with the code of the solver (solver/analysis/traps.h), from the codes
 * that it has verified. */
#ifndef NK_VERIFY_H
#define NK_VERIFY_H

#include "common/base/progress_sink.h"
#include "common/table/lookup.h"
#include "solver/verify/kernel.h"

struct nk_verify_options {
    int threads; /* 0 for one per processor. The result does not depend on it. */
    /* The bytes to use, without up to 64 MiB of the table's blocks; 0 for nk_verify_usual_memory and what the threads
     * need, or more if the traps need it. With less memory it takes longer, as the table is read more often; it fails
     * at once with too little. */
    uint64_t memory;
    /* Where the bytes to use are few, intermediate results are in a temporary file without a name in the directory of
     * this path, such as that of the table. NULL: always in memory. */
    const char *path;
    const struct nk_progress_sink *progress; /* or NULL */
    /* NULL for the fastest; others for tests (solver/verify/kernel.h). */
    const struct nk_verify_kernel *kernel;
};

/* A byte for each entry and 64 MiB: with more it is hardly faster. */
uint64_t nk_verify_usual_memory(const struct nk_index *index);

struct nk_verified {
    struct nk_summary summary;           /* counted from the codes */
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
    uint64_t codes_checksum;             /* nk_table_codes_checksum */
};

/* Checks every legal position of the table:
 *   the other side has won   it is a loss of 0 plies, and no other position is
 *   a win                    a move leads to a loss; the nearest one determines its distance
 *   a loss of d plies        it has a move; every move leads to a win, the farthest of d - 1 plies
 *   a draw                   no move leads to a loss and one to a draw, or there is no legal move
 * and then the counts and the checksum in the table's header, and the trap values. Returns NK_OK and fills *verified if
 * all of this holds, otherwise NK_E_CORRUPT with the first disagreement in *error (may be NULL). Also returns NK_E_READ
 * and NK_E_MEMORY, and NK_E_WRITE if the temporary file cannot be written.
 *
 * No other thread may use the table. The first disagreement does not depend on the number of threads or the memory.
 * Disagreements come in this order, and among those of one kind in the order of the entries:
 *   1. those of positions but:
 *   2. a loss in another number of plies than its moves lead to
 *   3. counts, the checksum of all codes, trap values */
enum nk_status nk_verify(struct nk_table *table, const struct nk_verify_options *options,
                         struct nk_verified *verified, struct nk_error *error);

#endif
