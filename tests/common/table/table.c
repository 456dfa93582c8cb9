/* The table's file: read right or not at all, whatever has happened to it. */

#include "common/play/play.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "tests/seal.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* A board whose table has two blocks of codes and two of traps, and the bytes of the table. */
static struct solved solved;
static struct contents small;
static struct bytes right;

static void enter(void)
{
    enter_directory();
    solved = solve_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    small = contents_of(&solved);
    right = contents_bytes(&small);
}

static void leave(void)
{
    bytes_free(&right);
    solved_free(&solved);
    leave_directory();
}

TestSuite(table, .init = enter, .fini = leave, .timeout = 600);
/* Those that need neither. */
TestSuite(other_tables, .init = enter_directory, .fini = leave_directory, .timeout = 600);

/* ---- what is written ---- */

Test(table, has_the_header_of_its_document)
{
    const struct {
        int at, bytes;
        uint64_t value;
    } fields[] = {
        {TABLE_AT_VERSION, 4, TABLE_VERSION},
        {TABLE_AT_WIDTH, 1, 4},
        {TABLE_AT_HEIGHT, 1, 3},
        {TABLE_AT_PIECES, 1, 4},
        {TABLE_AT_ROW_LENGTH, 1, 2},
        {TABLE_AT_WIN, 1, 1},
        {TABLE_AT_ZERO, 3, 0},
        {TABLE_AT_LONGEST, 4, 6},
        {TABLE_AT_PLACEMENTS, 8, 34650},
        {TABLE_AT_LEGAL, 8, 1},
        {TABLE_AT_WINS, 8, 2},
        {TABLE_AT_LOSSES, 8, 3},
        {TABLE_AT_DRAWS, 8, 4},
        {TABLE_AT_STALEMATES, 8, 5},
        {TABLE_AT_ENTRIES, 8, 9730},
        {TABLE_AT_BLOCK_CODES, 4, TABLE_BLOCK_CODES},
        {TABLE_AT_BLOCKS, 4, 1},
    };
    AUTO_SOLVED board = solve_board((struct nk_board){4, 3, 4, 2, NK_WIN_ORTHOGONAL});
    struct contents s = contents_of(&board);
    s.summary = (struct nk_summary){s.index->placements, 1, 2, 3, 4, 5, 6};
    AUTO_BYTES table = contents_bytes(&s);
    cr_assert(!memcmp(table.data, table_signature, sizeof table_signature));
    for (size_t i = 0; i < COUNT(fields); i++)
        cr_assert_eq(get_number(table.data + fields[i].at, fields[i].bytes), fields[i].value, "at %d",
                     fields[i].at);
    cr_assert_eq(get64(table.data + TABLE_AT_SIZE), table.size);
    cr_assert_eq(get64(table.data + TABLE_AT_CODES_CHECKSUM), XXH3_64bits(s.codes, s.index->entries));
    AUTO_BYTES sealed = contents_bytes(&s);
    seal(sealed.data, sealed.size);
    cr_assert(!memcmp(table.data, sealed.data, table.size), "another checksum of the header or of a block");
}

/* More blocks than are compressed at a time, with different numbers of draws; codes that arrive, and are read, in
 * pieces of any size, from and to anywhere. */
