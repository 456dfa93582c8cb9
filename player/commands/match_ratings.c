/* The ratings of neutreeko match, and its reports on them. */

#include "common/system/system.h"
#include "player/commands/common.h"
#include "player/commands/match_round_robin.h"
#include "player/terminal/print.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 512, INDENT = 6 }; /* bytes of a line; where a long one continues */

/* The match of a player against one with a larger number. */
static int pair_of(int a, int b)
{
    return b * (b - 1) / 2 + a;
}

/* ---- the standing ---- */

/* The sums of a player. */
struct sums {
    uint64_t games, wins, draws, losses, mistakes, blunders;
    double points;
};

struct standing {
    struct nk_rating ratings[NK_MAX_PLAYERS];
    int order[NK_MAX_PLAYERS]; /* the players, best first */
    struct sums sums[NK_MAX_PLAYERS];
};

static void add_side(struct sums *sums, const struct nk_score *score, int side)
{
    sums->games += nk_score_games(score);
    sums->wins += score->wins[side];
    sums->draws += score->draws;
    sums->losses += score->wins[!side];
    sums->mistakes += score->mistakes[side];
    sums->blunders += score->blunders[side];
    sums->points += (double)score->wins[side] + (double)score->draws / 2;
}

static void add_pair(struct standing *standing, struct nk_results *results, int a, int b)
{
    const struct nk_score *score = &round_robin.scores[pair_of(a, b)];
    results->wins[a][b] = (uint32_t)score->wins[NK_SIDE_A];
    results->wins[b][a] = (uint32_t)score->wins[NK_SIDE_B];
    results->draws[a][b] = results->draws[b][a] = (uint32_t)score->draws;
    add_side(&standing->sums[a], score, NK_SIDE_A);
    add_side(&standing->sums[b], score, NK_SIDE_B);
}

