#include "tests/support.h"

#include "tests/table_format.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Criterion runs each test in a process of its own. As Debian builds libgit2, which it links, that reads all
 * certificates of the system first, half of the time of most tests: here it finds none, and needs none. */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);
int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return -1;
}

_Noreturn void check_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

struct nk_rules rules_of(struct nk_board board)
{
    struct nk_rules rules;
    CHECK(!nk_rules_init(&rules, &board, NULL));
    return rules;
}

struct nk_text position_text(const struct nk_rules *rules, struct nk_position position)
{
    return nk_position_text(rules, position, NK_BLACK);
}

bool next_configuration(const struct nk_rules *rules, uint64_t *squares)
{
    /* The lowest pieces that are next to each other: the highest of them goes up one square, the others to the lowest
     * ones. */
    const uint64_t last = *squares, lowest = last & -last, above = last + lowest;
    *squares = last ? above | (last ^ above) >> nk_first(lowest) >> 2 : nk_bit(rules->board.pieces) - 1;
    return !last || (above && above <= rules->all_squares);
}

bool next_placement(const struct nk_rules *rules, struct nk_position *position)
{
    do {
        if (!position->other || !next_configuration(rules, &position->mover)) {
            if (!next_configuration(rules, &position->other))
                return false;
            position->mover = 0;
            next_configuration(rules, &position->mover);
        }
    } while (position->mover & position->other);
    return true;
}

bool goes_on(const struct nk_rules *rules, struct nk_position position)
{
    return !nk_rules_won(rules, position.mover) && !nk_rules_won(rules, position.other);
}

bool same_position(struct nk_position a, struct nk_position b)
{
    return a.mover == b.mover && a.other == b.other;
}

bool same_value(struct nk_value a, struct nk_value b)
{
    return a.result == b.result && a.plies == b.plies;
}

/* Not by their bytes: those after the last member have any value. */
bool same_summary(const struct nk_summary *a, const struct nk_summary *b)
{
    return a->placements == b->placements && a->legal == b->legal && a->wins == b->wins &&
           a->losses == b->losses && a->draws == b->draws && a->stalemates == b->stalemates &&
           a->longest == b->longest;
}

uint8_t code_of(struct nk_value value)
{
    if (value.result == NK_LOSS)
        return code_of_loss(value.plies);
    return value.result == NK_DRAW ? CODE_DRAW : CODE_WIN;
}

bool is_thorough(void)
{
    return getenv("THOROUGH") != NULL;
}

struct nk_index *index_of(struct nk_board board)
{
    const struct nk_rules rules = rules_of(board);
    struct nk_index *const index = nk_index_new(&rules);
    CHECK(index);
    return index;
}

/* ---- files ---- */

static char directory[256];

/* Tables are flushed to the disk when they are written, and the tests write many. */
const char *make_directory(void)
{
    const char *given = getenv("TMPDIR");
    const char *place = given ? given : access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    snprintf(directory, sizeof directory, "%s/neutreeko-test-XXXXXX", place);
    CHECK(mkdtemp(directory));
    return directory;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

void remove_directory(void)
{
    CHECK(!nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS));
}

void enter_directory(void)
{
    CHECK(!chdir(make_directory()));
}

void leave_directory(void)
{
    CHECK(!chdir("/"));
    remove_directory();
}

int files_in(const char *path)
{
    int count = -2; /* . and .. */
    DIR *opened = opendir(path);
    CHECK(opened);
    while (readdir(opened))
        count++;
    closedir(opened);
    return count;
}

struct bytes read_bytes(const char *path)
{
    struct bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    CHECK(file);
    CHECK(!fseek(file, 0, SEEK_END));
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    CHECK(bytes.data);
    CHECK(fread(bytes.data, 1, bytes.size, file) == bytes.size);
    bytes.data[bytes.size] = '\0';
    fclose(file);
    return bytes;
}

void bytes_free(const struct bytes *bytes)
{
    free(bytes->data);
}

void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file);
    CHECK(fwrite(data, 1, size, file) == size);
    CHECK(!fclose(file));
}

void write_contents(const struct contents *contents, const char *path)
{
    struct nk_table_writer *writer;
    struct nk_writer *to;
    CHECK(!nk_writer_open(path, true, &to, NULL));
    CHECK(!nk_table_writer_open(nk_table_sink_of(to), contents->index, 0, &writer, NULL));
    CHECK(!nk_table_writer_append(writer, contents->codes, contents->index->entries, NULL));
    CHECK(!nk_table_writer_close(writer, &contents->summary, contents->traps, NULL, NULL, NULL));
    CHECK(!nk_writer_commit(to, NULL, NULL));
}

