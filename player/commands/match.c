/* neutreeko match: two opponents against each other, many times. */

#include "player/commands.h"

#include "common/parallel.h"
#include "player/commands/arguments.h"
#include "player/commands/json.h"
#include "player/match.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "Usage: neutreeko match [OPTION]... A B\n"
    "Let two opponents play many games and count who wins. A is Black in the first game, then they take "
    "turns.\n"
    "\n"
    "Examples:\n"
    "  neutreeko match perfect level:4\n"
    "  neutreeko match --start drawn --games 1000 perfect alphabeta:6\n"
    "  neutreeko match --json --seed 7 --start '1w1w1/2b2/5/2w2/1b1b1 w' rules random\n"
    "\n"
    "Options:\n"
    "      --games N         how many games (default 100)\n"
    "      --start POSITION  where every game begins (default the start of the game)\n"
    "      --start drawn     begin each pair of games, one with each side, at a random drawn position\n"
    "      --start random    begin each pair of games at a random position\n"
    "      --seed N          other chances; the same seed gives the same games (default 0)\n"
    "      --threads N       games at a time (default one for each processor)\n"
    "      --max-plies N     break a game off as a draw after so many moves (default 1000)\n"
    "      --json            print one JSON object\n"
    "      --table FILE      the table to play from and to judge by\n"
    "  -h, --help            show this help\n"
    "\n"
    "Opponents:\n";

static const char help_end[] =
    "\n"
    "A win or a draw counts as given away when the table says that another move would have kept it.\n"
    "Random positions have Black to move and are not over; each of them is as likely as any other.\n"
    "\n"
    "Exit status: 0 when the match was played, 1 for a failure, 2 for wrong usage.\n";

static const char command[] = "match";

enum { MOST_GAMES = 100000000, MOST_THREADS = 256, MOST_PLIES = 1000000 };

/* The command line. */
struct options {
    struct nk_match match;
    const char *start; /* or NULL */
    const char *table;
    bool json;
};

static int print_help(void)
{
    const char *form, *about;
    fputs(help, stdout);
    for (int n = 0; nk_opponent_describe(n, &form, &about); n++) {
        struct nk_opponent opponent;
        if (!nk_opponent_parse(form, &opponent, NULL) && nk_opponent_is_human(opponent))
            continue;
        printf("  %-13s %s\n", form, about);
    }
    return print_text(help_end);
}

/* ---- the command line ---- */

static bool read_opponent(const char *name, struct nk_opponent *opponent)
{
    struct nk_error error;
    if (nk_opponent_parse(name, opponent, &error))
        fprintf(stderr, "neutreeko match: %s\n", error.text);
    else if (nk_opponent_is_human(*opponent))
        fprintf(stderr, "neutreeko match: '%s' cannot play here: nobody is asked for a move\n", name);
    else
        return true;
    return false;
}

/* Reads `--start` or, without it, finds the start of the board; the rules are those of the table. */
static bool read_start(const char *start, const struct nk_rules *rules, struct nk_match *match, bool *usage)
{
    struct nk_error error;
    struct nk_move moves[NK_MAX_MOVES];
    *usage = true;
    match->start = NK_START_GIVEN;
    match->to_move = NK_BLACK;
    if (!start) {
        *usage = false;
        if (nk_rules_start(rules, &match->position))
            return true;
        fputs("neutreeko match: the board of this table has no start position: name one with --start\n",
              stderr);
    } else if (strcmp(start, "drawn") == 0) {
        match->start = NK_START_DRAWN;
        return true;
    } else if (strcmp(start, "random") == 0) {
        match->start = NK_START_RANDOM;
        return true;
    } else if (nk_position_parse(rules, start, &match->position, &match->to_move, &error)) {
        fprintf(stderr,
                "neutreeko match: --start takes 'drawn', 'random' or a position, and '%s' is none: ", start);
        if (error.at)
            fprintf(stderr, "character %zu: ", error.at);
        fprintf(stderr, "%s\n", error.text);
    } else if (!nk_position_moves(rules, match->position, moves)) {
        fprintf(stderr, "neutreeko match: --start '%s': that game is over\n", start);
    } else {
        return true;
    }
    return false;
}

/* ---- the account ---- */

