/* The table's file: read right or not at all, whatever has happened to it. */

#include "common/table_reader.h"
#include "player/random.h"
#include "tests/seal.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

TestSuite(table, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static const struct board one_block = {3, 3, 3, 3, NK_WIN_LINE};
static const struct board two_blocks = {4, 4, 3, 3, NK_WIN_LINE};

/* Reads all codes and traps. Those that can be read must be right. Returns the first failure. */
static enum nk_status read_all(struct nk_table *table, const struct solved *s)
{
    enum nk_status failure = NK_OK;
    const uint8_t *trap = s->traps;
    for (uint64_t entry = 0; entry < s->index->entries; entry++) {
        const struct nk_position position = nk_index_position(s->index, entry);
        const uint8_t right_trap = s->codes[entry] == NK_CODE_DRAW && trap ? *trap++ : 0;
        struct nk_error error = {0};
        uint8_t code = 77, found = 77;
        enum nk_status status = nk_table_code(table, entry, &code, &error);
        cr_assert(status == error.status && code == (status ? 77 : s->codes[entry]), "entry %d", (int)entry);
        failure = failure ? failure : status;
        if (nk_index_entry(s->index, position) != entry)
            continue; /* of an image, which has another entry */
        status = nk_table_trap(table, position, &found, &error);
        cr_assert(found == (status ? 77 : right_trap), "%s", position_text(&s->rules, position).s);
        failure = failure ? failure : status;
    }
    return failure;
}

/* ---- what was written is read ---- */

static void check_table(struct nk_table *table, const struct solved *s)
{
    cr_assert(nk_rules_equal(nk_table_rules(table), &s->rules));
    cr_assert_eq(nk_table_index(table)->entries, s->index->entries);
    cr_assert(!memcmp(nk_table_summary(table), &s->solution->summary, sizeof s->solution->summary));
    cr_assert_eq(nk_table_has_traps(table), s->traps != NULL);
    cr_assert_eq(read_all(table, s), NK_OK);
}

/* Compares the values of all legal positions, and the moves of some. */
static void check_same_answers(struct nk_table *a, struct nk_table *b)
{
    const struct nk_rules *rules = nk_table_rules(a);
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        struct nk_value of_a, of_b;
        struct nk_move_value moves_a[NK_MAX_MOVES] = {0}, moves_b[NK_MAX_MOVES] = {0};
        int count_a, count_b;
        if (nk_rules_won(rules, p.mover))
            continue;
        cr_assert(!nk_table_value(a, p, &of_a, NULL) && !nk_table_value(b, p, &of_b, NULL) &&
                      same_value(of_a, of_b),
                  "%s", position_text(rules, p).s);
        if (p.mover % 7 == 0)
            cr_assert(!nk_table_moves(a, p, moves_a, &count_a, NULL) &&
                          !nk_table_moves(b, p, moves_b, &count_b, NULL) && count_a == count_b &&
                          !memcmp(moves_a, moves_b, sizeof moves_a),
                      "%s", position_text(rules, p).s);
    }
}

/* From a file and from memory, and loaded, after which the bytes may go. */
Test(table, reads_what_was_written)
{
    static const struct board boards[] = {{3, 3, 4, 4, NK_WIN_LINE},
                                          {4, 4, 3, 3, NK_WIN_LINE},
                                          {4, 3, 5, 3, NK_WIN_ORTHOGONAL},
                                          {6, 4, 2, 2, NK_WIN_DIAGONAL},
                                          {5, 5, 3, 3, NK_WIN_LINE}};
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 1); i++) {
        struct solved s = solve_board(boards[i]);
        const struct bytes bytes = table_bytes(&s);
        struct nk_table *table = open_table(&s), *loaded = open_bytes(bytes);
        struct nk_file file;
        cr_assert(!nk_file_describe("table.dat", &file, NULL) && file.bytes == bytes.size &&
                      file.checksum == XXH3_64bits(bytes.data, bytes.size),
                  "two writes of one table differ");
        check_table(table, &s);
        check_table(loaded, &s);
        cr_assert(!nk_table_load(loaded, NULL));
        memset(bytes.data, 0, bytes.size);
        cr_assert(!nk_table_load(loaded, NULL));
        check_table(loaded, &s);
        check_same_answers(table, loaded);
        nk_table_close(table);
        nk_table_close(loaded);
        free(s.traps);
        s.traps = NULL;
        cr_assert_leq(write_table(&s, "table.dat").bytes, bytes.size);
        check_table(table = open_table(&s), &s);
        nk_table_close(table);
        free(bytes.data);
        solved_free(&s);
    }
    nk_table_close(NULL);
}

