/* The whole table of the standard game, every byte of it damaged in turn and cut off at every length, in
 * memory: refused when it is opened or when what is damaged is asked for; never a wrong answer. (table.c
 * flips every bit of small tables, and tells the reasons apart.) */

#include "common/table_format.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(damage, .init = enter_directory, .fini = leave_directory, .timeout = 1200);

struct sample {
    struct solved solved;
    struct bytes table;
    uint32_t *draws_before; /* [entries + 1] */
    uint64_t random;
};

static struct sample sample_of(struct board board)
{
    struct sample sample = {.solved = solve_board(board), .random = 20010401};
    const struct solved *s = &sample.solved;
    sample.table = table_bytes(s->index, &s->solution->summary, s->codes, s->traps);
    sample.draws_before = malloc((s->index->entries + 1) * sizeof *sample.draws_before);
    sample.draws_before[0] = 0;
    for (uint64_t entry = 0; entry < s->index->entries; entry++)
        sample.draws_before[entry + 1] = sample.draws_before[entry] + (s->codes[entry] == NK_CODE_DRAW);
    return sample;
}

static void sample_free(struct sample *sample)
{
    free(sample->draws_before);
    free(sample->table.data);
    solved_free(&sample->solved);
}

static uint64_t below(struct sample *sample, uint64_t bound)
{
    sample->random = sample->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (sample->random >> 20) % bound;
}

/* Which block has this byte, codes first, then traps. */
static uint32_t block_of(const struct sample *sample, size_t at)
{
    uint32_t block = 0;
    while (nk_get64(sample->table.data + NK_HEADER_BYTES + block * NK_BLOCK_BYTES + NK_BLOCK_END) <= at)
        block++;
    return block;
}

/* What is asked, where, and which block is damaged. */
struct question {
    struct nk_table *table;
    size_t at;
    uint32_t damaged;
    uint64_t refused, answered;
};

/* A code is right, or refused; and refused if and only if it is in the damaged block. */
static void ask_code(const struct sample *sample, struct question *q, uint64_t entry)
{
    uint8_t code = 77;
    const enum nk_status status = nk_table_code(q->table, entry, &code, NULL);
    cr_assert_eq(status, entry / NK_BLOCK_ENTRIES == q->damaged ? NK_E_CORRUPT : NK_OK,
                 "byte %zu, entry %llu", q->at, (unsigned long long)entry);
    cr_assert_eq(code, status ? 77 : sample->solved.codes[entry]);
    q->refused += status != NK_OK;
    q->answered += status == NK_OK;
}

/* The same of a trap. */
static void ask_trap(const struct sample *sample, struct question *q, uint64_t entry)
{
    const struct solved *s = &sample->solved;
    const struct nk_position position = nk_index_position(s->index, entry);
    const uint64_t own = nk_index_entry(s->index, position);
    const uint32_t block = (uint32_t)(own / NK_BLOCK_ENTRIES);
    const bool drawn = s->codes[own] == NK_CODE_DRAW;
    const uint32_t blocks = nk_get32(sample->table.data + NK_AT_BLOCKS);
    uint8_t trap = 77;
    if (nk_rules_won(&s->rules, position.mover))
        return;
    const enum nk_status status = nk_table_trap(q->table, position, &trap, NULL);
    const bool touches = block == q->damaged || (drawn && blocks + block == q->damaged);
    cr_assert_eq(status, touches ? NK_E_CORRUPT : NK_OK, "byte %zu, entry %llu", q->at,
                 (unsigned long long)entry);
    cr_assert_eq(trap, status ? 77 : drawn ? s->traps[sample->draws_before[own]] : 0);
    q->refused += status != NK_OK;
    q->answered += status == NK_OK;
}

/* A value, which may need several blocks, is right or refused. */
static void ask_value(const struct sample *sample, struct question *q, struct nk_table *right, uint64_t entry)
{
    const struct solved *s = &sample->solved;
    const struct nk_position position = nk_index_position(s->index, entry);
    struct nk_value value = {NK_DRAW, 77}, expected;
    if (nk_rules_won(&s->rules, position.mover))
        return;
    const enum nk_status status = nk_table_value(q->table, position, &value, NULL);
    cr_assert(!nk_table_value(right, position, &expected, NULL));
    if (status)
        cr_assert(status == NK_E_CORRUPT && value.plies == 77, "byte %zu", q->at);
    else
        cr_assert(value.result == expected.result && value.plies == expected.plies, "byte %zu: %s", q->at,
                  position_text(&s->rules, position).s);
    q->refused += status != NK_OK;
    q->answered += status == NK_OK;
}

