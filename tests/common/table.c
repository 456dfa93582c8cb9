/* The table's file: read right or not at all, whatever has happened to it. */

#include "common/parallel.h"
#include "common/table_reader.h"
#include "player/random.h"
#include "tests/seal.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* A solved board whose table has two blocks of codes and two of traps, and the bytes of the table. */
static struct solved small;
static struct bytes right;

static void enter(void)
{
    enter_directory();
    small = solve_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    right = table_bytes(&small);
}

TestSuite(table, .init = enter, .fini = leave_directory, .timeout = 600);

/* ---- what was written is read ---- */

static void check_table(struct nk_table *table, const struct solved *s)
{
    const uint8_t *trap = s->traps;
    cr_assert(nk_rules_equal(nk_table_rules(table), &s->rules));
    cr_assert_eq(nk_table_index(table)->entries, s->index->entries);
    cr_assert(!memcmp(nk_table_summary(table), &s->solution->summary, sizeof s->solution->summary));
    cr_assert_eq(nk_table_has_traps(table), s->traps != NULL);
    for (uint64_t entry = 0; entry < s->index->entries; entry++) {
        const struct nk_position position = nk_index_position(s->index, entry);
        const uint8_t right_trap = s->codes[entry] == NK_CODE_DRAW && trap ? *trap++ : 0;
        uint8_t code, found;
        cr_assert(!nk_table_code(table, entry, &code, NULL) && code == s->codes[entry], "entry %d",
                  (int)entry);
        if (nk_index_entry(s->index, position) == entry) /* not of an image, which has another entry */
            cr_assert(!nk_table_trap(table, position, &found, NULL) && found == right_trap, "%s",
                      position_text(&s->rules, position).s);
    }
}

/* From a file and from memory, and loaded, after which the bytes may go; and without traps. */
Test(table, reads_what_was_written)
{
    static const struct nk_board boards[] = {
        {3, 3, 4, 4, NK_WIN_LINE}, {4, 4, 3, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED s = solve_board(boards[i]);
        AUTO_BYTES bytes = table_bytes(&s);
        AUTO_TABLE *table = open_table(&s), *loaded = open_bytes(bytes);
        struct nk_table_loading loading = {0};
        bool done;
        check_table(table, &s);
        check_table(loaded, &s);
        do
            cr_assert(!nk_table_load_part(loaded, &loading, 7, &done, NULL));
        while (!done);
        memset(bytes.data, 0, bytes.size);
        cr_assert(!nk_table_load(loaded, NULL));
        check_table(loaded, &s);
        free(s.traps);
        s.traps = NULL;
        AUTO_TABLE *without = open_table(&s);
        check_table(without, &s);
    }
    nk_table_close(NULL);
}

/* More blocks than are compressed at a time; codes that arrive, and are read, in pieces of any size, from and to anywhere. */
Test(table, is_written_and_read_in_pieces)
{
    AUTO_INDEX *index = index_of((struct nk_board){7, 5, 3, 3, NK_WIN_LINE});
    const uint64_t entries = index->entries, batch = 256 * NK_BLOCK_ENTRIES;
    const struct nk_summary summary = {.placements = index->placements};
    const uint64_t written[] = {batch, batch - 1, 2, 100000},
                   lengths[] = {0, NK_BLOCK_ENTRIES, 3 * NK_BLOCK_ENTRIES + 5, entries};
    struct nk_table_writer *writer;
    AUTO_TABLE *table = NULL;
    uint8_t *codes = malloc(entries), *read = malloc(entries + 1);
    for (uint64_t entry = 0; entry < entries; entry++)
        codes[entry] = (uint8_t)(entry / NK_BLOCK_ENTRIES);
    cr_assert(!nk_table_writer_open("large.dat", index, &writer, NULL));
    for (uint64_t done = 0, piece = 0; done < entries; done += written[piece++ % COUNT(written)]) {
        const uint64_t left = entries - done, length = written[piece % COUNT(written)];
        cr_assert(!nk_table_writer_append(writer, codes + done, length < left ? length : left, NULL));
    }
    cr_assert(!nk_table_writer_close(writer, &summary, NULL, NULL, NULL));
    cr_assert(!nk_table_open("large.dat", &table, NULL));
    for (uint64_t first = 0; first < entries; first += 999983)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const uint64_t left = entries - first, count = lengths[i] < left ? lengths[i] : left;
            read[count] = 77;
            cr_assert(!nk_table_codes(table, first, count, read, NULL));
            cr_assert(!memcmp(read, codes + first, count) && read[count] == 77);
        }
    free(read);
    free(codes);
}

