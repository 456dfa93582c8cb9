/* The exact values of games in which positions have repeated. All values of a history are right if each agrees with
 * those of the positions that its moves lead to, and the positions that occurred twice are draws: then, by induction on
 * the distance, every win and loss is one, in so many plies, and from a draw each side can stay among the draws for
 * ever. */

#include "common/play/history.h"
#include "common/table/open.h"
#include "common/play/choose.h"
#include "common/play/explain.h"
#include "common/play/random.h"
#include "common/game/record.h"
#include "common/play/review.h"
#include "tests/seal.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void open_4x4(void)
{
    open_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
}

/* ---- games that repeat ---- */

enum { MOST_PLIES = 48, LONGEST_TAIL = 7 };

/* A move that goes back where there is one, in seven of eight cases; else one that keeps the result, or any. */
static void shuffle(struct nk_game *game, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const int plies = nk_game_plies(game);
    const struct nk_position position = nk_game_position(game);
    cr_assert(!nk_table_moves(table, position, moves, &count, NULL));
    const int among = nk_random_below(random, 4) ? moves_to(position, moves[0].value.result) : count;
    struct nk_move move = moves[nk_random_below(random, (uint32_t)among)].move;
    if (plies >= 2 && nk_random_below(random, 8)) {
        const struct nk_move own = nk_game_move_at(game, plies - 2), back = {own.to, own.from};
        if (nk_move_equal(moves[nk_move_find(moves, sizeof *moves, count, back)].move, back))
            move = back;
    }
    cr_assert(!nk_game_play(game, move, NULL));
}

/* Whether the position is a decided one that has occurred before. */
static bool repeats(const struct nk_game *game)
{
    return value_of(nk_game_position(game)).result != NK_DRAW &&
           nk_game_occurrences_at(game, nk_game_plies(game)) > 1;
}

/* Plays a game from a decided position, every second game from one that takes at least `long_plies`, until decided
 * positions have occurred twice. */
static struct nk_game *random_game(int long_plies, uint64_t *random)
{
    for (;;) {
        struct nk_game *game;
        struct nk_position start;
        const uint32_t most = 1 + nk_random_below(random, 9);
        uint32_t repeated = 0;
        const int least = nk_random_below(random, 2) ? long_plies : 2;
        do
            start = random_position(random);
        while (value_of(start).plies < least); /* 0 for a draw */
        cr_assert(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
        while (repeated < most && nk_game_plies(game) < MOST_PLIES && !nk_game_end(game, NULL)) {
            shuffle(game, random);
            repeated += repeats(game);
        }
        if (repeated && !nk_game_end(game, NULL))
            return game;
        nk_game_free(game);
    }
}

/* ---- the proof ---- */

struct place {
    struct nk_position position;
    enum nk_colour to_move;
};

static struct {
    struct nk_game *game;
    struct nk_history *history; /* of the game */
    uint8_t *seen;              /* by position and colour */
    struct place *queue;        /* the positions looked at */
    size_t end;
    char *about; /* the record of the game */
} proof;

#define EXPECT(condition) cr_assert(condition, "%s", proof.about)

static struct place place_at(const struct nk_game *game, int ply)
{
    return (struct place){nk_game_position_at(game, ply), nk_game_to_move_at(game, ply)};
}

static struct nk_value claimed(struct place at)
{
    struct nk_value value;
    cr_assert(!nk_history_value(proof.history, at.position, at.to_move, &value, NULL));
    return value;
}

static struct place after_move(struct place at, struct nk_move move)
{
    return (struct place){nk_position_after(at.position, move), nk_colour_other(at.to_move)};
}

static struct nk_value claimed_of_move(struct place at, struct nk_move move)
{
    return value_before(claimed(after_move(at, move)));
}

static bool differs_from_table(struct place at)
{
    return !same_value(value_of(at.position), claimed(at));
}

static int occurrences(struct place at)
{
    int found = 0;
    for (int ply = at.to_move != nk_game_to_move_at(proof.game, 0); ply <= nk_game_plies(proof.game);
         ply += 2)
        found += nk_position_equal(nk_game_position_at(proof.game, ply), at.position);
    return found;
}

/* Looks at a position, once: its value must follow from those of its moves. */
static void look_at(struct place at)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_value right = {NK_DRAW, 0};
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_value value = claimed(at);
    const struct nk_index *index = nk_table_index(table);
    const size_t mover = nk_index_number(index, at.position.mover),
                 other = nk_index_number(index, at.position.other);
    uint8_t *seen = &proof.seen[2 * (mover * index->configurations + other) + at.to_move];
    const bool is_lost = nk_rules_won(rules, at.position.other);
    const bool is_draw = !is_lost && occurrences(at) == 2;
    const int count = is_lost || is_draw ? 0 : nk_position_moves(rules, at.position, moves);
    if ((*seen)++)
        return;
    if (is_lost)
        right.result = NK_LOSS;
    for (int m = 0; m < count; m++) {
        const struct nk_value by_move = claimed_of_move(at, moves[m]);
        right = m == 0 || nk_value_better(by_move, right) ? by_move : right;
    }
    cr_assert(same_value(value, right), "%s: %s is said to be worth %d in %d, by its moves it is %d in %d",
              proof.about, position_text(rules, at.position).s, value.result, value.plies, right.result,
              right.plies);
    proof.queue[proof.end++] = at;
}

