/* The choice of the perfect player: the best value and, among moves of equal value, the best prospects. After positions
 * have repeated: repetition.c. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* In all positions of a small board, and in some of the standard one. Among equal moves, each has its chance. */
Test(choose, is_best, .timeout = 600)
{
    uint64_t random = 1, ties = 0;
    open_board(is_thorough() ? STANDARD : (struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_index *index = table->index;
    for (uint64_t entry = 0; entry < index->entries; entry += is_thorough() ? 7 : 1) {
        const struct nk_position position = nk_index_position(index, entry);
        AUTO_GAME *game = NULL;
        struct nk_move best[NK_MAX_MOVES], move;
        bool chosen[NK_MAX_MOVES] = {false};
        int different = 0;
        if (!goes_on(&index->rules, position) || nk_index_entry(index, position) != entry)
            continue;
        cr_assert(!nk_game_new(&index->rules, position, NK_WHITE, &game, NULL));
        const int count = best_choices(game, best);
        const bool all = count > 1 && ties++ % 100 == 0;
        for (int i = 0; i < (all ? 50 * count : 1); i++) {
            cr_assert(!nk_choose(table, game, &random, &move, NULL));
            const int m = nk_move_find(best, sizeof *best, count, move);
            cr_assert(nk_move_equal(best[m], move), "%s", position_text(&index->rules, position).s);
            cr_assert(same_value(value_of_move(position, move), value_of(position)), "%s",
                      position_text(&index->rules, position).s);
            different += !chosen[m];
            chosen[m] = true;
        }
        cr_assert_eq(different, all ? count : 1);
    }
    cr_assert_gt(ties, 1000);
    close_board();
}
