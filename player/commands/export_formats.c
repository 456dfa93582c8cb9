/* The formats CSV, JSON Lines and NPY. */

#include "player/commands/export.h"

#include "common/base/strbuf.h"

#include "player/game/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *write_best(const struct nk_rules *rules, const struct nk_listed_position *listed, const char *between,
                 char *out)
{
    const uint64_t taken = listed->position.mover | listed->position.other;
    uint64_t pieces = listed->position.mover;
    bool follows = false;
    for (uint64_t best = listed->best; best; best >>= NK_DIRECTIONS, pieces &= pieces - 1) {
        const int from = nk_first(pieces);
        for (int d = 0; d < NK_DIRECTIONS; d++) {
            if (!(best >> d & 1))
                continue;
            const int to = nk_rules_stop(rules, taken, from, d);
            if (follows)
                out = nk_put_text(out, between);
            out = nk_put_text(out, nk_move_text(rules, (struct nk_move){(uint8_t)from, (uint8_t)to}).s);
            follows = true;
        }
    }
    return out;
}

static char *write_position(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out)
{
    return nk_put_text(out, nk_position_text(rules, listed->position, NK_BLACK).s);
}

/* ---- CSV ---- */

static size_t csv_header(uint64_t count, char *out)
{
    (void)count;
    return (size_t)(nk_put_text(out, "position,side,result,plies,best_moves,trap,symmetric\n") - out);
}

static size_t write_csv(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out)
{
    const bool is_draw = listed->result == NK_DRAW;
    char *end = write_position(rules, listed, out);
    end = nk_put_text(end, ",black,");
    end = nk_put_text(end, nk_result_name((enum nk_result)listed->result));
    *end++ = ',';
    end = is_draw ? end : nk_put_number(end, listed->plies);
    *end++ = ',';
    end = write_best(rules, listed, " ", end);
    *end++ = ',';
    end = is_draw ? nk_put_number(end, listed->trap) : end;
    *end++ = ',';
    end = nk_put_number(end, listed->symmetric);
    *end++ = '\n';
    return (size_t)(end - out);
}

const struct export_format csv_format = {NK_POSITION_ROOM + BEST_TEXT + 40, csv_header, write_csv};

/* ---- JSON Lines ---- */

static size_t jsonl_header(uint64_t count, char *out)
{
    (void)count;
    (void)out;
    return 0;
}

static size_t write_jsonl(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out)
{
    const bool is_draw = listed->result == NK_DRAW;
    char *end = write_position(rules, listed, nk_put_text(out, "{\"position\": \""));
    end = nk_put_text(end, "\", \"side\": \"black\", \"result\": \"");
    end = nk_put_text(end, nk_result_name((enum nk_result)listed->result));
    end = nk_put_text(end, "\", \"plies\": ");
    end = is_draw ? nk_put_text(end, "null") : nk_put_number(end, listed->plies);
    end = nk_put_text(end, listed->best ? ", \"best_moves\": [\"" : ", \"best_moves\": [");
    end = write_best(rules, listed, "\", \"", end);
    end = nk_put_text(end, listed->best ? "\"], \"trap\": " : "], \"trap\": ");
    end = is_draw ? nk_put_number(end, listed->trap) : nk_put_text(end, "null");
    end = nk_put_number(nk_put_text(end, ", \"symmetric\": "), listed->symmetric);
    end = nk_put_text(end, "}\n");
    return (size_t)(end - out);
}

const struct export_format jsonl_format = {NK_POSITION_ROOM + BEST_TEXT + 150, jsonl_header, write_jsonl};

/* ---- NPY, a format of NumPy ---- */

/* The length of what follows it, and a dictionary in the syntax of Python. */
#define NPY_MARK                                                                                \
    "\x93NUMPY\x01\x00\xf6\x00{'descr': [('mover', '<u8'), ('other', '<u8'), ('best', '<u8'), " \
    "('symmetric', '<u4'), ('plies', '<u2'), ('result', '|i1'), ('trap', '|u1')], "             \
    "'fortran_order': False, 'shape': ("
static_assert(HEADER - 10 == 0xf6, "the length in the mark");

enum { NPY_SIZE = 32 };

static size_t npy_header(uint64_t count, char *out)
{
    memset(out, ' ', HEADER);
    memcpy(out, NPY_MARK, sizeof NPY_MARK - 1);
    char *end = out + sizeof NPY_MARK - 1;
    end += snprintf(end, HEADER - sizeof NPY_MARK, "%" PRIu64 ",)}", count);
    *end = ' ';
    out[HEADER - 1] = '\n';
    return HEADER;
}

static size_t write_npy(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out)
{
    uint8_t *bytes = (uint8_t *)out;
    (void)rules;
    nk_put64(bytes, listed->position.mover);
    nk_put64(bytes + 8, listed->position.other);
    nk_put64(bytes + 16, listed->best);
    nk_put32(bytes + 24, listed->symmetric);
    nk_put32(bytes + 28, (uint32_t)listed->plies | (uint32_t)(uint8_t)listed->result << 16 |
                             (uint32_t)listed->trap << 24);
    return NPY_SIZE;
}

const struct export_format npy_format = {NPY_SIZE, npy_header, write_npy};