/* The values of the table agree with each other, so only positions whose value differs from it, the drawn ends among
 * them, and their predecessors can disagree. All these are looked at. Those that should differ are found from the drawn
 * ends, by going backwards; any others only if `all` positions are compared with the table, which takes long. */
static void prove(bool all)
{
    const struct nk_rules *rules = nk_table_rules(table);
    proof.end = 0;
    for (int ply = 0; ply <= nk_game_plies(proof.game); ply++)
        look_at(place_at(proof.game, ply));
    for (struct place at = {{0}, 0}; all && next_placement(rules, &at.position);)
        for (at.to_move = NK_BLACK; at.to_move <= NK_WHITE && !nk_rules_won(rules, at.position.mover);
             at.to_move++)
            if (differs_from_table(at))
                look_at(at);
    for (size_t i = 0; i < proof.end; i++) {
        const struct place at = proof.queue[i];
        struct nk_move moves[NK_MAX_REVERSE_MOVES];
        const int count = differs_from_table(at) ? nk_position_reverse_moves(rules, at.position, moves) : 0;
        for (int m = 0; m < count; m++)
            look_at((struct place){nk_position_before(at.position, moves[m]), nk_colour_other(at.to_move)});
    }
}

/* ---- what is said of a game agrees with the proven values ---- */

/* What the tests have met. */
static struct met {
    long games, changed_values, changed_results, cut_values, slow;
    double slowest; /* of the choices, in milliseconds of processor time; more than 20 of them are slow */
} met;

/* What a review of the game reports about the move at a ply. */
static struct nk_reviewed review_of(const struct nk_game *game, int ply)
{
    struct nk_reviewed reviewed[MOST_PLIES + LONGEST_TAIL];
    int count;
    cr_assert(!nk_review(table, game, reviewed, &count, NULL, NULL, NULL));
    EXPECT(count == nk_game_plies(game));
    return reviewed[ply];
}

/* Every move has its value, one of the best is chosen, and what nk_explain, nk_review and nk_game_value say about a
 * move is what the choices are before it and after it. */