/* Supplies the bytes of a block, or so many more or fewer. */
static enum nk_status supply(struct nk_table *table, struct bytes bytes, uint32_t block, int more)
{
    static uint8_t plain[NK_BLOCK_ENTRIES + 1];
    uLongf size = sizeof plain;
    const uint8_t *packed = bytes.data + nk_table_block_begin(table, block);
    cr_assert(!nk_table_check_block(table, block, packed, NULL));
    cr_assert_eq(uncompress(plain, &size, packed, nk_table_block_length(table, block)), Z_OK);
    return nk_table_supply(table, block, plain, size + (size_t)more, NULL);
}

static uint64_t requested; /* a bit for each block of a small table */

static void request(void *context, uint32_t block)
{
    (void)context;
    requested |= nk_bit(block % 64);
}

/* Without `uncompress` blocks come from the caller: each once, or those that are requested. A call requests all blocks that it
 * needs. */
Test(table, takes_supplied_blocks)
{
    enum { BLOCKS = 4 };
    for (int requests = 0; requests < 2; requests++) {
        AUTO_TABLE *table = NULL;
        struct nk_block_source source = nk_memory_source(right.data, right.size);
        const enum nk_status missing = requests ? NK_E_READ : NK_E_CORRUPT;
        struct nk_move_value moves[NK_MAX_MOVES];
        uint64_t entry = small.index->entries;
        int count = 77;
        source.request = requests ? request : NULL;
        cr_assert(!nk_table_open_source(source, &table, NULL));
        for (requested = 0; requests && entry-- && requested != 3;) {
            requested = 0;
            const enum nk_status status =
                nk_table_moves(table, nk_index_position(small.index, entry), moves, &count, NULL);
            cr_assert_eq(status, requested ? NK_E_READ : NK_OK);
            cr_assert(!status || count == 77);
            count = 77;
        }
        cr_assert_eq(requested, requests ? 3 : 0, "no call requests both blocks of codes");
        cr_assert_eq(supply(table, right, BLOCKS / 2, 0), missing, "traps before codes");
        for (uint32_t block = 0; block < BLOCKS; block++) {
            cr_assert_eq(nk_table_load(table, NULL), missing);
            for (int more = -1; more <= 1; more += 2)
                cr_assert_eq(supply(table, right, block, more), NK_E_CORRUPT);
            cr_assert(!supply(table, right, block, 0));
            cr_assert_eq(supply(table, right, block, 0), requests ? NK_OK : NK_E_CORRUPT);
        }
        cr_assert_eq(nk_table_supply(table, BLOCKS, right.data, 1, NULL), NK_E_CORRUPT);
        requested = 0;
        check_table(table, &small);
        cr_assert(!nk_table_load(table, NULL) && !requested);
        check_table(table, &small);
    }
}

/* ---- files that are not tables, and damage ---- */

/* The message names the file, a long one by its end. */
static void refuse(const char *path, enum nk_status expected, const char *message)
{
    struct nk_table *table = NULL;
    struct nk_error error;
    const size_t length = strlen(path);
    cr_assert_eq(nk_table_open(path, &table, &error), expected, "%s: %s", path, error.text);
    cr_assert(!table && error.status == expected && strstr(error.text, message), "%s: expected %s",
              error.text, message);
    cr_assert(strstr(error.text, path + (length > 100 ? length - 100 : 0)), "%s", error.text);
}

static void refuse_bytes(const void *data, size_t size, enum nk_status expected, const char *message)
{
    write_bytes("refused", data, size);
    refuse("refused", expected, message);
}

