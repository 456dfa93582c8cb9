/* neutreeko play --four-character: moves as "1B1C" (rank, file, rank, file), one a line and nothing else, and
 * at the end the result as the other side sees it. Earlier student programs of this game speak this protocol.
 * They know no threefold repetition, only the limit of 300 moves, and count an earlier stop as an illegal
 * move.
 */

#include "player/commands.h"
#include "player/commands/play.h"

#include "player/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The choice of a move need not know the limit: the winner takes the shortest way and the loser the longest,
 * which is best with any number of moves left. */
enum { MOST_PLIES = 300 };

static const char command[] = "play";

static void print_move(const struct nk_rules *rules, struct nk_move move)
{
    char from[NK_SQUARE_TEXT], to[NK_SQUARE_TEXT];
    nk_square_print(rules, move.from, from);
    nk_square_print(rules, move.to, to);
    printf("%c%c%c%c\n", from[1], from[0] - 'a' + 'A', to[1], to[0] - 'a' + 'A');
}

/* What the other side is told about the end, or NULL while the game goes on. */
static const char *verdict(const struct nk_game *game, enum nk_colour own)
{
    enum nk_colour winner = own;
    const enum nk_end end = nk_game_end(game, &winner);
    if (end == NK_END_WON)
        return winner == own ? "You Lose" : "You Win";
    return end != NK_END_NONE || nk_game_plies(game) >= MOST_PLIES ? "Draw" : NULL;
}

static bool play_own_move(struct play *play, struct nk_game *game)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    if (nk_choose(play->table, game, &play->random, &move, &error) || nk_game_play(game, move, &error)) {
        fprintf(stderr, "neutreeko play: %s\n", error.text);
        return false;
    }
    print_move(nk_game_rules(game), move);
    return flush_output(command);
}

/* Reads the other side's move and plays it. A text that is no move, or a move against the rules, is not
 * *legal. */
static enum terminal_input take_move(struct nk_game *game, bool *legal)
{
    char line[TERMINAL_LINE];
    struct nk_move move;
    enum terminal_input input;
    while ((input = terminal_read_stream(stdin, line)) == TERMINAL_GOT_LINE && !*line)
        ;
    if (input == TERMINAL_GOT_LINE)
        *legal = line[0] >= '1' && line[0] <= '9' &&
                 nk_move_parse(nk_game_rules(game), line, &move, NULL) == NK_OK &&
                 nk_game_play(game, move, NULL) == NK_OK;
    return input;
}

int play_four_character(struct play *play, bool first)
{
    const enum nk_colour own = first ? play->first : nk_colour_other(play->first);
    struct nk_game *game;
    struct nk_error error;
    const char *result = NULL;
    int status = EXIT_SUCCESS;
    if (nk_game_new(nk_table_rules(play->table), play->start, play->first, &game, &error)) {
        report_error("play", &error);
        return EXIT_FAILURE;
    }
    nk_game_ignore_repetition(game);
    while (status == EXIT_SUCCESS && !(result = verdict(game, own))) {
        if (nk_game_to_move(game) == own) {
            if (!play_own_move(play, game))
                status = EXIT_FAILURE;
            continue;
        }
        bool legal = true;
        const enum terminal_input input = take_move(game, &legal);
        if (input == TERMINAL_FAILED) {
            fprintf(stderr, "neutreeko play: cannot read standard input: %s\n", strerror(errno));
            status = EXIT_FAILURE;
        }
        if (input != TERMINAL_GOT_LINE)
            break;
        if (!legal) {
            result = "You Lose";
            break;
        }
    }
    if (result) {
        puts(result);
        if (!flush_output(command))
            status = EXIT_FAILURE;
    }
    nk_game_free(game);
    return status;
}
