/* The table's file: written whole or not at all, read right or not at all. */

#include "common/file.h"
#include "common/table_reader.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

TestSuite(table, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static const struct board one_block = {3, 3, 3, 3, NK_WIN_LINE};
static const struct board two_blocks = {4, 4, 3, 3, NK_WIN_LINE};

/* A solved board and its table. */
struct sample {
    struct solved solved;
    struct bytes table;
};

static struct sample sample_of(struct board board)
{
    struct sample sample = {.solved = solve_board(board)};
    const struct solved *s = &sample.solved;
    sample.table = table_bytes(s->index, &s->solution->summary, s->codes, s->traps);
    return sample;
}

static void sample_free(struct sample *sample)
{
    free(sample->table.data);
    solved_free(&sample->solved);
}

/* Reads every so many-th code and trap. Those that can be read must be right. Returns the first failure. */
static enum nk_status read_some(struct nk_table *table, const struct solved *s, uint64_t step)
{
    enum nk_status failure = NK_OK;
    for (uint64_t entry = 0; entry < s->index->entries;) {
        struct nk_error error = {0};
        uint8_t code;
        const enum nk_status status = nk_table_code(table, entry, &code, &error);
        cr_assert_eq(status, error.status);
        cr_assert(status || code == s->codes[entry], "entry %llu: %d, not %d", (unsigned long long)entry,
                  code, s->codes[entry]);
        failure = failure ? failure : status;
        entry += status ? NK_BLOCK_ENTRIES : step; /* the rest of the block would fail as well */
    }
    uint32_t draw = 0;
    for (uint64_t entry = 0, next = 0; entry < s->index->entries; entry++) {
        const bool is_draw = s->codes[entry] == NK_CODE_DRAW;
        draw += is_draw;
        if (!is_draw || entry < next)
            continue;
        uint8_t trap;
        struct nk_error error = {0};
        const struct nk_position position = nk_index_position(s->index, entry);
        const enum nk_status status = nk_table_trap(table, position, &trap, &error);
        cr_assert_eq(status, error.status);
        cr_assert(status || trap == (s->traps ? s->traps[draw - 1] : 0), "%s",
                  position_text(&s->rules, position).s);
        failure = failure ? failure : status;
        next = entry + (status ? NK_BLOCK_ENTRIES / 4 : step);
    }
    return failure;
}

static enum nk_status read_all(struct nk_table *table, const struct solved *s)
{
    return read_some(table, s, 1);
}

/* ---- what was written is read ---- */

static void check_summary(const struct nk_summary *read, const struct nk_summary *written)
{
    cr_assert_eq(read->placements, written->placements);
    cr_assert_eq(read->legal, written->legal);
    cr_assert_eq(read->wins, written->wins);
    cr_assert_eq(read->losses, written->losses);
    cr_assert_eq(read->draws, written->draws);
    cr_assert_eq(read->stalemates, written->stalemates);
    cr_assert_eq(read->longest, written->longest);
}

static void check_table(struct nk_table *table, const struct solved *s)
{
    cr_assert(nk_rules_equal(nk_table_rules(table), &s->rules));
    cr_assert_eq(nk_table_index(table)->entries, s->index->entries);
    check_summary(nk_table_summary(table), &s->solution->summary);
    cr_assert_eq(nk_table_has_traps(table), s->traps != NULL);
    cr_assert_eq(read_all(table, s), NK_OK);
}

/* Pieces that begin and end anywhere, also across several blocks. */
Test(table, gives_codes_by_the_piece)
{
    struct sample sample = sample_of(STANDARD);
    const struct solved *s = &sample.solved;
    const uint64_t lengths[] = {0, 1, NK_BLOCK_ENTRIES - 1, NK_BLOCK_ENTRIES, 3 * NK_BLOCK_ENTRIES + 5};
    struct nk_table *table;
    uint8_t *codes = malloc(s->index->entries);
    cr_assert(codes && !nk_table_open_bytes(sample.table.data, sample.table.size, &table, NULL));
    for (uint64_t first = 0; first < s->index->entries; first += 9973)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const uint64_t left = s->index->entries - first;
            const uint64_t count = lengths[i] < left ? lengths[i] : left;
            codes[count < s->index->entries ? count : 0] = 77;
            cr_assert(!nk_table_codes(table, first, count, codes, NULL));
            cr_assert_arr_eq(codes, s->codes + first, count);
            cr_assert(count == s->index->entries || codes[count] == 77, "more than asked for");
        }
    free(codes);
    nk_table_close(table);
    sample_free(&sample);
}

Test(table, reads_what_was_written)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE},        {3, 3, 4, 4, NK_WIN_LINE},       {4, 4, 3, 3, NK_WIN_LINE},
        {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct sample sample = sample_of(boards[i]);
        const struct nk_file file = write_table(&sample.solved, "table.dat");
        struct bytes again = read_bytes("table.dat");
        struct nk_table *table;
        cr_assert_eq(again.size, sample.table.size);
        cr_assert_arr_eq(again.data, sample.table.data, again.size, "two writes of one table differ");
        cr_assert_eq(file.bytes, again.size);
        cr_assert_eq(file.checksum, XXH3_64bits(again.data, again.size));
        cr_assert(!nk_table_open("table.dat", &table, NULL));
        check_table(table, &sample.solved);
        nk_table_close(table);
        cr_assert(!nk_table_open_bytes(sample.table.data, sample.table.size, &table, NULL));
        check_table(table, &sample.solved);
        nk_table_close(table);
        free(again.data);
        sample_free(&sample);
    }
    nk_table_close(NULL);
}

Test(table, may_be_without_traps)
{
    struct solved s = solve_board(STANDARD);
    struct nk_table *table;
    const uint64_t bytes = write_table(&s, "table.dat").bytes;
    free(s.traps);
    s.traps = NULL;
    cr_assert_lt(write_table(&s, "table.dat").bytes, bytes);
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    cr_assert(!nk_table_has_traps(table));
    for (uint64_t entry = 0; entry < s.index->entries; entry++) {
        uint8_t trap = 77;
        if (entry % 100 == 0)
            cr_assert(!nk_table_trap(table, nk_index_position(s.index, entry), &trap, NULL) && !trap);
    }
    nk_table_close(table);
    solved_free(&s);
}

