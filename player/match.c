#include "player/match.h"

#include "common/parallel.h"
#include "player/random.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Random sequences: those of the games have their numbers, those of the pairs' first positions begin here. */
static const uint64_t first_pair = UINT64_C(1) << 63;

/* Positions to try before we believe that there is none. */
static const uint32_t most_tries = 10000000;

/* What a thread has to itself. All of the score are whole numbers, so it does not matter who adds up what. */
struct worker {
    struct nk_score score;
    enum nk_status status; /* why it plays no more */
    struct nk_error error;
};

/* What the threads share. */
struct hall {
    const struct nk_match *match;
    struct nk_table *table;
    struct worker *workers; /* [match->threads] */
    atomic_bool broken;     /* a game failed: begin no more */
};

/* ---- where a game begins ---- */

/* Takes any two configurations until they make a position that will do. */
static enum nk_status random_position(struct nk_table *table, bool drawn, uint64_t random,
                                      struct nk_position *position, struct nk_error *error)
{
    const struct nk_index *index = nk_table_index(table);
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move moves[NK_MAX_MOVES];
    for (uint32_t i = 0; i < most_tries; i++) {
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
    return nk_fail(error, NK_E_POSITION, 0, "no %sposition found to begin from in %llu tries",
                   drawn ? "drawn " : "", (unsigned long long)most_tries);
}

static enum nk_status begin_game(const struct hall *hall, uint64_t number, struct nk_game **game,
                                 struct nk_error *error)
{
    const struct nk_match *match = hall->match;
    struct nk_position position = match->position;
    enum nk_colour to_move = match->to_move;
    if (match->start != NK_START_GIVEN) {
        const uint64_t random = nk_random_split(match->seed, first_pair + number / 2);
        const enum nk_status status =
            random_position(hall->table, match->start == NK_START_DRAWN, random, &position, error);
        if (status)
            return status;
        to_move = NK_BLACK;
    }
    return nk_game_new(nk_table_rules(hall->table), position, to_move, game, error);
}

/* ---- playing ---- */

/* Who of A and B has a colour in a game. */
static int side_of(enum nk_colour colour, uint64_t number)
{
    return (colour == NK_BLACK) == (number % 2 == 0) ? NK_SIDE_A : NK_SIDE_B;
}

static enum nk_status play_moves(const struct hall *hall, uint64_t number, struct nk_game *game,
                                 struct nk_score *score, struct nk_error *error)
{
    const struct nk_match *match = hall->match;
    uint64_t random = nk_random_split(match->seed, number);
    struct nk_value before, after;
    enum nk_status status = nk_game_value(hall->table, game, &before, error);
    while (!status && nk_game_end(game, NULL) == NK_END_NONE && nk_game_plies(game) < match->max_plies) {
        const int side = side_of(nk_game_to_move(game), number);
        struct nk_move move;
        if ((status =
                 nk_opponent_move(match->opponents[side], hall->table, game, &random, &move, NULL, error)) ||
            (status = nk_game_play(game, move, error)) ||
            (status = nk_game_value(hall->table, game, &after, error)))
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

static enum nk_status play_game(const struct hall *hall, uint64_t number, struct nk_score *score,
                                struct nk_error *error)
{
    struct nk_game *game = NULL;
    enum nk_status status = begin_game(hall, number, &game, error);
    if (status)
        return status;
    status = play_moves(hall, number, game, score, error);
    if (!status)
        count_end(game, number, score);
    nk_game_free(game);
    return status;
}

static void work(void *context, uint32_t number, int who)
{
    struct hall *hall = context;
    struct worker *worker = &hall->workers[who];
    if (atomic_load_explicit(&hall->broken, memory_order_relaxed))
        return;
    worker->status = play_game(hall, number, &worker->score, &worker->error);
    if (worker->status)
        atomic_store_explicit(&hall->broken, true, memory_order_relaxed);
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
    struct hall hall = {.match = match, .table = table};
    hall.workers = calloc((size_t)match->threads, sizeof *hall.workers);
    if (!hall.workers)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for %d threads", match->threads);
    nk_parallel(match->threads, match->games, work, &hall);
    for (int who = 0; who < match->threads; who++) {
        const struct worker *worker = &hall.workers[who];
        add_score(&sum, &worker->score);
        if (worker->status && !status) {
            status = worker->status;
            if (error)
                *error = worker->error;
        }
    }
    free(hall.workers);
    if (!status)
        *score = sum;
    return status;
}
