/* neutreeko tournament: a round-robin tournament of several opponents, and their ratings. */

#include "json_keys.h"
#include "common/system/parallel.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "player/commands/common.h"
#include "player/commands/match_options.h"
#include "player/game/record.h"
#include "player/opponents/match.h"
#include "player/opponents/rating.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] = "Play a round-robin tournament and print the Elo ratings of the players with\n"
                            "95 % intervals. On a terminal, the ratings are shown while the games are\n"
                            "played; Ctrl-C ends the tournament and prints them.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko tournament random level:1 level:2\n"
                            "  neutreeko tournament --games 1000 --anchor rules rules level:4 alphabeta:2\n"
                            "  neutreeko tournament --json perfect level:14 level:15\n";

static const char notes[] = "\n"
                            "Each pair of players A and B plays the match of 'neutreeko match A B' with the\n"
                            "same options. The two games of a pair of games begin at the same position,\n"
                            "with the sides exchanged.\n"
                            "\n"
                            "A player rated D above another is expected to score 1 / (1 + 10^(-D/400))\n"
                            "points per game, where a draw is half a point. The ratings are those of\n"
                            "maximum likelihood. A player who won every game has no upper bound, and one\n"
                            "who lost every game no lower bound; such a rating is computed with one more\n"
                            "game, a draw, against each of the players concerned.\n"
                            "\n" TOURNAMENT_JSON_KEYS "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage, 130 after\n"
                            "Ctrl-C.\n";

enum {
    MAX_PAIRS = NK_MAX_PLAYERS * (NK_MAX_PLAYERS - 1) / 2,
    MAX_GAMES = 1000000, /* per pair */
    LINE = 512           /* bytes of a line */
};

static void print_list(void)
{
    print_opponents("Players", false);
}

static const char *anchor; /* the value of --anchor */

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    MATCH_GAME_OPTIONS("Play N games in each match", MAX_GAMES),
    NK_TEXT("anchor", "PLAYER", "Give this player the rating 0", "the mean of all ratings is 0", &anchor),
    OUTPUT_OPTIONS,
    MATCH_RECORD_OPTION,
    JSON_OPTION("Print one JSON object"),
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

static struct {
    int players, pairs;
    int anchor; /* the number of a player, or -1 */
    char names[NK_MAX_PLAYERS][NK_OPPONENT_TEXT];
    struct nk_opponent opponents[NK_MAX_PLAYERS];
    struct nk_match matches[MAX_PAIRS]; /* 0 against 1, 0 against 2, 1 against 2, 0 against 3, ... */
    struct nk_score scores[MAX_PAIRS];
    double begin; /* monotonic time */
} tournament;

/* The match of a player against one with a larger number. */
static int pair_of(int a, int b)
{
    return b * (b - 1) / 2 + a;
}

static uint64_t all_games(void)
{
    uint64_t games = 0;
    for (int pair = 0; pair < tournament.pairs; pair++)
        games += nk_score_games(&tournament.scores[pair]);
    return games;
}

/* ---- the command line ---- */

static int find_player(const char *name)
{
    int player = tournament.players;
    while (player-- && strcmp(tournament.names[player], name) != 0)
        continue;
    return player;
}

static int add_player(const char *argument)
{
    struct nk_error error;
    struct nk_opponent *opponent = &tournament.opponents[tournament.players];
    char *name = tournament.names[tournament.players];
    if (nk_opponent_parse(argument, opponent, &error))
        return nk_usage_error(program, "%s", error.text);
    nk_opponent_print(*opponent, name);
    if (nk_opponent_is_human(*opponent))
        return nk_usage_error(program,
                              "'%s' cannot play here: expected an opponent that chooses its own moves", name);
    if (find_player(name) >= 0)
        return nk_usage_error(program, "'%s' is named twice: name each player once", name);
    tournament.players++;
    return EXIT_SUCCESS;
}

static int check(int argc, char **argv)
{
    const int rejected = match_options_check();
    if (rejected)
        return rejected;
    if (argc < 2 || argc > NK_MAX_PLAYERS)
        return nk_usage_error(program, "expected 2 to %d players", NK_MAX_PLAYERS);
    for (int i = 0; i < argc; i++) {
        const int status = add_player(argv[i]);
        if (status)
            return status;
    }
    tournament.anchor = anchor ? find_player(anchor) : -1;
    if (anchor && tournament.anchor < 0)
        return nk_usage_error(program, "--anchor '%s': expected one of the players", anchor);
    return EXIT_SUCCESS;
}

/* ---- the standing ---- */

struct standing {
    struct nk_rating ratings[NK_MAX_PLAYERS];
    int order[NK_MAX_PLAYERS]; /* the players, best first */
    double points[NK_MAX_PLAYERS];
    uint64_t games[NK_MAX_PLAYERS];
};

