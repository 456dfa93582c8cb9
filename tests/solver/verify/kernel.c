/* The verifier's kernels for all widths of vectors that this processor supports. */

#include "common/play/play.h"
#include "common/table/table.h"
#include "solver/verify/verify.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(kernel, .timeout = 60);

enum { GROUP = NK_VERIFY_GROUP, MOST = 1000 };

/* Runs a test with each kernel. */
static void with_each(void (*test)(const struct nk_verify_kernel *kernel))
{
    for (int bytes = 16; bytes <= 64; bytes *= 2) {
        const struct nk_verify_kernel *kernel = nk_verify_find_kernel(bytes);
        if (kernel)
            test(kernel);
    }
}

Test(kernel, exists_for_these_widths)
{
    cr_assert_not_null(nk_verify_find_kernel(16));
    cr_assert_not_null(nk_verify_find_kernel(0));
    cr_assert_null(nk_verify_find_kernel(8));
}

/* The greatest element of `after` against an orbit, of the moves of a position as the rules list them. */
static uint8_t greatest(const struct nk_index *index, struct nk_position position,
                        const struct nk_group_bytes *after, int orbit)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&index->rules, position, moves);
    uint8_t best = 0;
    for (int m = 0; m < count; m++) {
        const uint32_t to = nk_index_number(index, nk_position_after(position, moves[m]).other);
        best = after[to].orbit[orbit] > best ? after[to].orbit[orbit] : best;
    }
    return best;
}

static void compare_best_moves(const struct nk_verify_kernel *kernel)
{
    AUTO_INDEX *index = index_of((struct nk_board){4, 3, 3, 3, NK_WIN_LINE});
    static struct nk_group_bytes after[MOST], best[MOST];
    uint64_t others[GROUP], random = 1;
    for (int o = 0; o < GROUP; o++)
        others[o] = index->squares[(uint32_t)o * 3 % index->configurations];
    for (uint32_t r = 0; r < index->configurations; r++)
        for (int o = 0; o < GROUP; o++)
            after[r].orbit[o] = (uint8_t)(nk_random(&random) % 256);
    kernel->best_moves(index, others, after, best);
    for (uint32_t r = 0; r < index->configurations; r++)
        for (int o = 0; o < GROUP; o++) {
            const struct nk_position position = {index->squares[r], others[o]};
            if (!(position.mover & position.other) && goes_on(&index->rules, position))
                cr_assert_eq(best[r].orbit[o], greatest(index, position, after, o));
        }
}

Test(kernel, finds_the_best_moves)
{
    with_each(compare_best_moves);
}

static void compare_transposed(const struct nk_verify_kernel *kernel)
{
    struct nk_group_bytes bytes[GROUP], transposed[GROUP];
    const struct nk_group_bytes *tile[GROUP];
    uint64_t random = 1;
    for (int i = 0; i < GROUP; i++) {
        tile[i] = &bytes[GROUP - 1 - i];
        for (int j = 0; j < GROUP; j++)
            bytes[i].orbit[j] = (uint8_t)(nk_random(&random) % 256);
    }
    kernel->transpose(tile, transposed);
    for (int i = 0; i < GROUP; i++)
        for (int j = 0; j < GROUP; j++)
            cr_assert_eq(transposed[j].orbit[i], tile[i]->orbit[j], "%d, %d", i, j);
}

Test(kernel, transposes_tiles)
{
    with_each(compare_transposed);
}

/* Each code with each value, at places in and after whole vectors, between codes that agree. */
static void measure_pairs(const struct nk_verify_kernel *kernel)
{
    enum { COUNT_OF_CODES = 77 };
    for (int code = 0; code < 256; code++)
        for (int value = 0; value < 256; value++) {
            uint8_t codes[COUNT_OF_CODES] = {0}, best[COUNT_OF_CODES];
            const int place = (code * 7 + value) % COUNT_OF_CODES;
            const bool agrees = value >= NK_VALUE_WIN    ? code == NK_CODE_WIN
                                : value == NK_VALUE_DRAW ? code == NK_CODE_DRAW
                                                         : code > NK_CODE_LOSS;
            memset(best, 255, sizeof best);
            codes[place] = (uint8_t)code;
            best[place] = (uint8_t)value;
            cr_assert_eq(kernel->measure(codes, best, COUNT_OF_CODES), agrees, "%d, %d", code, value);
            if (agrees)
                cr_assert_eq(codes[place], code == NK_CODE_WIN ? 257 - value : 0, "%d, %d", code, value);
        }
}

Test(kernel, measures_every_code_with_every_value)
{
    with_each(measure_pairs);
}

static void check_pairs(const struct nk_verify_kernel *kernel)
{
    enum { COUNT_OF_CODES = 77 };
    for (int code = 0; code < 256; code++)
        for (int farthest = 0; farthest < 256; farthest++) {
            uint8_t codes[COUNT_OF_CODES] = {0}, wins[COUNT_OF_CODES] = {0};
            const int place = (code * 7 + farthest) % COUNT_OF_CODES;
            codes[place] = (uint8_t)code;
            wins[place] = (uint8_t)farthest;
            cr_assert_eq(kernel->check(codes, wins, COUNT_OF_CODES),
                         code < NK_CODE_LOSS || code == farthest + 1, "%d, %d", code, farthest);
        }
}

Test(kernel, checks_every_loss_with_every_win)
{
    with_each(check_pairs);
}
