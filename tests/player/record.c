/* Games as text: what is written is read as the same game. What cannot be read is in tests/programs/test_review.py and
 * tests/fuzz/record.c. */

#include "player/random.h"
#include "player/record.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_same_game(const struct nk_game *a, const struct nk_game *b, const char *text)
{
    const int plies = nk_game_plies(a);
    enum nk_colour winner_a = NK_BLACK, winner_b = NK_BLACK;
    cr_assert_eq(nk_game_plies(b), plies, "%s", text);
    cr_assert(nk_game_end(b, &winner_b) == nk_game_end(a, &winner_a) && winner_a == winner_b, "%s", text);
    for (int ply = 0; ply <= plies; ply++)
        cr_assert(same_position(nk_game_position_at(a, ply), nk_game_position_at(b, ply)) &&
                      nk_game_to_move_at(a, ply) == nk_game_to_move_at(b, ply),
                  "ply %d of %s", ply, text);
}

/* Reads a text of exactly this length, so that a sanitizer sees each read beyond its end. */
static enum nk_status read_text(const struct nk_rules *rules, const char *text, size_t length,
                                struct nk_game **game, struct nk_error *error)
{
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    const enum nk_status status = nk_record_read(exact, length, rules, game, error);
    free(exact);
    return status;
}

/* The record of a game, which is read as the same game. Headers are in tests/fuzz/record.c. */
static char *round_trip(const struct nk_game *game)
{
    struct nk_game *read = NULL;
    struct nk_error error;
    char *text = nk_record_text(game);
    cr_assert(!read_text(nk_game_rules(game), text, strlen(text), &read, &error), "%s:\n%s", error.text,
              text);
    expect_same_game(game, read, text);
    char *again = nk_record_text(read);
    cr_assert_str_eq(again, text);
    free(again);
    nk_game_free(read);
    return text;
}

static struct nk_game *random_game(const struct nk_index *index, uint64_t *random)
{
    struct nk_game *game;
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    if (nk_random_below(random, 3) == 0 || !nk_rules_start(&index->rules, &position)) {
        to_move = nk_random_below(random, 2) ? NK_WHITE : NK_BLACK;
        do
            position = nk_index_position(index, nk_random(random) % index->entries);
        while (nk_position_check(&index->rules, position, to_move, NULL));
    }
    cr_assert(!nk_game_new(&index->rules, position, to_move, &game, NULL));
    for (uint32_t left = nk_random_below(random, 40); left && nk_game_end(game, NULL) == NK_END_NONE;
         left--) {
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(&index->rules, nk_game_position(game), moves);
        cr_assert(!nk_game_play(game, moves[nk_random_below(random, (uint32_t)count)], NULL));
    }
    if (nk_random_below(random, 4) == 0)
        nk_game_resign(game);
    return game;
}

Test(record, of_random_games)
{
    static const struct board boards[] = {{5, 5, 3, 3, NK_WIN_LINE},
                                          {3, 3, 2, 2, NK_WIN_LINE},
                                          {4, 3, 3, 3, NK_WIN_LINE},
                                          {7, 7, 3, 3, NK_WIN_LINE}};
    uint64_t random = 1;
    for (size_t b = 0; b < COUNT(boards); b++) {
        AUTO_INDEX *index = index_of(boards[b]);
        for (int n = 0; n < 100; n++) {
            AUTO_GAME *game = random_game(index, &random);
            free(round_trip(game));
        }
    }
}

/* The start with another side to move says so, or it would be read as another game. What was taken back is not written. */
Test(record, of_given_games)
{
    static const struct {
        const char *position, *moves;
        bool resigns;
        int undone;
        const char *text;
    } cases[] = {
        {standard_start, "", false, 0, ""},
        {"1w1w1/2b2/5/2w2/1b1b1 w", "", false, 0, "start 1w1w1/2b2/5/2w2/1b1b1 w\n"},
        {"1b1b1/2w2/5/2b2/1w1w1 b", "", false, 0, "start 1b1b1/2w2/5/2b2/1w1w1 b\n"},
        {standard_start, "b1-c1 c2-c3 c1-a3", true, 0,
         "1. b1-c1 c2-c3\n2. c1-a3 resign\n# White resigns: Black wins.\n"},
        {standard_start, "b1-c1 c2-c3 c1-a3", true, 2, "1. b1-c1 c2-c3\n"},
        {"1w1w1/2b2/5/2w2/1b1b1 w", "b5-c5 b1-c1", false, 0,
         "start 1w1w1/2b2/5/2w2/1b1b1 w\n1... b5-c5\n2. b1-c1\n"},
    };
    struct nk_rules rules;
    nk_rules_standard(&rules);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_GAME *game = begin_game(&rules, cases[i].position);
        play_moves(game, cases[i].moves);
        if (cases[i].resigns)
            nk_game_resign(game);
        for (int undone = 0; undone < cases[i].undone; undone++)
            nk_game_undo(game);
        char *text = round_trip(game);
        cr_assert_str_eq(text, cases[i].text);
        free(text);
    }
}

Test(record, of_a_board_without_start)
{
    const struct nk_rules rules = rules_of((struct board){4, 3, 3, 3, NK_WIN_LINE});
    static const char move[] = "# board\n 1. a1-a2", good[] = "start bb1b/4/ww1w b\n";
    AUTO_GAME *game = NULL;
    struct nk_error error;
    cr_assert_eq(read_text(&rules, move, strlen(move), &game, &error), NK_E_POSITION);
    cr_assert(!strncmp(error.text, "line 2, character 1: ", 21), "%s", error.text);
    cr_assert_eq(read_text(&rules, "", 0, &game, NULL), NK_E_POSITION);
    cr_assert(!read_text(&rules, good, strlen(good), &game, &error));
}
