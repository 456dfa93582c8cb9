/* The verifier finds every error in a table, and none in a correct one. */

#include "common/table_format.h"
#include "solver/verify.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

TestSuite(verify, .init = enter_directory, .fini = leave_directory, .timeout = 600);

/* The result of the verifier for a table of these codes and traps. */
static enum nk_status verdict(const struct nk_index *index, const struct nk_summary *summary,
                              const uint8_t *codes, const uint8_t *traps, int threads,
                              struct nk_verified *verified, struct nk_error *error)
{
    struct bytes bytes = table_bytes(index, summary, codes, traps);
    struct nk_table *table;
    cr_assert(!nk_table_open_bytes(bytes.data, bytes.size, &table, NULL));
    const enum nk_status status = nk_verify(table, threads, verified, error);
    nk_table_close(table);
    free(bytes.data);
    return status;
}

/* ---- correct tables ---- */

Test(verify, accepts_correct_tables)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE},        {5, 5, 3, 3, NK_WIN_ORTHOGONAL}, {5, 5, 3, 3, NK_WIN_CENTRE},
        {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {8, 8, 2, 2, NK_WIN_LINE},       {3, 3, 4, 3, NK_WIN_LINE},
        {3, 3, 4, 4, NK_WIN_LINE},        {4, 3, 3, 3, NK_WIN_LINE},       {4, 3, 5, 3, NK_WIN_ORTHOGONAL},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved s = solve_board(boards[i]);
        const struct nk_summary *summary = &s.solution->summary;
        struct nk_verified verified;
        struct nk_error error;
        cr_assert(!verdict(s.index, summary, s.codes, s.traps, 0, &verified, &error), "%s: %s",
                  board_text(boards[i]).s, error.text);
        cr_assert_eq(verified.summary.placements, summary->placements);
        cr_assert_eq(verified.summary.legal, summary->legal);
        cr_assert_eq(verified.summary.wins, summary->wins);
        cr_assert_eq(verified.summary.losses, summary->losses);
        cr_assert_eq(verified.summary.draws, summary->draws);
        cr_assert_eq(verified.summary.stalemates, summary->stalemates);
        cr_assert_eq(verified.summary.longest, summary->longest);
        cr_assert_arr_eq(verified.by_distance, s.solution->by_distance, sizeof verified.by_distance);
        solved_free(&s);
    }
}

/* ---- one wrong code ---- */

/* Whether at most `moves` moves lead from one entry to another. Each position on the way is replaced by that of its
 * entry. */
static bool leads_to(const struct nk_index *index, uint64_t from, uint64_t entry, int moves)
{
    const struct nk_position position = nk_index_position(index, from);
    struct nk_move list[NK_MAX_MOVES];
    if (from == entry)
        return true;
    const int count = moves ? nk_position_moves(&index->rules, position, list) : 0;
    for (int m = 0; m < count; m++)
        if (leads_to(index, nk_index_entry(index, nk_position_after(position, list[m])), entry, moves - 1))
            return true;
    return false;
}

/* Gives an entry a wrong code. The message must name its position, or one whose value depends on it: through its
 * moves, or through the distances of the wins that they lead to. */
static void find_wrong_code(const struct solved *s, uint64_t entry, uint8_t wrong)
{
    static const char begin[] = "the table is wrong: ";
    uint8_t *code = &s->codes[entry];
    const uint8_t right = *code;
    const struct text own = position_text(&s->rules, nk_index_position(s->index, entry));
    struct nk_verified verified;
    struct nk_error error;
    *code = wrong;
    cr_assert_eq(verdict(s->index, &s->solution->summary, s->codes, NULL, 0, &verified, &error), NK_E_CORRUPT,
                 "%s: %d instead of %d is accepted", own.s, wrong, right);
    *code = right;
    cr_assert_eq(error.status, NK_E_CORRUPT);
    cr_assert(!strncmp(error.text, begin, strlen(begin)), "%s", error.text);
    char *named = error.text + strlen(begin), *end = strstr(named, ": ");
    cr_assert(end, "%s", error.text);
    *end = '\0';
    struct nk_position position;
    enum nk_colour to_move;
    cr_assert(!strcmp(named, own.s) || (!nk_position_parse(&s->rules, named, &position, &to_move, NULL) &&
                                        leads_to(s->index, nk_index_entry(s->index, position), entry, 2)),
              "%s has %d instead of %d, but the message names %s", own.s, wrong, right, named);
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

Test(verify, finds_wrong_codes_of_the_standard_board)
{
    enum { TRIES = 40 };
    struct solved s = solve_board(STANDARD);
    uint64_t random = 5;
    for (int i = 0; i < TRIES; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t entry = (random >> 32) % s.index->entries;
        const uint8_t right = s.codes[entry];
        /* In turn: another result, the distance just below or above, anything. */
        const uint8_t wrong = i % 4 == 0   ? NK_CODE_WIN
                              : i % 4 == 1 ? NK_CODE_DRAW
                              : i % 4 == 2 ? (uint8_t)(right + 1)
                                           : (uint8_t)(random >> 24);
        find_wrong_code(&s, entry, wrong == right ? (uint8_t)(right + 2) : wrong);
    }
    solved_free(&s);
}

/* Even the message does not depend on the number of threads. */
Test(verify, threads_of_every_number_agree)
{
    struct solved s = solve_board((struct board){4, 3, 3, 3, NK_WIN_LINE});
    for (uint64_t entry = 0; entry + 100 < s.index->entries; entry += 97) {
        struct nk_verified verified;
        struct nk_error expected, error;
        /* Two faults, to be found by different threads. */
        uint8_t *codes = s.codes;
        codes[entry] ^= 1;
        codes[entry + 100] ^= 2;
        verdict(s.index, &s.solution->summary, codes, NULL, 1, &verified, &expected);
        for (int threads = 2; threads <= 8; threads += 3) {
            cr_assert_eq(verdict(s.index, &s.solution->summary, codes, NULL, threads, &verified, &error),
                         NK_E_CORRUPT);
            cr_assert_str_eq(error.text, expected.text);
        }
        codes[entry] ^= 1;
        codes[entry + 100] ^= 2;
    }
    solved_free(&s);
}

/* If the header has very long distances the verifier uses wider scores. It must find the same errors. */
Test(verify, finds_every_wrong_code_among_long_distances)
{
    enum { LONG = 400 };
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct nk_summary *summary = &s.solution->summary;
    struct nk_verified verified;
    struct nk_error error;
    const uint32_t longest = summary->longest;
    summary->longest = LONG;
    cr_assert_eq(verdict(s.index, summary, s.codes, s.traps, 0, &verified, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "the table is wrong: plies at most: 400 in its header, counted 7");
    for (uint64_t entry = 0; entry < s.index->entries; entry++)
        for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < 6 ? 1 : 83)
            if (wrong != s.codes[entry])
                find_wrong_code(&s, entry, (uint8_t)wrong);
    summary->longest = longest;
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
            cr_assert_eq(verdict(s.index, &s.solution->summary, s.codes, s.traps, 0, &verified, &error),
                         NK_E_CORRUPT, "%s", own.s);
            cr_assert(strstr(error.text, own.s), "%s: %s", own.s, error.text);
            *trap = (uint8_t)(*trap - change);
        }
        trap++;
    }
    solved_free(&s);
}

