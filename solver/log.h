/* The log of an analysis: the positions that each pass decided, slice by slice. All codes of the table follow from it
 * (solution.h), and so does the state of the analysis after any ply (resume.h). Only losses of two plies or more and
 * draws are recorded. Losses of no plies follow from the rules, and all other entries are wins.
 *
 * The log is in memory, or in the files of a directory. There it is the checkpoint of the analysis: the file `state`,
 * replaced atomically after a ply has been recorded, says how many plies are complete and where each slice is in the
 * files. All processes share the directory; each records its own slices, and any process can read all of them.
 *
 * Several threads may append or read different slices at once; all other functions are for one thread. */
#ifndef NK_LOG_H
#define NK_LOG_H

#include "common/table_format.h"
#include "solver/lanes.h"

#include <stdatomic.h>

/* The positions of one code in one slice: for each row that has some, in ascending order,
 *   distance   from the row before, less 1 (from row -1 for the first one): 7 bits in a byte, the lowest first; all
 *              bytes but the last have their highest bit set
 *   mask       a byte with a bit for each 64-bit word of the row that is not zero
 *   words      for each of them a byte with a bit for each of its bytes that is not zero, and these bytes */
struct nk_section {
    uint64_t length, checksum; /* XXH3-64 */
    uint64_t rank, offset;     /* the process whose file of this code has it, and where */
    uint8_t *bytes;            /* in memory instead; or NULL */
};

/* What a commit records besides the positions. */
struct nk_log_state {
    bool is_complete; /* no pass remains */
    int ply;          /* the last one with a position, of losses unless the log is complete; -1 for none */
    uint64_t stalemates, draws, example;
    uint64_t by_distance[NK_MAX_PLIES + 1];
};

struct nk_log {
    const struct nk_index *index;
    uint32_t slices;                  /* of the whole matrix */
    struct nk_section *sections[256]; /* [slices] by code; NULL if nothing was recorded with this code */
    struct nk_log_state state;        /* of the last commit */
    atomic_bool has_failed;           /* to append */
    struct nk_error error;            /* of the first failure */

    /* Of a log in a directory. */
    char *directory;      /* its path; NULL for a log in memory */
    int lock;             /* file descriptor of the directory, locked by process 0; or -1 */
    _Atomic uint64_t end; /* of this process's file of the present code */
};

/* Opens a log for the board of `index`, which must outlive it. `directory` is created if it does not exist; NULL stands
 * for memory. All processes call it, unless it is for memory. A log that a former run has left in the directory is opened for continuing: see
 * log->state. Returns NK_E_CORRUPT if the contents are damaged or belong to another board, NK_E_READ, NK_E_WRITE
 * (also if another run uses the directory), or NK_E_MEMORY, with a message in *error (may be NULL). If one process
 * fails, all do. The caller closes the log with nk_log_close, which accepts NULL. */
enum nk_status nk_log_open(const char *directory, const struct nk_index *index, struct nk_log **log,
                           struct nk_error *error);
void nk_log_close(struct nk_log *log);

/* Prepares the log for positions of this code; for one thread, before they are appended. */
void nk_log_begin(struct nk_log *log, uint8_t code);

/* Records the rows of a slice of the whole matrix that are not marked as empty. */
void nk_log_append(struct nk_log *log, uint8_t code, uint32_t slice, const nk_lanes *rows,
                   const uint8_t *nonempty);

/* Keeps the first failure of any thread, and returns it: NK_OK if there is none, otherwise with its message in *error
 * (may be NULL). nk_log_begin and nk_log_append report their failures in this way. */
void nk_log_fail(struct nk_log *log, const struct nk_error *error);
enum nk_status nk_log_failure(const struct nk_log *log, struct nk_error *error);

/* Completes what was begun since the last commit, of one code, and saves the state. All processes call it. Returns a
 * failure of any of them, in all processes, with a message in *error (may be NULL): NK_E_WRITE, NK_E_MEMORY, or what
 * nk_log_fail was given. In a directory the former commit then stays valid. */
enum nk_status nk_log_commit(struct nk_log *log, uint8_t code, const struct nk_log_state *state,
                             struct nk_error *error);

/* Makes all processes fail if one does; all call it. Returns `status` or another failure. */
enum nk_status nk_log_agree(enum nk_status status, struct nk_error *error);

/* Receives a row of a section. Returns false if it cannot be right. */
typedef bool nk_log_visit(void *context, uint8_t code, uint32_t row, const nk_lanes *lanes);

/* Calls `visit` for all rows of a slice of the whole matrix with the codes first..last, in ascending order of codes and
 * rows. Returns NK_E_CORRUPT if the section is damaged or `visit` rejects it, NK_E_READ or NK_E_MEMORY, with a message
 * in *error (may be NULL). */
enum nk_status nk_log_read(const struct nk_log *log, uint32_t slice, uint8_t first, uint8_t last,
                           nk_log_visit *visit, void *context, struct nk_error *error);

/* Frees what the log has of a slice in memory; then it can no longer be read. For one thread for each slice. */
void nk_log_release(struct nk_log *log, uint32_t slice);

/* The bytes of everything recorded. */
uint64_t nk_log_bytes(const struct nk_log *log);

/* Removes the files of the log, and the directory if a run created it and it is empty. */
void nk_log_remove(struct nk_log *log);

/* For log.c and log_directory.c: the path of the file with the positions of this code that process `rank` recorded, or
 * NULL when memory is short. The caller frees it. */
char *nk_log_path(const struct nk_log *log, uint8_t code, uint64_t rank);

#endif
