/* The record of losses: the positions that each pass of the analysis decided, slice by slice. All codes of the table
 * follow from it (solve.c), and so does the state of the analysis after any ply (analysis.c). Only losses of two plies
 * or more and draws are recorded. Losses of no plies follow from the rules, and all other entries are wins.
 *
 * The record is in memory, or in a storage, which all processes share.
 *
 * Several threads may append or read different slices at once; all other functions are for one thread. All errors have
 * a message in *error (may be NULL). */
#ifndef NK_LOSSES_H
#define NK_LOSSES_H

#include "common/table/table.h"
#include "solver/analysis/matrix.h"

#include <stdatomic.h>
#include <stddef.h>

/* The state: what a commit records besides the positions. */
struct nk_losses_state {
    bool is_complete; /* no pass remains */
    int ply;          /* the last one with a position; -1 for none */
    uint64_t stalemates, draws;
    uint64_t example; /* the lowest entry that is decided in `ply` plies */
    uint64_t by_plies[NK_MAX_PLIES + 1];
};

enum { NK_SECTION_PADDING = 128 }; /* zeros after the bytes of a section that a storage reads */

/* The rows of one code in one slice. All numbers are zero if there are none. */
struct nk_section {
    uint64_t length;
    uint64_t checksum, process, offset; /* for a storage */
};

struct nk_losses;

/* Where an analysis keeps what it decides so that another run can continue it: files (solver/checkpoint.c). write, read
 * and damaged may be called by several threads at once. */
struct nk_storage {
    const char *directory; /* of its files; sets that are too large for the memory are in others there */

    /* Writes the section->length bytes of a section, and sets what its other members are to find them again. */
    enum nk_status (*write)(struct nk_storage *storage, struct nk_section *section, const uint8_t *bytes,
                            struct nk_error *error);

    /* Reads a section into memory that the caller frees, with NK_SECTION_PADDING zeros after it. */
    enum nk_status (*read)(struct nk_storage *storage, const struct nk_section *section, uint8_t **bytes,
                           struct nk_error *error);

    /* Records that a section that was read cannot be right. Returns NK_E_CORRUPT. */
    enum nk_status (*damaged)(struct nk_storage *storage, const struct nk_section *section,
                              struct nk_error *error);

    /* Saves the state, after the [slices] sections of its ply, or NULL for none, in all processes together. */
    enum nk_status (*commit)(struct nk_storage *storage, const struct nk_losses_state *state,
                             struct nk_section *sections, struct nk_error *error);

    /* Sets the state and the sections to those of the last commit of a former run, if there was one. */
    enum nk_status (*restore)(struct nk_storage *storage, struct nk_losses *losses, struct nk_error *error);
};

struct nk_losses {
    const struct nk_index *index;
    const struct nk_cluster *cluster; /* or NULL */
    struct nk_storage *storage;       /* or NULL for memory */
    uint32_t slices;                  /* of the whole matrix */
    struct nk_losses_state state;     /* of the last commit */
    uint64_t section_count;           /* a section for each code in each slice */
    struct nk_section *sections;      /* [codes][slices]; draws have the place of losses of no plies */
    uint8_t **bytes;        /* [codes][slices] those of the sections in memory; NULL with a storage */
    atomic_bool has_failed; /* some thread that uses the record, or a set of the analysis */
    struct nk_error error;  /* of the first failure */
};

/* Creates the record for the board of `index`. That, the cluster and the storage, which may be NULL, must outlive it.
 * All processes call it together. A storage may have the state of a former run, from which the analysis continues: see
 * losses->state. NK_E_MEMORY, and the errors of nk_storage.restore. The caller frees the record with nk_losses_free,
 * which accepts NULL. */
enum nk_status nk_losses_new(const struct nk_index *index, const struct nk_cluster *cluster,
                             struct nk_storage *storage, struct nk_losses **losses, struct nk_error *error);
void nk_losses_free(struct nk_losses *losses);

/* Records the rows of a slice of the whole matrix that are not marked as empty. */
void nk_losses_append(struct nk_losses *losses, uint8_t code, uint32_t slice, const nk_row_bits *rows,
                      const uint8_t *nonempty);

/* nk_losses_set_error keeps the first failure of any thread. nk_losses_error returns it with its message, or NK_OK.
 * nk_losses_append reports its failures in this way. */
void nk_losses_set_error(struct nk_losses *losses, const struct nk_error *error);
enum nk_status nk_losses_error(const struct nk_losses *losses, struct nk_error *error);

/* Saves the state, and all rows of its ply or, in a complete state, of the draws. All processes call it together. When
 * it returns in the first one, a storage has all of that. The errors of nk_storage.commit, or the first failure that
 * nk_losses_set_error was given; then the last commit stays valid. */
enum nk_status nk_losses_commit(struct nk_losses *losses, const struct nk_losses_state *state,
                                struct nk_error *error);

/* The counts of positions in a complete state. */
struct nk_summary nk_losses_summary(const struct nk_losses *losses);

/* Receives a row of a section, whose row and columns exist. Returns false if it cannot be right. */
typedef bool nk_losses_visit(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits);

/* Opens the sections of a slice of the whole matrix with the codes first..last, 1 or more. The errors of
 * nk_storage.read. The caller closes the reader, which may be read by one thread at a time. */
struct nk_losses_reader;
enum nk_status nk_losses_open(const struct nk_losses *losses, uint32_t slice, uint8_t first, uint8_t last,
                              struct nk_losses_reader **reader, struct nk_error *error);
void nk_losses_close(struct nk_losses_reader *reader);

/* Calls `visit` for the rows below `end` for which it has not been called, in ascending order of codes and rows.
 * NK_E_CORRUPT if a section is damaged or `visit` rejects it; then only nk_losses_close may follow. */
enum nk_status nk_losses_read_rows(struct nk_losses_reader *reader, uint32_t end, nk_losses_visit *visit,
                                   void *context, struct nk_error *error);

/* Opens, reads all rows, and closes. */
enum nk_status nk_losses_read(const struct nk_losses *losses, uint32_t slice, uint8_t first, uint8_t last,
                              nk_losses_visit *visit, void *context, struct nk_error *error);

/* Frees what the record has of a slice in memory; then it can no longer be read. For one thread for each slice. */
void nk_losses_release(struct nk_losses *losses, uint32_t slice);

/* The bytes of everything recorded. */
uint64_t nk_losses_bytes(const struct nk_losses *losses);

#endif