static void add_pair(struct standing *standing, struct nk_results *results, int a, int b)
{
    const struct nk_score *score = &tournament.scores[pair_of(a, b)];
    results->wins[a][b] = (uint32_t)score->wins[NK_SIDE_A];
    results->wins[b][a] = (uint32_t)score->wins[NK_SIDE_B];
    results->draws[a][b] = results->draws[b][a] = (uint32_t)score->draws;
    standing->games[a] += nk_score_games(score);
    standing->games[b] += nk_score_games(score);
    standing->points[a] += (double)score->wins[NK_SIDE_A] + (double)score->draws / 2;
    standing->points[b] += (double)score->wins[NK_SIDE_B] + (double)score->draws / 2;
}

static enum nk_status find_standing(struct standing *standing, struct nk_error *error)
{
    static struct nk_results results;
    memset(standing, 0, sizeof *standing);
    results.count = tournament.players;
    for (int b = 1; b < tournament.players; b++)
        for (int a = 0; a < b; a++)
            add_pair(standing, &results, a, b);
    const enum nk_status status = nk_rate(&results, tournament.anchor, standing->ratings, error);
    for (int a = 0; !status && a < tournament.players; a++) {
        int place = a;
        for (; place && standing->ratings[a].elo > standing->ratings[standing->order[place - 1]].elo; place--)
            standing->order[place] = standing->order[place - 1];
        standing->order[place] = a;
    }
    return status;
}

static const char header[] = "      player           Elo    95 % interval    points   games";

static void format_player(const struct standing *standing, int place, char line[LINE])
{
    const int a = standing->order[place];
    const struct nk_rating *rating = &standing->ratings[a];
    const double games = (double)standing->games[a];
    /* Adding 0 turns a negative zero into a positive one. */
    snprintf(line, LINE, "%4d  %-14s %+6.0f  %+6.0f  %+6.0f  %6.1f %%  %6s", place + 1, tournament.names[a],
             nearbyint(rating->elo) + 0.0, nearbyint(rating->low) + 0.0, nearbyint(rating->high) + 0.0,
             games > 0 ? 100 * standing->points[a] / games : 50, nk_group_digits(standing->games[a]).s);
}

/* The points of a against b in per cent, or a negative number if they have not played. */
static double share(int a, int b)
{
    const struct nk_score *score = &tournament.scores[a < b ? pair_of(a, b) : pair_of(b, a)];
    const double games = (double)nk_score_games(score);
    const double points = (double)score->wins[a < b ? NK_SIDE_A : NK_SIDE_B] + (double)score->draws / 2;
    return games > 0 ? 100 * points / games : -1;
}

/* ---- the terminal ---- */

static struct {
    bool is_on;
    int lines;    /* above the cursor that the next standing replaces */
    double shown; /* when; monotonic time */
} live;

static void live_begin(void)
{
    live.is_on = nk_system_is_screen(stderr);
}

static void live_clear(void)
{
    if (live.lines)
        fprintf(stderr, "\r\033[%dA\033[J", live.lines);
    live.lines = 0;
}

/* A line that is too wide would take two on the screen. */
static void live_line(const char *line, int columns)
{
    fprintf(stderr, "%.*s\n", columns - 1, line);
    live.lines++;
}

/* Shows as many players as fit on the screen. */
static void live_show(void *context, double done)
{
    (void)context, (void)done;
    const struct nk_screen_size size = nk_system_screen_size(stderr);
    struct standing standing;
    char line[LINE];
    const double time = nk_system_now(), games = (double)all_games();
    const double total = (double)match_options.games * tournament.pairs;
    if (!live.is_on || time - live.shown < 0.2 || find_standing(&standing, NULL))
        return;
    live_clear();
    snprintf(line, LINE, "%s of %s games (%.0f %%), about %.0f s left", nk_group_digits((uint64_t)games).s,
             nk_group_digits((uint64_t)total).s, 100 * games / total,
             games > 0 ? (time - tournament.begin) * (total - games) / games : 0);
    live_line(line, size.columns);
    if (size.rows > 3)
        live_line(header, size.columns);
    for (int place = 0; place < tournament.players && place < size.rows - 3; place++) {
        format_player(&standing, place, line);
        live_line(line, size.columns);
    }
    (void)fflush(stderr);
    live.shown = time;
}

/* ---- the report ---- */

static void print_matrix(const struct standing *standing)
{
    printf("\nPoints of the player in the row, in per cent:\n\n%20s", "");
    for (int place = 0; place < tournament.players; place++)
        printf(" %3d", place + 1);
    for (int row = 0; row < tournament.players; row++) {
        const int a = standing->order[row];
        printf("\n%4d  %-14s", row + 1, tournament.names[a]);
        for (int column = 0; column < tournament.players; column++) {
            const int b = standing->order[column];
            if (a == b || share(a, b) < 0)
                printf("   %c", a == b ? '.' : '?');
            else
                printf(" %3.0f", share(a, b));
        }
    }
    printf("\n");
}

