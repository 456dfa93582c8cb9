#include "common/game/notation.h"
#include "player/commands/common.h"
#include "player/commands/query.h"
#include "player/terminal/print.h"

#include <stdio.h>
#include <stdlib.h>

enum nk_status query_line_play(struct nk_table *table, struct nk_position position, enum nk_colour to_move,
                               uint64_t seed, struct best_line *line, struct nk_error *error)
{
    enum nk_status status = nk_game_new(nk_table_rules(table), position, to_move, &line->game, error);
    for (int ply = 0; !status; ply++) {
        struct nk_move move = {0, 0};
        struct nk_value *values = realloc(line->values, ((size_t)ply + 1) * sizeof *values);
        if (!values)
            return nk_fail_memory(error);
        line->values = values;
        /* The history changes no value: with optimal play, only drawn positions occur twice. */
        if ((status = nk_table_value(table, nk_game_position(line->game), &values[ply], error)))
            return status;
        if (nk_game_end(line->game, NULL) != NK_END_NONE)
            return NK_OK;
        if (!(status = nk_choose(table, line->game, &seed, &move, error)))
            status = nk_game_play(line->game, move, error);
    }
    return status;
}

void query_line_free(struct best_line *line)
{
    free(line->values);
    nk_game_free(line->game);
    *line = (struct best_line){NULL, NULL};
}

static void print_board(const struct best_line *line, int ply, struct nk_board_view view)
{
    nk_show_game(line->game, ply, view);
    putchar('\n');
}

void query_line_print(const struct best_line *line, struct nk_board_view view)
{
    const struct nk_rules *rules = nk_game_rules(line->game);
    const enum nk_colour to_move = nk_game_to_move_at(line->game, 0);
    const int plies = nk_game_plies(line->game);
    printf("%s\n\n", nk_position_text(rules, nk_game_position_at(line->game, 0), to_move).s);
    print_board(line, 0, view);
    if (plies) {
        terminal_printf(0, "%s to move %s with optimal play.\n\n", nk_colour_name(to_move),
                        nk_precise_value_text(line->values[0]).s);
        for (int ply = 0; ply < plies; ply++) {
            printf("%5d  %s  %s  %s\n", ply + 1, nk_colour_name(nk_game_to_move_at(line->game, ply)),
                   nk_move_text(rules, nk_game_move_at(line->game, ply)).s,
                   nk_paint(line->values[ply].result, view.colour, nk_precise_value_text(line->values[ply]).s)
                       .s);
        }
        putchar('\n');
        print_board(line, plies, view);
    }
    puts(nk_end_text(line->game).s);
}

void query_line_print_json(const struct best_line *line, struct nk_json *json)
{
    const struct nk_rules *rules = nk_game_rules(line->game);
    nk_json_position(json, "position", rules, nk_game_position_at(line->game, 0),
                     nk_game_to_move_at(line->game, 0));
    nk_json_value_members(json, line->values[0]);
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < nk_game_plies(line->game); ply++) {
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_string(json, "side", nk_colour_key(nk_game_to_move_at(line->game, ply)));
        nk_json_move(json, "move", rules, nk_game_move_at(line->game, ply));
        nk_json_value_members(json, line->values[ply]);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_begin(json, "end", '{');
    nk_json_end_members(json, line->game);
    nk_json_position(json, "position", nk_game_rules(line->game), nk_game_position(line->game),
                     nk_game_to_move(line->game));
    nk_json_end(json, '}');
    json_add_seed(json);
}
