/* The functions that web/engine/solver.js calls in a worker to solve a board, once in each instance of the module. They
 * are called in this order: solve_board, solve_run, and solve_table for each table that is made of the solution. */

#include "common/table/table.h"
#include "solver/analysis/retrograde.h"
#include "solver/analysis/trap.h"

#include <stdlib.h>
#include <string.h>

#define WEB(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/* Called with the positions that a ply decided or, for one of these numbers, with the share that is done. */
enum { TRAPS = -1, WRITING = -2 };
void IMPORT(progress)(int ply, double done);

/* Take the bytes of a table: append them, or replace the first ones. */
void IMPORT(append)(const void *bytes, size_t length);
void IMPORT(replace_first)(const void *bytes, size_t length);

static struct nk_index *board;
static struct nk_solution *solution;
static struct nk_traps *traps;
static uint8_t *trap_values; /* of all draws, or NULL */
static struct nk_error error;
static int threads;

/* The message of the function that failed. */
const char *WEB(solve_error)(void)
{
    return error.text;
}

/* These functions return an enum nk_status. */

enum nk_status WEB(solve_board)(int width, int height, int pieces, int row_length, int win)
{
    struct nk_rules rules;
    const struct nk_board described = {width, height, pieces, row_length, (enum nk_win)win};
    const enum nk_status status = nk_rules_init(&rules, &described, &error);
    return status || !nk_index_new(&rules, &board)
               ? status
               : nk_fail(&error, NK_E_MEMORY, 0, "out of memory for the index of this board");
}

static void report_ply(void *context, int ply, uint64_t decided)
{
    (void)context;
    progress(ply, (double)decided);
}

static void report_traps(void *context, double done)
{
    (void)context;
    progress(TRAPS, done);
}

/* If memory is short for the trap values, the table has none. */
enum nk_status WEB(solve_run)(bool with_traps, int most_threads)
{
    threads = most_threads;
    const struct nk_solve_options options = {.progress = report_ply, .threads = threads};
    const enum nk_status status = nk_solve(board, &options, &solution, &error);
    if (!status && with_traps)
        (void)nk_traps_new(board, &traps);
    return status;
}

/* A position with a longest win or loss, or an empty text. */
const char *WEB(solve_longest)(void)
{
    static char text[NK_POSITION_TEXT];
    if (solution->example < board->entries)
        nk_position_print(&board->rules, nk_index_position(board, solution->example), NK_BLACK, text);
    return text;
}

/* The legal positions. */
double WEB(solve_legal)(void)
{
    uint32_t legal = 0; /* configurations of the mover */
    for (uint32_t r = 0; r < board->configurations; r++)
        legal += !nk_rules_won(&board->rules, board->squares[r]);
    return (double)legal * board->per_orbit;
}

/* ---- tables ---- */

static enum nk_status append_bytes(void *context, const void *bytes, size_t length, struct nk_error *why)
{
    (void)context, (void)why;
    append(bytes, length);
    return NK_OK;
}

static enum nk_status replace_first_bytes(void *context, const void *bytes, size_t length,
                                          struct nk_error *why)
{
    (void)context, (void)why;
    replace_first(bytes, length);
    return NK_OK;
}

/* Appends all codes, and computes the trap values that follow from them. If `codes_kept` is not NULL, keeps the
 * codes. */
static enum nk_status write_parts(struct nk_table_writer *writer, uint8_t *codes_kept)
{
    const struct nk_progress_sink traps_sink = {.report = report_traps};
    enum nk_status status = NK_OK;
    uint64_t written = 0, count;
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++, written += count) {
        const uint8_t *codes;
        status = nk_solution_part(solution, part, &codes, &count, &error);
        if (status)
            break;
        nk_traps_add(traps, codes, count);
        status = nk_table_writer_append(writer, codes, count, &error);
        if (codes_kept)
            memcpy(codes_kept + written, codes, (size_t)count);
        progress(WRITING, (double)written / (double)board->entries);
    }
    if (!status)
        (void)nk_traps_compute(traps, threads, &traps_sink, &trap_values);
    nk_traps_free(traps);
    traps = NULL;
    return status;
}

/* Writes the table. If `stores`, its blocks are not compressed, which takes little time, and the same table can be
 * written once more. */
enum nk_status WEB(solve_table)(bool stores)
{
    static uint8_t *codes; /* of a table that was written before */
    const struct nk_table_sink sink = {.append = append_bytes, .replace_first = replace_first_bytes};
    struct nk_table_writer *writer;
    enum nk_status status = nk_table_writer_open_sink(sink, board, threads, stores, &writer, &error);
    if (status)
        return status;
    if (codes)
        status = nk_table_writer_append(writer, codes, board->entries, &error);
    else if (stores && !(codes = malloc((size_t)board->entries)))
        status = nk_fail(&error, NK_E_MEMORY, 0, "out of memory for the codes of the table");
    else
        status = write_parts(writer, codes);
    if (!status)
        return nk_table_writer_close(writer, &solution->summary, trap_values, NULL, &error);
    nk_table_writer_abandon(writer);
    return status;
}
