/* The choice of a move on every position, the search, the opponents, and the game's own rules. */

#include "common/notation.h"
#include "player/opponents.h"
#include "player/random.h"
#include "player/search.h"
#include "solver/trap.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { UNDER_SANITIZER = true };
#else
enum { UNDER_SANITIZER = false };
#endif

static struct nk_table *table;

static void open_standard(void)
{
    enter_directory();
    struct solved solved = solve_board(STANDARD);
    uint8_t *traps;
    cr_assert_eq(nk_traps(solved.index, solved.codes, 0, &traps), NK_OK);
    cr_assert_eq(
        nk_table_write("t.dat", solved.index, &solved.solution->summary, solved.codes, traps, NULL, NULL),
        NK_OK);
    cr_assert_eq(nk_table_open("t.dat", &table, NULL), NK_OK);
    free(traps);
    solved_free(&solved);
}

static void close_standard(void)
{
    nk_table_close(table);
    leave_directory();
}

TestSuite(player, .init = open_standard, .fini = close_standard);

static struct nk_game *begin(const char *text)
{
    struct nk_game *game;
    struct nk_position position;
    enum nk_colour to_move;
    cr_assert_eq(nk_position_parse(nk_table_rules(table), text, &position, &to_move, NULL), NK_OK);
    cr_assert_eq(nk_game_begin(nk_table_rules(table), position, to_move, &game, NULL), NK_OK);
    return game;
}

static const char start[] = "1w1w1/2b2/5/2w2/1b1b1 b";

static void play(struct nk_game *game, const char *moves)
{
    for (; *moves; moves += strspn(moves, " ")) {
        struct nk_move move;
        struct nk_error error = {0};
        char text[16] = {0};
        const size_t length = strcspn(moves, " ");
        memcpy(text, moves, length);
        cr_assert_eq(nk_move_parse(nk_game_rules(game), text, &move, NULL), NK_OK);
        cr_assert_eq(nk_game_play(game, move, &error), NK_OK, "%s: %s", text, error.text);
        moves += length;
    }
}

/* ---- the perfect choice, on every undecided position of the game ---- */

struct share {
    uint32_t first, step;
    uint64_t undecided, wrong;
};

static bool is_right(struct nk_position position, uint64_t *random)
{
    struct nk_game *game;
    struct nk_move move = {0, 0};
    struct nk_value before, after;
    nk_game_begin(nk_table_rules(table), position, NK_WHITE, &game, NULL);
    bool right = nk_choose(table, game, random, &move, NULL) == NK_OK &&
                 nk_move_check(nk_table_rules(table), position, NK_WHITE, move, NULL) == NK_OK &&
                 nk_table_value(table, position, &before, NULL) == NK_OK &&
                 nk_table_value(table, nk_position_after(position, move), &after, NULL) == NK_OK &&
                 (int)after.result == -(int)before.result &&
                 after.plies == (before.result == NK_DRAW ? 0 : before.plies - 1);
    nk_game_free(game);
    return right;
}

static void *check_share(void *context)
{
    struct share *share = context;
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = share->first;
    for (uint32_t a = share->first; a < index->arrangements; a += share->step) {
        const uint64_t mover = nk_index_unrank(index, a);
        uint64_t other = nk_bit(index->rules.pieces) - 1;
        for (uint32_t b = 0; b < index->arrangements; b++, other = nk_index_next(other)) {
            if (mover & other || nk_rules_won(&index->rules, mover) || nk_rules_won(&index->rules, other))
                continue;
            /* A sanitizer slows all this down; then one position of each class will do. */
            if (UNDER_SANITIZER && index->classes[index->class_of[b]].images[0] != b)
                continue;
            share->undecided++;
            share->wrong += !is_right((struct nk_position){mover, other}, &random);
        }
    }
    return NULL;
}

Test(player, perfect_choice_on_every_position, .timeout = 1200)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct share shares[THREADS] = {{0}};
    uint64_t undecided = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        shares[i] = (struct share){.first = i, .step = THREADS};
        cr_assert_eq(pthread_create(&threads[i], NULL, check_share, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(shares[i].wrong, 0);
        undecided += shares[i].undecided;
    }
    if (!UNDER_SANITIZER)
        cr_assert_eq(undecided, 3395644);
}

/* ---- search ---- */

Test(player, alpha_beta_gives_the_scores_of_minimax)
{
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 1, plain = 0, pruned = 0;
    for (int i = 0; i < 1000;) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        if (nk_rules_won(&index->rules, position.mover) || nk_rules_won(&index->rules, position.other))
            continue;
        i++;
        for (int plies = 1; plies <= (UNDER_SANITIZER ? 3 : 4); plies++) {
            struct nk_move_score a[NK_MAX_MOVES], b[NK_MAX_MOVES];
            const int count = nk_search(&index->rules, position, plies, false, a, &plain);
            cr_assert_eq(nk_search(&index->rules, position, plies, true, b, &pruned), count);
            for (int m = 0; m < count; m++)
                cr_assert(a[m].move.from == b[m].move.from && a[m].move.to == b[m].move.to &&
                          a[m].score == b[m].score);
        }
    }
    cr_assert_lt(pruned, plain / 2);
}

