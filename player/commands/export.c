/* neutreeko export: all positions with their results, for other programs. */

#include "player/commands/export.h"

#include "common/system/parallel.h"
#include "common/system/system.h"
#include "player/commands/common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char about[] = "Write all positions of the game to a file, each with its result, its distance\n"
                            "and its best moves, and draws with their trap value: how likely a player who\n"
                            "sees seven plies ahead is to lose (in 256ths). Black is to move in all of\n"
                            "them: values do not depend on the colours.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko export -o positions.csv\n"
                            "  neutreeko export --unique --draws -o draws.csv\n"
                            "  neutreeko export --losses -o losses.jsonl\n"
                            "  neutreeko export -o positions.db\n"
                            "  neutreeko export --format jsonl -o - | head -n 3\n";

static const char notes[] = "\n"
                            "A name that ends in .csv, .jsonl, .json, .db, .sqlite or .npy sets the format.\n"
                            "Without --wins, --losses and --draws, all of them are written. docs/DATA.md\n"
                            "describes the columns.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

static struct {
    const char *output;
    int format;
    bool unique, wins, losses, draws, force;
} chosen = {.format = -1};

/* In the order of the words of --format. */
enum { CSV, JSONL, SQLITE, NPY };
static const char *const format_names[] = {"csv", "jsonl", "sqlite", "npy"};

static const struct nk_program_option options[] = {
    NK_HEADING("File options"),
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "Write to FILE or, with -, to standard output",
     .text = &chosen.output},
    {.name = "format",
     .argument = "csv|jsonl|sqlite|npy",
     .help =
         "Set the format: comma-separated values, a JSON object per line, an SQLite database, or an array "
         "for NumPy",
     .fallback = "by the name of FILE, else csv",
     .choice = &chosen.format},
    NK_FLAG("force", "Replace FILE if it exists", &chosen.force),
    NK_HEADING("Position options"),
    NK_FLAG("unique", "Write only one position of each set of symmetric positions", &chosen.unique),
    NK_FLAG("wins", "Write the won positions", &chosen.wins),
    NK_FLAG("losses", "Write the lost positions", &chosen.losses),
    NK_FLAG("draws", "Write the drawn positions", &chosen.draws),
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION};

/* A database is not written position by position. */
static const struct export_format *const formats[] = {
    [CSV] = &csv_format, [JSONL] = &jsonl_format, [SQLITE] = NULL, [NPY] = &npy_format};

/* ---- usage ---- */

