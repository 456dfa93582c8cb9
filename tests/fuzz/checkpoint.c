/* The reader of a checkpoint's directory, and an analysis that goes on from it. The first byte says what the rest is:
 *
 *   0  two bytes for the length of the file `state`, its bytes, and those of the file `log.0`, as they are
 *
 *   1  the same, with all that is computed from other bytes corrected, so that what follows the checksums is reached
 */

#include "tests/fuzz/fuzz.h"

#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <errno.h>
#include <sys/stat.h>

/* The file `state`, as solver/checkpoint.c has it. */
enum {
    AT_VERSION = 8,
    AT_NUMBERS = 12,
    AT_RULES = 16,
    AT_PLY = 32,
    AT_BY_PLIES = 64,
    HEADER = AT_BY_PLIES + 8 * (NK_MAX_PLIES + 1),
    SECTION = 32,
    STATE = HEADER + 255 * SECTION + 8
};
static const uint8_t signature[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

/* A small board, so that there is little to look at, and the names of the checkpoint's directory and of its files. */
static const uint8_t board[8] = {3, 3, 2, 2, NK_WIN_ORTHOGONAL};
static struct nk_index *board_index;
static struct text checkpoint_path, state_path, rows_path;

static void prepare(void)
{
    const char *directory = make_directory();
    CHECK(!atexit(remove_directory));
    snprintf(checkpoint_path.s, sizeof checkpoint_path.s, "%s/saved", directory);
    snprintf(state_path.s, sizeof state_path.s, "%s/saved/state", directory);
    snprintf(rows_path.s, sizeof rows_path.s, "%s/saved/log.0", directory);
    board_index = index_of((struct nk_board){board[0], board[1], board[2], board[3], NK_WIN_ORTHOGONAL});
}

/* Makes a state right, and the rows the losses of two plies. Returns its new size. */
static size_t seal(uint8_t state[STATE], const uint8_t *rows, size_t rows_size)
{
    const uint64_t ply = get64(state + AT_PLY) % (NK_MAX_PLIES + 1);
    const size_t size = HEADER + SECTION * (ply / 2 + 1) + 8;
    memcpy(state, signature, sizeof signature);
    put32(state + AT_VERSION, 3);
    put32(state + AT_NUMBERS, (HEADER - AT_RULES) / 8);
    memcpy(state + AT_RULES, board, sizeof board);
    put64(state + AT_PLY, ply);
    if (ply >= 2) {
        uint8_t *section = state + HEADER + SECTION;
        put64(section, rows_size);
        put64(section + 8, XXH3_64bits(rows, rows_size));
        memset(section + 16, 0, SECTION - 16);
    }
    put64(state + size - 8, XXH3_64bits(state, size - 8));
    return size;
}

static bool is_error(enum nk_status status, const struct nk_error *error)
{
    return has_failed(status, error, 1 << NK_E_CORRUPT | 1 << NK_E_READ | 1 << NK_E_LIMIT, 0);
}

static void try(void)
{
    static uint64_t by_plies[NK_MAX_PLIES + 1];
    const struct nk_analysis_options options = {.threads = 1};
    struct nk_losses *losses;
    struct nk_error error;
    uint8_t *codes;
    uint64_t decided = 0;
    if (is_error(open_losses(checkpoint_path.s, board_index, &losses, &error), &error))
        return;
    const int ply = (int)losses->state.ply;
    const bool is_complete = losses->state.is_complete;
    CHECK(ply >= 0);
    CHECK(ply <= NK_MAX_PLIES);
    memcpy(by_plies, losses->state.by_plies, sizeof by_plies);
    if (!is_error(run_passes(losses, &options, &error), &error)) {
        const struct nk_summary summary = nk_losses_summary(losses);
        CHECK(summary.longest <= NK_MAX_PLIES);
        CHECK(memcmp(by_plies, losses->state.by_plies, ((size_t)ply + 1) * sizeof *by_plies) == 0);
        /* Of an incomplete record the solver checks how many positions are decided, not which: what is won in one ply
         * may be among the wins in more, or the losses in fewer plies than the last. So these are 266 or more. */
        for (int distance = 1; distance <= ply; distance++)
            decided += distance % 2 || distance < ply ? by_plies[distance] : 0;
        CHECK(is_complete || ply < 1 || (ply <= 2 ? decided == 266 : decided >= 266));
        CHECK(is_complete || summary.legal == 504);
        if (!is_error(all_codes(losses, &codes, &error), &error))
            free(codes);
    }
    nk_checkpoint_remove(losses->storage);
    close_losses(losses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t state[STATE] = {0};
    if (!board_index)
        prepare();
    if (size < 3)
        return 0;
    const bool is_sealed = data[0] % 2;
    size_t length = (size_t)(data[1] | data[2] << 8);
    data += 3;
    size -= 3;
    length = length < size ? length : size;
    length = length < STATE ? length : STATE;
    memcpy(state, data, length);
    const uint8_t *rows = data + length;
    size_t rows_size = size - length;
    if (is_sealed)
        length = seal(state, rows, rows_size);
    if (is_sealed &&
        get64(state + AT_PLY) < 2) /* a file that no section is in would have to begin with the signature */
        rows_size = 0;
    CHECK(!mkdir(checkpoint_path.s, 0777) || errno == EEXIST);
    write_bytes(state_path.s, state, length);
    write_bytes(rows_path.s, rows, rows_size);
    try();
    return 0;
}