/* Pieces of codes that begin and end anywhere, also across several blocks. */
Test(table, gives_codes_by_the_piece)
{
    struct solved s = solve_board(STANDARD);
    static const uint64_t lengths[] = {0, 1, NK_BLOCK_ENTRIES - 1, NK_BLOCK_ENTRIES,
                                       3 * NK_BLOCK_ENTRIES + 5};
    struct nk_table *table = open_table(&s);
    uint8_t *codes = malloc(s.index->entries);
    for (uint64_t first = 0; first < s.index->entries; first += 49999)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const uint64_t left = s.index->entries - first;
            const uint64_t count = lengths[i] < left ? lengths[i] : left;
            codes[count] = 77;
            cr_assert(!nk_table_codes(table, first, count, codes, NULL));
            cr_assert(!memcmp(codes, s.codes + first, count) && codes[count] == 77);
        }
    free(codes);
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
        s.codes[entry] = (uint8_t)nk_random(&random);
        s.traps[entry] = (uint8_t)nk_random(&random);
    }
    s.solution->summary = (struct nk_summary){.placements = s.index->placements,
                                              .legal = UINT64_MAX,
                                              .wins = UINT64_MAX - 1,
                                              .losses = UINT64_MAX - 2,
                                              .draws = UINT64_MAX - 3,
                                              .stalemates = UINT64_MAX - 4,
                                              .longest = UINT32_MAX};
    struct nk_table *table = open_table(&s);
    check_table(table, &s);
    nk_table_close(table);
    solved_free(&s);
}

/* More blocks than are compressed at a time, and codes that arrive in pieces of any size. */
Test(table, is_written_in_pieces)
{
    struct nk_index *index = index_of((struct board){6, 6, 3, 3, NK_WIN_LINE});
    const struct nk_summary summary = {.placements = index->placements};
    static const uint64_t pieces[] = {1, 5000000, 100000, 1 << 22};
    struct nk_table_writer *writer;
    struct nk_table *table;
    uint8_t *codes = malloc(index->entries), *read = malloc(index->entries);
    for (uint64_t entry = 0; entry < index->entries; entry++)
        codes[entry] = (uint8_t)(entry / NK_BLOCK_ENTRIES);
    cr_assert(!nk_table_writer_open("large.dat", index, &writer, NULL));
    for (uint64_t done = 0, piece = 0; done < index->entries; done += pieces[piece++ % COUNT(pieces)]) {
        const uint64_t left = index->entries - done, length = pieces[piece % COUNT(pieces)];
        cr_assert(!nk_table_writer_append(writer, codes + done, length < left ? length : left, NULL));
    }
    cr_assert(!nk_table_writer_close(writer, &summary, NULL, NULL, NULL));
    cr_assert(!nk_table_open("large.dat", &table, NULL) &&
              !nk_table_codes(table, 0, index->entries, read, NULL));
    cr_assert(!memcmp(read, codes, index->entries));
    nk_table_close(table);
    free(read);
    free(codes);
    nk_index_free(index);
}

/* The disk is full at any byte of the table. */
Test(table, leaves_the_old_file_when_there_is_no_room)
{
    struct solved s = solve_board(one_block);
    const struct bytes bytes = table_bytes(&s);
    struct rlimit unlimited;
    cr_assert(!getrlimit(RLIMIT_FSIZE, &unlimited));
    signal(SIGXFSZ, SIG_IGN);
    write_bytes("table.dat", "old", 4);
    for (size_t room = 0; room < bytes.size; room++) {
        struct nk_file file = {77, 88};
        struct nk_error error;
        cr_assert(!setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, unlimited.rlim_max}));
        cr_assert_eq(
            nk_table_write("table.dat", s.index, &s.solution->summary, s.codes, s.traps, &file, &error),
            NK_E_WRITE, "%zu", room);
        cr_assert(error.status == NK_E_WRITE && file.bytes == 77 && file.checksum == 88);
        cr_assert_eq(files_in("."), 1);
    }
    cr_assert(!setrlimit(RLIMIT_FSIZE, &unlimited));
    struct bytes old = read_bytes("table.dat");
    cr_assert_str_eq((char *)old.data, "old");
    free(old.data);
    free(bytes.data);
    solved_free(&s);
}

