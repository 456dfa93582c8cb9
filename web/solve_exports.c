/* The functions that web/solver.js calls in a worker to solve a board, once in each instance of the module. They are called
 * in this order: solve_board, solve_run, for each block of the table solve_block, and for each table that is made of these
 * blocks solve_packed for each of them, then solve_header. The page compresses the blocks, since WebAssembly has no zlib. */

#include "common/table_format.h"
#include "solver/analysis/retrograde.h"
#include "solver/analysis/trap.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define WEB(name) __attribute__((export_name(#name))) name

/* Called with the positions that a ply decided and, for a `ply` of -1, with the share of the trap values that is done. */
__attribute__((import_module("env"), import_name("progress"))) void progress(int ply, double done);

static struct nk_index *board;
static struct nk_solution *solution;
static struct nk_traps *traps;
static uint8_t *trap_values; /* of all draws, or NULL */
static struct nk_error error;
static int threads;

static XXH3_state_t *codes_hash;
static uint8_t *header; /* with the list of blocks */
static uint32_t block_count;
static uint16_t *draws; /* [block_count] how many in each block of codes */
static uint64_t end;    /* of the last block in the file */

static uint8_t block[NK_BLOCK_ENTRIES], packed[NK_MAX_PACKED];
static size_t block_length;
static uint32_t part;        /* of the solution, the next one */
static const uint8_t *codes; /* of the part before it, those that are not in a block yet */
static uint64_t codes_left;
static const uint8_t *next_trap;

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
    progress(-1, done);
}

static enum nk_status begin_table(void)
{
    block_count = nk_block_count(board->entries);
    header = calloc((size_t)nk_list_end(block_count), 1);
    draws = calloc(block_count, sizeof *draws);
    codes_hash = XXH3_createState();
    if (!header || !draws || !codes_hash)
        return nk_fail(&error, NK_E_MEMORY, 0, "out of memory for the table");
    XXH3_64bits_reset(codes_hash);
    return NK_OK;
}

/* If memory is short for the trap values, the table has none. */
enum nk_status WEB(solve_run)(bool with_traps, int most_threads)
{
    threads = most_threads;
    const struct nk_solve_options options = {.progress = report_ply, .threads = threads};
    enum nk_status status = nk_solve(board, &options, &solution, &error);
    if (!status && with_traps)
        (void)nk_traps_new(board, &traps);
    return status ? status : begin_table();
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

/* The number of blocks of codes; as many of trap values follow. */
uint32_t WEB(solve_block_count)(void)
{
    return block_count;
}

/* Fills a block of codes from the parts of the solution. */
static enum nk_status fill_codes(uint32_t number)
{
    block_length = 0;
    while (block_length < sizeof block && (codes_left || part < nk_solution_parts(solution))) {
        if (!codes_left) {
            const enum nk_status status = nk_solution_part(solution, part++, &codes, &codes_left, &error);
            if (status)
                return status;
            nk_traps_add(traps, codes, codes_left);
        }
        const size_t room = sizeof block - block_length,
                     taken = codes_left < room ? (size_t)codes_left : room;
        memcpy(block + block_length, codes, taken);
        block_length += taken;
        codes += taken;
        codes_left -= taken;
    }
    XXH3_64bits_update(codes_hash, block, block_length);
    draws[number] = (uint16_t)nk_count_draws(block, block_length);
    return NK_OK;
}

static void fill_traps(uint32_t number)
{
    if (number == 0) {
        const struct nk_progress_sink sink = {.report = report_traps};
        (void)nk_traps_compute(traps, threads, &sink, &trap_values);
        next_trap = trap_values;
    }
    block_length = trap_values ? draws[number] : 0;
    if (block_length)
        memcpy(block, next_trap, block_length);
    next_trap += block_length;
}

/* Fills the blocks in their order. */
enum nk_status WEB(solve_block)(uint32_t number)
{
    if (number < block_count)
        return fill_codes(number);
    fill_traps(number - block_count);
    return NK_OK;
}

/* What was filled; a block of trap values may be empty, and is then not compressed. */
const uint8_t *WEB(solve_block_bytes)(void)
{
    return block;
}

size_t WEB(solve_block_length)(void)
{
    return block_length;
}

/* Where the page writes a compressed block, up to NK_MAX_PACKED bytes, before solve_packed. */
uint8_t *WEB(solve_packed_bytes)(void)
{
    return packed;
}

/* Records the compressed blocks, in their order. The first one begins a table, of which there may be several. */
void WEB(solve_packed)(uint32_t number, size_t length)
{
    if (number == 0) {
        end = nk_list_end(block_count);
        memset(header, 0, (size_t)end);
    }
    end += length;
    nk_table_put_block(header, number, end, XXH3_64bits(packed, length));
}

/* Completes the header and the list of blocks, and returns their bytes. */
const uint8_t *WEB(solve_header)(void)
{
    nk_table_put_header(header, &board->rules, &solution->summary, board->entries, end,
                        XXH3_64bits_digest(codes_hash));
    return header;
}

size_t WEB(solve_header_length)(void)
{
    return (size_t)nk_list_end(block_count);
}