Test(table, refuses_what_is_not_a_table)
{
    static const char not_table[] = "not a table: expected a file made by";
    char endless[6000] = "";
    refuse_bytes("", 0, NK_E_NOT_TABLE, "not a table: the file is empty");
    refuse_bytes("\n", 1, NK_E_NOT_TABLE, not_table);
    refuse_bytes("\x89NKT\n\x1a\n", 7, NK_E_NOT_TABLE, not_table);        /* after a transfer in text mode */
    refuse_bytes("\x89NKT\r\r\n\x1a\r\n", 10, NK_E_NOT_TABLE, not_table); /* and the other way */
    memset(endless, 'x', sizeof endless - 1);
    cr_assert(!mkdir("directory", 0777) && !mkfifo("pipe", 0666));
    refuse("missing", NK_E_READ, "No such file or directory");
    refuse("directory", NK_E_READ, "not a regular file");
    refuse("pipe", NK_E_READ, "not a regular file");
    refuse(endless, NK_E_READ, "File name too long");
}

/* Cuts a table at each byte, and flips one bit of each byte, in the thorough run every bit. What no checksum of the
 * header covers is found when the block is first needed, by all that need it, as traps need those of codes, and by
 * nobody else. */
Test(table, notices_every_truncation_and_every_flipped_bit)
{
    const uint32_t blocks = nk_get32(right.data + NK_AT_BLOCKS);
    refuse_bytes(right.data, right.size + 1, NK_E_CORRUPT, "damaged: "); /* a zero follows the last byte */
    for (size_t bit = 0; bit < 8 * right.size; bit += is_thorough() ? 1 : 9) {
        const size_t at = bit / 8;
        const enum nk_status expected = at < NK_AT_WIDTH           ? NK_E_NOT_TABLE
                                        : at < nk_list_end(blocks) ? NK_E_CORRUPT
                                                                   : NK_OK;
        AUTO_TABLE *table = NULL;
        if (at)
            refuse_bytes(right.data, at, NK_E_CORRUPT, "damaged: ");
        right.data[at] ^= (uint8_t)(1 << bit % 8);
        cr_assert_eq(nk_table_open_bytes(right.data, right.size, &table, NULL), expected, "bit %zu", bit);
        for (uint32_t block = 0; table && block < 2 * blocks; block++) {
            const uint8_t *read;
            bool is_damaged = false;
            for (uint32_t b = block % blocks; b <= block; b += blocks)
                is_damaged |= at - nk_table_block_begin(table, b) < nk_table_block_length(table, b);
            cr_assert_eq(nk_table_acquire(table, block, &read, NULL), is_damaged ? NK_E_CORRUPT : NK_OK,
                         "bit %zu, block %u", bit, block);
        }
        right.data[at] ^= (uint8_t)(1 << bit % 8);
    }
}

/* ---- nonsense with right checksums ---- */

/* Neither the whole table is loaded nor are all rows read; these need no checksum of all codes. */
static void refuse_to_load(struct bytes bytes, const char *message)
{
    AUTO_TABLE *table = open_bytes(bytes);
    const uint32_t configurations = nk_table_configurations(table);
    struct nk_row *rows = calloc(configurations, sizeof *rows);
    struct nk_error error;
    bool refused = false;
    cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT, "%s", message);
    cr_assert(strstr(error.text, message), "%s", error.text);
    for (uint32_t c = 0, count; c < configurations; c++)
        if (nk_table_rows(table, c, NK_ROWS_BEST, rows, &count, &error)) {
            cr_assert(error.status == NK_E_CORRUPT && strstr(error.text, message), "%s", error.text);
            refused = true;
        }
    cr_assert_eq(refused, !strstr(message, "of the codes"), "%s", message);
    free(rows);
}

