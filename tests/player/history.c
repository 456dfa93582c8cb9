/* The exact values of games in which positions have repeated. All values of a history are right if each agrees with those
 * of the positions that its moves lead to, and the positions that occurred twice are draws: then, by induction on the
 * distance, every win and loss is one, in so many plies, and from a draw each side can stay among the draws for ever. */

#include "player/history.h"
#include "player/explain.h"
#include "player/random.h"
#include "player/record.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of games; HISTORIES sets another one: see docs/TRUST.md. */
static long histories(long quick, long thorough)
{
    const char *text = getenv("HISTORIES");
    return text ? strtol(text, NULL, 10) : is_thorough() ? thorough : quick;
}

/* ---- games that repeat ---- */

/* A position that occurred twice. */
struct twice {
    struct nk_position position;
    enum nk_colour to_move;
};

/* A decided position that goes on; of every second game one from which it takes at least `long_plies`. */
static struct nk_position random_start(int long_plies, uint64_t *random)
{
    const int least = nk_random_below(random, 2) ? long_plies : 2;
    for (;;) {
        const struct nk_position position = random_position(random);
        const struct nk_value value = value_of(position);
        if (value.result != NK_DRAW && value.plies >= least)
            return position;
    }
}

/* A move that goes back where there is one, in seven of eight cases; else one that keeps the result, or any. */
static struct nk_move shuffle(const struct nk_game *game, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count, keep = 0;
    const int plies = nk_game_plies(game);
    cr_assert(!nk_table_moves(table, nk_game_position(game), moves, &count, NULL));
    if (plies >= 2 && nk_random_below(random, 8)) {
        const struct nk_move own = nk_game_move_at(game, plies - 2), back = {own.to, own.from};
        for (int m = 0; m < count; m++)
            if (nk_move_equal(moves[m].move, back))
                return back;
    }
    while (keep < count && moves[keep].value.result == moves[0].value.result)
        keep++;
    const int among = nk_random_below(random, 4) ? keep : count;
    return moves[nk_random_below(random, (uint32_t)among)].move;
}

/* The decided positions that have occurred twice; how many. */
static int find_twice(const struct nk_game *game, struct twice twice[])
{
    int count = 0;
    for (int ply = 0; ply <= nk_game_plies(game); ply++) {
        const struct nk_position position = nk_game_position_at(game, ply);
        const enum nk_colour to_move = nk_game_to_move_at(game, ply);
        if (value_of(position).result != NK_DRAW && nk_game_occurrences_at(game, ply, position, to_move) == 2)
            twice[count++] = (struct twice){position, to_move};
    }
    return count;
}

enum { MOST_PLIES = 48 };

/* Plays a game until decided positions have occurred twice, and a few moves more. */
static struct nk_game *random_game(int long_plies, uint64_t *random, struct twice twice[MOST_PLIES + 1],
                                   int *count)
{
    for (;;) {
        struct nk_game *game;
        const int wanted = 1 + (int)nk_random_below(random, 9);
        cr_assert(
            !nk_game_new(nk_table_rules(table), random_start(long_plies, random), NK_BLACK, &game, NULL));
        for (*count = 0; *count < wanted && nk_game_plies(game) < MOST_PLIES && !nk_game_end(game, NULL);) {
            cr_assert(!nk_game_play(game, shuffle(game, random), NULL));
            *count = find_twice(game, twice);
        }
        if (*count && nk_game_end(game, NULL) == NK_END_NONE)
            return game;
        nk_game_free(game);
    }
}

/* ---- the proof ---- */

static struct proof {
    struct nk_history history;
    struct twice twice[MOST_PLIES + 1];
    int count;
    uint8_t *seen;       /* by position and colour */
    struct twice *queue; /* positions looked at; from `begin` on, what leads to them has not been looked at */
    size_t begin, end, room;
    char *about; /* the record of the game */
} proof;

static struct nk_value claimed(struct nk_position position, enum nk_colour to_move)
{
    struct nk_value value;
    cr_assert(!nk_history_value(&proof.history, position, to_move, &value, NULL));
    return value;
}

static struct nk_value claimed_of_move(struct nk_position position, enum nk_colour to_move,
                                       struct nk_move move)
{
    const struct nk_value reply = claimed(nk_position_after(position, move), nk_colour_other(to_move));
    return (struct nk_value){(enum nk_result) - reply.result, reply.result == NK_DRAW ? 0 : reply.plies + 1};
}

/* The value that follows from those of the moves. */
static struct nk_value value_by_moves(const struct twice *at)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_value best = {NK_DRAW, 0};
    if (nk_rules_won(rules, at->position.other))
        return (struct nk_value){NK_LOSS, 0};
    for (int i = 0; i < proof.count; i++)
        if (proof.twice[i].to_move == at->to_move && same_position(proof.twice[i].position, at->position))
            return best;
    const int count = nk_position_moves(rules, at->position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_value value = claimed_of_move(at->position, at->to_move, moves[m]);
        if (m == 0 || nk_value_better(value, best))
            best = value;
    }
    return best;
}

