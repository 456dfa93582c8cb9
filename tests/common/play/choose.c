/* The choice of the perfect player: the best value and, among moves of equal value, the best prospects. After positions
 * have repeated: repetition.c. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* Chooses so many times, each time one of the best moves. Returns how many different ones. */
static int choose_often(struct nk_game *game, const struct nk_move *best, int count, int times,
                        uint64_t *random)
{
    const struct nk_position position = nk_game_position(game);
    const struct nk_text text = position_text(nk_game_rules(game), position);
    bool chosen[NK_MAX_MOVES] = {false};
    int different = 0;
    for (int i = 0; i < times; i++) {
        struct nk_move move;
        cr_assert(!nk_choose(table, game, random, &move, NULL));
        const int m = nk_move_find(best, sizeof *best, count, move);
        cr_assert(nk_move_equal(best[m], move), "%s", text.s);
        cr_assert(same_value(value_of_move(position, move), value_of(position)), "%s", text.s);
        different += !chosen[m];
        chosen[m] = true;
    }
    return different;
}

/* In all positions of a small board, and in some of the standard one. */
Test(choose, is_best_and_each_of_equal_moves_has_its_chance, .timeout = 600)
{
    uint64_t random = 1, ties = 0;
    open_board(is_thorough() ? STANDARD : (struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_index *index = table->index;
    for (uint64_t entry = 0; entry < index->entries; entry += is_thorough() ? 7 : 1) {
        const struct nk_position position = nk_index_position(index, entry);
        AUTO_GAME *game = NULL;
        struct nk_move best[NK_MAX_MOVES];
        if (!goes_on(&index->rules, position) || nk_index_entry(index, position) != entry)
            continue;
        cr_assert(!nk_game_new(&index->rules, position, NK_WHITE, &game, NULL));
        const int count = best_choices(game, best);
        if (count > 1 && ties++ % 100 == 0)
            cr_assert_eq(choose_often(game, best, count, 50 * count, &random), count);
        else
            choose_often(game, best, count, 1, &random);
    }
    cr_assert_gt(ties, 1000);
    close_board();
}
