/* Plays White perfectly: reads Black's moves, one per line, and prints its own, until the game ends. Then prints the
 * mistakes in the game.
 *
 *     cc opponent.c $(pkg-config --cflags --libs neutreeko) -o opponent
 *     printf '%s\n' b1-b4 b4-b1 | ./opponent */

#include <neutreeko.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays the move that the user entered, and the reply. */
static enum nk_status play_round(struct nk_table *table, struct nk_game *game, const char *text,
                                 uint64_t *random, struct nk_error *error)
{
    struct nk_move move;
    enum nk_status status = nk_move_parse(nk_game_rules(game), text, &move, error);
    if (!status)
        status = nk_game_play(game, move, error);
    if (status || nk_game_end(game, NULL) != NK_END_NONE)
        return status;
    status = nk_choose(table, game, random, &move, error);
    if (!status)
        status = nk_game_play(game, move, error);
    if (!status) {
        printf("%s\n", nk_move_text(nk_game_rules(game), move).s);
    }
    return status;
}

static enum nk_status print_mistakes(struct nk_table *table, const struct nk_game *game,
                                     struct nk_error *error)
{
    const int count = nk_game_plies(game);
    struct nk_reviewed *moves = (struct nk_reviewed *)malloc(((size_t)count + 1) * sizeof *moves);
    if (!moves) {
        strcpy(error->text, "out of memory");
        return NK_E_MEMORY;
    }
    const enum nk_status status = nk_review(table, game, moves, error);
    for (int ply = 0; ply < count && !status; ply++) {
        if (moves[ply].mark != NK_MARK_NONE)
            printf("Ply %d, %s: %s was better.\n", ply + 1,
                   nk_move_text(nk_game_rules(game), moves[ply].move).s,
                   nk_move_text(nk_game_rules(game), moves[ply].better).s);
    }
    free(moves);
    return status;
}

int main(void)
{
    struct nk_table *table;
    struct nk_game *game = NULL;
    struct nk_position start;
    struct nk_error error;
    char line[100];
    uint64_t random = 0;

    if (nk_table_solve(NULL, 0, 0, NULL, NULL, &table, &error)) {
        fprintf(stderr, "opponent: %s\n", error.text);
        return 1;
    }
    enum nk_status status = NK_OK;
    if (!nk_rules_start(nk_table_rules(table), &start))
        status = NK_E_POSITION, strcpy(error.text, "this board has no start position");
    else
        status = nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, &error);

    while (!status && nk_game_end(game, NULL) == NK_END_NONE && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        status = play_round(table, game, line, &random, &error);
        if (status == NK_E_SYNTAX || status == NK_E_MOVE) {
            printf("%s: %s\n", line, error.text); /* The user can enter another move. */
            status = NK_OK;
        }
    }
    if (!status) {
        printf("%s\n", nk_end_text(game).s);
        status = print_mistakes(table, game, &error);
    }
    if (status)
        fprintf(stderr, "opponent: %s\n", error.text);
    nk_game_free(game);
    nk_table_close(table);
    return status != NK_OK;
}