static size_t number_of(const struct twice *at)
{
    const struct nk_index *index = nk_table_index(table);
    const size_t mover = nk_index_rank(index, at->position.mover),
                 other = nk_index_rank(index, at->position.other);
    return 2 * (mover * index->configurations + other) + at->to_move;
}

/* Looks at a position, once. */
static void look_at(struct nk_position position, enum nk_colour to_move)
{
    const struct twice at = {position, to_move};
    if (proof.seen[number_of(&at)]++)
        return;
    const struct nk_value value = claimed(position, to_move), right = value_by_moves(&at);
    cr_assert(same_value(value, right), "%s: %s is said to be worth %d in %d, by its moves it is %d in %d",
              proof.about, position_text(nk_table_rules(table), position).s, value.result, value.plies,
              right.result, right.plies);
    if (proof.end == proof.room) {
        proof.room = 2 * proof.room + 1024;
        proof.queue = realloc(proof.queue, proof.room * sizeof *proof.queue);
    }
    proof.queue[proof.end++] = at;
}

/* The values of the table agree with each other, so if not all positions are looked at, only those whose value differs
 * from it, the drawn ends among them, and their predecessors can disagree. Each of them leads to another one that differs,
 * or is a drawn end: all are found from the drawn ends, by going backwards. */
static void prove(bool all)
{
    const struct nk_rules *rules = nk_table_rules(table);
    proof.begin = proof.end = 0;
    for (int i = 0; i < proof.count; i++)
        look_at(proof.twice[i].position, proof.twice[i].to_move);
    for (struct nk_position p = {0}; all && next_placement(rules, &p);)
        for (int to_move = NK_BLACK; to_move <= NK_WHITE && !nk_rules_won(rules, p.mover); to_move++)
            look_at(p, (enum nk_colour)to_move);
    for (; proof.begin < proof.end; proof.begin++) {
        const struct twice at = proof.queue[proof.begin];
        struct nk_move moves[NK_MAX_REVERSE_MOVES];
        if (same_value(value_of(at.position), claimed(at.position, at.to_move)))
            continue;
        const int count = nk_position_reverse_moves(rules, at.position, moves);
        for (int m = 0; m < count; m++)
            look_at(nk_position_before(at.position, moves[m]), nk_colour_other(at.to_move));
    }
    for (size_t i = 0; i < proof.end; i++)
        proof.seen[number_of(&proof.queue[i])] = 0;
}

/* ---- what is said of a game agrees with the proven values ---- */

/* What the tests have met. */
static struct met {
    long games, changed_values, changed_results;
} met;

/* What nk_explain and nk_review say about a move is what the options are before it and after it. */
static void expect_agreement(struct nk_game *game, const struct nk_option *best,
                             const struct nk_option *option)
{
    struct nk_explanation why;
    struct nk_reviewed reviewed;
    struct nk_option replies[NK_MAX_MOVES] = {0};
    int count = 0, results[3] = {0};
    const int ply = nk_game_plies(game);
    cr_assert(!nk_game_play(game, option->move, NULL));
    cr_assert(!nk_explain(table, game, ply, option->move, &why, NULL));
    cr_assert(!nk_review(table, game, ply, &reviewed, NULL));
    if (nk_game_end(game, NULL) == NK_END_NONE)
        cr_assert(!nk_options(table, game, replies, &count, NULL));
    for (int m = 0; m < count; m++)
        results[replies[m].value.result + 1]++;
    cr_assert(same_value(why.value, option->value) && same_value(reviewed.after, option->value) &&
                  same_value(why.before, best->value) && same_value(reviewed.before, best->value) &&
                  (reviewed.mark != NK_MARK_NONE) == (option->value.result < best->value.result) &&
                  why.replies == count && why.losing == results[0] && why.holding == results[1] &&
                  why.winning == results[2],
              "%s", proof.about);
    nk_game_undo(game);
}

/* The choice is one of the best moves, and what the game is worth after it is what was said of the move. */
static void expect_choice(struct nk_game *game, uint64_t *random, struct nk_value best)
{
    struct nk_move move;
    struct nk_value after;
    cr_assert(!nk_choose(table, game, random, &move, NULL));
    const struct nk_value chosen = claimed_of_move(nk_game_position(game), nk_game_to_move(game), move);
    cr_assert(same_value(chosen, best), "%s: chose %d in %d", proof.about, chosen.result, chosen.plies);
    cr_assert(!nk_game_play(game, move, NULL) && !nk_game_value(table, game, &after, NULL));
    cr_assert(after.result == -chosen.result && after.plies == (chosen.plies ? chosen.plies - 1 : 0),
              "%s: %d in %d", proof.about, after.result, after.plies);
    nk_game_undo(game);
}

