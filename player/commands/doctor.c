/* neutreeko doctor: which table is used, whether it is intact, and what to do. */

#include "json_keys.h"
#include "player/commands/common.h"

#include "common/base/strbuf.h"
#include "common/table/open.h"
#include "common/table/path.h"
#include "player/terminal/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

static const char about[] = "Print which table neutreeko uses and why, check that it is intact, and print\n"
                            "what to do if there is a problem.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko doctor\n"
                            "  neutreeko doctor --table 7x7.dat\n";

static const char notes[] = "\n"
                            "A table is intact if its checksums are right. 'neutreeko-solve --check FILE'\n"
                            "also verifies every position by the rules.\n"
                            "\n" DOCTOR_JSON_KEYS "\n"
                            "Exit status: 0 if the table is intact, 1 otherwise, 2 for incorrect usage.\n";

static const struct nk_program_option options[] = {
    OUTPUT_OPTIONS, JSON_OPTION("Print one JSON object"), GENERAL_OPTIONS, TABLE_OPTION, NK_LAST_OPTION,
};

struct findings {
    char *places[NK_MAX_TABLE_PATHS];
    size_t count;
    const char *path, *source; /* of the table, or NULL */
    struct nk_table *table;    /* open, or NULL */
    struct nk_file_digest file;
    struct nk_error error; /* error.status is NK_OK if the table is intact */
};

/* Reads the trap values of this many draws. */
static enum nk_status read_traps(struct nk_table *table, uint64_t draws, struct nk_error *error)
{
    uint8_t *traps = draws < SIZE_MAX ? malloc((size_t)draws + 1) : NULL;
    const enum nk_status status = traps ? nk_table_traps(table, traps, error) : nk_fail_memory(error);
    free(traps);
    return status;
}

/* Reads all codes, compares their checksum, and counts the draws. */
static enum nk_status read_codes(struct nk_table *table, struct nk_progress *shown, uint64_t *draws,
                                 struct nk_error *error)
{
    enum { CHUNK = 64 * NK_BLOCK_ENTRIES };
    static uint8_t codes[CHUNK];
    const uint64_t entries = nk_table_index(table)->entries;
    uint64_t chunk;
    enum nk_status status = NK_OK;
    XXH3_state_t *hash = XXH3_createState();
    if (!hash)
        return nk_fail_memory(error);
    (void)XXH3_64bits_reset(hash);
    *draws = 0;
    for (uint64_t first = 0; first < entries && !status; first += chunk) {
        chunk = entries - first < CHUNK ? entries - first : CHUNK;
        status = nk_table_codes(table, first, chunk, codes, error);
        if (!status) {
            (void)XXH3_64bits_update(hash, codes, (size_t)chunk);
            *draws += nk_count_draws(codes, (size_t)chunk);
        }
        nk_progress_show(shown, (double)(first + chunk) / (double)entries);
    }
    if (!status && XXH3_64bits_digest(hash) != nk_table_codes_checksum(table))
        status =
            nk_table_fail(table, NK_E_CORRUPT, "damaged: the checksum of the codes does not match", error);
    (void)XXH3_freeState(hash);
    return status;
}

/* Reads all blocks, each of which has a checksum, as have all codes together. */
static enum nk_status read_blocks(struct nk_table *table, struct nk_error *error)
{
    struct nk_progress shown;
    uint64_t draws;
    begin_progress(&shown, "reading");
    enum nk_status status = read_codes(table, &shown, &draws, error);
    if (!status && nk_table_has_traps(table))
        status = read_traps(table, draws, error);
    nk_progress_clear(&shown);
    return status;
}

static void examine(struct findings *found)
{
    if (nk_table_open_named(found->path, &found->table, &found->error) == NK_OK &&
        nk_table_digest(found->table, &found->file, &found->error) == NK_OK)
        (void)read_blocks(found->table, &found->error);
}

/* ---- text ---- */

enum { LABEL = 15 }; /* columns; what does not fit in the line continues there */

