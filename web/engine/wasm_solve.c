/* The functions that web/engine/solver.ts calls in a worker, to solve a board or to verify a table, once in each
 * instance of the module. They are called in this order: solve_board, solve_run and solve_table, or verify_input and
 * verify_run. web/engine/solve.ts calls solve_estimate, in an instance of its own. A single thread does all of it. */

#include "common/base/base.h"
#include "common/table/table.h"
#include "solver/analysis/analysis.h"
#include "solver/verify/verify.h"

#include <stdlib.h>

#define WEB(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name))) name

/* Called with the positions that a ply has decided, or with the share that is done of all trap values or codes, or of
 * verifying them. */
void IMPORT(progress_ply)(int ply, double decided);
void IMPORT(progress_traps)(double done);
void IMPORT(progress_writing)(double done);
void IMPORT(progress_verifying)(double done);

/* Take the bytes of a table: append them, or replace the first ones. */
void IMPORT(append)(const void *bytes, size_t length);
void IMPORT(replace_first)(const void *bytes, size_t length);

static struct nk_index *board;
static struct nk_losses *record;
static bool has_traps; /* the table will */
static struct nk_error error;

/* The message of the function that failed, and the name of its status. */
const char *WEB(solve_error)(void)
{
    return error.text;
}

const char *WEB(solve_error_name)(void)
{
    return nk_status_name(error.status);
}

/* ---- boards ---- */

static char win_name[16];

/* Where the name of a winning condition, which ends with a zero, is written before a board is described. */
char *WEB(solve_win)(void)
{
    return win_name;
}

size_t WEB(solve_win_size)(void)
{
    return sizeof win_name;
}

static struct nk_board board_of(int width, int height, int pieces, int row_length)
{
    return (struct nk_board){width, height, pieces, row_length, nk_win_named(win_name)};
}

/* ---- what solving takes ---- */

static const double module_memory = 4294967296; /* bytes that a module can have */

/* The bytes that solving a board takes: with the buffers of the table, the stack and all else. */
static double memory_of(const struct nk_index *index)
{
    const double rest = 1 << 24;
    return (double)nk_plan(index, NULL, NK_IN_MEMORY, 1, true).memory + (double)nk_index_memory(index) + rest;
}

struct cost {
    double positions, bytes;
};

static struct cost cost_of(const struct nk_board *described)
{
    struct nk_rules rules;
    struct nk_index index;
    (void)nk_rules_init(&rules, described, NULL);
    nk_index_init_sizes(&rules, &index);
    return (struct cost){(double)index.placements, memory_of(&index)};
}

static void answer_is_too_long(struct nk_json *json)
{
    (void)json;
    __builtin_trap();
}

/* What solving a board takes, in at most so many bytes, as `estimate` of the npm package describes it: a text in JSON,
 * until the next call. */
const char *WEB(solve_estimate)(int width, int height, int pieces, int row_length, double memory)
{
    static char text[256];
    const struct nk_board described = board_of(width, height, pieces, row_length);
    const char *fault = nk_rules_fault(&described, NULL);
    const double limit = memory < module_memory ? memory : module_memory;
    const struct cost cost = fault ? (struct cost){0} : cost_of(&described);
    struct nk_json json = {.bytes = text, .size = sizeof text - 1, .make_room = answer_is_too_long};
    nk_json_begin(&json, NULL, '{');
    nk_json_integer(&json, "positions", (int64_t)cost.positions);
    nk_json_integer(&json, "bytes", (int64_t)cost.bytes);
    if (fault || cost.bytes > limit) {
        nk_json_begin(&json, "refused", '{');
        nk_json_string(&json, "reason", fault ? fault : "memory");
        if (!fault)
            nk_json_integer(&json, "limit", (int64_t)limit);
        nk_json_end(&json, '}');
    } else {
        nk_json_null(&json, "refused");
    }
    nk_json_end(&json, '}');
    text[json.length] = '\0';
    return text;
}

/* ---- solving: these functions return an enum nk_status ---- */

enum nk_status WEB(solve_board)(int width, int height, int pieces, int row_length)
{
    struct nk_rules rules;
    const struct nk_board described = board_of(width, height, pieces, row_length);
    if (described.win == NK_WIN_RULES)
        return nk_fail(&error, NK_E_RULES, 0, "a winning condition of '%s': expected %s, %s, %s, %s or %s",
                       win_name, nk_win_name(NK_WIN_LINE), nk_win_name(NK_WIN_ORTHOGONAL),
                       nk_win_name(NK_WIN_DIAGONAL), nk_win_name(NK_WIN_EQUIDISTANT),
                       nk_win_name(NK_WIN_CENTRE));
    const enum nk_status status = nk_rules_init(&rules, &described, &error);
    return status || !nk_index_new(&rules, &board) ? status : nk_fail_memory(&error);
}

static enum nk_status report_pass(void *context, int ply, uint64_t decided, struct nk_error *why)
{
    (void)context, (void)why;
    progress_ply(ply, (double)decided);
    return NK_OK;
}

static bool report_traps(void *context, double done)
{
    (void)context;
    progress_traps(done);
    return true;
}

enum nk_status WEB(solve_run)(bool with_traps)
{
    const struct nk_analysis_options options = {.threads = 1};
    enum nk_status status = nk_losses_new(board, NULL, NULL, &record, &error);
    has_traps = with_traps;
    if (!status)
        status = nk_find_losses(record, &options, report_pass, NULL, NULL, &error);
    return status;
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

static enum nk_status write_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                  struct nk_error *why)
{
    const enum nk_status status = nk_table_writer_append(context, codes, count, why);
    progress_writing(done);
    return status;
}

/* If memory is short for the trap values, the table has none. */
enum nk_status WEB(solve_table)(void)
{
    const struct nk_table_sink sink = {.append = append_bytes, .replace_first = replace_first_bytes};
    const struct nk_summary summary = nk_losses_summary(record);
    struct nk_table_writer *writer;
    uint8_t *traps = NULL;
    enum nk_status status = nk_table_writer_open_sink(sink, board, 1, &writer, &error);
    if (status)
        return status;
    const struct nk_values_sink values = {
        .context = writer, .take_codes = write_codes, .report_traps = report_traps};
    status = nk_find_values(record, 1, &values, has_traps ? &traps : NULL, &error);
    if (!status)
        return nk_table_writer_close(writer, &summary, traps, NULL, NULL, &error);
    nk_table_writer_abandon(writer);
    return status;
}

/* ---- verifying ---- */

static void *input;

/* Where the bytes of a table are written before verify_run; NULL if memory runs out. */
void *WEB(verify_input)(size_t size)
{
    input = malloc(size);
    return input;
}

static bool report_verifying(void *context, double done)
{
    (void)context;
    progress_verifying(done);
    return true;
}

/* Verifies the table whose `size` bytes are the input. */
enum nk_status WEB(verify_run)(size_t size)
{
    const struct nk_progress_sink sink = {.report = report_verifying};
    const struct nk_verify_options options = {.threads = 1, .progress = &sink};
    struct nk_verified verified;
    struct nk_table *table;
    enum nk_status status = nk_table_open_bytes(input, size, &table, &error);
    if (status)
        return status;
    status = nk_verify(table, &options, &verified, &error);
    nk_table_close(table);
    return status;
}
