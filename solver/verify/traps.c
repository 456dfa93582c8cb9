#include "solver/verify/traps.h"

#include "common/system/parallel.h"
#include "common/table/format.h"
#include "solver/base/memory.h"
#include "solver/base/trap_values.h"
#include "solver/verify/claims.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    CERTAIN = 1 << 16, /* probability 1 */
    CHUNK = 256        /* draws of an item of work */
};

struct nk_trap_check {
    struct nk_memory memory; /* of all arrays but the elements of `to` */
    const struct nk_index *index;
    uint64_t added; /* entries */
    /* A bit for each entry: whether it is a draw; whether it is a win that a player who could lead the opponent there
     * would see. */
    uint64_t *is_draw, *is_seen;
    uint32_t *before; /* [words of is_draw] the draws in earlier words */

    /* Draws are numbered in the order of the entries. */
    uint32_t count;
    uint32_t *entry;         /* [count] */
    uint8_t *drawing;        /* [count] the number of its drawing moves */
    uint8_t *unseen;         /* [count] the number of its moves into losses that the player does not see */
    uint32_t **to;           /* [chunks] the draws that the drawing moves of the chunk's draws lead to */
    uint16_t *loss_chance;   /* [count] U, in units of 1 / CERTAIN */
    uint16_t *reply_chance;  /* [count] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
};

static uint64_t words_of(const struct nk_index *index)
{
    return index->entries / 64 + 1;
}

static uint32_t chunks_of(const struct nk_trap_check *check)
{
    return (check->count + CHUNK - 1) / CHUNK;
}

/* ---- memory ---- */

static bool has_traps(const struct nk_index *index)
{
    return index->entries <= NK_MAX_TRAP_ENTRIES;
}

static void list_bits(struct nk_trap_check *check)
{
    const uint64_t words = has_traps(check->index) ? words_of(check->index) : 0;
    nk_memory_list(&check->memory, &check->is_draw, words, sizeof *check->is_draw);
    nk_memory_list(&check->memory, &check->is_seen, words, sizeof *check->is_seen);
    nk_memory_list(&check->memory, &check->before, words, sizeof *check->before);
}

static void list_draws(struct nk_trap_check *check)
{
    const uint64_t count = check->count;
    nk_memory_list(&check->memory, &check->entry, count, sizeof *check->entry);
    nk_memory_list(&check->memory, &check->drawing, count, sizeof *check->drawing);
    nk_memory_list(&check->memory, &check->unseen, count, sizeof *check->unseen);
    nk_memory_list(&check->memory, &check->to, chunks_of(check), sizeof *check->to);
    nk_memory_list(&check->memory, &check->loss_chance, count, sizeof *check->loss_chance);
    nk_memory_list(&check->memory, &check->reply_chance, count, sizeof *check->reply_chance);
}

uint64_t nk_trap_check_adding_memory(const struct nk_index *index)
{
    struct nk_trap_check check = {.index = index};
    list_bits(&check);
    return check.memory.bytes;
}

uint64_t nk_trap_check_memory(const struct nk_index *index, uint64_t draws)
{
    struct nk_trap_check check = {.index = index};
    const uint64_t counted = has_traps(index) && draws <= NK_MAX_TRAPS ? draws : 0;
    check.count = (uint32_t)counted;
    list_bits(&check);
    list_draws(&check);
    /* The values of the table, and the moves. */
    return check.memory.bytes + counted + nk_traps_usual_moves(index, counted) * sizeof(uint32_t);
}

enum nk_status nk_trap_check_new(const struct nk_index *index, struct nk_trap_check **out,
                                 struct nk_error *error)
{
    struct nk_trap_check *check = calloc(1, sizeof *check);
    *out = check;
    if (!check)
        return nk_verify_no_memory(error);
    check->index = index;
    list_bits(check);
    return nk_memory_allocate(&check->memory) ? NK_OK : nk_verify_no_memory(error);
}

void nk_trap_check_free(struct nk_trap_check *check)
{
    if (!check)
        return;
    for (uint32_t chunk = 0; check->to && chunk < chunks_of(check); chunk++)
        free(check->to[chunk]);
    nk_memory_free(&check->memory);
    free(check);
}

/* ---- draws and their moves ---- */

/* Whether a player who can move to a win of the opponent, given the code of the nearest loss after that, sees that this
 * loses: the opponent's winning move and the one to its position are two plies more. */
static bool is_near(uint8_t nearest)
{
    return nearest >= NK_CODE_LOSS && 2 * (nearest - NK_CODE_LOSS) + 2 <= NK_SIGHT;
}

void nk_trap_check_add(struct nk_trap_check *check, const uint8_t *codes, const uint8_t *nearest,
                       uint64_t count)
{
    if (!has_traps(check->index))
        return;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t entry = check->added + i;
        check->is_draw[entry / 64] |= (uint64_t)(codes[i] == NK_CODE_DRAW) << entry % 64;
        check->is_seen[entry / 64] |= (uint64_t)is_near(nearest[i]) << entry % 64;
    }
    check->added += count;
}

static bool has_bit(const uint64_t *bits, uint64_t entry)
{
    return bits[entry / 64] >> entry % 64 & 1;
}

/* The number of the draw at an entry. */
static uint32_t draw_at(const struct nk_trap_check *check, uint64_t entry)
{
    const uint64_t lower = check->is_draw[entry / 64] & (nk_bit((int)(entry % 64)) - 1);
    return check->before[entry / 64] + (uint32_t)__builtin_popcountll(lower);
}

