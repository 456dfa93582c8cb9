/* neutreeko match: many games between two opponents. */

#include "json_keys.h"
#include "common/system/file.h"
#include "common/system/system.h"
#include "player/game/archive.h"
#include "player/commands/common.h"
#include "player/commands/match_record.h"
#include "player/commands/match_start.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Play many games between two opponents and count the results. A is Black in the\n"
                            "first game; then the sides alternate.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko match perfect level:4\n"
                            "  neutreeko match --start drawn --games 1000 perfect alphabeta:6\n"
                            "  neutreeko match --record games.txt level:2 level:3\n"
                            "  neutreeko match --json --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n";

static const char notes[] = "\n"
                            "A mistake is a move after which the result is one step worse: a win becomes a\n"
                            "draw, or a draw a loss. A blunder turns a win into a loss. Random positions\n"
                            "have Black to move and are not over; all of them are equally likely.\n"
                            "\n" MATCH_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage, 130 after\n"
                            "Ctrl-C, which prints the result of the games played so far.\n";

enum { MAX_GAMES = 100000000, MAX_THREADS = 256, MAX_GAME_PLIES = 1000000 };

static void print_list(void)
{
    print_opponents("Opponents", false);
}

static struct nk_match match;

static struct {
    const char *start, *record;
    uint64_t games, threads, max_plies;
} values = {.games = 100, .max_plies = 1000};

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_NUMBER("games", "N", "Play N games", NULL, &values.games, 1, MAX_GAMES),
    NK_TEXT("start", MATCH_START_ARGUMENT, MATCH_START_HELP, "the start of the game", &values.start),
    NK_NUMBER("seed", "N", "Set the random seed; the same seed gives the same output", NULL, &match.seed, 0,
              UINT64_MAX),
    NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &values.threads, 1, MAX_THREADS),
    NK_NUMBER("max-plies", "N", "Stop a game as a draw after N moves of both sides together", NULL,
              &values.max_plies, 1, MAX_GAME_PLIES),
    OUTPUT_OPTIONS,
    NK_TEXT(
        "record", "FILE",
        "Write the games to FILE or, with -, to standard output instead of the result, for 'neutreeko review'",
        NULL, &values.record),
    JSON_OPTION("Print one JSON object"),
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* Whether the games go to standard output, where no result may follow. */
static bool writes_standard(void)
{
    return values.record && nk_file_is_standard(values.record);
}

/* Reads the names of the opponents. */
static int check(int argc, char **argv)
{
    struct nk_error error;
    if (common_options.json && writes_standard())
        return nk_usage_error(program, "--json cannot be combined with --record -");
    if (argc < NK_SIDES)
        return nk_usage_error(program, "expected two opponents");
    for (int side = 0; side < NK_SIDES; side++) {
        if (nk_opponent_parse(argv[side], &match.opponents[side], &error))
            return nk_usage_error(program, "%s", error.text);
        if (nk_opponent_is_human(match.opponents[side]))
            return nk_usage_error(program, "'%s' cannot play a match: nobody is asked for moves", argv[side]);
    }
    return EXIT_SUCCESS;
}

/* ---- the report ---- */

static void print_report(const struct nk_score *score, double seconds)
{
    const uint64_t played = nk_score_games(score);
    const double games = played ? (double)played : 1; /* no division by 0 */
    char name[NK_OPPONENT_TEXT];
    printf("%" PRIu64 " game%s, %.1f plies on average, in %.3f s\n\n", played, played == 1 ? "" : "s",
           (double)score->plies / games, seconds);
    printf("   %-14s %10s  %7s  %9s  %9s\n", "", "games won", "", "mistakes", "blunders");
    for (int side = 0; side < NK_SIDES; side++) {
        nk_opponent_print(match.opponents[side], name);
        printf("%c  %-14s %10" PRIu64 "  %5.1f %%  %9" PRIu64 "  %9" PRIu64 "\n", 'A' + side, name,
               score->wins[side], 100 * (double)score->wins[side] / games, score->mistakes[side],
               score->blunders[side]);
    }
    printf("   %-14s %10" PRIu64 "  %5.1f %%\n", "draws", score->draws, 100 * (double)score->draws / games);
    if (score->inexact)
        printf("\nAfter %" PRIu64 " move%s the value is not exact, because positions had repeated.\n",
               score->inexact, score->inexact == 1 ? "" : "s");
}

static void print_report_json(const struct nk_score *score, double seconds)
{
    const uint64_t games = nk_score_games(score);
    char a[NK_OPPONENT_TEXT], b[NK_OPPONENT_TEXT];
    nk_opponent_print(match.opponents[NK_SIDE_A], a);
    nk_opponent_print(match.opponents[NK_SIDE_B], b);
    struct nk_json *json = nk_json_begin_line();
    nk_json_string(json, "a", a);
    nk_json_string(json, "b", b);
    nk_json_integer(json, "games", (int64_t)games);
    nk_json_bool(json, "complete", !interrupted);
    json_add_wins(json, score);
    if (games)
        nk_json_real(json, "mean_plies", (double)score->plies / (double)games);
    else
        nk_json_null(json, "mean_plies");
    json_add_mistakes(json, score);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

/* ---- the command ---- */

/* Plays the match, showing the progress on a terminal. */
static enum nk_status play_games(struct nk_table *table, struct nk_score *score, struct nk_error *error)
{
    struct nk_progress shown;
    const struct nk_progress_sink sink = {nk_progress_show, &shown};
    begin_progress(&shown, "playing");
    catch_interrupt();
    const enum nk_status status = nk_match_play_watched(table, &match, 1, &interrupted, &sink, score, error);
    nk_progress_clear(&shown);
    return status;
}

/* Plays the match, and writes its games if --record is given. */
static enum nk_status play(struct nk_table *table, struct nk_score *score, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    struct match_record *record = NULL;
    if (values.record)
        status = nk_file_permit(values.record, nk_archive_is_own, "a saved game", NULL, error);
    if (!status && values.record)
        status = match_record_open(values.record, &match, &record, error);
    if (status)
        return status;
    status = play_games(table, score, error);
    const enum nk_status closed = match_record_close(record, !status, status ? NULL : error);
    return status ? status : closed;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_score score = {.draws = 0};
    struct nk_error error;
    (void)argc, (void)argv;
    match.games = (uint32_t)values.games;
    match.threads = values.threads ? (int)values.threads : nk_system_processors();
    match.max_plies = (int)values.max_plies;
    const int status = match_start_read(table, values.start, &match);
    if (status)
        return status;
    const double begin = nk_system_now();
    if (play(table, &score, &error)) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    if (interrupted)
        nk_report(program, "interrupted after %" PRIu64 " of %" PRIu32 " games", nk_score_games(&score),
                  match.games);
    if (common_options.json)
        print_report_json(&score, nk_system_now() - begin);
    else if (!writes_standard())
        print_report(&score, nk_system_now() - begin);
    return interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command match_command = {.line = {"neutreeko match", " [OPTION]... A B", about, options, notes,
                                               .print_list = print_list, .operands = NK_SIDES},
                                      .check = check,
                                      .run = run};
