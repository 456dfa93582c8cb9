/* neutreeko line: the best line from a position to the end of the game. */

#include "json_keys.h"
#include "player/commands/common.h"
#include "player/terminal/display.h"

#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "Print the best line from a position to the end of the game: the winner wins as\n"
    "fast as possible, the loser delays as long as possible, and a draw is kept\n"
    "until threefold repetition. The default POSITION is the start of the game;\n"
    "moves are played from there, as by 'neutreeko query', which prints all moves of\n"
    "one position instead of the best ones of many. One of several equally good\n"
    "moves is chosen at random.\n"
    "\n"
    "Examples:\n"
    "  neutreeko line '1b1w1/2b2/5/2w2/1b1w1 b'\n"
    "  neutreeko line b1-c1 b5-c5                continue after two moves\n"
    "  neutreeko line --seed 3                   print the same line each time\n";

static const char notes[] = "\n" LINE_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage or an\n"
                            "invalid position.\n";

static bool record;

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    SEED_OPTION,
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object"),
    {.name = "record",
     .help = "Print a game that 'neutreeko review' reads",
     .excludes = "json",
     .flag = &record},
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

struct line {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_game *game;
    struct nk_value *values; /* [plies + 1] of each position, to the side to move */
};

/* Plays to the end of the game, and evaluates each position on the way. */
static enum nk_status play_to_end(struct line *line, struct nk_error *error)
{
    uint64_t random = common_options.seed;
    enum nk_status status;
    for (int ply = 0;; ply++) {
        struct nk_move move = {0, 0};
        struct nk_value *values = realloc(line->values, ((size_t)ply + 1) * sizeof *values);
        if (!values)
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
        line->values = values;
        /* It is exact: with best play, only drawn positions occur twice, which changes no value. */
        if ((status = nk_game_value(line->table, line->game, &values[ply], NULL, error)))
            return status;
        if (nk_game_end(line->game, NULL) != NK_END_NONE)
            return NK_OK;
        if ((status = nk_choose(line->table, line->game, &random, &move, error)) ||
            (status = nk_game_play(line->game, move, error)))
            return status;
    }
}

static void print_board(const struct line *line, int ply)
{
    nk_show_game(line->game, ply, board_view());
    putchar('\n');
}

static void print_line(const struct line *line)
{
    const enum nk_colour to_move = nk_game_to_move_at(line->game, 0);
    const int plies = nk_game_plies(line->game);
    char painted[NK_PAINTED_TEXT];
    printf("%s\n\n", nk_position_text(line->rules, nk_game_position_at(line->game, 0), to_move).s);
    print_board(line, 0);
    if (plies) {
        printf("%s to move %s with optimal play.\n\n", nk_colour_name(to_move),
               nk_value_text(line->values[0]).s);
        for (int ply = 0; ply < plies; ply++) {
            printf("%5d  %s  %s  %s\n", ply + 1, nk_colour_name(nk_game_to_move_at(line->game, ply)),
                   nk_move_text(line->rules, nk_game_move_at(line->game, ply)).s,
                   painted_value(line->values[ply], painted));
        }
        putchar('\n');
        print_board(line, plies);
    }
    puts(nk_end_text(line->game).s);
    if (plies)
        print_seed();
}

static void print_line_json(const struct line *line)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_position(json, "position", line->rules, nk_game_position_at(line->game, 0),
                     nk_game_to_move_at(line->game, 0));
    json_add_value(json, line->values[0]);
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < nk_game_plies(line->game); ply++) {
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_string(json, "side", nk_colour_key(nk_game_to_move_at(line->game, ply)));
        nk_json_move(json, "move", line->rules, nk_game_move_at(line->game, ply));
        json_add_value(json, line->values[ply]);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_begin(json, "end", '{');
    json_add_end(json, line->game);
    nk_json_end(json, '}');
    json_add_seed(json);
    nk_json_end_line(json);
}

static enum nk_status print_record(const struct line *line, struct nk_error *error)
{
    char *text = nk_record_text(line->game);
    if (!text)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    fputs(text, stdout);
    free(text);
    return NK_OK;
}

/* Plays the line and prints it. */
static enum nk_status play_and_print(struct line *line, struct nk_position position, enum nk_colour to_move,
                                     struct nk_error *error)
{
    enum nk_status status;
    if ((status = nk_game_new(line->rules, position, to_move, &line->game, error)) ||
        (status = play_to_end(line, error)))
        return status;
    if (record)
        return print_record(line, error);
    if (common_options.json)
        print_line_json(line);
    else
        print_line(line);
    return NK_OK;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct line line = {.table = table, .rules = nk_table_rules(table)};
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error error;
    const int status = read_position_words(table, argv, argc, &position, &to_move);
    if (status)
        return status;
    const enum nk_status played = play_and_print(&line, position, to_move, &error);
    if (played)
        report_error(&error);
    free(line.values);
    nk_game_free(line.game);
    return played ? EXIT_FAILURE : EXIT_SUCCESS;
}

const struct command line_command = {.line = {"neutreeko line", " [OPTION]... [POSITION] [MOVE]...", about,
                                              options, notes, .operands = NK_ANY_OPERANDS},
                                     .run = run};
