/* How the games of a match are divided into parts, and what an interruption leaves. What matches result in is in
 * tests/programs/test_match.py. */

#include "player/player.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* The linker passes the calls of nk_system_now and nk_game_play to the functions that begin with __wrap. */
static double seconds_per_call;
static atomic_bool *stopped_by_a_move;
double __wrap_nk_system_now(void);
enum nk_status __real_nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error);
enum nk_status __wrap_nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error);

double __wrap_nk_system_now(void)
{
    static double now;
    return now += seconds_per_call;
}

enum nk_status __wrap_nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error)
{
    if (stopped_by_a_move)
        atomic_store(stopped_by_a_move, true);
    return __real_nk_game_play(game, move, error);
}

TestSuite(matches, .init = open_standard, .fini = close_board);

/* Counts the parts, of which there are never more than games, and ends a match that has more. */
struct parts {
    atomic_bool stop;
    int count;
};

static bool count_part(void *context, double done)
{
    struct parts *parts = context;
    (void)done;
    if (++parts->count > 1000)
        atomic_store(&parts->stop, true);
    return true;
}

enum { GAMES = 200 };

/* Counts the games that have ended, by number. */
static enum nk_status count_game(void *context, uint32_t number, const struct nk_game *game,
                                 struct nk_error *error)
{
    atomic_int *ended = context;
    (void)game;
    (void)error;
    ended[number]++;
    return NK_OK;
}

/* Parts that take long get smaller, but each has a game for every thread. No game is played twice. */
Test(matches, of_slow_games_end)
{
    static atomic_int ended[GAMES];
    struct parts parts = {.stop = false};
    struct score score = {0};
    const struct match match = {.opponents = {opponent_of("random"), opponent_of("random")},
                                .start = RANDOM_ANY,
                                .games = GAMES,
                                .threads = 2,
                                .max_plies = 1,
                                .finished = count_game,
                                .context = ended};
    seconds_per_call = 1;
    cr_assert(!match_play(table, &match, &parts.stop,
                          &(struct nk_progress_sink){.report = count_part, .context = &parts}, &score, NULL));
    cr_assert_eq(score_games(&score), GAMES, "%d parts", parts.count);
    for (int n = 0; n < GAMES; n++)
        cr_assert_eq(ended[n], 1, "game %d", n);
}

/* The first move of the only game, by which Black loses a position that is won in one move, interrupts the match. */
Test(matches, moves_of_an_interrupted_game_do_not_count)
{
    struct nk_game *game = begin_game(NULL, "5/5/2w2/1w2w/bb1b1 b");
    atomic_bool stop = false;
    struct score score = {0};
    const struct match match = {.opponents = {opponent_of("weakest"), opponent_of("random")},
                                .start = RANDOM_NONE,
                                .position = nk_game_position(game),
                                .to_move = NK_BLACK,
                                .games = 1,
                                .threads = 1,
                                .max_plies = 100};
    stopped_by_a_move = &stop;
    cr_assert(!match_play(table, &match, &stop, NULL, &score, NULL));
    cr_assert_eq(score.blunders[SIDE_A], 0);
    nk_game_free(game);
}
