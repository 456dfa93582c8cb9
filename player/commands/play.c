/* neutreeko play: a game at the terminal, or between programs. */

#include "player/commands/play.h"
#include "player/commands.h"
#include "player/commands/common.h"

#include "player/display.h"

#include <stdlib.h>

static const char program[] = "neutreeko play";

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

/* Returns the exit status. */
static int read_player(const char *name, struct nk_opponent *player)
{
    struct nk_error error;
    return nk_opponent_parse(name, player, &error) ? nk_usage_error(program, "%s", error.text) : EXIT_SUCCESS;
}

enum { NO_PROTOCOL = -1, FIRST };

static struct play play;

static struct {
    const char *black, *white, *start, *table;
    int protocol; /* the index of a word of --four-character */
    bool no_color;
} options = {.black = "human", .white = "perfect", .protocol = NO_PROTOCOL};

static const struct nk_program_option known_options[] = {
    NK_TEXT("black", "PLAYER", "Set the player for Black, who moves first", NULL, &options.black),
    NK_TEXT("white", "PLAYER", "Set the player for White", NULL, &options.white),
    NK_TEXT("start", "POSITION", "Begin at this position, in the notation of 'neutreeko query'",
            "the start of the game", &options.start),
    SEED_OPTION(&play.random, RANDOM_SEED),
    NK_FLAG("hints", "Comment on each position and on each move", &play.hints),
    NK_FLAG("flip", "Show the board from White's side", &play.flip),
    NK_FLAG("stats", "Print to standard error how many positions a search visited", &play.stats),
    NO_COLOR_OPTION(&options.no_color),
    TABLE_OPTION(&options.table),
    {.name = "four-character",
     .argument = "first|second",
     .help = "Play perfectly through a pipe, with moves as 1B1C (rank, file, rank, file), one per line; "
             "'first' moves first. The last line is the result for the other side: 'You Win', 'You Lose' or "
             "'Draw'. An illegal move loses. The game is a draw after 300 moves of both sides together, not "
             "by threefold repetition (see docs/engine.md)",
     .excludes = "black white start hints flip stats",
     .choice = &options.protocol},
    NK_LAST_OPTION,
};

static const struct nk_command_line command = {program,       " [OPTION]...", about,
                                               known_options, notes,          .print_list = print_list};

int command_play(int argc, char **argv)
{
    play.random = random_seed();
    int status = nk_read_options(&command, &argc, &argv);
    if (status != NK_OPTIONS_READ)
        return status;
    if ((status = read_player(options.black, &play.players[NK_BLACK])) ||
        (status = read_player(options.white, &play.players[NK_WHITE])))
        return status;
    if (!open_table(program, options.table, &play.table))
        return EXIT_FAILURE;
    play.colour = !options.no_color && nk_use_colour(stdout);
    status = read_position(program, nk_table_rules(play.table), options.start, &play.start, &play.first);
    if (!status)
        status = options.protocol == NO_PROTOCOL ? play_session(&play)
                                                 : play_four_character(&play, options.protocol == FIRST);
    nk_table_close(play.table);
    return status;
}