Test(player, search_sees_what_the_table_says)
{
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 2;
    for (int i = 0; i < 300;) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        struct nk_move_score scores[NK_MAX_MOVES];
        struct nk_value value;
        if (nk_position_check(&index->rules, position, NK_BLACK, NULL) ||
            nk_rules_won(&index->rules, position.other))
            continue;
        cr_assert_eq(nk_table_value(table, position, &value, NULL), NK_OK);
        if (value.result == NK_DRAW || value.plies > 5)
            continue;
        i++;
        const int count = nk_search(&index->rules, position, 5, true, scores, NULL);
        int best = -NK_SCORE_WIN;
        for (int m = 0; m < count; m++)
            best = scores[m].score > best ? scores[m].score : best;
        cr_assert_eq(best, value.result == NK_WIN ? NK_SCORE_WIN - value.plies : value.plies - NK_SCORE_WIN);
    }
}

Test(player, evaluation_counts_lines)
{
    struct nk_position position;
    enum nk_colour to_move;
    nk_position_parse(nk_table_rules(table), start, &position, &to_move, NULL);
    cr_assert_eq(nk_evaluate(nk_table_rules(table), position), 0); /* the start is symmetric */
    /* Black in the corner a1: 3 lines of its own; White on c3: 12 of its own, one of them through a1. */
    cr_assert_eq(nk_evaluate(nk_table_rules(table), (struct nk_position){nk_bit(0), nk_bit(12)}),
                 3 - 1 - (12 - 1));
}

/* ---- the game: repetition, undo, redo, reasons ---- */

Test(player, third_occurrence_is_a_draw_and_can_be_taken_back)
{
    struct nk_game *game = begin("4w/2wb1/1w3/2b2/b4 b");
    struct nk_move last = {0, 0};
    play(game, "a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert_eq(nk_move_parse(nk_game_rules(game), "e1-e5", &last, NULL), NK_OK);
    cr_assert_eq(nk_game_repeats(game, last), 2);
    play(game, "e1-e5");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_REPETITION);
    cr_assert_eq(nk_game_occurrences(game, nk_game_position(game), NK_BLACK), 3);
    cr_assert_eq(nk_game_play(game, last, NULL), NK_E_MOVE);
    cr_assert(nk_game_undo(game));
    cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    cr_assert(nk_game_redo(game));
    cr_assert_eq(nk_game_end(game, NULL), NK_END_REPETITION);
    cr_assert(!nk_game_redo(game));
    while (nk_game_undo(game))
        ;
    cr_assert_eq(nk_game_plies(game), 0);
    cr_assert_eq(nk_game_occurrences(game, nk_game_position(game), NK_BLACK), 1);
    nk_game_free(game);
}

Test(player, same_squares_with_the_other_side_to_move_do_not_count)
{
    struct nk_game *game = begin(start);
    const struct nk_position first = nk_game_position(game);
    cr_assert_eq(nk_game_occurrences(game, first, NK_BLACK), 1);
    cr_assert_eq(nk_game_occurrences(game, first, NK_WHITE), 0);
    nk_game_free(game);
}

