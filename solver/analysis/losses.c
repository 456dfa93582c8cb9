/* The record of losses: rows are encoded in few bytes and collected in a section for each slice and ply, in memory or
 * in the storage, and decoded when they are read. */

#include "solver/analysis/losses.h"

#include "common/game/game.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* The most of a row: its gap, its mask, and nine for each word. */
    ROW_BYTES = 5 + 1 + 9 * NK_ROW_WORDS,
    LAST_CODE = UINT8_MAX
};
static_assert((int)ROW_BYTES <= (int)NK_SECTION_PADDING, "decoding may read beyond a section");

void nk_losses_set_error(struct nk_losses *losses, const struct nk_error *error)
{
    if (!atomic_exchange(&losses->has_failed, true))
        losses->error = *error;
}

enum nk_status nk_losses_error(const struct nk_losses *losses, struct nk_error *error)
{
    return atomic_load(&losses->has_failed)
               ? nk_fail(error, losses->error.status, 0, "%s", losses->error.text)
               : NK_OK;
}

/* ---- rows ---- */

/* A section has the positions of one code in one slice: for each row that has some, in ascending order,
 *   gap        from the row before, less 1 (from row -1 for the first one): 7 bits in a byte, the lowest first; all
 *              bytes but the last have their highest bit set
 *   mask       a byte with a bit for each 64-bit word of the row that is not zero
 *   words      for each of them a byte with a bit for each of its bytes that is not zero, and these bytes */

/* Writes at most ROW_BYTES bytes. Returns the end. */
static uint8_t *encode_row(uint8_t *at, uint32_t gap, const nk_row_bits *bits)
{
    static const uint64_t LOW_BITS = 0x7f7f7f7f7f7f7f7f; /* of each byte */
    for (; gap > 127; gap >>= 7)
        *at++ = (uint8_t)(gap | 128);
    *at++ = (uint8_t)gap;
    const uint32_t mask = nk_row_words(bits);
    *at++ = (uint8_t)mask;
    for (uint32_t words = mask; words; words &= words - 1) {
        const uint64_t word = bits->word[nk_first(words)];
        /* The highest bit of each byte that is not zero; and these bits as one byte: 8 b + 7 (8 - b) is 56 + b. */
        const uint64_t nonzero = (((word & LOW_BITS) + LOW_BITS) | word) & ~LOW_BITS;
        *at++ = (uint8_t)((nonzero >> 7) * 0x0102040810204080 >> 56);
        for (uint64_t left = nonzero; left; left &= left - 1)
            *at++ = (uint8_t)(word >> (__builtin_ctzll(left) - 7));
    }
    return at;
}

/* The inverse of encode_row, in two steps: decode_gap adds the gap to *row, and decode_bits reads the rest. They read
 * at most ROW_BYTES bytes. */
static const uint8_t *decode_gap(const uint8_t *at, uint64_t *row)
{
    uint64_t gap = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        gap |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128)
            break;
    }
    *row += gap;
    return at;
}

static const uint8_t *decode_bits(const uint8_t *at, nk_row_bits *bits)
{
    *bits = nk_no_bits;
    for (uint32_t mask = *at++; mask; mask &= mask - 1) {
        uint64_t word = 0;
        for (uint32_t bytes = *at++; bytes; bytes &= bytes - 1)
            word |= (uint64_t)*at++ << 8 * nk_first(bytes);
        bits->word[nk_first(mask)] = word;
    }
    return at;
}

/* ---- sections ---- */

static uint64_t section_at(const struct nk_losses *losses, int code, uint32_t slice)
{
    const int place = code == NK_CODE_DRAW ? 0 : code - NK_CODE_LOSS;
    return (uint64_t)place * losses->slices + slice;
}

