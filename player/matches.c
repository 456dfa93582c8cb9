#include "player/matches.h"

#include "common/play/random.h"
#include "common/system/parallel.h"
#include "common/system/system.h"

#include <inttypes.h>
#include <stdlib.h>

/* Numbers of random sequences: those of the games are below, those of the start positions of pairs begin here. */
static const uint64_t first_pair = UINT64_C(1) << 63;

/* Random placements to try before the search for a start position fails. Of the boards in docs/BOARDS.md that have
 * drawn positions, the one with the fewest needs 40,000 on average. */
static const uint32_t max_tries = 10000000;

/* The results of a thread. All counts are integers, so the total does not depend on which thread played a game. */
struct thread_results {
    struct nk_score score;
    enum nk_status status; /* of the last game; after an error, the thread starts no more games */
    struct nk_error error;
};

/* A match in progress, shared by the threads. */
struct match_run {
    struct nk_table *table;
    const struct nk_match *match;
    uint32_t first; /* see play_part */
    const atomic_bool *stop;
    struct thread_results *workers; /* [match->threads] */
    atomic_bool failed;             /* a game failed: start no more games */
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
        const uint64_t mover = index->squares[nk_random_below(&random, index->configurations)];
        const uint64_t other = index->squares[nk_random_below(&random, index->configurations)];
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
    return nk_fail(error, NK_E_POSITION, 0, "no start position found in %u tries", max_tries);
}

/* Fails if the summary of the table excludes that there is a start position. */
static enum nk_status check_start(const struct nk_table *table, const struct nk_match *match,
                                  struct nk_error *error)
{
    const struct nk_summary *summary = nk_table_summary(table);
    if (match->start != NK_START_DRAWN || summary->draws > summary->stalemates)
        return NK_OK;
    return nk_fail(error, NK_E_POSITION, 0,
                   "no drawn start position: with optimal play, none of the %" PRIu64
                   " legal positions of this board is a draw in which the game continues; "
                   "use --start standard or --start random",
                   summary->legal);
}

static enum nk_status new_game(const struct match_run *run, uint64_t number, struct nk_game **game,
                               struct nk_error *error)
{
    const struct nk_match *match = run->match;
    struct nk_position position = match->position;
    enum nk_colour to_move = match->to_move;
    uint64_t random = nk_random_split(match->seed, first_pair + number / 2);
    if (match->start == NK_START_LISTED) {
        position = match->starts[nk_random(&random) % match->start_count];
        to_move = NK_BLACK;
    } else if (match->start != NK_START_GIVEN) {
        const enum nk_status status =
            random_position(run->table, match->start == NK_START_DRAWN, random, &position, error);
        if (status)
            return status;
        to_move = NK_BLACK;
    }
    return nk_game_new(nk_table_rules(run->table), position, to_move, game, error);
}

/* ---- playing ---- */

static bool is_stopped(void *run)
{
    return atomic_load_explicit(((const struct match_run *)run)->stop, memory_order_relaxed);
}

/* Which of A and B plays a colour in a game. */
static int side_of(enum nk_colour colour, uint64_t number)
{
    return (colour == NK_BLACK) == (number % 2 == 0) ? NK_SIDE_A : NK_SIDE_B;
}

