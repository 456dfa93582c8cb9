/* The opponents: their names, and that each plays as it is described. */

#include "player/random.h"
#include "player/search.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(opponents, have_names)
{
    static const char *const good[] = {"human",       "random",  "rules",    "minimax:1", "minimax:20",
                                       "alphabeta:4", "level:1", "level:15", "weakest",   "perfect"};
    static const char *const bad[] = {"",         "Random",        "minimax",
                                      "minimax:", "minimax:0",     "minimax:21",
                                      "level:0",  "level:16",      "level:1x",
                                      "level:-1", "alphabeta:4:4", "perfect:2",
                                      "levels:3", " perfect",      "level:99999999999999999999"};
    for (size_t i = 0; i < COUNT(good); i++) {
        char text[NK_OPPONENT_TEXT];
        const struct nk_opponent opponent = opponent_of(good[i]);
        nk_opponent_print(opponent, text);
        cr_assert_str_eq(text, good[i]);
        cr_assert_eq(nk_opponent_is_human(opponent), i == 0);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct nk_opponent opponent;
        struct nk_error error = {0};
        cr_assert_eq(nk_opponent_parse(bad[i], &opponent, &error), NK_E_SYNTAX, "%s", bad[i]);
        cr_assert(error.text[0]);
    }
}

/* The page offers at least one opponent of every kind but a person and minimax, which plays like alphabeta. */
Test(opponents, of_every_kind_are_ranked)
{
    const char *form, *name, *kind_about, *about;
    for (int k = 0; nk_opponent_describe(k, &form, &kind_about); k++) {
        int found = 0;
        for (int n = 0; nk_opponent_ranked(n, &name, &about); n++)
            found += strcspn(name, ":") == strcspn(form, ":") && !strncmp(name, form, strcspn(form, ":")) &&
                     !strcmp(about, kind_about);
        cr_assert_eq(found > 0, strcmp(form, "human") != 0 && strcmp(form, "minimax:N") != 0, "%s", form);
    }
    cr_assert_not(nk_opponent_ranked(-1, &name, &about) || nk_opponent_describe(-1, &name, &about));
}

/* The moves of a position in the order of the table, and the number of the one that an opponent chooses. */
static int chosen_by(const char *name, struct nk_position position, uint64_t *random,
                     struct nk_move_value moves[NK_MAX_MOVES], int *count)
{
    struct nk_game *game;
    struct nk_move move;
    cr_assert(!nk_game_new(nk_table_rules(table), position, NK_BLACK, &game, NULL));
    cr_assert(!nk_opponent_move(opponent_of(name), table, game, random, &move, NULL, NULL));
    nk_game_free(game);
    cr_assert(!nk_table_moves(table, position, moves, count, NULL));
    int chosen = 0;
    while (chosen < *count && !nk_move_equal(moves[chosen].move, move))
        chosen++;
    cr_assert_lt(chosen, *count, "%s: an illegal move", name);
    return chosen;
}

/* The plies that a level always sees. */
static int sight(int level)
{
    return level < 4 ? level > 1 : level - 2;
}

/* Plays the fastest win or another win that it sees within some plies, and avoids a loss that it must see while there is
 * another move. Returns whether it overlooked a win further away. */
static bool expect_sight(const char *name, int plies, struct nk_position position, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count, others = 0;
    const int chosen = chosen_by(name, position, random, moves, &count);
    const struct nk_value played = moves[chosen].value, best = moves[0].value;
    const bool sees_win = best.result == NK_WIN && best.plies <= plies;
    for (int m = 0; m < count; m++)
        others += moves[m].value.result != NK_LOSS || moves[m].value.plies > plies;
    cr_assert(sees_win ? same_value(played, best)
                       : !others || played.result != NK_LOSS || played.plies > plies,
              "%s: %s", name, position_text(nk_table_rules(table), position).s);
    return best.result == NK_WIN && played.result != NK_WIN;
}

/* Plays a move with the best score of a search. */
static void expect_search(const char *name, struct nk_position position, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    int scores[NK_MAX_MOVES], count, own = 0, best = -NK_SCORE_WIN;
    const struct nk_rules *rules = nk_table_rules(table);
    const int chosen = chosen_by(name, position, random, moves, &count);
    (void)nk_search(rules, position, 2, false, scores, NULL);
    (void)nk_position_moves(rules, position, legal);
    for (int m = 0; m < count; m++) {
        best = scores[m] > best ? scores[m] : best;
        own = nk_move_equal(legal[m], moves[chosen].move) ? scores[m] : own;
    }
    cr_assert_eq(own, best, "%s", name);
}

Test(opponents, play_as_described, .init = open_standard, .fini = close_board)
{
    uint64_t random = 1;
    int missed = 0;
    for (int i = 0; i < 300; i++) {
        const struct nk_position position = random_position(&random);
        struct nk_move_value moves[NK_MAX_MOVES];
        int count;
        for (int level = 1; level <= 15; level++) {
            char name[NK_OPPONENT_TEXT];
            snprintf(name, sizeof name, "level:%d", level);
            missed += expect_sight(name, sight(level), position, &random);
        }
        expect_sight("rules", 2, position, &random);
        const int chosen = chosen_by("weakest", position, &random, moves, &count);
        cr_assert(same_value(moves[chosen].value, moves[count - 1].value));
        chosen_by("random", position, &random, moves, &count);
        expect_search("minimax:2", position, &random);
        expect_search("alphabeta:2", position, &random);
    }
    cr_assert_gt(missed, 0);
}
