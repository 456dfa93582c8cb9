/* Measures the review of long games in which positions repeat.
 * Usage: bench-review TABLE PLIES fro|random [record]   prints a row of a table, or the game as a record */

#include "common/game/game.h"
#include "common/play/random.h"
#include "common/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TRIES = 1000 };

static void fail(const char *what)
{
    fprintf(stderr, "bench-review: %s\n", what);
    exit(EXIT_FAILURE);
}

/* ---- games ---- */

/* Whether the game goes on after a move. */
static bool goes_on(const struct nk_game *game, struct nk_move move)
{
    struct nk_move moves[NK_MAX_MOVES];
    const struct nk_rules *rules = nk_game_rules(game);
    const struct nk_position after = nk_position_after(nk_game_position(game), move);
    return !nk_rules_won(rules, after.other) && nk_position_moves(rules, after, moves) > 0 &&
           nk_game_repeats(game, move) < 2;
}

/* Plays a random move after which the game goes on. */
static void play_any(struct nk_game *game, uint64_t *random)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_game_rules(game), nk_game_position(game), moves);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        const struct nk_move move = moves[nk_random_below(random, (uint32_t)count)];
        if (!goes_on(game, move))
            continue;
        if (nk_game_play(game, move, NULL))
            fail("out of memory");
        return;
    }
    fail("every move ends the game");
}

/* Takes the last move of the side to move back, if it can and the game goes on. */
static bool play_back(struct nk_game *game)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int plies = nk_game_plies(game);
    const int count = nk_position_moves(nk_game_rules(game), nk_game_position(game), moves);
    if (plies < 2)
        return false;
    const struct nk_move own = nk_game_move_at(game, plies - 2), back = {own.to, own.from};
    for (int m = 0; m < count; m++)
        if (nk_move_equal(moves[m], back) && goes_on(game, back))
            return !nk_game_play(game, back, NULL);
    return false;
}

/* The start position, or one in the middle of the table in which the game goes on. */
static struct nk_position find_start(const struct nk_table *table)
{
    struct nk_position position;
    struct nk_move moves[NK_MAX_MOVES];
    const struct nk_index *index = nk_table_index(table);
    uint64_t entry = index->entries / 2;
    if (nk_rules_start(&index->rules, &position))
        return position;
    do
        position = nk_index_position(index, entry++);
    while (nk_position_check(&index->rules, position, NK_BLACK, NULL) ||
           nk_rules_won(&index->rules, position.other) || !nk_position_moves(&index->rules, position, moves));
    return position;
}

/* Both sides move to and fro (or always at random) until every position has occurred twice; then one plays another
 * move. */
static struct nk_game *make_game(const struct nk_table *table, int plies, bool fro)
{
    uint64_t random = 1;
    struct nk_game *game;
    if (nk_game_new(nk_table_rules(table), find_start(table), NK_BLACK, &game, NULL))
        fail("out of memory");
    while (nk_game_plies(game) < plies)
        if (!fro || !play_back(game))
            play_any(game, &random);
    return game;
}

/* ---- the measurement ---- */

/* Processor time: other programs may run. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void measure(struct nk_table *table, const struct nk_game *game, const char *kind)
{
    struct nk_error error;
    const struct nk_board board = nk_rules_board(nk_table_rules(table));
    const int plies = nk_game_plies(game);
    struct nk_reviewed *reviewed = malloc(((size_t)plies + 1) * sizeof *reviewed);
    int twice = 0;
    if (!reviewed)
        fail("out of memory");
    for (int ply = 0; ply < plies; ply++)
        twice += nk_game_occurrences_at(game, ply) == 2;
    const double begin = now();
    if (nk_review(table, game, reviewed, &error))
        fail(error.text);
    printf("%dx%d/%d %-12s %7d %7d %9.3f s\n", board.width, board.height, board.pieces, kind, plies, twice,
           now() - begin);
    free(reviewed);
}

int main(int argc, char **argv)
{
    struct nk_table *table;
    struct nk_error error;
    if (argc < 4)
        fail("expected TABLE PLIES fro|random [record]");
    if (nk_table_open(argv[1], &table, &error))
        fail(error.text);
    struct nk_game *game = make_game(table, atoi(argv[2]), strcmp(argv[3], "fro") == 0);
    if (argc == 4) {
        measure(table, game, strcmp(argv[3], "fro") == 0 ? "to and fro" : "random");
    } else {
        char *record = nk_record_text(game, NULL);
        if (!record)
            fail("out of memory");
        fputs(record, stdout);
        free(record);
    }
    nk_game_free(game);
    nk_table_close(table);
    return EXIT_SUCCESS;
}
