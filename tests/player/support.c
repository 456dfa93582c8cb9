#include "tests/player/support.h"

#include "common/play/play.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <stdio.h>

struct nk_table *table;

void open_board(struct nk_board board)
{
    enter_directory();
    AUTO_SOLVED solved = solve_board(board);
    table = open_solved(&solved);
}

void open_standard(void)
{
    open_board(STANDARD);
}

void open_4x4(void)
{
    open_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
}

void close_board(void)
{
    nk_table_close(table);
    leave_directory();
}

struct nk_game *begin_game(const struct nk_rules *rules, const char *text)
{
    static struct nk_rules standard;
    struct nk_game *game;
    struct nk_position position;
    enum nk_colour to_move;
    (void)nk_rules_init(&standard, NULL, NULL);
    rules = rules ? rules : &standard;
    cr_assert(!nk_position_parse(rules, text, &position, &to_move, NULL));
    cr_assert(!nk_game_new(rules, position, to_move, &game, NULL));
    return game;
}

void play_moves(struct nk_game *game, const char *moves)
{
    char text[16];
    for (int length; sscanf(moves, "%15s%n", text, &length) == 1; moves += length) {
        struct nk_move move;
        struct nk_error error = {0};
        cr_assert(!nk_move_parse(nk_game_rules(game), text, &move, NULL));
        cr_assert(!nk_game_play(game, move, &error), "%s: %s", text, error.text);
    }
}

struct nk_opponent opponent_of(const char *name)
{
    struct nk_opponent opponent;
    cr_assert(!nk_opponent_parse(name, &opponent, NULL), "%s", name);
    return opponent;
}

struct nk_value value_of(struct nk_position position)
{
    struct nk_value value;
    cr_assert(!nk_table_value(table, position, &value, NULL));
    return value;
}

struct nk_value value_before(struct nk_value after)
{
    return (struct nk_value){(enum nk_result) - after.result, after.result == NK_DRAW ? 0 : after.plies + 1};
}

struct nk_value value_of_move(struct nk_position position, struct nk_move move)
{
    return value_before(value_of(nk_position_after(position, move)));
}

int moves_to(struct nk_position position, enum nk_result result)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_table_rules(table), position, moves);
    int found = 0;
    for (int m = 0; m < count; m++)
        found += value_of_move(position, moves[m]).result == result;
    return found;
}

bool is_only_move(struct nk_position position, struct nk_move move)
{
    struct nk_move moves[NK_MAX_MOVES];
    const enum nk_result result = value_of(position).result;
    return result != NK_LOSS && nk_position_moves(nk_table_rules(table), position, moves) > 1 &&
           moves_to(position, result) == 1 && value_of_move(position, move).result == result;
}

/* The prospects of a move among those of the same value. */
static int prospects(struct nk_game *game, const struct nk_choice *choice)
{
    struct nk_choice replies[NK_MAX_MOVES];
    int count = 0, longest = 0, failing = 0;
    uint8_t trap;
    if (choice->value.result == NK_DRAW) {
        const struct nk_position after = nk_position_after(nk_game_position(game), choice->move);
        cr_assert(!nk_table_trap(table, after, &trap, NULL));
        cr_assert(trap == choice->trap);
        return trap - (UINT8_MAX + 1) * nk_game_repeats_at(game, nk_game_plies(game), choice->move);
    }
    cr_assert(!nk_game_play(game, choice->move, NULL));
    if (nk_game_end(game, NULL) == NK_END_NONE)
        cr_assert(!nk_choices(table, game, replies, &count, NULL));
    nk_game_undo(game);
    for (int r = 0; r < count; r++) {
        longest += replies[r].value.plies == choice->value.plies - 1;
        failing += replies[r].value.result != NK_WIN;
    }
    return choice->value.result == NK_WIN ? -longest : failing;
}

int best_choices(struct nk_game *game, struct nk_move best[NK_MAX_MOVES])
{
    struct nk_choice choices[NK_MAX_MOVES];
    int count, found = 0, most = INT32_MIN;
    cr_assert(!nk_choices(table, game, choices, &count, NULL));
    for (int m = 0; m < count && same_value(choices[m].value, choices[0].value); m++) {
        const int these = prospects(game, &choices[m]);
        if (these > most)
            found = 0;
        if (these >= most)
            best[found++] = choices[m].move;
        most = these > most ? these : most;
    }
    return found;
}

struct nk_position random_position(uint64_t *random)
{
    const struct nk_index *index = table->index;
    struct nk_position position;
    do
        position = nk_index_position(index, nk_random(random) % index->entries);
    while (!goes_on(&index->rules, position));
    return position;
}