Test(other_tables, is_written_and_read_in_pieces)
{
    AUTO_INDEX *index = index_of((struct nk_board){7, 5, 3, 3, NK_WIN_LINE});
    const uint64_t entries = index->entries, batch = 256 * TABLE_BLOCK_CODES;
    const struct nk_summary summary = {.placements = index->placements};
    const uint64_t written[] = {batch, batch - 1, 2, 100000},
                   lengths[] = {0, TABLE_BLOCK_CODES, 3 * TABLE_BLOCK_CODES + 5, entries};
    struct nk_table_writer *writer;
    struct nk_writer *file;
    struct nk_code_reader reader = {0};
    AUTO_TABLE *table = NULL;
    uint8_t *codes = malloc(entries), *read = malloc(entries + 1), *traps = malloc(entries);
    size_t draws = 0;
    for (uint64_t entry = 0; entry < entries; entry++) {
        const uint64_t block = entry / TABLE_BLOCK_CODES;
        codes[entry] = (uint8_t)(block + (block >= 256 && entry % 3 == 0));
        if (codes[entry] == CODE_DRAW)
            traps[draws++] = (uint8_t)(block + entry);
    }
    cr_assert(!nk_writer_open("large.dat", true, &file, NULL));
    cr_assert(!nk_table_writer_open(nk_table_sink_of(file), index, 0, &writer, NULL));
    for (uint64_t done = 0, piece = 0; done < entries; done += written[piece++ % COUNT(written)]) {
        const uint64_t left = entries - done, length = written[piece % COUNT(written)];
        cr_assert(!nk_table_writer_append(writer, codes + done, length < left ? length : left, NULL));
    }
    cr_assert(!nk_table_writer_close(writer, &summary, traps, NULL, NULL, NULL));
    cr_assert(!nk_writer_commit(file, NULL, NULL));
    cr_assert(!nk_table_open("large.dat", &table, NULL));
    for (uint64_t first = 0, draw = 0; first < entries; first += TABLE_BLOCK_CODES) {
        const uint64_t left = entries - first;
        const size_t count = count_draws(codes + first, left < TABLE_BLOCK_CODES ? left : TABLE_BLOCK_CODES);
        cr_assert(!nk_table_block_traps(table, (uint32_t)(first / TABLE_BLOCK_CODES), 0, count, read, NULL));
        cr_assert(!memcmp(read, traps + draw, count));
        draw += count;
    }
    for (uint64_t first = 0; first < entries; first += 999983)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const uint64_t left = entries - first, count = lengths[i] < left ? lengths[i] : left;
            read[count] = 77;
            cr_assert(!nk_table_codes(table, &reader, first, count, read, NULL));
            cr_assert(!memcmp(read, codes + first, count));
            cr_assert(read[count] == 77);
        }
    free(read);
    free(codes);
    free(traps);
}

/* ---- tables in memory ---- */

static struct bytes collected; /* with room for a small table */

static enum nk_status collect(void *context, const void *bytes, size_t length, struct nk_error *error)
{
    (void)context;
    (void)error;
    memcpy(collected.data + collected.size, bytes, length);
    collected.size += length;
    return NK_OK;
}

static enum nk_status replace_first(void *context, const void *bytes, size_t length, struct nk_error *error)
{
    (void)context;
    (void)error;
    memcpy(collected.data, bytes, length);
    return NK_OK;
}

static enum nk_status refuse_more(void *context, const void *bytes, size_t length, struct nk_error *error)
{
    (void)context;
    (void)bytes;
    (void)length;
    return collected.size++ ? nk_fail(error, NK_E_WRITE, 0, "full") : NK_OK;
}

static enum nk_status write_to(struct nk_table_sink sink, const struct contents *s)
{
    struct nk_table_writer *writer;
    enum nk_status status = nk_table_writer_open(sink, s->index, 1, &writer, NULL);
    cr_assert(!status);
    status = nk_table_writer_append(writer, s->codes, s->index->entries, NULL);
    cr_assert(!status);
    return nk_table_writer_close(writer, &s->summary, s->traps, NULL, NULL, NULL);
}

Test(table, may_be_written_to_memory)
{
    const struct nk_table_sink sink = {.append = collect, .replace_first = replace_first};
    AUTO_BYTES bytes = {calloc(2 * small.index->entries + 4096, 1), 0};
    collected = (struct bytes){bytes.data, 0};
    cr_assert(!write_to(sink, &small));
    bytes.size = collected.size;
    AUTO_TABLE *table = open_bytes(bytes);
    cr_assert_str_eq(table_difference(table, &small).s, "");
}

Test(table, reports_that_a_sink_fails)
{
    const struct nk_table_sink sink = {.append = refuse_more, .replace_first = replace_first};
    collected.size = 0;
    cr_assert_eq(write_to(sink, &small), NK_E_WRITE);
}

