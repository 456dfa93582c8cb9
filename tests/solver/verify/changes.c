/* The verifier rejects every table in which a single code has been changed.
 *
 * It reports one position only, so a table with several changes would show one of them, and runs for all changes of 5x5
 * would take days. Three facts replace them, besides the runs for all of small boards in verify.c:
 *
 *   1. The kernel compares every code with what it computes from the positions after the moves
 *      (every_code_is_compared). Any other code in its place fails this comparison (kernel.c).
 *   2. A failed comparison rejects the table (every_failed_comparison_rejects_the_table).
 *   3. A change does not alter what its own code is compared with, unless a move leads from a position to itself; or
 *      two moves do, as the distance of a loss is compared with the distances of wins. Such positions, and those that
 *      are over, which the kernel does not compare, are among those that are changed (are_found_wherever_they_are).
 */

#include "common/table/table.h"
#include "solver/verify/verify.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(changes, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static const struct nk_board small = {3, 3, 3, 3, NK_WIN_LINE}, square = {4, 4, 3, 3, NK_WIN_LINE};

/* A solved board with its table, without trap values, since wrong codes may have more draws. */
struct subject {
    struct solved solved;
    struct bytes bytes;
};

static struct subject subject_of(struct nk_board board)
{
    struct subject subject = {.solved = solve_without_traps(board)};
    subject.bytes = table_bytes(&subject.solved);
    return subject;
}

static void subject_free(struct subject *subject)
{
    solved_free(&subject->solved);
    bytes_free(&subject->bytes);
}
#define AUTO_SUBJECT AUTO(subject_free) struct subject

/* ---- comparisons of the kernel ---- */

/* A kernel in the place of the fastest one, which a test observes, and that one. */
static struct nk_verify_kernel observed;
static const struct nk_verify_kernel *real, *used;

static void observe(bool (*measure)(uint8_t *, const uint8_t *, uint32_t),
                    bool (*check)(const uint8_t *, const uint8_t *, uint32_t))
{
    real = nk_verify_find_kernel(0);
    observed = *real;
    observed.measure = measure;
    observed.check = check;
    used = &observed;
}

static enum nk_status verify(struct nk_table *table, struct nk_error *error)
{
    const struct nk_verify_options options = {.threads = 1, .kernel = used};
    struct nk_verified verified;
    return nk_verify(table, &options, &verified, error);
}

static uint64_t measured, checked; /* codes */

static bool count_measured(uint8_t *codes, const uint8_t *best, uint32_t count)
{
    measured += count;
    return real->measure(codes, best, count);
}

static bool count_checked(const uint8_t *codes, const uint8_t *farthest, uint32_t count)
{
    checked += count;
    return real->check(codes, farthest, count);
}

/* The entries whose codes the kernel compares: those of orbits that have not won. */
static uint64_t compared_entries(const struct nk_index *index)
{
    uint64_t orbits = 0;
    for (uint32_t orbit = 0; orbit < index->orbit_count; orbit++)
        orbits += !nk_rules_won(&index->rules, nk_index_canonical_squares(index, orbit));
    return orbits * index->per_orbit;
}

/* First with the best result after the moves, then, for the distance of a loss, with the farthest win. */
Test(changes, every_code_is_compared)
{
    AUTO_SUBJECT subject = subject_of(square);
    AUTO_TABLE *table = open_bytes(subject.bytes);
    observe(count_measured, count_checked);
    cr_assert_eq(verify(table, NULL), NK_OK);
    cr_assert_eq(measured, compared_entries(subject.solved.index));
    cr_assert_eq(checked, measured);
}

static uint64_t comparisons, failing; /* how many there were; which one fails */

static bool measure_or_fail(uint8_t *codes, const uint8_t *best, uint32_t count)
{
    return real->measure(codes, best, count) && comparisons++ != failing;
}

static bool check_or_fail(const uint8_t *codes, const uint8_t *farthest, uint32_t count)
{
    return real->check(codes, farthest, count) && comparisons++ != failing;
}

Test(changes, every_failed_comparison_rejects_the_table)
{
    AUTO_SUBJECT subject = subject_of(is_thorough() ? square : small);
    AUTO_TABLE *table = open_bytes(subject.bytes);
    observe(measure_or_fail, check_or_fail);
    failing = UINT64_MAX;
    cr_assert_eq(verify(table, NULL), NK_OK);
    const uint64_t all = comparisons;
    cr_assert(all > 20);
    for (failing = 0; failing < all; failing++) {
        comparisons = 0;
        cr_assert_eq(verify(table, NULL), NK_E_CORRUPT, "comparison %d", (int)failing);
    }
}

/* ---- changes of a code ---- */

/* All blocks of this board stay in memory once they have been read, and are changed there. What is found must be a
 * position: the counts in the header are those of the right codes, so they would show most changes too. */
Test(changes, are_found_wherever_they_are)
{
    AUTO_SUBJECT subject = subject_of(square);
    AUTO_TABLE *table = open_bytes(subject.bytes);
    const int longest = (int)subject.solved.solution->summary.longest;
    cr_assert_eq(verify(table, NULL), NK_OK);
    for (uint64_t entry = 0; entry < subject.solved.index->entries; entry += 499) {
        uint8_t *code = &table->blocks[entry / TABLE_BLOCK_CODES][entry % TABLE_BLOCK_CODES];
        const uint8_t right = *code;
        /* Another result, the end of the game, the next distances of losses, one beyond the longest, the greatest. */
        const uint8_t wrong[] = {CODE_WIN,
                                 CODE_DRAW,
                                 CODE_LOSS,
                                 CODE_LOSS + 1,
                                 (uint8_t)(right - 1),
                                 (uint8_t)(right + 1),
                                 (uint8_t)(code_of_loss(longest) + 1),
                                 UINT8_MAX};
        for (size_t i = 0; i < COUNT(wrong); i++) {
            struct nk_error error = {0};
            *code = wrong[i];
            cr_assert(*code == right || (verify(table, &error) == NK_E_CORRUPT && strchr(error.text, '/')),
                      "entry %d: %d for %d: %s", (int)entry, wrong[i], right, error.text);
        }
        *code = right;
    }
}
