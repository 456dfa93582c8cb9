#include "player/commands/common.h"

#include "common/table_format.h"
#include "player/display.h"
#include "player/opponents.h"
#include "common/table_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

const char *program = "neutreeko";
struct common_options common_options;

uint64_t random_seed(void)
{
    uint64_t seed = (uint64_t)time(NULL); /* good enough where the system has nothing better */
    const ssize_t got = getrandom(&seed, sizeof seed, 0);
    (void)got;
    return seed;
}

bool use_colour(void)
{
    return !common_options.no_color && nk_use_colour();
}

/* ---- the table and its errors ---- */

static const char *table_path; /* the table that the command reads, or NULL */

/* Reads the game of a damaged table from its header, if that can still be trusted: the number of placements must be
 * that of the board. The signature was correct, or the table would not count as damaged. */
static bool read_game_of_table(const char *path, struct nk_rules *rules)
{
    uint8_t header[NK_HEADER_BYTES];
    FILE *file = fopen(path, "rb");
    const bool read = file && fread(header, 1, sizeof header, file) == sizeof header;
    if (file)
        fclose(file);
    return read &&
           nk_rules_init(rules, header[NK_AT_WIDTH], header[NK_AT_HEIGHT], header[NK_AT_PIECES],
                         header[NK_AT_ROW_LENGTH], (enum nk_win)header[NK_AT_WIN], NULL) == NK_OK &&
           nk_get64(header + NK_AT_PLACEMENTS) == nk_index_placements(rules);
}

/* Prints the command that writes the table again, in a form that a shell accepts. */
static void advise_to_rebuild(const struct nk_rules *rules, const char *path)
{
    struct nk_rules standard;
    nk_rules_standard(&standard);
    fputs("Rebuild the table with: neutreeko-solve ", stderr);
    if (!nk_rules_equal(rules, &standard))
        fprintf(stderr, "--board %dx%d --pieces %d --row %d --win %s ", rules->width, rules->height,
                rules->pieces, rules->row_length, nk_win_name(rules->win));
    fputs("-o '", stderr);
    for (; *path; path++)
        if (*path == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*path, stderr);
    fputs("'\n", stderr);
}

bool report_error(const struct nk_error *error)
{
    struct nk_rules rules;
    nk_report(program, "%s", error->text);
    if (error->status == NK_E_CORRUPT && table_path && read_game_of_table(table_path, &rules))
        advise_to_rebuild(&rules, table_path);
    else if (error->status == NK_E_CORRUPT || error->status == NK_E_NOT_TABLE)
        /* The file may be anything: no advice may lead to its being overwritten. */
        fputs("Write a table to another file with: neutreeko-solve -o FILE\n", stderr);
    return false;
}

static bool report_no_table(void)
{
    char *places[NK_MAX_PLACES];
    const size_t count = nk_places(places);
    nk_report(program, "no table of the solved game was found; searched:");
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "  %s\n", places[i]);
        free(places[i]);
    }
    fputs("Write one with: neutreeko-solve -o FILE\n"
          "Then specify it with --table FILE or NEUTREEKO_TABLE, or move it to one of these places.\n",
          stderr);
    return false;
}

bool open_table(struct nk_table **table)
{
    struct nk_error error;
    table_path = common_options.table ? common_options.table : nk_table_path();
    if (!table_path)
        return report_no_table();
    return nk_table_open(table_path, table, &error) == NK_OK || report_error(&error);
}

/* ---- positions ---- */

const char *format_position_error(const struct nk_rules *rules, const char *text,
                                  const struct nk_error *error, char out[POSITION_ERROR])
{
    char quoted[NK_QUOTED_TEXT], place[40] = "";
    if (error->at)
        snprintf(place, sizeof place, "character %zu: ", error->at);
    snprintf(out, POSITION_ERROR, "invalid position '%s' for a %dx%d board with %d pieces per side: %s%s",
             nk_quote(text, quoted), rules->width, rules->height, rules->pieces, place, error->text);
    return out;
}

int read_position(const struct nk_rules *rules, const char *text, struct nk_position *position,
                  enum nk_colour *to_move)
{
    struct nk_error error;
    char why[POSITION_ERROR];
    *to_move = NK_BLACK;
    if (text) {
        if (nk_position_parse(rules, text, position, to_move, &error) == NK_OK)
            return EXIT_SUCCESS;
        return nk_usage_error(program, "%s", format_position_error(rules, text, &error, why));
    }
    if (nk_rules_start(rules, position))
        return EXIT_SUCCESS;
    nk_report(program, "the board of this table has no start position: specify a position");
    return EXIT_FAILURE;
}

/* ---- opponents ---- */

void print_opponents(const char *title, bool people)
{
    const char *form, *about;
    char label[32];
    printf("\n%s:\n", title);
    for (int n = 0; nk_opponent_describe(n, &form, &about); n++) {
        if (!people && strcmp(form, "human") == 0)
            continue;
        snprintf(label, sizeof label, "  %s", form);
        nk_print_help_entry(label, 15, about);
    }
}

/* ---- JSON ---- */

void json_add_value(struct nk_json *json, struct nk_value value)
{
    nk_json_string(json, "result", nk_result_name(value.result));
    if (value.result == NK_DRAW)
        nk_json_null(json, "distance");
    else
        nk_json_integer(json, "distance", value.plies);
}

void json_add_end(struct nk_json *json, const struct nk_game *game)
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const bool won = end == NK_END_WON || end == NK_END_RESIGNED;
    nk_json_string(json, "reason", nk_end_name(end));
    nk_json_string(json, "winner", won ? nk_colour_key(winner) : NULL);
    nk_json_position(json, "position", nk_game_rules(game), nk_game_position(game), nk_game_to_move(game));
}
