#include "tests/fuzz/solved.h"

#include "tests/codes.h"
#include "solver/retrograde.h"
#include "solver/trap.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char directory[64];
static pid_t owner;

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_directory(void)
{
    if (getpid() == owner)
        (void)nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *own_directory(void)
{
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < COUNT(places) && !owner; i++) {
        snprintf(directory, sizeof directory, "%s/neutreeko-fuzz-XXXXXX", places[i]);
        if (mkdtemp(directory)) {
            owner = getpid();
            CHECK(!atexit(remove_directory));
        }
    }
    CHECK(owner);
    return directory;
}

uint8_t *solved_bytes(int width, int height, int pieces, bool with_traps, size_t *size)
{
    struct nk_rules rules;
    struct nk_index *index;
    struct nk_solution *solution;
    const struct nk_solve_options options = {.threads = 1};
    uint8_t *codes, *traps = NULL;
    struct nk_file file;
    char path[80];
    CHECK(!nk_rules_init(&rules, width, height, pieces, 3, NK_WIN_LINE, NULL));
    CHECK(!nk_index_new(&rules, &index));
    CHECK(!nk_solve(index, &options, &solution, NULL));
    CHECK(!all_codes(solution, &codes, NULL));
    CHECK(!with_traps || !traps_of(index, codes, 1, &traps));
    snprintf(path, sizeof path, "%s/table", own_directory());
    CHECK(!nk_table_write(path, index, &solution->summary, codes, traps, &file, NULL));
    free(traps);
    free(codes);
    nk_solution_free(solution);
    nk_index_free(index);
    uint8_t *bytes = malloc(file.bytes);
    FILE *stream = fopen(path, "rb");
    CHECK(bytes && stream && fread(bytes, 1, file.bytes, stream) == file.bytes);
    fclose(stream);
    *size = file.bytes;
    return bytes;
}

size_t stored_stream(uint8_t *stream, const uint8_t *bytes, size_t length)
{
    const uint8_t begin[7] = {0x78,
                              0x01,
                              0x01, /* the last and only block, stored */
                              (uint8_t)length,
                              (uint8_t)(length >> 8),
                              (uint8_t)~length,
                              (uint8_t)(~length >> 8)};
    const uint32_t check = (uint32_t)adler32(1, bytes, (uInt)length);
    uint8_t *at = stream + sizeof begin + length;
    CHECK(length <= UINT16_MAX);
    memcpy(stream, begin, sizeof begin);
    memcpy(stream + sizeof begin, bytes, length);
    for (int i = 24; i >= 0; i -= 8)
        *at++ = (uint8_t)(check >> i);
    return (size_t)(at - stream);
}
