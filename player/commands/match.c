/* neutreeko match: many games between two opponents. */

#include "player/commands.h"

#include "common/parallel.h"
#include "player/commands/common.h"
#include "player/commands/json.h"
#include "player/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char program[] = "neutreeko match";

static const char about[] = "Play many games between two opponents and count the results. A is Black in the\n"
                            "first game; then the sides alternate.\n"
                            "\n"
                            "Examples:\n"
                            "  neutreeko match perfect level:4\n"
                            "  neutreeko match --start drawn --games 1000 perfect alphabeta:6\n"
                            "  neutreeko match --json --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n";

static const char notes[] = "\n"
                            "A win or a draw counts as thrown away when, according to the table, another\n"
                            "move would have kept it. Random positions have Black to move and are not over;\n"
                            "all of them are equally likely.\n"
                            "\n"
                            "Exit status: 0 for success, 1 for a failure, 2 for incorrect usage.\n";

enum { MAX_GAMES = 100000000, MAX_THREADS = 256, MAX_GAME_PLIES = 1000000 };

static void print_list(void)
{
    print_opponents("Opponents", false);
}

/* Returns the exit status. */
static int read_opponent(const char *name, struct nk_opponent *opponent)
{
    struct nk_error error;
    if (nk_opponent_parse(name, opponent, &error))
        return nk_usage_error(program, "%s", error.text);
    if (nk_opponent_is_human(*opponent))
        return nk_usage_error(program, "'%s' cannot play a match: nobody is asked for moves", name);
    return EXIT_SUCCESS;
}

/* Reads the argument of --start, or NULL for the start of the board. Returns the exit status. */
static int read_start(const char *text, const struct nk_rules *rules, struct nk_match *match)
{
    struct nk_move moves[NK_MAX_MOVES];
    match->start = NK_START_GIVEN;
    if (text && strcmp(text, "drawn") == 0)
        match->start = NK_START_DRAWN;
    else if (text && strcmp(text, "random") == 0)
        match->start = NK_START_RANDOM;
    if (match->start != NK_START_GIVEN)
        return EXIT_SUCCESS;
    const int status = read_position(program, rules, text, &match->position, &match->to_move);
    if (status || nk_position_moves(rules, match->position, moves))
        return status;
    return nk_usage_error(program, "--start '%s': the game is over in this position", text);
}

/* ---- the report ---- */

static void print_report(const struct nk_match *match, const struct nk_score *score, double seconds)
{
    const double games = match->games;
    char name[NK_OPPONENT_TEXT];
    printf("%" PRIu32 " game%s, %.1f plies on average, in %.3f s\n\n", match->games,
           match->games == 1 ? "" : "s", (double)score->plies / games, seconds);
    printf("   %-14s %10s  %7s  %14s\n", "", "games won", "", "wins and draws");
    printf("   %-14s %10s  %7s  %14s\n", "", "", "", "thrown away");
    for (int side = 0; side < NK_SIDES; side++) {
        nk_opponent_print(match->opponents[side], name);
        printf("%c  %-14s %10" PRIu64 "  %5.1f %%  %14" PRIu64 "\n", 'A' + side, name, score->wins[side],
               100 * (double)score->wins[side] / games, score->thrown[side]);
    }
    printf("   %-14s %10" PRIu64 "  %5.1f %%\n", "draws", score->draws, 100 * (double)score->draws / games);
}

static void print_report_json(const struct nk_match *match, const struct nk_score *score, double seconds)
{
    char a[NK_OPPONENT_TEXT], b[NK_OPPONENT_TEXT];
    nk_opponent_print(match->opponents[NK_SIDE_A], a);
    nk_opponent_print(match->opponents[NK_SIDE_B], b);
    struct nk_json *json = nk_json_begin_line();
    nk_json_string(json, "a", a);
    nk_json_string(json, "b", b);
    nk_json_integer(json, "games", match->games);
    nk_json_integer(json, "a_wins", (int64_t)score->wins[NK_SIDE_A]);
    nk_json_integer(json, "draws", (int64_t)score->draws);
    nk_json_integer(json, "b_wins", (int64_t)score->wins[NK_SIDE_B]);
    nk_json_real(json, "mean_plies", (double)score->plies / match->games);
    nk_json_integer(json, "a_thrown", (int64_t)score->thrown[NK_SIDE_A]);
    nk_json_integer(json, "b_thrown", (int64_t)score->thrown[NK_SIDE_B]);
    nk_json_real(json, "seconds", seconds);
    nk_json_end_line(json);
}

/* ---- the command ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int play(struct nk_match *match, const char *start, bool json, struct nk_table *table)
{
    struct nk_score score;
    struct nk_error error;
    const int status = read_start(start, nk_table_rules(table), match);
    if (status)
        return status;
    const double begin = now();
    if (nk_match_play(table, match, &score, &error)) {
        (void)report_error(program, &error);
        return EXIT_FAILURE;
    }
    const double seconds = now() - begin;
    if (json)
        print_report_json(match, &score, seconds);
    else
        print_report(match, &score, seconds);
    return nk_flush_output(program) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static struct {
    const char *start, *table;
    uint64_t games, seed, threads, max_plies;
    bool json;
} options = {.games = 100, .max_plies = 1000};

static const struct nk_program_option known_options[] = {
    NK_NUMBER("games", "N", "Play N games", NULL, &options.games, 1, MAX_GAMES),
    NK_TEXT(
        "start", "POSITION|drawn|random",
        "Begin every game at this position, or each pair of games, one with each side, at a random position: "
        "one that is drawn, or any",
        "the start of the game", &options.start),
    SEED_OPTION(&options.seed, NULL),
    NK_NUMBER("threads", "N", "Play N games at a time", "one per processor", &options.threads, 1,
              MAX_THREADS),
    NK_NUMBER("max-plies", "N", "Stop a game as a draw after N moves of both sides together", NULL,
              &options.max_plies, 1, MAX_GAME_PLIES),
    NK_FLAG("json", "Print one JSON object", &options.json),
    TABLE_OPTION(&options.table),
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {
    program, " [OPTION]... A B", about, known_options, notes, .print_list = print_list, .operands = NK_SIDES};

int command_match(int argc, char **argv)
{
    struct nk_table *table;
    options.threads = (uint64_t)nk_processors();
    int status = nk_read_options(&command, &argc, &argv);
    if (status != NK_OPTIONS_READ)
        return status;
    if (argc < NK_SIDES)
        return nk_usage_error(program, "expected two opponents");
    struct nk_match match = {.seed = options.seed,
                             .games = (uint32_t)options.games,
                             .threads = (int)options.threads,
                             .max_plies = (int)options.max_plies};
    for (int side = 0; side < NK_SIDES; side++)
        if ((status = read_opponent(argv[side], &match.opponents[side])))
            return status;
    if (!open_table(program, options.table, &table))
        return EXIT_FAILURE;
    status = play(&match, options.start, options.json, table);
    nk_table_close(table);
    return status;
}
