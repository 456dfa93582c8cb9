/* neutreeko line: best play by both sides. */

#include "player/commands.h"

#include "player/commands/arguments.h"
#include "player/commands/json.h"
#include "player/describe.h"
#include "player/display.h"
#include "player/history.h"
#include "player/record.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: neutreeko line [OPTION]... [POSITION]\n"
    "Show best play by both sides from a position to the end: the winner hurries, the loser delays; where "
    "the\n"
    "game is a draw, both keep it one until a position occurs for the third time.\n"
    "Without a POSITION it is the start. Among moves that are equally good one is taken by chance.\n"
    "\n"
    "Examples:\n"
    "  neutreeko line '1b1w1/2b2/5/2w2/1b1w1 b'\n"
    "  neutreeko line --seed 3                   the same line each time\n"
    "\n"
    "Options:\n"
    "      --seed N      what chance begins with, 0 to 18446744073709551615\n"
    "      --json        print one JSON object\n"
    "      --record      print a game that 'neutreeko review' reads\n"
    "      --table FILE  the table to ask\n"
    "      --no-color    no colours (there are none anyway unless the output is a terminal)\n"
    "  -h, --help        show this help\n"
    "\n"
    "The JSON object has:\n"
    "  position, result, distance  as 'neutreeko query' tells them, distance null for a draw\n"
    "  moves  for each move: ply (from 1), side, move, and result and distance for that side\n"
    "  end    reason (row, repetition or stuck), winner (null for none), position\n"
    "\n"
    "Exit status: 0 when the line was shown, 1 for a failure, 2 for wrong usage or no position.\n";

static const char command[] = "line";

struct line {
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_game *game;
    struct nk_value *values; /* [plies + 1] of each position, to the side to move */
    bool colour;
};

static bool complain(const char *text)
{
    fprintf(stderr, "neutreeko line: %s\n", text);
    return false;
}

static bool play_to_end(struct line *line, uint64_t random)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    while (nk_game_end(line->game, NULL) == NK_END_NONE)
        if (nk_choose(line->table, line->game, &random, &move, &error) ||
            nk_game_play(line->game, move, &error))
            return complain(error.text);
    return true;
}

static bool value_positions(struct line *line)
{
    struct nk_error error;
    const int plies = nk_game_plies(line->game);
    line->values = calloc((size_t)plies + 1, sizeof *line->values);
    if (!line->values)
        return complain("out of memory");
    for (int ply = 0; ply <= plies; ply++)
        if (nk_history_value_at(line->table, line->game, ply, &line->values[ply], &error))
            return complain(error.text);
    return true;
}

static void print_board(const struct line *line, int ply)
{
    const struct nk_move last = ply ? nk_game_move_at(line->game, ply - 1) : (struct nk_move){0, 0};
    nk_show_board(stdout, line->rules, nk_game_position_at(line->game, ply),
                  nk_game_to_move_at(line->game, ply),
                  (struct nk_look){.colour = line->colour, .last = ply ? &last : NULL});
    putchar('\n');
}

static bool print_line(const struct line *line)
{
    const enum nk_colour to_move = nk_game_to_move_at(line->game, 0);
    const int plies = nk_game_plies(line->game);
    char text[NK_POSITION_TEXT], words[NK_VALUE_TEXT], move[NK_MOVE_TEXT], end[NK_END_TEXT];
    nk_position_print(line->rules, nk_game_position_at(line->game, 0), to_move, text);
    printf("%s\n\n", text);
    print_board(line, 0);
    if (plies) {
        nk_value_format(line->values[0], words);
        printf("%s to move %s with best play.\n\n", nk_colour_name(to_move), words);
        for (int ply = 0; ply < plies; ply++) {
            nk_move_print(line->rules, nk_game_move_at(line->game, ply), move);
            nk_value_format(line->values[ply], words);
            printf("%5d  %s  %s  %s\n", ply + 1, nk_colour_name(nk_game_to_move_at(line->game, ply)), move,
                   words);
        }
        putchar('\n');
        print_board(line, plies);
    }
    nk_end_format(line->game, end);
    puts(end);
    return true;
}