/* Codes, traps and counts that no solver would write, to see every bit of them come back. */
Test(table, keeps_any_contents)
{
    struct solved s = solve_board(two_blocks);
    uint64_t random = 1;
    s.traps = realloc(s.traps, s.index->entries);
    for (uint64_t entry = 0; entry < s.index->entries; entry++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        s.codes[entry] = (uint8_t)(random >> 56);
        s.traps[entry] = (uint8_t)(random >> 48);
    }
    s.solution->summary = (struct nk_summary){.placements = s.index->placements,
                                              .legal = UINT64_MAX,
                                              .wins = UINT64_MAX - 1,
                                              .losses = UINT64_MAX - 2,
                                              .draws = UINT64_MAX - 3,
                                              .stalemates = UINT64_MAX - 4,
                                              .longest = UINT32_MAX};
    struct nk_table *table;
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    check_table(table, &s);
    nk_table_close(table);
    solved_free(&s);
}

/* ---- loading ---- */

static bool same_value(struct nk_value a, struct nk_value b)
{
    return a.result == b.result && a.plies == b.plies;
}

/* Compares the values and the moves of all legal positions. */
static void check_same_answers(struct nk_table *a, struct nk_table *b)
{
    const struct nk_rules *rules = nk_table_rules(a);
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_value of_a, of_b;
        struct nk_move_value moves_a[NK_MAX_MOVES] = {0}, moves_b[NK_MAX_MOVES] = {0};
        int count_a, count_b;
        if (nk_rules_won(rules, p.mover))
            continue;
        cr_assert(!nk_table_value(a, p, &of_a, NULL) && !nk_table_value(b, p, &of_b, NULL));
        cr_assert(same_value(of_a, of_b), "%s: %d in %d plies, not %d in %d", position_text(rules, p).s,
                  of_b.result, of_b.plies, of_a.result, of_a.plies);
        if (p.mover % 7)
            continue;
        cr_assert(!nk_table_moves(a, p, moves_a, &count_a, NULL) &&
                  !nk_table_moves(b, p, moves_b, &count_b, NULL));
        cr_assert(count_a == count_b && !memcmp(moves_a, moves_b, sizeof moves_a), "%s",
                  position_text(rules, p).s);
    }
}

Test(table, answers_the_same_when_loaded)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE},        {3, 3, 4, 4, NK_WIN_LINE},     {4, 3, 5, 3, NK_WIN_ORTHOGONAL},
        {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {6, 4, 2, 2, NK_WIN_DIAGONAL},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct sample sample = sample_of(boards[i]);
        const struct bytes *bytes = &sample.table;
        struct nk_table *table, *loaded;
        struct nk_error error;
        cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &table, NULL));
        cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &loaded, NULL));
        cr_assert(!nk_table_load(loaded, &error), "%s", error.text);
        memset(bytes->data, 0, bytes->size); /* nothing is read any more */
        cr_assert(!nk_table_load(loaded, &error));
        check_table(loaded, &sample.solved);
        free(sample.table.data);
        sample.table = table_bytes(sample.solved.index, &sample.solved.solution->summary, sample.solved.codes,
                                   sample.solved.traps);
        nk_table_close(table);
        cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &table, NULL));
        check_same_answers(table, loaded);
        nk_table_close(table);
        nk_table_close(loaded);
        sample_free(&sample);
    }
}

/* Loading must fail; afterwards the table answers what it can answer. */
static void refuse_to_load(const struct bytes *bytes, const char *reason, bool answers)
{
    struct nk_table *table;
    struct nk_error error;
    uint8_t code;
    cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &table, NULL), "%s", reason);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT, "%s", reason);
        cr_assert(strstr(error.text, reason), "%s", error.text);
    }
    cr_assert_eq(nk_table_code(table, 0, &code, NULL), answers ? NK_OK : NK_E_CORRUPT);
    nk_table_close(table);
}

Test(table, refuses_to_load_what_is_damaged)
{
    struct sample sample = sample_of(one_block);
    struct solved *s = &sample.solved;
    struct bytes *table = &sample.table;
    const uint64_t codes = nk_list_end(1), traps = nk_get64(table->data + NK_HEADER_BYTES + NK_BLOCK_END);
    table->data[codes + 10] ^= 1;
    refuse_to_load(table, "checksum of block 0", false);
    table->data[codes + 10] ^= 1;
    table->data[traps + 10] ^= 1;
    refuse_to_load(table, "checksum of block 1", true);
    table->data[traps + 10] ^= 1;
    table->data[NK_AT_CODES] ^= 1;
    seal_head(*table);
    refuse_to_load(table, "checksum of the codes", true);
    free(table->data);
    uint64_t entry = 0;
    while (s->codes[entry] != NK_CODE_LOSS + 1) /* a loss, which no move can win */
        entry++;
    s->codes[entry] = NK_CODE_WIN;
    *table = table_bytes(s->index, &s->solution->summary, s->codes, s->traps);
    refuse_to_load(table, "marked won that no move wins", true);
    sample_free(&sample);
}

