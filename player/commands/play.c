/* neutreeko play: a game against a person, or between programs. */

#include "player/commands/play.h"
#include "player/commands.h"
#include "player/commands/arguments.h"

#include "player/display.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_begin[] =
    "Usage: neutreeko play [OPTION]...\n"
    "Play Neutreeko at the terminal, by default as Black against the perfect player.\n"
    "Moves are typed as b1-c1 (also b1c1 or 1B1C); 'help' lists the other words.\n"
    "A position that occurs for the third time is a draw; hints and the perfect\n"
    "player take the history of the game into account.\n"
    "\n"
    "Examples:\n"
    "  neutreeko play --hints                        with a word on every move: for learners\n"
    "  neutreeko play --white level:3                an opponent that can be beaten\n"
    "  neutreeko play --black perfect --white human  the other way round\n"
    "  neutreeko play --white human                  two people\n"
    "  neutreeko play --black rules --white random --seed 1\n"
    "                                                two programs: prints their game\n"
    "  printf '%s\\n' b1-c1 d1-e1 | neutreeko play    moves from a pipe\n"
    "\n"
    "Options:\n"
    "      --black PLAYER    who plays Black, who begins (default: human)\n"
    "      --white PLAYER    who plays White (default: perfect)\n"
    "      --start POSITION  begin from there, as 'neutreeko query' reads and prints positions\n"
    "      --seed N          the same N makes the same choices; without it they differ\n"
    "      --hints           tell what the position is worth, and what a move has given away\n"
    "      --flip            show the board from White's side\n"
    "      --stats           tell on standard error how many positions a search has visited\n"
    "      --no-color        no colours (there are none anyway unless the output is a terminal)\n"
    "      --table FILE      the table to play from\n"
    "      --four-character first|second\n"
    "                        play perfectly through a pipe, with moves as 1B1C\n"
    "                        (rank, file, rank, file), one a line; 'first' begins.\n"
    "                        The last line is the result for the other side: 'You\n"
    "                        Win', 'You Lose' or 'Draw'. An illegal move loses. The\n"
    "                        game is a draw after 300 moves of both sides together,\n"
    "                        not by threefold repetition (see docs/engine.md)\n"
    "  -h, --help            show this help\n"
    "\n"
    "Players:\n";

static const char help_end[] =
    "\n"
    "Exit status: 0 when the game was left or ended, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C.\n";

static const char command[] = "play";

static int print_help(void)
{
    const char *form, *about;
    fputs(help_begin, stdout);
    for (int n = 0; nk_opponent_describe(n, &form, &about); n++)
        printf("  %-12s %s\n", form, about);
    return print_text(help_end);
}

static bool read_player(const char *name, struct nk_opponent *player)
{
    struct nk_error error;
    if (nk_opponent_parse(name, player, &error) == NK_OK)
        return true;
    fprintf(stderr, "neutreeko play: %s\n", error.text);
    return false;
}

/* The position named by --start, or the board's own. Returns the exit status. */
static int read_start(struct play *play, const char *text)
{
    const struct nk_rules *rules = nk_table_rules(play->table);
    struct nk_error error;
    if (text) {
        if (nk_position_parse(rules, text, &play->start, &play->first, &error) == NK_OK)
            return EXIT_SUCCESS;
        refuse_position(command, rules, text, &error);
        return usage_error(command);
    }
    play->first = NK_BLACK;
    if (nk_rules_start(rules, &play->start))
        return EXIT_SUCCESS;
    fputs("neutreeko play: the board of this table has no start position: name one with --start\n", stderr);
    return EXIT_FAILURE;
}

int command_play(int argc, char **argv)
{
    enum { BLACK = 256, WHITE, START, SEED, HINTS, FLIP, STATS, NO_COLOR, TABLE, FOUR_CHARACTER };
    static const struct option known[] = {
        {"black", required_argument, NULL, BLACK},
        {"white", required_argument, NULL, WHITE},
        {"start", required_argument, NULL, START},
        {"seed", required_argument, NULL, SEED},
        {"hints", no_argument, NULL, HINTS},
        {"flip", no_argument, NULL, FLIP},
        {"stats", no_argument, NULL, STATS},
        {"no-color", no_argument, NULL, NO_COLOR},
        {"table", required_argument, NULL, TABLE},
        {"four-character", required_argument, NULL, FOUR_CHARACTER},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct play play = {.colour = nk_use_colour(stdout), .random = fresh_seed()};
    const char *black = "human", *white = "perfect", *start = NULL, *path = NULL, *protocol = NULL;
    const char *session_only = NULL; /* an option that makes no sense with --four-character */
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1) {
        switch (option) {
        case BLACK:
            black = optarg;
            session_only = "--black";
            break;
        case WHITE:
            white = optarg;
            session_only = "--white";
            break;
        case START:
            start = optarg;
            session_only = "--start";
            break;
        case SEED:
            if (!read_number(command, "--seed", optarg, 0, UINT64_MAX, &play.random))
                return usage_error(command);
            break;
        case HINTS:
            play.hints = true;
            session_only = "--hints";
            break;
        case FLIP:
            play.flip = true;
            session_only = "--flip";
            break;
        case STATS:
            play.stats = true;
            session_only = "--stats";
            break;
        case NO_COLOR:
            play.colour = false;
            break;
        case TABLE:
            path = optarg;
            break;
        case FOUR_CHARACTER:
            protocol = optarg;
            break;
        case 'h':
            return print_help();
        default:
            return usage_error(command);
        }
    }
    if (optind < argc) {
        fprintf(stderr, "neutreeko play: '%s' is one word too many\n", argv[optind]);
        return usage_error(command);
    }
    if (protocol && strcmp(protocol, "first") != 0 && strcmp(protocol, "second") != 0) {
        fprintf(stderr, "neutreeko play: --four-character takes 'first' or 'second', not '%s'\n", protocol);
        return usage_error(command);
    }
    if (protocol && session_only) {
        fprintf(stderr, "neutreeko play: %s has no use with --four-character\n", session_only);
        return usage_error(command);
    }
    if (!read_player(black, &play.players[NK_BLACK]) || !read_player(white, &play.players[NK_WHITE]))
        return usage_error(command);
    if (!open_table(command, path, &play.table))
        return EXIT_FAILURE;
    int status = read_start(&play, start);
    if (!status)
        status = protocol ? play_four_character(&play, strcmp(protocol, "first") == 0) : play_session(&play);
    nk_table_close(play.table);
    return status;
}