static void expect_options(struct nk_game *game, uint64_t *random)
{
    struct nk_choice choices[NK_MAX_MOVES], replies[NK_MAX_MOVES] = {0};
    struct nk_move best[NK_MAX_MOVES], move;
    struct nk_value value, after;
    struct nk_explanation why;
    bool exact = false;
    const int ply = nk_game_plies(game);
    const struct place now = place_at(game, ply);
    int count, reply_count = 0, results[3] = {0};
    cr_assert(!nk_choices(table, game, choices, &count, NULL));
    for (int m = 0; m < count; m++) {
        EXPECT(same_value(choices[m].value, claimed_of_move(now, choices[m].move)));
        EXPECT(choices[m].exact);
        EXPECT(!m || !nk_value_better(choices[m].value, choices[m - 1].value));
    }
    cr_assert(!nk_game_value(table, game, &value, &exact, NULL));
    EXPECT(exact);
    EXPECT(same_value(value, choices[0].value));

    const struct nk_choice *choice = &choices[nk_random_below(random, (uint32_t)count)];
    cr_assert(!nk_explain(table, game, ply, choice->move, NULL, &why, NULL));
    cr_assert(!nk_game_play(game, choice->move, NULL));
    const struct nk_reviewed reviewed = review_of(game, ply);
    cr_assert(!nk_game_value(table, game, &after, NULL, NULL));
    if (nk_game_end(game, NULL) == NK_END_NONE)
        cr_assert(!nk_choices(table, game, replies, &reply_count, NULL));
    nk_game_undo(game);
    for (int m = 0; m < reply_count; m++)
        results[replies[m].value.result + 1]++;
    EXPECT(same_value(why.before, value));
    EXPECT(same_value(reviewed.before, value));
    EXPECT(same_value(why.value, choice->value));
    EXPECT(same_value(reviewed.after, choice->value));
    EXPECT(same_value(value_before(after), choice->value));
    EXPECT((reviewed.mark != NK_MARK_NONE) == (choice->value.result < value.result));
    EXPECT(why.replies == reply_count);
    EXPECT(why.losing == results[0]);
    EXPECT(why.holding == results[1]);
    EXPECT(why.winning == results[2]);

    const int ties = best_choices(game, best);
    const clock_t begin = clock();
    cr_assert(!nk_choose(table, game, random, &move, NULL));
    const double milliseconds = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC;
    EXPECT(nk_move_equal(best[nk_move_find(best, sizeof *best, ties, move)], move));
    met.changed_values += !same_value(value, value_of(now.position));
    met.changed_results += value.result != value_of(now.position).result;
    met.slow += milliseconds > 20;
    met.slowest = milliseconds > met.slowest ? milliseconds : met.slowest;
    met.games++;
}

/* Against an opponent who moves to and fro, the perfect player loses neither a result nor a ply. */
static void play_on(struct nk_game *game, uint64_t *random)
{
    struct nk_value promised = {NK_LOSS, 0}, now;
    struct nk_move move;
    const int last_ply = nk_game_plies(game) + 60;
    const enum nk_colour perfect = nk_game_to_move(game);
    for (;;) {
        const bool is_perfect = nk_game_to_move(game) == perfect;
        cr_assert(!nk_game_value(table, game, &now, NULL, NULL));
        now.result = is_perfect ? now.result : -now.result;
        EXPECT(!nk_value_better(promised, now));
        if (nk_game_end(game, NULL) || (nk_game_plies(game) >= last_ply && now.result != NK_WIN))
            return;
        promised = (struct nk_value){now.result, now.plies - 1};
        if (!is_perfect) {
            shuffle(game, random);
        } else {
            cr_assert(!nk_choose(table, game, random, &move, NULL));
            cr_assert(!nk_game_play(game, move, NULL));
        }
    }
}

/* The proof holds for every history in which the same positions have occurred twice, so it serves for several: with
 * moves more, or none, that repeat nothing. */
static void expect_tails(struct nk_game *game, long games, uint64_t *random)
{
    enum { TAILS = 20 };
    const int plies = nk_game_plies(game);
    for (int tail = 0; tail < TAILS && met.games < games; tail++) {
        bool same = true;
        for (uint32_t left = tail ? 1 + nk_random_below(random, LONGEST_TAIL - 1) : 0; left && same; left--) {
            shuffle(game, random);
            same = !nk_game_end(game, NULL) && !repeats(game);
        }
        if (same)
            expect_options(game, random);
        while (nk_game_plies(game) > plies)
            nk_game_undo(game);
    }
}

/* Beyond the bound on the work a value is the table's or a draw. */
static void expect_bounded(const struct nk_game *game)
{
    struct nk_history bounded;
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct place now = place_at(game, nk_game_plies(game));
    int count;
    cr_assert(!nk_history_init(&bounded, table, game, nk_game_plies(game), NULL, NULL));
    cr_assert(bounded.exact);
    bounded.lookups = (uint32_t)(met.games % 200);
    cr_assert(!nk_history_moves(&bounded, now.position, now.to_move, moves, &count, NULL));
    for (int m = 0; m < count; m++) {
        const struct nk_value value = moves[m].value, right = claimed_of_move(now, moves[m].move);
        EXPECT(value.result == NK_DRAW || same_value(value, right) ||
               same_value(value, value_of_move(now.position, moves[m].move)));
        met.cut_values += !same_value(value, right);
        EXPECT(same_value(value, right) || !bounded.exact);
    }
    nk_history_clear(&bounded);
}

