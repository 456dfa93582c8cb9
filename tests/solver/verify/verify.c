/* The verifier finds every error in a table, and none in a correct one. */

#include "solver/checkpoint/store.h"
#include "solver/analysis/traps.h"
#include "solver/verify/verify.h"
#include "solver/verify/traps.h"
#include "tests/seal.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(verify, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static struct nk_table *opened; /* where a test verifies one table several times, which it does not change */

/* The result of the verifier for the table of these codes and traps, which are as solved but for what a test changed.
 * What is accepted must have the counts of the solution. */
static enum nk_status verdict(const struct solved *s, struct nk_verify_options options,
                              struct nk_error *error)
{
    AUTO_BYTES bytes = {0};
    if (!opened)
        bytes = table_bytes(s);
    struct nk_table *table = opened ? opened : open_bytes(bytes);
    struct nk_verified found;
    struct nk_directory directory = {0};
    enum nk_status status =
        options.directory ? nk_directory_open(options.directory, &directory, error) : NK_OK;
    if (!status)
        status = nk_verify(table, &options, &found, error);
    nk_directory_close(&directory);
    if (!opened)
        nk_table_close(table);
    if (!status) {
        cr_assert(!memcmp(&found.summary, &s->solution->summary, sizeof found.summary));
        cr_assert(!memcmp(found.by_plies, s->solution->by_plies, sizeof found.by_plies));
    }
    return status;
}

/* Expects a status and, in the message and a newline, a text. */
static void expect(enum nk_status expected, const char *text, const struct solved *s,
                   struct nk_verify_options options)
{
    struct nk_error error = {0};
    const enum nk_status status = verdict(s, options, &error);
    strncat(error.text, "\n", sizeof error.text - strlen(error.text) - 1);
    cr_assert(status == expected, "%s: %d, %s", text, status, error.text);
    cr_assert(strstr(error.text, text), "%s: %d, %s", text, status, error.text);
}

static const struct nk_verify_options usual = {0};

/* A table without traps, since wrong codes may have more draws. */
static struct solved solve_without_traps(struct nk_board board)
{
    struct solved s = solve_board(board);
    free(s.traps);
    s.traps = NULL;
    return s;
}

/* A correct table is accepted. The message for another one names a position, though it may be another one whose value
 * depends on it. */
Test(verify, finds_every_wrong_code)
{
    static const struct nk_board boards[] = {
        {3, 3, 3, 3, NK_WIN_LINE},
        {3, 3, 2, 2, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, /* with positions without a move */
        {3, 3, 4, 4, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED s = solve_without_traps(boards[i]);
        const int most = CODE_LOSS + (int)s.solution->summary.longest / 2 + 2;
        expect(NK_OK, "", &s, usual);
        for (uint64_t entry = 0; entry < s.index->entries; entry += is_thorough() ? 1 : 5) {
            const uint8_t right = s.codes[entry];
            for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < most ? 1 : 83) {
                s.codes[entry] = (uint8_t)wrong;
                if (wrong != right)
                    expect(NK_E_CORRUPT, "/", &s, usual);
            }
            s.codes[entry] = right;
        }
    }
}

/* Even the message does not depend on the number of threads, of which each may find one of two faults. */
Test(verify, threads_of_every_number_agree)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){4, 3, 3, 3, NK_WIN_LINE});
    for (uint64_t entry = 0; entry + 100 < s.index->entries; entry += 297) {
        struct nk_error error;
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
        verdict(&s, (struct nk_verify_options){.threads = 1}, &error);
        for (int threads = 2; threads <= 8; threads += 3)
            expect(NK_E_CORRUPT, error.text, &s, (struct nk_verify_options){.threads = threads});
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
    }
}

Test(verify, finds_every_wrong_trap)
{
    AUTO_SOLVED s = solve_board((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    uint8_t *trap = s.traps;
    expect(NK_OK, "", &s, usual);
    for (uint64_t entry = 0; entry < s.index->entries; entry++)
        if (s.codes[entry] == CODE_DRAW) {
            const struct nk_text own = position_text(&s.rules, nk_index_position(s.index, entry));
            const uint8_t right = *trap;
            for (int change = -1; change <= 1; change += 2) {
                *trap = (uint8_t)(right + change);
                expect(NK_E_CORRUPT, own.s, &s, usual);
            }
            *trap++ = right;
        }
}

Test(verify, finds_wrong_counts_and_checksums)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){3, 3, 4, 3, NK_WIN_LINE});
    struct nk_summary *summary = &s.solution->summary;
    struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"legal positions", &summary->legal},
                  {"wins", &summary->wins},
                  {"losses", &summary->losses},
                  {"draws", &summary->draws},
                  {"draws without a move", &summary->stalemates}};
    for (size_t i = 0; i < COUNT(counts); i++) {
        ++*counts[i].count;
        expect(NK_E_CORRUPT, counts[i].name, &s, usual);
        --*counts[i].count;
    }
    summary->longest++;
    expect(NK_E_CORRUPT, "plies at most", &s, usual);
    summary->longest--;
    AUTO_BYTES bytes = table_bytes(&s);
    struct nk_verified verified;
    struct nk_error error;
    bytes.data[TABLE_AT_CODES_CHECKSUM] ^= 1;
    seal_header(bytes.data, bytes.size);
    AUTO_TABLE *wrong = open_bytes(bytes);
    cr_assert_eq(nk_verify(wrong, &usual, &verified, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "the table is wrong: the checksum of all codes does not match");
}

