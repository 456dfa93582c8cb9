/* The independent verifier of a table. It checks the value of every position against the values of the positions that
 * its moves lead to. What it shares with the analysis is no more than:
 *
 *   the rules              the board, its symmetries, which configurations win, and the neighbours of a square
 *   numbers                the configurations and the entries of a table
 *   reading the table      common/table/, of which the analysis uses only what writes
 *   tools                  threads, allocation, the packing of codes, and the choice of a vector width
 *
 * It does not share what generates moves and what computes values: the analysis moves backwards, in sets of bits. Only
 * trap values, which are an estimate, it computes with the code of the solver (solver/analysis/traps.c), from the codes
 * that it has verified.
 *
 * verify.c reads the table and divides the work; group.c checks the codes of 64 orbits at once and stores what the
 * first phase finds for the second; kernel_tmpl.c has the functions in which most of the time is spent. */
#ifndef NK_VERIFY_H
#define NK_VERIFY_H

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/table/table.h"

#include <stddef.h>

struct nk_verify_kernel;

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
    /* NULL for the fastest; others for tests. */
    const struct nk_verify_kernel *kernel;
};

/* A byte for each entry and 64 MiB: with more it is hardly faster. */
uint64_t nk_verify_usual_memory(const struct nk_index *index);

struct nk_verified {
    struct nk_summary summary;           /* counted from the codes */
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
    uint64_t codes_checksum;             /* that of the table */
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
 * Each of these is checked in the order of the entries, and the next one only if all of it is right:
 *   1. the values of positions, except for the distances of losses
 *   2. the distances of losses: that each is one ply more than that of the farthest win to which a move leads
 *   3. the counts, then the checksum of all codes, then the trap values */
enum nk_status nk_verify(struct nk_table *table, const struct nk_verify_options *options,
                         struct nk_verified *verified, struct nk_error *error);

/* ---- the kernel ---- */

/* The verifier examines the moves against so many orbits at once: a group. */
enum { NK_VERIFY_GROUP = 64 };

/* A byte for each orbit of a group. */
struct nk_group_bytes {
    _Alignas(NK_VERIFY_GROUP) uint8_t orbit[NK_VERIFY_GROUP];
};

/* The value of a move, for the side that makes it: the greatest one is that of the best move. A move to a win of the
 * opponent has the value 0 and one to a draw 1. One to a loss of the opponent has at least 2, and the more the nearer
 * the loss is: it is a win for the side that moves, and the nearest loss determines its distance. As the codes of
 * losses go from NK_CODE_LOSS, the nearest, to UINT8_MAX, and their values from UINT8_MAX to NK_VALUE_WIN, a code and
 * its value always have the same sum. Subtracting from it turns either one into the other. */
enum {
    NK_VALUE_LOSS = 0,
    NK_VALUE_DRAW = 1,
    NK_VALUE_WIN = 2,
    NK_LOSS_CODE_PLUS_VALUE = 257 /* NK_CODE_LOSS + UINT8_MAX */
};

struct nk_verify_kernel {
    /* Computes best[r].orbit[o], for each configuration r of the side to move against each orbit o: the greatest
     * after[s].orbit[o] of its moves, to configurations s; 0 if there is no legal move. `others` are the canonical
     * configurations of the orbits. Where r overlaps others[o], best[r].orbit[o] is meaningless; after[s].orbit[o] may
     * be anything where s does. */
    void (*best_moves)(const struct nk_index *index, const uint64_t others[NK_VERIFY_GROUP],
                       const struct nk_group_bytes *after, struct nk_group_bytes *best);

    /* The first phase: returns whether codes agree with the values of the best moves but for the distances of losses.
     * Then it replaces each by the code of the nearest loss if it is a win, otherwise by 0. */
    bool (*measure)(uint8_t *codes, const uint8_t *best, uint32_t count);

    /* The second phase: returns whether all losses are one code farther than the farthest win that a move leads to,
     * whose distance is given by the code of the nearest loss after it. */
    bool (*check)(const uint8_t *codes, const uint8_t *farthest, uint32_t count);

    /* Sets transposed[i].orbit[j] to tile[j]->orbit[i]. */
    void (*transpose)(const struct nk_group_bytes *const tile[NK_VERIFY_GROUP],
                      struct nk_group_bytes transposed[NK_VERIFY_GROUP]);
};

/* Those for 32 and 64 bytes exist on x86-64 only. */
extern const struct nk_verify_kernel nk_verify_kernel_16, nk_verify_kernel_32, nk_verify_kernel_64;

/* Returns the kernel for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor does
 * not support them. */
const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes);