/* ---- wrong counts ---- */

static void find_wrong_count(const struct solved *s, const struct nk_summary *wrong, const char *name)
{
    struct nk_verified verified;
    struct nk_error error;
    cr_assert_eq(verdict(s->index, wrong, s->codes, NULL, 0, &verified, &error), NK_E_CORRUPT, "%s", name);
    cr_assert(strstr(error.text, name), "%s: not about %s", error.text, name);
}

Test(verify, finds_wrong_counts)
{
    struct solved s = solve_board((struct board){3, 3, 4, 3, NK_WIN_LINE});
    for (int change = -1; change <= 1; change += 2) {
        const struct nk_summary right = s.solution->summary;
        struct nk_summary wrong = right;
        wrong.legal += (uint64_t)change;
        find_wrong_count(&s, &wrong, "legal positions");
        wrong = right, wrong.wins += (uint64_t)change;
        find_wrong_count(&s, &wrong, "wins");
        wrong = right, wrong.losses += (uint64_t)change;
        find_wrong_count(&s, &wrong, "losses");
        wrong = right, wrong.draws += (uint64_t)change;
        find_wrong_count(&s, &wrong, "draws");
        wrong = right, wrong.stalemates += (uint64_t)change;
        find_wrong_count(&s, &wrong, "draws without a move");
        wrong = right, wrong.longest += (uint32_t)change;
        find_wrong_count(&s, &wrong, "plies at most");
    }
    solved_free(&s);
}

/* ---- tables that cannot be read, or that no solver writes ---- */

static void expect_error(struct bytes bytes, const char *complaint)
{
    struct nk_table *table;
    struct nk_verified verified;
    struct nk_error error;
    cr_assert(!nk_table_open_bytes(bytes.data, bytes.size, &table, &error), "%s", error.text);
    cr_assert_eq(nk_verify(table, 0, &verified, &error), NK_E_CORRUPT, "%s", complaint);
    cr_assert_str_eq(error.text, complaint);
    nk_table_close(table);
}

Test(verify, reports_a_damaged_block)
{
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    for (int block = 0; block < 2; block++) { /* of codes, and of traps */
        struct bytes bytes = table_bytes(s.index, &s.solution->summary, s.codes, block ? s.traps : NULL);
        bytes.data[bytes.size - 1] ^= 1;
        expect_error(bytes, block ? "damaged: the checksum of block 1 does not agree"
                                  : "damaged: the checksum of block 0 does not agree");
        free(bytes.data);
    }
    solved_free(&s);
}

/* The codes are correct, but their checksum in the header is not. */
Test(verify, finds_a_wrong_checksum_of_all_codes)
{
    struct solved s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct bytes bytes = table_bytes(s.index, &s.solution->summary, s.codes, NULL);
    bytes.data[NK_AT_CODES] ^= 1;
    seal_head(bytes);
    expect_error(bytes, "the table is wrong: the checksum of all codes does not agree");
    free(bytes.data);
    solved_free(&s);
}

/* A block of traps for a board without draws. */
Test(verify, finds_traps_without_draws)
{
    struct solved s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    struct bytes bytes = table_bytes(s.index, &s.solution->summary, s.codes, NULL);
    uLongf length = compressBound(0);
    cr_assert_eq(nk_get32(bytes.data + NK_AT_BLOCKS), 1);
    bytes.data = realloc(bytes.data, bytes.size + length);
    uint8_t *entry = bytes.data + NK_HEADER_BYTES + NK_BLOCK_BYTES;
    cr_assert_eq(compress(bytes.data + bytes.size, &length, (const Bytef *)"", 0), Z_OK);
    nk_put64(entry + NK_BLOCK_CHECKSUM, XXH3_64bits(bytes.data + bytes.size, length));
    bytes.size += length;
    nk_put64(entry + NK_BLOCK_END, bytes.size);
    nk_put64(bytes.data + NK_AT_SIZE, bytes.size);
    seal_head(bytes);
    expect_error(bytes, "damaged: block 1 holds traps, but block 0 has no draws");
    free(bytes.data);
    solved_free(&s);
}