/* A history that has grown with a game has the values of one that begins with the same plies. */
static void expect_equal(struct nk_history *grown, struct nk_history *fresh, struct place at)
{
    struct nk_value value, right;
    cr_assert(!nk_history_value(grown, at.position, at.to_move, &value, NULL));
    cr_assert(!nk_history_value(fresh, at.position, at.to_move, &right, NULL));
    EXPECT(same_value(value, right));
}

/* Compares the positions of the game and those that their moves reach, in random order. Some work is cut short at
 * first: what is left of it must do no harm later. */
static void expect_same_as_fresh(struct nk_history *grown, const struct nk_game *game, int ply,
                                 uint64_t *random)
{
    struct nk_history fresh;
    struct nk_value value;
    cr_assert(!nk_history_init(&fresh, table, game, ply, NULL, NULL));
    for (int n = 0; n < 12; n++) {
        const struct place at =
            place_at(game, (int)nk_random_below(random, (uint32_t)nk_game_plies(game) + 1));
        struct nk_move moves[NK_MAX_MOVES];
        const int count = nk_position_moves(nk_table_rules(table), at.position, moves);
        const uint32_t left = grown->lookups;
        grown->lookups = n % 3 ? left : nk_random_below(random, 500);
        cr_assert(!nk_history_value(grown, at.position, at.to_move, &value, NULL));
        grown->lookups = left;
        if (n % 4)
            continue;
        expect_equal(grown, &fresh, at);
        for (int m = 0; m < count; m++)
            expect_equal(grown, &fresh, after_move(at, moves[m]));
    }
    nk_history_clear(&fresh);
}

/* Grows a history with a game. */
static void grow(struct nk_history *history, struct nk_game *game, uint64_t *random)
{
    cr_assert(!nk_history_begin(history, table, game, NULL, NULL));
    for (int ply = 0; ply <= nk_game_plies(game); ply++) {
        cr_assert(!nk_history_add(history, game, ply, NULL));
        if (nk_random_below(random, 3)) /* else several positions are added before the next question */
            expect_same_as_fresh(history, game, ply, random);
    }
}

/* The number of games is the quick or the thorough one, or HISTORIES: see docs/TRUST.md. All positions are compared
 * with the table for each set of repeated positions whose number `scanned` divides. */
static void prove_board(struct nk_board board, int quick, int long_plies, int scanned)
{
    uint64_t random = 6;
    long looked_at = 0, most = 0, proven = 0;
    const char *text = getenv("HISTORIES");
    const long games = text ? strtol(text, NULL, 10) : is_thorough() ? 10 * quick : quick;
    open_board(board);
    cr_assert(!nk_table_load(table, NULL));
    const size_t configurations = nk_table_index(table)->configurations;
    const size_t places = 2 * configurations * configurations;
    proof.queue = malloc(places * sizeof *proof.queue); /* only what is used takes memory */
    for (; met.games < games; proven++) {
        AUTO_GAME *game = proof.game = random_game(long_plies, &random);
        proof.about = nk_record_text(game);
        struct nk_history history;
        proof.history = &history;
        grow(&history, game, &random);
        proof.seen = calloc(places, 1);
        prove(proven % scanned == scanned - 1);
        free(proof.seen);
        most = (long)proof.end > most ? (long)proof.end : most;
        looked_at += (long)proof.end;
        expect_bounded(game);
        expect_tails(game, games, &random);
        play_on(game, &random);
        nk_history_clear(&history);
        free(proof.about);
    }
    printf(
        "# %dx%d: %ld games, of %ld sets of repeated positions; positions looked at: %ld on average, at most "
        "%ld; the history changes the value of the position in %ld games, the result in %ld; %ld choices took more "
        "than 20 ms, the slowest %.0f ms\n",
        board.width, board.height, games, proven, looked_at / proven, most, met.changed_values,
        met.changed_results, met.slow, met.slowest);
    cr_assert(met.changed_values);
    cr_assert(met.cut_values);
    free(proof.queue);
    close_board();
}

Test(history, every_position_of_3x3, .timeout = 36000)
{
    prove_board((struct nk_board){3, 3, 3, 3, NK_WIN_LINE}, 200, 4, 1);
}

Test(history, every_position_of_4x4, .timeout = 36000)
{
    prove_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE}, 100, 6, is_thorough() ? 1 : 16);
}

