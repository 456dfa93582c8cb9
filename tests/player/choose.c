/* The choice of the perfect player: the best value and, among moves of equal value, the best prospects. After positions
 * have repeated: history.c. */

#include "player/random.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* Chooses some times; each choice must be one of the best moves. Returns how many different ones were chosen. */
static int check_choices(struct nk_game *game, int times, uint64_t *random, int *best_moves)
{
    struct nk_move best[NK_MAX_MOVES];
    bool chosen[NK_MAX_MOVES] = {false};
    int different = 0;
    const struct nk_position position = nk_game_position(game);
    *best_moves = best_choices(game, best);
    for (int i = 0; i < times; i++) {
        struct nk_move move;
        cr_assert(!nk_choose(table, game, random, &move, NULL));
        const int m = nk_move_find(best, sizeof *best, *best_moves, move);
        cr_assert(nk_move_equal(best[m], move) &&
                      same_value(value_of_move(position, move), value_of(position)),
                  "%s", position_text(nk_game_rules(game), position).s);
        different += !chosen[m];
        chosen[m] = true;
    }
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
        AUTO_GAME *game = NULL;
        int best;
        if (!goes_on(&index->rules, position) || nk_index_entry(index, position) != entry)
            continue;
        cr_assert(!nk_game_new(&index->rules, position, NK_WHITE, &game, NULL));
        check_choices(game, 1, &random, &best);
        if (best > 1 && ties++ % 100 == 0) /* among equal moves, each has its chance */
            cr_assert_eq(check_choices(game, 50 * best, &random, &best), best);
    }
    cr_assert_gt(ties, 1000);
    close_board();
}

Test(choose, is_best_in_every_position, .timeout = 600)
{
    check_board(is_thorough() ? STANDARD : (struct board){4, 4, 3, 3, NK_WIN_LINE});
}
