/* neutreeko export: all positions with their results, for other programs. */

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "common/system/system.h"
#include "player/player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Write all positions of the game to a file, each with its result, its distance\n"
                            "and its best moves, and draws with their trap value: how likely a player who\n"
                            "sees seven plies ahead is to lose (in 256ths). Black is to move in all of\n"
                            "them: values do not depend on the colours.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko export -o positions.csv\n"
                            "  neutreeko export --unique --result draw -o draws.csv\n"
                            "  neutreeko export --result loss -o losses.jsonl\n"
                            "  neutreeko export -o positions.npy\n"
                            "  neutreeko export --format jsonl -o - | head -n 3\n";

static const char notes[] = "\n"
                            "A name that ends in .csv, .jsonl, .json or .npy sets the format.\n"
                            "docs/FORMATS.md describes the columns.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure or when there is no such position,\n"
                            "2 for incorrect usage.\n";

static struct {
    int format;
    int result; /* the index of a word of --result, or negative for all */
    bool unique;
} request = {.format = -1, .result = -1};

/* In the order of the words of --format. */
enum { CSV, JSONL, NPY };
static const char *const format_names[] = {"csv", "jsonl", "npy"};

static const struct nk_program_option options[] = {
    NK_HEADING("File options"),
    OUTPUT_OPTION("Write to FILE| or, with -, to standard output"),
    {.name = "format",
     .argument = "csv|jsonl|npy",
     .help = "Set the format|: comma-separated values, a JSON object per line, or an array for NumPy",
     .fallback = "by the name of FILE, else csv",
     .choice = &request.format},
    FORCE_OPTION,
    NK_HEADING("Position options"),
    NK_FLAG("unique", "Write only one position of each set of symmetric positions", &request.unique),
    {.name = "result",
     .argument = "win|loss|draw",
     .help = "Write only the positions with this result",
     .fallback = "all",
     .choice = &request.result},
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION};

/* ---- the formats, whose content docs/FORMATS.md describes ---- */

/* A file consists of positions after a header. */
struct format {
    size_t max_bytes; /* of a position */

    /* Writes the header of a file with this number of positions, on which its length does not depend, to
     * out[HEADER]. Returns its length. */
    size_t (*header)(uint64_t count, char *out);

    /* Writes a position to out[max_bytes]. Returns its length. */
    size_t (*write)(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out);
};
enum { HEADER = 256 };

/* Writes the best moves, "b1-c1 d1-c1", with any text of at most 4 bytes between them. Returns the end. */
enum { BEST_TEXT = NK_MAX_MOVES * (NK_MOVE_ROOM + 4) };
static char *write_best(const struct nk_rules *rules, const struct nk_listed_position *listed,
                        const char *between, char *out)
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

/* CSV */

