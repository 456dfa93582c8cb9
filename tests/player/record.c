/* Games as text: what is written is read as the same game, and no text does harm. */

#include "player/game.h"
#include "player/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text the size of its allocation, so that a sanitizer sees each read beyond its end. */
struct record {
    char *text;
    size_t length;
};

static struct record written(const struct nk_game *game)
{
    char *text = nk_record_text(game);
    cr_assert(text);
    return (struct record){text, strlen(text)};
}

static void expect_same_game(const struct nk_game *a, const struct nk_game *b, const char *text)
{
    const int plies = nk_game_plies(a);
    enum nk_colour winner_a = NK_BLACK, winner_b = NK_BLACK;
    cr_assert_eq(nk_game_plies(b), plies, "%s", text);
    cr_assert_eq(nk_game_end(b, &winner_b), nk_game_end(a, &winner_a), "%s", text);
    cr_assert_eq(winner_b, winner_a, "%s", text);
    for (int ply = 0; ply <= plies; ply++) {
        const struct nk_position x = nk_game_position_at(a, ply), y = nk_game_position_at(b, ply);
        cr_assert(x.mover == y.mover && x.other == y.other, "ply %d of %s", ply, text);
        cr_assert_eq(nk_game_to_move_at(a, ply), nk_game_to_move_at(b, ply), "%s", text);
    }
}

static struct nk_position random_position(const struct nk_rules *rules, uint64_t *random)
{
    struct nk_position position;
    do {
        uint64_t sides[2] = {0, 0};
        for (int side = 0; side < 2; side++)
            while (__builtin_popcountll(sides[side]) < rules->pieces) {
                const uint64_t bit = nk_bit((int)nk_random_below(random, (uint32_t)rules->squares));
                if (!((sides[0] | sides[1]) & bit))
                    sides[side] |= bit;
            }
        position = (struct nk_position){sides[0], sides[1]};
    } while (nk_position_check(rules, position, NK_BLACK, NULL));
    return position;
}

static struct nk_game *random_game(const struct nk_rules *rules, uint64_t *random)
{
    struct nk_game *game = NULL;
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    if (nk_random_below(random, 3) == 0 || !nk_rules_start(rules, &position)) {
        position = random_position(rules, random);
        to_move = nk_random_below(random, 2) ? NK_WHITE : NK_BLACK;
    }
    cr_assert_eq(nk_game_new(rules, position, to_move, &game, NULL), NK_OK);
    for (uint32_t left = nk_random_below(random, 40); left; left--) {
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(rules, nk_game_position(game), moves);
        if (nk_game_end(game, NULL) != NK_END_NONE)
            break;
        const struct nk_move move = moves[nk_random_below(random, (uint32_t)count)];
        cr_assert_eq(nk_game_play(game, move, NULL), NK_OK);
    }
    if (nk_random_below(random, 4) == 0)
        nk_game_resign(game);
    return game;
}

Test(record, round_trip)
{
    static const int boards[][4] = {{5, 5, 3, 3}, {3, 3, 2, 2}, {4, 3, 3, 3}, {7, 7, 3, 3}, {8, 8, 5, 4}};
    uint64_t random = 1;
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        struct nk_rules rules;
        const int *board = boards[b];
        cr_assert_eq(nk_rules_init(&rules, board[0], board[1], board[2], board[3], NK_WIN_LINE, NULL), NK_OK);
        for (int n = 0; n < 300; n++) {
            struct nk_game *game = random_game(&rules, &random), *read = NULL;
            struct nk_error error = {NK_OK, 0, ""};
            const struct record record = written(game);
            cr_assert_eq(nk_record_read(record.text, record.length, &rules, &read, &error), NK_OK, "%s:\n%s",
                         error.text, record.text);
            expect_same_game(game, read, record.text);
            const struct record again = written(read);
            cr_assert_str_eq(again.text, record.text);
            nk_game_free(game);
            nk_game_free(read);
            free(record.text);
            free(again.text);
        }
    }
}

Test(record, what_was_taken_back_is_not_written)
{
    struct nk_rules rules;
    struct nk_position start;
    struct nk_game *game = NULL;
    struct nk_move move;
    nk_rules_standard(&rules);
    cr_assert(nk_rules_start(&rules, &start));
    cr_assert_eq(nk_game_new(&rules, start, NK_BLACK, &game, NULL), NK_OK);
    struct record record = written(game);
    cr_assert_str_eq(record.text, "");
    free(record.text);
    static const char *const moves[] = {"b1-c1", "c2-c3", "c1-a3"};
    for (int m = 0; m < 3; m++) {
        cr_assert_eq(nk_move_parse(&rules, moves[m], &move, NULL), NK_OK);
        cr_assert_eq(nk_game_play(game, move, NULL), NK_OK);
    }
    nk_game_resign(game);
    record = written(game);
    cr_assert_str_eq(record.text, "1. b1-c1 c2-c3\n2. c1-a3 resign\n# White resigns: Black wins.\n");
    free(record.text);
    nk_game_undo(game);
    nk_game_undo(game);
    record = written(game);
    cr_assert_str_eq(record.text, "1. b1-c1 c2-c3\n");
    free(record.text);
    nk_game_free(game);
}

