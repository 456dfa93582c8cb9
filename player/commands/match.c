/* neutreeko match: many games between two opponents. */

#include "common/base/strbuf.h"
#include "common/game/record.h"
#include "common/program/program.h"
#include "common/system/file.h"
#include "common/system/system.h"
#include "json_keys.h"
#include "player/commands/common.h"
#include "player/commands/match_record.h"
#include "player/commands/positions.h"
#include "player/terminal/print.h"

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
                            "  neutreeko match --save games.txt level:2 level:3\n"
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

enum { MAX_GAMES = 100000000, MAX_THREADS = 256, MAX_PLIES = 1000000 };

enum { EXIT_INTERRUPTED = 130 }; /* the exit status after Ctrl-C */

static void print_list(void)
{
    print_opponents("Opponents", false);
}

static struct {
    const char *start, *save;
    uint64_t games, threads, max_plies;
    bool force;
} chosen = {.start = "drawn", .games = 100, .max_plies = 1000};

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_NUMBER("games", "N", "Play N games", NULL, &chosen.games, 1, MAX_GAMES),
    NK_TEXT("start", "POSITION|standard|drawn|random|fair",
            "Begin every game at POSITION or at the start of the game (standard), or each pair of games, "
            "one with each side, at a random position: a drawn one (drawn), any one (random) or a fair "
            "start (fair)",
            "drawn", &chosen.start),
    SEED_OPTION,
    NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &chosen.threads, 1, MAX_THREADS),
    NK_NUMBER("max-plies", "N", "Stop a game as a draw after N plies, moves of both sides together", NULL,
              &chosen.max_plies, 1, MAX_PLIES),
    OUTPUT_OPTIONS,
    NK_TEXT("save", "FILE",
            "Write the games to FILE or, with -, to standard output instead of the result, for 'neutreeko "
            "review'",
            NULL, &chosen.save),
    NK_FLAG("force", "Replace FILE if it exists", &chosen.force),
    JSON_OPTION("Print one JSON object"),
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* ---- the command line ---- */

static struct {
    struct nk_match match;
    const char *names[NK_SIDES]; /* as they were given */
    struct nk_score score;
    atomic_bool interrupted; /* by the first Ctrl-C, after which the games so far are the result */
} played;

/* Whether the games go to standard output, where no result may follow. */
static bool writes_standard(void)
{
    return chosen.save && nk_file_is_standard(chosen.save);
}

static int check(int argc, char **argv)
{
    struct nk_error error;
    if (chosen.force && !chosen.save)
        return nk_usage_error(command_name, "--force requires --save");
    if (common_options.json && writes_standard())
        return nk_usage_error(command_name, "--json cannot be combined with --save -");
    if (argc != NK_SIDES)
        return nk_usage_error(command_name, "expected two opponents");
    for (int side = 0; side < NK_SIDES; side++) {
        played.names[side] = argv[side];
        if (nk_opponent_parse_program(argv[side], &played.match.opponents[side], &error))
            return nk_usage_error(command_name, "%s", error.text);
    }
    return EXIT_SUCCESS;
}

/* ---- the match ---- */

static int read_given(struct nk_table *table, struct nk_match *match)
{
    struct nk_move moves[NK_MAX_MOVES];
    match->start = NK_START_GIVEN;
    const int status = position_read_start(table, chosen.start, &match->position, &match->to_move);
    if (status || nk_position_moves(nk_table_rules(table), match->position, moves))
        return status;
    return nk_usage_error(command_name, "--start '%s': the game is over in this position", chosen.start);
}

