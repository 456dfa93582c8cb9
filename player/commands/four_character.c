/* neutreeko play --four-character: moves as "1B1C" (rank, file, rank, file), one per line and nothing else, and at
 * the end the result for the other side. Earlier student programs use this protocol. In it, a game has no threefold
 * repetition, only the limit of 300 moves, and a program that stops earlier is taken to have made an illegal move. */

#include "player/commands/common.h"
#include "player/commands/play.h"

#include "player/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The choice of a move does not depend on the limit: the shortest win and the longest loss are best with any number
 * of moves left. */
enum { MAX_GAME_PLIES = 300 };

static void print_move(const struct nk_rules *rules, struct nk_move move)
{
    char from[NK_SQUARE_TEXT], to[NK_SQUARE_TEXT];
    nk_square_print(rules, move.from, from);
    nk_square_print(rules, move.to, to);
    printf("%c%c%c%c\n", from[1], from[0] - 'a' + 'A', to[1], to[0] - 'a' + 'A');
}

/* The result for the other side, or NULL while the game is not over. */
static const char *result_text(const struct nk_game *game, enum nk_colour own)
{
    enum nk_colour winner = own;
    const enum nk_end end = nk_game_end(game, &winner);
    if (end == NK_END_WON)
        return winner == own ? "You Lose" : "You Win";
    return end != NK_END_NONE || nk_game_plies(game) >= MAX_GAME_PLIES ? "Draw" : NULL;
}

static bool play_own_move(struct play *play, struct nk_game *game)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    if (nk_choose(play->table, game, &play->random, &move, &error) || nk_game_play(game, move, &error))
        return report_error(&error);
    print_move(nk_game_rules(game), move);
    return nk_flush_output(program);
}

/* Reads and plays the other side's move. Sets *legal to false if it is not a legal move. */
static enum terminal_input play_other_move(struct nk_game *game, bool *legal)
{
    char line[TERMINAL_LINE];
    struct nk_move move;
    enum terminal_input input;
    while ((input = terminal_read_stream(stdin, line)) == TERMINAL_GOT_LINE && !*line)
        ;
    *legal = input == TERMINAL_GOT_LINE && line[0] >= '1' && line[0] <= '9' &&
             nk_move_parse(nk_game_rules(game), line, &move, NULL) == NK_OK &&
             nk_game_play(game, move, NULL) == NK_OK;
    return input;
}

/* Plays until the game ends or the input does. Returns false after an error message. */
static bool play_game(struct play *play, struct nk_game *game, enum nk_colour own)
{
    const char *result;
    while (!(result = result_text(game, own))) {
        bool legal;
        if (nk_game_to_move(game) == own) {
            if (!play_own_move(play, game))
                return false;
            continue;
        }
        const enum terminal_input input = play_other_move(game, &legal);
        if (input == TERMINAL_FAILED)
            nk_report(program, "cannot read standard input: %s", strerror(errno));
        if (input != TERMINAL_GOT_LINE)
            return input == TERMINAL_END;
        if (!legal) {
            result = "You Lose";
            break;
        }
    }
    puts(result);
    return true;
}

int play_four_character(struct play *play, bool first)
{
    const enum nk_colour own = first ? play->first : nk_colour_other(play->first);
    struct nk_game *game;
    struct nk_error error;
    bool good = nk_game_new(nk_table_rules(play->table), play->start, play->first, &game, &error) == NK_OK;
    if (good) {
        nk_game_ignore_repetition(game);
        good = play_game(play, game, own);
        nk_game_free(game);
    } else {
        (void)report_error(&error);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