static void print_account(const struct nk_match *match, const struct nk_score *score, double seconds)
{
    const double games = match->games;
    char name[NK_OPPONENT_TEXT];
    printf("%" PRIu32 " game%s, %.1f plies on average, in %.3f s\n\n", match->games,
           match->games == 1 ? "" : "s", (double)score->plies / games, seconds);
    printf("   %-14s %10s  %7s  %14s\n", "", "games won", "", "wins and draws");
    printf("   %-14s %10s  %7s  %14s\n", "", "", "", "given away");
    for (int side = 0; side < NK_SIDES; side++) {
        nk_opponent_print(match->opponents[side], name);
        printf("%c  %-14s %10" PRIu64 "  %5.1f %%  %14" PRIu64 "\n", 'A' + side, name, score->wins[side],
               100 * (double)score->wins[side] / games, score->thrown[side]);
    }
    printf("   %-14s %10" PRIu64 "  %5.1f %%\n", "draws", score->draws, 100 * (double)score->draws / games);
}

static void print_account_json(const struct nk_match *match, const struct nk_score *score, double seconds)
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

static int play(struct options *options, struct nk_table *table)
{
    struct nk_score score;
    struct nk_error error;
    bool usage;
    if (!read_start(options->start, nk_table_rules(table), &options->match, &usage))
        return usage ? usage_error(command) : EXIT_FAILURE;
    const double begin = now();
    if (nk_match_play(table, &options->match, &score, &error)) {
        fprintf(stderr, "neutreeko match: %s\n", error.text);
        return EXIT_FAILURE;
    }
    const double seconds = now() - begin;
    if (options->json)
        print_account_json(&options->match, &score, seconds);
    else
        print_account(&options->match, &score, seconds);
    return flush_output(command) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Returns false after a complaint. */
static bool read_arguments(struct options *options, int count, char **names)
{
    if (count < NK_SIDES)
        fputs("neutreeko match: two opponents are needed\n", stderr);
    else if (count > NK_SIDES)
        fprintf(stderr, "neutreeko match: unexpected argument '%s'\n", names[NK_SIDES]);
    else
        return read_opponent(names[NK_SIDE_A], &options->match.opponents[NK_SIDE_A]) &&
               read_opponent(names[NK_SIDE_B], &options->match.opponents[NK_SIDE_B]);
    return false;
}

int command_match(int argc, char **argv)
{
    enum { GAMES = 256, START, SEED, THREADS, MAX_PLIES, JSON, TABLE };
    static const struct option known[] = {
        {"games", required_argument, NULL, GAMES},
        {"start", required_argument, NULL, START},
        {"seed", required_argument, NULL, SEED},
        {"threads", required_argument, NULL, THREADS},
        {"max-plies", required_argument, NULL, MAX_PLIES},
        {"json", no_argument, NULL, JSON},
        {"table", required_argument, NULL, TABLE},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.match = {.games = 100, .max_plies = 1000, .threads = nk_processors()}};
    uint64_t number = 0;
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        switch (option) {
        case GAMES:
            if (!read_number(command, "--games", optarg, 1, MOST_GAMES, &number))
                return usage_error(command);
            options.match.games = (uint32_t)number;
            break;
        case START:
            options.start = optarg;
            break;
        case SEED:
            if (!read_number(command, "--seed", optarg, 0, UINT64_MAX, &options.match.seed))
                return usage_error(command);
            break;
        case THREADS:
            if (!read_number(command, "--threads", optarg, 1, MOST_THREADS, &number))
                return usage_error(command);
            options.match.threads = (int)number;
            break;
        case MAX_PLIES:
            if (!read_number(command, "--max-plies", optarg, 1, MOST_PLIES, &number))
                return usage_error(command);
            options.match.max_plies = (int)number;
            break;
        case JSON:
            options.json = true;
            break;
        case TABLE:
            options.table = optarg;
            break;
        case 'h':
            return print_help();
        default:
            return usage_error(command);
        }
    if (!read_arguments(&options, argc - optind, argv + optind))
        return usage_error(command);
    struct nk_table *table;
    if (!open_table(command, options.table, &table))
        return EXIT_FAILURE;
    const int status = play(&options, table);
    nk_table_close(table);
    return status;
}
