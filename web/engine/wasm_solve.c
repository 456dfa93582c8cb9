/* Solving a board, which web_rules has named, in steps between which a page can do other things: web_solve_pass until
 * all positions are decided. Then web_solve_codes and web_solve_traps make a table in memory; or web_solve_write hands
 * the bytes of a table file to JavaScript, for boards whose codes are too many to stay in memory. A table in memory
 * moves from one instance of the module to another with web_contents and web_open_codes. */

#include "web/engine/wasm.h"

#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"

#include <stdlib.h>
#include <string.h>

static struct nk_losses *losses;
static struct nk_analysis *analysis;
static struct nk_traps *traps; /* NULL without trap values */
static uint8_t *codes;         /* of all entries */
static uint64_t taken;         /* how many of them are known */

/* ---- boards ---- */

/* The input is the name of the winning condition. */
static struct nk_board board_of(int width, int height, int pieces, int row_length)
{
    return (struct nk_board){width, height, pieces, row_length, nk_win_named(nk_web_input)};
}

/* Why there is no such board, as nk_rules_fault; null if there is one. */
void WEB(web_board_fault)(int width, int height, int pieces, int row_length)
{
    const struct nk_board board = board_of(width, height, pieces, row_length);
    nk_json_string(&nk_web_answer, NULL, nk_rules_fault(&board, NULL));
}

/* Sets the board of this instance, once. */
void WEB(web_rules)(int width, int height, int pieces, int row_length)
{
    const struct nk_board board = board_of(width, height, pieces, row_length);
    enum nk_status status = NK_OK;
    if (board.win == NK_WIN_RULES)
        status = nk_fail(
            &nk_web_error, NK_E_RULES, 0, "a winning condition of '%s': expected %s, %s, %s, %s or %s",
            nk_web_input, nk_win_name(NK_WIN_LINE), nk_win_name(NK_WIN_ORTHOGONAL),
            nk_win_name(NK_WIN_DIAGONAL), nk_win_name(NK_WIN_EQUIDISTANT), nk_win_name(NK_WIN_CENTRE));
    if (!status)
        status = nk_rules_init(&nk_web_rules, &board, &nk_web_error);
    if (!status && !(nk_web_index = nk_index_new(&nk_web_rules)))
        status = nk_fail_memory(&nk_web_error);
    if (nk_web_good(status))
        nk_web_answer_bool(true);
}

/* ---- what solving takes ---- */

static const double module_memory = 4294967296; /* bytes that a module can have */

/* The bytes that solving a board takes: with the buffers of the table, the stack and all else. */
static double memory_of(const struct nk_index *index)
{
    const double rest = 1 << 24;
    return (double)nk_plan(index, NULL, NK_IN_MEMORY, 1, true).memory + (double)nk_index_memory(index) + rest;
}

/* What solving a board takes, in at most so many bytes, as `estimate` of the npm package describes it. */
void WEB(web_estimate)(int width, int height, int pieces, int row_length, double memory)
{
    const struct nk_board board = board_of(width, height, pieces, row_length);
    const char *fault = nk_rules_fault(&board, NULL);
    const double limit = memory < module_memory ? memory : module_memory;
    double positions = 0, bytes = 0;
    if (!fault) {
        struct nk_rules rules;
        struct nk_index index;
        (void)nk_rules_init(&rules, &board, NULL);
        nk_index_init_sizes(&rules, &index);
        positions = (double)index.placements;
        bytes = memory_of(&index);
    }
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_integer(&nk_web_answer, "positions", (int64_t)positions);
    nk_json_integer(&nk_web_answer, "bytes", (int64_t)bytes);
    if (fault || bytes > limit) {
        nk_json_begin(&nk_web_answer, "refused", '{');
        nk_json_string(&nk_web_answer, "reason", fault ? fault : "memory");
        if (!fault)
            nk_json_integer(&nk_web_answer, "limit", (int64_t)limit);
        nk_json_end(&nk_web_answer, '}');
    } else {
        nk_json_null(&nk_web_answer, "refused");
    }
    nk_json_end(&nk_web_answer, '}');
}

/* ---- deciding the positions ---- */

/* The legal positions of the board. */
void WEB(web_legal)(void)
{
    uint32_t legal = 0; /* configurations of the mover */
    for (uint32_t r = 0; r < nk_web_index->configurations; r++)
        legal += !nk_rules_won(&nk_web_rules, nk_web_index->squares[r]);
    nk_json_integer(&nk_web_answer, NULL, (int64_t)legal * nk_web_index->per_orbit);
}

/* Decides the positions of the next ply. Answers with their number, or null when all are decided. */
void WEB(web_solve_pass)(void)
{
    const struct nk_analysis_options options = {.threads = 1};
    enum nk_status status = NK_OK;
    if (!losses)
        status = nk_losses_new(nk_web_index, NULL, NULL, &losses, &nk_web_error);
    if (!status && !analysis)
        status = nk_analysis_new(losses, &options, &analysis, &nk_web_error);
    if (!status)
        status = nk_analysis_pass(analysis, &nk_web_error);
    if (!nk_web_good(status))
        return;
    if (!losses->state.is_complete) {
        nk_json_integer(&nk_web_answer, NULL, (int64_t)losses->state.by_plies[losses->state.ply]);
        return;
    }
    nk_analysis_free(analysis);
    analysis = NULL;
    nk_json_null(&nk_web_answer, NULL);
}