/* A source without `uncompress` gets its blocks from the caller. */
Test(table, takes_supplied_blocks)
{
    struct solved s = solve_board(two_blocks);
    const struct bytes bytes = table_bytes(&s);
    const uint32_t blocks = 2;
    static uint8_t plain[NK_BLOCK_ENTRIES];
    struct nk_table *table, *right = open_bytes(bytes);
    struct nk_error error;
    uint8_t code;
    cr_assert(!nk_table_open_source(nk_memory_source(bytes.data, bytes.size), &table, &error));
    cr_assert_eq(nk_table_code(table, 0, &code, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 0 is missing");
    cr_assert_eq(nk_table_supply(table, blocks, plain, 1, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 0 is missing");
    for (uint32_t block = 0; block < 2 * blocks; block++) {
        const uint64_t begin = nk_table_block_begin(table, block);
        const size_t length = nk_table_block_length(table, block);
        uLongf size = sizeof plain;
        cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT);
        cr_assert(!nk_table_check_block(table, block, bytes.data + begin, &error));
        cr_assert_eq(uncompress(plain, &size, bytes.data + begin, length), Z_OK);
        cr_assert_eq(nk_table_supply(table, block, plain, size - 1, &error), NK_E_CORRUPT);
        cr_assert_eq(nk_table_supply(table, block, plain, size + 1, &error), NK_E_CORRUPT);
        cr_assert(!nk_table_supply(table, block, plain, size, &error), "%s", error.text);
        cr_assert_eq(nk_table_supply(table, block, plain, size, &error), NK_E_CORRUPT);
    }
    cr_assert_eq(nk_table_supply(table, 2 * blocks, plain, 1, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "damaged: block 4 is not expected");
    check_table(table, &s);
    cr_assert(!nk_table_load(table, &error), "%s", error.text);
    check_same_answers(right, table);
    nk_table_close(right);
    nk_table_close(table);
    free(bytes.data);
    solved_free(&s);
}

/* ---- files that are not tables ---- */

static void refuse_bytes(const void *data, size_t size, enum nk_status expected, const char *message)
{
    struct nk_table *const none = NULL;
    struct nk_table *table = none;
    struct nk_error error;
    uint8_t *exact = malloc(size ? size : 1); /* so that reading beyond it is noticed */
    memcpy(exact, data, size);
    cr_assert_eq(nk_table_open_bytes(exact, size, &table, &error), expected, "%s: %s", message, error.text);
    cr_assert(table == none && error.status == expected && strstr(error.text, message), "%s: expected %s",
              error.text, message);
    cr_assert_eq(nk_table_open_bytes(exact, size, &table, NULL), expected);
    free(exact);
}

static void refuse_file(const char *path, enum nk_status expected, const char *message)
{
    struct nk_table *const none = NULL;
    struct nk_table *table = none;
    struct nk_error error;
    const size_t length = strlen(path);
    cr_assert_eq(nk_table_open(path, &table, &error), expected, "%s: %s", path, error.text);
    cr_assert(table == none && error.status == expected && strstr(error.text, message), "%s", error.text);
    cr_assert(strstr(error.text, path + (length > 100 ? length - 100 : 0)), "%s", error.text);
    cr_assert_eq(nk_table_open(path, &table, NULL), expected);
}

Test(table, refuses_foreign_files)
{
    static const struct bytes foreign[] = {
        {(uint8_t *)"\n", 1},
        {(uint8_t *)"#!/bin/sh\nexit 0\n", 17},
        {(uint8_t *)"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16},
        {(uint8_t *)"\x89NKT\n\x1a\n", 7},        /* a table after a transfer in text mode */
        {(uint8_t *)"\x89NKT\r\r\n\x1a\r\n", 10}, /* and the other way */
    };
    for (size_t i = 0; i < COUNT(foreign); i++) {
        refuse_bytes(foreign[i].data, foreign[i].size, NK_E_NOT_TABLE,
                     "not a table: expected a file made by");
        write_bytes("foreign", foreign[i].data, foreign[i].size);
        refuse_file("foreign", NK_E_NOT_TABLE, "not a table: expected a file made by");
    }
    refuse_bytes("", 0, NK_E_NOT_TABLE, "not a table: the file is empty");
}

Test(table, refuses_what_cannot_be_read)
{
    char endless[6000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    cr_assert(!mkdir("directory", 0777) && !mkfifo("pipe", 0666) && !symlink("loop", "loop"));
    refuse_file("missing", NK_E_READ, "No such file or directory");
    refuse_file("", NK_E_READ, "No such file or directory");
    refuse_file("directory", NK_E_READ, "not a regular file");
    refuse_file("pipe", NK_E_READ, "not a regular file");
    refuse_file("loop", NK_E_READ, "Too many levels of symbolic links");
    refuse_file("/dev/null", NK_E_READ, "not a regular file");
    refuse_file(endless, NK_E_READ, "File name too long");
}

/* ---- damage ---- */

Test(table, refuses_every_truncation)
{
    struct solved s = solve_board(one_block);
    const struct bytes table = table_bytes(&s);
    for (size_t size = 0; size <= table.size + 1; size++) {
        const enum nk_status expected = size ? NK_E_CORRUPT : NK_E_NOT_TABLE;
        if (size == table.size)
            continue;
        refuse_bytes(table.data, size, expected,
                     size ? "damaged: " : "empty"); /* a zero follows the last byte */
        write_bytes("truncated", table.data, size);
        refuse_file("truncated", expected, "truncated: ");
    }
    free(table.data);
    solved_free(&s);
}

/* Damage to this block, traps counted after codes, is noticed by all who need the block, and by nobody else. */
static void expect_block_refused(struct nk_table *table, const struct solved *s, uint32_t damaged,
                                 uint64_t *random)
{
    const uint32_t blocks = nk_get32(table->bytes + NK_AT_BLOCKS);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t block = (damaged + i) % blocks;
        const uint64_t first = (uint64_t)block * NK_BLOCK_ENTRIES,
                       length = nk_table_block_entries(table, block);
        uint64_t entry = first + nk_random_below(random, (uint32_t)length);
        uint8_t code = 77, trap = 77;
        enum nk_status status = nk_table_code(table, entry, &code, NULL);
        cr_assert_eq(status, block == damaged ? NK_E_CORRUPT : NK_OK, "block %u", damaged);
        cr_assert_eq(code, status ? 77 : s->codes[entry]);
        while (entry < first + length &&
               (s->codes[entry] != NK_CODE_DRAW ||
                nk_index_entry(s->index, nk_index_position(s->index, entry)) != entry))
            entry++;
        if (entry == first + length)
            continue;
        status = nk_table_trap(table, nk_index_position(s->index, entry), &trap, NULL);
        cr_assert_eq(status, block == damaged || blocks + block == damaged ? NK_E_CORRUPT : NK_OK, "%u",
                     damaged);
        cr_assert(trap == 77 || trap == s->traps[nk_count_draws(s->codes, entry)]);
    }
}

/* Flips a bit. What no checksum of the header covers is found when the block is first needed. */
static void flip_bit(const struct solved *s, struct bytes bytes, size_t at, int bit, bool whole,
                     uint64_t *random)
{
    const uint64_t list_end = nk_list_end(nk_get32(bytes.data + NK_AT_BLOCKS));
    struct nk_table *table;
    bytes.data[at] ^= (uint8_t)(1 << bit);
    const enum nk_status status = nk_table_open_bytes(bytes.data, bytes.size, &table, NULL);
    cr_assert_eq(status,
                 at < NK_AT_WIDTH ? NK_E_NOT_TABLE
                 : at < list_end  ? NK_E_CORRUPT
                                  : NK_OK,
                 "bit %d of byte %zu", bit, at);
    if (!status) {
        uint32_t block = 0;
        while (nk_table_block_begin(table, block) + nk_table_block_length(table, block) <= at)
            block++;
        expect_block_refused(table, s, block, random);
        cr_assert(!whole || read_all(table, s) == NK_E_CORRUPT);
        nk_table_close(table);
    }
    bytes.data[at] ^= (uint8_t)(1 << bit);
}

static void flip_bits(struct board board, bool every_bit)
{
    struct solved s = solve_board(board);
    const struct bytes bytes = table_bytes(&s);
    uint64_t random = 1;
    for (size_t at = 0; at < bytes.size; at++)
        for (int bit = 0; bit < 8; bit++)
            if (every_bit || bit == (int)(at % 8))
                flip_bit(&s, bytes, at, bit, every_bit, &random);
    free(bytes.data);
    solved_free(&s);
}

Test(table, notices_every_flipped_bit)
{
    flip_bits(one_block, true);
    flip_bits(two_blocks, false);
    if (is_thorough())
        flip_bits(STANDARD, false);
}

/* Loading must fail, twice; afterwards the table answers what it can answer. */
static void refuse_to_load(struct bytes bytes, const char *message, bool answers)
{
    struct nk_table *table = open_bytes(bytes);
    struct nk_error error;
    uint8_t code;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT, "%s", message);
        cr_assert(strstr(error.text, message), "%s", error.text);
    }
    cr_assert_eq(nk_table_code(table, 0, &code, NULL), answers ? NK_OK : NK_E_CORRUPT);
    nk_table_close(table);
}

Test(table, refuses_to_load_what_is_damaged)
{
    struct solved s = solve_board(one_block);
    struct bytes bytes = table_bytes(&s);
    const struct {
        size_t at;
        const char *message;
        bool answers;
    } cases[] = {{nk_list_end(1) + 10, "checksum of block 0", false},
                 {bytes.size - 1, "checksum of block 1", true},
                 {NK_AT_CODES, "checksum of the codes", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bytes.data[cases[i].at] ^= 1;
        seal_header(bytes.data, bytes.size);
        refuse_to_load(bytes, cases[i].message, cases[i].answers);
        bytes.data[cases[i].at] ^= 1;
    }
    free(bytes.data);
    uint64_t entry = 0;
    while (s.codes[entry] != NK_CODE_LOSS + 1) /* a loss, which no move can win */
        entry++;
    s.codes[entry] = NK_CODE_WIN;
    bytes = table_bytes(&s);
    refuse_to_load(bytes, "marked won that no move wins", true);
    struct nk_table *table = open_bytes(bytes);
    struct nk_value value;
    cr_assert_eq(nk_table_value(table, nk_index_position(s.index, entry), &value, NULL), NK_E_CORRUPT);
    nk_table_close(table);
    free(bytes.data);
    solved_free(&s);
}

/* ---- nonsense with right checksums ---- */

static const char no_board[] = "damaged: a", other_board[] = "placements, but this board has",
                  other_entries[] = "do not belong to this board", not_zero[] = "of the header are not zero",
                  other_size[] = "but its header says", wrong_block[] = "and ends at byte",
                  wrong_end[] = "damaged: the last block ends at byte";

Test(table, refuses_a_header_without_sense)
{
    enum {
        FIRST = NK_HEADER_BYTES + NK_BLOCK_END, /* the ends of the four blocks */
        SECOND = FIRST + NK_BLOCK_BYTES,
        THIRD = SECOND + NK_BLOCK_BYTES,
        LAST = THIRD + NK_BLOCK_BYTES
    };
    struct solved s = solve_board(two_blocks);
    struct bytes table = table_bytes(&s);
    const uint64_t entries = s.index->entries, size = table.size, placements = s.index->placements,
                   first = nk_get64(table.data + FIRST), second = nk_get64(table.data + SECOND);
    const struct {
        size_t at;
        int bytes;
        const char *message;
        int count;
        uint64_t values[4];
    } cases[] = {
        {NK_AT_VERSION, 4, "a table of format version", 3, {0, NK_FORMAT_VERSION - 1, NK_FORMAT_VERSION + 1}},
        {NK_AT_WIDTH, 1, no_board, 2, {2, 9}},
        {NK_AT_WIDTH, 1, other_board, 2, {3, 8}},
        {NK_AT_HEIGHT, 1, no_board, 1, {255}},
        {NK_AT_HEIGHT, 1, other_board, 1, {5}},
        {NK_AT_PIECES, 1, "damaged: 1 pieces per side", 1, {1}},
        {NK_AT_PIECES, 1, "damaged: a row length of 3", 1, {2}},
        {NK_AT_PIECES, 1, other_board, 1, {4}},
        {NK_AT_ROW_LENGTH, 1, no_board, 2, {1, 4}},
        {NK_AT_WIN, 1, "damaged: centre needs odd sizes", 1, {NK_WIN_CENTRE}},
        {NK_AT_WIN, 1, "damaged: ", 2, {NK_WIN_RULES, 255}},
        {NK_AT_ZERO, 1, not_zero, 1, {1}},
        {NK_AT_ZERO + 2, 1, not_zero, 1, {0x80}},
        {NK_AT_PLACEMENTS, 8, other_board, 2, {placements - 1, UINT64_MAX}},
        {NK_AT_ENTRIES, 8, other_entries, 4, {0, entries - 1, entries + 1, UINT64_MAX}},
        {NK_AT_SIZE, 8, other_size, 2, {size - 1, size + 1}},
        {NK_AT_BLOCK, 4, other_entries, 1, {1}},
        {NK_AT_BLOCKS, 4, other_entries, 4, {0, 1, 3, UINT32_MAX}},
        {FIRST, 8, wrong_block, 4, {0, nk_list_end(2), size + 1, UINT64_MAX}},
        {SECOND, 8, wrong_block, 2, {first, first - 1}},
        {THIRD, 8, wrong_block, 2, {second - 1, size + 1}},
        {LAST, 8, wrong_block, 2, {second, size + 1}},
        {LAST, 8, wrong_end, 1, {size - 1}},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int v = 0; v < cases[i].count; v++) {
            uint8_t kept[NK_HEADER_BYTES + 4 * NK_BLOCK_BYTES];
            memcpy(kept, table.data, sizeof kept);
            for (int b = 0; b < cases[i].bytes; b++)
                table.data[cases[i].at + (size_t)b] = (uint8_t)(cases[i].values[v] >> 8 * b);
            seal_header(table.data, table.size);
            refuse_bytes(table.data, table.size, cases[i].at == NK_AT_VERSION ? NK_E_NOT_TABLE : NK_E_CORRUPT,
                         cases[i].message);
            memcpy(table.data, kept, sizeof kept);
        }
    nk_put64(table.data + NK_AT_SIZE, NK_HEADER_BYTES + 10);
    refuse_bytes(table.data, NK_HEADER_BYTES + 10, NK_E_CORRUPT, "a list of 2 blocks does not fit into");
    free(table.data);
    solved_free(&s);
}

/* What a block holds before compression, and how many bytes follow its stream. */
struct content {
    const uint8_t *bytes; /* NULL: no stream, only what follows */
    size_t length, more;
};

/* A table with the header of another one and these blocks; all checksums are right. */
static struct bytes with_blocks(struct bytes model, const struct content blocks[])
{
    const uint32_t count = nk_get32(model.data + NK_AT_BLOCKS);
    struct bytes made = {calloc(1 << 20, 1), (size_t)nk_list_end(count)};
    memcpy(made.data, model.data, made.size);
    for (size_t b = 0; b < 2 * count; b++) {
        uLongf length = (1 << 20) - made.size;
        if (blocks[b].bytes)
            cr_assert_eq(compress(made.data + made.size, &length, blocks[b].bytes, blocks[b].length), Z_OK);
        made.size += (blocks[b].bytes ? length : 0) + blocks[b].more;
        nk_put64(made.data + NK_HEADER_BYTES + b * NK_BLOCK_BYTES + NK_BLOCK_END, made.size);
    }
    seal(made.data, made.size);
    return made;
}

Test(table, refuses_a_block_that_is_not_one_stream_of_its_length)
{
    enum { LONG = 10000000 };
    struct solved s = solve_board(one_block);
    struct bytes model = table_bytes(&s);
    const size_t entries = s.index->entries, draws = nk_count_draws(s.codes, entries);
    uint8_t *codes = calloc(LONG, 1), *traps = calloc(LONG, 1);
    memcpy(codes, s.codes, entries);
    memcpy(traps, s.traps, draws);
    const struct {
        struct content blocks[2];
        const char *message; /* NULL: it is right */
    } cases[] = {
        {{{codes, entries, 0}, {traps, draws, 0}}, NULL},
        {{{codes, 0, 0}, {traps, draws, 0}}, "block 0 does not uncompress to"},
        {{{codes, entries - 1, 0}, {traps, draws, 0}}, "block 0 does not uncompress to"},
        {{{codes, entries + 1, 0}, {traps, draws, 0}}, "block 0 does not uncompress to"},
        {{{codes, LONG, 0}, {traps, draws, 0}}, "block 0 does not uncompress to"},
        {{{NULL, 0, 100}, {traps, draws, 0}}, "block 0 does not uncompress to"},
        {{{codes, entries, 4}, {traps, draws, 0}}, "block 0 has 4 bytes after the end of its stream"},
        {{{codes, entries, 0}, {traps, 0, 0}}, "block 1 does not uncompress to"},
        {{{codes, entries, 0}, {traps, draws - 1, 0}}, "block 1 does not uncompress to"},
        {{{codes, entries, 0}, {traps, draws + 1, 0}}, "block 1 does not uncompress to"},
        {{{codes, entries, 0}, {traps, LONG, 0}}, "block 1 does not uncompress to"},
        {{{codes, entries, 0}, {NULL, 0, 100}}, "block 1 does not uncompress to"},
        {{{codes, entries, 0}, {traps, draws, 8}}, "block 1 has 8 bytes after the end of its stream"},
    };
    uint8_t *all_traps = malloc(entries);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes made = with_blocks(model, cases[i].blocks);
        struct nk_table *table = open_bytes(made);
        struct nk_error error = {0};
        const enum nk_status expected = cases[i].message ? NK_E_CORRUPT : NK_OK;
        cr_assert_eq(read_all(table, &s), expected, "case %zu", i);
        cr_assert_eq(nk_table_traps(table, all_traps, &error), expected, "case %zu", i);
        cr_assert(expected ? strstr(error.text, cases[i].message) != NULL : !memcmp(all_traps, traps, draws),
                  "%s", error.text);
        nk_table_close(table);
        free(made.data);
    }
    free(all_traps);
    free(traps);
    free(codes);
    free(model.data);
    solved_free(&s);
}

/* No stream where the format has nothing, not even an empty one, and one wherever it has something. The first block has
 * no draws, the second one nothing else. */
Test(table, refuses_traps_of_no_draws_and_draws_without_traps)
{
    struct solved s = solve_board(two_blocks);
    const size_t rest = s.index->entries - NK_BLOCK_ENTRIES;
    static const uint8_t zeros[NK_BLOCK_ENTRIES];
    static const struct content none, empty = {zeros, 0, 0};
    const struct content some = {zeros, rest, 0};
    const struct {
        struct content traps[2];
        const char *first, *second; /* what is wrong with the blocks */
    } cases[] = {
        {{none, some}, NULL, NULL},
        {{none, none}, NULL, NULL}, /* a table without traps */
        {{empty, some}, "damaged: block 2 holds traps, but block 0 has no draws", NULL},
        {{empty, none},
         "damaged: block 2 holds traps, but block 0 has no draws",
         "damaged: block 3 holds no traps, but block 1 has draws"},
    };
    memset(s.codes, NK_CODE_LOSS, NK_BLOCK_ENTRIES);
    memset(s.codes + NK_BLOCK_ENTRIES, NK_CODE_DRAW, rest);
    free(s.traps);
    s.traps = NULL;
    struct bytes model = table_bytes(&s);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct content blocks[] = {{s.codes, NK_BLOCK_ENTRIES, 0},
                                         {s.codes + NK_BLOCK_ENTRIES, rest, 0},
                                         cases[i].traps[0],
                                         cases[i].traps[1]};
        struct bytes made = with_blocks(model, blocks);
        struct nk_table *table = open_bytes(made);
        for (int block = 0; block < 2; block++) {
            const char *message = block ? cases[i].second : cases[i].first;
            struct nk_error error = {.text = ""};
            uint8_t code;
            cr_assert_eq(nk_table_code(table, (uint64_t)block * NK_BLOCK_ENTRIES, &code, &error),
                         message ? NK_E_CORRUPT : NK_OK, "case %zu, block %d", i, block);
            cr_assert_str_eq(error.text, message ? message : "");
        }
        nk_table_close(table);
        free(made.data);
    }
    free(model.data);
    solved_free(&s);
}

/* A few bytes that speak of a large board, or of many blocks, must be refused before they cost anything. A hole makes the
 * file as long as its header says. */
Test(table, makes_nobody_work_for_nothing)
{
    enum { BLOCKS = 1 << 26 };
    const struct nk_rules rules = rules_of((struct board){8, 8, 4, 3, NK_WIN_LINE});
    const uint64_t placements = nk_index_placements(&rules), many = (uint64_t)BLOCKS * NK_BLOCK_ENTRIES;
    const struct {
        uint8_t board[5];
        uint32_t blocks;
        uint64_t placements, entries, size; /* 0: as in the table of 3x3 */
    } cases[] = {
        {{8, 8, 5, 5, NK_WIN_LINE}, 1, 0, 0, 0},
        {{3, 3, 3, 3, NK_WIN_LINE}, BLOCKS, 0, 0, nk_list_end(BLOCKS) + BLOCKS},
        {{3, 3, 3, 3, NK_WIN_LINE}, BLOCKS, 0, many, nk_list_end(BLOCKS) + BLOCKS},
        {{8, 8, 4, 3, NK_WIN_LINE},
         (uint32_t)((placements / 8 + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES),
         placements,
         placements / 8,
         nk_list_end((uint32_t)(placements / 8 / NK_BLOCK_ENTRIES + 1)) + (UINT64_C(1) << 40)},
    };
    struct solved s = solve_board(one_block);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes table = table_bytes(&s);
        struct rusage before, after;
        struct nk_table *open;
        const uint64_t size = cases[i].size ? cases[i].size : table.size;
        memcpy(table.data + NK_AT_WIDTH, cases[i].board, sizeof cases[i].board);
        nk_put32(table.data + NK_AT_BLOCKS, cases[i].blocks);
        nk_put64(table.data + NK_AT_SIZE, size);
        if (cases[i].placements)
            nk_put64(table.data + NK_AT_PLACEMENTS, cases[i].placements);
        if (cases[i].entries)
            nk_put64(table.data + NK_AT_ENTRIES, cases[i].entries);
        seal_header(table.data, table.size);
        write_bytes("sparse.dat", table.data, cases[i].size ? NK_HEADER_BYTES : table.size);
        cr_assert(!truncate("sparse.dat", (off_t)size));
        cr_assert(!getrusage(RUSAGE_SELF, &before));
        cr_assert_eq(nk_table_open("sparse.dat", &open, NULL), NK_E_CORRUPT, "case %zu", i);
        cr_assert(!getrusage(RUSAGE_SELF, &after));
        cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 10000, "case %zu: %ld kB", i,
                     after.ru_maxrss - before.ru_maxrss);
        free(table.data);
    }
    solved_free(&s);
}

/* ---- a file that changes while its table is open ---- */

Test(table, stays_as_it_was_when_replaced_and_notices_that_it_was_cut)
{
    struct solved old = solve_board(two_blocks), new = solve_board(one_block);
    struct nk_table *table = open_table(&old), *other = open_table(&new);
    struct nk_error error;
    uint8_t code;
    check_table(table, &old);
    check_table(other, &new);
    nk_table_close(table);
    nk_table_close(other);
    table = open_table(&old);
    cr_assert(!truncate("table.dat", (off_t)nk_list_end(2) + 10));
    cr_assert_eq(nk_table_code(table, 0, &code, &error), NK_E_CORRUPT);
    cr_assert(strstr(error.text, "table.dat: damaged: the file ends at byte"), "%s", error.text);
    nk_table_close(table);
    solved_free(&old);
    solved_free(&new);
}

/* ---- threads ---- */

enum { THREADS = 8 };

struct reader {
    pthread_t thread;
    pthread_barrier_t *begin;
    struct nk_table *table;
    const struct solved *solved; /* what it must answer; NULL: what make_up makes */
    int number, loading;         /* the first of them load the table before they read */
    uint64_t wrong;
};

/* What tells one block from another. */
static uint8_t made_up(uint32_t block, uint64_t place)
{
    return place % 16 ? (uint8_t)(NK_CODE_LOSS + block % 200) : NK_CODE_DRAW;
}

static enum nk_status make_up(uint32_t block, const uint8_t *packed, size_t packed_length, uint8_t *bytes,
                              size_t length, struct nk_error *error)
{
    (void)packed, (void)packed_length, (void)error;
    for (size_t i = 0; i < length; i++)
        bytes[i] = made_up(block, i);
    return NK_OK;
}

/* All want the same blocks at the same moment, again and again. */
static void *read_same(void *context)
{
    struct reader *r = context;
    const struct nk_index *index = nk_table_index(r->table);
    pthread_barrier_wait(r->begin);
    if (r->number < r->loading)
        r->wrong += nk_table_load(r->table, NULL) != NK_OK;
    for (uint64_t entry = 0; entry < index->entries; entry += 7) {
        struct nk_value value;
        const struct nk_position position = nk_index_position(index, entry);
        const uint8_t code = r->solved->codes[entry];
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        if (nk_table_value(r->table, position, &value, NULL))
            r->wrong++;
        else if (code >= NK_CODE_LOSS)
            r->wrong += value.result != NK_LOSS || value.plies != 2 * (code - NK_CODE_LOSS);
        else
            r->wrong += value.result != (code == NK_CODE_DRAW ? NK_DRAW : NK_WIN);
    }
    return NULL;
}

/* Each goes its own way through more blocks than may stay in memory. */
static void *read_anywhere(void *context)
{
    enum { READS = 4000 };
    struct reader *r = context;
    const struct nk_index *index = nk_table_index(r->table);
    const uint32_t blocks = nk_get32(r->table->bytes + NK_AT_BLOCKS);
    uint64_t random = (uint64_t)r->number;
    pthread_barrier_wait(r->begin);
    for (int i = 0; i < READS; i++) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        const uint64_t entry = nk_index_entry(index, position), place = entry % NK_BLOCK_ENTRIES;
        const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
        const uint8_t expected = place % 16 ? 0 : made_up(blocks + block, place / 16);
        uint8_t code, trap;
        r->wrong += nk_table_code(r->table, entry, &code, NULL) || code != made_up(block, place);
        r->wrong += nk_table_trap(r->table, position, &trap, NULL) || trap != expected;
    }
    return NULL;
}

