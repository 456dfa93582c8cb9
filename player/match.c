#include "player/match.h"

#include "common/parallel.h"
#include "player/random.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Numbers of random sequences: those of the games are below, those of the start positions of pairs begin here. */
static const uint64_t first_pair = UINT64_C(1) << 63;

/* Random placements to try before the search for a start position fails. */
static const uint32_t max_tries = 10000000;

/* The results of a thread. All counts are integers, so the total does not depend on which thread played a game. */
struct worker {
    struct nk_score score;
    enum nk_status status; /* of the last game; after an error, the thread starts no more games */
    struct nk_error error;
};

/* A match in progress, shared by the threads. */
struct match_run {
    const struct nk_match *match;
    struct nk_table *table;
    struct worker *workers; /* [match->threads] */
    atomic_bool failed;     /* a game failed: start no more games */
};

/* ---- start positions ---- */

/* Chooses random placements until one is a legal position that is not over and, if requested, drawn. Every such
 * position has the same probability. */
static enum nk_status random_position(struct nk_table *table, bool drawn, uint64_t random,
                                      struct nk_position *position, struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move moves[NK_MAX_MOVES];
    for (uint32_t i = 0; i < max_tries; i++) {
        const uint64_t mover = nk_index_unrank(index, nk_random_below(&random, index->configurations));
        const uint64_t other = nk_index_unrank(index, nk_random_below(&random, index->configurations));
        const struct nk_position found = {mover, other};
        if (mover & other || nk_rules_won(rules, mover) || !nk_position_moves(rules, found, moves))
            continue;
        if (drawn) {
            struct nk_value value;
            const enum nk_status status = nk_table_value(table, found, &value, error);
            if (status)
                return status;
            if (value.result != NK_DRAW)
                continue;
        }
        *position = found;
        return NK_OK;
    }
    return nk_fail(error, NK_E_POSITION, 0, "no %sstart position found in %u tries", drawn ? "drawn " : "",
                   max_tries);
}

static enum nk_status new_game(const struct match_run *run, uint64_t number, struct nk_game **game,
                               struct nk_error *error)
{
    const struct nk_match *match = run->match;
    struct nk_position position = match->position;
    enum nk_colour to_move = match->to_move;
    if (match->start != NK_START_GIVEN) {
        const uint64_t random = nk_random_split(match->seed, first_pair + number / 2);
        const enum nk_status status =
            random_position(run->table, match->start == NK_START_DRAWN, random, &position, error);
        if (status)
            return status;
        to_move = NK_BLACK;
    }
    return nk_game_new(nk_table_rules(run->table), position, to_move, game, error);
}

/* ---- playing ---- */

/* Which of A and B plays a colour in a game. */
static int side_of(enum nk_colour colour, uint64_t number)
{
    return (colour == NK_BLACK) == (number % 2 == 0) ? NK_SIDE_A : NK_SIDE_B;
}

static enum nk_status play_moves(const struct match_run *run, uint64_t number, struct nk_game *game,
                                 struct nk_score *score, struct nk_error *error)
{
    const struct nk_match *match = run->match;
    uint64_t random = nk_random_split(match->seed, number);
    struct nk_value before, after;
    enum nk_status status = nk_game_value(run->table, game, &before, error);
    while (!status && nk_game_end(game, NULL) == NK_END_NONE && nk_game_plies(game) < match->max_plies) {
        const int side = side_of(nk_game_to_move(game), number);
        struct nk_move move;
        if ((status =
                 nk_opponent_move(match->opponents[side], run->table, game, &random, &move, NULL, error)) ||
            (status = nk_game_play(game, move, error)) ||
            (status = nk_game_value(run->table, game, &after, error)))
            break;
        score->thrown[side] += -(int)after.result < (int)before.result;
        before = after;
    }
    return status;
}

static void count_end(const struct nk_game *game, uint64_t number, struct nk_score *score)
{
    enum nk_colour winner;
    score->plies += (uint64_t)nk_game_plies(game);
    if (nk_game_end(game, &winner) == NK_END_WON)
        score->wins[side_of(winner, number)]++;
    else
        score->draws++;
}

static enum nk_status play_game(const struct match_run *run, uint64_t number, struct nk_score *score,
                                struct nk_error *error)
{
    struct nk_game *game = NULL;
    enum nk_status status = new_game(run, number, &game, error);
    if (status)
        return status;
    status = play_moves(run, number, game, score, error);
    if (!status)
        count_end(game, number, score);
    nk_game_free(game);
    return status;
}

static void play_job(void *context, uint32_t number, int thread)
{
    struct match_run *run = context;
    struct worker *worker = &run->workers[thread];
    if (atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    worker->status = play_game(run, number, &worker->score, &worker->error);
    if (worker->status)
        atomic_store_explicit(&run->failed, true, memory_order_relaxed);
}

/* ---- the match ---- */

static void add_score(struct nk_score *sum, const struct nk_score *score)
{
    for (int side = 0; side < NK_SIDES; side++) {
        sum->wins[side] += score->wins[side];
        sum->thrown[side] += score->thrown[side];
    }
    sum->draws += score->draws;
    sum->plies += score->plies;
}

enum nk_status nk_match_play(struct nk_table *table, const struct nk_match *match, struct nk_score *score,
                             struct nk_error *error)
{
    struct nk_score sum = {0};
    enum nk_status status = NK_OK;
    struct match_run run = {.match = match, .table = table};
    run.workers = calloc((size_t)match->threads, sizeof *run.workers);
    if (!run.workers)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for %d threads", match->threads);
    nk_parallel(match->threads, match->games, play_job, &run);
    for (int thread = 0; thread < match->threads; thread++) {
        const struct worker *worker = &run.workers[thread];
        add_score(&sum, &worker->score);
        if (worker->status && !status) {
            status = worker->status;
            if (error)
                *error = worker->error;
        }
    }
    free(run.workers);
    if (!status)
        *score = sum;
    return status;
}
