/* neutreeko engine --protocol four-character: moves as "1B1C" (rank, file, rank, file), one per line and nothing else,
 * and at the end the result for the other side. Earlier student programs use this protocol. In it, a game has no
 * threefold repetition, only the limit of 300 moves, and a program that stops earlier is taken to have made an illegal
 * move. */

#include "player/commands/four_character.h"

#include "player/commands/common.h"
#include "player/game/choose.h"
#include "player/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The choice of a move does not depend on the limit: the shortest win and the longest loss are best with any number
 * of moves left. */
enum { MAX_GAME_PLIES = 300 };

static void print_move(const struct nk_rules *rules, struct nk_move move)
{
    const struct nk_text from = nk_square_text(rules, move.from);
    const struct nk_text to = nk_square_text(rules, move.to);
    printf("%c%c%c%c\n", from.s[1], from.s[0] - 'a' + 'A', to.s[1], to.s[0] - 'a' + 'A');
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

static enum outcome play_own_move(struct nk_table *table, struct nk_game *game, uint64_t *random)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    if (nk_choose(table, game, random, &move, &error) || nk_game_play(game, move, &error)) {
        report_error(&error);
        return FAIL;
    }
    print_move(nk_game_rules(game), move);
    return nk_flush_output(program) ? CONTINUE : FAIL;
}

/* Reads and plays the other side's move. Leaves at the end of the input, and after a line that is not a legal move. */
static enum outcome play_other_move(struct nk_game *game)
{
    char buffer[TERMINAL_LINE];
    const char *line;
    struct nk_move move;
    struct nk_error error;
    do
        if (terminal_read_input(buffer, &line, &error)) {
            report_error(&error);
            return FAIL;
        }
    while (line && !*line);
    if (!line)
        return LEAVE;
    if (line[0] >= '1' && line[0] <= '9' && nk_move_parse(nk_game_rules(game), line, &move, NULL) == NK_OK &&
        nk_game_play(game, move, NULL) == NK_OK)
        return CONTINUE;
    puts("You Lose");
    return LEAVE;
}

/* Plays until the game ends or the input does. */
static enum outcome play_game(struct nk_table *table, struct nk_game *game, enum nk_colour own)
{
    uint64_t random = common_options.seed;
    const char *result;
    enum outcome outcome = CONTINUE;
    while (outcome == CONTINUE && !(result = result_text(game, own)))
        outcome = nk_game_to_move(game) == own ? play_own_move(table, game, &random) : play_other_move(game);
    if (outcome == CONTINUE)
        puts(result);
    return outcome;
}

int four_character_play(struct nk_table *table, enum nk_colour own)
{
    struct nk_position start;
    enum nk_colour first;
    struct nk_game *game;
    struct nk_error error;
    if (start_position(table, &start, &first, &error) ||
        nk_game_new(nk_table_rules(table), start, first, &game, &error)) {
        report_error(&error);
        return EXIT_FAILURE;
    }
    nk_game_ignore_repetition(game);
    const enum outcome outcome = play_game(table, game, own);
    nk_game_free(game);
    return outcome == FAIL ? EXIT_FAILURE : EXIT_SUCCESS;
}
