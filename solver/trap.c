#include "solver/trap.h"

#include <stdlib.h>
#include <string.h>

enum { CERTAIN = 1 << 16, SPAN_BITS = 10 };

/* The drawn positions as a graph. */
struct draws {
    const struct nk_index *index;
    const uint8_t *codes;
    uint32_t count;
    uint64_t *entry;      /* [count] ascending */
    uint32_t *span_first; /* the first draw at or after each 2^SPAN_BITS entries, and after the last */
    uint32_t *first;      /* [count + 1] where a draw's drawing moves begin in `to` */
    uint32_t *to;         /* the draws that drawing moves lead to */
    uint8_t *unseen;      /* [count] moves into losses beyond sight */
    uint32_t *chance;     /* [count] U, in units of 1 / CERTAIN */
    uint32_t *best;       /* [count] V */
};

static void list_draws(struct draws *d)
{
    uint32_t n = 0;
    for (uint64_t entry = 0; entry < d->index->entries; entry++) {
        if (entry % (1 << SPAN_BITS) == 0)
            d->span_first[entry >> SPAN_BITS] = n;
        if (d->codes[entry] == NK_CODE_DRAW)
            d->entry[n++] = entry;
    }
    d->span_first[((d->index->entries - 1) >> SPAN_BITS) + 1] = n;
}

/* The number of the draw with this entry. */
static uint32_t draw_at(const struct draws *d, uint64_t entry)
{
    uint32_t low = d->span_first[entry >> SPAN_BITS], high = d->span_first[(entry >> SPAN_BITS) + 1];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (d->entry[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether a won position is won so late that one who sees NK_SIGHT plies, and is to move before it, does not
 * see it. */
static bool is_beyond_sight(const struct draws *d, struct nk_position position)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&d->index->rules, position, moves);
    for (int m = 0; m < count; m++) {
        const uint8_t code = d->codes[nk_index_entry(d->index, nk_position_after(position, moves[m]))];
        if (code >= NK_CODE_LOSS && code <= nk_code_loss(NK_SIGHT - 2))
            return false;
    }
    return true;
}

static bool list_moves(struct draws *d)
{
    size_t used = 0, room = 0;
    for (uint32_t n = 0; n < d->count; n++) {
        struct nk_move moves[NK_MAX_MOVES];
        const struct nk_position position = nk_index_position(d->index, d->entry[n]);
        const int count = nk_position_moves(&d->index->rules, position, moves);
        if (room - used < NK_MAX_MOVES) {
            room = 2 * room + 8 * (size_t)d->count + NK_MAX_MOVES;
            uint32_t *to = realloc(d->to, room * sizeof *to);
            if (!to)
                return false;
            d->to = to;
        }
        d->first[n] = (uint32_t)used;
        for (int m = 0; m < count; m++) {
            const struct nk_position after = nk_position_after(position, moves[m]);
            const uint64_t entry = nk_index_entry(d->index, after);
            if (d->codes[entry] == NK_CODE_DRAW)
                d->to[used++] = draw_at(d, entry);
            else if (is_beyond_sight(d, after))
                d->unseen[n]++;
        }
    }
    d->first[d->count] = (uint32_t)used;
    return true;
}

static void iterate(struct draws *d)
{
    for (uint32_t n = 0; n < d->count; n++) {
        uint32_t best = 0;
        for (uint32_t i = d->first[n]; i < d->first[n + 1]; i++)
            if (d->chance[d->to[i]] > best)
                best = d->chance[d->to[i]];
        d->best[n] = best;
    }
    for (uint32_t n = 0; n < d->count; n++) {
        uint64_t sum = (uint64_t)d->unseen[n] * CERTAIN;
        const uint32_t moves = d->first[n + 1] - d->first[n] + d->unseen[n];
        for (uint32_t i = d->first[n]; i < d->first[n + 1]; i++)
            sum += d->best[d->to[i]];
        d->chance[n] = moves ? (uint32_t)(sum * 15 / 16 / moves) : 0;
    }
}

enum nk_status nk_traps(const struct nk_index *index, const uint8_t *codes, uint8_t **out)
{
    struct draws d = {.index = index, .codes = codes};
    uint64_t count = 0;
    for (uint64_t entry = 0; entry < index->entries; entry++)
        count += codes[entry] == NK_CODE_DRAW;
    *out = NULL;
    if (!count || count > NK_MAX_TRAPS)
        return NK_OK;
    d.count = (uint32_t)count;
    d.entry = malloc(count * sizeof *d.entry);
    d.span_first = malloc((((index->entries - 1) >> SPAN_BITS) + 2) * sizeof *d.span_first);
    d.first = malloc((count + 1) * sizeof *d.first);
    d.unseen = calloc(count, 1);
    d.chance = calloc(count, sizeof *d.chance);
    d.best = malloc(count * sizeof *d.best);
    uint8_t *traps = malloc(count);
    enum nk_status status = NK_E_MEMORY;
    if (!d.entry || !d.span_first || !d.first || !d.unseen || !d.chance || !d.best || !traps)
        goto done;
    list_draws(&d);
    if (!list_moves(&d))
        goto done;
    for (int round = 0; round < NK_TRAP_ROUNDS; round++)
        iterate(&d);
    for (uint32_t n = 0; n < d.count; n++)
        traps[n] = (uint8_t)(d.chance[n] * 256 / CERTAIN); /* the discount keeps it below CERTAIN */
    *out = traps;
    traps = NULL;
    status = NK_OK;
done:
    free(traps);
    free(d.entry);
    free(d.span_first);
    free(d.first);
    free(d.to);
    free(d.unseen);
    free(d.chance);
    free(d.best);
    return status;
}

uint64_t nk_traps_memory(const struct nk_index *index)
{
    const uint64_t draws = index->entries < NK_MAX_TRAPS ? index->entries : NK_MAX_TRAPS;
    return draws * 64;
}