/* Whether the codes of a batch are appended at once or in parts, that it cannot be written is reported. */
Test(table, reports_that_a_sink_fails_before_the_end)
{
    enum { CODES = 256 * NK_BLOCK_ENTRIES, MOST_PARTS = 2 };
    const struct nk_table_sink sink = {.append = refuse_more, .replace_first = replace_first};
    AUTO_INDEX *index = index_of((struct nk_board){7, 7, 3, 3, NK_WIN_LINE});
    AUTO_BYTES codes = {calloc(CODES, 1), CODES};
    for (int parts = 1; parts <= MOST_PARTS; parts++) {
        struct nk_table_writer *writer;
        enum nk_status status = NK_OK;
        collected.size = 0;
        cr_assert(!nk_table_writer_open(sink, index, 1, &writer, NULL));
        for (int part = 0; part < parts && !status; part++)
            status = nk_table_writer_append(writer, codes.data, (uint64_t)(CODES / parts), NULL);
        cr_assert_eq(status, NK_E_WRITE, "%d parts", parts);
        nk_table_writer_abandon(writer);
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
    cr_assert(!table, "%s: expected %s", error.text, message);
    cr_assert(error.status == expected, "%s: expected %s", error.text, message);
    cr_assert(strstr(error.text, message), "%s: expected %s", error.text, message);
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
    cr_assert(!mkdir("directory", 0777));
    cr_assert(!mkfifo("pipe", 0666));
    refuse("missing", NK_E_READ, "No such file or directory");
    refuse("directory", NK_E_READ, "not a regular file");
    refuse("pipe", NK_E_READ, "not a regular file");
    refuse(endless, NK_E_READ, "File name too long");
}

static uint64_t block_end(const uint8_t *file, uint32_t block)
{
    return get64(file + TABLE_HEADER + (size_t)block * TABLE_ITEM + TABLE_AT_ITEM_END);
}

static uint64_t block_begin(const uint8_t *file, uint32_t block)
{
    return block ? block_end(file, block - 1) : table_list_end(get32(file + TABLE_AT_BLOCKS));
}

static bool is_in_block(size_t at, uint32_t block)
{
    return at >= block_begin(right.data, block) && at < block_end(right.data, block);
}

/* Flips a bit of the table, or flips it back. */
static void flip(size_t at, size_t bit)
{
    right.data[at] ^= (uint8_t)(1 << bit);
}

Test(table, notices_every_truncation)
{
    for (size_t length = 1; length < right.size; length++)
        refuse_bytes(right.data, length, NK_E_CORRUPT, "damaged: ");
    refuse_bytes(right.data, right.size + 1, NK_E_CORRUPT, "damaged: "); /* a zero follows the last byte */
}

/* What is wrong in the signature or the version is of another kind of file. */
Test(table, notices_every_flipped_bit_of_its_header_and_list)
{
    const size_t end = (size_t)table_list_end(get32(right.data + TABLE_AT_BLOCKS));
    for (size_t bit = 0; bit < 8 * end; bit++) {
        const enum nk_status expected = bit / 8 < TABLE_AT_WIDTH ? NK_E_NOT_TABLE : NK_E_CORRUPT;
        struct nk_table *table;
        flip(bit / 8, bit % 8);
        cr_assert_eq(nk_table_open_bytes(right.data, right.size, &table, NULL), expected, "bit %zu", bit);
        flip(bit / 8, bit % 8);
    }
}

/* What no checksum of the header covers is found when the block is first needed, by all that need it, as traps need
 * those of codes, and by nobody else. */
Test(table, notices_every_damaged_byte_of_a_block_where_it_is_needed)
{
    const uint32_t blocks = get32(right.data + TABLE_AT_BLOCKS);
    for (size_t at = block_begin(right.data, 0); at < right.size; at++) {
        flip(at, at % 8);
        AUTO_TABLE *table = open_bytes(right);
        for (uint32_t b = 0; b < blocks; b++) {
            uint8_t unpacked[TABLE_BLOCK_CODES];
            const uint8_t *read;
            const bool damages_codes = is_in_block(at, b);
            const bool damages_traps = damages_codes || is_in_block(at, blocks + b);
            cr_assert_eq(nk_table_block_codes(table, b, unpacked, &read, NULL),
                         damages_codes ? NK_E_CORRUPT : NK_OK, "byte %zu, codes of block %u", at, b);
            cr_assert_eq(nk_table_block_traps(table, b, 0, 0, unpacked, NULL),
                         damages_traps ? NK_E_CORRUPT : NK_OK, "byte %zu, traps of block %u", at, b);
        }
        flip(at, at % 8);
    }
}

/* ---- nonsense with right checksums ---- */

/* Neither the whole table is loaded nor are all unique positions listed; these need no checksum of all codes. */
static void refuse_to_load(struct bytes bytes, const char *message)
{
    AUTO_TABLE *table = open_bytes(bytes);
    const uint32_t configurations = nk_table_configurations(table);
    struct nk_listed_position *listed = calloc(configurations, sizeof *listed);
    struct nk_error error;
    bool refused = false;
    cr_assert_eq(nk_table_load(table, &error), NK_E_CORRUPT, "%s", message);
    cr_assert(strstr(error.text, message), "%s", error.text);
    for (uint32_t c = 0, count; c < configurations; c++)
        if (nk_table_positions(table, c, NK_LIST_BEST | NK_LIST_UNIQUE, listed, &count, &error)) {
            cr_assert(error.status == NK_E_CORRUPT, "%s", error.text);
            cr_assert(strstr(error.text, message), "%s", error.text);
            refused = true;
        }
    cr_assert_eq(refused, !strstr(message, "of the codes"), "%s", message);
    free(listed);
}

Test(table, refuses_to_load_what_is_damaged)
{
    const struct {
        size_t at;
        const char *message;
    } cases[] = {{right.size - 1, "checksum of block 3"}, {TABLE_AT_CODES_CHECKSUM, "checksum of the codes"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_BYTES wrong = contents_bytes(&small);
        wrong.data[cases[i].at] ^= 1;
        seal_header(wrong.data, wrong.size);
        refuse_to_load(wrong, cases[i].message);
    }
    *(uint8_t *)memchr(small.codes, CODE_LOSS + 1, small.index->entries) = CODE_WIN; /* no move wins */
    AUTO_BYTES wrong = contents_bytes(&small);
    refuse_to_load(wrong, "marked as won, but no move wins");
}

/* Of the two blocks of codes, the second is damaged: some moves of a position lead to the first. */
Test(table, lists_no_moves_before_it_fails)
{
    static const struct nk_move_value untouched = {{77, 78}, {NK_WIN, 79}};
    AUTO_BYTES wrong = contents_bytes(&small);
    wrong.data[block_end(wrong.data, 1) - 1] ^= 1;
    AUTO_TABLE *table = open_bytes(wrong);
    int failures = 0;
    for (uint64_t entry = 0; entry < small.index->entries; entry += 7) {
        struct nk_move_value moves[NK_MAX_MOVES];
        const struct nk_position position = nk_index_position(small.index, entry);
        int count = 77;
        for (int m = 0; m < NK_MAX_MOVES; m++)
            moves[m] = untouched;
        if (nk_table_moves(table, position, moves, &count, NULL) != NK_E_CORRUPT)
            continue;
        failures++;
        cr_expect_eq(count, 77);
        cr_expect_eq(moves[0].move.from, untouched.move.from, "entry %d", (int)entry);
        cr_expect_eq(moves[0].value.plies, untouched.value.plies, "entry %d", (int)entry);
    }
    cr_assert_gt(failures, 100);
}

Test(table, refuses_a_header_without_sense)
{
    enum {
        FIRST = TABLE_HEADER + TABLE_AT_ITEM_END, /* the ends of the four blocks */
        SECOND = FIRST + TABLE_ITEM,
        THIRD = SECOND + TABLE_ITEM,
        LAST = THIRD + TABLE_ITEM
    };
    static const char other_board[] = "placements, but this board has", wrong_block[] = "and ends at byte",
                      other_entries[] = "do not belong to this board",
                      not_zero[] = "of the header are not zero";
    const uint64_t entries = small.index->entries, size = right.size, placements = small.index->placements,
                   second = get64(right.data + SECOND);
    const struct {
        size_t at;
        int bytes;
        uint64_t value;
        const char *message;
    } cases[] = {
        {TABLE_AT_VERSION, 4, TABLE_VERSION + 1,
         "a table of format version 3, but this program reads version 2"},
        {TABLE_AT_WIDTH, 1, 2, "damaged: a board of 2x4"},
        {TABLE_AT_WIDTH, 4, 0x05050808, other_board}, /* the largest one, of which no index is made */
        {TABLE_AT_WIN, 1, NK_WIN_RULES, "damaged: winning condition"},
        {TABLE_AT_ZERO, 1, 1, not_zero},
        {TABLE_AT_ZERO + 2, 1, 0x80, not_zero},
        {TABLE_AT_PLACEMENTS, 8, placements - 1, other_board},
        {TABLE_AT_ENTRIES, 8, 0, other_entries},
        {TABLE_AT_ENTRIES, 8, entries - 1, other_entries},
        {TABLE_AT_ENTRIES, 8, UINT64_MAX, other_entries},
        {TABLE_AT_SIZE, 8, size - 1, "but its header says"},
        {TABLE_AT_BLOCK_CODES, 4, 1, other_entries},
        {TABLE_AT_BLOCKS, 4, UINT32_MAX, other_entries},
        {FIRST, 8, table_list_end(2), wrong_block},
        {FIRST, 8, UINT64_MAX, wrong_block},
        {THIRD, 8, second - 1, wrong_block},
        {THIRD, 8, size + 1, wrong_block},
        {LAST, 8, size - 1, "damaged: the last block ends at byte"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_BYTES table = contents_bytes(&small);
        for (int b = 0; b < cases[i].bytes; b++)
            table.data[cases[i].at + (size_t)b] = (uint8_t)(cases[i].value >> 8 * b);
        seal_header(table.data, table.size);
        refuse_bytes(table.data, table.size, cases[i].at == TABLE_AT_VERSION ? NK_E_NOT_TABLE : NK_E_CORRUPT,
                     cases[i].message);
    }
    put64(right.data + TABLE_AT_SIZE, TABLE_HEADER + 10);
    refuse_bytes(right.data, TABLE_HEADER + 10, NK_E_CORRUPT, "a list of 2 blocks does not fit into");
}

/* What a block holds before it is packed and compressed, and how many bytes follow its stream. */
struct content {
    const uint8_t *bytes; /* NULL: no stream, only what follows */
    size_t length, more;
};

/* What is compressed in a block. */
static size_t fill_block(size_t block, const struct content *content, uint8_t *bytes)
{
    if (block < 2)
        return packed_by_hand(content->bytes, content->length, bytes);
    memcpy(bytes, content->bytes, content->length);
    return content->length;
}

/* The table with these blocks, and right checksums. */
static struct bytes with_blocks(const struct content blocks[4])
{
    AUTO_BYTES filled = {malloc(1 << 20), 0};
    struct bytes made = {calloc(1 << 20, 1), (size_t)table_list_end(2)};
    memcpy(made.data, right.data, made.size);
    for (size_t b = 0; b < 4; b++) {
        uLongf length = (1 << 20) - made.size;
        if (blocks[b].bytes) {
            filled.size = fill_block(b, &blocks[b], filled.data);
            cr_assert_eq(compress(made.data + made.size, &length, filled.data, filled.size), Z_OK);
        }
        made.size += (blocks[b].bytes ? length : 0) + blocks[b].more;
        put64(made.data + TABLE_HEADER + b * TABLE_ITEM + TABLE_AT_ITEM_END, made.size);
    }
    seal(made.data, made.size);
    return made;
}

/* A longer block, whatever it holds, is refused before it is read. */
Test(table, has_blocks_of_at_most_32768_bytes)
{
    for (size_t more = 0; more < 2; more++) {
        const struct content blocks[4] = {{NULL, 0, 1}, {NULL, 0, 32768 + more}, {NULL, 0, 0}, {NULL, 0, 0}};
        AUTO_BYTES table = with_blocks(blocks);
        if (more)
            refuse_bytes(table.data, table.size, NK_E_CORRUPT, "block 1 begins at byte");
        else
            release_table(&(struct nk_table *){open_bytes(table)});
    }
}

enum { FIRST = TABLE_BLOCK_CODES, LONG = 1000000 };
static uint8_t losses[FIRST], draws[LONG], traps[LONG];

static void fill_contents(void)
{
    memset(losses, CODE_LOSS, sizeof losses);
    memset(draws, CODE_DRAW, sizeof draws);
    memset(traps, 7, sizeof traps);
}

/* Reads a block of the table with these blocks: all its traps, or the first of its codes. */
static enum nk_status read_block(const struct content blocks[4], uint32_t block, uint8_t *read,
                                 struct nk_error *error)
{
    AUTO_BYTES made = with_blocks(blocks);
    AUTO_TABLE *table = open_bytes(made);
    return block >= 2 ? nk_table_block_traps(table, block - 2, 0, small.index->entries - FIRST, read, error)
                      : nk_table_code(table, (uint64_t)block * TABLE_BLOCK_CODES, read, error);
}

Test(table, has_zeros_where_it_lacks_traps)
{
    static uint8_t read[LONG];
    const size_t rest = small.index->entries - FIRST;
    struct content blocks[4] = {{losses, FIRST, 0}, {draws, rest, 0}, {NULL, 0, 0}, {traps, rest, 0}};
    fill_contents();
    cr_assert(!read_block(blocks, 3, read, NULL));
    cr_assert_eq(read[rest - 1], 7);
    blocks[3] = blocks[2];
    cr_assert(!read_block(blocks, 3, read, NULL));
    cr_assert_eq(read[rest - 1], 0);
}

/* Each block must be one stream of its length. Where the format has nothing there must be no stream, not even an empty
 * one. */
Test(table, refuses_wrong_blocks)
{
    static uint8_t read[LONG];
    const size_t rest = small.index->entries - FIRST;
    const struct content none = {NULL, 0, 0}, lost = {losses, FIRST, 0}, drawn = {draws, rest, 0},
                         values = {traps, rest, 0};
    const struct {
        struct content blocks[4]; /* two of codes, and those of their draws */
        uint32_t wrong;           /* the one that cannot be read */
        const char *message;
    } cases[] = {
        {{lost, {draws, rest - 2, 0}, none, values}, 1, "packed codes"},
        {{lost, {draws, LONG, 0}, none, values}, 1, "packed codes"},
        {{lost, {NULL, 0, 100}, none, values}, 1, "packed codes"},
        {{lost, {draws, rest, 4}, none, values}, 1, "packed codes"},
        {{lost, drawn, none, {traps, rest - 1, 0}}, 3, "trap values"},
        {{lost, drawn, none, {traps, rest + 1, 0}}, 3, "trap values"},
        {{{draws, FIRST, 0}, drawn, {traps, FIRST - 1, 0}, values}, 2, "trap values"},
        {{lost, drawn, {traps, 0, 0}, values}, 0, "damaged: block 2 holds traps, but block 0 has no draws"},
        {{lost, drawn, {traps, 0, 0}, none}, 1, "damaged: block 3 holds no traps, but block 1 has draws"},
    };
    fill_contents();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error = {.text = ""};
        const enum nk_status status = read_block(cases[i].blocks, cases[i].wrong, read, &error);
        cr_assert_eq(status, NK_E_CORRUPT, "case %zu: %s", i, error.text);
        cr_assert(strstr(error.text, cases[i].message), "case %zu: %s", i, error.text);
    }
}

/* A few bytes that speak of many blocks must be refused before they cost anything. A hole makes the file as long as its
 * header says. */
Test(table, takes_no_memory_for_a_hole)
{
    const struct nk_rules rules = rules_of((struct nk_board){8, 8, 4, 3, NK_WIN_LINE});
    const uint64_t placements = nk_index_placements(&rules), entries = placements / 8;
    const uint32_t blocks = table_blocks(entries);
    const uint64_t size = table_list_end(blocks) + (UINT64_C(1) << 40);
    struct rusage before, after;
    memcpy(right.data + TABLE_AT_WIDTH, (const uint8_t[]){8, 8, 4, 3, NK_WIN_LINE}, 5);
    put64(right.data + TABLE_AT_PLACEMENTS, placements);
    put64(right.data + TABLE_AT_ENTRIES, entries);
    put64(right.data + TABLE_AT_SIZE, size);
    put32(right.data + TABLE_AT_BLOCKS, blocks);
    write_bytes("refused", right.data, TABLE_HEADER);
    cr_assert(!truncate("refused", (off_t)size));
    cr_assert(!getrusage(RUSAGE_SELF, &before));
    refuse("refused", NK_E_CORRUPT, "block 0 begins");
    cr_assert(!getrusage(RUSAGE_SELF, &after));
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 10000, "%ld kB", after.ru_maxrss - before.ru_maxrss);
}

/* ---- threads ---- */

struct readers {
    struct nk_table *table; /* of what make_up makes */
    int reads;              /* of each thread */
    _Atomic uint64_t wrong;
};

/* What distinguishes blocks. */
static uint8_t made_up(uint32_t block, uint64_t place)
{
    return place % 16 ? (uint8_t)(CODE_LOSS + block % MADE_UP_PERIOD) : CODE_DRAW;
}

static void make_up(uint32_t block, uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = made_up(block, i);
}

/* Each thread reads blocks of its own. */
static void read_in_thread(void *context, uint32_t number, int worker)
{
    struct readers *r = context;
    const struct nk_index *index = r->table->index;
    uint64_t random = number;
    (void)worker;
    for (int i = 0; i < r->reads; i++) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        const uint64_t entry = nk_index_entry(index, position), place = entry % TABLE_BLOCK_CODES;
        const uint32_t block = (uint32_t)(entry / TABLE_BLOCK_CODES);
        struct nk_value value = {NK_WIN, 0};
        uint8_t trap = 0;
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        r->wrong += nk_table_value(r->table, position, &value, NULL) != NK_OK;
        r->wrong += code_of(value) != made_up(block, place);
        r->wrong += nk_table_trap(r->table, position, &trap, NULL) != NK_OK;
        r->wrong += trap != (place % 16 ? 0 : made_up(r->table->block_count + block, place / 16));
    }
}