static size_t csv_header(uint64_t count, char *out)
{
    (void)count;
    return (size_t)(nk_put_text(out, "position,to_move,result,plies,best_moves,trap,symmetric\n") - out);
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

static const struct format csv_format = {NK_POSITION_ROOM + BEST_TEXT + 40, csv_header, write_csv};

/* JSON Lines */

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
    end = nk_put_text(end, "\", \"to_move\": \"black\", \"result\": \"");
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

static const struct format jsonl_format = {NK_POSITION_ROOM + BEST_TEXT + 150, jsonl_header, write_jsonl};

/* NPY, a format of NumPy */

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

static const struct format npy_format = {NPY_SIZE, npy_header, write_npy};

static const struct format *const formats[] = {
    [CSV] = &csv_format, [JSONL] = &jsonl_format, [NPY] = &npy_format};

/* ---- usage ---- */

/* The index of the format that a name ends with, as in "positions.csv", or -1. */
static int format_of_name(const char *name)
{
    static const struct {
        const char *ending;
        int format;
    } known[] = {{".csv", CSV}, {".jsonl", JSONL}, {".json", JSONL}, {".npy", NPY}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof known[0]; i++)
        if (strlen(dot) == strlen(known[i].ending) && nk_has_prefix(dot, known[i].ending, strlen(dot)))
            return known[i].format;
    return -1;
}

/* Sets the format to that of the name, or checks that the name does not have another one. Returns the exit status. */
static int choose_format(void)
{
    const int named = format_of_name(common_options.output);
    if (named >= 0 && request.format >= 0 && named != request.format)
        return nk_usage_error("'%s' is the name of a file in another format than --format %s",
                              nk_quote(common_options.output).s, format_names[request.format]);
    if (named < 0 && request.format < 0 && strchr(nk_system_file_name(common_options.output), '.'))
        return nk_usage_error("'%s' ends like no format: name it .csv, .jsonl or .npy, or add --format",
                              nk_quote(common_options.output).s);
    if (request.format < 0)
        request.format = named < 0 ? CSV : named;
    return EXIT_SUCCESS;
}

static int check(int argc, char **argv)
{
    (void)argc, (void)argv;
    if (!common_options.output)
        return nk_usage_error("missing --output FILE");
    return choose_format();
}

/* ---- positions ---- */

static struct nk_progress shown; /* on a terminal only */

/* The positions of a configuration. */
struct chunk {
    struct nk_listed_position *listed;
    uint32_t count;
    char *bytes; /* the positions in the format */
    size_t length;
    enum nk_status status;
    struct nk_error error;
};

enum { CHUNKS = 64 };

struct export
{
    struct nk_table *table;
    const struct format *format;
    struct nk_writer *writer;
    uint64_t count; /* of the positions written so far */
    uint32_t first; /* the configuration of chunks[0] */
    struct chunk chunks[CHUNKS];
};

/* In the order of the words of --result. */
static const unsigned results[] = {NK_LIST_WINS, NK_LIST_LOSSES, NK_LIST_DRAWS};

/* Fails if the table has no position that is wanted. */
static enum nk_status check_any(const struct nk_table *table, struct nk_error *error)
{
    const struct nk_summary *summary = nk_table_summary(table);
    const uint64_t counts[] = {summary->wins, summary->losses, summary->draws};
    static const char *const names[] = {"won", "lost", "drawn"};
    return request.result < 0 || counts[request.result]
               ? NK_OK
               : nk_fail(error, NK_E_POSITION, 0, "no position of this board is %s", names[request.result]);
}

static void make_chunk(void *context, uint32_t item, int worker)
{
    struct export *export = context;
    struct chunk *chunk = &export->chunks[item];
    const unsigned how = NK_LIST_BEST | (request.unique ? NK_LIST_UNIQUE : 0) |
                         (request.result < 0 ? 0 : results[request.result]);
    (void)worker;
    chunk->length = 0;
    chunk->status = nk_table_positions(export->table, export->first + item, how, chunk->listed, &chunk->count,
                                       &chunk->error);
    for (uint32_t i = 0; !chunk->status && i < chunk->count; i++)
        chunk->length += export->format->write(nk_table_rules(export->table), &chunk->listed[i],
                                               chunk->bytes + chunk->length);
}

static enum nk_status write_chunk(struct export *export, const struct chunk *chunk, struct nk_error *error)
{
    enum nk_status status = chunk->status;
    if (status)
        *error = chunk->error;
    else
        status = nk_writer_append(export->writer, chunk->bytes, chunk->length, error);
    export->count += chunk->count;
    return status;
}

static enum nk_status write_positions(struct export *export, struct nk_error *error)
{
    const uint32_t configurations = nk_table_configurations(export->table);
    enum nk_status status = NK_OK;
    for (; export->first < configurations && !status; export->first += CHUNKS) {
        const uint32_t left = configurations - export->first, count = left < CHUNKS ? left : CHUNKS;
        nk_parallel(nk_system_processors(), count, make_chunk, export);
        for (uint32_t c = 0; c < count && !status; c++)
            status = write_chunk(export, &export->chunks[c], error);
        nk_progress_show(&shown, (double)(export->first + count) / configurations);
    }
    return status;
}

/* ---- files ---- */

static enum nk_status write_file(struct export *export, struct nk_error *error)
{
    char header[HEADER];
    const size_t length = export->format->header(0, header);
    enum nk_status status = nk_writer_append(export->writer, header, length, error);
    if (!status && !(status = write_positions(export, error))) {
        (void)export->format->header(export->count, header);
        status = nk_writer_write_at(export->writer, 0, header, length, error);
    }
    return status;
}

static enum nk_status allocate_chunks(struct export *export, struct nk_error *error)
{
    const uint64_t most =
        nk_table_summary(export->table)->placements / nk_table_configurations(export->table);
    for (int c = 0; c < CHUNKS; c++) {
        struct chunk *chunk = &export->chunks[c];
        chunk->listed = malloc((size_t)most * sizeof *chunk->listed);
        chunk->bytes = malloc((size_t)most * export->format->max_bytes);
        if (!chunk->listed || !chunk->bytes)
            return nk_fail_memory(error);
    }
    return NK_OK;
}

/* Closes the writer, or abandons it. */
static enum nk_status write_export(struct export *export, struct nk_error *error)
{
    enum nk_status status = nk_table_load(export->table, error);
    /* A table that does not fit into memory is read block by block. */
    if (!status || status == NK_E_MEMORY)
        status = allocate_chunks(export, error);
    if (!status)
        status = write_file(export, error);
    if (!status)
        return nk_writer_commit(export->writer, NULL, error);
    nk_writer_abandon(export->writer);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static struct export export;
    struct nk_error error;
    (void)argc, (void)argv;
    export.table = table;
    export.format = formats[request.format];
    begin_progress(&shown, "writing");
    enum nk_status status = check_any(table, &error);
    if (!status)
        status = nk_writer_open(common_options.output, common_options.force, &export.writer, &error);
    if (!status)
        status = write_export(&export, &error);
    nk_progress_clear(&shown);
    for (int c = 0; c < CHUNKS; c++) {
        free(export.chunks[c].listed);
        free(export.chunks[c].bytes);
    }
    if (!status)
        return EXIT_SUCCESS;
    return report_error(&error);
}

const struct command export_command = {
    .line = {"neutreeko export", " [OPTION]... -o FILE", about, options, notes, .operands = 0},
    .check = check,
    .run = run};