Test(history, every_position_of_5x5, .timeout = 36000)
{
    prove_board(STANDARD, 40, 14, 64);
}

/* ---- every ply ---- */

static void expect_all_equal(struct nk_history *grown, struct nk_history *fresh, int step)
{
    const struct nk_rules *rules = nk_table_rules(table);
    long number = 0;
    for (struct place at = {{0}, 0}; next_placement(rules, &at.position);)
        for (at.to_move = NK_BLACK; at.to_move <= NK_WHITE; at.to_move++)
            if (number++ % step == 0 && !nk_rules_won(rules, at.position.mover))
                expect_equal(grown, fresh, at);
}

/* A history that grows ply by ply has the values of a fresh one at every ply: of every step-th position. */
static void expect_same_at_every_ply(struct nk_board board, int long_plies, int games, int step)
{
    uint64_t random = 7;
    open_board(board);
    cr_assert(!nk_table_load(table, NULL));
    while (games--) {
        AUTO_GAME *game = random_game(long_plies, &random);
        struct nk_history grown, fresh;
        proof.about = nk_record_text(game);
        cr_assert(!nk_history_begin(&grown, table, game, NULL, NULL));
        for (int ply = 0; ply <= nk_game_plies(game); ply++) {
            cr_assert(!nk_history_add(&grown, game, ply, NULL));
            cr_assert(!nk_history_init(&fresh, table, game, ply, NULL, NULL));
            expect_all_equal(&grown, &fresh, step);
            nk_history_clear(&fresh);
        }
        nk_history_clear(&grown);
        free(proof.about);
    }
    close_board();
}

Test(history, a_grown_history_is_right_at_every_ply_on_3x3)
{
    expect_same_at_every_ply((struct nk_board){3, 3, 3, 3, NK_WIN_LINE}, 4, 30, 1);
}

Test(history, a_grown_history_is_right_at_every_ply_on_4x4)
{
    expect_same_at_every_ply((struct nk_board){4, 4, 3, 3, NK_WIN_LINE}, 6, is_thorough() ? 20 : 4, 7);
}

/* ---- interruption ---- */

static bool is_always_wanted(void *context)
{
    (void)context;
    return true;
}

/* Values that are not exact because the work was stopped are marked. */
Test(history, a_stopped_choice_is_marked, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 3;
    const struct nk_stop stop = {is_always_wanted, NULL};
    int marked = 0;
    for (int n = 0; n < 50; n++) {
        AUTO_GAME *game = random_game(6, &random);
        struct nk_choice choices[NK_MAX_MOVES], exact[NK_MAX_MOVES];
        struct nk_move move;
        int count;
        proof.about = NULL;
        cr_assert(!nk_choices(table, game, exact, &count, NULL));
        cr_assert(!nk_choices_until(table, game, &stop, choices, &count, NULL));
        for (int m = 0; m < count; m++) {
            cr_assert(exact[m].exact);
            cr_assert(!choices[m].exact || same_value(choices[m].value, exact[m].value));
            marked += !choices[m].exact;
        }
        cr_assert(!nk_choose_until(table, game, &random, &stop, &move, NULL));
        cr_assert(!nk_game_play(game, move, NULL));
    }
    cr_assert_gt(marked, 0);
}

static int most_reviewed;
static int reports[MOST_PLIES + 1];

static bool go_on(void *context, int reviewed)
{
    cr_assert_eq(context, &most_reviewed);
    reports[reviewed]++;
    return reviewed < most_reviewed;
}

/* Until it is stopped, a review reports each move. */
Test(history, a_review_can_be_stopped, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 4;
    AUTO_GAME *game = random_game(6, &random);
    struct nk_reviewed all[MOST_PLIES], some[MOST_PLIES];
    int count, part;
    cr_assert(!nk_review(table, game, all, &count, NULL, NULL, NULL));
    cr_assert_eq(count, nk_game_plies(game));
    for (most_reviewed = 0; most_reviewed <= count; most_reviewed++) {
        memset(reports, 0, sizeof reports);
        cr_assert(!nk_review(table, game, some, &part, go_on, &most_reviewed, NULL));
        cr_assert_eq(part, most_reviewed);
        for (int ply = 0; ply < part; ply++) {
            cr_assert_gt(reports[ply], 0);
            cr_assert(nk_move_equal(some[ply].move, all[ply].move));
            cr_assert(same_value(some[ply].before, all[ply].before));
            cr_assert(same_value(some[ply].after, all[ply].after));
        }
    }
}

