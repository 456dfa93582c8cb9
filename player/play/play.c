/* neutreeko play: a game at the terminal, or between programs. */

#include "common/system/file.h"
#include "player/archive.h"
#include "player/commands/common.h"
#include "player/commands/positions.h"
#include "player/play/play_commands.h"
#include "player/play/play_session.h"
#include "player/play/recorded_games.h"

#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "Play Neutreeko at the terminal, by default as Black against an opponent that\n"
    "can be beaten. Type moves as b1-c1 (also b1c1 or 1B1C); 'help' lists the\n"
    "commands. Threefold repetition is a draw; hints and the perfect player take the\n"
    "history of the game into account.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --against easy    play a stronger opponent; also medium, hard\n"
    "                                   and perfect\n"
    "  neutreeko play --side white      play White\n"
    "  neutreeko play --hints           play with a comment on each move\n"
    "  neutreeko play --against human   play between two people\n"
    "  neutreeko play --black rules --white random --seed 1\n"
    "                                   print a game between two programs\n"
    "  neutreeko play --start fair:17   play from a fair start (docs/GAME.md)\n"
    "  neutreeko play --resume          continue the last game\n"
    "  neutreeko play --load match.txt --game 2\n"
    "                                   continue a game of an archive\n"
    "  printf '%s\\n' b1-c1 d1-e1 | neutreeko play\n"
    "                                   read moves from a pipe\n";

static const char notes[] = "\n"
                            "Every game that a person plays at a terminal is recorded after each move, in a\n"
                            "file of its own in $XDG_STATE_HOME/neutreeko/games (default:\n"
                            "~/.local/state/neutreeko/games). 'neutreeko review' summarises these files.\n"
                            "\n"
                            "Exit status: 0 after a normal exit, 1 for a failure, or if a line that was not\n"
                            "typed at a terminal was an illegal move or could not be carried out, 2 for\n"
                            "incorrect usage, 130 after Ctrl-C.\n";

static void print_list(void)
{
    print_opponents("Players", true);
    play_commands_print();
}

/* The weakest that people are offered: the first game should not be lost in ten moves. */
static const char standard_opponent[] = "beginner";

static struct play_settings settings;

static const char *names[2], *against, *start; /* NULL: not given */
static int side = -1;                          /* of the person; negative: not given */

static const struct nk_program_option options[] = {
    GAME_OPTIONS,
    NK_TEXT("against", "PLAYER", "Play against this opponent, one of the players below", standard_opponent,
            &against),
    {.name = "side",
     .argument = "black|white",
     .help = "Play this side; Black moves first",
     .fallback = "black",
     .choice = &side},
    {.name = "black",
     .argument = "PLAYER",
     .help = "Set the player for Black, with --white for a game between two programs",
     .fallback = "human",
     .excludes = "against side",
     .text = &names[NK_BLACK]},
    {.name = "white",
     .argument = "PLAYER",
     .help = "Set the player for White",
     .fallback = "human",
     .excludes = "against side",
     .text = &names[NK_WHITE]},
    NK_TEXT("start", "POSITION",
            "Begin at this position, in the notation of 'neutreeko query'; fair is a random fair start",
            "the start of the game", &start),
    {.name = "load",
     .argument = "FILE",
     .help = "Continue the game in FILE, as written by 'save' at the prompt, or in standard input for -",
     .excludes = "start",
     .text = &settings.load},
    {.name = "game",
     .argument = "N",
     .help = "Continue the N-th game of --load FILE",
     .fallback = "the only game",
     .number = &settings.game,
     .least = 1,
     .most = UINT32_MAX},
    {.name = "resume",
     .help = "Continue the last unfinished game that was played at a terminal",
     .excludes = "start load",
     .flag = &settings.resumes},
    NK_FLAG("no-record", "Do not record the game", &settings.unrecorded),
    SEED_OPTION,
    OUTPUT_OPTIONS,
    NK_FLAG("hints", "Comment on each position and on each move", &settings.hints),
    NK_FLAG("flip", "Show the board from White's side", &settings.view.flip),
    NK_FLAG("stats", "Print to standard error how many positions a search visited", &settings.stats),
    BOARD_STYLE_OPTION,
    COLOR_OPTION,
    GENERAL_OPTIONS,
    TABLE_OPTION,
    NK_LAST_OPTION,
};

/* Sets the player of each colour to what the options request. Returns the exit status. */
static int set_players(void)
{
    struct nk_error error;
    const char *given[2] = {"human", "human"};
    settings.side = side == NK_WHITE ? NK_WHITE : NK_BLACK;
    settings.named.side = side >= 0;
    settings.named.opponent = against != NULL;
    if (!names[NK_BLACK] && !names[NK_WHITE])
        given[nk_colour_other(settings.side)] = against ? against : standard_opponent;
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++) {
        settings.named.colours[colour] = names[colour] != NULL;
        if (names[colour])
            given[colour] = names[colour];
        if (nk_opponent_parse(given[colour], &settings.players[colour], &error))
            return nk_usage_error(command_name, "%s", error.text);
    }
    return EXIT_SUCCESS;
}

static int check(int argc, char **argv)
{
    (void)argc, (void)argv;
    if (settings.game && !settings.load)
        return nk_usage_error(command_name, "--game requires --load");
    return set_players();
}

/* Whether a record can be continued: not if its game is over. One that cannot be read is not passed over in silence. */
static bool can_be_resumed(const char *path, const void *context)
{
    struct nk_headers headers;
    struct nk_game *game;
    if (nk_archive_single(path, nk_table_rules(context), 1, &headers, &game, NULL))
        return true;
    const bool over = nk_game_end(game, NULL) != NK_END_NONE;
    nk_game_free(game);
    return !over;
}

/* Plays the last unfinished game of the state directory. */
static int resume(void)
{
    char *directory = recorded_games_directory(),
         *latest = recorded_games_latest(can_be_resumed, settings.table);
    int status = EXIT_FAILURE;
    settings.load = latest;
    if (latest)
        status = play_session(&settings);
    else
        nk_report(command_name, "no game to resume: no unfinished one is recorded in %s",
                  directory ? directory : "the state directory, because HOME is not set");
    free(directory);
    free(latest);
    return status;
}

static int run(struct nk_table *table, int argc, char **argv)
{
    (void)argc, (void)argv;
    settings.table = table;
    settings.seed = common_options.seed;
    const bool flip = settings.view.flip;
    settings.view = board_view();
    settings.view.flip = flip;
    const int status = settings.load || settings.resumes
                           ? EXIT_SUCCESS
                           : position_read_start(table, start, &settings.start, &settings.first);
    if (status)
        return status;
    if (settings.resumes)
        return resume();
    return play_session(&settings);
}

static bool reads_input(int argc, char **argv)
{
    (void)argc, (void)argv;
    return nk_opponent_is_human(settings.players[NK_BLACK]) ||
           nk_opponent_is_human(settings.players[NK_WHITE]) ||
           (settings.load && nk_file_is_standard(settings.load));
}

const struct command play_command = {
    .line = {"neutreeko play", " [OPTION]...", about, options, notes, .print_list = print_list},
    .check = check,
    .reads_input = reads_input,
    .run = run};