/* ---- a table in memory ---- */

/* Has all functions use a table of the board with these contents, which it takes. */
static void use_contents(const struct nk_summary *summary, uint8_t *entries, uint8_t *values)
{
    struct nk_table *table;
    if (nk_web_good(nk_table_from_codes(nk_web_index, summary, entries, values, &table, &nk_web_error))) {
        nk_web_use_table(table);
    } else {
        free(entries);
        free(values);
    }
}

static enum nk_status take_codes(void *context, const uint8_t *some, uint64_t count, double done,
                                 struct nk_error *error)
{
    (void)context, (void)done, (void)error;
    memcpy(codes + taken, some, (size_t)count);
    taken += count;
    return NK_OK;
}

/* Computes the codes. */
void WEB(web_solve_codes)(void)
{
    codes = calloc((size_t)nk_web_index->entries, 1);
    (void)nk_traps_new(nk_web_index, &traps); /* without memory for them, the table has no trap values */
    if (nk_web_good(codes ? nk_find_codes(losses, 1, traps, take_codes, NULL, &nk_web_error)
                          : nk_fail_memory(&nk_web_error)))
        nk_web_answer_bool(true);
}

/* Computes the trap values, and has all functions use the table. */
void WEB(web_solve_traps)(void)
{
    const struct nk_summary summary = nk_losses_summary(losses);
    uint8_t *values = NULL;
    (void)nk_traps_compute(traps, 1, NULL, &values);
    nk_traps_free(traps);
    nk_losses_free(losses);
    use_contents(&summary, codes, values);
}

/* ---- from one instance to another ---- */

/* Where the counts, the codes and the trap values of a table in memory are: [address, length] of each. */
void WEB(web_contents)(void)
{
    const struct nk_table *table = nk_web_table;
    const size_t draws = table->traps ? nk_count_draws(table->codes, (size_t)table->index->entries) : 0;
    const struct {
        const void *address;
        uint64_t length;
    } parts[] = {{&table->summary, sizeof table->summary},
                 {table->codes, table->index->entries},
                 {table->traps, draws}};
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
        nk_json_begin(&nk_web_answer, NULL, '[');
        nk_json_integer(&nk_web_answer, NULL, (int64_t)(uintptr_t)parts[n].address);
        nk_json_integer(&nk_web_answer, NULL, (int64_t)parts[n].length);
        nk_json_end(&nk_web_answer, ']');
    }
    nk_json_end(&nk_web_answer, ']');
}

/* Room for so many bytes, which web_open_codes takes; NULL if memory runs out. */
void *WEB(web_room)(size_t length)
{
    return malloc(length);
}

/* Uses the table of the board that another instance has solved, whose contents have been copied to such places;
 * `values` is NULL if it has no trap values. */
void WEB(web_open_codes)(struct nk_summary *summary, uint8_t *entries, uint8_t *values)
{
    use_contents(summary, entries, values);
    free(summary);
}

/* ---- a table file ---- */

/* Called with the share that is done of all codes, or of all trap values. */
void IMPORT(progress_writing)(double done);
void IMPORT(progress_traps)(double done);

/* Take the bytes of a table: append them, or replace the first ones. */
void IMPORT(append)(const void *bytes, size_t length);
void IMPORT(replace_first)(const void *bytes, size_t length);

static enum nk_status append_bytes(void *context, const void *bytes, size_t length, struct nk_error *error)
{
    (void)context, (void)error;
    append(bytes, length);
    return NK_OK;
}

static enum nk_status replace_first_bytes(void *context, const void *bytes, size_t length,
                                          struct nk_error *error)
{
    (void)context, (void)error;
    replace_first(bytes, length);
    return NK_OK;
}

static enum nk_status write_codes(void *context, const uint8_t *some, uint64_t count, double done,
                                  struct nk_error *error)
{
    const enum nk_status status = nk_table_writer_append(context, some, count, error);
    progress_writing(done);
    return status;
}

static bool report_traps(void *context, double done)
{
    (void)context;
    progress_traps(done);
    return true;
}

/* Writes the table. If memory is short for the trap values, it has none. */
void WEB(web_solve_write)(bool has_traps)
{
    const struct nk_table_sink sink = {.append = append_bytes, .replace_first = replace_first_bytes};
    const struct nk_progress_sink progress = {.report = report_traps};
    const struct nk_summary summary = nk_losses_summary(losses);
    struct nk_table_writer *writer;
    uint8_t *values = NULL;
    enum nk_status status = nk_table_writer_open(sink, nk_web_index, 1, &writer, &nk_web_error);
    if (!nk_web_good(status))
        return;
    if (has_traps)
        (void)nk_traps_new(nk_web_index, &traps);
    status = nk_find_codes(losses, 1, traps, write_codes, writer, &nk_web_error);
    if (!status)
        (void)nk_traps_compute(traps, 1, &progress, &values);
    nk_traps_free(traps);
    if (!status)
        status = nk_table_writer_close(writer, &summary, values, NULL, NULL, &nk_web_error);
    else
        nk_table_writer_abandon(writer);
    if (nk_web_good(status))
        nk_web_answer_bool(true);
}
