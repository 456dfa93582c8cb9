/* Matches: where the games begin, and that threads do not matter. The ratings that follow from results. The engine on a
 * full disk. */

#include "player/engine.h"
#include "player/match.h"
#include "player/rating.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(matches, .fini = close_board);

Test(matches, does_not_depend_on_the_number_of_threads)
{
    open_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    for (int start = NK_START_DRAWN; start <= NK_START_RANDOM; start++) {
        struct nk_match match = {.opponents = {opponent_of("perfect"), opponent_of("random")},
                                 .start = (enum nk_start)start,
                                 .seed = 1,
                                 .games = 60,
                                 .max_plies = 100};
        struct nk_score scores[4];
        for (match.threads = 1; match.threads <= 3; match.threads++) {
            struct nk_score *score = &scores[match.threads];
            cr_assert(!nk_match_play(table, &match, score, NULL));
            cr_assert(!memcmp(score, &scores[1], sizeof *score), "%d threads", match.threads);
            cr_assert_eq(score->wins[0] + score->wins[1] + score->draws, 60);
            cr_assert_eq(score->mistakes[NK_SIDE_A] + score->blunders[NK_SIDE_A], 0, "by the perfect player");
            cr_assert(score->wins[0] > score->wins[1] && score->mistakes[NK_SIDE_B] > 0);
            cr_assert(start != NK_START_DRAWN || score->wins[1] == 0);
        }
    }
}

/* A match in two parts gives the same games, also next to another match; after a stop, no game begins. */
Test(matches, parts_give_the_same_games)
{
    open_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_match match = {.opponents = {opponent_of("rules"), opponent_of("random")},
                                   .start = NK_START_DRAWN,
                                   .seed = 7,
                                   .games = 31,
                                   .threads = 2,
                                   .max_plies = 100};
    struct nk_match matches[2] = {match, match};
    struct nk_score whole, parts[2] = {0};
    atomic_bool stop = false;
    matches[1].seed = 8;
    cr_assert(!nk_match_play(table, &match, &whole, NULL));
    cr_assert(!nk_match_play_part(table, matches, 2, 0, 21, &stop, parts, NULL));
    cr_assert(!nk_match_play_part(table, matches, 2, 21, 2 * match.games, NULL, parts, NULL));
    stop = true;
    cr_assert(!nk_match_play_part(table, matches, 2, 0, 21, &stop, parts, NULL));
    cr_assert(!memcmp(&parts[0], &whole, sizeof whole));
    cr_assert(memcmp(&parts[1], &whole, sizeof whole), "another seed gives other games");
}

/* On a 3x3 board, four pieces have two in a row unless they are in the corners, where only one side can be. */
Test(matches, fails_without_a_start_position)
{
    static const struct {
        enum nk_start start;
        const char *message;
    } cases[] = {{NK_START_RANDOM, "no start position found"},
                 {NK_START_DRAWN, "no drawn start position: with optimal play, none of the 5 legal"}};
    open_board((struct board){3, 3, 4, 2, NK_WIN_LINE});
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_match match = {.opponents = {opponent_of("random"), opponent_of("random")},
                                       .start = cases[i].start,
                                       .games = 1,
                                       .threads = 1,
                                       .max_plies = 10};
        struct nk_score score;
        struct nk_error error;
        cr_assert_eq(nk_match_play(table, &match, &score, &error), NK_E_POSITION);
        cr_assert(strstr(error.text, cases[i].message), "%s", error.text);
    }
}

static bool is_close(double found, double expected)
{
    return found == expected || fabs(found - expected) < 0.01;
}

/* Expected values computed by hand. A difference in Elo is 400 log10(odds); the standard deviation of the difference of
 * two ratings is 400 / ln 10 * sqrt(variance of the points) / (games * e * (1 - e)), where e is the expected share. */
Test(ratings, of_results)
{
    static const double inf = INFINITY;
    static const struct {
        const char *what;
        struct nk_results results;
        int anchor;
        struct nk_rating expected[3];
    } cases[] = {
        {"three of four points", /* 200 log10(3); half of the interval: 1.96 / 2 * 173.7 / sqrt(7.5) */
         {2, .wins = {{0, 30}, {10, 0}}},
         -1,
         {{95.42, 33.26, 157.59}, {-95.42, -157.59, -33.26}}},
        {"with draws", /* the variance is 7.5 - 20 / 4 * 40 / 42 instead of 7.5 */
         {2, .wins = {{0, 20}, {0, 0}}, .draws = {{0, 20}, {20, 0}}},
         -1,
         {{95.42, 57.86, 132.98}, {-95.42, -132.98, -57.86}}},
        {"three players", /* odds of 3, 3 and 9; the inverse of {{8.4, -7.5}, {-7.5, 15}} */
         {3, .wins = {{0, 30, 9}, {10, 0, 30}, {1, 10, 0}}},
         2,
         {{381.70, 223.80, 539.59}, {190.85, 72.69, 309.01}, {0, 0, 0}}},
        {"all won", /* odds of 10.5 to 0.5 */
         {2, .wins = {{0, 10}, {0, 0}}},
         -1,
         {{264.44, 80.57, inf}, {-264.44, -inf, -80.57}}},
        {"all drawn", {2, .draws = {{0, 98}, {98, 0}}}, -1, {{0, -4.86, 4.86}, {0, -4.86, 4.86}}},
        {"one of three wins all", /* iterating points = sum of the expected gives the first column */
         {3, .wins = {{0, 20, 20}, {0, 0, 30}, {0, 10, 0}}},
         2,
         {{760.42, 498.26, inf}, {185.34, 64.58, 306.11}, {0, 0, 0}}},
        {"no games", {.count = 2}, -1, {{0, -inf, inf}, {0, -inf, inf}}},
        {"one player", {.count = 1}, -1, {{0, 0, 0}}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_rating found[3];
        cr_assert(!nk_rate(&cases[i].results, cases[i].anchor, found, NULL));
        for (int a = 0; a < cases[i].results.count; a++)
            cr_assert(is_close(found[a].elo, cases[i].expected[a].elo) &&
                          is_close(found[a].low, cases[i].expected[a].low) &&
                          is_close(found[a].high, cases[i].expected[a].high),
                      "%s, player %d: %f from %f to %f", cases[i].what, a, found[a].elo, found[a].low,
                      found[a].high);
    }
}

/* Where nothing is held back, a write fails before the flush does. */
Test(engine, notices_a_full_disk_behind_an_unbuffered_stream, .init = open_standard, .fini = close_board,
     .timeout = 60)
{
    struct nk_error error = {0};
    int in[2];
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        cr_skip("no /dev/full");
    cr_assert(!setvbuf(out, NULL, _IONBF, 0) && !pipe(in) && write(in[1], "ping\n", 5) == 5);
    /* Somebody could still write to the pipe: to read on would be to wait. */
    cr_assert_eq(nk_engine_run(table, 0, in[0], out, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "cannot write to standard output: No space left"), "%s", error.text);
    close(in[0]);
    close(in[1]);
    fclose(out);
}
