/* neutreeko match: many games between two opponents, at random start positions by default. match_play plays them in
 * parts, each in several threads; --record writes the games in their order; then the score is printed. */

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "json_keys.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Play many games between two opponents and count the results. A is Black in the\n"
                            "first game; then the sides alternate.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko match perfect level:4\n"
                            "  neutreeko match --start standard --count 1000 perfect alphabeta:6\n"
                            "  neutreeko match --record -o games.txt level:2 level:3\n"
                            "  neutreeko match --json --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n";

static const char notes[] = "\n"
                            "A mistake is a move after which the result is one step worse: a win becomes a\n"
                            "draw, or a draw a loss. A blunder turns a win into a loss. Random positions\n"
                            "have Black to move and are not over; all of them are equally likely. The two\n"
                            "games of a pair of games begin at the same position, with the sides exchanged.\n"
                            "\n"
                            "Recorded games name level:5, not easy: another version may have another level\n"
                            "of that name.\n"
                            "\n" MATCH_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage, 130 after\n"
                            "Ctrl-C, which prints the result of the games played so far.\n";

enum { MAX_GAMES = 100000000, MAX_THREADS = 256, MAX_PLIES = 1000 };

enum { EXIT_INTERRUPTED = 130 }; /* the exit status after Ctrl-C */

static void print_list(void)
{
    print_opponents("Opponents", false);
}

static struct {
    const char *start;
    uint64_t count, threads;
    bool record;
} request = {.start = "drawn", .count = 100};

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_NUMBER("count", "N", "Play N games", NULL, &request.count, 1, MAX_GAMES),
    NK_TEXT("start", START_WORDS,
            "Begin every game at POSITION| or at the start of the game (standard), or each pair of games, "
            "one with each side, at a random position: " START_ABOUT,
            "drawn", &request.start),
    SEED_OPTION,
    NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &request.threads, 1,
              MAX_THREADS),
    OUTPUT_OPTIONS,
    JSON_OPTION("Print one JSON object"),
    NK_FLAG("record", "Print the games instead of the result|, for 'neutreeko review'", &request.record),
    OUTPUT_OPTION("Write the games of --record to FILE|, and print the result as well"),
    FORCE_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

static struct {
    struct match match;
    const char *names[SIDES]; /* as they were given */
    struct score score;
    atomic_bool interrupted; /* by the first Ctrl-C, after which the games so far are the result */
} played;

/* Whether the games go to standard output, where no result may follow. */
static bool writes_standard(void)
{
    return request.record && (!common_options.output || nk_file_is_standard(common_options.output));
}

static int check(int argc, char **argv)
{
    struct nk_error error;
    if (common_options.output && !request.record)
        return nk_usage_error("--output requires --record");
    if (common_options.json && writes_standard())
        return nk_usage_error("--json cannot be combined with --record without --output FILE");
    if (argc != SIDES)
        return nk_usage_error("expected two opponents");
    for (int side = 0; side < SIDES; side++) {
        played.names[side] = argv[side];
        if (nk_opponent_parse_program(argv[side], &played.match.opponents[side], &error))
            return nk_usage_error("%s", error.text);
    }
    return EXIT_SUCCESS;
}

/* ---- a match in progress ---- */

/* The results of a thread. All counts are integers, so the total does not depend on which thread played a game. */
struct thread_results {
    struct score score;
    enum nk_status status; /* of the last game; after an error, the thread starts no more games */
    struct nk_error error;
};

/* A match in progress, shared by the threads. */
struct match_run {
    struct nk_table *table;
    const struct match *match;
    uint32_t first; /* game of the part that is being played */
    const atomic_bool *stop;
    struct thread_results *workers; /* [match->threads] */
    atomic_bool failed;             /* a game failed: start no more games */
};

/* ---- start positions ---- */

/* Numbers of random sequences: those of the games are below, those of the start positions of pairs begin here. */
static const uint64_t first_pair = UINT64_C(1) << 63;