enum {
    FARTHER = 16,  /* every so many-th time, what takes several blocks is asked too */
    WHOLE = 10007, /* and everything */
};

/* Asks for things in the damaged block and elsewhere. The block must be refused at least once. */
static void ask_some(struct sample *sample, struct question *q, struct nk_table *right)
{
    const uint64_t entries = sample->solved.index->entries;
    const uint32_t blocks = nk_get32(sample->table.data + NK_AT_BLOCKS);
    const uint64_t first = (uint64_t)(q->damaged % blocks) * NK_BLOCK_ENTRIES;
    const uint64_t length = entries - first < NK_BLOCK_ENTRIES ? entries - first : NK_BLOCK_ENTRIES;
    if (q->damaged < blocks) {
        ask_code(sample, q, first);
        ask_code(sample, q, first + length - 1);
        ask_code(sample, q, first + below(sample, length));
    } else {
        /* The draws of its block of codes: the first one and, from somewhere on, another. */
        const uint64_t from[] = {first, first + below(sample, length)};
        for (size_t i = 0; i < COUNT(from); i++)
            for (uint64_t entry = from[i]; entry < first + length; entry++)
                if (sample->solved.codes[entry] == NK_CODE_DRAW &&
                    nk_index_entry(sample->solved.index, nk_index_position(sample->solved.index, entry)) ==
                        entry) {
                    ask_trap(sample, q, entry);
                    break;
                }
    }
    cr_assert(q->refused, "byte %zu: nobody noticed", q->at);
    const uint64_t refused = q->refused;
    ask_code(sample, q, (first + NK_BLOCK_ENTRIES) % entries);
    cr_assert_eq(q->refused, refused);
    if (q->at % FARTHER == 0) {
        ask_value(sample, q, right, below(sample, entries));
        ask_trap(sample, q, below(sample, entries));
    }
}

static void ask_everything(const struct sample *sample, struct question *q, struct nk_table *right)
{
    for (uint64_t entry = 0; entry < sample->solved.index->entries; entry++) {
        ask_code(sample, q, entry);
        if (entry % 16 == q->at % 16) {
            ask_trap(sample, q, entry);
            ask_value(sample, q, right, entry);
        }
    }
}

/* One byte has another value, and another one each time. */
Test(damage, is_noticed_in_every_byte)
{
    struct sample sample = sample_of(STANDARD);
    uint8_t *const bytes = sample.table.data;
    const size_t head = nk_list_end(nk_get32(bytes + NK_AT_BLOCKS));
    uint8_t *copy = malloc(sample.table.size);
    struct nk_table *right;
    size_t at_opening = 0, at_a_question = 0;
    uint64_t refused = 0, answered = 0;
    memcpy(copy, bytes, sample.table.size);
    cr_assert(!nk_table_open_bytes(bytes, sample.table.size, &right, NULL));
    for (size_t at = 0; at < sample.table.size; at++) {
        struct question q = {.at = at};
        const enum nk_status expected = at < NK_AT_WIDTH ? NK_E_NOT_TABLE : NK_E_CORRUPT;
        copy[at] ^= (uint8_t)(1 + below(&sample, 255));
        const enum nk_status status = nk_table_open_bytes(copy, sample.table.size, &q.table, NULL);
        cr_assert_eq(status, at < head ? expected : NK_OK, "byte %zu", at);
        if (status) {
            at_opening++;
        } else {
            q.damaged = block_of(&sample, at);
            ask_some(&sample, &q, right);
            if (at % WHOLE == 0)
                ask_everything(&sample, &q, right);
            nk_table_close(q.table);
            at_a_question++;
            refused += q.refused;
            answered += q.answered;
        }
        copy[at] = bytes[at];
    }
    fprintf(stderr,
            "%zu bytes: %zu refused at opening, %zu at a question (%llu questions refused, %llu answered "
            "right)\n",
            sample.table.size, at_opening, at_a_question, (unsigned long long)refused,
            (unsigned long long)answered);
    cr_assert_eq(at_opening + at_a_question, sample.table.size);
    nk_table_close(right);
    free(copy);
    sample_free(&sample);
}