/* Wants a stop once, at the question with this number, or from then on. */
struct questions {
    int asked, when;
    bool once;
};

static bool is_wanted_now(void *context)
{
    struct questions *questions = context;
    const int number = questions->asked++;
    return questions->once ? number == questions->when : number >= questions->when;
}

static bool same_review(const struct nk_reviewed *a, const struct nk_reviewed *b)
{
    return nk_move_equal(a->move, b->move) && same_value(a->before, b->before) &&
           same_value(a->after, b->after) && a->mark == b->mark && a->plies_lost == b->plies_lost;
}

/* When the work for one move has been stopped, only that move is not exact: what was left undone is done later. */
Test(history, values_become_exact_again, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 5;
    int again = 0;
    for (int n = 0; n < 50; n++) {
        AUTO_GAME *game = random_game(6, &random);
        struct nk_reviewed right[MOST_PLIES];
        struct questions questions = {.when = n % 5, .once = true};
        const struct nk_stop stop = {is_wanted_now, &questions};
        struct nk_reviewer reviewer;
        int count, inexact = 0;
        cr_assert(!nk_review(table, game, right, &count, NULL, NULL, NULL));
        cr_assert(!nk_reviewer_begin(&reviewer, table, game, &stop, NULL));
        for (int ply = 0; ply < count; ply++) {
            struct nk_reviewed reviewed;
            cr_assert(!nk_reviewer_next(&reviewer, &reviewed, NULL));
            cr_assert(right[ply].exact);
            cr_assert(!reviewed.exact || same_review(&reviewed, &right[ply]));
            inexact += !reviewed.exact;
            again += inexact && reviewed.exact;
        }
        nk_reviewer_clear(&reviewer);
        cr_assert_leq(inexact, 1);
    }
    cr_assert_gt(again, 0);
}

/* ---- a large board, whose table is not loaded ---- */

enum { LARGE_PLIES = 400 };