static bool print_line_json(const struct line *line)
{
    struct nk_json *json = nk_json_begin_line();
    json_add_position(json, "position", line->rules, nk_game_position_at(line->game, 0),
                      nk_game_to_move_at(line->game, 0));
    json_add_value(json, line->values[0]);
    nk_json_begin_array(json, "moves");
    for (int ply = 0; ply < nk_game_plies(line->game); ply++) {
        nk_json_begin_object(json, NULL);
        nk_json_integer(json, "ply", ply + 1);
        nk_json_string(json, "side", colour_json(nk_game_to_move_at(line->game, ply)));
        json_add_move(json, "move", line->rules, nk_game_move_at(line->game, ply));
        json_add_value(json, line->values[ply]);
        nk_json_end_object(json);
    }
    nk_json_end_array(json);
    nk_json_begin_object(json, "end");
    json_add_end(json, line->game);
    nk_json_end_object(json);
    nk_json_end_line(json);
    return true;
}

static bool print_record(const struct line *line)
{
    struct nk_error error;
    return !nk_record_write(line->game, stdout, &error) || complain(error.text);
}

/* Finds out where to begin; returns the exit status. */
static int begin(struct line *line, const char *text)
{
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    struct nk_error error;
    if (!text && !nk_rules_start(line->rules, &position)) {
        complain("the board of this table has no start position: name a POSITION");
        return EXIT_FAILURE;
    }
    if (text && nk_position_parse(line->rules, text, &position, &to_move, &error)) {
        refuse_position(command, line->rules, text, &error);
        return EXIT_USAGE;
    }
    if (nk_game_new(line->rules, position, to_move, &line->game, &error)) {
        complain(error.text);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

/* Plays the line and prints it in one form; returns the exit status. */
static int show(struct line *line, const char *position, uint64_t seed, bool (*print)(const struct line *))
{
    const int status = begin(line, position);
    if (status)
        return status;
    const bool good = play_to_end(line, seed) && value_positions(line) && print(line);
    return flush_output(command) && good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int command_line(int argc, char **argv)
{
    enum { JSON = 256, NO_COLOR, RECORD, SEED, TABLE };
    static const struct option known[] = {
        {"json", no_argument, NULL, JSON},
        {"no-color", no_argument, NULL, NO_COLOR},
        {"record", no_argument, NULL, RECORD},
        {"seed", required_argument, NULL, SEED},
        {"table", required_argument, NULL, TABLE},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct line line = {.colour = nk_use_colour(stdout)};
    const char *path = NULL;
    uint64_t seed = fresh_seed();
    bool json = false, record = false;
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        switch (option) {
        case JSON:
            json = true;
            break;
        case NO_COLOR:
            line.colour = false;
            break;
        case RECORD:
            record = true;
            break;
        case SEED:
            if (!read_number(command, "--seed", optarg, 0, UINT64_MAX, &seed))
                return usage_error(command);
            break;
        case TABLE:
            path = optarg;
            break;
        case 'h':
            return print_text(help);
        default:
            return usage_error(command);
        }
    if (json && record) {
        complain("--json or --record, not both");
        return usage_error(command);
    }
    if (argc - optind > 1) {
        complain("one position at a time");
        return usage_error(command);
    }
    if (!open_table(command, path, &line.table))
        return EXIT_FAILURE;
    line.rules = nk_table_rules(line.table);
    const char *position = optind < argc ? argv[optind] : NULL;
    const int status = show(&line, position, seed,
                            json     ? print_line_json
                            : record ? print_record
                                     : print_line);
    free(line.values);
    nk_game_free(line.game);
    nk_table_close(line.table);
    return status;
}
