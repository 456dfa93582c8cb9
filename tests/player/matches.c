/* Matches: where the games begin, and that threads do not matter. */

#include "player/match.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <string.h>

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
            cr_assert_eq(score->thrown[NK_SIDE_A], 0, "the perfect player gave something away");
            cr_assert(score->wins[0] > score->wins[1] && score->thrown[NK_SIDE_B] > 0);
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
    cr_assert(!nk_match_play_part(table, matches, 2, 0, 11, &stop, parts, NULL));
    cr_assert(!nk_match_play_part(table, matches, 2, 11, match.games, NULL, parts, NULL));
    stop = true;
    cr_assert(!nk_match_play_part(table, matches, 2, 0, 11, &stop, parts, NULL));
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