/* A game on a large board in which nine decided positions have occurred twice. */
static struct nk_game *nine_on_large_board(uint64_t *random)
{
    for (;;) {
        struct nk_game *game;
        struct nk_position start;
        int repeated = 0;
        do
            start = random_position(random);
        while (value_of(start).plies < 10);
        cr_assert(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
        while (repeated < 9 && nk_game_plies(game) < LARGE_PLIES && !nk_game_end(game, NULL)) {
            shuffle(game, random);
            repeated += repeats(game);
        }
        if (repeated == 9 && !nk_game_end(game, NULL))
            return game;
        nk_game_free(game);
    }
}

/* The choices are those of a history whose work is not bounded, or marked. */
static void expect_right_or_marked(const struct nk_choice choices[], int count, struct nk_history *unbounded,
                                   struct place now)
{
    for (int m = 0; m < count; m++) {
        struct nk_value right;
        const struct place after = after_move(now, choices[m].move);
        unbounded->lookups = UINT32_MAX;
        cr_assert(!nk_history_value(unbounded, after.position, after.to_move, &right, NULL));
        cr_assert(unbounded->exact);
        cr_assert(!choices[m].exact || same_value(choices[m].value, value_before(right)));
    }
}

static int asked_of[LARGE_PLIES + 1]; /* how often nk_review has asked after so many moves */

static bool count_questions(void *context, int reviewed)
{
    struct questions *questions = context;
    asked_of[reviewed]++;
    return !is_wanted_now(questions);
}

/* A review that is stopped within a move has reported the moves before. */
static void expect_stopped_review(const struct nk_game *game, const struct nk_reviewed all[])
{
    struct nk_reviewed some[LARGE_PLIES];
    struct questions questions = {.when = INT_MAX};
    int count, slowest = 0;
    memset(asked_of, 0, sizeof asked_of);
    cr_assert(!nk_review(table, game, some, &count, count_questions, &questions, NULL));
    cr_assert_eq(count, nk_game_plies(game));
    for (int ply = 0; ply < count; ply++)
        slowest = asked_of[ply] > asked_of[slowest] ? ply : slowest;
    cr_assert_gt(asked_of[slowest], 2, "no move takes many lookups");

    questions = (struct questions){.when = 2};
    for (int ply = 0; ply < slowest; ply++)
        questions.when += asked_of[ply];
    cr_assert(!nk_review(table, game, some, &count, count_questions, &questions, NULL));
    cr_assert_eq(count, slowest);
    for (int ply = 0; ply < count; ply++)
        cr_assert(same_review(&some[ply], &all[ply]));
}

/* Stopped choices are right or marked, and come soon. Returns how many are marked. */
static int expect_stopped_choices(const struct nk_game *game, int when)
{
    enum { SOON = 2 * NK_MAX_REVERSE_MOVES };
    struct questions questions = {.when = when};
    const struct nk_stop stop = {is_wanted_now, &questions};
    struct nk_choice right[NK_MAX_MOVES], choices[NK_MAX_MOVES];
    struct nk_move move;
    uint64_t random = 1;
    int count, marked = 0;
    cr_assert(!nk_choices(table, game, right, &count, NULL));
    cr_assert(!nk_choices_until(table, game, &stop, choices, &count, NULL));
    cr_assert_leq(questions.asked, when + SOON);
    for (int m = 0; m < count; m++) {
        const int same = nk_move_find(right, sizeof *right, count, choices[m].move);
        cr_assert(!choices[m].exact || same_value(choices[m].value, right[same].value));
        marked += !choices[m].exact;
    }
    questions.asked = 0;
    cr_assert(!nk_choose_until(table, game, &random, &stop, &move, NULL));
    cr_assert_leq(questions.asked, when + SOON);
    cr_assert(nk_move_equal(choices[nk_move_find(choices, sizeof *choices, count, move)].move, move));
    return marked;
}

/* The values are right although the work is bounded, or marked, and the work can be stopped. */
Test(history, large_boards_that_are_not_loaded)
{
    uint64_t random = 8;
    int marked = 0, stopped = 0;
    open_board((struct nk_board){7, 7, 3, 3, NK_WIN_LINE});
    for (int n = 0; n < 2; n++) {
        AUTO_GAME *game = nine_on_large_board(&random);
        const struct place now = place_at(game, nk_game_plies(game));
        struct nk_reviewed all[LARGE_PLIES];
        struct nk_choice choices[NK_MAX_MOVES];
        struct nk_history unbounded;
        int count;
        cr_assert(!nk_history_init(&unbounded, table, game, nk_game_plies(game), NULL, NULL));
        cr_assert(!nk_choices(table, game, choices, &count, NULL));
        marked += !choices[0].exact;
        expect_right_or_marked(choices, count, &unbounded, now);
        nk_history_clear(&unbounded);
        cr_assert(!nk_review(table, game, all, &count, NULL, NULL, NULL));
        cr_assert_eq(count, nk_game_plies(game));
        expect_stopped_review(game, all);
        for (int when = 0; when < 3; when++)
            stopped += expect_stopped_choices(game, when);
    }
    printf("# 7x7: %d of 2 decisions reached the bound; %d choices were not exact after a stop\n", marked,
           stopped);
    cr_assert_gt(stopped, 0);
    close_board();
}

/* As include/neutreeko.h documents it. Until a position has occurred twice, there is no work. */
Test(history, work_is_bounded_on_large_boards)
{
    static const struct {
        int width, height;
        uint32_t lookups;
    } cases[] = {{5, 5, 8388608}, {6, 6, 1048576}, {8, 7, 65536}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_INDEX *index = index_of((struct nk_board){cases[i].width, cases[i].height, 3, 3, NK_WIN_LINE});
        AUTO_BYTES bytes = {0};
        AUTO_GAME *game = NULL;
        struct nk_history history;
        bytes.data = made_up_table(index, 1, NULL, &bytes.size);
        AUTO_TABLE *large = open_bytes(bytes);
        cr_assert(!nk_game_new(&index->rules, (struct nk_position){0x15, 0x150000}, NK_BLACK, &game, NULL));
        cr_assert(!nk_history_init(&history, large, game, 0, NULL, NULL));
        cr_assert_eq(history.lookups, cases[i].lookups, "%u", history.lookups);
        cr_assert(!history.changes[NK_BLACK].nodes);
        cr_assert(!history.changes[NK_WHITE].nodes);
        nk_history_clear(&history);
    }
}
