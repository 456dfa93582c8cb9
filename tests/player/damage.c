/* With a damaged table, all answers of the player are errors or correct. */

#include "player/engine.h"
#include "player/explain.h"
#include "player/match.h"
#include "player/puzzle.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(damage, .init = open_standard, .fini = close_board);

enum { RANDOM = 7 };

/* Asks something about a game that is not over; the answer is what it prints. */
typedef enum nk_status question(struct nk_table *asked, const struct nk_game *game, FILE *answer,
                                struct nk_error *error);

static void print_value(FILE *answer, struct nk_value value)
{
    fprintf(answer, "%d in %d, ", value.result, value.plies);
}

static enum nk_status ask_options(struct nk_table *asked, const struct nk_game *game, FILE *answer,
                                  struct nk_error *error)
{
    struct nk_option options[NK_MAX_MOVES];
    int count;
    const enum nk_status status = nk_options(asked, game, options, &count, error);
    for (int m = 0; !status && m < count; m++) {
        fprintf(answer, "%d-%d, %d, %d, ", options[m].move.from, options[m].move.to, options[m].trap,
                options[m].repeats);
        print_value(answer, options[m].value);
    }
    return status;
}

/* Explains each move of the initial position of the game. */
static enum nk_status ask_why(struct nk_table *asked, const struct nk_game *game, FILE *answer,
                              struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_game_rules(game), nk_game_position_at(game, 0), moves);
    enum nk_status status = NK_OK;
    for (int m = 0; m < count && !status; m++) {
        struct nk_explanation why = {0};
        status = nk_explain(asked, game, 0, moves[m], &why, error);
        print_value(answer, why.before);
        print_value(answer, why.value);
        fprintf(answer, "%d-%d, %d, %d, %d, %d", why.best.from, why.best.to, why.threat, why.stopped,
                why.losing, why.holding);
    }
    return status;
}

static enum nk_status ask_review(struct nk_table *asked, const struct nk_game *game, FILE *answer,
                                 struct nk_error *error)
{
    struct nk_reviewed reviewed = {0};
    const enum nk_status status = nk_review(asked, game, nk_game_plies(game) - 1, &reviewed, error);
    print_value(answer, reviewed.before);
    print_value(answer, reviewed.after);
    fprintf(answer, "%d-%d", reviewed.better.from, reviewed.better.to);
    return status;
}

static enum nk_status ask_opponents(struct nk_table *asked, const struct nk_game *game, FILE *answer,
                                    struct nk_error *error)
{
    static const char *const names[] = {"perfect", "level:5", "weakest"};
    enum nk_status status = NK_OK;
    for (size_t i = 0; i < COUNT(names) && !status; i++) {
        struct nk_move move = {0, 0};
        uint64_t random = RANDOM;
        status = nk_opponent_move(opponent_of(names[i]), asked, game, &random, &move, NULL, error);
        fprintf(answer, "%d-%d, ", move.from, move.to);
    }
    return status;
}

/* A game of some moves; NULL if the entry has no position or the game ends too soon. */
static struct nk_game *game_from(uint64_t entry)
{
    const struct nk_index *index = nk_table_index(table);
    const struct nk_position position = nk_index_position(index, entry);
    struct nk_game *game;
    if (nk_position_check(&index->rules, position, NK_BLACK, NULL))
        return NULL;
    cr_assert(!nk_game_new(&index->rules, position, NK_BLACK, &game, NULL));
    for (uint64_t left = 1 + entry % 7; left && nk_game_end(game, NULL) == NK_END_NONE; left--) {
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(&index->rules, nk_game_position(game), moves);
        cr_assert(!nk_game_play(game, moves[entry % (uint64_t)count], NULL));
    }
    if (nk_game_end(game, NULL) == NK_END_NONE)
        return game;
    nk_game_free(game);
    return NULL;
}