/* A source without `uncompress` gets its blocks from the caller. */
Test(table, takes_supplied_blocks)
{
    struct sample sample = sample_of(two_blocks);
    const struct bytes *bytes = &sample.table;
    const uint32_t blocks = 2;
    static uint8_t plain[NK_BLOCK_ENTRIES];
    struct nk_table *table, *right;
    struct nk_error error;
    uint8_t code;
    cr_assert(!nk_table_open_source(nk_memory_source(bytes->data, bytes->size), &table, &error));
    cr_assert_eq(nk_table_code(table, 0, &code, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 0 is missing");
    cr_assert_eq(nk_table_supply(table, blocks, plain, 1, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 0 is missing");
    for (uint32_t block = 0; block < 2 * blocks; block++) {
        const uint64_t begin = nk_table_block_begin(table, block);
        const size_t length = nk_table_block_length(table, block);
        uLongf size = sizeof plain;
        cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT);
        cr_assert(!nk_table_check_block(table, block, bytes->data + begin, &error));
        cr_assert_eq(uncompress(plain, &size, bytes->data + begin, length), Z_OK);
        cr_assert_eq(nk_table_supply(table, block, plain, size - 1, &error), NK_E_CORRUPT);
        cr_assert_eq(nk_table_supply(table, block, plain, size + 1, &error), NK_E_CORRUPT);
        cr_assert(!nk_table_supply(table, block, plain, size, &error), "%s", error.text);
        cr_assert_eq(nk_table_supply(table, block, plain, size, &error), NK_E_CORRUPT);
    }
    cr_assert_eq(nk_table_supply(table, 2 * blocks, plain, 1, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 4 is not expected");
    check_table(table, &sample.solved);
    cr_assert(!nk_table_load(table, &error), "%s", error.text);
    cr_assert(!nk_table_open_bytes(bytes->data, bytes->size, &right, NULL));
    check_same_answers(right, table);
    nk_table_close(right);
    nk_table_close(table);
    sample_free(&sample);
}

/* ---- files that are not tables ---- */

static void refuse_bytes(const void *data, size_t size, enum nk_status expected, const char *what)
{
    struct nk_table *const none = NULL;
    struct nk_table *table = none;
    struct nk_error error;
    uint8_t *exact = malloc(size ? size : 1); /* so that reading beyond it is noticed */
    memcpy(exact, data, size);
    cr_assert_eq(nk_table_open_bytes(exact, size, &table, &error), expected, "%s: %s", what, error.text);
    cr_assert(table == none && error.status == expected && error.text[0], "%s", what);
    cr_assert_eq(nk_table_open_bytes(exact, size, &table, NULL), expected);
    free(exact);
}

static void refuse_file(const char *path, enum nk_status expected)
{
    struct nk_table *const none = NULL;
    struct nk_table *table = none;
    struct nk_error error;
    cr_assert_eq(nk_table_open(path, &table, &error), expected, "%s", error.text);
    cr_assert(table == none && error.status == expected);
    const size_t length = strlen(path);
    cr_assert(strstr(error.text, path + (length > 100 ? length - 100 : 0)), "\"%s\" does not name it",
              error.text);
    cr_assert_eq(nk_table_open(path, &table, NULL), expected);
}

Test(table, refuses_foreign_files)
{
    static const struct {
        const char *bytes;
        size_t size;
    } foreign[] = {
        {"", 0},
        {"\n", 1},
        {"#!/bin/sh\nexit 0\n", 17},
        {"\x7f\x45\x4c\x46\x02\x01\x01", 7},
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16},
        {"\x89NKT\n\x1a\n", 7},        /* a table after a transfer in text mode */
        {"\x89NKT\r\r\n\x1a\r\n", 10}, /* and the other way */
    };
    for (size_t i = 0; i < COUNT(foreign); i++) {
        refuse_bytes(foreign[i].bytes, foreign[i].size, NK_E_NOT_TABLE, "foreign bytes");
        write_bytes("foreign", foreign[i].bytes, foreign[i].size);
        refuse_file("foreign", NK_E_NOT_TABLE);
    }
    refuse_bytes("", 0, NK_E_NOT_TABLE, "nothing");
}

/* Nothing is forbidden to root. What a test makes in between belongs to somebody else. */
static void give_up_root(void)
{
    enum { NOBODY = 65534 };
    if (getuid())
        return;
    if (chown(".", NOBODY, NOBODY) || setegid(NOBODY) || seteuid(NOBODY)) {
        leave_directory();
        cr_skip("cannot become another user");
    }
}

/* Who has changed its user may no longer be looked into, which the search for leaks does at the end. */
static void take_root_back(void)
{
    if (!getuid())
        cr_assert(!seteuid(0) && !setegid(0) && !prctl(PR_SET_DUMPABLE, 1));
}

Test(table, refuses_what_cannot_be_read)
{
    char endless[6000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    cr_assert(!mkdir("directory", 0777) && !mkfifo("pipe", 0666) && !symlink("loop", "loop"));
    refuse_file("missing", NK_E_READ);
    refuse_file("", NK_E_READ);
    refuse_file("directory", NK_E_READ);
    refuse_file("pipe", NK_E_READ);
    refuse_file("loop", NK_E_READ);
    refuse_file("/dev/null", NK_E_READ);
    refuse_file(endless, NK_E_READ);
}

Test(table, refuses_what_may_not_be_read)
{
    write_bytes("secret", "", 0);
    cr_assert(!chmod("secret", 0));
    give_up_root();
    refuse_file("secret", NK_E_READ);
    take_root_back();
}

/* ---- damage ---- */

Test(table, refuses_every_truncation)
{
    struct sample sample = sample_of(one_block);
    struct bytes *table = &sample.table;
    for (size_t size = 0; size < table->size; size++) {
        const enum nk_status expected = size ? NK_E_CORRUPT : NK_E_NOT_TABLE;
        refuse_bytes(table->data, size, expected, "truncated");
        write_bytes("truncated", table->data, size);
        refuse_file("truncated", expected);
    }
    refuse_bytes(table->data, table->size + 1, NK_E_CORRUPT, "one byte more");
    sample_free(&sample);
}

/* Damage is found when the table is opened, or when the block that has it is first needed. */
static void flip_every_bit(struct board board)
{
    struct sample sample = sample_of(board);
    const uint64_t head = nk_list_end(nk_get32(sample.table.data + NK_AT_BLOCKS));
    for (size_t bit = 0; bit < 8 * sample.table.size; bit++) {
        const enum nk_status expected = bit / 8 < NK_AT_WIDTH ? NK_E_NOT_TABLE : NK_E_CORRUPT;
        struct nk_table *table;
        sample.table.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        enum nk_status status = nk_table_open_bytes(sample.table.data, sample.table.size, &table, NULL);
        cr_assert_eq(status != NK_OK, bit / 8 < head, "bit %zu of byte %zu", bit % 8, bit / 8);
        if (!status) {
            status = read_some(table, &sample.solved, 1009);
            nk_table_close(table);
        }
        cr_assert_eq(status, expected, "bit %zu of byte %zu", bit % 8, bit / 8);
        sample.table.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    sample_free(&sample);
}

Test(table, notices_every_flipped_bit)
{
    flip_every_bit(one_block);
    flip_every_bit(two_blocks);
}

/* ---- nonsense with right checksums ---- */

Test(table, refuses_a_header_without_sense)
{
    enum {
        FIRST_END = NK_HEADER_BYTES,
        SECOND_END = FIRST_END + NK_BLOCK_BYTES,
        THIRD_END = SECOND_END + NK_BLOCK_BYTES,
        LAST_END = THIRD_END + NK_BLOCK_BYTES
    };
    struct sample sample = sample_of(two_blocks);
    struct bytes table = sample.table;
    const uint64_t entries = sample.solved.index->entries, size = table.size,
                   placements = sample.solved.index->placements;
    const uint64_t first = nk_get64(table.data + FIRST_END), head = nk_list_end(2),
                   second = nk_get64(table.data + SECOND_END);
    const struct {
        size_t at;
        int bytes;
        uint64_t value;
    } cases[] = {
        {NK_AT_WIDTH, 1, 0},
        {NK_AT_WIDTH, 1, 2},
        {NK_AT_WIDTH, 1, 3},
        {NK_AT_WIDTH, 1, 8},
        {NK_AT_WIDTH, 1, 9},
        {NK_AT_WIDTH, 1, 255},
        {NK_AT_HEIGHT, 1, 0},
        {NK_AT_HEIGHT, 1, 5},
        {NK_AT_HEIGHT, 1, 255},
        {NK_AT_PIECES, 1, 0},
        {NK_AT_PIECES, 1, 1},
        {NK_AT_PIECES, 1, 2},
        {NK_AT_PIECES, 1, 4},
        {NK_AT_PIECES, 1, 6},
        {NK_AT_PIECES, 1, 255},
        {NK_AT_ROW_LENGTH, 1, 0},
        {NK_AT_ROW_LENGTH, 1, 1},
        {NK_AT_ROW_LENGTH, 1, 4},
        {NK_AT_WIN, 1, NK_WIN_CENTRE},
        {NK_AT_WIN, 1, NK_WIN_RULES},
        {NK_AT_WIN, 1, 255},
        {NK_AT_ZERO, 1, 1},
        {NK_AT_ZERO + 1, 1, 0x80},
        {NK_AT_ZERO + 2, 1, 255},
        {NK_AT_PLACEMENTS, 8, 0},
        {NK_AT_PLACEMENTS, 8, placements - 1},
        {NK_AT_PLACEMENTS, 8, placements + 1},
        {NK_AT_PLACEMENTS, 8, UINT64_MAX},
        {NK_AT_ENTRIES, 8, 0},
        {NK_AT_ENTRIES, 8, 1},
        {NK_AT_ENTRIES, 8, entries - 1},
        {NK_AT_ENTRIES, 8, entries + 1},
        {NK_AT_ENTRIES, 8, UINT64_MAX},
        {NK_AT_SIZE, 8, size - 1},
        {NK_AT_SIZE, 8, size + 1},
        {NK_AT_SIZE, 8, 0},
        {NK_AT_BLOCK, 4, 0},
        {NK_AT_BLOCK, 4, 1},
        {NK_AT_BLOCK, 4, UINT32_MAX},
        {NK_AT_BLOCKS, 4, 0},
        {NK_AT_BLOCKS, 4, 1},
        {NK_AT_BLOCKS, 4, 3},
        {NK_AT_BLOCKS, 4, UINT32_MAX},
        {NK_AT_BLOCKS, 4, UINT32_C(1) << 28},
        {FIRST_END, 8, 0},
        {FIRST_END, 8, head},
        {FIRST_END, 8, head - 1},
        {FIRST_END, 8, size},
        {FIRST_END, 8, size + 1},
        {FIRST_END, 8, UINT64_MAX},
        {SECOND_END, 8, 0},
        {SECOND_END, 8, first},
        {SECOND_END, 8, first - 1},
        {SECOND_END, 8, size + 1},
        {SECOND_END, 8, UINT64_MAX},
        {THIRD_END, 8, 0},
        {THIRD_END, 8, second - 1},
        {THIRD_END, 8, size + 1},
        {THIRD_END, 8, UINT64_MAX},
        {LAST_END, 8, 0},
        {LAST_END, 8, second},
        {LAST_END, 8, size - 1},
        {LAST_END, 8, size + 1},
        {LAST_END, 8, UINT64_MAX},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t kept[NK_HEADER_BYTES + 4 * NK_BLOCK_BYTES];
        char what[64];
        memcpy(kept, table.data, sizeof kept);
        for (int b = 0; b < cases[i].bytes; b++)
            table.data[cases[i].at + (size_t)b] = (uint8_t)(cases[i].value >> 8 * b);
        seal_head(table);
        snprintf(what, sizeof what, "%#llx at %zu", (unsigned long long)cases[i].value, cases[i].at);
        refuse_bytes(table.data, table.size, NK_E_CORRUPT, what);
        memcpy(table.data, kept, sizeof kept);
    }
    for (uint32_t version = 0; version < 1000; version++) {
        nk_put32(table.data + NK_AT_VERSION, version);
        seal_head(table);
        if (version != NK_FORMAT_VERSION)
            refuse_bytes(table.data, table.size, NK_E_NOT_TABLE, "another version");
    }
    sample_free(&sample);
}

/* A block before and after compression. */
struct block {
    uint8_t packed[20000];
    uLongf length;
};

static struct block pack(const uint8_t *bytes, size_t length)
{
    struct block block = {.length = sizeof block.packed};
    cr_assert_eq(compress(block.packed, &block.length, bytes, length), Z_OK);
    return block;
}

/* The table with these blocks for its own, codes and then traps; all checksums are right. */
static struct bytes table_of_blocks(const struct bytes *table, const struct block *const blocks[])
{
    const uint32_t count = nk_get32(table->data + NK_AT_BLOCKS);
    struct bytes made = {malloc(table->size + 2 * count * sizeof **blocks), nk_list_end(count)};
    cr_assert(made.data);
    memcpy(made.data, table->data, made.size);
    for (size_t b = 0; b < 2 * count; b++) {
        uint8_t *entry = made.data + NK_HEADER_BYTES + b * NK_BLOCK_BYTES;
        memcpy(made.data + made.size, blocks[b]->packed, blocks[b]->length);
        made.size += blocks[b]->length;
        nk_put64(entry + NK_BLOCK_END, made.size);
        nk_put64(entry + NK_BLOCK_CHECKSUM, XXH3_64bits(blocks[b]->packed, blocks[b]->length));
    }
    nk_put64(made.data + NK_AT_SIZE, made.size);
    seal_head(made);
    return made;
}

/* Opens the table of one block with these for its own and reads it. */
static void check_blocks(const struct sample *sample, const struct block *codes, const struct block *traps,
                         enum nk_status expected)
{
    const struct block *const blocks[] = {codes, traps};
    const struct solved *s = &sample->solved;
    const struct bytes made = table_of_blocks(&sample->table, blocks);
    struct nk_table *table;
    struct nk_error error;
    cr_assert(!nk_table_open_bytes(made.data, made.size, &table, &error), "%s", error.text);
    cr_assert_eq(read_all(table, s), expected);
    uint8_t *all_traps = malloc(s->index->entries);
    cr_assert_eq(nk_table_traps(table, all_traps, &error), expected);
    if (!expected)
        cr_assert_arr_eq(all_traps, s->traps, nk_count_draws(s->codes, s->index->entries));
    free(all_traps);
    struct nk_position position = {0};
    while (next_placement(&s->rules, &position))
        if (goes_on(&s->rules, position)) {
            struct nk_value value = {NK_WIN, 77};
            uint8_t trap = 77;
            if (nk_table_value(table, position, &value, NULL))
                cr_assert(value.result == NK_WIN && value.plies == 77, "written in spite of a failure");
            if (nk_table_trap(table, position, &trap, NULL))
                cr_assert(trap == 77, "written in spite of a failure");
        }
    nk_table_close(table);
    free(made.data);
}

Test(table, refuses_a_block_of_another_length)
{
    struct sample sample = sample_of(one_block);
    const struct solved *s = &sample.solved;
    const size_t entries = (size_t)s->index->entries;
    size_t draws = 0;
    for (size_t entry = 0; entry < entries; entry++)
        draws += s->codes[entry] == NK_CODE_DRAW;
    cr_assert(draws);
    const size_t lengths[] = {0,           1,           draws - 1,        draws + 1,
                              entries - 1, entries + 1, NK_BLOCK_ENTRIES, 10000000};
    uint8_t *codes = calloc(10000000, 1), *traps = calloc(10000000, 1);
    memcpy(codes, s->codes, entries);
    memcpy(traps, s->traps, draws);
    const struct block right_codes = pack(codes, entries), right_traps = pack(traps, draws);
    check_blocks(&sample, &right_codes, &right_traps, NK_OK);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const struct block wrong_codes = pack(codes, lengths[i]), wrong_traps = pack(traps, lengths[i]);
        check_blocks(&sample, &wrong_codes, &right_traps, NK_E_CORRUPT);
        check_blocks(&sample, &right_codes, &wrong_traps, NK_E_CORRUPT);
    }
    struct block wrong = {.length = 100};
    memset(wrong.packed, 'x', sizeof wrong.packed);
    check_blocks(&sample, &wrong, &right_traps, NK_E_CORRUPT);
    check_blocks(&sample, &right_codes, &wrong, NK_E_CORRUPT);
    free(traps);
    free(codes);
    sample_free(&sample);
}

Test(table, refuses_bytes_behind_a_stream)
{
    struct sample sample = sample_of(one_block);
    const struct solved *s = &sample.solved;
    const size_t draws = nk_count_draws(s->codes, s->index->entries);
    const struct block codes = pack(s->codes, s->index->entries), traps = pack(s->traps, draws);
    for (size_t more = 0; more < 9; more += 4) { /* none at first; at last as many as a checksum and more */
        struct block long_codes = codes, long_traps = traps;
        memcpy(long_codes.packed + codes.length, codes.packed + codes.length - more, more);
        memcpy(long_traps.packed + traps.length, traps.packed + traps.length - more, more);
        long_codes.length += more;
        long_traps.length += more;
        check_blocks(&sample, &long_codes, &traps, more ? NK_E_CORRUPT : NK_OK);
        check_blocks(&sample, &codes, &long_traps, more ? NK_E_CORRUPT : NK_OK);
    }
    sample_free(&sample);
}

/* No stream where the format has nothing, not even an empty one, and one wherever it has something. */
Test(table, refuses_traps_of_no_draws_and_draws_without_traps)
{
    enum { NO_DRAWS, DRAWS }; /* what the two blocks hold */
    struct solved s = solve_board(two_blocks);
    const size_t rest = s.index->entries - NK_BLOCK_ENTRIES;
    static const struct block nothing;
    const struct block empty = pack(s.traps, 0);
    const struct {
        bool has_traps[2];
        enum nk_status expected[2];
    } cases[] = {
        {{false, true}, {NK_OK, NK_OK}},
        {{false, false}, {NK_OK, NK_OK}}, /* a table without traps */
        {{true, true}, {NK_E_CORRUPT, NK_OK}},
        {{true, false}, {NK_E_CORRUPT, NK_E_CORRUPT}},
    };
    memset(s.codes, NK_CODE_LOSS, NK_BLOCK_ENTRIES);
    memset(s.codes + NK_BLOCK_ENTRIES, NK_CODE_DRAW, rest);
    const struct bytes model = table_bytes(s.index, &s.solution->summary, s.codes, NULL);
    uint8_t *values = calloc(rest, 1), *room = malloc(rest);
    const struct block traps = pack(values, rest),
                       codes[] = {pack(s.codes, NK_BLOCK_ENTRIES), pack(s.codes + NK_BLOCK_ENTRIES, rest)};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct block *const blocks[] = {&codes[0], &codes[1],
                                              cases[i].has_traps[NO_DRAWS] ? &empty : &nothing,
                                              cases[i].has_traps[DRAWS] ? &traps : &nothing};
        const struct bytes made = table_of_blocks(&model, blocks);
        const bool good = !cases[i].expected[NO_DRAWS] && !cases[i].expected[DRAWS];
        struct nk_table *table;
        uint8_t code;
        cr_assert(!nk_table_open_bytes(made.data, made.size, &table, NULL));
        for (uint64_t block = 0; block < 2; block++)
            cr_assert_eq(nk_table_code(table, block * NK_BLOCK_ENTRIES, &code, NULL),
                         cases[i].expected[block], "case %zu, block %d", i, (int)block);
        cr_assert_eq(nk_table_traps(table, room, NULL), good ? NK_OK : NK_E_CORRUPT, "case %zu", i);
        nk_table_close(table);
        free(made.data);
    }
    free(room);
    free(values);
    free(model.data);
    solved_free(&s);
}

Test(table, refuses_a_win_that_no_move_wins)
{
    struct solved s = solve_board(one_block);
    struct nk_table *table;
    memset(s.codes, NK_CODE_WIN, s.index->entries);
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    for (struct nk_position p = {0}; next_placement(&s.rules, &p);) {
        struct nk_value value;
        struct nk_error error;
        if (!nk_rules_won(&s.rules, p.mover))
            cr_assert(nk_table_value(table, p, &value, &error) == NK_E_CORRUPT && error.text[0]);
    }
    nk_table_close(table);
    solved_free(&s);
}

/* ---- a file that changes while its table is open ---- */

Test(table, stays_as_it_was_when_replaced)
{
    struct solved old = solve_board(two_blocks), new = solve_board(one_block);
    struct nk_table *table;
    write_table(&old, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    write_table(&new, "table.dat");
    check_table(table, &old);
    nk_table_close(table);
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    check_table(table, &new);
    nk_table_close(table);
    solved_free(&old);
    solved_free(&new);
}

Test(table, notices_that_it_was_cut_off)
{
    struct solved s = solve_board(two_blocks);
    struct nk_table *table;
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    cr_assert(!truncate("table.dat", (off_t)nk_list_end(2) + 10));
    cr_assert_eq(read_all(table, &s), NK_E_CORRUPT);
    nk_table_close(table);
    solved_free(&s);
}

/* ---- threads ---- */

enum { THREADS = 8 };

struct reader {
    pthread_t thread;
    pthread_barrier_t *begin;
    struct nk_table *table;
    const struct solved *solved;
    bool loads; /* the table, before it reads */
    uint64_t wrong;
};

static void *read_in_thread(void *context)
{
    struct reader *reader = context;
    pthread_barrier_wait(reader->begin);
    if (reader->loads)
        reader->wrong += nk_table_load(reader->table, NULL) != NK_OK;
    for (uint64_t entry = 0; entry < reader->solved->index->entries; entry++) {
        struct nk_value value;
        const struct nk_position position = nk_index_position(reader->solved->index, entry);
        const uint8_t code = reader->solved->codes[entry];
        if (nk_rules_won(&reader->solved->rules, position.mover))
            continue;
        if (nk_table_value(reader->table, position, &value, NULL))
            reader->wrong++;
        else if (code >= NK_CODE_LOSS)
            reader->wrong += value.result != NK_LOSS || value.plies != 2 * (code - NK_CODE_LOSS);
        else
            reader->wrong += value.result != (code == NK_CODE_DRAW ? NK_DRAW : NK_WIN);
    }
    return NULL;
}

/* All want the same block at the same moment, again and again; `loading` of them load the table first. */
static void read_in_threads(int loading)
{
    struct sample sample = sample_of(STANDARD);
    struct reader readers[THREADS];
    pthread_barrier_t begin;
    struct nk_table *table;
    cr_assert(!nk_table_open_bytes(sample.table.data, sample.table.size, &table, NULL));
    cr_assert(!pthread_barrier_init(&begin, NULL, THREADS));
    for (int t = 0; t < THREADS; t++) {
        readers[t] =
            (struct reader){.begin = &begin, .table = table, .solved = &sample.solved, .loads = t < loading};
        cr_assert(!pthread_create(&readers[t].thread, NULL, read_in_thread, &readers[t]));
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(readers[t].thread, NULL);
        cr_assert_eq(readers[t].wrong, 0, "thread %d: %llu wrong", t, (unsigned long long)readers[t].wrong);
    }
    pthread_barrier_destroy(&begin);
    nk_table_close(table);
    sample_free(&sample);
}

Test(table, threads_share_one_table)
{
    read_in_threads(0);
}

Test(table, threads_load_one_table)
{
    read_in_threads(3);
}

/* ---- a table too large to be kept unpacked ---- */

enum { READS = 8000 };

struct wanderer {
    pthread_t thread;
    struct nk_table *table;
    const struct nk_index *index;
    uint64_t random, wrong;
};

/* What tells one block from another. */
static uint8_t large_code(uint64_t entry)
{
    return entry % 16 ? (uint8_t)(entry / NK_BLOCK_ENTRIES * 7) : NK_CODE_DRAW;
}

static uint8_t large_trap(uint64_t entry)
{
    return large_code(entry) == NK_CODE_DRAW ? (uint8_t)(entry / NK_BLOCK_ENTRIES * 5) : 0;
}

static void *wander(void *context)
{
    struct wanderer *w = context;
    for (int i = 0; i < READS; i++) {
        uint8_t code, trap;
        w->random = w->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t entry = (w->random >> 20) % w->index->entries;
        w->wrong += nk_table_code(w->table, entry, &code, NULL) || code != large_code(entry);
        w->wrong += nk_table_trap(w->table, nk_index_position(w->index, entry), &trap, NULL) ||
                    trap != large_trap(entry);
    }
    return NULL;
}

Test(table, threads_share_a_large_table)
{
    const struct nk_rules rules = rules_of((struct board){6, 5, 4, 4, NK_WIN_LINE});
    struct wanderer wanderers[THREADS];
    struct nk_index *index;
    struct nk_table *table;
    size_t draws = 0;
    cr_assert(!nk_index_new(&rules, &index));
    const struct nk_summary summary = {.placements = index->placements};
    uint8_t *codes = malloc(index->entries), *traps = malloc(index->entries);
    cr_assert(codes && traps);
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        codes[entry] = large_code(entry);
        if (codes[entry] == NK_CODE_DRAW)
            traps[draws++] = large_trap(entry);
    }
    cr_assert(!nk_table_write("large.dat", index, &summary, codes, traps, NULL, NULL));
    cr_assert(!nk_table_open("large.dat", &table, NULL));
    for (int t = 0; t < THREADS; t++) {
        wanderers[t] = (struct wanderer){.table = table, .index = index, .random = (uint64_t)t};
        cr_assert(!pthread_create(&wanderers[t].thread, NULL, wander, &wanderers[t]));
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(wanderers[t].thread, NULL);
        cr_assert_eq(wanderers[t].wrong, 0, "thread %d: %llu wrong", t,
                     (unsigned long long)wanderers[t].wrong);
    }
    nk_table_close(table);
    nk_index_free(index);
    free(traps);
    free(codes);
}

/* ---- writing: whole or not at all ---- */

static const char old_text[] = "what was there before";

static void refuse_to_write(const struct solved *s, const char *path)
{
    struct nk_file file = {77, 88};
    struct nk_error error;
    const int files = files_in(".");
    const enum nk_status status =
        nk_table_write(path, s->index, &s->solution->summary, s->codes, s->traps, &file, &error);
    cr_assert_eq(status, NK_E_WRITE, "\"%s\"", path);
    cr_assert(error.status == NK_E_WRITE && error.text[0] && file.bytes == 77 && file.checksum == 88);
    cr_assert_eq(files_in("."), files, "\"%s\": left a file behind", path);
    cr_assert_eq(nk_table_write(path, s->index, &s->solution->summary, s->codes, s->traps, NULL, NULL),
                 NK_E_WRITE);
}

Test(table, says_that_it_cannot_write)
{
    struct solved s = solve_board(one_block);
    char long_name[NAME_MAX + 2];
    memset(long_name, 'x', sizeof long_name);
    long_name[NAME_MAX + 1] = '\0';
    cr_assert(!mkdir("directory", 0777) && !symlink("loop", "loop") && !symlink("directory", "link") &&
              !symlink("missing", "leads_nowhere"));
    write_bytes("file", old_text, sizeof old_text);
    refuse_to_write(&s, "missing/table.dat");
    refuse_to_write(&s, "file/table.dat");
    refuse_to_write(&s, "directory");
    refuse_to_write(&s, "directory/");
    refuse_to_write(&s, "link");
    refuse_to_write(&s, "loop");
    refuse_to_write(&s, "leads_nowhere");
    refuse_to_write(&s, "");
    refuse_to_write(&s, long_name);
    cr_assert_eq(files_in("directory"), 0);
    solved_free(&s);
}

/* Not as root, who would replace the device if the library were wrong. */
Test(table, says_that_a_device_is_full)
{
    struct solved s = solve_board(one_block);
    struct stat about;
    give_up_root();
    refuse_to_write(&s, "/dev/full");
    take_root_back();
    cr_assert(!lstat("/dev/full", &about) && S_ISCHR(about.st_mode));
    solved_free(&s);
}

static void check_old_file(const char *path)
{
    struct bytes file = read_bytes(path);
    cr_assert_eq(file.size, sizeof old_text);
    cr_assert_str_eq((char *)file.data, old_text);
    free(file.data);
}

/* The disk is full at any byte of the table. */
Test(table, leaves_the_old_file_when_there_is_no_room)
{
    struct sample sample = sample_of(one_block);
    struct rlimit unlimited;
    cr_assert(!getrlimit(RLIMIT_FSIZE, &unlimited));
    signal(SIGXFSZ, SIG_IGN);
    write_bytes("table.dat", old_text, sizeof old_text);
    for (size_t room = 0; room < sample.table.size; room++) {
        const struct rlimit limit = {room, unlimited.rlim_max};
        cr_assert(!setrlimit(RLIMIT_FSIZE, &limit));
        refuse_to_write(&sample.solved, "table.dat");
        refuse_to_write(&sample.solved, "new.dat");
        cr_assert(!setrlimit(RLIMIT_FSIZE, &unlimited));
        check_old_file("table.dat");
    }
    cr_assert_eq(files_in("."), 1);
    sample_free(&sample);
}

Test(table, leaves_the_old_file_where_it_may_not_write)
{
    struct solved s = solve_board(one_block);
    give_up_root();
    cr_assert(!mkdir("directory", 0777));
    write_bytes("directory/table.dat", old_text, sizeof old_text);
    cr_assert(!chmod("directory", 0555));
    refuse_to_write(&s, "directory/table.dat");
    cr_assert_eq(files_in("directory"), 1);
    check_old_file("directory/table.dat");
    cr_assert(!chmod("directory", 0777));
    take_root_back();
    solved_free(&s);
}

/* Writes over what is there and finds nothing but the table. */
static void check_written(const struct sample *sample, const char *path, const char *real_path)
{
    const int files = files_in(".");
    write_table(&sample->solved, path);
    struct bytes table = read_bytes(real_path);
    cr_assert_eq(table.size, sample->table.size);
    cr_assert_arr_eq(table.data, sample->table.data, table.size);
    cr_assert_eq(files_in("."), files);
    free(table.data);
}

Test(table, replaces_a_file)
{
    struct sample sample = sample_of(one_block);
    char long_name[NAME_MAX + 1], left_over[64];
    memset(long_name, 'x', sizeof long_name);
    long_name[NAME_MAX] = '\0';
    write_bytes("table.dat", old_text, sizeof old_text);
    write_bytes(long_name, old_text, sizeof old_text);
    check_written(&sample, "table.dat", "table.dat");
    check_written(&sample, long_name, long_name);
    /* What a killed process with our number would have left behind. */
    snprintf(left_over, sizeof left_over, ".new-%d-0", (int)getpid());
    write_bytes(left_over, old_text, sizeof old_text);
    check_written(&sample, "table.dat", "table.dat");
    for (int n = 1; n < 100; n++) {
        snprintf(left_over, sizeof left_over, ".new-%d-%d", (int)getpid(), n);
        write_bytes(left_over, old_text, sizeof old_text);
    }
    refuse_to_write(&sample.solved, "table.dat");
    check_old_file(left_over);
    cr_assert(!remove(left_over));
    check_written(&sample, "table.dat", "table.dat");
    sample_free(&sample);
}

/* Somebody else cuts what is being written: it must not get the name. */
Test(table, leaves_the_old_file_when_the_new_one_is_cut)
{
    struct nk_writer *writer;
    struct nk_error error;
    uint64_t checksum = 77;
    char temporary[64];
    write_bytes("file", old_text, sizeof old_text);
    cr_assert(!nk_writer_open("file", &writer, NULL));
    cr_assert(!nk_writer_append(writer, "another text", 12, NULL));
    snprintf(temporary, sizeof temporary, ".new-%d-0", (int)getpid());
    cr_assert(!truncate(temporary, 5));
    cr_assert_eq(nk_writer_close(writer, &checksum, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "cannot write file: Input/output error");
    cr_assert_eq(checksum, 77);
    check_old_file("file");
    cr_assert_eq(files_in("."), 1);
}

static void check_permissions(mode_t mode, uid_t owner, gid_t group)
{
    struct stat about;
    cr_assert(!stat("file", &about));
    cr_assert_eq(about.st_mode & 07777, mode, "%o, expected %o", about.st_mode & 07777, mode);
    cr_assert(about.st_uid == owner && about.st_gid == group);
}

/* Another file than before, with the same permissions; meanwhile nobody else may read it. */
Test(table, keeps_permissions)
{
    static const mode_t modes[] = {0600, 0640, 0444, 0664, 0755, 0666};
    struct nk_writer *writer;
    struct stat about;
    char temporary[64];
    snprintf(temporary, sizeof temporary, ".new-%d-0", (int)getpid());
    umask(027);
    cr_assert(!nk_file_write("file", old_text, sizeof old_text, NULL));
    check_permissions(0640, geteuid(), getegid());
    umask(022);
    for (size_t i = 0; i < COUNT(modes); i++) {
        cr_assert(!chmod("file", modes[i]));
        cr_assert(!nk_writer_open("file", &writer, NULL));
        cr_assert(!stat(temporary, &about) && (about.st_mode & 07777) == 0600);
        cr_assert(!nk_writer_close(writer, NULL, NULL));
        check_permissions(modes[i], geteuid(), getegid());
    }
}

Test(table, keeps_owner_and_group)
{
    enum { SOMEBODY = 12345, THEIRS = 23456 };
    if (getuid())
        cr_skip("only root can give a file away");
    write_bytes("file", old_text, sizeof old_text);
    cr_assert(!chown("file", SOMEBODY, THEIRS) && !chmod("file", 0664));
    cr_assert(!nk_file_write("file", old_text, sizeof old_text, NULL));
    check_permissions(0664, SOMEBODY, THEIRS);
    /* Another user cannot keep either. Another group gets no more than everybody has. */
    give_up_root();
    cr_assert(!nk_file_write("file", old_text, sizeof old_text, NULL));
    check_permissions(0644, geteuid(), getegid());
    take_root_back();
    cr_assert(!chown("file", SOMEBODY, THEIRS) && !chmod("file", 0640));
    give_up_root();
    cr_assert(!nk_file_write("file", old_text, sizeof old_text, NULL));
    check_permissions(0600, geteuid(), getegid());
    take_root_back();
}

/* At each of its steps no more files can be opened. */
Test(table, says_that_too_many_files_are_open)
{
    struct solved s = solve_board(one_block);
    struct rlimit unlimited;
    struct nk_error error;
    const char *const paths[] = {"table.dat", "/dev/null"};
    enum { NEEDED = 3 }; /* a device: itself, what is prepared for it, and that by another number */
    bool written[COUNT(paths)] = {false};
    cr_assert(!getrlimit(RLIMIT_NOFILE, &unlimited));
    const int free_one = dup(0);
    close(free_one);
    give_up_root();
    for (int more = 0; more <= NEEDED; more++)
        for (size_t i = 0; i < COUNT(paths); i++) {
            const struct rlimit limit = {(rlim_t)free_one + (rlim_t)more, unlimited.rlim_max};
            cr_assert(!setrlimit(RLIMIT_NOFILE, &limit));
            const enum nk_status status =
                nk_table_write(paths[i], s.index, &s.solution->summary, s.codes, s.traps, NULL, &error);
            cr_assert(!setrlimit(RLIMIT_NOFILE, &unlimited));
            cr_assert(!written[i] || !status, "%s: %d more files are worse than fewer", paths[i], more);
            cr_assert(!status || (status == NK_E_WRITE && strstr(error.text, "Too many open files")),
                      "%s: %s", paths[i], error.text);
            written[i] = !status;
            cr_assert_eq(files_in("."), written[0]);
        }
    cr_assert(written[0] && written[1]);
    take_root_back();
    solved_free(&s);
}

Test(table, writes_through_symbolic_links)
{
    struct sample sample = sample_of(one_block);
    struct stat about;
    cr_assert(!mkdir("directory", 0777));
    write_bytes("directory/target.dat", old_text, sizeof old_text);
    cr_assert(!symlink("directory/target.dat", "link") && !symlink("link", "link_to_link"));
    check_written(&sample, "link_to_link", "directory/target.dat");
    cr_assert(!lstat("link_to_link", &about) && S_ISLNK(about.st_mode));
    cr_assert(!lstat("link", &about) && S_ISLNK(about.st_mode));
    cr_assert(!lstat("directory/target.dat", &about) && S_ISREG(about.st_mode));
    cr_assert_eq(files_in("directory"), 1);
    sample_free(&sample);
}

Test(table, writes_into_pipes)
{
    struct sample sample = sample_of(one_block);
    struct stat about;
    uint8_t got[4096];
    char link[32];
    cr_assert(!mkfifo("pipe", 0666));
    const int end = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    cr_assert_geq(end, 0);
    snprintf(link, sizeof link, "/proc/self/fd/%d", end); /* as /dev/stdout may be one */
    const char *const names[] = {"pipe", link};
    for (size_t i = 0; i < COUNT(names); i++) {
        write_table(&sample.solved, names[i]);
        cr_assert_eq(read(end, got, sizeof got), (ssize_t)sample.table.size);
        cr_assert_arr_eq(got, sample.table.data, sample.table.size);
    }
    cr_assert(!lstat("pipe", &about) && S_ISFIFO(about.st_mode));
    close(end);
    sample_free(&sample);
}

/* Not as root, who would replace the device if the library were wrong. */
Test(table, writes_into_devices)
{
    struct solved s = solve_board(one_block);
    struct stat about;
    give_up_root();
    write_table(&s, "/dev/null");
    take_root_back();
    cr_assert(!lstat("/dev/null", &about) && S_ISCHR(about.st_mode));
    solved_free(&s);
}

Test(table, writes_any_file)
{
    struct nk_error error;
    write_bytes("file", old_text, sizeof old_text);
    for (size_t size = 0; size <= sizeof old_text; size++) {
        cr_assert(!nk_file_write("file", old_text, size, &error), "%s", error.text);
        struct bytes file = read_bytes("file");
        cr_assert_eq(file.size, size);
        cr_assert_arr_eq(file.data, old_text, size);
        free(file.data);
    }
    cr_assert_eq(nk_file_write("missing/file", "", 0, NULL), NK_E_WRITE);
    cr_assert_eq(files_in("."), 1);
}

/* A program started without standard streams must not take a file that it opens for one of them. */
Test(table, closed_streams_are_filled)
{
    const pid_t child = fork();
    if (child == 0) {
        char byte = 'x';
        for (int stream = 0; stream < 3; stream++)
            close(stream);
        nk_file_fill_standard();
        const bool filled = open("/dev/null", O_RDWR) > 2;
        _exit(filled && read(0, &byte, 1) < 0 && write(1, &byte, 1) < 0 && write(2, &byte, 1) < 0 ? 0 : 1);
    }
    int status;
    cr_assert(child > 0 && waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- describing a file ---- */

Test(table, describes_files)
{
    enum { MOST = 100000 };
    static const size_t sizes[] = {0, 1, 240, 241, 16383, 16384, 16385, 32768, MOST};
    uint8_t *data = malloc(MOST);
    struct nk_file file;
    for (size_t i = 0; i < MOST; i++)
        data[i] = (uint8_t)(i * i >> 3);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        write_bytes("file", data, sizes[i]);
        cr_assert(!nk_file_describe("file", &file, NULL));
        cr_assert_eq(file.bytes, sizes[i]);
        cr_assert_eq(file.checksum, XXH3_64bits(data, sizes[i]));
    }
    file = (struct nk_file){77, 88};
    struct nk_error error;
    cr_assert_eq(nk_file_describe("missing", &file, &error), NK_E_READ);
    cr_assert_str_eq(error.text, "missing: No such file or directory");
    cr_assert_eq(nk_file_describe(".", &file, &error), NK_E_READ);
    cr_assert_str_eq(error.text, ".: Is a directory");
    cr_assert(file.bytes == 77 && file.checksum == 88);
    free(data);
}
