/* neutreeko match: many games between two opponents. */

#include "json_keys.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "player/commands/common.h"
#include "player/commands/match_options.h"
#include "player/game/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Play many games between two opponents and count the results. A is Black in the\n"
                            "first game; then the sides alternate.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko match perfect level:4\n"
                            "  neutreeko match --start standard --games 1000 perfect alphabeta:6\n"
                            "  neutreeko match --record games.txt level:2 level:3\n"
                            "  neutreeko match --json --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n";

static const char notes[] = "\n"
                            "A mistake is a move after which the result is one step worse: a win becomes a\n"
                            "draw, or a draw a loss. A blunder turns a win into a loss. Random positions\n"
                            "have Black to move and are not over; all of them are equally likely.\n"
                            "\n" MATCH_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage, 130 after\n"
                            "Ctrl-C, which prints the result of the games played so far.\n";

enum { MAX_GAMES = 100000000 };

static void print_list(void)
{
    print_opponents("Opponents", false);
}

static struct nk_match match;

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    MATCH_GAME_OPTIONS("Play N games", MAX_GAMES),
    OUTPUT_OPTIONS,
    MATCH_RECORD_OPTION,
    JSON_OPTION("Print one JSON object"),
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* Reads the names of the opponents. */
static int check(int argc, char **argv)
{
    struct nk_error error;
    const int status = match_options_check();
    if (status)
        return status;
    if (argc < NK_SIDES)
        return nk_usage_error(program, "expected two opponents");
    for (int side = 0; side < NK_SIDES; side++) {
        if (nk_opponent_parse(argv[side], &match.opponents[side], &error))
            return nk_usage_error(program, "%s", error.text);
        if (nk_opponent_is_human(match.opponents[side]))
            return nk_usage_error(program,
                                  "'%s' cannot play here: expected an opponent that chooses its own moves",
                                  argv[side]);
    }
    return EXIT_SUCCESS;
}

/* ---- the report ---- */

static void print_report(const struct nk_score *score, double seconds)
{
    const uint64_t played = nk_score_games(score);
    const double games = played ? (double)played : 1; /* no division by 0 */
    char name[NK_OPPONENT_TEXT];
    printf("%s game%s, %.1f plies on average, in %.3f s, seed %" PRIu64 "\n\n", nk_group_digits(played).s,
           nk_plural(played), (double)score->plies / games, seconds, match.seed);
    printf("   %-14s %10s  %7s  %9s  %9s\n", "", "games won", "", "mistakes", "blunders");
    for (int side = 0; side < NK_SIDES; side++) {
        nk_opponent_print(match.opponents[side], name);
        printf("%c  %-14s %10s  %5.1f %%  %9s  %9s\n", 'A' + side, name, nk_group_digits(score->wins[side]).s,
               100 * (double)score->wins[side] / games, nk_group_digits(score->mistakes[side]).s,
               nk_group_digits(score->blunders[side]).s);
    }
    printf("   %-14s %10s  %5.1f %%\n", "draws", nk_group_digits(score->draws).s,
           100 * (double)score->draws / games);
    if (score->inexact)
        printf("\nAfter %s move%s the value is not exact, because positions had repeated.\n",
               nk_group_digits(score->inexact).s, nk_plural(score->inexact));
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
    json_add_seed(json);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

/* ---- the command ---- */

/* Plays the match, showing the progress on a terminal. */
static enum nk_status play(struct nk_table *table, struct nk_score *score, struct nk_error *error)
{
    struct nk_progress shown;
    const struct nk_progress_sink sink = {nk_progress_show, &shown};
    begin_progress(&shown, "playing");
    nk_program_catch_interrupt(&interrupted);
    const enum nk_status status =
        match_options_play(table, &match, 1, NK_EVENT " match", &sink, score, error);
    nk_progress_clear(&shown);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_score score = {.draws = 0};
    struct nk_error error;
    (void)argc, (void)argv;
    const int status = match_options_read(table, &match);
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
    else if (!match_options_write_standard())
        print_report(&score, nk_system_now() - begin);
    return interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command match_command = {.line = {"neutreeko match", " [OPTION]... A B", about, options, notes,
                                               .print_list = print_list, .operands = NK_SIDES},
                                      .check = check,
                                      .run = run};