static void print_line(const char *label, const char *text)
{
    terminal_printf(LABEL, "%-*s%s\n", (int)LABEL, label, text);
}

/* A path in the middle of a line. */
static void print_path(const char *label, const char *before, const char *path, const char *after)
{
    struct nk_strbuf line = {NULL, 0, 0};
    nk_strbuf_add_escaped(&line, path);
    line = (struct nk_strbuf){malloc(line.length + 1), line.length + 1, 0};
    if (line.bytes)
        nk_strbuf_add_escaped(&line, path);
    terminal_printf(LABEL, "%-*s%s%s%s\n", (int)LABEL, label, before, line.bytes ? line.bytes : "?", after);
    free(line.bytes);
}

static void print_places(const struct findings *found)
{
    const char *named = nk_table_named();
    print_path("searched", "--table: ", common_options.table ? common_options.table : "not given", "");
    print_path("", NK_TABLE_VARIABLE ": ", named ? named : "not set", "");
    for (size_t i = 0; i < found->count; i++)
        print_path("", "", found->places[i], access(found->places[i], F_OK) ? ": not found" : ": found");
}

static void print_game(const struct findings *found)
{
    print_line("board", nk_board_name(&nk_table_rules(found->table)->board).s);
    print_line("positions", nk_group_digits(nk_table_summary(found->table)->legal).s);
    print_line("file", nk_text_of("%s bytes", nk_group_digits(found->file.bytes).s).s);
}

static void print_findings(const struct findings *found)
{
    print_line("neutreeko", NK_VERSION);
    print_line("zlib", zlibVersion());
    print_places(found);
    print_path("table", "", found->path ? found->path : "none", "");
    if (found->table)
        print_game(found);
    if (found->path && !found->error.status)
        print_line("intact", "yes: all checksums are right");
}

/* ---- JSON ---- */

static void print_findings_json(const struct findings *found)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_begin(json, "programs", '{');
    nk_json_string(json, "neutreeko", NK_VERSION);
    nk_json_string(json, "zlib", zlibVersion());
    nk_json_end(json, '}');
    nk_json_begin(json, "searched", '[');
    for (size_t i = 0; i < found->count; i++) {
        nk_json_begin(json, NULL, '{');
        nk_json_string(json, "path", found->places[i]);
        nk_json_bool(json, "exists", access(found->places[i], F_OK) == 0);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_string(json, "table", found->path);
    nk_json_string(json, "source", found->source);
    if (found->table) {
        nk_json_begin(json, "game", '{');
        nk_json_board(json, &nk_table_rules(found->table)->board);
        nk_json_integer(json, "legal", (int64_t)nk_table_summary(found->table)->legal);
        nk_json_end(json, '}');
        nk_json_integer(json, "bytes", (int64_t)found->file.bytes);
    } else {
        nk_json_null(json, "game");
        nk_json_null(json, "bytes");
    }
    nk_json_bool(json, "intact", found->path && !found->error.status);
    nk_json_string(json, "problem",
                   !found->path          ? "no table was found"
                   : found->error.status ? found->error.text
                                         : NULL);
    char *remedy = table_remedy(found->error.status);
    nk_json_string(json, "remedy", remedy);
    nk_json_end_line(json);
    free(remedy);
}

/* ---- the command ---- */

static int run(struct nk_table *table, int argc, char **argv)
{
    struct findings found = {.source = NULL};
    (void)table, (void)argc, (void)argv;
    found.count = nk_table_default_paths(found.places);
    found.path = find_table(&found.source);
    if (found.path)
        examine(&found);
    if (common_options.json)
        print_findings_json(&found);
    else
        print_findings(&found);
    const bool intact = found.path && !found.error.status;
    if (nk_flush_output(command_name) && !found.path)
        report_no_table();
    else if (found.error.status)
        report_error(&found.error);
    nk_table_close(found.table);
    for (size_t i = 0; i < found.count; i++)
        free(found.places[i]);
    return intact ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command doctor_command = {
    .line = {"neutreeko doctor", " [OPTION]...", about, options, .notes = notes},
    .run = run,
    .without_table = true};
