#include "solver/verify/traps.h"

#include "common/system/parallel.h"
#include "common/table/format.h"
#include "solver/base/memory.h"
#include "solver/base/trap_values.h"
#include "solver/verify/errors.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CERTAIN = 1 << 16,  /* probability 1 */
    CHUNK = 256,        /* draws of an item of work */
    FEW_DRAWS = 1 << 16 /* for fewer, a round takes less time than starting threads */
};

/* 64 configurations of the mover against the canonical one of an orbit: a bit for each, also where they overlap. */
struct word {
    uint64_t draws;  /* whether it is a draw */
    uint64_t unseen; /* whether it is a win that a player who could lead the opponent there would not see */
    uint32_t before; /* the draws in earlier words */
};

/* A drawing move that is not the first one of its draw. */
struct drawing_move {
    uint32_t from : 8; /* the draw, counted from the first one of its chunk */
    uint32_t to : 24;  /* the draw that the move leads to */
};
static_assert(CHUNK <= 1 << 8 && NK_MAX_TRAPS <= 1 << 24, "what the numbers of a move can hold");

struct moves {
    struct drawing_move *begin, *end;
};

struct nk_trap_check {
    struct nk_memory memory; /* of all arrays but the moves */
    const struct nk_index *index;
    struct word *words; /* [orbits][words_per_orbit] */

    /* Draws are numbered in the order of the entries. */
    uint32_t count;
    uint32_t *orbit, *mover; /* [count] the position, as an orbit and the number of a configuration */
    float *share;    /* [count] 1 / the number of its moves that the player may choose; 1 if it has none */
    uint8_t *unseen; /* [count] the number of those into losses */
    uint32_t *successor;     /* [count] the draw after the first drawing move; itself if it has none */
    struct moves *moves;     /* [chunks] the other drawing moves, by the draw */
    uint16_t *loss_chance;   /* [count] U, in units of 1 / CERTAIN */
    uint16_t *reply_chance;  /* [count] V */
    atomic_bool has_changed; /* in the last round */
    atomic_bool out_of_memory;
};

static uint64_t words_per_orbit(const struct nk_index *index)
{
    return (index->configurations + 63) / 64;
}

