/* Checks the codes of a group of rows against the values of their moves, and counts them; and stores the rows that the
 * first phase finds for the second. */

#include "solver/verify/verify.h"

#include "common/system/system.h"
#include "common/table/table.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- checking ---- */

/* The configurations whose bytes for a group stay in the cache while they are compared with the rows. */
enum { PART = 512 };

/* A row of the group, while it is checked. */
struct row {
    uint64_t first_entry;
    uint64_t other; /* the configuration that does not move */
    bool other_won; /* whether it wins */
    uint32_t size;  /* the positions that an entry stands for */
    uint8_t *codes; /* all */
    uint8_t *next;  /* the first one that is not checked yet */
};

/* Why a code does not agree with the value of the best move, that of a draw if there is none; or NULL. The distances of
 * losses are left to the second phase. */
static const char *objection(uint8_t code, uint8_t best, bool mover_won, bool other_won)
{
    if (mover_won)
        return code == NK_CODE_WIN ? NULL : "illegal, as the mover has already won, but has a value";
    if (other_won)
        return code == NK_CODE_LOSS ? NULL : "over, but not marked a loss of 0 plies";
    if (code == NK_CODE_WIN)
        return best >= NK_VALUE_WIN ? NULL : "marked a win, but no move leads to a loss";
    if (code == NK_CODE_DRAW && best >= NK_VALUE_WIN)
        return "marked a draw, but a move leads to a loss";
    if (code == NK_CODE_DRAW)
        return best == NK_VALUE_DRAW ? NULL : "marked a draw, but no move leads to a draw";
    if (code == NK_CODE_LOSS)
        return "marked a loss of 0 plies, but not over";
    return best == NK_VALUE_LOSS ? NULL : "marked a loss, but not every move leads to a win";
}

/* Checks a row in which the other side has won: no value depends on moves, and none is a win. */
static void check_ends(const struct nk_group *group, const struct row *row)
{
    const struct nk_index *index = group->index;
    uint64_t entry = row->first_entry;
    for (uint32_t r = 0; r < index->configurations; r++) {
        if (index->squares[r] & row->other)
            continue;
        const char *why = objection(row->codes[entry - row->first_entry], 0, group->won[r], true);
        if (why)
            nk_first_failure_disagree(&group->findings->failure, index, entry, why);
        entry++;
    }
    memset(row->codes, 0, index->per_orbit);
}

/* Gives the best moves where the rules and not the moves decide: the value of a draw where there is no legal move; and
 * that of a win in one ply where the mover has already won, whose code is that of a win too. */
static void decide_by_rules(const struct nk_group *group, const struct row rows[])
{
    const struct nk_index *index = group->index;
    for (uint32_t r = 0; r < index->configurations; r++) {
        const uint64_t mover = index->squares[r];
        const uint64_t neighbours = nk_rules_neighbours(&index->rules, mover);
        if (!group->won[r] && __builtin_popcountll(neighbours) > index->rules.board.pieces)
            continue; /* the other side cannot occupy all of them */
        for (uint32_t o = 0; o < group->count; o++) {
            const uint32_t positions = mover & rows[o].other || rows[o].other_won ? 0 : rows[o].size;
            if (group->won[r]) {
                group->best[r].orbit[o] = UINT8_MAX;
                group->findings->illegal += positions;
            } else if (!(neighbours & ~rows[o].other)) {
                group->best[r].orbit[o] = NK_VALUE_DRAW;
                group->findings->stalemates += positions;
            }
        }
    }
}

/* Records the first disagreement of the next `count` codes of a row, of which the kernel has found one. */
static void find_wrong(const struct nk_group *group, const struct row *row, const uint8_t *best,
                       uint32_t count)
{
    const struct nk_index *index = group->index;
    const uint64_t first = row->first_entry + (uint64_t)(row->next - row->codes);
    /* Unless it is found, the kernel or this function is wrong: the table is not proved. */
    const char *why = "two comparisons of this value, or of a later one, disagree";
    uint64_t entry = first;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t code = row->next[i];
        const char *reason = NULL;
        if (group->phase == NK_MEASURE)
            reason = objection(code, best[i],
                               nk_rules_won(&index->rules, nk_index_position(index, first + i).mover), false);
        else if (code >= NK_CODE_LOSS && best[i] + 1 != code)
            reason = "marked a loss in another number of plies than its moves lead to";
        if (reason) {
            entry = first + i;
            why = reason;
            break;
        }
    }
    nk_first_failure_disagree(&group->findings->failure, index, entry, why);
}

/* Checks the next codes of row o, those of the configurations from `first` to before `end`, with their best moves. */
static void check_part(const struct nk_group *group, uint32_t o, struct row *row, uint32_t first,
                       uint32_t end)
{
    uint8_t best[PART + 1];
    uint32_t count = 0;
    for (uint32_t r = first; r < end; r++) {
        best[count] = group->best[r].orbit[o]; /* overwritten by the next one if it is not an entry */
        count += !(group->index->squares[r] & row->other);
    }
    const bool is_right = group->phase == NK_MEASURE ? group->kernel->measure(row->next, best, count)
                                                     : group->kernel->check(row->next, best, count);
    if (!is_right)
        find_wrong(group, row, best, count);
    row->next += count;
}

