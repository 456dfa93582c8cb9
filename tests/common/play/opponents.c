/* The opponents: their names, and that each plays as it is described. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(opponents, have_the_names_by_which_they_are_called)
{
    static const char *const names[] = {"human",       "random",  "rules",    "minimax:1", "minimax:20",
                                        "alphabeta:1", "level:1", "level:15", "weakest",   "perfect"};
    for (size_t i = 0; i < COUNT(names); i++)
        cr_assert_str_eq(nk_opponent_name(opponent_of(names[i])).s, names[i]);
}

Test(opponents, have_no_other_names)
{
    static const char *const names[] = {"Random",   "minimax",  "minimax:",  "minimax:0",     "minimax:21",
                                        "level:16", "level:1x", "perfect:2", "alphabeta:4:4", "levels:3"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct nk_opponent opponent;
        cr_assert_eq(nk_opponent_parse(names[i], &opponent, NULL), NK_E_SYNTAX, "%s", names[i]);
    }
}

Test(opponents, have_no_numbers_below_zero)
{
    struct nk_text name, about;
    cr_assert_not(nk_opponent_ranked(-1, &name, &about));
    cr_assert_null(nk_opponent_kind_at(-1));
}

/* What people are offered first, weakest first, and how records name it. */
static const struct {
    const char *name, *same_as;
} offered[] = {{"beginner", "level:1"},
               {"easy", "level:5"},
               {"medium", "level:9"},
               {"hard", "level:12"},
               {"perfect", "perfect"}};

Test(opponents, of_some_levels_have_names_for_people)
{
    for (size_t i = 0; i < COUNT(offered); i++)
        cr_assert_str_eq(nk_opponent_name(opponent_of(offered[i].name)).s, offered[i].same_as);
}

Test(opponents, are_offered_under_their_names)
{
    for (size_t i = 0; i < COUNT(offered); i++)
        cr_assert_str_eq(nk_opponent_offered_as(opponent_of(offered[i].same_as)), offered[i].name);
    cr_assert_null(nk_opponent_offered_as(opponent_of("level:3")));
}

Test(opponents, offered_to_people_are_ranked)
{
    struct nk_text ranked, about;
    size_t left = COUNT(offered);
    for (int n = 0; nk_opponent_ranked(n, &ranked, &about); n++) {
        const char *name = nk_opponent_offered_as(opponent_of(ranked.s));
        if (name)
            cr_assert_str_eq(name, offered[--left].name);
    }
    cr_assert_eq(left, 0);
}

Test(opponents, are_described_each_differently)
{
    struct nk_text name, one, other;
    for (int n = 0; nk_opponent_ranked(n, &name, &one); n++)
        for (int m = 0; m < n && nk_opponent_ranked(m, &name, &other); m++)
            cr_expect_str_neq(one.s, other.s, "%d and %d", n, m);
}

/* How the opponent with a name is described. */
static struct nk_text description_of(const char *wanted)
{
    struct nk_text name = {""}, about = {""};
    for (int n = 0; strcmp(name.s, wanted) != 0; n++)
        cr_assert(nk_opponent_ranked(n, &name, &about), "%s", wanted);
    return about;
}

Test(opponents, of_a_level_are_described_by_what_they_see)
{
    cr_assert_str_eq(description_of("level:3").s, "sees wins in one move and some in three");
    cr_assert_str_eq(description_of("level:4").s, "sees 2 plies ahead");
    cr_assert_str_eq(description_of("level:15").s, "sees 13 plies ahead");
}

Test(opponents, that_are_misspelt_are_proposed)
{
    struct nk_opponent opponent;
    struct nk_error error;
    cr_assert_eq(nk_opponent_parse("levl:3", &opponent, &error), NK_E_SYNTAX);
    cr_assert_str_eq(error.text, "unknown opponent 'levl:3'; did you mean 'level:3'?");
}

/* All kinds are listed, but for a program without a person. */
Test(opponents, that_are_unknown_are_rejected_with_a_list)
{
    const struct nk_opponent_kind *kind;
    const char *last = "";
    struct nk_opponent opponent;
    struct nk_error error;
    for (int k = 0; (kind = nk_opponent_kind_at(k)); k++)
        last = kind->form;
    cr_assert_eq(nk_opponent_parse("x", &opponent, &error), NK_E_SYNTAX);
    cr_assert(strstr(error.text, "unknown opponent 'x': expected human, beginner, "), "%s", error.text);
    /* "or" is only before the last. */
    cr_assert_eq(strstr(error.text, " or "), strstr(error.text, nk_text_of(" or %s", last).s), "%s",
                 error.text);
    cr_assert(strstr(error.text, " or "));
    cr_assert_eq(nk_opponent_parse_program("x", &opponent, &error), NK_E_SYNTAX);
    cr_assert(strstr(error.text, "unknown opponent 'x': expected beginner, easy, "), "%s", error.text);
}

Test(opponents, that_do_not_exist_are_not_proposed)
{
    struct nk_opponent opponent;
    struct nk_error error;
    cr_assert_eq(nk_opponent_parse("levl:99", &opponent, &error), NK_E_SYNTAX);
    cr_assert_null(strstr(error.text, "did you mean"), "%s", error.text);
}