/* Numbers the draws. Returns false if a table of this board has no trap values. */
static bool count_draws(struct nk_trap_check *check)
{
    uint64_t count = 0;
    if (!has_traps(check->index))
        return false;
    for (uint64_t word = 0; word < words_of(check->index); word++) {
        check->before[word] = (uint32_t)count;
        count += (uint64_t)__builtin_popcountll(check->is_draw[word]);
    }
    if (!count || count > NK_MAX_TRAPS)
        return false;
    check->count = (uint32_t)count;
    return true;
}

static void find_entries(struct nk_trap_check *check)
{
    uint32_t draw = 0;
    for (uint64_t word = 0; word < words_of(check->index); word++)
        for (uint64_t left = check->is_draw[word]; left; left &= left - 1)
            check->entry[draw++] = (uint32_t)(word * 64 + (uint64_t)nk_first(left));
}

/* Counts the moves of a draw, and adds those that draw to `to`. Returns its new end. */
static uint32_t *list_moves_of(struct nk_trap_check *check, uint32_t draw, uint32_t *to)
{
    const struct nk_index *index = check->index;
    const struct nk_position position = nk_index_position(index, check->entry[draw]);
    const uint32_t *const begin = to;
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&index->rules, position, moves);
    for (int m = 0; m < count; m++) {
        const uint64_t entry = nk_index_entry(index, nk_position_after(position, moves[m]));
        if (has_bit(check->is_draw, entry))
            *to++ = draw_at(check, entry);
        else if (!has_bit(check->is_seen, entry))
            check->unseen[draw]++;
    }
    check->drawing[draw] = (uint8_t)(to - begin);
    return to;
}

/* The end of a chunk of draws. */
static uint32_t end_of(const struct nk_trap_check *check, uint32_t chunk)
{
    const uint32_t first = chunk * CHUNK, left = check->count - first;
    return first + (left < CHUNK ? left : CHUNK);
}

static void list_moves(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    uint32_t *const to = malloc((size_t)CHUNK * NK_MAX_MOVES * sizeof *to), *at = to;
    (void)worker;
    if (!to) {
        check->out_of_memory = true;
        return;
    }
    for (uint32_t draw = chunk * CHUNK; draw < end_of(check, chunk); draw++)
        at = list_moves_of(check, draw, at);
    uint32_t *shrunk = realloc(to, ((size_t)(at - to) + 1) * sizeof *to);
    check->to[chunk] = shrunk ? shrunk : to;
}

/* ---- values ---- */

/* V(p): the greatest U(q) of the draws q that the moves of the perfect player lead to. */
static void find_reply_chances(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    const uint32_t *to = check->to[chunk];
    (void)worker;
    for (uint32_t draw = chunk * CHUNK; draw < end_of(check, chunk); draw++) {
        uint16_t greatest = 0;
        for (int m = 0; m < check->drawing[draw]; m++, to++)
            greatest = check->loss_chance[*to] > greatest ? check->loss_chance[*to] : greatest;
        check->reply_chance[draw] = greatest;
    }
}

/* U(q): the discounted mean over the moves that the imperfect player may choose, of V(p) and of certain losses. */
static void find_loss_chances(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    const uint32_t *to = check->to[chunk];
    (void)worker;
    for (uint32_t draw = chunk * CHUNK; draw < end_of(check, chunk); draw++) {
        const uint32_t choices = (uint32_t)check->drawing[draw] + check->unseen[draw];
        uint32_t sum = (uint32_t)check->unseen[draw] * CERTAIN;
        for (int m = 0; m < check->drawing[draw]; m++)
            sum += check->reply_chance[*to++];
        const uint16_t chance = choices ? (uint16_t)(sum * 15 / 16 / choices) : 0;
        if (chance != check->loss_chance[draw])
            check->has_changed = true;
        check->loss_chance[draw] = chance;
    }
}

static enum nk_status compute(struct nk_trap_check *check, int threads, struct nk_error *error)
{
    const uint32_t chunks = chunks_of(check);
    list_draws(check);
    if (!nk_memory_allocate(&check->memory))
        return nk_verify_no_memory(error);
    find_entries(check);
    nk_parallel(threads, chunks, list_moves, check);
    if (check->out_of_memory)
        return nk_verify_no_memory(error);
    check->has_changed = true;
    for (int round = 0; round < NK_TRAP_ROUNDS && check->has_changed; round++) {
        check->has_changed = false;
        nk_parallel(threads, chunks, find_reply_chances, check);
        nk_parallel(threads, chunks, find_loss_chances, check);
    }
    return NK_OK;
}

enum nk_status nk_trap_check_run(struct nk_trap_check *check, struct nk_table *table, int threads,
                                 struct nk_error *error)
{
    if (!count_draws(check))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       "the table is wrong: it has trap values, but the board has none");
    enum nk_status status = compute(check, threads, error);
    if (status)
        return status;
    uint8_t *values = malloc(check->count);
    if (!values)
        return nk_verify_no_memory(error);
    status = nk_table_traps(table, values, error);
    for (uint32_t draw = 0; draw < check->count && !status; draw++)
        if (values[draw] != check->loss_chance[draw] / (CERTAIN / 256))
            status = nk_verify_disagree(check->index, check->entry[draw],
                                        "the trap value does not follow from the table", error);
    free(values);
    return status;
}
