/* What looks up values passes on the failure of each lookup. */

#include "common/play/play.h"
#include "common/table/table.h"
#include "player/player.h"
#include "tests/player/support.h"
#include "tests/seal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static uint8_t codes[2]; /* of two entries, and of the next one, in turn */
static int left;         /* reads before one that fails */

static void make_up(uint32_t block, uint8_t *bytes, size_t length)
{
    (void)block;
    for (size_t i = 0; i < length; i++)
        bytes[i] = codes[i % 3 == 0];
}

static enum nk_status read_some(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                                struct nk_error *error)
{
    memcpy(bytes, (const uint8_t *)context + offset, length);
    return left-- == 0 ? nk_fail(error, NK_E_READ, 0, "missing") : NK_OK;
}

/* After a move by Black; what is none of the others is an opponent that chooses White's. */
static enum nk_status look_up(const char *what, struct nk_error *error)
{
    const struct match match = {.opponents = {opponent_of("random"), opponent_of("random")},
                                .start = RANDOM_ANY,
                                .games = 2,
                                .threads = 1,
                                .max_plies = 3};
    AUTO_GAME *game = begin_game(nk_table_rules(table), "w3w/2b2/5/5/3w1/b3b b");
    uint64_t random = 1;
    const atomic_bool stop = false;
    struct score score = {0};
    struct nk_explanation why;
    struct nk_reviewed reviewed;
    struct nk_position start;
    struct nk_puzzle puzzle;
    struct nk_move move;
    bool found;
    play_moves(game, "a1-a5");
    if (strcmp(what, "start") == 0)
        return nk_suggested_start(table, &start, error);
    if (strcmp(what, "explain") == 0)
        return nk_explain(table, game, 0, nk_game_move_at(game, 0), &why, error);
    if (strcmp(what, "review") == 0)
        return nk_review(table, game, &reviewed, error);
    if (strcmp(what, "match") == 0)
        return match_play(table, &match, &stop, NULL, &score, error);
    if (strcmp(what, "sample") == 0)
        return nk_puzzle_sample(table, NK_PUZZLE_DRAW, NK_PUZZLE_DRAW, &random, &puzzle, &found, error);
    return nk_opponent_choose(opponent_of(what), table, game, &random, NULL, &move, error);
}

/* The table of a board that has no start position, and many blocks. */
static struct bytes table_of(uint8_t code, uint8_t next)
{
    AUTO_INDEX *index = index_of((struct nk_board){5, 6, 3, 3, NK_WIN_LINE});
    struct bytes bytes = {0};
    codes[0] = code;
    codes[1] = next;
    bytes.data = made_up_table(index, 1, make_up, &bytes.size);
    return bytes;
}

/* Opens it, and has the read after so many fail. */
static void open_failing(struct bytes bytes, int reads)
{
    const struct nk_table_source source = {.context = bytes.data, .size = bytes.size, .read = read_some};
    left = -1;
    cr_assert(!nk_table_open_source(source, &table, NULL));
    left = reads;
}

/* Looks up with more and more blocks, until it needs no more, and expects that it needs so many. */
static void expect_failures(struct bytes bytes, const char *what, int least)
{
    int blocks = 0;
    for (left = -1; left < 0; blocks += 1 + blocks / 8) {
        struct nk_error error = {.status = NK_OK};
        open_failing(bytes, blocks);
        const enum nk_status status = look_up(what, &error);
        nk_table_close(table);
        cr_assert(status == error.status, "%s: %s", what, error.text);
        cr_assert(status == (left < 0 ? NK_E_READ : NK_OK), "%s: %s", what, error.text);
    }
    cr_assert_geq(blocks, least, "%s: %d", what, blocks);
}

Test(lookups, fail_while_a_start_is_looked_for_among_losses)
{
    AUTO_BYTES bytes = table_of(CODE_LOSS, CODE_WIN);
    expect_failures(bytes, "start", 100);
}

Test(lookups, fail_one_after_the_other)
{
    static const struct {
        const char *what;
        int least;
    } cases[] = {{"start", 1},    {"explain", 10}, {"review", 10},  {"match", 5},
                 {"sample", 100}, {"perfect", 10}, {"weakest", 10}, {"level:3", 10}};
    AUTO_BYTES bytes = table_of(CODE_DRAW, CODE_DRAW);
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_failures(bytes, cases[i].what, cases[i].least);
}

/* A survey reads all blocks, which takes too long to be called with more and more. */
Test(lookups, fail_in_a_survey)
{
    AUTO_BYTES bytes = table_of(CODE_DRAW, CODE_DRAW);
    open_failing(bytes, 5);
    uint8_t *survey = malloc((size_t)table->index->entries);
    cr_assert_eq(nk_puzzle_survey(table, survey, NULL), NK_E_READ);
    nk_table_close(table);
    free(survey);
}
