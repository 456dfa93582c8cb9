/* The verifier finds every error in a table, and none in a correct one. */

#include "solver/verify.h"
#include "tests/seal.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

TestSuite(verify, .init = enter_directory, .fini = leave_directory, .timeout = 600);

/* The result of the verifier for the table of these codes and traps, which are as solved but for what a test changed. */
static enum nk_status verdict(const struct solved *s, int threads, struct nk_verified *verified,
                              struct nk_error *error)
{
    struct bytes bytes = table_bytes(s);
    struct nk_table *table = open_bytes(bytes);
    const enum nk_status status = nk_verify(table, threads, verified, error);
    nk_table_close(table);
    free(bytes.data);
    return status;
}

/* The same without traps, which must be rejected; error->text is the reason. */
static void reject(struct solved *s, struct nk_error *error, const char *what)
{
    struct nk_verified verified;
    struct solved without = *s;
    without.traps = NULL;
    cr_assert_eq(verdict(&without, 0, &verified, error), NK_E_CORRUPT, "%s is accepted", what);
    cr_assert_eq(error->status, NK_E_CORRUPT);
}

/* ---- correct tables ---- */

Test(verify, accepts_correct_tables)
{
    static const struct board boards[] = {
        {3, 3, 4, 3, NK_WIN_LINE},        {3, 3, 4, 4, NK_WIN_LINE},   {4, 3, 3, 3, NK_WIN_LINE},
        {4, 3, 5, 3, NK_WIN_ORTHOGONAL},  {5, 5, 2, 2, NK_WIN_CENTRE}, {5, 5, 3, 3, NK_WIN_LINE},
        {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {8, 8, 2, 2, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 2); i++) {
        struct solved s = solve_board(boards[i]);
        struct nk_verified verified;
        struct nk_error error;
        cr_assert(!verdict(&s, 0, &verified, &error), "%s: %s", board_text(boards[i]).s, error.text);
        cr_assert(!memcmp(&verified.summary, &s.solution->summary, sizeof verified.summary));
        cr_assert(!memcmp(verified.by_distance, s.solution->by_distance, sizeof verified.by_distance));
        solved_free(&s);
    }
}

/* ---- one wrong code ---- */

/* Gives an entry a wrong code. The message names a position, though it may be another one whose value depends on it. */
static void find_wrong_code(struct solved *s, uint64_t entry, uint8_t wrong)
{
    const uint8_t right = s->codes[entry];
    struct nk_error error;
    s->codes[entry] = wrong;
    reject(s, &error, position_text(&s->rules, nk_index_position(s->index, entry)).s);
    cr_assert(!strncmp(error.text, "the table is wrong: ", 20) && strchr(error.text, '/'), "%s", error.text);
    s->codes[entry] = right;
}

static void find_all_wrong_codes(struct board board)
{
    struct solved s = solve_board(board);
    const int most = NK_CODE_LOSS + (int)s.solution->summary.longest / 2 + 2;
    for (uint64_t entry = 0; entry < s.index->entries; entry++) {
        for (int wrong = 0; wrong <= most; wrong++)
            if (wrong != s.codes[entry])
                find_wrong_code(&s, entry, (uint8_t)wrong);
        find_wrong_code(&s, entry, 255);
    }
    solved_free(&s);
}

Test(verify, finds_every_wrong_code_of_small_boards)
{
    find_all_wrong_codes((struct board){3, 3, 3, 3, NK_WIN_LINE});
    find_all_wrong_codes((struct board){3, 3, 2, 2, NK_WIN_LINE});
    find_all_wrong_codes((struct board){3, 3, 4, 3, NK_WIN_LINE}); /* with positions without a move */
    find_all_wrong_codes((struct board){3, 3, 4, 4, NK_WIN_LINE});
}

/* Even the message does not depend on the number of threads, of which each may find one of two faults. */
Test(verify, threads_of_every_number_agree)
{
    struct solved s = solve_board((struct board){4, 3, 3, 3, NK_WIN_LINE});
    free(s.traps);
    s.traps = NULL; /* the wrong codes may have more draws */
    for (uint64_t entry = 0; entry + 100 < s.index->entries; entry += 297) {
        struct nk_verified verified;
        struct nk_error expected, error;
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
        verdict(&s, 1, &verified, &expected);
        for (int threads = 2; threads <= 8; threads += 3) {
            cr_assert_eq(verdict(&s, threads, &verified, &error), NK_E_CORRUPT);
            cr_assert_str_eq(error.text, expected.text);
        }
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
    }
    solved_free(&s);
}

/* If the header has very long distances the verifier uses wider scores. It must find the same errors. */
Test(verify, finds_every_wrong_code_among_long_distances)
{
    enum { LONG = 400 };
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct nk_error error;
    s.solution->summary.longest = LONG;
    reject(&s, &error, "a distance that does not occur");
    cr_assert_str_eq(error.text, "the table is wrong: plies at most: 400 in its header, counted 7");
    for (uint64_t entry = 0; entry < s.index->entries; entry++)
        for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < 6 ? 1 : 83)
            if (wrong != s.codes[entry])
                find_wrong_code(&s, entry, (uint8_t)wrong);
    solved_free(&s);
}