/* Every move of the position now has its value. */
static void expect_options(struct nk_game *game, uint64_t *random)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_value value;
    const struct nk_position position = nk_game_position(game);
    int count;
    cr_assert(!nk_options(table, game, options, &count, NULL));
    for (int m = 0; m < count; m++) {
        const struct nk_value right = claimed_of_move(position, nk_game_to_move(game), options[m].move);
        cr_assert(same_value(options[m].value, right),
                  "%s: move %d is said to be worth %d in %d, is %d in %d", proof.about, m,
                  options[m].value.result, options[m].value.plies, right.result, right.plies);
        cr_assert(!m || !nk_value_better(options[m].value, options[m - 1].value));
    }
    expect_agreement(game, &options[0], &options[nk_random_below(random, (uint32_t)count)]);
    cr_assert(!nk_game_value(table, game, &value, NULL) && same_value(value, options[0].value), "%s",
              proof.about);
    const struct nk_value in_table = value_of(position);
    met.changed_values += !same_value(value, in_table);
    met.changed_results += value.result != in_table.result;
    expect_choice(game, random, options[0].value);
}

/* The proof holds for every history in which the same positions have occurred twice, so it serves for several: with moves
 * more, or none, that repeat nothing. */
static void expect_tails(struct nk_game *game, long games, uint64_t *random)
{
    enum { TAILS = 20, LONGEST = 6 };
    const int plies = nk_game_plies(game);
    for (int tail = 0; tail < TAILS && met.games < games; tail++) {
        struct twice twice[MOST_PLIES + LONGEST + 1];
        bool same = true;
        for (uint32_t left = tail ? 1 + nk_random_below(random, LONGEST) : 0; left && same; left--) {
            cr_assert(!nk_game_play(game, shuffle(game, random), NULL));
            same = nk_game_end(game, NULL) == NK_END_NONE && find_twice(game, twice) == proof.count;
        }
        if (same) {
            expect_options(game, random);
            met.games++;
        }
        while (nk_game_plies(game) > plies)
            nk_game_undo(game);
    }
}

static void prove_board(struct board board, long games, int long_plies, bool all)
{
    uint64_t random = 4;
    long looked_at = 0, most = 0, proven = 0;
    open_board(board);
    cr_assert(!nk_table_load(table, NULL));
    const size_t configurations = nk_table_index(table)->configurations;
    proof.seen = calloc(2 * configurations, configurations);
    for (; met.games < games; proven++) {
        AUTO_GAME *game = random_game(long_plies, &random, proof.twice, &proof.count);
        proof.about = nk_record_text(game);
        cr_assert(!nk_history_init(&proof.history, table, game, nk_game_plies(game), NULL, NULL));
        prove(all);
        most = (long)proof.end > most ? (long)proof.end : most;
        looked_at += (long)proof.end;
        expect_tails(game, games, &random);
        nk_history_clear(&proof.history);
        free(proof.about);
    }
    printf(
        "# %dx%d: %ld games, of %ld sets of repeated positions; positions looked at: %ld on average, at most "
        "%ld; the history changes the value of the position in %ld games, the result in %ld\n",
        board.width, board.height, games, proven, looked_at / proven, most, met.changed_values,
        met.changed_results);
    cr_assert_gt(met.changed_values, 0);
    free(proof.seen);
    free(proof.queue);
    close_board();
}

Test(history, every_position_of_3x3, .timeout = 36000)
{
    prove_board((struct board){3, 3, 3, 3, NK_WIN_LINE}, histories(200, 2000), 4, true);
}

Test(history, every_position_of_4x4, .timeout = 36000)
{
    prove_board((struct board){4, 4, 3, 3, NK_WIN_LINE}, histories(100, 1000), 6, false);
}

Test(history, every_position_of_5x5, .timeout = 36000)
{
    prove_board(STANDARD, histories(40, 400), 14, false);
}

/* ---- the bound on the work ---- */

/* Beyond the bound a value is the table's or a draw. How many moves then have another result than without it. */
static int check_bound(const struct nk_game *game, uint32_t lookups)
{
    struct nk_move_value bounded[NK_MAX_MOVES];
    struct nk_history whole, history;
    int count, cut = 0;
    const struct nk_position position = nk_game_position(game);
    const enum nk_colour to_move = nk_game_to_move(game);
    cr_assert(!nk_history_init(&whole, table, game, nk_game_plies(game), NULL, NULL));
    cr_assert(!nk_history_init(&history, table, game, nk_game_plies(game), NULL, NULL));
    history.lookups = lookups;
    cr_assert(!nk_history_moves(&history, position, to_move, bounded, &count, NULL));
    for (int m = 0; m < count; m++) {
        struct nk_value right;
        const struct nk_position after = nk_position_after(position, bounded[m].move);
        const int result = -(int)bounded[m].value.result;
        cr_assert(!nk_history_value(&whole, after, nk_colour_other(to_move), &right, NULL));
        cr_assert(result == NK_DRAW || result == (int)value_of(after).result);
        cut += result != (int)right.result;
    }
    nk_history_clear(&whole);
    nk_history_clear(&history);
    return cut;
}

Test(history, values_beyond_the_bound_are_those_of_the_table_or_draws, .init = open_standard,
     .fini = close_board)
{
    uint64_t random = 3;
    int cut = 0;
    for (int games = 0; games < (is_thorough() ? 300 : 40); games++) {
        struct twice twice[MOST_PLIES + 1];
        int count;
        AUTO_GAME *game = random_game(14, &random, twice, &count);
        cut += check_bound(game, nk_random_below(&random, 200));
    }
    cr_assert_gt(cut, 0);
}
