/* neutreeko match: many games between two opponents, or between each two of several. */

#include "player/commands/match_round_robin.h"

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

static const char about[] =
    "Play many games between two opponents and count the results. A is Black in the\n"
    "first game; then the sides alternate. With three or more opponents, play such a\n"
    "match between each two of them and print their Elo ratings with 95 %\n"
    "intervals; on a terminal, the ratings are shown while the games are played.\n"
    "\n"
    "Examples:\n"
    "  neutreeko match perfect level:4\n"
    "  neutreeko match --start standard --games 1000 perfect alphabeta:6\n"
    "  neutreeko match --save games.txt level:2 level:3\n"
    "  neutreeko match --json --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n"
    "  neutreeko match --csv level:1 level:2 level:3 >result.csv\n"
    "  neutreeko match random level:1 level:2\n"
    "  neutreeko match --games 1000 --anchor rules rules level:4 alphabeta:2\n";

static const char notes[] = "\n"
                            "A mistake is a move after which the result is one step worse: a win becomes a\n"
                            "draw, or a draw a loss. A blunder turns a win into a loss. Random positions\n"
                            "have Black to move and are not over; all of them are equally likely. The two\n"
                            "games of a pair of games begin at the same position, with the sides exchanged.\n"
                            "\n"
                            "A player rated D above another is expected to score 1 / (1 + 10^(-D/400))\n"
                            "points per game, where a draw is half a point. The ratings are those of\n"
                            "maximum likelihood. A player who won every game has no upper bound, and one\n"
                            "who lost every game no lower bound; such a rating is computed with one more\n"
                            "game, a draw, against each of the players concerned.\n"
                            "Recorded games name level:5, not easy: another version may have another level\n"
                            "of that name.\n"
                            "\n" MATCH_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage, 130 after\n"
                            "Ctrl-C, which prints the result of the games played so far.\n";

enum {
    MAX_GAMES = 100000000,
    MAX_GAMES_OF_MANY =
        1000000, /* in each match, if there are several: all games are numbered with 32 bits */
    MAX_THREADS = 256,
    MAX_PLIES = 1000000
};

enum { EXIT_INTERRUPTED = 130 }; /* the exit status after Ctrl-C */

static void print_list(void)
{
    print_opponents("Opponents", false);
}

static struct {
    const char *start, *save, *anchor;
    uint64_t games, threads, max_plies;
    bool force, csv;
} chosen = {.start = "drawn", .games = 100, .max_plies = 1000};

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_NUMBER("games", "N", "Play N games in each match", NULL, &chosen.games, 1, MAX_GAMES),
    NK_TEXT("start", "POSITION|standard|drawn|random|fair",
            "Begin every game at POSITION or at the start of the game (standard), or each pair of games, "
            "one with each side, at a random position: a drawn one (drawn), any one (random) or a fair "
            "start (fair)",
            "drawn", &chosen.start),
    SEED_OPTION,
    NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &chosen.threads, 1, MAX_THREADS),
    NK_NUMBER("max-plies", "N", "Stop a game as a draw after N plies, moves of both sides together", NULL,
              &chosen.max_plies, 1, MAX_PLIES),
    NK_TEXT("anchor", "PLAYER", "Give this one of three or more opponents the rating 0",
            "the mean of all ratings is 0", &chosen.anchor),
    OUTPUT_OPTIONS,
    NK_TEXT("save", "FILE",
            "Write the games to FILE or, with -, to standard output instead of the result, for 'neutreeko "
            "review'",
            NULL, &chosen.save),
    NK_FLAG("force", "Replace FILE if it exists", &chosen.force),
    JSON_OPTION("Print one JSON object"),
    {.name = "csv",
     .help = "Print a line for each opponent, best first, as comma-separated values",
     .excludes = "json",
     .flag = &chosen.csv},
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* ---- the command line ---- */

struct round_robin round_robin;

/* Whether there are ratings: in a match of two, the points already are the whole result. */
static bool has_ratings(void)
{
    return round_robin.players > NK_SIDES;
}

uint64_t round_robin_games(void)
{
    uint64_t games = 0;
    for (int pair = 0; pair < round_robin.pairs; pair++)
        games += nk_score_games(&round_robin.scores[pair]);
    return games;
}

uint64_t round_robin_planned(void)
{
    return chosen.games * (uint64_t)round_robin.pairs;
}