static uint64_t words_of(const struct nk_index *index)
{
    return index->orbit_count * words_per_orbit(index);
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

static void list_words(struct nk_trap_check *check)
{
    const uint64_t words = has_traps(check->index) ? words_of(check->index) : 0;
    nk_memory_list(&check->memory, &check->words, words, sizeof *check->words);
}

static void list_draws(struct nk_trap_check *check)
{
    const uint64_t count = check->count;
    nk_memory_list(&check->memory, &check->orbit, count, sizeof *check->orbit);
    nk_memory_list(&check->memory, &check->mover, count, sizeof *check->mover);
    nk_memory_list(&check->memory, &check->share, count, sizeof *check->share);
    nk_memory_list(&check->memory, &check->unseen, count, sizeof *check->unseen);
    nk_memory_list(&check->memory, &check->successor, count, sizeof *check->successor);
    nk_memory_list(&check->memory, &check->moves, chunks_of(check), sizeof *check->moves);
    nk_memory_list(&check->memory, &check->loss_chance, count, sizeof *check->loss_chance);
    nk_memory_list(&check->memory, &check->reply_chance, count, sizeof *check->reply_chance);
}

uint64_t nk_trap_check_adding_memory(const struct nk_index *index)
{
    struct nk_trap_check check = {.index = index};
    list_words(&check);
    return check.memory.bytes;
}

uint64_t nk_trap_check_memory(const struct nk_index *index, uint64_t draws)
{
    struct nk_trap_check check = {.index = index};
    const uint64_t counted = has_traps(index) && draws <= NK_MAX_TRAPS ? draws : 0;
    check.count = (uint32_t)counted;
    list_words(&check);
    list_draws(&check);
    const uint64_t moves = nk_traps_usual_moves(index, counted) - counted; /* without the first ones */
    return check.memory.bytes + counted /* the values of the table */ + moves * sizeof(struct drawing_move);
}

enum nk_status nk_trap_check_new(const struct nk_index *index, struct nk_trap_check **out,
                                 struct nk_error *error)
{
    struct nk_trap_check *check = calloc(1, sizeof *check);
    *out = check;
    if (!check)
        return nk_fail_memory(error);
    check->index = index;
    list_words(check);
    return nk_memory_allocate(&check->memory) ? NK_OK : nk_fail_memory(error);
}

void nk_trap_check_free(struct nk_trap_check *check)
{
    if (!check)
        return;
    for (uint32_t chunk = 0; check->moves && chunk < chunks_of(check); chunk++)
        free(check->moves[chunk].begin);
    nk_memory_free(&check->memory);
    free(check);
}

/* ---- draws and their moves ---- */

/* The greatest code of the nearest loss after a win of the opponent with which a player who can move to that win sees
 * that this loses: the opponent's winning move and the one to its position are two plies more. */
enum { SEEN = NK_CODE_LOSS + (NK_SIGHT - 2) / 2 };

/* What an entry is. */
enum { IS_DRAW = 1, IS_UNSEEN = 2 };

/* Fills kinds[], of neighbouring entries. */
static void find_kinds(const uint8_t *restrict codes, const uint8_t *restrict nearest, uint32_t count,
                       uint8_t *restrict kinds)
{
    for (uint32_t i = 0; i < count; i++)
        kinds[i] = (codes[i] == NK_CODE_DRAW ? IS_DRAW : 0) | (nearest[i] > SEEN ? IS_UNSEEN : 0);
}

/* A bit for each byte: whether it has the bit `kind`. */
static uint64_t collect(const uint8_t kinds[64], int kind)
{
    uint64_t bits = 0;
    for (int first = 0; first < 64; first += 8) {
        uint64_t eight = 0;
        for (int i = 0; i < 8; i++)
            eight |= (uint64_t)kinds[first + i] << 8 * i;
        /* The product has the lowest bit of byte i at 56 + i. No two of its terms have the same bit, so there is no
         * carry. */
        bits |= ((eight / (unsigned)kind & 0x0101010101010101) * 0x0102040810204080 >> 56) << first;
    }
    return bits;
}

void nk_trap_check_add(struct nk_trap_check *check, uint32_t orbit, const uint8_t *codes,
                       const uint8_t *nearest)
{
    const struct nk_index *index = check->index;
    const uint64_t other = nk_index_canonical_squares(index, orbit);
    if (!has_traps(index))
        return;
    struct word *word = check->words + orbit * words_per_orbit(index);
    uint32_t entry = 0;
    for (uint32_t first = 0; first < index->configurations; first += 64, word++) {
        const uint32_t left = index->configurations - first, count = left < 64 ? left : 64;
        const uint32_t entries = index->per_orbit - entry;
        uint8_t next[65] = {0}, kinds[64] = {0};
        find_kinds(codes + entry, nearest + entry, entries < 64 ? entries : 64, next);
        const uint8_t *kind = next;
        for (uint32_t i = 0; i < count; i++) {
            /* No branches: which configurations overlap is irregular. */
            const bool is_entry = !(index->squares[first + i] & other);
            kinds[i] = (uint8_t)(*kind & -(unsigned)is_entry);
            kind += is_entry;
        }
        entry += (uint32_t)(kind - next);
        word->draws = collect(kinds, IS_DRAW);
        word->unseen = collect(kinds, IS_UNSEEN);
    }
}

/* Numbers the draws. Returns false if a table of this board has no trap values. */
static bool count_draws(struct nk_trap_check *check)
{
    uint64_t count = 0;
    if (!has_traps(check->index))
        return false;
    for (uint64_t word = 0; word < words_of(check->index); word++) {
        check->words[word].before = (uint32_t)count;
        count += (uint64_t)__builtin_popcountll(check->words[word].draws);
    }
    if (!count || count > NK_MAX_TRAPS)
        return false;
    check->count = (uint32_t)count;
    return true;
}

static void find_draws(struct nk_trap_check *check)
{
    const struct word *word = check->words;
    uint32_t draw = 0;
    for (uint32_t orbit = 0; orbit < check->index->orbit_count; orbit++)
        for (uint32_t first = 0; first < check->index->configurations; first += 64, word++)
            for (uint64_t left = word->draws; left; left &= left - 1, draw++) {
                check->orbit[draw] = orbit;
                check->mover[draw] = first + (uint32_t)nk_first(left);
            }
}

static struct nk_position position_of(const struct nk_trap_check *check, uint32_t draw)
{
    return (struct nk_position){check->index->squares[check->mover[draw]],
                                nk_index_canonical_squares(check->index, check->orbit[draw])};
}

/* One bit of a word. */
struct place {
    const struct word *word;
    uint64_t bit;
};

/* The place of the position after a move, as nk_index_entry finds its entry: there the moved side has the canonical
 * configuration of its orbit, and the mover one of images[], those of its configuration before the move. */
static struct place place_after(const struct nk_trap_check *check, struct nk_position position,
                                struct nk_move move, const uint32_t images[])
{
    const struct nk_index *index = check->index;
    const uint32_t moved = nk_index_number(index, nk_position_after(position, move).other);
    const uint32_t image = images[index->to_canonical[moved]];
    const uint64_t word = index->orbit_of[moved] * words_per_orbit(index) + image / 64;
    return (struct place){&check->words[word], nk_bit((int)(image % 64))};
}

/* The number of the draw at a place. */
static uint32_t draw_at(struct place place)
{
    const uint64_t lower = place.word->draws & (place.bit - 1);
    return place.word->before + (uint32_t)__builtin_popcountll(lower);
}

/* Counts the moves of a draw, and adds its drawing moves but the first to `moves`. Returns their new end. */
static struct drawing_move *list_moves_of(struct nk_trap_check *check, uint32_t draw,
                                          struct drawing_move *moves)
{
    enum { NUMBERS = (1 << 24) - 1 };
    const struct nk_position position = position_of(check, draw);
    const uint32_t *images = check->index->orbits[check->orbit[draw]].images;
    struct nk_move all[NK_MAX_MOVES];
    struct place draws[NK_MAX_MOVES + 1], *end = draws;
    const int count = nk_position_moves(&check->index->rules, position, all);
    int unseen = 0;
    for (int m = 0; m < count; m++) {
        /* Overwritten by the next one if it is not a draw: faster than a branch, which could not be predicted. */
        *end = place_after(check, position, all[m], images);
        unseen += (end->word->unseen & end->bit) != 0;
        end += (end->word->draws & end->bit) != 0;
    }
    const int choices = unseen + (int)(end - draws);
    check->share[draw] = 1 / (float)(choices ? choices : 1); /* then the sum is 0 */
    check->unseen[draw] = (uint8_t)unseen;
    /* Its own values stay 0 where there is no legal move. */
    check->successor[draw] = end > draws ? draw_at(draws[0]) : draw;
    for (const struct place *place = draws + 1; place < end; place++)
        *moves++ = (struct drawing_move){draw % CHUNK, draw_at(*place) & NUMBERS};
    return moves;
}

/* The number of draws in a chunk. */
static uint32_t draws_in(const struct nk_trap_check *check, uint32_t chunk)
{
    const uint32_t left = check->count - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static void list_moves(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    struct moves *moves = &check->moves[chunk];
    (void)worker;
    moves->begin = malloc((size_t)CHUNK * NK_MAX_MOVES * sizeof *moves->begin);
    if (!moves->begin) {
        check->out_of_memory = true;
        return;
    }
    moves->end = moves->begin;
    for (uint32_t i = 0; i < draws_in(check, chunk); i++)
        moves->end = list_moves_of(check, chunk * CHUNK + i, moves->end);
    const size_t count = (size_t)(moves->end - moves->begin);
    struct drawing_move *shrunk = realloc(moves->begin, (count + 1) * sizeof *shrunk);
    if (shrunk)
        moves->begin = shrunk;
    moves->end = moves->begin + count;
}

/* ---- values ---- */

/* V(p): the greatest U(q) of the draws q that the moves of the perfect player lead to. */
static void find_reply_chances(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    const struct moves *moves = &check->moves[chunk];
    const size_t first = (size_t)chunk * CHUNK;
    uint16_t *greatest = check->reply_chance + first;
    (void)worker;
    for (uint32_t i = 0; i < draws_in(check, chunk); i++)
        greatest[i] = check->loss_chance[check->successor[first + i]];
    for (const struct drawing_move *move = moves->begin; move < moves->end; move++) {
        const uint16_t chance = check->loss_chance[move->to];
        greatest[move->from] = chance > greatest[move->from] ? chance : greatest[move->from];
    }
}

static_assert(CERTAIN * NK_MAX_MOVES < 1 << 22,
              "the sums of probabilities for which floats are precise enough");

/* U(q): the discounted mean over the moves that the imperfect player may choose, of V(p) and of certain losses. */
static void find_loss_chances(void *context, uint32_t chunk, int worker)
{
    struct nk_trap_check *check = context;
    const struct moves *moves = &check->moves[chunk];
    const uint32_t count = draws_in(check, chunk);
    const size_t first = (size_t)chunk * CHUNK;
    const uint8_t *unseen = check->unseen + first;
    const float *share = check->share + first;
    uint16_t *loss_chance = check->loss_chance + first;
    uint32_t sum[CHUNK], changed = 0;
    (void)worker;
    for (uint32_t i = 0; i < count; i++)
        sum[i] = (uint32_t)unseen[i] * CERTAIN + check->reply_chance[check->successor[first + i]];
    for (const struct drawing_move *move = moves->begin; move < moves->end; move++)
        sum[move->from] += check->reply_chance[move->to];
    for (uint32_t i = 0; i < count; i++) {
        /* Multiplied as floats, which vectors do fastest. The sum plus 1/2 is exact, and its quotient q by n < 64 moves
         * is below 2^16. So the product is less than 2^-7 from q, and q is at least 1/2n from the integers. */
        const int chance = (int)(((float)(int)(sum[i] * 15 / 16) + 0.5F) * share[i]);
        changed |= (uint32_t)chance ^ loss_chance[i];
        loss_chance[i] = (uint16_t)chance;
    }
    if (changed)
        check->has_changed = true;
}

static enum nk_status compute(struct nk_trap_check *check, int threads, struct nk_error *error)
{
    const uint32_t chunks = chunks_of(check);
    list_draws(check);
    if (!nk_memory_allocate(&check->memory))
        return nk_fail_memory(error);
    find_draws(check);
    nk_parallel(threads, chunks, list_moves, check);
    if (check->out_of_memory)
        return nk_fail_memory(error);
    if (check->count < FEW_DRAWS)
        threads = 1;
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
        return nk_fail_memory(error);
    status = nk_table_traps(table, values, error);
    for (uint32_t draw = 0; draw < check->count && !status; draw++)
        if (values[draw] != check->loss_chance[draw] / (CERTAIN / 256))
            status = nk_verify_disagree(check->index, nk_index_entry(check->index, position_of(check, draw)),
                                        "the trap value does not follow from the table", error);
    free(values);
    return status;
}