/* Encodes the rows of a section into new memory. Returns NULL if there are none, or after a failure. */
static uint8_t *encode(struct nk_losses *losses, const nk_row_bits *rows, const uint8_t *nonempty,
                       size_t *length)
{
    enum { FIRST_ROOM = 1 << 16 };
    struct nk_error error;
    uint8_t *bytes = NULL;
    size_t used = 0, room = 0;
    uint32_t row, next = 0;
    NK_FOR_MARKED(row, nonempty, losses->index->configurations) {
        if (!nk_grow(&bytes, &room, used ? used + ROW_BYTES : FIRST_ROOM, 1)) {
            (void)nk_fail_memory(&error);
            nk_losses_set_error(losses, &error);
            free(bytes);
            return NULL;
        }
        used = (size_t)(encode_row(bytes + used, row - next, &rows[row]) - bytes);
        next = row + 1;
    }
    *length = used;
    return bytes;
}

void nk_losses_append(struct nk_losses *losses, uint8_t code, uint32_t slice, const nk_row_bits *rows,
                      const uint8_t *nonempty)
{
    struct nk_error error;
    size_t length = 0;
    const uint64_t at = section_at(losses, code, slice);
    uint8_t *bytes = encode(losses, rows, nonempty, &length);
    if (!bytes)
        return;
    losses->sections[at] = (struct nk_section){.length = length};
    if (losses->storage) {
        if (losses->storage->write(losses->storage, &losses->sections[at], bytes, &error))
            nk_losses_set_error(losses, &error);
        free(bytes);
    } else {
        uint8_t *fitting = realloc(bytes, length + 1);
        if (fitting)
            bytes = fitting;
        losses->bytes[at] = bytes;
    }
}

/* ---- reading ---- */

/* A section that is being read. */
struct read_section {
    uint8_t code;
    const struct nk_section *section;
    uint8_t *bytes;          /* to be freed, with a storage */
    const uint8_t *at, *end; /* what follows the gap of `row` */
    uint64_t row;            /* the next one; UINT64_MAX after the last one */
};

struct nk_losses_reader {
    const struct nk_losses *losses;
    uint32_t slice;
    int count;
    struct read_section sections[LAST_CODE + 1];
};

static void read_gap(struct read_section *s)
{
    s->row++;
    if (s->at < s->end)
        s->at = decode_gap(s->at, &s->row);
    else
        s->row = UINT64_MAX;
}

/* Visits the rows of a section below `end`. Returns false if the bytes or, for `visit`, the rows cannot be right. */
static bool visit_rows(const struct nk_losses_reader *reader, struct read_section *s, uint32_t end,
                       nk_losses_visit *visit, void *context)
{
    const uint32_t columns = nk_columns_in(reader->losses->index, reader->slice);
    nk_row_bits bits;
    while (s->row < end) {
        s->at = decode_bits(s->at, &bits);
        if (s->at > s->end || nk_row_end(&bits) > columns ||
            !visit(context, s->code, (uint32_t)s->row, &bits))
            return false;
        read_gap(s);
    }
    return s->row == UINT64_MAX || s->row < reader->losses->index->configurations;
}

enum nk_status nk_losses_read_rows(struct nk_losses_reader *reader, uint32_t end, nk_losses_visit *visit,
                                   void *context, struct nk_error *error)
{
    struct nk_storage *storage = reader->losses->storage;
    for (int i = 0; i < reader->count; i++)
        if (!visit_rows(reader, &reader->sections[i], end, visit, context))
            return storage ? storage->damaged(storage, reader->sections[i].section, error)
                           : nk_fail(error, NK_E_CORRUPT, 0, "the losses are damaged in memory");
    return NK_OK;
}

enum nk_status nk_losses_open(const struct nk_losses *losses, uint32_t slice, uint8_t first, uint8_t last,
                              struct nk_losses_reader **out, struct nk_error *error)
{
    struct nk_storage *storage = losses->storage;
    struct nk_losses_reader *reader = malloc(sizeof *reader);
    enum nk_status status = NK_OK;
    if (!reader)
        return nk_fail_memory(error);
    reader->losses = losses;
    reader->slice = slice;
    reader->count = 0;
    for (int code = first; code <= last && !status; code++) {
        const uint64_t at = section_at(losses, code, slice);
        const struct nk_section *section = &losses->sections[at];
        uint8_t *bytes = storage ? NULL : losses->bytes[at];
        if (code == NK_CODE_LOSS || !section->length)
            continue;
        if (storage && (status = storage->read(storage, section, &bytes, error)))
            break;
        struct read_section *s = &reader->sections[reader->count++];
        *s = (struct read_section){(uint8_t)code, section, bytes, bytes, bytes + section->length, UINT64_MAX};
        read_gap(s); /* from row -1 */
    }
    if (status)
        nk_losses_close(reader);
    else
        *out = reader;
    return status;
}