static void read_in_threads(struct readers readers)
{
    enum { THREADS = 8 };
    nk_parallel(THREADS, THREADS, read_in_thread, &readers);
    cr_assert_eq(readers.wrong, 0, "%llu wrong", (unsigned long long)readers.wrong);
}

/* ---- more blocks than may stay in memory ---- */

static struct nk_table *open_made_up_table(const struct nk_index *index, struct bytes *bytes)
{
    bytes->data = made_up_table(index, 1, make_up, &bytes->size);
    return open_bytes(*bytes);
}

/* Reads all blocks of codes, of which not all may stay in memory. */
static void read_all_blocks(struct nk_table *table)
{
    uint64_t wrong = 0;
    for (uint32_t block = 0; block < table->block_count; block++)
        for (uint64_t place = 0; place < 20; place++) {
            uint8_t code = 0;
            cr_assert(!nk_table_code(table, (uint64_t)block * TABLE_BLOCK_CODES + place, &code, NULL));
            wrong += code != made_up(block, place);
        }
    cr_assert_eq(wrong, 0);
}

/* The memory that the blocks of codes take. */
static size_t bytes_in_memory(const struct nk_table *table)
{
    size_t bytes = 0;
    for (uint32_t block = 0; block < table->block_count; block++)
        bytes += malloc_usable_size(table->blocks[block]);
    return bytes;
}