static void read_in_threads(struct nk_table *table, const struct solved *solved, int loading,
                            void *(*read)(void *))
{
    struct reader readers[THREADS];
    pthread_barrier_t begin;
    cr_assert(!pthread_barrier_init(&begin, NULL, THREADS));
    for (int t = 0; t < THREADS; t++) {
        readers[t] = (struct reader){
            .begin = &begin, .table = table, .solved = solved, .number = t, .loading = loading};
        cr_assert(!pthread_create(&readers[t].thread, NULL, read, &readers[t]));
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(readers[t].thread, NULL);
        cr_assert_eq(readers[t].wrong, 0, "thread %d: %llu wrong", t, (unsigned long long)readers[t].wrong);
    }
    pthread_barrier_destroy(&begin);
    nk_table_close(table);
}

Test(table, threads_share_one_table)
{
    struct solved s = solve_board(STANDARD);
    read_in_threads(open_table(&s), &s, 0, read_same);
    read_in_threads(open_table(&s), &s, 3, read_same);
    solved_free(&s);
}

Test(table, threads_share_a_table_too_large_to_keep)
{
    struct nk_index *index = index_of((struct board){6, 5, 4, 4, NK_WIN_LINE});
    struct bytes bytes;
    struct nk_table *table;
    bytes.data = made_up_table(index, 1, true, &bytes.size);
    struct nk_block_source source = nk_memory_source(bytes.data, bytes.size);
    source.uncompress = make_up;
    cr_assert(!nk_table_open_source(source, &table, NULL));
    read_in_threads(table, NULL, 0, read_anywhere);
    free(bytes.data);
    nk_index_free(index);
}
