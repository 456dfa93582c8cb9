/* Games as text. The first byte chooses the board, the rest is the record or an archive of records. */

#include "tests/fuzz/fuzz.h"

#include "common/game/game.h"

static const struct nk_board boards[] = {{5, 5, 3, 3, NK_WIN_LINE},
                                         {3, 3, 3, 3, NK_WIN_LINE},
                                         {3, 3, 4, 3, NK_WIN_LINE},
                                         {7, 7, 3, 3, NK_WIN_LINE}};

/* Every position of the game follows from the one before by a legal move, and the other game is the same. */
static void check_game(const struct nk_rules *rules, const struct nk_game *game, const struct nk_game *again)
{
    const int plies = nk_game_plies(game);
    CHECK(plies == nk_game_plies(again));
    CHECK(nk_game_plies_with_undone(game) == nk_game_plies_with_undone(again));
    CHECK(nk_game_end(game, NULL) == nk_game_end(again, NULL));
    for (int ply = 0; ply <= plies; ply++) {
        const struct nk_position position = nk_game_position_at(game, ply);
        const enum nk_colour to_move = nk_game_to_move_at(game, ply);
        CHECK(same_position(position, nk_game_position_at(again, ply)));
        CHECK(to_move == nk_game_to_move_at(again, ply));
        if (ply == plies)
            return;
        const struct nk_move move = nk_game_move_at(game, ply);
        CHECK(!nk_position_check(rules, position, to_move, NULL));
        CHECK(!nk_move_check(rules, position, to_move, move, NULL));
        CHECK(same_position(nk_position_after(position, move), nk_game_position_at(game, ply + 1)));
    }
}

static void check_same_headers(const struct nk_headers *a, const struct nk_headers *b)
{
    CHECK(strcmp(a->event, b->event) == 0);
    CHECK(strcmp(a->date, b->date) == 0);
    CHECK(strcmp(a->round, b->round) == 0);
    CHECK(strcmp(a->players[0], b->players[0]) == 0);
    CHECK(strcmp(a->players[1], b->players[1]) == 0);
    CHECK(a->outcome == b->outcome);
}

/* What was read is written so that it is read in the same way; what is written once more is the same text. */
static void check_round_trip(const struct nk_rules *rules, const struct nk_game *game,
                             const struct nk_headers *headers)
{
    struct nk_headers found;
    struct nk_game *again;
    char *record = nk_record_text(game, headers);
    CHECK(record);
    const struct nk_record_part part = {record, strlen(record), 1, 0};
    CHECK(!nk_record_read_part(&part, rules, &found, &again, NULL, NULL));
    check_game(rules, game, again);
    char *same = nk_record_text(again, &found);
    CHECK(same);
    CHECK(strcmp(same, record) == 0);
    check_same_headers(headers, &found);
    CHECK(nk_record_length(record, part.length) == part.length);
    free(same);
    free(record);
    nk_game_free(again);
}

/* The record of a tree gives the same tree, with the same game, and the same record. */
static void check_tree(const struct nk_rules *rules, struct nk_tree *tree, const struct nk_game *game)
{
    struct nk_tree *again;
    struct nk_game *line;
    char *record = nk_record_tree_text(tree, NULL);
    CHECK(record);
    CHECK(!nk_record_read(record, strlen(record), rules, NULL, &line, NULL));
    check_game(rules, game, line);
    CHECK(!nk_record_read_tree(record, strlen(record), rules, NULL, &again, NULL));
    CHECK(nk_tree_count(again) == nk_tree_count(tree));
    char *same = nk_record_tree_text(again, NULL);
    CHECK(same);
    CHECK(strcmp(same, record) == 0);
    free(same);
    free(record);
    nk_game_free(line);
    nk_tree_free(again);
}

/* Reads a game of an archive. */
static void check_part(const char *text, size_t length, const struct nk_rules *rules)
{
    const struct nk_record_part part = {text, length, 1, 0};
    struct nk_game *game = NULL;
    struct nk_tree *tree = NULL;
    struct nk_headers headers;
    struct nk_error error;
    if (has_failed(nk_record_read_part(&part, rules, &headers, &game, &tree, &error), &error,
                   1 << NK_E_RULES | 1 << NK_E_SYNTAX | 1 << NK_E_POSITION | 1 << NK_E_MOVE, length)) {
        CHECK(!game);
        CHECK(!tree);
        CHECK(error.at >= 1 || nk_record_is_empty(text, length));
        return;
    }
    check_round_trip(rules, game, &headers);
    check_tree(rules, tree, game);
    nk_tree_free(tree);
    nk_game_free(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const struct nk_rules *rules = choose_rules(data[0], boards, COUNT(boards));
    const char *text = (const char *)data + 1;
    check_part(text, size - 1, rules);
    for (size_t at = 0, length; at < size - 1; at += length) {
        length = nk_record_length(text + at, size - 1 - at);
        CHECK(length >= 1);
        CHECK(length <= size - 1 - at);
        if (length < size - 1)
            check_part(text + at, length, rules);
    }
    return 0;
}