/* What that may be: the allocator adds to each block. */
enum { MOST_KEPT = NK_MOST_CACHED + NK_MOST_CACHED / 100 };

/* The oldest blocks give way: the last one fits, and no second one would. */
Test(other_tables, may_be_too_large_to_keep)
{
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 4, 4, NK_WIN_LINE});
    AUTO_BYTES bytes = {0};
    AUTO_TABLE *table = open_made_up_table(index, &bytes);
    read_all_blocks(table);
    nk_table_after_fork(table); /* keeps what is there, each block once */
    for (int round = 0; round < 3; round++)
        read_all_blocks(table); /* more than the ring of blocks has room for */
    const size_t kept = bytes_in_memory(table);
    cr_assert_leq(kept, MOST_KEPT);
    cr_assert_gt(kept + MOST_PACKED_BYTES, NK_MOST_CACHED);
    cr_assert(!table->blocks[0]);
    cr_assert(table->blocks[table->block_count - 1]);
    read_in_threads((struct readers){.table = table, .reads = 100});
    cr_assert_leq(bytes_in_memory(table), MOST_KEPT);
}

/* The last blocks of a large table, in pieces that end within blocks, between them and after several. */
Test(other_tables, gives_a_pass_all_codes_in_order)
{
    static const uint64_t lengths[] = {TABLE_BLOCK_CODES,         5,  3 * TABLE_BLOCK_CODES, 0,
                                       2 * TABLE_BLOCK_CODES - 5, 100};
    enum { MOST = 3 * TABLE_BLOCK_CODES, LAST = 100 };
    static struct nk_code_reader reader;
    static uint8_t codes[MOST];
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 4, 4, NK_WIN_LINE});
    AUTO_BYTES bytes = {0};
    uint64_t wrong = 0, length;
    bytes.data = made_up_table(index, 1, make_up, &bytes.size);
    AUTO_TABLE *table = open_bytes(bytes);
    uint64_t first = (uint64_t)(table->block_count - LAST) * TABLE_BLOCK_CODES;
    for (int piece = 0; first < index->entries; first += length, piece++) {
        length = lengths[(size_t)piece % COUNT(lengths)];
        length = length < index->entries - first ? length : index->entries - first;
        cr_assert(!nk_table_codes(table, &reader, first, length, codes, NULL));
        for (uint64_t i = 0; i < length; i++)
            wrong += codes[i] !=
                     made_up((uint32_t)((first + i) / TABLE_BLOCK_CODES), (first + i) % TABLE_BLOCK_CODES);
    }
    cr_assert_eq(wrong, 0);
}