Test(damage, is_noticed_at_every_length)
{
    struct sample sample = sample_of(STANDARD);
    for (size_t size = 0; size < sample.table.size; size++) {
        struct nk_table *table;
        struct nk_error error;
        const enum nk_status status = nk_table_open_bytes(sample.table.data, size, &table, &error);
        cr_assert_eq(status, size ? NK_E_CORRUPT : NK_E_NOT_TABLE, "cut at %zu", size);
        cr_assert(error.text[0]);
    }
    sample_free(&sample);
}

/* Opens a table of few bytes, in memory or in the file `name`, that must be refused before it costs anything.
 */
static void refuse_at_once(const char *name, struct bytes table, const char *what)
{
    struct rusage before, after;
    struct nk_table *open;
    struct nk_error error;
    cr_assert(!getrusage(RUSAGE_SELF, &before));
    const enum nk_status status = name ? nk_table_open(name, &open, &error)
                                       : nk_table_open_bytes(table.data, table.size, &open, &error);
    cr_assert(!getrusage(RUSAGE_SELF, &after));
    cr_assert_eq(status, NK_E_CORRUPT, "%s: %s", what, error.text);
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 10000, "%s: %ld kB", what,
                 after.ru_maxrss - before.ru_maxrss);
}

/* A few bytes that speak of the largest board get no memory for it. */
Test(damage, makes_nobody_work_for_nothing)
{
    struct sample sample = sample_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct bytes table = sample.table;
    static const uint8_t board[] = {8, 8, 5, 5, NK_WIN_LINE};
    memcpy(table.data + NK_AT_WIDTH, board, sizeof board);
    seal_head(table);
    refuse_at_once(NULL, table, "8x8");
    sample_free(&sample);
}

/* A file of a header and a hole behind it is as long as its header wants it to be. */
static void write_sparse(const struct bytes *table, uint64_t size)
{
    nk_put64(table->data + NK_AT_SIZE, size);
    write_bytes("sparse.dat", table->data, NK_HEADER_BYTES);
    cr_assert(!truncate("sparse.dat", (off_t)size));
}

Test(damage, makes_nobody_read_a_hole)
{
    struct sample sample = sample_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct bytes table = sample.table;
    /* More blocks than the board has. */
    enum { BLOCKS = 1 << 26 };
    nk_put32(table.data + NK_AT_BLOCKS, BLOCKS);
    write_sparse(&table, nk_list_end(BLOCKS) + 2 * (uint64_t)BLOCKS);
    refuse_at_once("sparse.dat", (struct bytes){0}, "a small board");
    nk_put64(table.data + NK_AT_ENTRIES, (uint64_t)BLOCKS * NK_BLOCK_ENTRIES);
    write_sparse(&table, nk_list_end(BLOCKS) + 2 * (uint64_t)BLOCKS);
    refuse_at_once("sparse.dat", (struct bytes){0}, "a small board of many entries");
    /* As many as a large board may have; but the list is a hole. */
    const struct nk_rules rules = rules_of((struct board){8, 8, 4, 3, NK_WIN_LINE});
    const uint8_t board[] = {8, 8, 4, 3, NK_WIN_LINE};
    const uint64_t placements = nk_index_placements(&rules), entries = placements / NK_SYMMETRIES;
    const uint32_t blocks = (uint32_t)((entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES);
    memcpy(table.data + NK_AT_WIDTH, board, sizeof board);
    nk_put64(table.data + NK_AT_PLACEMENTS, placements);
    nk_put64(table.data + NK_AT_ENTRIES, entries);
    nk_put32(table.data + NK_AT_BLOCKS, blocks);
    write_sparse(&table, nk_list_end(blocks) + 1000 * (uint64_t)blocks);
    refuse_at_once("sparse.dat", (struct bytes){0}, "a large board");
    sample_free(&sample);
}