/* The move that an opponent chooses for Black. */
static struct nk_move chosen_by(const char *name, struct nk_position position, uint64_t *random)
{
    AUTO_GAME *game = NULL;
    struct nk_move move;
    cr_assert(!nk_game_new(nk_table_rules(table), position, NK_BLACK, &game, NULL));
    cr_assert(!nk_opponent_choose(opponent_of(name), table, game, random, NULL, &move, NULL));
    cr_assert(!nk_move_check(nk_table_rules(table), position, NK_BLACK, move, NULL), "%s", name);
    return move;
}

/* A game of another board than the table's would be looked up in places that have nothing to do with it. */
Test(opponents, reject_a_game_of_another_board, .init = open_4x4, .fini = close_board)
{
    const struct nk_opponent_kind *kind;
    struct nk_rules other;
    AUTO_GAME *game = NULL;
    struct nk_move move;
    uint64_t random = 0;
    cr_assert(!nk_rules_init(&other, &(struct nk_board){4, 4, 3, 3, NK_WIN_DIAGONAL}, NULL));
    const struct nk_position position = {nk_bit(0) | nk_bit(1) | nk_bit(6),
                                         nk_bit(15) | nk_bit(14) | nk_bit(9)};
    cr_assert(!nk_game_new(&other, position, NK_BLACK, &game, NULL));
    for (int k = 0; (kind = nk_opponent_kind_at(k)); k++) {
        char name[80];
        snprintf(name, sizeof name, kind->max ? "%s:%d" : "%s", kind->name, kind->min);
        if (strcmp(name, "human") == 0)
            continue;
        cr_assert_eq(nk_opponent_choose(opponent_of(name), table, game, &random, NULL, &move, NULL),
                     NK_E_RULES, "%s", name);
    }
}

/* Plays the fastest win or another win that it sees within some plies, and avoids a loss that it must see while there
 * is another move. Returns whether it overlooked a win further away. */
static bool expect_sight(const char *name, int plies, struct nk_position position, uint64_t *random)
{
    const struct nk_value played = value_of_move(position, chosen_by(name, position, random));
    const struct nk_value best = value_of(position);
    const bool is_seen = best.result != NK_DRAW && best.plies <= plies;
    cr_assert(is_seen ? best.result == NK_LOSS || same_value(played, best)
                      : played.result != NK_LOSS || played.plies > plies,
              "%s: %s", name, position_text(nk_table_rules(table), position).s);
    return best.result == NK_WIN && played.result != NK_WIN;
}

/* Plays a move with the best score of a search. */
static void expect_search(const char *name, struct nk_position position, uint64_t *random)
{
    struct nk_move legal[NK_MAX_MOVES];
    int scores[NK_MAX_MOVES];
    const struct nk_rules *rules = nk_table_rules(table);
    const int count = nk_search(rules, position, 2, false, NULL, scores, NULL);
    (void)nk_position_moves(rules, position, legal);
    const int chosen = nk_move_find(legal, sizeof *legal, count, chosen_by(name, position, random));
    for (int m = 0; m < count; m++)
        cr_assert_leq(scores[m], scores[chosen], "%s", name);
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
            char name[20];
            snprintf(name, sizeof name, "level:%d", level);
            missed += expect_sight(name, level < 4 ? level > 1 : level - 2, position, &random);
        }
        expect_sight("rules", 2, position, &random);
        expect_sight("random", 0, position, &random);
        cr_assert(!nk_table_moves(table, position, moves, &count, NULL));
        cr_assert(same_value(value_of_move(position, chosen_by("weakest", position, &random)),
                             moves[count - 1].value));
        expect_search("minimax:2", position, &random);
        expect_search("alphabeta:2", position, &random);
    }
    cr_assert_gt(missed, 0);
}

/* The sum of the evaluations, for White, of what 200 first moves of an opponent lead to. */
static int left_by(const char *name)
{
    AUTO_GAME *game = begin_game(NULL, "1w1w1/2b2/5/2w2/1b1b1 b");
    const struct nk_position start = nk_game_position(game);
    uint64_t random = 1;
    int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += nk_evaluate(nk_table_rules(table), nk_position_after(start, chosen_by(name, start, &random)));
    return sum;
}

Test(opponents, of_a_level_play_the_better_of_two_moves_that_they_do_not_see_through, .init = open_standard,
     .fini = close_board)
{
    cr_assert_lt(left_by("level:1"), left_by("random"));
}

/* One reason decides in each position: a double threat, keeping the other side from making one, and the middle. */
Test(opponents, follow_the_rules)
{
    const struct {
        struct nk_board board;
        const char *position, *move;
    } cases[] = {{STANDARD, "wb2w/2b2/5/wb3/5 b", "b2-b4"},
                 {STANDARD, "4b/4w/2b2/b4/2w1w b", "a2-e2"},
                 {{4, 6, 3, 3, NK_WIN_LINE}, "4/b2w/1w2/4/1b2/1bw1 b", "a5-c5"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        open_board(cases[i].board);
        AUTO_GAME *game = begin_game(nk_table_rules(table), cases[i].position);
        uint64_t random = 1;
        const struct nk_move move = chosen_by("rules", nk_game_position(game), &random);
        cr_assert_str_eq(nk_move_text(nk_table_rules(table), move).s, cases[i].move);
        close_board();
    }
}
