/* The ratings that follow from results. */

#include "player/rating.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <math.h>

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
        {"with draws", /* 200 log10(3); half of the interval: 1.96 / 2 * 173.7 / sqrt(7.5 - 20 / 4 * 40 / 42) */
         {2, .wins = {{0, 20}, {0, 0}}, .draws = {{0, 20}, {20, 0}}},
         -1,
         {{95.42, 57.86, 132.98}, {-95.42, -132.98, -57.86}}},
        {"all drawn", {2, .draws = {{0, 98}, {98, 0}}}, -1, {{0, -4.86, 4.86}, {0, -4.86, 4.86}}},
        {"one of three wins all", /* odds of 3; iterating points = sum of the expected gives the first column */
         {3, .wins = {{0, 20, 20}, {0, 0, 30}, {0, 10, 0}}},
         2,
         {{760.42, 498.26, inf}, {185.34, 64.58, 306.11}, {0, 0, 0}}},
        {"no games", {.count = 2}, -1, {{0, -inf, inf}, {0, -inf, inf}}},
        {"one player", {.count = 1}, -1, {{0, 0, 0}}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_rating found[3];
        cr_assert(!nk_rate(&cases[i].results, cases[i].anchor, found, NULL));
        for (int a = 0; a < cases[i].results.count; a++) {
            cr_assert(is_close(found[a].elo, cases[i].expected[a].elo), "%s, player %d: %f from %f to %f",
                      cases[i].what, a, found[a].elo, found[a].low, found[a].high);
            cr_assert(is_close(found[a].low, cases[i].expected[a].low), "%s, player %d: %f from %f to %f",
                      cases[i].what, a, found[a].elo, found[a].low, found[a].high);
            cr_assert(is_close(found[a].high, cases[i].expected[a].high), "%s, player %d: %f from %f to %f",
                      cases[i].what, a, found[a].elo, found[a].low, found[a].high);
        }
    }
}
