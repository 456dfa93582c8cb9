/* The log of an analysis: its record, and its checkpoint. It has the positions that each pass decided, slice by slice.
 * All codes of the table follow from it (codes.h), and so does the state of the analysis after any ply (analysis.c).
 * Only losses of two plies or more and draws are recorded. Losses of no plies follow from the rules, and all other
 * entries are wins.
 *
 * The log is in memory or in a directory, which all processes share. There each process appends its own slices to a
 * file of its own, and any process can read all of them. Another file, the state, has the counts and the list of the
 * sections. It is replaced atomically after the sections have been flushed to the disk, so there is always the last
 * complete state, or none. What a killed run appended after it is overwritten.
 *
 * Several threads may append or read different slices at once; all other functions are for one thread. All errors have
 * a message in *error (may be NULL). */
#ifndef NK_LOG_H
#define NK_LOG_H

#include "common/table/format.h"
#include "solver/base/row_bits.h"
#include "solver/log/directory.h"

#include <stdatomic.h>

/* Whether a log may write or remove a file of this name in its directory. */
bool nk_log_has_name(const char *name);

/* The state: what a commit records besides the positions. */
struct nk_log_state {
    bool is_complete; /* no pass remains */
    int ply;          /* the last one with a position; -1 for none */
    uint64_t stalemates, draws;
    uint64_t example; /* the lowest entry that is decided in `ply` plies */
    uint64_t by_plies[NK_MAX_PLIES + 1];
};

/* The rows of one code in one slice. All numbers are zero if there are none. */
struct nk_log_section {
    uint64_t length, checksum; /* XXH3-64 */
    uint64_t process, offset;  /* the process whose file has it, and where */
};

struct nk_log {
    const struct nk_index *index;
    uint32_t slices;                 /* of the whole matrix */
    struct nk_log_state state;       /* of the last commit */
    uint64_t section_count;          /* a section for each code in each slice */
    struct nk_log_section *sections; /* [codes][slices]; draws have the place of losses of no plies */
    uint8_t **bytes;                 /* [codes][slices] of a log in memory, or NULL */
    struct nk_directory directory;   /* without a path for a log in memory */
    int own_file;                    /* with the rows of this process, or -1 */
    _Atomic uint64_t end;            /* of this file */
    atomic_bool has_failed;          /* some thread that uses the log, or a set of the analysis */
    struct nk_error error;           /* of the first failure */
};

/* Opens a log for the board of `index`, which must outlive it. `directory` is created if it does not exist; NULL stands
 * for memory. All processes call it together. A log that a former run has left in the directory is opened for
 * continuing: see log->state. NK_E_CORRUPT if the contents are damaged or belong to another board, NK_E_BUSY if another
 * run uses the directory, NK_E_READ, NK_E_WRITE, NK_E_MEMORY. The caller closes the log with nk_log_close, which
 * accepts NULL. */
enum nk_status nk_log_open(const char *directory, const struct nk_index *index, struct nk_log **log,
                           struct nk_error *error);
void nk_log_close(struct nk_log *log);

/* Records the rows of a slice of the whole matrix that are not marked as empty. */
void nk_log_append(struct nk_log *log, uint8_t code, uint32_t slice, const nk_row_bits *rows,
                   const uint8_t *nonempty);

/* nk_log_set_error keeps the first failure of any thread. nk_log_error returns it with its message, or NK_OK.
 * nk_log_append reports its failures in this way. */
void nk_log_set_error(struct nk_log *log, const struct nk_error *error);
enum nk_status nk_log_error(const struct nk_log *log, struct nk_error *error);

/* Saves the state, and all rows of its ply or, in a complete state, of the draws. All processes call it together. When
 * it returns in the first one, all of that is on the disk. NK_E_WRITE, NK_E_MEMORY, or the first failure that
 * nk_log_set_error was given; then the last commit stays valid. */
enum nk_status nk_log_commit(struct nk_log *log, const struct nk_log_state *state, struct nk_error *error);

/* The counts of positions in a complete state. */
struct nk_summary nk_log_summary(const struct nk_log *log);

/* Receives a row of a section. Returns false if it cannot be right. */
typedef bool nk_log_visit(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits);

/* Calls `visit` for all rows of a slice of the whole matrix with the codes first..last, 1 or more, in ascending order
 * of codes and rows. NK_E_CORRUPT if the section is damaged or `visit` rejects it, NK_E_READ, NK_E_MEMORY. */
enum nk_status nk_log_read(const struct nk_log *log, uint32_t slice, uint8_t first, uint8_t last,
                           nk_log_visit *visit, void *context, struct nk_error *error);

/* Frees what the log has of a slice in memory; then it can no longer be read. For one thread for each slice. */
void nk_log_release(struct nk_log *log, uint32_t slice);

/* Removes the files of the log, in the first process. */
void nk_log_remove(struct nk_log *log);

/* The bytes of everything recorded. */
uint64_t nk_log_bytes(const struct nk_log *log);

#endif
