/* Games as text. The first byte chooses the board, the rest is the record. */

#include "tests/fuzz/fuzz.h"

#include "player/game.h"

#include <string.h>

static const struct {
    uint8_t width, height, pieces, row_length;
} boards[] = {{5, 5, 3, 3}, {3, 3, 3, 3}, {3, 3, 4, 3}, {7, 7, 3, 3}};

static void check_same(const struct nk_game *a, const struct nk_game *b)
{
    CHECK(nk_game_plies(a) == nk_game_plies(b) && nk_game_known(a) == nk_game_known(b));
    CHECK(nk_game_end(a, NULL) == nk_game_end(b, NULL));
    for (int ply = 0; ply <= nk_game_plies(a); ply++) {
        const struct nk_position p = nk_game_position_at(a, ply), q = nk_game_position_at(b, ply);
        CHECK(p.mover == q.mover && p.other == q.other);
        CHECK(nk_game_to_move_at(a, ply) == nk_game_to_move_at(b, ply));
    }
}

/* Every position of a game that was read follows from the one before by a legal move. */
static void check_game(const struct nk_rules *rules, const struct nk_game *game)
{
    for (int ply = 0; ply < nk_game_plies(game); ply++) {
        const struct nk_position before = nk_game_position_at(game, ply);
        const struct nk_move move = nk_game_move_at(game, ply);
        CHECK(!nk_position_check(rules, before, nk_game_to_move_at(game, ply), NULL));
        CHECK(!nk_move_check(rules, before, nk_game_to_move_at(game, ply), move, NULL));
        const struct nk_position after = nk_position_after(before, move);
        const struct nk_position next = nk_game_position_at(game, ply + 1);
        CHECK(after.mover == next.mover && after.other == next.other);
    }
}

static const struct nk_rules *rules_of(size_t b)
{
    static struct nk_rules made[COUNT(boards)];
    struct nk_rules *rules = &made[b];
    if (!rules->width)
        CHECK(!nk_rules_init(rules, boards[b].width, boards[b].height, boards[b].pieces, boards[b].row_length,
                             NK_WIN_LINE, NULL));
    return rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nk_game *const none = NULL;
    struct nk_game *game = none, *again;
    struct nk_error error;
    if (!size)
        return 0;
    const struct nk_rules *rules = rules_of(data[0] % COUNT(boards));
    const char *text = (const char *)data + 1;
    const enum nk_status status = nk_record_read(text, size - 1, rules, &game, &error);
    if (status) {
        CHECK(status == NK_E_SYNTAX || status == NK_E_POSITION || status == NK_E_MOVE);
        check_error(&error, status);
        CHECK(game == none && error.at >= 1 && error.at <= size);
        return 0;
    }
    check_game(rules, game);
    char *record = nk_record_text(game);
    CHECK(record);
    CHECK(!nk_record_read(record, strlen(record), rules, &again, NULL));
    check_same(game, again);
    char *same = nk_record_text(again);
    CHECK(same && strcmp(same, record) == 0);
    free(same);
    free(record);
    nk_game_free(again);
    nk_game_free(game);
    return 0;
}