/* ---- the first failure ---- */

/* The failure at the lowest entry, so that it does not depend on how the work is divided among threads. */
struct nk_first_failure {
    /* With a disagreement, or the first of a row that could not be read or stored; NK_NO_FAILURE. */
    uint64_t entry;
    struct nk_error error;
};
#define NK_NO_FAILURE UINT64_MAX

/* Records that the value of an entry is wrong, unless there is a failure at a lower entry. */
void nk_first_failure_disagree(struct nk_first_failure *first, const struct nk_index *index, uint64_t entry,
                               const char *why);

/* ---- a group of rows ---- */

/* The table has no distances of wins, so it is verified in two phases. The first one, `measure`, checks everything but
 * distances of losses, and finds the distances of wins. With these the second one, `check`, checks the distances of
 * losses. What a group needs after moves, and what its best moves are, are bytes for the side that moves:
 *   measure   the value, such as NK_VALUE_DRAW
 *   check     the code of the nearest loss of a win; 0: not a win */
enum nk_verify_phase { NK_MEASURE, NK_CHECK };

/* Numbers of positions, and what is wrong. */
struct nk_findings {
    uint64_t codes[UINT8_MAX + 1]; /* with this code */
    /* Wins with this code of the nearest loss after a move, and `illegal` ones. */
    uint64_t nearest[UINT8_MAX + 1];
    uint64_t illegal; /* only the mover has already won; the code is that of a win */
    uint64_t stalemates;
    struct nk_first_failure failure;
};

struct nk_group {
    enum nk_verify_phase phase;
    const struct nk_index *index;
    const struct nk_verify_kernel *kernel;
    const bool *won; /* [configurations] whether they win */

    uint32_t first, count;              /* orbits */
    uint8_t *codes[NK_VERIFY_GROUP];    /* [per_orbit] of each orbit; `measure` replaces them */
    const struct nk_group_bytes *after; /* [configurations] to which a move leads */
    struct nk_group_bytes *best;        /* [configurations] scratch, for those that move */
    struct nk_findings *findings;       /* of the thread */
};

/* Checks the codes of a group, and adds to the findings. `measure` also counts the positions, and replaces each code by
 * that of the nearest loss after a move if it is a win, otherwise by 0; after a failure, by anything. */
void nk_group_check(const struct nk_group *group);

/* ---- what is stored between the phases ---- */

/* What the first phase finds and the second one needs: a row of bytes for each orbit, in memory or in a temporary file.
 * The rows are packed (common/table/table.h), which takes about two fifths of their bytes. */

struct nk_stored_row {
    uint8_t *bytes;  /* in memory, or NULL */
    uint64_t offset; /* in the file */
    size_t length;
};

struct nk_stored_rows {
    const struct nk_index *index;
    struct nk_stored_row *rows; /* [orbits] */
    int file;                   /* -1: the rows are in memory */
    _Atomic uint64_t end;       /* of the file */
};

/* The bytes that all rows are expected to take: packed, most have three bytes to one. */
uint64_t nk_stored_rows_memory(const struct nk_index *index);

/* Begins with no rows. `path` is that of a file in whose directory the temporary file is created, which has no name and
 * ends with the process, or NULL for rows in memory. The index must outlive the rows. The caller frees them with
 * nk_stored_rows_close, also after a failure. NK_E_MEMORY; NK_E_WRITE if the file cannot be created. */
enum nk_status nk_stored_rows_open(struct nk_stored_rows *rows, const struct nk_index *index,
                                   const char *path, struct nk_error *error);

/* Frees all rows and removes the file. Accepts rows that were closed. */
void nk_stored_rows_close(struct nk_stored_rows *rows);

/* Stores the row of an orbit, `per_orbit` bytes; and reads one that was stored. `packed` is scratch with room for
 * NK_PACK_BOUND(per_orbit) bytes. Several threads may do this at once, for different rows. NK_E_MEMORY and NK_E_WRITE;
 * NK_E_READ, and NK_E_CORRUPT if what is read is not what was stored. */
enum nk_status nk_stored_rows_put(struct nk_stored_rows *rows, uint32_t orbit, const uint8_t *row,
                                  uint8_t *packed, struct nk_error *error);
enum nk_status nk_stored_rows_get(const struct nk_stored_rows *rows, uint32_t orbit, uint8_t *row,
                                  uint8_t *packed, struct nk_error *error);

#endif
