#include "tests/support.h"

#include "solver/analysis/trap.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

struct text board_text(struct nk_board board)
{
    struct text text;
    snprintf(text.s, sizeof text.s, "%dx%d, %d pieces, row %d, %s", board.width, board.height, board.pieces,
             board.row_length, nk_win_name(board.win));
    return text;
}

struct text position_text(const struct nk_rules *rules, struct nk_position position)
{
    struct text text = {0};
    nk_position_print(rules, position, NK_BLACK, text.s);
    return text;
}

bool next_configuration(const struct nk_rules *rules, uint64_t *squares)
{
    /* The lowest pieces that are next to each other: the highest of them goes up one square, the others to the lowest
     * ones. */
    const uint64_t last = *squares, lowest = last & -last, above = last + lowest;
    *squares = last ? above | (last ^ above) / lowest >> 2 : nk_bit(rules->board.pieces) - 1;
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

bool is_thorough(void)
{
    return getenv("THOROUGH") != NULL;
}

struct nk_index *index_of(struct nk_board board)
{
    const struct nk_rules rules = rules_of(board);
    struct nk_index *index;
    CHECK(!nk_index_new(&rules, &index));
    return index;
}

enum nk_status all_codes(struct nk_solution *solution, uint8_t **codes, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    uint8_t *at = *codes = malloc(solution->index->entries);
    CHECK(at);
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++) {
        const uint8_t *some;
        uint64_t count;
        if (!(status = nk_solution_part(solution, part, &some, &count, error))) {
            memcpy(at, some, count);
            at += count;
        }
    }
    if (status)
        free(*codes);
    return status;
}

uint8_t *traps_of(const struct nk_index *index, const uint8_t *codes, int threads)
{
    struct nk_traps *traps;
    uint8_t *values;
    CHECK(!nk_traps_new(index, &traps));
    nk_traps_add(traps, codes, index->entries);
    CHECK(!nk_traps_compute(traps, threads, NULL, &values));
    nk_traps_free(traps);
    return values;
}

struct solved solve_board(struct nk_board board)
{
    struct solved solved = {.rules = rules_of(board), .index = index_of(board)};
    const struct nk_solve_options options = {0};
    CHECK(!nk_solve(solved.index, &options, &solved.solution, NULL));
    CHECK(!all_codes(solved.solution, &solved.codes, NULL));
    solved.traps = traps_of(solved.index, solved.codes, 0);
    return solved;
}

bool is_same_solution(const struct solved *solved, struct nk_solution *solution)
{
    const struct nk_solution *expected = solved->solution;
    uint8_t *codes;
    CHECK(!all_codes(solution, &codes, NULL));
    const bool same = !memcmp(codes, solved->codes, solved->index->entries) &&
                      !memcmp(solution->by_distance, expected->by_distance, sizeof solution->by_distance) &&
                      !memcmp(&solution->summary, &expected->summary, sizeof solution->summary) &&
                      solution->example == expected->example;
    free(codes);
    nk_solution_free(solution);
    return same;
}

void solved_free(struct solved *solved)
{
    free(solved->traps);
    free(solved->codes);
    nk_solution_free(solved->solution);
    nk_index_free(solved->index);
}

/* ---- files ---- */

static char directory[64];

/* Tables are flushed to the disk when they are written, and the tests write many. */
const char *make_directory(void)
{
    const char *place = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    snprintf(directory, sizeof directory, "%s/neutreeko-test-XXXXXX", place);
    CHECK(mkdtemp(directory));
    return directory;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
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
    CHECK(file && !fseek(file, 0, SEEK_END));
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    CHECK(bytes.data && fread(bytes.data, 1, bytes.size, file) == bytes.size);
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
    CHECK(file && fwrite(data, 1, size, file) == size && !fclose(file));
}

struct nk_file write_table(const struct solved *solved, const char *path)
{
    struct nk_file file;
    struct nk_table_writer *writer;
    CHECK(!nk_table_writer_open(path, solved->index, 0, &writer, NULL));
    CHECK(!nk_table_writer_append(writer, solved->codes, solved->index->entries, NULL));
    CHECK(!nk_table_writer_close(writer, &solved->solution->summary, solved->traps, &file, NULL));
    return file;
}

struct bytes table_bytes(const struct solved *solved)
{
    write_table(solved, "bytes.dat");
    const struct bytes bytes = read_bytes("bytes.dat");
    CHECK(!remove("bytes.dat"));
    return bytes;
}

struct nk_table *open_table(const struct solved *solved)
{
    struct nk_table *table;
    write_table(solved, "table.dat");
    CHECK(!nk_table_open("table.dat", &table, NULL));
    return table;
}

struct nk_table *open_bytes(struct bytes bytes)
{
    struct nk_table *table;
    CHECK(!nk_table_open_bytes(bytes.data, bytes.size, &table, NULL));
    return table;
}