static enum nk_status new_game(const struct match_run *run, uint64_t number, struct nk_game **game,
                               struct nk_error *error)
{
    const struct match *match = run->match;
    struct nk_position position = match->position;
    enum nk_colour to_move = match->to_move;
    uint64_t random = nk_random_split(match->seed, first_pair + number / 2);
    if (match->start == RANDOM_FAIR) {
        position = match->starts[nk_random(&random) % match->start_count];
        to_move = NK_BLACK;
    } else if (match->start != RANDOM_NONE) {
        const enum nk_status status =
            position_choose(run->table, match->start == RANDOM_DRAWN, &random, &position, error);
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
    return (colour == NK_BLACK) == (number % 2 == 0) ? SIDE_A : SIDE_B;
}

static enum nk_status play_moves(struct match_run *run, uint64_t number, struct nk_game *game,
                                 struct score *score, struct nk_error *error)
{
    const struct match *match = run->match;
    uint64_t random = nk_random_split(match->seed, number);
    struct nk_table *table = run->table;
    const struct nk_stop stop = {is_stopped, run};
    struct nk_value before, after;
    enum nk_status status = nk_game_value(table, game, &before, error);
    while (!status && nk_game_end(game, NULL) == NK_END_NONE && nk_game_plies(game) < match->max_plies &&
           !is_stopped(run)) {
        const int side = side_of(nk_game_to_move(game), number);
        struct nk_move move;
        if ((status =
                 nk_opponent_choose(match->opponents[side], table, game, &random, &stop, &move, error)) ||
            (status = nk_game_play(game, move, error)) ||
            (status = nk_game_value(table, game, &after, error)))
            break;
        /* `after` is for the side that moves next. */
        const enum nk_mark mark = nk_mark_of(before.result, (enum nk_result)(-(int)after.result));
        score->mistakes[side] += mark == NK_MARK_MISTAKE;
        score->blunders[side] += mark == NK_MARK_BLUNDER;
        before = after;
    }
    return status;
}

static enum nk_status play_game(struct match_run *run, uint32_t number, struct score *score,
                                struct nk_error *error)
{
    const struct match *match = run->match;
    const struct score before = *score;
    struct nk_game *game = NULL;
    enum nk_status status = new_game(run, number, &game, error);
    if (status)
        return status;
    status = play_moves(run, number, game, score, error);
    if (is_stopped(run)) {
        *score = before;
    } else if (!status) {
        enum nk_colour winner;
        score->plies += (uint64_t)nk_game_plies(game);
        if (nk_game_end(game, &winner) == NK_END_WON)
            score->wins[side_of(winner, number)]++;
        else
            score->draws++;
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

/* ---- all games ---- */

/* Moves the scores of all threads to *score, or returns the first error of a thread. */
static enum nk_status take_scores(const struct match_run *run, struct score *score, struct nk_error *error)
{
    const int threads = run->match->threads;
    for (const struct thread_results *worker = run->workers; worker < run->workers + threads; worker++)
        if (worker->status)
            return nk_fail(error, worker->status, worker->error.at, "%s", worker->error.text);
    for (struct thread_results *worker = run->workers; worker < run->workers + threads; worker++) {
        for (int side = 0; side < SIDES; side++) {
            score->wins[side] += worker->score.wins[side];
            score->mistakes[side] += worker->score.mistakes[side];
            score->blunders[side] += worker->score.blunders[side];
        }
        score->draws += worker->score.draws;
        score->plies += worker->score.plies;
        worker->score = (struct score){0};
    }
    return NK_OK;
}

/* The games are played in parts of 0.1 to 0.2 s each. Which games they are does not depend on the parts. */
enum nk_status match_play(struct nk_table *table, const struct match *match, const atomic_bool *stop,
                          const struct nk_progress_sink *progress, struct score *score,
                          struct nk_error *error)
{
    enum { FIRST_PART = 64 };
    const uint32_t threads = (uint32_t)match->threads;
    struct match_run run = {.table = table, .match = match, .stop = stop};
    enum nk_status status = NK_OK;
    run.workers = calloc(threads, sizeof *run.workers);
    if (!run.workers)
        return nk_fail_memory(error);
    for (uint32_t part = FIRST_PART; run.first < match->games && !status && !atomic_load(stop);) {
        const double began = nk_system_now();
        const uint32_t left = match->games - run.first, count = left < part ? left : part;
        nk_progress_report(progress, (double)run.first / match->games);
        nk_parallel(match->threads, count, play_job, &run);
        status = take_scores(&run, score, error);
        run.first += count;
        if (nk_system_now() - began < 0.1)
            part *= 2;
        else if (nk_system_now() - began > 0.2) /* fewer, but a game for each thread */
            part = (part + threads) / 2;
    }
    free(run.workers);
    return status;
}

/* ---- the file of the games ---- */

struct match_record {
    const struct match *match;
    const char *event;
    char date[NK_HEADER_TEXT];

    pthread_mutex_t lock; /* of what follows */
    struct nk_writer *writer;
    size_t next; /* the number of the next game to write: the file does not depend on the number of threads */
    struct ended_game *waiting; /* the games that ended before an earlier one did, by number */
};

/* The record of a game that has ended. */
struct ended_game {
    struct ended_game *after; /* the next one that waits, or NULL */
    size_t number;
    char *text;
};

static void free_ended(struct ended_game *ended)
{
    free(ended->text);
    free(ended);
}

/* Takes ownership of a game that has ended. Writes the next games, as far as they have ended. */
static enum nk_status add_game(struct match_record *record, struct ended_game *ended, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    struct ended_game **place = &record->waiting;
    while (*place && (*place)->number < ended->number)
        place = &(*place)->after;
    ended->after = *place;
    *place = ended;
    while (!status && record->waiting && record->waiting->number == record->next) {
        struct ended_game *first = record->waiting;
        status = nk_writer_append(record->writer, first->text, strlen(first->text), error);
        record->waiting = first->after;
        record->next++;
        free_ended(first);
    }
    return status;
}

static enum nk_status record_game(void *context, uint32_t number, const struct nk_game *game,
                                  struct nk_error *error)
{
    struct match_record *record = context;
    const struct match *match = record->match;
    struct nk_headers headers = {.outcome = NK_OUTCOME_DRAW};
    snprintf(headers.event, sizeof headers.event, "%s", record->event);
    snprintf(headers.round, sizeof headers.round, "%zu", (size_t)number + 1);
    snprintf(headers.date, sizeof headers.date, "%s", record->date);
    for (int side = 0; side < SIDES; side++)
        nk_header_set(headers.players[side == (int)(number % 2) ? NK_BLACK : NK_WHITE],
                      nk_opponent_name(match->opponents[side]).s);
    struct ended_game *ended = malloc(sizeof *ended);
    char *text = nk_record_text(game, &headers);
    if (!ended || !text || asprintf(&ended->text, "%s%s", number ? "\n" : "", text) < 0) {
        free(text);
        free(ended);
        return nk_fail_memory(error);
    }
    free(text);
    ended->number = number;
    pthread_mutex_lock(&record->lock);
    const enum nk_status status = add_game(record, ended, error);
    pthread_mutex_unlock(&record->lock);
    return status;
}

/* Creates the file, which gets its name in close_record, and sets the `finished` and the context of the match.
 * `force`: the file may be replaced. `event`: the header of the games, which must outlive the record. NK_E_MEMORY,
 * NK_E_WRITE, NK_E_EXISTS. */
static enum nk_status open_record(const char *path, bool force, const char *event, struct match *match,
                                  struct match_record **out, struct nk_error *error)
{
    struct match_record *record = calloc(1, sizeof *record);
    const enum nk_status status =
        record ? nk_writer_open(path, force, &record->writer, error) : nk_fail_memory(error);
    if (status) {
        free(record);
        return status;
    }
    record->match = match;
    record->event = event;
    pthread_mutex_init(&record->lock, NULL);
    set_date_to_today(record->date);
    match->finished = record_game;
    match->context = record;
    *out = record;
    return NK_OK;
}

/* Ends the file and frees the record. `complete`: the match was played to its end or interrupted; otherwise the old
 * file, if there is one, stays as it is. NULL is allowed. NK_E_WRITE, NK_E_MEMORY, NK_E_EXISTS if another program has
 * created or changed the file meanwhile. */
static enum nk_status close_record(struct match_record *record, bool complete, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    if (!record)
        return NK_OK;
    /* After an interruption there may be games that were waiting for others. */
    for (struct ended_game *ended = record->waiting, *after; ended; ended = after) {
        after = ended->after;
        if (complete && !status)
            status = nk_writer_append(record->writer, ended->text, strlen(ended->text), error);
        free_ended(ended);
    }
    if (complete && !status)
        status = nk_writer_commit(record->writer, NULL, error);
    else
        nk_writer_abandon(record->writer);
    pthread_mutex_destroy(&record->lock);
    free(record);
    return status;
}

/* ---- the command ---- */

static int read_given(struct nk_table *table, struct match *match)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int status = position_read_start(table, request.start, &match->position, &match->to_move);
    if (status || nk_position_moves(nk_table_rules(table), match->position, moves))
        return status;
    return nk_usage_error("--start '%s': the game is over in this position", request.start);
}

/* Sets where the games begin. The caller frees the list of positions, if there is one. */
static int read_start(struct nk_table *table, struct match *match)
{
    struct nk_error error;
    match->start = position_is_random(request.start);
    if (match->start == RANDOM_NONE)
        return read_given(table, match);
    if (match->start != RANDOM_FAIR ||
        !position_fair_starts(table, &match->starts, &match->start_count, &error))
        return EXIT_SUCCESS;
    return report_error(&error);
}

/* Plays until the end or until an interrupt, with the games of --record. */
static enum nk_status play(struct nk_table *table, struct match *match, struct nk_error *error)
{
    struct match_record *record = NULL;
    struct nk_progress shown;
    enum nk_status status = NK_OK;
    if (request.record)
        status = open_record(common_options.output ? common_options.output : "-", common_options.force,
                             NK_EVENT " match", match, &record, error);
    if (status)
        return status;
    begin_progress(&shown, "playing");
    status = match_play(table, match, &played.interrupted,
                        &(struct nk_progress_sink){nk_progress_show, &shown}, &played.score, error);
    const enum nk_status closed = close_record(record, !status, status ? NULL : error);
    nk_progress_clear(&shown);
    return status ? status : closed;
}

static void print_report(double seconds)
{
    enum { INDENT = 3 };
    const struct score *score = &played.score;
    const uint64_t ended = score_games(score);
    const double games = ended ? (double)ended : 1; /* no division by 0 */
    const double plies = (double)score->plies / games;
    char average[60] = "";
    if (ended)
        snprintf(average, sizeof average, ", %.1f moves (%.1f plies) on average,", plies / 2, plies);
    terminal_printf(0, "%s game%s%s in %.3f s, seed %" PRIu64 "\n\n", nk_group_digits(ended).s,
                    nk_plural(ended), average, seconds, common_options.seed);
    terminal_printf(INDENT, "   %-14s %10s  %7s  %9s  %9s\n", "", "games won", "", "mistakes", "blunders");
    for (int side = 0; side < SIDES; side++) {
        terminal_printf(INDENT, "%c  %-14s %10s  %5.1f %%  %9s  %9s\n", 'A' + side, played.names[side],
                        nk_group_digits(score->wins[side]).s, 100 * (double)score->wins[side] / games,
                        nk_group_digits(score->mistakes[side]).s, nk_group_digits(score->blunders[side]).s);
    }
    terminal_printf(INDENT, "   %-14s %10s  %5.1f %%\n", "draws", nk_group_digits(score->draws).s,
                    100 * (double)score->draws / games);
}

static void print_json(double seconds)
{
    const struct score *score = &played.score;
    const uint64_t games = score_games(score);
    struct nk_json *json = nk_json_begin_line();
    nk_json_string(json, "a", played.names[SIDE_A]);
    nk_json_string(json, "b", played.names[SIDE_B]);
    nk_json_integer(json, "games", (int64_t)games);
    nk_json_bool(json, "complete", !played.interrupted);
    nk_json_integer(json, "a_wins", (int64_t)score->wins[SIDE_A]);
    nk_json_integer(json, "draws", (int64_t)score->draws);
    nk_json_integer(json, "b_wins", (int64_t)score->wins[SIDE_B]);
    if (games)
        nk_json_real(json, "mean_plies", (double)score->plies / (double)games);
    else
        nk_json_null(json, "mean_plies");
    nk_json_integer(json, "a_mistakes", (int64_t)score->mistakes[SIDE_A]);
    nk_json_integer(json, "a_blunders", (int64_t)score->blunders[SIDE_A]);
    nk_json_integer(json, "b_mistakes", (int64_t)score->mistakes[SIDE_B]);
    nk_json_integer(json, "b_blunders", (int64_t)score->blunders[SIDE_B]);
    json_add_seed(json);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct match *match = &played.match;
    struct nk_error error;
    (void)argc, (void)argv;
    match->seed = common_options.seed;
    match->games = (uint32_t)request.count;
    match->threads = request.threads ? (int)request.threads : nk_system_processors();
    match->max_plies = MAX_PLIES;
    const int read = read_start(table, match);
    if (read)
        return read;
    nk_program_catch_interrupt(&played.interrupted);
    const double began = nk_system_now();
    const enum nk_status status = play(table, match, &error);
    free(match->starts);
    if (status)
        return report_error(&error);
    const double seconds = nk_system_now() - began;
    if (played.interrupted)
        nk_report("interrupted after %s of %s games", nk_group_digits(score_games(&played.score)).s,
                  nk_group_digits(request.count).s);
    if (common_options.json)
        print_json(seconds);
    else if (!writes_standard())
        print_report(seconds);
    return played.interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command match_command = {.line = {"neutreeko match", " [OPTION]... A B", about, options, notes,
                                               .print_list = print_list, .operands = SIDES},
                                      .check = check,
                                      .run = run};