Test(player, wrong_moves_are_refused_with_the_reason)
{
    struct nk_game *game = begin(start);
    static const struct {
        const char *move, *reason;
    } wrong[] = {
        {"b5-b4", "not Black's"}, {"a3-a4", "no piece"},      {"b1-c3", "not on one line"},
        {"c4-c3", NULL},          {"b1-b3", "on b4, not b3"}, {"c4-d4", "on e4, not d4"},
        {"c4-d5", "blocked"},     {"c4-b5", "blocked"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct nk_move move;
        struct nk_error error = {0};
        cr_assert_eq(nk_move_parse(nk_game_rules(game), wrong[i].move, &move, NULL), NK_OK);
        const enum nk_status status =
            nk_move_check(nk_game_rules(game), nk_game_position(game), NK_BLACK, move, &error);
        cr_assert_eq(status, wrong[i].reason ? NK_E_MOVE : NK_OK, "%s", wrong[i].move);
        if (wrong[i].reason)
            cr_assert(strstr(error.text, wrong[i].reason), "%s: %s", wrong[i].move, error.text);
    }
    nk_game_free(game);
}

/* ---- repetition and the perfect choice ---- */

/* A lost position that occurs for the third time after one of its moves is saved by that move; the winner
 * avoids such a move while it has another win. Found by playing: the loser's quiet moves to and fro are
 * searched, not assumed. */
Test(player, repetition_saves_the_lost_and_is_avoided_by_the_winner)
{
    const struct nk_index *index = nk_table_index(table);
    uint64_t random = 3;
    int saved = 0, avoided = 0;
    for (int tries = 0; tries < 200000 && (saved < 20 || avoided < 20); tries++) {
        struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        struct nk_value value;
        struct nk_game *game;
        if (nk_position_check(&index->rules, position, NK_BLACK, NULL) ||
            nk_table_value(table, position, &value, NULL) || value.result == NK_DRAW || value.plies < 8)
            continue;
        nk_game_begin(&index->rules, position, NK_BLACK, &game, NULL);
        /* Two moves to and fro by both sides, whatever they are worth, come back to this position. */
        struct nk_move one[NK_MAX_MOVES], two[NK_MAX_MOVES];
        const int n = nk_position_moves(&index->rules, position, one);
        bool back = false;
        for (int i = 0; i < n && !back; i++) {
            const struct nk_position after = nk_position_after(position, one[i]);
            const int k = nk_position_moves(&index->rules, after, two);
            for (int j = 0; j < k && !back; j++) {
                back = true;
                for (int round = 0; back && round < 2; round++)
                    back =
                        !nk_game_play(game, one[i], NULL) && !nk_game_play(game, two[j], NULL) &&
                        !nk_game_play(game, (struct nk_move){one[i].to, one[i].from}, NULL) &&
                        (round == 1 || !nk_game_play(game, (struct nk_move){two[j].to, two[j].from}, NULL));
                if (!back)
                    while (nk_game_undo(game))
                        ;
                /* Now the side that moved second stands before a move that would complete the third
                 * occurrence. */
            }
        }
        struct nk_value now;
        struct nk_move chosen;
        if (back && nk_game_end(game, NULL) == NK_END_NONE &&
            nk_table_value(table, nk_game_position(game), &now, NULL) == NK_OK && now.result != NK_DRAW) {
            struct nk_move_value moves[NK_MAX_MOVES];
            int count, other_wins = 0;
            nk_table_moves(table, nk_game_position(game), moves, &count, NULL);
            for (int m = 0; m < count; m++)
                other_wins += moves[m].value.result == NK_WIN && nk_game_repeats(game, moves[m].move) < 2;
            cr_assert_eq(nk_choose(table, game, &random, &chosen, NULL), NK_OK);
            const bool third = nk_game_repeats(game, chosen) == 2;
            if (now.result == NK_LOSS) {
                cr_assert(third, "a lost position was not saved by repetition");
                saved++;
            } else if (other_wins && count > 1) {
                cr_assert(!third, "a win was given away by repetition");
                avoided++;
            }
        }
        nk_game_free(game);
    }
    cr_assert_geq(saved, 20);
    cr_assert_geq(avoided, 20);
}

Test(player, perfect_never_loses_and_the_same_seed_plays_the_same_game)
{
    struct nk_opponent perfect, random_mover;
    nk_opponent_parse("perfect", &perfect, NULL);
    nk_opponent_parse("random", &random_mover, NULL);
    struct nk_game *games[2];
    for (int i = 0; i < 2; i++) {
        uint64_t random = 99;
        games[i] = begin(start);
        while (nk_game_end(games[i], NULL) == NK_END_NONE) {
            struct nk_move move;
            const bool black = nk_game_to_move(games[i]) == NK_BLACK;
            cr_assert_eq(
                nk_opponent_move(black ? random_mover : perfect, table, games[i], &random, &move, NULL, NULL),
                NK_OK);
            cr_assert_eq(nk_game_play(games[i], move, NULL), NK_OK);
        }
    }
    enum nk_colour winner = NK_BLACK;
    cr_assert_eq(nk_game_end(games[0], &winner), NK_END_ROW);
    cr_assert_eq(winner, NK_WHITE);
    cr_assert_eq(nk_game_plies(games[0]), nk_game_plies(games[1]));
    for (int ply = 0; ply < nk_game_plies(games[0]); ply++)
        cr_assert_eq(nk_game_move_at(games[0], ply).to, nk_game_move_at(games[1], ply).to);
    nk_game_free(games[0]);
    nk_game_free(games[1]);
}

/* ---- names ---- */

Test(player, opponents_by_name)
{
    static const char *const good[] = {"human",       "random",  "rules",   "minimax:1", "minimax:20",
                                       "alphabeta:4", "level:1", "level:9", "weakest",   "perfect"};
    static const char *const bad[] = {"",
                                      "Random",
                                      "minimax",
                                      "minimax:",
                                      "minimax:0",
                                      "minimax:21",
                                      "level:0",
                                      "level:10",
                                      "level:1x",
                                      "level:-1",
                                      "perfect:2",
                                      "levels:3",
                                      "level:99999999999999999999",
                                      "alphabeta:4:4",
                                      " perfect"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct nk_opponent opponent;
        char text[NK_OPPONENT_TEXT];
        cr_assert_eq(nk_opponent_parse(good[i], &opponent, NULL), NK_OK, "%s", good[i]);
        nk_opponent_print(opponent, text);
        cr_assert_str_eq(text, good[i]);
        cr_assert_eq(nk_opponent_is_human(opponent), i == 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct nk_opponent opponent;
        struct nk_error error = {0};
        cr_assert_eq(nk_opponent_parse(bad[i], &opponent, &error), NK_E_SYNTAX, "%s", bad[i]);
        cr_assert(error.text[0]);
    }
}