static void check_rows(const struct nk_group *group, struct row rows[])
{
    const uint32_t configurations = group->index->configurations;
    for (uint32_t first = 0; first < configurations; first += PART) {
        const uint32_t left = configurations - first, end = first + (left < PART ? left : PART);
        for (uint32_t o = 0; o < group->count; o++)
            if (!rows[o].other_won)
                check_part(group, o, &rows[o], first, end);
    }
    for (uint32_t o = 0; group->phase == NK_MEASURE && o < group->count; o++)
        if (rows[o].other_won)
            check_ends(group, &rows[o]);
}

/* Adds the bytes of all rows to the numbers of positions. */
static void count_positions(const struct nk_group *group, uint64_t counts[UINT8_MAX + 1])
{
    for (uint32_t o = 0; o < group->count; o++) {
        uint32_t in_row[UINT8_MAX + 1];
        nk_count_codes(group->codes[o], group->index->per_orbit, in_row);
        for (int byte = 0; byte <= UINT8_MAX; byte++)
            counts[byte] += (uint64_t)in_row[byte] * group->index->orbits[group->first + o].size;
    }
}

void nk_group_check(const struct nk_group *group)
{
    const struct nk_index *index = group->index;
    struct row rows[NK_VERIFY_GROUP];
    uint64_t others[NK_VERIFY_GROUP] = {0};
    for (uint32_t o = 0; o < group->count; o++) {
        const struct nk_orbit *orbit = &index->orbits[group->first + o];
        others[o] = nk_index_canonical_squares(index, group->first + o);
        rows[o] = (struct row){.first_entry = (uint64_t)(group->first + o) * index->per_orbit,
                               .other = others[o],
                               .other_won = group->won[nk_index_canonical(index, group->first + o)],
                               .size = orbit->size,
                               .codes = group->codes[o],
                               .next = group->codes[o]};
    }
    group->kernel->best_moves(index, others, group->after, group->best);
    if (group->phase == NK_MEASURE) {
        count_positions(group, group->findings->codes);
        decide_by_rules(group, rows);
    }
    check_rows(group, rows);
    if (group->phase == NK_MEASURE)
        count_positions(group, group->findings->nearest);
}

/* ---- stored rows ---- */

static bool is_in_file(const struct nk_stored_rows *rows)
{
    return NK_HAS_FILES && rows->file >= 0;
}

uint64_t nk_stored_rows_memory(const struct nk_index *index)
{
    return index->orbit_count * sizeof(struct nk_stored_row) + index->entries / 5 * 2;
}

enum nk_status nk_stored_rows_open(struct nk_stored_rows *rows, const struct nk_index *index,
                                   const char *path, struct nk_error *error)
{
    *rows = (struct nk_stored_rows){.index = index, .file = -1};
    if (NK_HAS_FILES && path && (rows->file = nk_system_create_unnamed(path)) < 0)
        return nk_fail(error, NK_E_WRITE, 0,
                       "cannot create a temporary file in the directory of " NK_PATH ": %s", NK_PATH_OF(path),
                       nk_system_error(errno).s);
    rows->rows = calloc(index->orbit_count, sizeof *rows->rows);
    return rows->rows ? NK_OK : nk_fail_memory(error);
}

void nk_stored_rows_close(struct nk_stored_rows *rows)
{
    for (uint32_t orbit = 0; rows->rows && orbit < rows->index->orbit_count; orbit++)
        free(rows->rows[orbit].bytes);
    free(rows->rows);
    if (is_in_file(rows))
        close(rows->file);
    *rows = (struct nk_stored_rows){.file = -1};
}

enum nk_status nk_stored_rows_put(struct nk_stored_rows *rows, uint32_t orbit, const uint8_t *row,
                                  uint8_t *packed, struct nk_error *error)
{
    const size_t length = nk_pack(row, rows->index->per_orbit, packed);
    if (is_in_file(rows)) {
        const uint64_t offset = atomic_fetch_add(&rows->end, length);
        rows->rows[orbit] = (struct nk_stored_row){.offset = offset, .length = length};
        if (nk_file_write_at(rows->file, packed, length, offset))
            return NK_OK;
        return nk_fail(error, NK_E_WRITE, 0, "cannot write the temporary file of the verification: %s",
                       nk_system_error(errno).s);
    }
    uint8_t *bytes = malloc(length);
    if (!bytes)
        return nk_fail_memory(error);
    memcpy(bytes, packed, length);
    rows->rows[orbit] = (struct nk_stored_row){.bytes = bytes, .length = length};
    return NK_OK;
}

enum nk_status nk_stored_rows_get(const struct nk_stored_rows *rows, uint32_t orbit, uint8_t *row,
                                  uint8_t *packed, struct nk_error *error)
{
    const struct nk_stored_row *stored = &rows->rows[orbit];
    if (is_in_file(rows) && !nk_file_read_at(rows->file, packed, stored->length, stored->offset))
        return nk_fail(error, NK_E_READ, 0, "cannot read the temporary file of the verification: %s",
                       errno ? nk_system_error(errno).s : "it has become shorter");
    const uint8_t *bytes = is_in_file(rows) ? packed : stored->bytes;
    if (nk_unpack(bytes, stored->length, row, rows->index->per_orbit))
        return NK_OK;
    return nk_fail(error, NK_E_CORRUPT, 0, "the temporary data of the verification are damaged");
}
