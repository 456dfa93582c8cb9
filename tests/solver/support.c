#include "tests/solver/support.h"

#include "solver/analysis/traps.h"

#include <stdlib.h>
#include <string.h>

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
                      !memcmp(solution->by_plies, expected->by_plies, sizeof solution->by_plies) &&
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

struct contents contents_of(const struct solved *solved)
{
    return (struct contents){solved->index, solved->solution->summary, solved->codes, solved->traps};
}

struct nk_file_digest write_table(const struct solved *solved, const char *path)
{
    const struct contents contents = contents_of(solved);
    return write_contents(&contents, path);
}

struct bytes table_bytes(const struct solved *solved)
{
    const struct contents contents = contents_of(solved);
    return contents_bytes(&contents);
}

struct nk_table *open_table(const struct solved *solved)
{
    const struct contents contents = contents_of(solved);
    return open_contents(&contents);
}
