/* The reader of checkpoints, and an analysis that goes on from one. The first byte says what the rest is:
 *
 *   0  two bytes for the length of the file `state`, its bytes, and those of the only slice, as they are
 *
 *   1  the same, with all that is computed from other bytes corrected, so that what follows the checksums is reached
 *
 *   2  the number of a right checkpoint, then changes: two bytes for a place in the unpacked slice and its
 *      byte. The place behind its end makes it longer, by MANY such bytes, and the next one shorter.
 */

#include "tests/fuzz/solved.h"

#include "common/table_format.h"
#include "solver/kernel.h"
#include "solver/pass.h"
#include "solver/resume.h"
#include "solver/retrograde.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The file `state`, as solver/checkpoint.c has it. */
enum {
    AT_VERSION = 8,
    AT_RULES = 12,
    AT_PLY = 20,
    AT_SLICES = 24,
    HEADER = 28,
    MOST_STATE = 4400,
    MOST_PLAIN = 1 << 15,
    MANY = 100
};
static const uint8_t magic[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

/* A small board, so that there is little to unpack and to look at. */
static const struct nk_index *index_of_board(void)
{
    static struct nk_index *index;
    struct nk_rules rules;
    if (!index) {
        CHECK(!nk_rules_init(&rules, 3, 3, 2, 2, NK_WIN_ORTHOGONAL, NULL));
        CHECK(!nk_index_new(&rules, &index));
    }
    return index;
}

static const char *saved(void)
{
    static char path[80];
    snprintf(path, sizeof path, "%s/saved", own_directory());
    return path;
}

static char *path_of(const char *name, char path[120])
{
    snprintf(path, 120, "%s/%s", saved(), name);
    return path;
}

/* The files of the directory stay and are written over, which is quicker than to make new ones. */
struct file {
    char name[40];
    int file; /* 0: not there */
    size_t size;
};
static struct file state_file, slice_file;

static void remove_file(struct file *file)
{
    char path[120];
    if (!file->file)
        return;
    CHECK(!close(file->file));
    (void)unlink(path_of(file->name, path));
    file->file = 0;
}

static void put_file(struct file *file, const char *name, const uint8_t *bytes, size_t size)
{
    char path[120];
    if (strcmp(file->name, name) != 0)
        remove_file(file);
    if (!file->file) {
        (void)mkdir(saved(), 0777);
        file->file = open(path_of(name, path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        CHECK(file->file > 0);
        snprintf(file->name, sizeof file->name, "%s", name);
        file->size = 0;
    }
    CHECK(pwrite(file->file, bytes, size, 0) == (ssize_t)size);
    CHECK(size >= file->size || !ftruncate(file->file, (off_t)size));
    file->size = size;
}

static void put_files(const uint8_t *state, size_t length, const uint8_t *slice, size_t slice_size)
{
    char name[sizeof slice_file.name];
    snprintf(name, sizeof name, "slice-00000.ply-%03d", (int)(nk_get32(state + AT_PLY) & 1023));
    put_file(&state_file, "state", state, length);
    put_file(&slice_file, name, slice, slice_size);
}

/* Nothing else was left there. */
static void empty_directory(void)
{
    remove_file(&state_file);
    remove_file(&slice_file);
    CHECK(!rmdir(saved()) || errno == ENOENT);
}

/* Sets a state right that counts one slice. Its new size. */
static size_t seal(uint8_t state[MOST_STATE], size_t size, const uint8_t *slice, size_t slice_size)
{
    const struct nk_rules *rules = &index_of_board()->rules;
    const uint8_t board[5] = {(uint8_t)rules->width, (uint8_t)rules->height, (uint8_t)rules->pieces,
                              (uint8_t)rules->row_length, (uint8_t)rules->win};
    const uint32_t ply = nk_get32(state + AT_PLY);
    memcpy(state, magic, sizeof magic);
    nk_put32(state + AT_VERSION, 1);
    memcpy(state + AT_RULES, board, sizeof board);
    if (ply <= NK_MAX_PLIES) {
        nk_put32(state + AT_SLICES, 1);
        size = HEADER + 8 * ((size_t)ply + 1) + 16 + 8;
        nk_put64(state + size - 24, slice_size);
        nk_put64(state + size - 16, XXH3_64bits(slice, slice_size));
    }
    nk_put64(state + size - 8, XXH3_64bits(state, size - 8));
    return size;
}

struct slice {
    uint8_t bytes[MOST_PLAIN];
    size_t length;
};

static bool consume(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    struct slice *slice = context;
    CHECK(offset == slice->length && length <= sizeof slice->bytes - slice->length);
    memcpy(slice->bytes + offset, bytes, length);
    slice->length += length;
    return true;
}

static void produce(void *context, uint64_t offset, uint8_t *bytes, size_t length)
{
    const struct slice *slice = context;
    CHECK(offset + length <= slice->length);
    memcpy(bytes, slice->bytes + offset, length);
}

static void check_failure(enum nk_status status, const struct nk_error *error)
{
    CHECK(status == NK_E_CORRUPT || status == NK_E_READ);
    check_error(error, status);
}

/* What was loaded, saved as the next checkpoint, is loaded again. */
static void save_again(struct nk_checkpoint *checkpoint, struct slice *slice)
{
    static struct slice again;
    static uint64_t copy[NK_MAX_PLIES + 1];
    const uint64_t *by_distance;
    const int ply = nk_checkpoint_ply(checkpoint, &by_distance);
    const int next = ply ? ply - 2 : 2; /* after a loss, as always */
    memcpy(copy, by_distance, sizeof copy);
    CHECK(!nk_checkpoint_save(checkpoint, next, 0, produce, slice, NULL));
    CHECK(!nk_checkpoint_commit(checkpoint, next, copy, NK_OK, NULL));
    nk_checkpoint_close(checkpoint);
    CHECK(!nk_solve_checkpoint(index_of_board(), saved(), 1000, &checkpoint, NULL));
    CHECK(nk_checkpoint_ply(checkpoint, &by_distance) == next);
    CHECK(memcmp(by_distance, copy, ((size_t)next + 1) * sizeof *copy) == 0);
    again.length = 0;
    CHECK(!nk_checkpoint_load(checkpoint, 0, consume, &again, NULL));
    CHECK(again.length == slice->length && memcmp(again.bytes, slice->bytes, again.length) == 0);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
}

/* ---- right checkpoints ---- */

enum { MOST_MODELS = 64 };

/* The checkpoints of an analysis from beginning to end. */
struct model {
    uint8_t state[MOST_STATE];
    size_t length;
    struct slice slice;
};

static struct model *models[MOST_MODELS];
static int model_count;
static struct nk_summary truth;

/* The checkpoint of the ply before the last is now on disk. */
static void keep_model(void *context, int ply, uint64_t decided)
{
    struct nk_checkpoint *const checkpoint = context;
    char path[120];
    (void)decided;
    if (ply % 2 == 0 || model_count == MOST_MODELS)
        return;
    struct model *model = calloc(1, sizeof *model);
    FILE *file = fopen(path_of("state", path), "rb");
    CHECK(model && file);
    model->length = fread(model->state, 1, sizeof model->state, file);
    fclose(file);
    CHECK(!nk_checkpoint_load(checkpoint, 0, consume, &model->slice, NULL));
    models[model_count++] = model;
}

static void solve_models(void)
{
    struct nk_solve_options options = {.threads = 1, .progress = keep_model};
    struct nk_solution *solution;
    CHECK(!nk_solve_checkpoint(index_of_board(), saved(), 0, &options.checkpoint, NULL));
    options.context = options.checkpoint;
    CHECK(!nk_solve(index_of_board(), &options, &solution, NULL));
    truth = solution->summary;
    nk_solution_free(solution);
    nk_checkpoint_remove(options.checkpoint);
    nk_checkpoint_close(options.checkpoint);
    CHECK(model_count > 2);
}

/* ---- trying ---- */

/* Restores an analysis from the checkpoint, as nk_solve does. The state before that is the same each time. */
static enum nk_status resume(struct nk_checkpoint *checkpoint, int ply, struct nk_error *error)
{
    static struct nk_analysis a;
    static uint8_t *codes;
    static nk_lanes *undecided;
    /* It owns what the analysis uses; volatile, so that LeakSanitizer finds the pointer. */
    static struct nk_solution *volatile solution;
    const size_t rows = index_of_board()->configurations;
    if (!undecided) {
        solution = nk_solution_new(index_of_board(), 1);
        CHECK(solution && nk_analysis_init(&a, solution) && a.share.slices == 1);
        CHECK((codes = malloc(rows * NK_LANES)) && (undecided = malloc(rows * sizeof *undecided)));
        a.kernel = nk_find_kernel(0);
        nk_run_step(&a, nk_init_undecided, NK_CODE_DRAW);
        nk_run_step(&a, nk_decide_finished, nk_code_loss(0));
        memcpy(codes, a.codes, rows * NK_LANES);
        memcpy(undecided, a.undecided.rows, rows * sizeof *undecided);
    }
    memcpy(a.codes, codes, rows * NK_LANES);
    memcpy(a.undecided.rows, undecided, rows * sizeof *undecided);
    a.checkpoint = checkpoint;
    return nk_resume_analysis(&a, ply, error);
}

/* `right`: that it was accepted means that it is as it was saved. */
static void try(bool right, bool thorough)
{
    static struct slice slice;
    struct nk_solve_options options = {.threads = 1};
    struct nk_checkpoint *checkpoint;
    struct nk_solution *solution;
    struct nk_error error;
    const uint64_t *by_distance;
    enum nk_status status = nk_solve_checkpoint(index_of_board(), saved(), 1000, &checkpoint, &error);
    if (status) {
        check_failure(status, &error);
        return;
    }
    const int ply = nk_checkpoint_ply(checkpoint, &by_distance);
    CHECK(ply >= 0 && ply <= NK_MAX_PLIES);
    const enum nk_status resumed = resume(checkpoint, ply, &error);
    if (resumed)
        check_failure(resumed, &error);
    if (!thorough) {
        nk_checkpoint_close(checkpoint);
        return;
    }
    slice.length = 0;
    const enum nk_status loaded = nk_checkpoint_load(checkpoint, 0, consume, &slice, &error);
    if (loaded) {
        CHECK(resumed);
        check_failure(loaded, &error);
    }
    options.checkpoint = checkpoint;
    if ((status = nk_solve(index_of_board(), &options, &solution, &error))) {
        CHECK(!resumed || status == resumed);
        CHECK(status == NK_E_CORRUPT || status == NK_E_READ || status == NK_E_LIMIT);
        check_error(&error, status);
    } else {
        CHECK(!loaded && !resumed);
        CHECK(solution->summary.longest <= NK_MAX_PLIES);
        CHECK(!right || memcmp(&solution->summary, &truth, sizeof truth) == 0);
        nk_solution_free(solution);
    }
    if (loaded)
        nk_checkpoint_close(checkpoint);
    else
        save_again(checkpoint, &slice);
}

/* The files of modes 0 and 1, where there are such bytes. */
static size_t read_files(const uint8_t *data, size_t size, bool sealed, uint8_t state[MOST_STATE],
                         const uint8_t **slice, size_t *slice_size)
{
    size_t length = (size_t)(data[0] | data[1] << 8);
    data += 2, size -= 2;
    if (length > size)
        length = size;
    if (length > MOST_STATE)
        length = MOST_STATE;
    memcpy(state, data, length);
    *slice = data + length;
    *slice_size = size - length;
    return sealed && length >= HEADER + 8 ? seal(state, length, *slice, *slice_size) : length;
}

/* Those of mode 2. *right: nothing was changed after all. */
static size_t change_model(const uint8_t *data, size_t size, uint8_t state[MOST_STATE],
                           uint8_t packed[MOST_PLAIN + STORED_MORE], size_t *packed_size, bool *right)
{
    static struct slice slice;
    const struct model *model = models[data[0] % model_count];
    memcpy(state, model->state, model->length);
    slice.length = model->slice.length;
    memcpy(slice.bytes, model->slice.bytes, slice.length);
    for (data++, size--; size >= 3; data += 3, size -= 3) {
        const size_t place = (size_t)(data[0] | data[1] << 8) % (model->slice.length + 2);
        if (place < model->slice.length) {
            slice.bytes[place] = data[2];
        } else if (place > model->slice.length) {
            slice.length -= slice.length > 0;
        } else if (slice.length <= sizeof slice.bytes - MANY) {
            memset(slice.bytes + slice.length, data[2], MANY);
            slice.length += MANY;
        }
    }
    *right =
        slice.length == model->slice.length && memcmp(slice.bytes, model->slice.bytes, slice.length) == 0;
    *packed_size = stored_stream(packed, slice.bytes, slice.length);
    return seal(state, model->length, packed, *packed_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t packed[MOST_PLAIN + STORED_MORE];
    uint8_t state[MOST_STATE] = {0};
    const uint8_t *slice = packed;
    size_t length, slice_size;
    if (!model_count)
        solve_models();
    if (size < 3)
        return 0;
    const bool thorough = is_thorough(data, size, 256);
    const uint8_t how = data[0] % 3;
    bool right = how == 0;
    if (how == 2)
        length = change_model(data + 1, size - 1, state, packed, &slice_size, &right);
    else
        length = read_files(data + 1, size - 1, how == 1, state, &slice, &slice_size);
    put_files(state, length, slice, slice_size);
    try(right, thorough);
    if (thorough)
        empty_directory();
    return 0;
}