static void compare_answers(struct nk_table *damaged, const struct nk_game *game, question *ask, int *refused,
                            int *answered)
{
    struct nk_error error = {0};
    char *expected, *found;
    size_t expected_length, length;
    FILE *right = open_memstream(&expected, &expected_length), *other = open_memstream(&found, &length);
    cr_assert(!ask(table, game, right, NULL));
    const enum nk_status status = ask(damaged, game, other, &error);
    fclose(right);
    fclose(other);
    if (status)
        cr_assert(status == NK_E_CORRUPT && error.status == status && strstr(error.text, "damaged"), "%s",
                  error.text);
    else
        cr_assert(length == expected_length && !memcmp(found, expected, length), "%s, not %s", found,
                  expected);
    *refused += status != NK_OK;
    *answered += status == NK_OK;
    free(expected);
    free(found);
}

Test(damage, gives_errors_or_correct_answers)
{
    static question *const questions[] = {ask_options, ask_why, ask_review, ask_opponents};
    enum { PARTS = 5 };
    int refused[COUNT(questions)] = {0}, answered[COUNT(questions)] = {0};
    const struct bytes bytes = read_bytes("table.dat");
    for (size_t part = 1; part < PARTS; part++) {
        struct nk_error error;
        struct nk_puzzle puzzle;
        struct nk_puzzle_count count;
        uint64_t random = RANDOM;
        bytes.data[bytes.size * part / PARTS] ^= 1;
        struct nk_table *damaged = open_bytes(bytes);
        for (uint64_t entry = part; entry < nk_table_index(table)->entries - 20; entry += 9001) {
            struct nk_game *game = game_from(entry);
            for (size_t q = 0; game && q < COUNT(questions); q++)
                compare_answers(damaged, game, questions[q], &refused[q], &answered[q]);
            nk_game_free(game);
        }
        /* A puzzle may be anywhere. */
        cr_assert_eq(nk_puzzle_take(damaged, NULL, 5, &random, &puzzle, 1, &count, &error), NK_E_CORRUPT);
        nk_table_close(damaged);
        bytes.data[bytes.size * part / PARTS] ^= 1;
    }
    for (size_t q = 0; q < COUNT(questions); q++)
        cr_assert(refused[q] && answered[q], "question %zu: %d refused, %d answered", q, refused[q],
                  answered[q]);
    free(bytes.data);
}

/* Everything but the positions near the start is damaged, so every thread is playing a game when the first fails. */
Test(damage, ends_a_match_with_the_error_of_any_thread)
{
    const struct bytes bytes = read_bytes("table.dat");
    struct nk_error error = {0};
    struct nk_score score = {.plies = 99};
    struct nk_match match = {.opponents = {opponent_of("minimax:4"), opponent_of("minimax:4")},
                             .games = 100,
                             .threads = 4,
                             .max_plies = 10};
    cr_assert(nk_rules_start(nk_table_rules(table), &match.position));
    const uint64_t seen = nk_index_entry(nk_table_index(table), match.position);
    const size_t here = (size_t)((double)seen / (double)nk_table_index(table)->entries * (double)bytes.size);
    for (size_t at = bytes.size / 10; at < bytes.size - 1000; at += 100)
        if (at + bytes.size / 10 < here || at > here + bytes.size / 10)
            bytes.data[at] ^= 1;
    struct nk_table *damaged = open_bytes(bytes);
    cr_assert_eq(nk_match_play(damaged, &match, &score, &error), NK_E_CORRUPT);
    cr_assert(error.status == NK_E_CORRUPT && strstr(error.text, "damaged"), "%s", error.text);
    cr_assert_eq(nk_match_play(damaged, &match, &score, NULL), NK_E_CORRUPT);
    cr_assert_eq(score.plies, 99, "a score of a match that was not played");
    nk_table_close(damaged);
    free(bytes.data);
}

/* Where nothing is held back, a write fails before the flush does. */
Test(engine, notices_a_full_disk_behind_an_unbuffered_stream, .init = open_standard, .fini = close_board,
     .timeout = 60)
{
    struct nk_error error = {0};
    int in[2];
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        cr_skip("no /dev/full");
    cr_assert(!setvbuf(out, NULL, _IONBF, 0) && !pipe(in) && write(in[1], "ping\n", 5) == 5);
    /* Somebody could still write to the pipe: to read on would be to wait. */
    cr_assert_eq(nk_engine_run(table, 0, in[0], out, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "cannot write to standard output: No space left"), "%s", error.text);
    close(in[0]);
    close(in[1]);
    fclose(out);
}