/* Damages the last block of codes and that of trap values. What reads an entry and what reads for a pass both fail with
 * an error that names the table. */
static void must_be_named_in_errors(struct nk_table *table, struct bytes bytes)
{
    static struct nk_code_reader reader;
    const uint32_t last = table->block_count - 1, blocks[] = {last, last, table->block_count + last};
    const uint64_t first = (uint64_t)last * TABLE_BLOCK_CODES;
    struct nk_error errors[COUNT(blocks)];
    uint8_t read;
    table->source.name = "made-up";
    bytes.data[block_end(bytes.data, blocks[0]) - 1] ^= 1;
    bytes.data[block_end(bytes.data, blocks[2]) - 1] ^= 1;
    cr_assert_eq(nk_table_codes(table, &reader, first, 1, &read, &errors[0]), NK_E_CORRUPT);
    cr_assert_eq(nk_table_code(table, first, &read, &errors[1]), NK_E_CORRUPT);
    bytes.data[block_end(bytes.data, blocks[0]) - 1] ^= 1; /* it is read before its trap values */
    cr_assert_eq(nk_table_block_traps(table, last, 0, 1, &read, &errors[2]), NK_E_CORRUPT);
    for (size_t i = 0; i < COUNT(blocks); i++) {
        char expected[100];
        snprintf(expected, sizeof expected, "made-up: damaged: the checksum of block %u does not match",
                 blocks[i]);
        cr_assert_str_eq(errors[i].text, expected);
    }
}