/* ---- memory ---- */

/* On a board with many draws, the traps take more memory than all else: also with a checkpoint. */
Test(verify, counts_the_memory)
{
    AUTO_SOLVED s = solve_board((struct nk_board){4, 4, 4, 4, NK_WIN_LINE});
    const uint32_t draws = (uint32_t)nk_count_draws(s.codes, s.index->entries);
    const uint64_t moves = sizeof(uint32_t) * nk_traps_usual_moves(s.index, draws);
    const uint64_t without_moves = nk_trap_check_memory(s.index, draws) - moves;
    const struct nk_verify_options options = {.threads = 1, .memory = without_moves};
    expect(NK_E_MEMORY, " MiB are allowed\n", &s, options);
    free(s.traps);
    s.traps = NULL;
    expect(NK_OK, "", &s, options);
    expect(NK_E_MEMORY, "with --checkpoint it takes less\n", &s, (struct nk_verify_options){.memory = 1});
}

/* ---- interrupted verifications ---- */

/* Ends the process at some time during the verification. */
static void die(void *context, double done)
{
    int *left = context;
    cr_assert(done >= 0);
    cr_assert(done <= 1);
    if (!--*left)
        _exit(0);
}

/* Starts a verification that saves its state in "saved" as often as it can, and ends it after `reports` reports of
 * progress. Returns whether it ended before. */
static bool verify_and_die(const struct solved *s, uint64_t memory, int reports)
{
    int result;
    const struct nk_progress_sink sink = {die, &reports};
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (!child)
        _exit(verdict(s, (struct nk_verify_options){1, memory, "saved", &sink}, NULL) ? 2 : 1);
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_assert(WIFEXITED(result));
    cr_assert(WEXITSTATUS(result) < 2);
    return WEXITSTATUS(result) == 1;
}

/* With large and with small batches, and the rest with others. */
Test(verify, resumes_wherever_it_was_killed)
{
    const uint64_t little = 5 << 20, much = 64 << 20;
    AUTO_SOLVED s = solve_board((struct nk_board){6, 5, 3, 3, NK_WIN_LINE});
    int resumed = 0;
    opened = open_table(&s);
    for (int reports = 1; !verify_and_die(&s, reports % 2 ? little : much, reports);
         reports += is_thorough() ? 3 : 9, resumed++) {
        if (reports % 5 == 0)
            verify_and_die(&s, little, 2);
        expect(NK_OK, "", &s,
               (struct nk_verify_options){.memory = reports % 4 < 2 ? little : much, .directory = "saved"});
        cr_assert(access("saved", F_OK), "the directory stays");
    }
    cr_assert(resumed > 2, "killed %d times only", resumed);
}

/* The file `verify-state`, as solver/checkpoint/store.c and solver/verify/verify.c have it. */
enum { AT_PHASE = 24, AT_ROWS = 32, AT_SECTIONS = 16 + 8 * (4 + 513) };

Test(verify, rejects_an_invalid_state)
{
    AUTO_SOLVED s = solve_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    opened = open_table(&s);
    verify_and_die(&s, 0, 4); /* all rows are stored */
    /* Right checksums of what cannot be right: a row of one byte, and numbers. Wrong ones:
     * tests/solver/log/log.c. */
    AUTO_BYTES state = read_bytes("saved/verify-state"), rows = read_bytes("saved/verify.0");
    const uint64_t length = 1;
    rows.data[get64(state.data + AT_SECTIONS + 24)] = 2;
    write_bytes("saved/verify.0", rows.data, rows.size);
    const struct {
        size_t at, cut; /* cut: from the end */
        uint64_t value;
        const char *message;
    } cases[] = {
        {AT_SECTIONS, 0, length, "verify.0: damaged"}, {AT_PHASE, 0, 2, "verify-state: damaged"},
        {AT_ROWS, 0, 1000, "verify-state: damaged"},   {AT_ROWS, 0, 30, "verify-state: damaged"},
        {AT_PHASE, 32, 0, "verify-state: damaged"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_BYTES changed = read_bytes("saved/verify-state");
        uint8_t *number = changed.data + cases[i].at, *end = changed.data + changed.size - 8 - cases[i].cut;
        put64(number, cases[i].value);
        if (cases[i].at == AT_SECTIONS)
            put64(number + 8, XXH3_64bits(rows.data + get64(number + 24), cases[i].value));
        put64(end, XXH3_64bits(changed.data, (size_t)(end - changed.data)));
        write_bytes("saved/verify-state", changed.data, changed.size - cases[i].cut);
        expect(NK_E_CORRUPT, cases[i].message, &s, (struct nk_verify_options){.directory = "saved"});
        write_bytes("saved/verify-state", state.data, state.size);
    }
}