/* What looks like the start but is none says so, or it would be read as another game. */
Test(record, squares_of_the_start_with_another_side_to_move)
{
    struct nk_rules rules;
    struct nk_position start;
    nk_rules_standard(&rules);
    cr_assert(nk_rules_start(&rules, &start));
    const uint64_t elsewhere = start.other ^ (start.other & -start.other) ^ 1;
    const struct {
        struct nk_position position;
        enum nk_colour to_move;
        const char *text;
    } cases[] = {{start, NK_BLACK, ""},
                 {start, NK_WHITE, "start 1b1b1/2w2/5/2b2/1w1w1 w\n"},
                 {{start.other, start.mover}, NK_BLACK, "start 1b1b1/2w2/5/2b2/1w1w1 b\n"},
                 {{start.other, start.mover}, NK_WHITE, "start 1w1w1/2b2/5/2w2/1b1b1 w\n"},
                 {{start.mover, elsewhere}, NK_BLACK, "start 1w1w1/2b2/5/5/wb1b1 b\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nk_game *game = NULL, *read = NULL;
        cr_assert_eq(nk_game_new(&rules, cases[i].position, cases[i].to_move, &game, NULL), NK_OK);
        const struct record record = written(game);
        cr_assert_str_eq(record.text, cases[i].text);
        cr_assert_eq(nk_record_read(record.text, record.length, &rules, &read, NULL), NK_OK);
        expect_same_game(game, read, record.text);
        nk_game_free(game);
        nk_game_free(read);
        free(record.text);
    }
}

/* The line and the character that a complaint names are those of error.at; nothing is returned. */
static void expect_place(const char *text, size_t length, const struct nk_error *error)
{
    unsigned long line = 0, character = 0;
    cr_assert(error->at >= 1 && error->at <= length + 1, "at %zu of %zu", error->at, length);
    cr_assert_eq(sscanf(error->text, "line %lu, character %lu: ", &line, &character), 2, "%s", error->text);
    unsigned long lines = 1;
    size_t begin = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t i = 0; i < error->at - 1; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'))) {
            lines++;
            begin = i + 1;
        }
    cr_assert_eq(line, lines, "%s", error->text);
    cr_assert_eq(character, error->at - begin, "%s", error->text);
}

Test(record, damaged_texts)
{
    enum { ROUNDS = 30000, ROOM = 400 };
    static const char pieces[] = "abcde12345-.# \t\r\n\0\xff\xef\xbb\xbfstart resign bw/:_";
    struct nk_rules rules;
    uint64_t random = 5;
    int read_well = 0;
    nk_rules_standard(&rules);
    for (int round = 0; round < ROUNDS; round++) {
        struct nk_game *game = random_game(&rules, &random), *read = NULL;
        const struct record record = written(game);
        size_t length = record.length < ROOM ? record.length : ROOM;
        char *text = malloc(length + 1);
        cr_assert(text);
        memcpy(text, record.text, length);
        for (uint32_t left = nk_random_below(&random, 4); left && length; left--) {
            const size_t at = nk_random_below(&random, (uint32_t)length);
            if (nk_random_below(&random, 3))
                text[at] = pieces[nk_random_below(&random, sizeof pieces - 1)];
            else
                length = at;
        }
        char *exact = malloc(length ? length : 1);
        cr_assert(exact);
        memcpy(exact, text, length);
        struct nk_error error = {NK_OK, 0, ""};
        const enum nk_status status = nk_record_read(exact, length, &rules, &read, &error);
        if (status) {
            cr_assert_eq(nk_record_read(exact, length, &rules, &read, NULL), status);
            cr_assert(status == NK_E_SYNTAX || status == NK_E_POSITION || status == NK_E_MOVE);
            cr_assert_eq(error.status, status);
            expect_place(exact, length, &error);
            cr_assert_null(read);
        } else {
            read_well++;
            nk_game_free(read);
        }
        nk_game_free(game);
        free(record.text);
        free(text);
        free(exact);
    }
    cr_assert(read_well > ROUNDS / 100 && read_well < ROUNDS * 9 / 10, "%d", read_well);
}

Test(record, board_without_start)
{
    struct nk_rules rules;
    struct nk_game *game = NULL;
    struct nk_error error;
    cr_assert_eq(nk_rules_init(&rules, 4, 3, 3, 3, NK_WIN_LINE, NULL), NK_OK);
    static const char move[] = "# board\n 1. a1-a2", good[] = "start bb1b/4/ww1w b\n";
    cr_assert_eq(nk_record_read(move, strlen(move), &rules, &game, &error), NK_E_POSITION);
    expect_place(move, strlen(move), &error);
    cr_assert_eq(nk_record_read("", 0, &rules, &game, &error), NK_E_POSITION);
    cr_assert_eq(nk_record_read(good, strlen(good), &rules, &game, &error), NK_OK);
    nk_game_free(game);
}