void nk_losses_close(struct nk_losses_reader *reader)
{
    for (int i = 0; reader->losses->storage && i < reader->count; i++)
        free(reader->sections[i].bytes);
    free(reader);
}

enum nk_status nk_losses_read(const struct nk_losses *losses, uint32_t slice, uint8_t first, uint8_t last,
                              nk_losses_visit *visit, void *context, struct nk_error *error)
{
    struct nk_losses_reader *reader;
    enum nk_status status = nk_losses_open(losses, slice, first, last, &reader, error);
    if (status)
        return status;
    status = nk_losses_read_rows(reader, losses->index->configurations, visit, context, error);
    nk_losses_close(reader);
    return status;
}

void nk_losses_release(struct nk_losses *losses, uint32_t slice)
{
    for (uint64_t s = slice; losses->bytes && s < losses->section_count; s += losses->slices) {
        free(losses->bytes[s]);
        losses->bytes[s] = NULL;
    }
}

uint64_t nk_losses_bytes(const struct nk_losses *losses)
{
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < losses->section_count; s++)
        bytes += losses->sections[s].length;
    return bytes;
}

/* ---- the state ---- */

enum nk_status nk_losses_commit(struct nk_losses *losses, const struct nk_losses_state *state,
                                struct nk_error *error)
{
    enum nk_status status = nk_losses_error(losses, error);
    if (!status && losses->storage) {
        const int code = state->is_complete ? NK_CODE_DRAW : nk_loss_to_code(state->ply);
        const bool has_sections = state->is_complete || state->ply % 2 == 0; /* wins are not recorded */
        struct nk_section *sections = has_sections ? &losses->sections[section_at(losses, code, 0)] : NULL;
        status = losses->storage->commit(losses->storage, state, sections, error);
    }
    if (!status)
        losses->state = *state;
    return status;
}

struct nk_summary nk_losses_summary(const struct nk_losses *losses)
{
    const struct nk_losses_state *state = &losses->state;
    struct nk_summary summary = {.placements = losses->index->placements,
                                 .draws = state->draws,
                                 .stalemates = state->stalemates,
                                 .longest = (uint32_t)state->ply};
    for (int ply = 0; ply <= state->ply; ply++)
        *(ply % 2 ? &summary.wins : &summary.losses) += state->by_plies[ply];
    summary.legal = summary.wins + summary.losses + summary.draws;
    return summary;
}

/* ---- creating and freeing ---- */

enum nk_status nk_losses_new(const struct nk_index *index, const struct nk_cluster *cluster,
                             struct nk_storage *storage, struct nk_losses **out, struct nk_error *error)
{
    struct nk_losses *losses = calloc(1, sizeof *losses);
    if (!losses)
        return nk_fail_memory(error);
    losses->index = index;
    losses->cluster = cluster;
    losses->storage = storage;
    losses->slices = nk_slice_count(index);
    losses->section_count = (uint64_t)(LAST_CODE - NK_CODE_LOSS + 1) * losses->slices;
    losses->state.ply = -1;
    losses->sections = calloc((size_t)losses->section_count, sizeof *losses->sections);
    losses->bytes = storage ? NULL : calloc((size_t)losses->section_count, sizeof *losses->bytes);
    enum nk_status status = losses->sections && (losses->bytes || storage) ? NK_OK : nk_fail_memory(error);
    if (!status && storage)
        status = storage->restore(storage, losses, error);
    if (status)
        nk_losses_free(losses);
    else
        *out = losses;
    return status;
}

void nk_losses_free(struct nk_losses *losses)
{
    if (!losses)
        return;
    for (uint64_t s = 0; losses->bytes && s < losses->section_count; s++)
        free(losses->bytes[s]);
    free(losses->bytes);
    free(losses->sections);
    free(losses);
}