Test(table, refuses_to_load_what_is_damaged)
{
    const struct {
        size_t at;
        const char *message;
    } cases[] = {{right.size - 1, "checksum of block 3"}, {NK_AT_CODES, "checksum of the codes"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_BYTES wrong = table_bytes(&small);
        wrong.data[cases[i].at] ^= 1;
        seal_header(wrong.data, wrong.size);
        refuse_to_load(wrong, cases[i].message);
    }
    *(uint8_t *)memchr(small.codes, NK_CODE_LOSS + 1, small.index->entries) = NK_CODE_WIN; /* no move wins */
    AUTO_BYTES wrong = table_bytes(&small);
    refuse_to_load(wrong, "marked won that no move wins");
}

Test(table, refuses_a_header_without_sense)
{
    enum {
        FIRST = NK_HEADER_BYTES + NK_BLOCK_END, /* the ends of the four blocks */
        SECOND = FIRST + NK_BLOCK_BYTES,
        THIRD = SECOND + NK_BLOCK_BYTES,
        LAST = THIRD + NK_BLOCK_BYTES
    };
    static const char other_board[] = "placements, but this board has", wrong_block[] = "and ends at byte",
                      other_entries[] = "do not belong to this board",
                      not_zero[] = "of the header are not zero";
    const uint64_t entries = small.index->entries, size = right.size, placements = small.index->placements,
                   second = nk_get64(right.data + SECOND);
    const struct {
        size_t at;
        int bytes;
        uint64_t value;
        const char *message;
    } cases[] = {
        {NK_AT_VERSION, 4, NK_FORMAT_VERSION + 1, "a table of format version"},
        {NK_AT_WIDTH, 1, 2, "damaged: a board of 2x4"},
        {NK_AT_WIDTH, 4, 0x05050808, other_board}, /* the largest one, of which no index is made */
        {NK_AT_WIN, 1, NK_WIN_RULES, "damaged: winning condition"},
        {NK_AT_ZERO, 1, 1, not_zero},
        {NK_AT_ZERO + 2, 1, 0x80, not_zero},
        {NK_AT_PLACEMENTS, 8, placements - 1, other_board},
        {NK_AT_ENTRIES, 8, 0, other_entries},
        {NK_AT_ENTRIES, 8, entries - 1, other_entries},
        {NK_AT_ENTRIES, 8, UINT64_MAX, other_entries},
        {NK_AT_SIZE, 8, size - 1, "but its header says"},
        {NK_AT_BLOCK, 4, 1, other_entries},
        {NK_AT_BLOCKS, 4, UINT32_MAX, other_entries},
        {FIRST, 8, nk_list_end(2), wrong_block},
        {FIRST, 8, UINT64_MAX, wrong_block},
        {THIRD, 8, second - 1, wrong_block},
        {THIRD, 8, size + 1, wrong_block},
        {LAST, 8, size - 1, "damaged: the last block ends at byte"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_BYTES table = table_bytes(&small);
        for (int b = 0; b < cases[i].bytes; b++)
            table.data[cases[i].at + (size_t)b] = (uint8_t)(cases[i].value >> 8 * b);
        seal_header(table.data, table.size);
        refuse_bytes(table.data, table.size, cases[i].at == NK_AT_VERSION ? NK_E_NOT_TABLE : NK_E_CORRUPT,
                     cases[i].message);
    }
    nk_put64(right.data + NK_AT_SIZE, NK_HEADER_BYTES + 10);
    refuse_bytes(right.data, NK_HEADER_BYTES + 10, NK_E_CORRUPT, "a list of 2 blocks does not fit into");
}

/* What a block holds before compression, and how many bytes follow its stream. */
struct content {
    const uint8_t *bytes; /* NULL: no stream, only what follows */
    size_t length, more;
};

/* The table with these blocks, and right checksums. */
static struct bytes with_blocks(const struct content blocks[4])
{
    struct bytes made = {calloc(1 << 20, 1), (size_t)nk_list_end(2)};
    memcpy(made.data, right.data, made.size);
    for (size_t b = 0; b < 4; b++) {
        uLongf length = (1 << 20) - made.size;
        if (blocks[b].bytes)
            cr_assert_eq(compress(made.data + made.size, &length, blocks[b].bytes, blocks[b].length), Z_OK);
        made.size += (blocks[b].bytes ? length : 0) + blocks[b].more;
        nk_put64(made.data + NK_HEADER_BYTES + b * NK_BLOCK_BYTES + NK_BLOCK_END, made.size);
    }
    seal(made.data, made.size);
    return made;
}

/* Each block must be one stream of its length. Where the format has nothing there must be no stream, not even an empty
 * one. The first block of codes has no draws, the second one nothing else. */
Test(table, refuses_wrong_blocks)
{
    enum { FIRST = NK_BLOCK_ENTRIES, LONG = 1000000 };
    static const char wrong_length[] = "does not uncompress to";
    static uint8_t codes[FIRST + LONG], traps[LONG], read[LONG];
    const uint8_t *const draws = codes + FIRST;
    const size_t rest = small.index->entries - FIRST;
    const struct {
        struct content content;
        uint32_t at; /* the block with this content */
        bool without_traps;
        uint32_t wrong; /* the block that cannot be read */
        const char *message;
    } cases[] = {
        {{NULL, 0, 0}, 3, false, 3, NULL},
        {{traps, rest, 0}, 3, false, 3, NULL},
        {{draws, rest - 1, 0}, 1, false, 1, wrong_length},
        {{draws, LONG, 0}, 1, false, 1, wrong_length},
        {{NULL, 0, 100}, 1, false, 1, wrong_length},
        {{draws, rest, 4}, 1, false, 1, "has 4 bytes after the end of its stream"},
        {{traps, rest + 1, 0}, 3, false, 3, wrong_length},
        {{traps, 0, 0}, 2, false, 0, "damaged: block 2 holds traps, but block 0 has no draws"},
        {{traps, 0, 0}, 2, true, 1, "damaged: block 3 holds no traps, but block 1 has draws"},
    };
    memset(codes, NK_CODE_LOSS, FIRST);
    memset(codes + FIRST, NK_CODE_DRAW, LONG);
    memset(traps, 7, LONG);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct content blocks[4] = {{codes, FIRST, 0}, {draws, rest, 0}};
        const uint32_t wrong = cases[i].wrong;
        const char *message = cases[i].message ? cases[i].message : "";
        struct nk_error error = {.text = ""};
        uint8_t code = 77;
        if (!cases[i].without_traps)
            blocks[3] = (struct content){traps, rest, 0};
        blocks[cases[i].at] = cases[i].content;
        AUTO_BYTES made = with_blocks(blocks);
        AUTO_TABLE *table = open_bytes(made), *supplied = NULL;
        const enum nk_status status =
            wrong == 3 ? nk_table_traps(table, read, &error)
                       : nk_table_code(table, (uint64_t)wrong * NK_BLOCK_ENTRIES, &code, &error);
        cr_assert(status == (*message ? NK_E_CORRUPT : NK_OK) && strstr(error.text, message), "case %zu: %s",
                  i, error.text);
        cr_assert(status || read[rest - 1] == (i ? 7 : 0), "case %zu", i);
        if (cases[i].at != 2)
            continue;
        cr_assert(!nk_table_open_source(nk_memory_source(made.data, made.size), &supplied, NULL));
        cr_assert_eq(supply(supplied, made, wrong, 0), NK_E_CORRUPT);
        cr_assert_eq(nk_table_supply(supplied, 3, traps, 0, NULL), NK_E_CORRUPT);
    }
}

/* A few bytes that speak of many blocks must be refused before they cost anything. A hole makes the file as long as its
 * header says. */
Test(table, takes_no_memory_for_a_hole)
{
    const struct nk_rules rules = rules_of((struct nk_board){8, 8, 4, 3, NK_WIN_LINE});
    const uint64_t placements = nk_index_placements(&rules), entries = placements / 8;
    const uint32_t blocks = (uint32_t)((entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES);
    const uint64_t size = nk_list_end(blocks) + (UINT64_C(1) << 40);
    struct rusage before, after;
    memcpy(right.data + NK_AT_WIDTH, (const uint8_t[]){8, 8, 4, 3, NK_WIN_LINE}, 5);
    nk_put64(right.data + NK_AT_PLACEMENTS, placements);
    nk_put64(right.data + NK_AT_ENTRIES, entries);
    nk_put64(right.data + NK_AT_SIZE, size);
    nk_put32(right.data + NK_AT_BLOCKS, blocks);
    write_bytes("refused", right.data, NK_HEADER_BYTES);
    cr_assert(!truncate("refused", (off_t)size) && !getrusage(RUSAGE_SELF, &before));
    refuse("refused", NK_E_CORRUPT, "block 0 begins");
    cr_assert(!getrusage(RUSAGE_SELF, &after));
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 10000, "%ld kB", after.ru_maxrss - before.ru_maxrss);
}

/* ---- threads ---- */

struct readers {
    struct nk_table *table;
    const struct solved *solved; /* what it must answer; NULL: what make_up makes */
    uint32_t loading;            /* the first of them load the table before they read */
    _Atomic uint64_t wrong;
};

/* What distinguishes blocks. */
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

/* All want the same blocks of a solved board at the same moment. Of the other table each thread reads blocks of its own, which are
 * more than may stay in memory. */
static void read_in_thread(void *context, uint32_t number, int worker)
{
    enum { READS = 3000 };
    struct readers *r = context;
    const struct nk_index *index = nk_table_index(r->table);
    uint64_t random = r->solved ? 0 : number;
    (void)worker;
    if (number < r->loading)
        r->wrong += nk_table_load(r->table, NULL) != NK_OK;
    for (int i = 0; i < READS; i++) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        const uint64_t entry = nk_index_entry(index, position), place = entry % NK_BLOCK_ENTRIES;
        const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
        struct nk_value value = {NK_WIN, 0};
        uint8_t trap = 0;
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        r->wrong += nk_table_value(r->table, position, &value, NULL) != NK_OK;
        const uint8_t code = value.result == NK_LOSS   ? nk_code_loss(value.plies)
                             : value.result == NK_DRAW ? NK_CODE_DRAW
                                                       : NK_CODE_WIN;
        r->wrong += code != (r->solved ? r->solved->codes[entry] : made_up(block, place));
        if (r->solved)
            continue;
        r->wrong += nk_table_trap(r->table, position, &trap, NULL) != NK_OK;
        r->wrong += trap != (place % 16 ? 0 : made_up(r->table->header.blocks + block, place / 16));
    }
}