/* The index of the format that a name ends with, as in "positions.csv", or -1. */
static int format_of_name(const char *name)
{
    static const struct {
        const char *ending;
        int format;
    } known[] = {{".csv", CSV},   {".jsonl", JSONL},   {".json", JSONL},
                 {".db", SQLITE}, {".sqlite", SQLITE}, {".npy", NPY}};
    const char *dot = strrchr(nk_system_file_name(name), '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(dot, known[i].ending) == 0)
            return known[i].format;
    return -1;
}

/* Sets the format to that of the name, or checks that the name does not have another one. Returns the exit status. */
static int choose_format(void)
{
    const int named = format_of_name(chosen.output);
    char quoted[NK_QUOTED_TEXT];
    if (named >= 0 && chosen.format >= 0 && named != chosen.format)
        return nk_usage_error(program, "'%s' is the name of a file in another format than --format %s",
                              nk_quote(chosen.output, quoted), format_names[chosen.format]);
    if (chosen.format < 0)
        chosen.format = named < 0 ? CSV : named;
    return EXIT_SUCCESS;
}

static int check(int argc, char **argv)
{
    (void)argc, (void)argv;
    if (!chosen.output)
        return nk_usage_error(program, "missing --output FILE");
    const int status = choose_format();
    if (status)
        return status;
    if (!chosen.wins && !chosen.losses && !chosen.draws)
        chosen.wins = chosen.losses = chosen.draws = true;
#ifndef NK_SQLITE
    if (!formats[chosen.format]) {
        nk_report(program, "this program was built without SQLite: choose another format, or build it with "
                           "libsqlite3-dev installed");
        return EXIT_FAILURE;
    }
#endif
    return EXIT_SUCCESS;
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
    const struct export_format *format; /* NULL for a database */
    struct nk_writer *writer;
    struct database *database;
    uint64_t count; /* of the positions written so far */
    uint32_t first; /* the configuration of chunks[0] */
    struct chunk chunks[CHUNKS];
};

static bool is_wanted(const struct nk_listed_position *listed)
{
    return listed->result == NK_WIN ? chosen.wins : listed->result == NK_LOSS ? chosen.losses : chosen.draws;
}

static void make_chunk(void *context, uint32_t item, int worker)
{
    struct export *export = context;
    struct chunk *chunk = &export->chunks[item];
    const unsigned how = NK_LIST_BEST | (chosen.unique ? NK_LIST_UNIQUE : 0);
    uint32_t kept = 0;
    (void)worker;
    chunk->length = 0;
    chunk->status = nk_table_positions(export->table, export->first + item, how, chunk->listed, &chunk->count,
                                       &chunk->error);
    if (chunk->status)
        return;
    for (uint32_t i = 0; i < chunk->count; i++)
        if (is_wanted(&chunk->listed[i]))
            chunk->listed[kept++] = chunk->listed[i];
    chunk->count = kept;
    for (uint32_t i = 0; i < kept && export->format; i++)
        chunk->length += export->format->write(nk_table_rules(export->table), &chunk->listed[i],
                                               chunk->bytes + chunk->length);
}

static enum nk_status write_chunk(struct export *export, const struct chunk *chunk, struct nk_error *error)
{
    enum nk_status status = chunk->status;
    if (status)
        *error = chunk->error;
    else if (export->format)
        status = nk_writer_append(export->writer, chunk->bytes, chunk->length, error);
#ifdef NK_SQLITE
    else
        for (uint32_t i = 0; i < chunk->count && !status; i++)
            status = database_add(export->database, &chunk->listed[i], error);
#endif
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
        status = nk_writer_replace(export->writer, 0, header, length, error);
    }
    return status;
}

static enum nk_status write_database(struct export *export, struct nk_error *error)
{
#ifdef NK_SQLITE
    const char *path;
    enum nk_status status = nk_writer_temporary(export->writer, &path, error);
    if (status)
        return status;
    if (!path)
        return nk_fail(error, NK_E_UNSUPPORTED, 0,
                       "a database cannot be written to a device or a pipe: name a regular file");
    status = database_open(path, chosen.output, nk_table_rules(export->table), &export->database, error);
    if (!status && !(status = write_positions(export, error))) {
        nk_progress_stage(&shown, "making indexes");
        nk_progress_show(&shown, 0);
        status = database_finish(export->database, error);
    }
    database_free(export->database);
    return status;
#else
    (void)export;
    return nk_fail(error, NK_E_UNSUPPORTED, 0, "built without SQLite");
#endif
}

static enum nk_status allocate_chunks(struct export *export, struct nk_error *error)
{
    const uint64_t most =
        nk_table_summary(export->table)->placements / nk_table_configurations(export->table);
    for (int c = 0; c < CHUNKS; c++) {
        struct chunk *chunk = &export->chunks[c];
        chunk->listed = malloc((size_t)most * sizeof *chunk->listed);
        chunk->bytes = export->format ? malloc((size_t)most * export->format->max_bytes) : NULL;
        if (!chunk->listed || (export->format && !chunk->bytes))
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
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
        status = export->format ? write_file(export, error) : write_database(export, error);
    if (!status)
        return nk_writer_close(export->writer, NULL, error);
    nk_writer_abandon(export->writer);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    static struct export export;
    struct nk_error error;
    (void)argc, (void)argv;
    export.table = table;
    export.format = formats[chosen.format];
    const struct nk_permission permission = {.force = chosen.force};
    begin_progress(&shown, "writing");
    enum nk_status status = nk_writer_open(chosen.output, &permission, &export.writer, &error);
    if (!status)
        status = write_export(&export, &error);
    nk_progress_clear(&shown);
    for (int c = 0; c < CHUNKS; c++) {
        free(export.chunks[c].listed);
        free(export.chunks[c].bytes);
    }
    if (!status)
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

const struct command export_command = {
    .line = {"neutreeko export", " [OPTION]... -o FILE", about, options, notes, .operands = 0},
    .check = check,
    .run = run};
