#include "tests/solver/support.h"

#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"

#include <stdlib.h>
#include <string.h>

enum nk_status open_losses(const char *directory, const struct nk_index *index, struct nk_losses **losses,
                           struct nk_error *error)
{
    struct nk_storage *storage;
    enum nk_status status = nk_checkpoint_open(directory, NULL, &storage, error);
    if (status)
        return status;
    status = nk_losses_new(index, NULL, storage, losses, error);
    if (status)
        nk_checkpoint_close(storage);
    return status;
}

void close_losses(struct nk_losses *losses)
{
    struct nk_storage *storage = losses->storage;
    nk_losses_free(losses);
    nk_checkpoint_close(storage);
}

const uint64_t sparse_limits[SPARSE_LIMITS] = {0, 1, UINT64_MAX, 10000};

enum nk_status run_passes(struct nk_losses *losses, const struct nk_analysis_options *options,
                          struct nk_error *error)
{
    struct nk_analysis *analysis = NULL;
    enum nk_status status = nk_analysis_new(losses, options, &analysis, error);
    while (!status && !losses->state.is_complete)
        status = nk_analysis_pass(analysis, error);
    nk_analysis_free(analysis);
    return status;
}

static enum nk_status copy_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                 struct nk_error *error)
{
    uint8_t **at = context;
    (void)done;
    (void)error;
    memcpy(*at, codes, count);
    *at += count;
    return NK_OK;
}

enum nk_status all_codes(struct nk_losses *losses, uint8_t **out, struct nk_error *error)
{
    uint8_t *at = *out = malloc(losses->index->entries);
    CHECK(at);
    const enum nk_status status = nk_find_codes(losses, 0, NULL, copy_codes, &at, error);
    if (status)
        free(*out);
    return status;
}

uint8_t *traps_of(const struct nk_index *index, const uint8_t *codes, int threads)
{
    struct nk_traps *traps;
    uint8_t *values;
    CHECK(!nk_traps_new(index, &traps));
    nk_traps_add(traps, 0, index->orbit_count, codes, threads);
    CHECK(!nk_traps_compute(traps, threads, NULL, &values));
    nk_traps_free(traps);
    return values;
}

static struct solution solution_of(const struct nk_losses *losses)
{
    struct solution solution = {.summary = nk_losses_summary(losses), .example = losses->state.example};
    memcpy(solution.by_plies, losses->state.by_plies, sizeof solution.by_plies);
    return solution;
}

struct solved solve_board(struct nk_board board)
{
    struct solved solved = {
        .rules = rules_of(board), .index = index_of(board), .solution = malloc(sizeof *solved.solution)};
    const struct nk_analysis_options options = {0};
    struct nk_losses *losses;
    CHECK(solved.solution);
    CHECK(!nk_losses_new(solved.index, NULL, NULL, &losses, NULL));
    CHECK(!run_passes(losses, &options, NULL));
    CHECK(!all_codes(losses, &solved.codes, NULL));
    *solved.solution = solution_of(losses);
    nk_losses_free(losses);
    solved.traps = traps_of(solved.index, solved.codes, 0);
    return solved;
}

struct solved solve_without_traps(struct nk_board board)
{
    struct solved solved = solve_board(board);
    drop_traps(&solved);
    return solved;
}

void drop_traps(struct solved *solved)
{
    free(solved->traps);
    solved->traps = NULL;
}

bool is_same_solution(const struct solved *solved, struct nk_losses *losses)
{
    const struct solution found = solution_of(losses);
    uint8_t *codes;
    CHECK(!all_codes(losses, &codes, NULL));
    const bool same = !memcmp(codes, solved->codes, solved->index->entries) &&
                      !memcmp(found.by_plies, solved->solution->by_plies, sizeof found.by_plies) &&
                      same_summary(&found.summary, &solved->solution->summary) &&
                      found.example == solved->solution->example;
    free(codes);
    return same;
}

void solved_free(struct solved *solved)
{
    free(solved->traps);
    free(solved->codes);
    free(solved->solution);
    nk_index_free(solved->index);
}

struct contents contents_of(const struct solved *solved)
{
    return (struct contents){solved->index, solved->solution->summary, solved->codes, solved->traps};
}

void write_table(const struct solved *solved, const char *path)
{
    const struct contents contents = contents_of(solved);
    write_contents(&contents, path);
}

struct bytes table_bytes(const struct solved *solved)
{
    const struct contents contents = contents_of(solved);
    return contents_bytes(&contents);
}

struct nk_table *open_solved(const struct solved *solved)
{
    const struct contents contents = contents_of(solved);
    return open_contents(&contents);
}