static enum nk_status find_standing(struct standing *standing, struct nk_error *error)
{
    static struct nk_results results;
    memset(standing, 0, sizeof *standing);
    results.count = round_robin.players;
    for (int b = 1; b < round_robin.players; b++)
        for (int a = 0; a < b; a++)
            add_pair(standing, &results, a, b);
    const enum nk_status status = nk_rate(&results, round_robin.anchor, standing->ratings, error);
    for (int a = 0; !status && a < round_robin.players; a++) {
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
    const struct sums *sums = &standing->sums[a];
    const double games = (double)sums->games;
    /* Adding 0 turns a negative zero into a positive one. */
    snprintf(line, LINE, "%4d  %-14s %+6.0f  %+6.0f  %+6.0f  %6.1f %%  %6s", place + 1,
             round_robin.names[a].s, nearbyint(rating->elo) + 0.0, nearbyint(rating->low) + 0.0,
             nearbyint(rating->high) + 0.0, games > 0 ? 100 * sums->points / games : 50,
             nk_group_digits(sums->games).s);
}

/* The points of a against b in per cent, or a negative number if they have not played. */
static double percent_of_points(int a, int b)
{
    const struct nk_score *score = &round_robin.scores[a < b ? pair_of(a, b) : pair_of(b, a)];
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

void ratings_begin(void)
{
    live.is_on = nk_system_is_screen(stderr);
}

void ratings_clear(void)
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
void ratings_show(void *context, double done)
{
    (void)context, (void)done;
    const struct nk_screen_size size = nk_system_screen_size(stderr);
    struct standing standing;
    char line[LINE];
    const double time = nk_system_now(), games = (double)round_robin_games();
    const double total = (double)round_robin_planned();
    if (!live.is_on || time - live.shown < 0.2 || find_standing(&standing, NULL))
        return;
    ratings_clear();
    snprintf(line, LINE, "%s of %s games (%.0f %%), about %.0f s left", nk_group_digits((uint64_t)games).s,
             nk_group_digits((uint64_t)total).s, 100 * games / total,
             games > 0 ? (time - round_robin.began) * (total - games) / games : 0);
    live_line(line, size.columns);
    if (size.rows > 3)
        live_line(header, size.columns);
    for (int place = 0; place < round_robin.players && place < size.rows - 3; place++) {
        format_player(&standing, place, line);
        live_line(line, size.columns);
    }
    (void)fflush(stderr);
    live.shown = time;
}

/* ---- the report ---- */

static void print_matrix(const struct standing *standing)
{
    terminal_printf(0, "\nPoints of the player in the row, in per cent:\n\n");
    printf("%20s", "");
    for (int place = 0; place < round_robin.players; place++)
        printf(" %3d", place + 1);
    for (int row = 0; row < round_robin.players; row++) {
        const int a = standing->order[row];
        printf("\n%4d  %-14s", row + 1, round_robin.names[a].s);
        for (int column = 0; column < round_robin.players; column++) {
            const int b = standing->order[column];
            if (a == b || percent_of_points(a, b) < 0)
                printf("   %c", a == b ? '.' : '?');
            else
                printf(" %3.0f", percent_of_points(a, b));
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

enum nk_status ratings_print(double seconds, struct nk_error *error)
{
    struct standing standing;
    char line[LINE];
    bool unbounded = false;
    const enum nk_status status = find_standing(&standing, error);
    if (status)
        return status;
    terminal_printf(0, "%d players, %s game%s in %.3f s, seed %" PRIu64 "\n\n", round_robin.players,
                    nk_group_digits(round_robin_games()).s, nk_plural(round_robin_games()), seconds,
                    common_options.seed);
    terminal_printf(INDENT, "%s\n", header);
    for (int place = 0; place < round_robin.players; place++) {
        const struct nk_rating *rating = &standing.ratings[standing.order[place]];
        format_player(&standing, place, line);
        terminal_printf(INDENT, "%s\n", line);
        unbounded |= !is_bound(rating->low) || !is_bound(rating->high);
    }
    if (unbounded)
        terminal_printf(0, "\ninf: no bound, because one side won all of the games.\n");
    print_matrix(&standing);
    return NK_OK;
}

/* Beyond the third decimal the figures depend on the machine, and 0 has a sign. */
static double rounded(double elo)
{
    return round(elo * 1000) / 1000 + 0.0;
}

static void add_elo(struct nk_json *json, const char *key, double elo)
{
    if (is_bound(elo))
        nk_json_real(json, key, rounded(elo));
    else
        nk_json_null(json, key);
}

static void add_player_json(struct nk_json *json, const struct standing *standing, int a)
{
    const struct sums *sums = &standing->sums[a];
    nk_json_begin(json, NULL, '{');
    nk_json_string(json, "name", round_robin.names[a].s);
    add_elo(json, "elo", standing->ratings[a].elo);
    add_elo(json, "elo_low", standing->ratings[a].low);
    add_elo(json, "elo_high", standing->ratings[a].high);
    nk_json_real(json, "points", sums->points);
    nk_json_integer(json, "games", (int64_t)sums->games);
    nk_json_integer(json, "wins", (int64_t)sums->wins);
    nk_json_integer(json, "draws", (int64_t)sums->draws);
    nk_json_integer(json, "losses", (int64_t)sums->losses);
    nk_json_integer(json, "mistakes", (int64_t)sums->mistakes);
    nk_json_integer(json, "blunders", (int64_t)sums->blunders);
    nk_json_end(json, '}');
}

static void add_match_json(struct nk_json *json, int a, int b)
{
    const struct nk_score *score = &round_robin.scores[pair_of(a, b)];
    const uint64_t games = nk_score_games(score);
    nk_json_begin(json, NULL, '{');
    nk_json_string(json, "a", round_robin.names[a].s);
    nk_json_string(json, "b", round_robin.names[b].s);
    nk_json_integer(json, "games", (int64_t)games);
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
    nk_json_end(json, '}');
}

enum nk_status ratings_print_json(double seconds, struct nk_error *error)
{
    struct standing standing;
    const enum nk_status status = find_standing(&standing, error);
    if (status)
        return status;
    struct nk_json *json = nk_json_begin_line();
    nk_json_integer(json, "games", (int64_t)round_robin_games());
    nk_json_bool(json, "complete", !round_robin.interrupted);
    nk_json_string(json, "anchor", round_robin.anchor < 0 ? NULL : round_robin.names[round_robin.anchor].s);
    nk_json_begin(json, "players", '[');
    for (int place = 0; place < round_robin.players; place++)
        add_player_json(json, &standing, standing.order[place]);
    nk_json_end(json, ']');
    nk_json_begin(json, "matches", '[');
    for (int b = 1; b < round_robin.players; b++)
        for (int a = 0; a < b; a++)
            add_match_json(json, a, b);
    nk_json_end(json, ']');
    json_add_seed(json);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
    return NK_OK;
}

/* A bound of a rating that is infinite is empty, as null in JSON. */
static void print_elo_csv(double elo)
{
    if (is_bound(elo))
        printf(",%.3f", rounded(elo));
    else
        putchar(',');
}

enum nk_status ratings_print_csv(struct nk_error *error)
{
    struct standing standing;
    const enum nk_status status = find_standing(&standing, error);
    if (status)
        return status;
    puts("name,games,wins,draws,losses,points,mistakes,blunders,elo,elo_low,elo_high");
    for (int place = 0; place < round_robin.players; place++) {
        const int a = standing.order[place];
        const struct sums *sums = &standing.sums[a];
        printf("%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.1f,%" PRIu64 ",%" PRIu64,
               round_robin.names[a].s, sums->games, sums->wins, sums->draws, sums->losses, sums->points,
               sums->mistakes, sums->blunders);
        print_elo_csv(standing.ratings[a].elo);
        print_elo_csv(standing.ratings[a].low);
        print_elo_csv(standing.ratings[a].high);
        putchar('\n');
    }
    return NK_OK;
}
