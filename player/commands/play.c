/* neutreeko play: a game at the terminal, or between programs. */

#include "player/commands/play.h"
#include "player/commands/common.h"

#include <stdlib.h>

static const char about[] =
    "Play Neutreeko at the terminal, by default as Black against the perfect player.\n"
    "Type moves as b1-c1 (also b1c1 or 1B1C); 'help' lists the commands. Threefold\n"
    "repetition is a draw; hints and the perfect player take the history of the game\n"
    "into account.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --hints           play with a comment on each move\n"
    "  neutreeko play --white level:3   play against an opponent that can be beaten\n"
    "  neutreeko play --white human     play between two people\n"
    "  neutreeko play --black perfect --white human\n"
    "                                   play White\n"
    "  neutreeko play --black rules --white random --seed 1\n"
    "                                   print a game between two programs\n"
    "  printf '%s\\n' b1-c1 d1-e1 | neutreeko play\n"
    "                                   read moves from a pipe\n";

static const char notes[] = "\n"
                            "Exit status: 0 when the game ended or was left, 1 for a failure, 2 for\n"
                            "incorrect usage, 130 after Ctrl-C.\n";

static void print_list(void)
{
    print_opponents("Players", true);
}

enum { NO_PROTOCOL = -1, FIRST };

static struct play play;

static const char *names[] = {[NK_BLACK] = "human", [NK_WHITE] = "perfect"};
static const char *start;
static int protocol = NO_PROTOCOL; /* the index of a word of --four-character */

static const struct nk_program_option options[] = {
    NK_TEXT("black", "PLAYER", "Set the player for Black, who moves first", NULL, &names[NK_BLACK]),
    NK_TEXT("white", "PLAYER", "Set the player for White", NULL, &names[NK_WHITE]),
    NK_TEXT("start", "POSITION", "Begin at this position, in the notation of 'neutreeko query'",
            "the start of the game", &start),
    SEED_OPTION,
    NK_FLAG("hints", "Comment on each position and on each move", &play.hints),
    NK_FLAG("flip", "Show the board from White's side", &play.flip),
    NK_FLAG("stats", "Print to standard error how many positions a search visited", &play.stats),
    NO_COLOR_OPTION,
    TABLE_OPTION,
    {.name = "four-character",
     .argument = "first|second",
     .help = "Play perfectly through a pipe, with moves as 1B1C (rank, file, rank, file), one per line; "
             "'first' moves first. The last line is the result for the other side: 'You Win', 'You Lose' or "
             "'Draw'. An illegal move loses. The game is a draw after 300 moves of both sides together, not "
             "by threefold repetition (see docs/engine.md)",
     .excludes = "black white start hints flip stats",
     .choice = &protocol},
    NK_LAST_OPTION,
};

static int check(int argc, char **argv)
{
    struct nk_error error;
    (void)argc, (void)argv;
    if (nk_opponent_parse(names[NK_BLACK], &play.players[NK_BLACK], &error) ||
        nk_opponent_parse(names[NK_WHITE], &play.players[NK_WHITE], &error))
        return nk_usage_error(program, "%s", error.text);
    return EXIT_SUCCESS;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    (void)argc, (void)argv;
    play.table = table;
    play.random = common_options.seed;
    play.colour = use_colour();
    const int status = read_position(nk_table_rules(table), start, &play.start, &play.first);
    if (status)
        return status;
    return protocol == NO_PROTOCOL ? play_session(&play) : play_four_character(&play, protocol == FIRST);
}

const struct command play_command = {
    .line = {"neutreeko play", " [OPTION]...", about, options, notes, .print_list = print_list},
    .check = check,
    .run = run};
