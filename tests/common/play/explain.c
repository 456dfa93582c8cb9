/* Explanations of moves, compared with what the table has for each reply. */

#include "tests/player/support.h"

#include <criterion/criterion.h>

static void expect_why(struct nk_position position, struct nk_move move)
{
    struct nk_explanation why;
    struct nk_move replies[NK_MAX_MOVES];
    const struct nk_position after = nk_position_after(position, move);
    const bool wins = nk_rules_won(nk_table_rules(table), after.other);
    const int count = wins ? 0 : nk_position_moves(nk_table_rules(table), after, replies);
    AUTO_GAME *game = NULL;
    cr_assert(!nk_game_new(nk_table_rules(table), position, NK_BLACK, &game, NULL));
    cr_assert(!nk_explain(table, game, 0, move, &why, NULL));
    cr_assert(same_value(why.before, value_of(position)));
    cr_assert(same_value(why.value, value_of_move(position, move)));
    cr_assert(same_value(value_of_move(position, why.best), why.before));
    cr_assert(nk_move_equal(why.best, move) || !same_value(why.value, why.before));
    cr_assert_eq(why.only, is_only_move(position, move));
    cr_assert_eq(why.replies, count);
    cr_assert_eq(why.losing, wins ? 0 : moves_to(after, NK_LOSS));
    cr_assert_eq(why.holding, wins ? 0 : moves_to(after, NK_DRAW));
    cr_assert_eq(why.winning, wins ? 0 : moves_to(after, NK_WIN));
    for (int r = 0; r < count; r++) {
        const bool is_only = is_only_move(after, replies[r]);
        cr_assert_eq(is_only, why.has_only_reply && nk_move_equal(why.only_reply, replies[r]));
    }
    if (wins) {
        cr_assert(!why.threat);
        cr_assert(!why.prevented);
        cr_assert(!why.has_only_reply);
        return;
    }
    const struct nk_value threat = value_of(nk_position_after_pass(after));
    cr_assert_eq(why.threat, threat.result == NK_WIN ? threat.plies : 0);
    const struct nk_value feared = value_of(nk_position_after_pass(position)), now = value_of(after);
    const bool prevented = feared.result == NK_WIN && (now.result != NK_WIN || now.plies > feared.plies);
    cr_assert_eq(why.prevented, prevented ? feared.plies : 0);
}

/* With four pieces per side on a 3x3 board there are few moves, and some positions have one or none. */
Test(explain, is_correct)
{
    const struct {
        struct nk_board board;
        uint64_t step;
    } cases[] = {{{4, 4, 3, 3, NK_WIN_LINE}, 61},
                 {STANDARD, is_thorough() ? 293 : 9973},
                 {{3, 3, 4, 3, NK_WIN_LINE}, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int explained = 0;
        open_board(cases[i].board);
        const struct nk_index *index = table->index;
        for (uint64_t entry = 0; entry < index->entries; entry += cases[i].step) {
            const struct nk_position position = nk_index_position(index, entry);
            struct nk_move moves[NK_MAX_MOVES];
            const int count =
                goes_on(&index->rules, position) ? nk_position_moves(&index->rules, position, moves) : 0;
            for (int m = 0; m < count; m++, explained++)
                expect_why(position, moves[m]);
        }
        cr_assert_gt(explained, 50);
        close_board();
    }
}