static enum nk_status play_moves(struct match_run *run, uint64_t number, struct nk_game *game,
                                 struct nk_score *score, struct nk_error *error)
{
    const struct nk_match *match = run->match;
    uint64_t random = nk_random_split(match->seed, number);
    struct nk_table *table = run->table;
    const struct nk_stop stop = {is_stopped, run};
    struct nk_value before, after;
    enum nk_status status = nk_game_value(table, game, &before, error);
    while (!status && nk_game_end(game, NULL) == NK_END_NONE && nk_game_plies(game) < match->max_plies &&
           !is_stopped(run)) {
        const int side = side_of(nk_game_to_move(game), number);
        struct nk_move move;
        if ((status = nk_opponent_choose(match->opponents[side], table, game, &random, &stop, &move, NULL,
                                         error)) ||
            (status = nk_game_play(game, move, error)) ||
            (status = nk_game_value(table, game, &after, error)))
            break;
        const int steps = (int)before.result + (int)after.result;
        score->mistakes[side] += steps == 1;
        score->blunders[side] += steps == 2;
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

static enum nk_status play_game(struct match_run *run, uint32_t number, struct nk_score *score,
                                struct nk_error *error)
{
    const struct nk_match *match = run->match;
    const struct nk_score before = *score;
    struct nk_game *game = NULL;
    enum nk_status status = new_game(run, number, &game, error);
    if (status)
        return status;
    status = play_moves(run, number, game, score, error);
    if (is_stopped(run)) {
        *score = before;
    } else if (!status) {
        count_end(game, number, score);
        if (match->finished)
            status = match->finished(match->context, number, game, error);
    }
    nk_game_free(game);
    return status;
}

static void play_job(void *context, uint32_t job, int thread)
{
    struct match_run *run = context;
    struct thread_results *worker = &run->workers[thread];
    if (atomic_load_explicit(&run->failed, memory_order_relaxed) || is_stopped(run))
        return;
    worker->status = play_game(run, run->first + job, &worker->score, &worker->error);
    if (worker->status)
        atomic_store_explicit(&run->failed, true, memory_order_relaxed);
}

/* ---- the match ---- */

static void add_score(struct nk_score *sum, const struct nk_score *score)
{
    for (int side = 0; side < NK_SIDES; side++) {
        sum->wins[side] += score->wins[side];
        sum->mistakes[side] += score->mistakes[side];
        sum->blunders[side] += score->blunders[side];
    }
    sum->draws += score->draws;
    sum->plies += score->plies;
}

/* The first error of a thread, or NK_OK. */
static enum nk_status first_error(const struct match_run *run, struct nk_error *error)
{
    for (int thread = 0; thread < run->match->threads; thread++) {
        const struct thread_results *worker = &run->workers[thread];
        if (worker->status)
            return nk_fail(error, worker->status, worker->error.at, "%s", worker->error.text);
    }
    return NK_OK;
}

/* Plays the games from `first` to below `end`. Which games they are does not depend on the parts. If it fails, *score
 * is unchanged. */
static enum nk_status play_part(struct nk_table *table, const struct nk_match *match, uint32_t first,
                                uint32_t end, const atomic_bool *stop, struct nk_score *score,
                                struct nk_error *error)
{
    struct match_run run = {.table = table, .match = match, .first = first, .stop = stop};
    run.workers = calloc((size_t)match->threads, sizeof *run.workers);
    if (!run.workers)
        return nk_fail_memory(error);
    nk_parallel(match->threads, end - first, play_job, &run);
    const enum nk_status status = first_error(&run, error);
    for (int thread = 0; thread < match->threads && !status; thread++)
        add_score(score, &run.workers[thread].score);
    free(run.workers);
    return status;
}

enum nk_status nk_match_play(struct nk_table *table, const struct nk_match *match, const atomic_bool *stop,
                             const struct nk_progress_sink *progress, struct nk_score *score,
                             struct nk_error *error)
{
    enum { FIRST_PART = 64 };
    const uint32_t end = match->games, threads = (uint32_t)match->threads;
    enum nk_status status = check_start(table, match, error);
    for (uint32_t first = 0, part = FIRST_PART; first < end && !status && !atomic_load(stop);) {
        const double began = nk_system_now();
        const uint32_t next = end - first > part ? first + part : end;
        nk_progress_report(progress, (double)first / end);
        status = play_part(table, match, first, next, stop, score, error);
        first = next;
        if (nk_system_now() - began < 0.1)
            part *= 2;
        else if (nk_system_now() - began > 0.2) /* fewer, but a game for each thread */
            part = (part + threads) / 2;
    }
    return status;
}