/* Whether a bound of a rating is finite. */
static bool is_bound(double elo)
{
    return fabs(elo) <=
           DBL_MAX; /* isinf warns about a conversion where it is a macro for numbers of any size */
}

static void print_report(const struct standing *standing, double seconds)
{
    char line[LINE];
    bool unbounded = false;
    if (interrupted)
        printf("Interrupted after %s of %s games.\n", nk_group_digits(all_games()).s,
               nk_group_digits(match_options.games * (uint64_t)tournament.pairs).s);
    printf("%d players, %s game%s in %.3f s, seed %" PRIu64 "\n\n%s\n", tournament.players,
           nk_group_digits(all_games()).s, nk_plural(all_games()), seconds, common_options.seed, header);
    for (int place = 0; place < tournament.players; place++) {
        const struct nk_rating *rating = &standing->ratings[standing->order[place]];
        format_player(standing, place, line);
        puts(line);
        unbounded |= !is_bound(rating->low) || !is_bound(rating->high);
    }
    if (unbounded)
        puts("\ninf: no bound, because one side won all of the games.");
    print_matrix(standing);
}

static void add_elo(struct nk_json *json, const char *key, double elo)
{
    if (is_bound(elo)) /* beyond the third decimal the figures depend on the machine, and 0 has a sign */
        nk_json_real(json, key, round(elo * 1000) / 1000 + 0.0);
    else
        nk_json_null(json, key);
}

static void add_player_json(struct nk_json *json, const struct standing *standing, int a)
{
    nk_json_begin(json, NULL, '{');
    nk_json_string(json, "name", tournament.names[a]);
    add_elo(json, "elo", standing->ratings[a].elo);
    add_elo(json, "elo_low", standing->ratings[a].low);
    add_elo(json, "elo_high", standing->ratings[a].high);
    nk_json_real(json, "points", standing->points[a]);
    nk_json_integer(json, "games", (int64_t)standing->games[a]);
    nk_json_end(json, '}');
}

static void add_match_json(struct nk_json *json, int a, int b)
{
    const struct nk_score *score = &tournament.scores[pair_of(a, b)];
    nk_json_begin(json, NULL, '{');
    nk_json_string(json, "a", tournament.names[a]);
    nk_json_string(json, "b", tournament.names[b]);
    nk_json_integer(json, "games", (int64_t)nk_score_games(score));
    json_add_wins(json, score);
    nk_json_integer(json, "plies", (int64_t)score->plies);
    json_add_mistakes(json, score);
    nk_json_end(json, '}');
}

static void print_report_json(const struct standing *standing, double seconds)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_integer(json, "games", (int64_t)all_games());
    nk_json_bool(json, "complete", !interrupted);
    nk_json_string(json, "anchor", tournament.anchor < 0 ? NULL : tournament.names[tournament.anchor]);
    nk_json_begin(json, "players", '[');
    for (int place = 0; place < tournament.players; place++)
        add_player_json(json, standing, standing->order[place]);
    nk_json_end(json, ']');
    nk_json_begin(json, "matches", '[');
    for (int b = 1; b < tournament.players; b++)
        for (int a = 0; a < b; a++)
            add_match_json(json, a, b);
    nk_json_end(json, ']');
    json_add_seed(json);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

/* ---- the command ---- */

/* All matches are as `match`, with other opponents. */
static void prepare_matches(struct nk_match match)
{
    for (int b = 1; b < tournament.players; b++)
        for (int a = 0; a < b; a++) {
            match.opponents[NK_SIDE_A] = tournament.opponents[a];
            match.opponents[NK_SIDE_B] = tournament.opponents[b];
            tournament.matches[tournament.pairs++] = match;
        }
}

static enum nk_status play(struct nk_table *table, struct nk_error *error)
{
    const struct nk_progress_sink sink = {.report = live_show};
    const enum nk_status status = match_options_play(table, tournament.matches, (uint32_t)tournament.pairs,
                                                     NK_EVENT " tournament", &sink, tournament.scores, error);
    live_clear();
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    struct standing standing;
    struct nk_error error;
    struct nk_match match = {.games = 0};
    (void)argc, (void)argv;
    const int status = match_options_read(table, &match);
    if (status)
        return status;
    prepare_matches(match);
    nk_program_catch_interrupt(&interrupted);
    live_begin();
    tournament.begin = nk_system_now();
    if (play(table, &error) || find_standing(&standing, &error)) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    const double seconds = nk_system_now() - tournament.begin;
    if (common_options.json)
        print_report_json(&standing, seconds);
    else if (!match_options_write_standard())
        print_report(&standing, seconds);
    return interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}

const struct command tournament_command = {.line = {"neutreeko tournament", " [OPTION]... A B...", about,
                                                    options, notes, .print_list = print_list,
                                                    .operands = NK_ANY_OPERANDS},
                                           .check = check,
                                           .run = run};