/* The number of a player, whichever of its names was given, or -1. */
static int find_player(struct nk_opponent opponent)
{
    int player = round_robin.players;
    while (player-- &&
           strcmp(nk_opponent_name(round_robin.opponents[player]).s, nk_opponent_name(opponent).s) != 0)
        continue;
    return player;
}

/* `many`: there are three or more. */
static int add_player(const char *argument, bool many)
{
    struct nk_error error;
    struct nk_opponent opponent;
    if (nk_opponent_parse_program(argument, &opponent, &error))
        return nk_usage_error(command_name, "%s", error.text);
    if (many && find_player(opponent) >= 0)
        return nk_usage_error(command_name, "'%s' is named twice: name each of three or more opponents once",
                              nk_opponent_name(opponent).s);
    round_robin.opponents[round_robin.players] = opponent;
    round_robin.names[round_robin.players++] = nk_text_of("%s", argument);
    return EXIT_SUCCESS;
}

/* The number of the player that --anchor names, perhaps otherwise than the argument did (easy, level:5), or -1. */
static int find_anchor(void)
{
    struct nk_error error;
    struct nk_opponent anchor;
    if (!chosen.anchor || nk_opponent_parse_program(chosen.anchor, &anchor, &error))
        return -1;
    return find_player(anchor);
}

/* Checks the options that depend on the number of opponents. */
static int check_ratings(void)
{
    round_robin.anchor = find_anchor();
    if (chosen.anchor && !has_ratings())
        return nk_usage_error(command_name, "--anchor requires three or more opponents");
    if (chosen.anchor && round_robin.anchor < 0)
        return nk_usage_error(command_name, "--anchor '%s': expected one of the opponents", chosen.anchor);
    if (has_ratings() && chosen.games > MAX_GAMES_OF_MANY)
        return nk_usage_error(command_name,
                              "--games '%" PRIu64 "': expected 1 to %s with three or more opponents",
                              chosen.games, nk_group_digits(MAX_GAMES_OF_MANY).s);
    return EXIT_SUCCESS;
}

/* Whether the games go to standard output, where no result may follow. */
static bool writes_standard(void)
{
    return chosen.save && nk_file_is_standard(chosen.save);
}

static int check(int argc, char **argv)
{
    if (chosen.force && !chosen.save)
        return nk_usage_error(command_name, "--force requires --save");
    if ((common_options.json || chosen.csv) && writes_standard())
        return nk_usage_error(command_name, "--%s cannot be combined with --save -",
                              chosen.csv ? "csv" : "json");
    if (argc < NK_SIDES || argc > NK_MAX_PLAYERS)
        return nk_usage_error(command_name, "expected 2 to %d opponents", NK_MAX_PLAYERS);
    for (int i = 0; i < argc; i++) {
        const int status = add_player(argv[i], argc > NK_SIDES);
        if (status)
            return status;
    }
    return check_ratings();
}

/* ---- the matches ---- */

static int read_given(struct nk_table *table, struct nk_matches *matches)
{
    struct nk_move moves[NK_MAX_MOVES];
    matches->start = NK_START_GIVEN;
    const int status = position_read_start(table, chosen.start, &matches->position, &matches->to_move);
    if (status || nk_position_moves(nk_table_rules(table), matches->position, moves))
        return status;
    return nk_usage_error(command_name, "--start '%s': the game is over in this position", chosen.start);
}

