/* The choice of the perfect player: the best value and, among moves of equal value, the best prospects. */

#include "player/random.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* The prospects of a move, by its definition in nk_choose's description. */
static int prospects(struct nk_position position, struct nk_move move)
{
    const struct nk_position after = nk_position_after(position, move);
    const struct nk_value value = value_of_move(position, move);
    struct nk_move_value replies[NK_MAX_MOVES];
    int count, longest = 0, failing = 0;
    uint8_t trap;
    if (value.result == NK_DRAW) {
        cr_assert(!nk_table_trap(table, after, &trap, NULL));
        return trap;
    }
    cr_assert(!nk_table_moves(table, after, replies, &count, NULL));
    for (int r = 0; r < count; r++) {
        longest += replies[r].value.plies == value.plies - 1;
        failing += replies[r].value.result != NK_WIN;
    }
    return value.result == NK_WIN ? -longest : failing;
}

/* Chooses some times; each choice must be one of the best moves. Returns how many different ones were chosen. */
static int check_choices(struct nk_position position, int times, uint64_t *random, int *best_moves)
{
    struct nk_game *game;
    struct nk_move moves[NK_MAX_MOVES];
    bool is_best[NK_MAX_MOVES] = {false}, chosen[NK_MAX_MOVES] = {false};
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_value value = value_of(position);
    const int count = nk_position_moves(rules, position, moves);
    int most = INT32_MIN, different = 0;
    for (int m = 0; m < count; m++)
        if (same_value(value_of_move(position, moves[m]), value) && prospects(position, moves[m]) > most)
            most = prospects(position, moves[m]);
    *best_moves = 0;
    for (int m = 0; m < count; m++)
        *best_moves += is_best[m] =
            same_value(value_of_move(position, moves[m]), value) && prospects(position, moves[m]) == most;
    cr_assert(!nk_game_new(rules, position, NK_WHITE, &game, NULL));
    for (int i = 0; i < times; i++) {
        struct nk_move move;
        int m = 0;
        cr_assert(!nk_choose(table, game, random, &move, NULL));
        while (m < count && !nk_move_equal(moves[m], move))
            m++;
        cr_assert(m < count && is_best[m], "%s", position_text(rules, position).s);
        different += !chosen[m];
        chosen[m] = true;
    }
    nk_game_free(game);
    return different;
}

/* One position of each set of images. */
static void check_board(struct board board)
{
    uint64_t random = 1, ties = 0;
    open_board(board);
    const struct nk_index *index = nk_table_index(table);
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position position = nk_index_position(index, entry);
        int best;
        if (!goes_on(&index->rules, position) || nk_index_entry(index, position) != entry)
            continue;
        check_choices(position, 1, &random, &best);
        if (best > 1 && ties++ % 100 == 0) /* among equal moves, each has its chance */
            cr_assert_eq(check_choices(position, 50 * best, &random, &best), best);
    }
    cr_assert_gt(ties, 1000);
    close_board();
}

Test(choose, is_best_in_every_position, .timeout = 600)
{
    check_board(is_thorough() ? STANDARD : (struct board){4, 4, 3, 3, NK_WIN_LINE});
}

/* Among draws, it repeats a position only if every move does. */
Test(choose, avoids_repetition)
{
    struct nk_position start;
    AUTO_GAME *game = NULL;
    uint64_t random = 1;
    open_board(STANDARD);
    cr_assert(nk_rules_start(nk_table_rules(table), &start));
    cr_assert(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
    for (int ply = 0; ply < 60 && nk_game_end(game, NULL) == NK_END_NONE; ply++) {
        struct nk_option options[NK_MAX_MOVES];
        struct nk_move move;
        int count, chosen = 0, fewest = 2;
        cr_assert(!nk_options(table, game, options, &count, NULL));
        cr_assert(!nk_choose(table, game, &random, &move, NULL));
        while (!nk_move_equal(options[chosen].move, move))
            cr_assert_lt(++chosen, count);
        for (int m = 0; m < count && same_value(options[m].value, options[0].value); m++)
            fewest = options[m].repeats < fewest ? options[m].repeats : fewest;
        cr_assert_eq(options[chosen].repeats, fewest, "at ply %d", ply);
        cr_assert(!nk_game_play(game, move, NULL));
    }
    close_board();
}