struct bytes contents_bytes(const struct contents *contents)
{
    write_contents(contents, "bytes.dat");
    const struct bytes bytes = read_bytes("bytes.dat");
    CHECK(!remove("bytes.dat"));
    return bytes;
}

struct nk_table *open_contents(const struct contents *contents)
{
    struct nk_table *table;
    write_contents(contents, "table.dat");
    CHECK(!nk_table_open("table.dat", &table, NULL));
    return table;
}

struct nk_table *open_bytes(struct bytes bytes)
{
    struct nk_table *table;
    CHECK(!nk_table_open_bytes(bytes.data, bytes.size, &table, NULL));
    return table;
}

/* How the entry is read wrongly, or an empty text. `trap` is its trap value. */
static struct text entry_difference(struct nk_table *table, const struct contents *contents, uint64_t entry,
                                    uint8_t trap)
{
    const struct nk_position position = nk_index_position(contents->index, entry);
    struct text text = {0};
    uint8_t code = 0, found = trap;
    if (nk_table_code(table, entry, &code, NULL))
        snprintf(text.s, sizeof text.s, "the code of entry %d cannot be read", (int)entry);
    else if (code != contents->codes[entry])
        snprintf(text.s, sizeof text.s, "entry %d has code %d, not %d", (int)entry, code,
                 contents->codes[entry]);
    else if (nk_index_entry(contents->index, position) != entry ||
             nk_position_check(&contents->index->rules, position, NK_BLACK, NULL))
        return text; /* an image of another entry, which has the trap value, or illegal */
    else if (nk_table_trap(table, position, &found, NULL))
        snprintf(text.s, sizeof text.s, "the trap value of entry %d cannot be read", (int)entry);
    else if (found != trap)
        snprintf(text.s, sizeof text.s, "entry %d has trap value %d, not %d", (int)entry, found, trap);
    return text;
}

struct text table_difference(struct nk_table *table, const struct contents *contents)
{
    const uint8_t *trap = contents->traps;
    if (!nk_board_equal(&nk_table_rules(table)->board, &contents->index->rules.board))
        return (struct text){"other rules"};
    if (table->index->entries != contents->index->entries)
        return (struct text){"another number of entries"};
    if (!same_summary(nk_table_summary(table), &contents->summary))
        return (struct text){"another summary"};
    if (table->has_traps && !contents->traps)
        return (struct text){"it has traps"};
    if (!table->has_traps && contents->traps)
        return (struct text){"it has no traps"};
    for (uint64_t entry = 0; entry < contents->index->entries; entry++) {
        const bool has_trap = contents->codes[entry] == CODE_DRAW && trap;
        const struct text text = entry_difference(table, contents, entry, has_trap ? *trap++ : 0);
        if (*text.s)
            return text;
    }
    return (struct text){""};
}

/* ---- allocations ---- */

long unfreed_blocks;

static long before_failure = LONG_MAX;

void fail_after(long allocations)
{
    before_failure = allocations;
}

bool end_failing(void)
{
    const bool has_failed = before_failure < 0;
    before_failure = LONG_MAX;
    return has_failed;
}

static bool fails(void)
{
    return before_failure-- == 0;
}

static void *counted(void *memory)
{
    unfreed_blocks += memory != NULL;
    return memory;
}

/* Where the linker is told to, it passes all calls of these functions to those that begin with __wrap; a test may have
 * some of its own. */
#define WEAK __attribute__((weak))
WEAK void *__real_malloc(size_t size);
WEAK void *__real_calloc(size_t count, size_t size);
WEAK void *__real_realloc(void *memory, size_t size);
WEAK void __real_free(void *memory);
WEAK void *__wrap_malloc(size_t size);
WEAK void *__wrap_calloc(size_t count, size_t size);
WEAK void *__wrap_realloc(void *memory, size_t size);
WEAK void __wrap_free(void *memory);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    unfreed_blocks -= memory != NULL;
    return counted(__real_realloc(memory, size));
}

void __wrap_free(void *memory)
{
    unfreed_blocks -= memory != NULL;
    __real_free(memory);
}