/* Sets where the games begin. The caller frees the list of positions, if there is one. */
static int read_start(struct nk_table *table, struct nk_matches *matches)
{
    struct nk_error error;
    if (strcmp(chosen.start, "drawn") == 0)
        matches->start = NK_START_DRAWN;
    else if (strcmp(chosen.start, "random") == 0)
        matches->start = NK_START_RANDOM;
    else if (strcmp(chosen.start, "fair") == 0)
        matches->start = NK_START_LISTED;
    else
        return read_given(table, matches);
    if (matches->start != NK_START_LISTED)
        return EXIT_SUCCESS;
    if (!position_fair_starts(table, &matches->starts, &matches->start_count, &error))
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

/* Sets the matches to what the options request. Returns the exit status. */
static int prepare(struct nk_table *table, struct nk_matches *matches)
{
    for (int b = 1; b < round_robin.players; b++)
        for (int a = 0; a < b; a++) {
            struct nk_opponent *sides = round_robin.sides[round_robin.pairs++];
            sides[NK_SIDE_A] = round_robin.opponents[a];
            sides[NK_SIDE_B] = round_robin.opponents[b];
        }
    *matches = (struct nk_matches){.opponents = round_robin.sides,
                                   .count = (uint32_t)round_robin.pairs,
                                   .seed = common_options.seed,
                                   .games = (uint32_t)chosen.games,
                                   .threads = chosen.threads ? (int)chosen.threads : nk_system_processors(),
                                   .max_plies = (int)chosen.max_plies};
    return read_start(table, matches);
}

/* Plays until the end or until an interrupt, with the games in --save FILE. */
static enum nk_status play_recorded(struct nk_table *table, struct nk_matches *matches,
                                    const struct nk_progress_sink *progress, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    struct match_record *record = NULL;
    const char *path = chosen.save;
    if (path)
        status =
            match_record_open(path, chosen.force, has_ratings() ? NK_EVENT " tournament" : NK_EVENT " match",
                              matches, &record, error);
    if (status)
        return status;
    status = nk_matches_play(table, matches, &round_robin.interrupted, progress, round_robin.scores, error);
    const enum nk_status closed = match_record_close(record, !status, status ? NULL : error);
    return status ? status : closed;
}

/* Shows on a terminal how far the games are, or the ratings. */
static enum nk_status play(struct nk_table *table, struct nk_matches *matches, struct nk_error *error)
{
    enum nk_status status;
    nk_program_catch_interrupt(&round_robin.interrupted);
    if (has_ratings()) {
        ratings_begin();
        status = play_recorded(table, matches, &(struct nk_progress_sink){.report = ratings_show}, error);
        ratings_clear();
    } else {
        struct nk_progress shown;
        begin_progress(&shown, "playing");
        status = play_recorded(table, matches, &(struct nk_progress_sink){nk_progress_show, &shown}, error);
        nk_progress_clear(&shown);
    }
    return status;
}

/* ---- the report on two opponents ---- */

static void print_report(double seconds)
{
    enum { INDENT = 3 };
    const struct nk_score *score = round_robin.scores;
    const uint64_t played = nk_score_games(score);
    const double games = played ? (double)played : 1; /* no division by 0 */
    const double plies = (double)score->plies / games;
    char average[60] = "";
    if (played)
        snprintf(average, sizeof average, ", %.1f moves (%.1f plies) on average,", plies / 2, plies);
    terminal_printf(0, "%s game%s%s in %.3f s, seed %" PRIu64 "\n\n", nk_group_digits(played).s,
                    nk_plural(played), average, seconds, common_options.seed);
    terminal_printf(INDENT, "   %-14s %10s  %7s  %9s  %9s\n", "", "games won", "", "mistakes", "blunders");
    for (int side = 0; side < NK_SIDES; side++) {
        terminal_printf(INDENT, "%c  %-14s %10s  %5.1f %%  %9s  %9s\n", 'A' + side, round_robin.names[side].s,
                        nk_group_digits(score->wins[side]).s, 100 * (double)score->wins[side] / games,
                        nk_group_digits(score->mistakes[side]).s, nk_group_digits(score->blunders[side]).s);
    }
    terminal_printf(INDENT, "   %-14s %10s  %5.1f %%\n", "draws", nk_group_digits(score->draws).s,
                    100 * (double)score->draws / games);
}

/* ---- the command ---- */

static enum nk_status print(double seconds, struct nk_error *error)
{
    if (chosen.csv)
        return ratings_print_csv(error);
    if (common_options.json)
        return ratings_print_json(seconds, error);
    if (has_ratings())
        return ratings_print(seconds, error);
    print_report(seconds);
    return NK_OK;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_matches matches;
    struct nk_error error;
    (void)argc, (void)argv;
    const int prepared = prepare(table, &matches);
    if (prepared)
        return prepared;
    round_robin.began = nk_system_now();
    enum nk_status status = play(table, &matches, &error);
    free(matches.starts);
    if (!status && round_robin.interrupted)
        nk_report(command_name, "interrupted after %s of %s games", nk_group_digits(round_robin_games()).s,
                  nk_group_digits(round_robin_planned()).s);
    if (!status && !writes_standard())
        status = print(nk_system_now() - round_robin.began, &error);
    if (status) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    return round_robin.interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command match_command = {.line = {"neutreeko match", " [OPTION]... A B [C]...", about, options,
                                               notes, .print_list = print_list, .operands = NK_ANY_OPERANDS},
                                      .check = check,
                                      .run = run};
