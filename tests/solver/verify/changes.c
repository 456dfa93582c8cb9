/* The verifier rejects every table in which a single code has been changed.
 *
 * It reports one position only, so a table with several changes would show one of them, and runs for all changes of 5x5
 * would take days. Three facts replace them, besides the runs for all of small boards in verify.c:
 *
 *   1. The kernel compares every code with what it computes from the positions after the moves
 *      (every_code_is_compared). Any other code in its place fails this comparison (kernel.c).
 *   2. A failed comparison rejects the table (every_failed_comparison_rejects_the_table).
 *   3. A change does not alter what its own code is compared with, unless a move leads from a position to itself; or
 *      two moves do, as the distance of a loss is compared with the distances of wins. These positions, and those that
 *      are over, which the kernel does not compare, have runs of their own
 *      (changes_that_the_kernel_does_not_show_are_found). */

#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/verify/verify.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

TestSuite(changes, .init = enter_directory, .fini = leave_directory, .timeout = 36000);

static const struct nk_board small = {3, 3, 3, 3, NK_WIN_LINE}, square = {4, 4, 3, 3, NK_WIN_LINE};

/* A solved board with its table, without trap values, since wrong codes may have more draws. */
struct subject {
    struct solved solved;
    struct bytes bytes;
};

static struct subject subject_of(struct nk_board board)
{
    struct subject subject = {.solved = solve_board(board)};
    free(subject.solved.traps);
    subject.solved.traps = NULL;
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

/* ---- changes that do not fail the comparison of the kernel ---- */

/* Whether a move from a position of the entry leads to an entry. */
static bool leads_to(const struct nk_index *index, uint64_t entry, uint64_t to)
{
    struct nk_move moves[NK_MAX_MOVES];
    const struct nk_position position = nk_index_position(index, entry);
    const int count =
        goes_on(&index->rules, position) ? nk_position_moves(&index->rules, position, moves) : 0;
    for (int m = 0; m < count; m++)
        if (nk_index_entry(index, nk_position_after(position, moves[m])) == to)
            return true;
    return false;
}

/* Whether a move, or two, lead from a position to itself. */
static bool leads_back(const struct nk_index *index, uint64_t entry, bool by_two)
{
    struct nk_move moves[NK_MAX_MOVES];
    const struct nk_position position = nk_index_position(index, entry);
    const int count = nk_position_moves(&index->rules, position, moves);
    for (int m = 0; m < count; m++) {
        const uint64_t after = nk_index_entry(index, nk_position_after(position, moves[m]));
        if (after == entry || (by_two && leads_to(index, after, entry)))
            return true;
    }
    return false;
}

/* Kinds of wrong codes: another result, the end of the game, the next distances of losses, one beyond the longest, the
 * greatest code. The right one may be among them. */
enum { KINDS = 8 };
static uint8_t wrong_code(const struct solved *solved, uint8_t right, int kind)
{
    const uint8_t longest = code_of_loss((int)solved->solution->summary.longest);
    const uint8_t codes[KINDS] = {CODE_WIN,
                                  CODE_DRAW,
                                  CODE_LOSS,
                                  CODE_LOSS + 1,
                                  (uint8_t)(right - 1),
                                  (uint8_t)(right + 1),
                                  (uint8_t)(longest + 1),
                                  UINT8_MAX};
    return codes[kind];
}

/* How many kinds of wrong codes an entry gets: all where moves lead back, one where the game is over, or none. */
static int kinds_of(const struct solved *solved, uint64_t entry)
{
    const struct nk_position position = nk_index_position(solved->index, entry);
    if (nk_rules_won(&solved->rules, position.other))
        return 1;
    return goes_on(&solved->rules, position) &&
                   leads_back(solved->index, entry, solved->codes[entry] > CODE_LOSS)
               ? KINDS
               : 0;
}

/* Of an entry that gets one: another kind for each of its neighbours. */
static int first_kind(const struct solved *solved, uint64_t entry)
{
    int kind = (int)(entry / 7 % KINDS);
    while (wrong_code(solved, solved->codes[entry], kind) == solved->codes[entry])
        kind = (kind + 1) % KINDS;
    return kind;
}

struct runs {
    const struct subject *subject;
    uint32_t parts, stride;
    atomic_ullong runs, missed; /* how many there were; the changes that were not found */
    atomic_ullong missed_entry; /* one of them */
};

/* Verifies the table with one wrong code. What is found must be a position: the counts in the header are those of the
 * right codes, so they would show most changes too. */
static void run_with(struct runs *runs, struct nk_table *table, uint64_t entry, uint8_t wrong)
{
    struct nk_error error = {0};
    uint8_t *code = &table->blocks[entry / TABLE_BLOCK_CODES][entry % TABLE_BLOCK_CODES];
    const uint8_t right = *code;
    if (wrong == right)
        return;
    *code = wrong;
    if (verify(table, &error) != NK_E_CORRUPT || !strchr(error.text, '/')) {
        runs->missed++;
        runs->missed_entry = entry;
    }
    *code = right;
    runs->runs++;
}

/* The entries of a part. All blocks of these boards stay in memory once they have been read, and are changed there. */
static void run_part(void *context, uint32_t part, int worker)
{
    struct runs *runs = context;
    const struct solved *solved = &runs->subject->solved;
    AUTO_TABLE *table = open_bytes(runs->subject->bytes);
    (void)worker;
    if (verify(table, NULL)) {
        runs->missed++;
        return;
    }
    for (uint64_t entry = part; entry < solved->index->entries; entry += runs->parts) {
        const int count = entry / 16 % runs->stride ? 0 : kinds_of(solved, entry);
        const int first = count == 1 ? first_kind(solved, entry) : 0;
        for (int kind = first; kind < first + count; kind++)
            run_with(runs, table, entry, wrong_code(solved, solved->codes[entry], kind));
    }
}

/* Sixteen entries of so many times sixteen are changed. */
#ifdef SANITIZED /* where a run takes 20 times as long */
enum { THOROUGH_STRIDE = 211, STRIDE = 260 };
#else
enum { THOROUGH_STRIDE = 211, STRIDE = 13 };
#endif

Test(changes, changes_that_the_kernel_does_not_show_are_found)
{
    AUTO_SUBJECT subject = subject_of(is_thorough() ? STANDARD : square);
    const int threads = nk_system_processors();
    struct runs runs = {
        .subject = &subject, .parts = (uint32_t)threads, .stride = is_thorough() ? THOROUGH_STRIDE : STRIDE};
    nk_parallel(threads, runs.parts, run_part, &runs);
    cr_assert_eq(runs.missed, 0, "%llu changes were not found, one of them of entry %llu", runs.missed,
                 runs.missed_entry);
    cr_log_info("%llu runs", (unsigned long long)runs.runs);
    cr_assert(runs.runs > 1);
}