static void read_in_threads(struct readers readers)
{
    enum { THREADS = 8 };
    nk_parallel(THREADS, THREADS, read_in_thread, &readers);
    cr_assert_eq(readers.wrong, 0, "%llu wrong", (unsigned long long)readers.wrong);
}

Test(table, threads_share_one_table)
{
    AUTO_SOLVED s = solve_board(STANDARD);
    for (uint32_t loading = 0; loading <= 3; loading += 3) {
        AUTO_TABLE *table = open_table(&s);
        read_in_threads((struct readers){table, &s, loading, 0});
    }
}

/* ---- more blocks than may stay in memory ---- */

/* A block that is in use stays, as all do that cannot be had again. Codes stay known when the blocks that were supplied for them
 * have gone. */
Test(table, may_be_too_large_to_keep)
{
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 4, 4, NK_WIN_LINE});
    AUTO_BYTES bytes = {0};
    AUTO_TABLE *read = NULL, *supplied = NULL, *complete = NULL;
    const uint8_t *used;
    uint8_t block[NK_BLOCK_ENTRIES], code;
    bytes.data = made_up_table(index, 1, true, &bytes.size);
    struct nk_block_source source = nk_memory_source(bytes.data, bytes.size);
    cr_assert(!nk_table_open_source(source, &complete, NULL));
    source.request = request;
    cr_assert(!nk_table_open_source(source, &supplied, NULL));
    source.uncompress = make_up;
    cr_assert(!nk_table_open_source(source, &read, NULL));
    cr_assert(!nk_table_acquire(read, 7, &used, NULL));
    read_in_threads((struct readers){.table = read});
    for (uint64_t place = 0; place < NK_BLOCK_ENTRIES; place++)
        cr_assert_eq(used[place], made_up(7, place));
    nk_table_release(read, 7);
    for (uint32_t b = 0; b + 1 < supplied->header.blocks; b++) {
        const uint64_t place = b / (NK_KNOWN / NK_BLOCK_ENTRIES),
                       entry = (uint64_t)b * NK_BLOCK_ENTRIES + place;
        (void)make_up(b, NULL, 0, block, sizeof block, NULL);
        cr_assert_eq(nk_table_code(supplied, entry, &code, NULL), NK_E_READ);
        cr_assert(!nk_table_supply(supplied, b, block, sizeof block, NULL));
        cr_assert(!nk_table_supply(complete, b, block, sizeof block, NULL));
        cr_assert(!nk_table_code(supplied, entry, &code, NULL) && code == made_up(b, place));
    }
    cr_assert_eq(nk_table_code(supplied, 1, &code, NULL), NK_E_READ);
    cr_assert(!nk_table_code(supplied, 0, &code, NULL) && code == made_up(0, 0));
    cr_assert(!nk_table_code(complete, 1, &code, NULL) && code == made_up(0, 1));
}