/* ---- wrong traps ---- */

Test(verify, finds_every_wrong_trap)
{
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    uint8_t *trap = s.traps;
    for (uint64_t entry = 0; entry < s.index->entries; entry++) {
        if (s.codes[entry] != NK_CODE_DRAW)
            continue;
        const struct text own = position_text(&s.rules, nk_index_position(s.index, entry));
        for (int change = -1; change <= 1; change += 2) {
            struct nk_verified verified;
            struct nk_error error;
            *trap = (uint8_t)(*trap + change);
            cr_assert_eq(verdict(&s, 0, &verified, &error), NK_E_CORRUPT, "%s", own.s);
            cr_assert(strstr(error.text, own.s), "%s: %s", own.s, error.text);
            *trap = (uint8_t)(*trap - change);
        }
        trap++;
    }
    solved_free(&s);
}

/* ---- wrong counts ---- */

Test(verify, finds_wrong_counts)
{
    struct solved s = solve_board((struct board){3, 3, 4, 3, NK_WIN_LINE});
    struct nk_summary *summary = &s.solution->summary;
    const struct {
        uint64_t *count;
        const char *name;
    } counts[] = {{&summary->legal, "legal positions"},
                  {&summary->wins, "wins"},
                  {&summary->losses, "losses"},
                  {&summary->draws, "draws"},
                  {&summary->stalemates, "draws without a move"}};
    struct nk_error error;
    for (int change = -1; change <= 1; change += 2) {
        for (size_t i = 0; i < COUNT(counts); i++) {
            *counts[i].count += (uint64_t)change;
            reject(&s, &error, counts[i].name);
            cr_assert(strstr(error.text, counts[i].name), "%s: not about %s", error.text, counts[i].name);
            *counts[i].count -= (uint64_t)change;
        }
        summary->longest += (uint32_t)change;
        reject(&s, &error, "plies at most");
        cr_assert(strstr(error.text, "plies at most"), "%s", error.text);
        summary->longest -= (uint32_t)change;
    }
    solved_free(&s);
}

/* ---- tables that cannot be read, or that no solver writes ---- */

static void expect_error(struct bytes bytes, const char *message)
{
    struct nk_table *table = open_bytes(bytes);
    struct nk_verified verified;
    struct nk_error error;
    cr_assert_eq(nk_verify(table, 0, &verified, &error), NK_E_CORRUPT, "%s", message);
    cr_assert_str_eq(error.text, message);
    nk_table_close(table);
}

Test(verify, reports_damage)
{
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct bytes bytes = table_bytes(&s);
    const struct {
        size_t at;
        const char *message;
    } cases[] = {{nk_list_end(1) + 10, "damaged: the checksum of block 0 does not agree"},
                 {bytes.size - 1, "damaged: the checksum of block 1 does not agree"},
                 {NK_AT_CODES, "the table is wrong: the checksum of all codes does not agree"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bytes.data[cases[i].at] ^= 1;
        seal_header(bytes.data, bytes.size);
        expect_error(bytes, cases[i].message);
        bytes.data[cases[i].at] ^= 1;
    }
    free(bytes.data);
    solved_free(&s);
}

/* A block of traps for a board without draws. */
Test(verify, finds_traps_without_draws)
{
    struct solved s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    s.traps = NULL;
    struct bytes bytes = table_bytes(&s);
    uLongf length = compressBound(0);
    cr_assert_eq(nk_get32(bytes.data + NK_AT_BLOCKS), 1);
    bytes.data = realloc(bytes.data, bytes.size + length);
    cr_assert_eq(compress(bytes.data + bytes.size, &length, (const Bytef *)"", 0), Z_OK);
    bytes.size += length;
    nk_put64(bytes.data + NK_HEADER_BYTES + NK_BLOCK_BYTES + NK_BLOCK_END, bytes.size);
    seal(bytes.data, bytes.size);
    expect_error(bytes, "damaged: block 1 holds traps, but block 0 has no draws");
    free(bytes.data);
    solved_free(&s);
}