/* Sets where the games begin. The caller frees the list of positions, if there is one. */
static int read_start(struct nk_table *table, struct nk_match *match)
{
    struct nk_error error;
    if (strcmp(chosen.start, "drawn") == 0)
        match->start = NK_START_DRAWN;
    else if (strcmp(chosen.start, "random") == 0)
        match->start = NK_START_RANDOM;
    else if (strcmp(chosen.start, "fair") == 0)
        match->start = NK_START_LISTED;
    else
        return read_given(table, match);
    if (match->start != NK_START_LISTED)
        return EXIT_SUCCESS;
    if (!position_fair_starts(table, &match->starts, &match->start_count, &error))
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

/* Plays until the end or until an interrupt, with the games in --save FILE. */
static enum nk_status play(struct nk_table *table, struct nk_match *match, struct nk_error *error)
{
    struct match_record *record = NULL;
    struct nk_progress shown;
    enum nk_status status = NK_OK;
    if (chosen.save)
        status = match_record_open(chosen.save, chosen.force, NK_EVENT " match", match, &record, error);
    if (status)
        return status;
    begin_progress(&shown, "playing");
    status = nk_match_play(table, match, &played.interrupted,
                           &(struct nk_progress_sink){nk_progress_show, &shown}, &played.score, error);
    const enum nk_status closed = match_record_close(record, !status, status ? NULL : error);
    nk_progress_clear(&shown);
    return status ? status : closed;
}

/* ---- the report ---- */

static void print_report(double seconds)
{
    enum { INDENT = 3 };
    const struct nk_score *score = &played.score;
    const uint64_t ended = nk_score_games(score);
    const double games = ended ? (double)ended : 1; /* no division by 0 */
    const double plies = (double)score->plies / games;
    char average[60] = "";
    if (ended)
        snprintf(average, sizeof average, ", %.1f moves (%.1f plies) on average,", plies / 2, plies);
    terminal_printf(0, "%s game%s%s in %.3f s, seed %" PRIu64 "\n\n", nk_group_digits(ended).s,
                    nk_plural(ended), average, seconds, common_options.seed);
    terminal_printf(INDENT, "   %-14s %10s  %7s  %9s  %9s\n", "", "games won", "", "mistakes", "blunders");
    for (int side = 0; side < NK_SIDES; side++) {
        terminal_printf(INDENT, "%c  %-14s %10s  %5.1f %%  %9s  %9s\n", 'A' + side, played.names[side],
                        nk_group_digits(score->wins[side]).s, 100 * (double)score->wins[side] / games,
                        nk_group_digits(score->mistakes[side]).s, nk_group_digits(score->blunders[side]).s);
    }
    terminal_printf(INDENT, "   %-14s %10s  %5.1f %%\n", "draws", nk_group_digits(score->draws).s,
                    100 * (double)score->draws / games);
}

static void print_json(double seconds)
{
    const struct nk_score *score = &played.score;
    const uint64_t games = nk_score_games(score);
    struct nk_json *json = nk_json_begin_line();
    nk_json_string(json, "a", played.names[NK_SIDE_A]);
    nk_json_string(json, "b", played.names[NK_SIDE_B]);
    nk_json_integer(json, "games", (int64_t)games);
    nk_json_bool(json, "complete", !played.interrupted);
    nk_json_integer(json, "a_wins", (int64_t)score->wins[NK_SIDE_A]);
    nk_json_integer(json, "draws", (int64_t)score->draws);
    nk_json_integer(json, "b_wins", (int64_t)score->wins[NK_SIDE_B]);
    if (games)
        nk_json_real(json, "mean_plies", (double)score->plies / (double)games);
    else
        nk_json_null(json, "mean_plies");
    nk_json_integer(json, "a_mistakes", (int64_t)score->mistakes[NK_SIDE_A]);
    nk_json_integer(json, "a_blunders", (int64_t)score->blunders[NK_SIDE_A]);
    nk_json_integer(json, "b_mistakes", (int64_t)score->mistakes[NK_SIDE_B]);
    nk_json_integer(json, "b_blunders", (int64_t)score->blunders[NK_SIDE_B]);
    json_add_seed(json);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

/* ---- the command ---- */

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_match *match = &played.match;
    struct nk_error error;
    (void)argc, (void)argv;
    match->seed = common_options.seed;
    match->games = (uint32_t)chosen.games;
    match->threads = chosen.threads ? (int)chosen.threads : nk_system_processors();
    match->max_plies = (int)chosen.max_plies;
    const int read = read_start(table, match);
    if (read)
        return read;
    nk_program_catch_interrupt(&played.interrupted);
    const double began = nk_system_now();
    const enum nk_status status = play(table, match, &error);
    free(match->starts);
    if (status) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    const double seconds = nk_system_now() - began;
    if (played.interrupted)
        nk_report(command_name, "interrupted after %s of %s games",
                  nk_group_digits(nk_score_games(&played.score)).s, nk_group_digits(chosen.games).s);
    if (common_options.json)
        print_json(seconds);
    else if (!writes_standard())
        print_report(seconds);
    return played.interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command match_command = {.line = {"neutreeko match", " [OPTION]... A B", about, options, notes,
                                               .print_list = print_list, .operands = NK_SIDES},
                                      .check = check,
                                      .run = run};