/* The blocks after it are not read. */
Test(other_tables, has_a_fair_start_by_its_number)
{
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 4, 4, NK_WIN_LINE});
    AUTO_BYTES bytes = {0};
    AUTO_TABLE *table = open_made_up_table(index, &bytes);
    struct nk_position starts[2];
    for (uint64_t n = 0; n < COUNT(starts); n++) {
        struct nk_value value;
        cr_assert(!nk_fair_start(table, n + 1, &starts[n], NULL));
        cr_assert(!nk_table_value(table, starts[n], &value, NULL));
        cr_assert_eq(value.result, NK_DRAW);
    }
    cr_assert(!nk_position_equal(starts[0], starts[1]));
    cr_assert(!table->blocks[table->block_count - 1]);
    must_be_named_in_errors(table, bytes);
}

/* ---- processes made by fork ---- */

/* Forks. The child reads a table, and is killed if it waits for what is lost. Returns the child's status, which is 0
 * if all that it read was correct, or -1. */
static int status_of_child(struct nk_table *table)
{
    enum {
        SECONDS = 300, /* only a child that hangs takes so long, also on a busy machine */
        SEED = 99,
        READS = 20 /* each of a block of codes and mostly one of traps, in the place of others */
    };
    struct readers readers = {.table = table, .reads = READS};
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        nk_table_after_fork(table);
        read_in_thread(&readers, SEED, 0);
        const size_t kept = bytes_in_memory(table);
        _exit(readers.wrong != 0 || kept > MOST_KEPT || kept < NK_MOST_CACHED / 2);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

/* A thread can stop where others may see the cache of a table half changed: before memory is freed and before a mutex
 * is unlocked. Only at such places is it certain that the thread holds no lock of the allocator: glibc makes its own
 * usable in the child, AddressSanitizer does not. */
static _Thread_local int stops_left;
static sem_t stopped, may_continue;

static void stop(void)
{
    if (!stops_left)
        return;
    stops_left--;
    sem_post(&stopped);
    sem_wait(&may_continue);
}

/* The linker passes all calls of free and pthread_mutex_unlock to the functions that begin with __wrap. */
void __real_free(void *memory);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
void __wrap_free(void *memory);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

void __wrap_free(void *memory)
{
    stop();
    __real_free(memory);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    stop();
    return __real_pthread_mutex_unlock(mutex);
}

enum { STOPS = 24 };

static void *read_and_stop(void *readers)
{
    stops_left = STOPS;
    read_in_thread(readers, 0, 0);
    return NULL;
}

Test(other_tables, is_readable_after_a_fork_wherever_a_thread_was)
{
    int status = 0;
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 4, 4, NK_WIN_LINE});
    AUTO_BYTES bytes = {0};
    AUTO_TABLE *table = open_made_up_table(index, &bytes);
    struct readers readers = {.table = table, .reads = STOPS};
    pthread_t thread;
    read_all_blocks(table); /* any other block now takes the place of one of these */
    cr_assert(!sem_init(&stopped, 0, 0));
    cr_assert(!sem_init(&may_continue, 0, 0));
    cr_assert(!pthread_create(&thread, NULL, read_and_stop, &readers));
    for (int s = 0; s < STOPS; s++) {
        sem_wait(&stopped);
        if (!status)
            status = status_of_child(table);
        sem_post(&may_continue);
    }
    cr_assert(!pthread_join(thread, NULL));
    cr_assert_eq(status, 0, "a child ended with %#x", (unsigned)status);
    cr_assert_eq(readers.wrong, 0);
}

Test(table, that_stays_in_memory_needs_nothing_after_a_fork)
{
    AUTO_TABLE *table = open_contents(&small);
    nk_table_after_fork(table);
    cr_assert_str_empty(table_difference(table, &small).s);
}
