/* The exact values of games in which positions have repeated, compared with those of a slow solver that knows
 * nothing of a table: plain arrays over all placements, in which positions that occurred twice are drawn
 * ends. */

#include "player/history.h"
#include "player/random.h"
#include "player/explain.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sanitizers, and the counting of what runs, slow all this down. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(COVERAGE)
enum { SHARE = 10 };
#else
enum { SHARE = 1 };
#endif

/* Set HISTORIES to compare another number of them: see docs/TRUST.md. */
static long histories(long usual)
{
    const char *text = getenv("HISTORIES");
    return text ? strtol(text, NULL, 10) : usual / SHARE;
}

/* ---- the slow solver ---- */

enum { OPEN = -1, MOST_LEVELS = 128 };

/* Placements are numbered by the squares of the mover and those of the other side. A distance is that of a
 * win of the side that wins, when it is to move; or of a loss of the other side, when that one is to move. */
struct slow {
    const struct nk_index *index;
    size_t count;               /* placements */
    uint32_t *first, *before;   /* the predecessors of placement p: before[first[p] .. first[p + 1] - 1] */
    uint8_t *moves;             /* of each placement that goes on */
    int16_t *wins, *losses;     /* distances without a history */
    uint8_t *left[MOST_LEVELS]; /* moves not known to lose before the losses of 2 * n plies are used */
};

/* The solution for one winner. */
struct answer {
    int16_t *wins, *losses;
    uint8_t *left;
    uint32_t *frontier, *next;
    size_t frontier_count, next_count;
};

static size_t number_of(const struct slow *slow, struct nk_position position)
{
    return (size_t)nk_index_rank(slow->index, position.mover) * slow->index->configurations +
           nk_index_rank(slow->index, position.other);
}

static void find_predecessors(struct slow *slow, bool count_only)
{
    const struct nk_rules *rules = &slow->index->rules;
    struct nk_position position = {0};
    while (next_placement(rules, &position)) {
        struct nk_move moves[NK_MAX_MOVES];
        const size_t from = number_of(slow, position);
        if (!goes_on(rules, position))
            continue;
        const int count = nk_position_moves(rules, position, moves);
        slow->moves[from] = (uint8_t)count;
        for (int m = 0; m < count; m++) {
            const size_t to = number_of(slow, nk_position_after(position, moves[m]));
            if (count_only)
                slow->first[to + 2]++;
            else
                slow->before[slow->first[to + 1]++] = (uint32_t)from;
        }
    }
}

static struct answer answer_new(const struct slow *slow)
{
    const struct answer answer = {
        .wins = malloc(slow->count * sizeof(int16_t)),
        .losses = malloc(slow->count * sizeof(int16_t)),
        .left = malloc(slow->count),
        .frontier = malloc(slow->count * sizeof(uint32_t)),
        .next = malloc(slow->count * sizeof(uint32_t)),
    };
    cr_assert(answer.wins && answer.losses && answer.left && answer.frontier && answer.next);
    return answer;
}

static void answer_free(struct answer *answer)
{
    free(answer->wins);
    free(answer->losses);
    free(answer->left);
    free(answer->frontier);
    free(answer->next);
}

/* Goes on from the losses of `level` plies, in the frontier. Drawn ends have a distance that no level
 * reaches. */
static void slow_solve(struct slow *slow, struct answer *answer, int level, bool keep)
{
    for (; answer->frontier_count; level += 2) {
        if (keep) {
            cr_assert_lt(level / 2, MOST_LEVELS);
            slow->left[level / 2] = malloc(slow->count);
            cr_assert(slow->left[level / 2]);
            memcpy(slow->left[level / 2], answer->left, slow->count);
        }
        answer->next_count = 0;
        for (size_t i = 0; i < answer->frontier_count; i++)
            for (uint32_t j = slow->first[answer->frontier[i]]; j < slow->first[answer->frontier[i] + 1]; j++)
                if (answer->wins[slow->before[j]] == OPEN) {
                    answer->wins[slow->before[j]] = (int16_t)(level + 1);
                    answer->next[answer->next_count++] = slow->before[j];
                }
        answer->frontier_count = 0;
        for (size_t i = 0; i < answer->next_count; i++)
            for (uint32_t j = slow->first[answer->next[i]]; j < slow->first[answer->next[i] + 1]; j++)
                if (--answer->left[slow->before[j]] == 0 && answer->losses[slow->before[j]] == OPEN) {
                    answer->losses[slow->before[j]] = (int16_t)(level + 2);
                    answer->frontier[answer->frontier_count++] = slow->before[j];
                }
    }
}

static struct slow slow_new(const struct nk_index *index)
{
    struct slow slow = {.index = index, .count = (size_t)index->configurations * index->configurations};
    slow.first = calloc(slow.count + 2, sizeof *slow.first);
    slow.moves = calloc(slow.count, 1);
    cr_assert(slow.first && slow.moves);
    find_predecessors(&slow, true);
    for (size_t p = 2; p < slow.count + 2; p++)
        slow.first[p] += slow.first[p - 1];
    slow.before = malloc(slow.first[slow.count + 1] * sizeof *slow.before);
    cr_assert(slow.before);
    find_predecessors(&slow, false);

    struct answer answer = answer_new(&slow);
    struct nk_position position = {0};
    memset(answer.wins, 0xff, slow.count * sizeof *answer.wins);
    memset(answer.losses, 0xff, slow.count * sizeof *answer.losses);
    memcpy(answer.left, slow.moves, slow.count);
    while (next_placement(&index->rules, &position))
        if (nk_rules_won(&index->rules, position.other) && !nk_rules_won(&index->rules, position.mover)) {
            const size_t lost = number_of(&slow, position);
            answer.losses[lost] = 0;
            answer.frontier[answer.frontier_count++] = (uint32_t)lost;
        }
    slow_solve(&slow, &answer, 0, true);
    slow.wins = answer.wins;
    slow.losses = answer.losses;
    answer.wins = answer.losses = NULL;
    answer_free(&answer);
    return slow;
}

static void slow_free(struct slow *slow)
{
    free(slow->first);
    free(slow->before);
    free(slow->moves);
    free(slow->wins);
    free(slow->losses);
    for (int level = 0; level < MOST_LEVELS; level++)
        free(slow->left[level]);
}

/* A position that occurred twice. */
struct twice {
    struct nk_position position;
    enum nk_colour to_move;
};

/* All solutions that a game needs: what each side wins. */
struct truth {
    struct nk_history *proven; /* values that have been proven right, which then serve instead; or NULL */
    const struct slow *slow;
    const struct twice *twice;
    int count;
    struct answer answers[2]; /* by the winner */
};

enum { DRAWN_END = INT16_MAX };

/* Solves for one winner. Nothing changes below the smallest distance of a drawn end, so the work begins
 * there. */
static void solve_for(struct truth *truth, enum nk_colour winner)
{
    struct slow *slow = (struct slow *)truth->slow;
    struct answer *answer = &truth->answers[winner];
    int level = INT16_MAX;
    for (int i = 0; i < truth->count; i++) {
        const size_t p = number_of(slow, truth->twice[i].position);
        const int16_t *distances = truth->twice[i].to_move == winner ? slow->wins : slow->losses;
        if (distances[p] != OPEN && distances[p] < level)
            level = distances[p];
    }
    level = level == INT16_MAX ? level : level % 2 ? level - 1 : level - 2;
    answer->frontier_count = 0;
    for (size_t p = 0; p < slow->count; p++) {
        answer->wins[p] = slow->wins[p] <= level - 1 ? slow->wins[p] : OPEN;
        answer->losses[p] = slow->losses[p] <= level ? slow->losses[p] : OPEN;
        if (slow->losses[p] == level)
            answer->frontier[answer->frontier_count++] = (uint32_t)p;
    }
    if (level == INT16_MAX)
        return;
    memcpy(answer->left, slow->left[level / 2], slow->count);
    for (int i = 0; i < truth->count; i++) {
        int16_t *distances = truth->twice[i].to_move == winner ? answer->wins : answer->losses;
        int16_t *distance = &distances[number_of(slow, truth->twice[i].position)];
        if (*distance == OPEN)
            *distance = DRAWN_END;
    }
    slow_solve(slow, answer, level, false);
}

static struct truth truth_new(const struct slow *slow)
{
    return (struct truth){.slow = slow, .answers = {answer_new(slow), answer_new(slow)}};
}

static void truth_free(struct truth *truth)
{
    answer_free(&truth->answers[NK_BLACK]);
    answer_free(&truth->answers[NK_WHITE]);
}

static struct nk_value true_value(const struct truth *truth, struct nk_position position,
                                  enum nk_colour to_move)
{
    if (truth->proven) {
        struct nk_value value;
        cr_assert_eq(nk_history_value(truth->proven, position, to_move, &value, NULL), NK_OK);
        return value;
    }
    const size_t p = number_of(truth->slow, position);
    const int win = truth->answers[to_move].wins[p], loss = truth->answers[!to_move].losses[p];
    if (win != OPEN && win != DRAWN_END)
        return (struct nk_value){NK_WIN, win};
    if (loss != OPEN && loss != DRAWN_END)
        return (struct nk_value){NK_LOSS, loss};
    return (struct nk_value){NK_DRAW, 0};
}

/* What a move is worth to the side that makes it. */
static struct nk_value true_move_value(const struct truth *truth, struct nk_position position,
                                       enum nk_colour to_move, struct nk_move move)
{
    const struct nk_value reply =
        true_value(truth, nk_position_after(position, move), nk_colour_other(to_move));
    return (struct nk_value){(enum nk_result) - reply.result, reply.result == NK_DRAW ? 0 : reply.plies + 1};
}

/* ---- games that repeat ---- */

struct board_under_test {
    struct solved solved;
    struct nk_table *table;
    struct slow slow;
    struct truth truth;
};

static struct board_under_test open_board(struct board board)
{
    struct board_under_test b = {.solved = solve_board(board)};
    write_table(&b.solved, "t.dat");
    cr_assert_eq(nk_table_open("t.dat", &b.table, NULL), NK_OK);
    b.slow = slow_new(nk_table_index(b.table));
    return b;
}

static void close_board(struct board_under_test *b)
{
    slow_free(&b->slow);
    nk_table_close(b->table);
    solved_free(&b->solved);
}

static bool same_value(struct nk_value a, struct nk_value b)
{
    return a.result == b.result && a.plies == b.plies;
}

/* A decided position that goes on; of every second game one from which it takes at least `long_plies`. */
static struct nk_position random_start(const struct board_under_test *b, int long_plies, uint64_t *random)
{
    const struct nk_index *index = nk_table_index(b->table);
    const int least = nk_random_below(random, 2) ? long_plies : 2;
    for (;;) {
        struct nk_value value;
        const struct nk_position position = nk_index_position(index, nk_random(random) % index->entries);
        if (goes_on(&index->rules, position) && !nk_table_value(b->table, position, &value, NULL) &&
            value.result != NK_DRAW && value.plies >= least)
            return position;
    }
}

/* A move that goes back where there is one, in seven of eight cases; else one that keeps the result, or any.
 */
static struct nk_move shuffle(const struct board_under_test *b, const struct nk_game *game, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count, keep = 0;
    const int plies = nk_game_plies(game);
    cr_assert_eq(nk_table_moves(b->table, nk_game_position(game), moves, &count, NULL), NK_OK);
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
static int find_twice(const struct board_under_test *b, const struct nk_game *game, struct twice twice[])
{
    int count = 0;
    for (int ply = 0; ply <= nk_game_plies(game); ply++) {
        const struct nk_position position = nk_game_position_at(game, ply);
        const enum nk_colour to_move = nk_game_to_move_at(game, ply);
        struct nk_value value;
        cr_assert_eq(nk_table_value(b->table, position, &value, NULL), NK_OK);
        if (value.result != NK_DRAW && nk_game_occurrences_at(game, ply, position, to_move) == 2)
            twice[count++] = (struct twice){position, to_move};
    }
    return count;
}

enum { MOST_PLIES = 48 };

/* Plays a game until decided positions have occurred twice, and a few moves more; NULL when that fails. */
static struct nk_game *random_game(const struct board_under_test *b, int long_plies, uint64_t *random,
                                   struct twice twice[MOST_PLIES + 1], int *count)
{
    struct nk_game *game;
    const struct nk_rules *rules = nk_table_rules(b->table);
    const int wanted = 1 + (int)nk_random_below(random, 9);
    cr_assert_eq(nk_game_new(rules, random_start(b, long_plies, random), NK_BLACK, &game, NULL), NK_OK);
    for (*count = 0; *count < wanted && nk_game_plies(game) < MOST_PLIES;) {
        if (nk_game_play(game, shuffle(b, game, random), NULL) || nk_game_end(game, NULL) != NK_END_NONE)
            break;
        *count = find_twice(b, game, twice);
    }
    if (*count && nk_game_end(game, NULL) == NK_END_NONE)
        return game;
    nk_game_free(game);
    return NULL;
}

static void describe(const struct nk_game *game, char text[1024])
{
    char *end = text;
    nk_position_print(nk_game_rules(game), nk_game_position_at(game, 0), nk_game_to_move_at(game, 0), end);
    for (int ply = 0; ply < nk_game_plies(game); ply++) {
        end += strlen(end);
        *end++ = ' ';
        nk_move_print(nk_game_rules(game), nk_game_move_at(game, ply), end);
    }
}

/* ---- a proof that all values of a history are right ----
 *
 * Values of all positions are right if each agrees with those of the positions that its moves lead to: then, by
 * induction on the distance, every win and loss is one, in so many plies, and from a draw each side can stay among the
 * draws for ever. The values of the table agree (neutreeko-solve --check), so only positions whose value differs from
 * it, the drawn ends among them, and their predecessors need to be looked at. Such a position leads to another one that
 * differs, or is a drawn end: all are found from the drawn ends, by going backwards. */

struct proof {
    const struct board_under_test *b;
    struct nk_history *history;
    const struct twice *twice;
    int count;
    uint8_t *seen;       /* by position and colour */
    struct twice *queue; /* positions whose value differs, and all others seen */
    size_t begin, end, room;
};

static size_t seen_at(const struct proof *proof, const struct twice *at)
{
    return 2 * number_of(&proof->b->slow, at->position) + at->to_move;
}

static struct nk_value claimed(const struct proof *proof, struct nk_position position, enum nk_colour to_move)
{
    struct nk_value value;
    cr_assert_eq(nk_history_value(proof->history, position, to_move, &value, NULL), NK_OK);
    return value;
}

static bool is_drawn_end(const struct proof *proof, const struct twice *at)
{
    for (int i = 0; i < proof->count; i++)
        if (proof->twice[i].to_move == at->to_move && proof->twice[i].position.mover == at->position.mover &&
            proof->twice[i].position.other == at->position.other)
            return true;
    return false;
}

/* The value is that of the best move. */
static void expect_agrees_with_moves(const struct proof *proof, const struct twice *at, struct nk_value value,
                                     const char *about)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_value best = {NK_LOSS, 0};
    const int count = nk_position_moves(nk_table_rules(proof->b->table), at->position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_value reply =
            claimed(proof, nk_position_after(at->position, moves[m]), nk_colour_other(at->to_move));
        const struct nk_value worth = {(enum nk_result) - reply.result,
                                       reply.result == NK_DRAW ? 0 : reply.plies + 1};
        if (m == 0 || nk_value_better(worth, best))
            best = worth;
    }
    cr_assert(count && same_value(best, value), "%s: %s is said to be worth %d in %d, its best move %d in %d",
              about, position_text(nk_table_rules(proof->b->table), at->position).s, value.result,
              value.plies, best.result, best.plies);
}

/* Looks at a position, once; those whose value differs stay in the part of the queue that is still to be expanded. */
static void look_at(struct proof *proof, struct twice at, const char *about)
{
    struct nk_value table_value;
    uint8_t *seen = &proof->seen[seen_at(proof, &at)];
    if (*seen)
        return;
    *seen = 1;
    const struct nk_value value = claimed(proof, at.position, at.to_move);
    cr_assert_eq(nk_table_value(proof->history->table, at.position, &table_value, NULL), NK_OK);
    if (is_drawn_end(proof, &at))
        cr_assert_eq(value.result, NK_DRAW, "%s: a drawn end is said to be worth %d", about, value.result);
    else
        expect_agrees_with_moves(proof, &at, value, about);
    if (proof->end == proof->room) {
        proof->room = 2 * proof->room + 1024;
        proof->queue = realloc(proof->queue, proof->room * sizeof *proof->queue);
        cr_assert(proof->queue);
    }
    proof->queue[proof->end++] = at;
}

static void prove(struct proof *proof, const char *about)
{
    const struct nk_rules *rules = nk_table_rules(proof->b->table);
    for (int i = 0; i < proof->count; i++)
        look_at(proof, proof->twice[i], about);
    for (; proof->begin < proof->end; proof->begin++) {
        const struct twice at = proof->queue[proof->begin];
        struct nk_move moves[NK_MAX_REVERSE_MOVES];
        struct nk_value table_value;
        cr_assert_eq(nk_table_value(proof->history->table, at.position, &table_value, NULL), NK_OK);
        if (same_value(table_value, claimed(proof, at.position, at.to_move)))
            continue;
        const int count = nk_position_reverse_moves(rules, at.position, moves);
        for (int m = 0; m < count; m++)
            look_at(proof,
                    (struct twice){nk_position_before(at.position, moves[m]), nk_colour_other(at.to_move)},
                    about);
    }
}

/* What the tests have met. */
struct met {
    long games, changed_values, changed_results;
    double *seconds; /* [games] that each choice took the processor */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What is said about a move by nk_explain and nk_review is what the options are before it and after it. */
static void expect_agreement(struct board_under_test *b, struct nk_game *game, const struct nk_option *best,
                             const struct nk_option *option, const char *about)
{
    struct nk_explanation why;
    struct nk_reviewed reviewed;
    struct nk_option replies[NK_MAX_MOVES];
    int count = 0, results[3] = {0};
    const int ply = nk_game_plies(game);
    cr_assert_eq(nk_game_play(game, option->move, NULL), NK_OK);
    cr_assert_eq(nk_explain(b->table, game, ply, option->move, &why, NULL), NK_OK);
    cr_assert_eq(nk_review(b->table, game, ply, &reviewed, NULL), NK_OK);
    cr_assert(same_value(why.value, option->value) && same_value(reviewed.after, option->value), "%s", about);
    cr_assert(same_value(why.before, best->value) && same_value(reviewed.before, best->value), "%s", about);
    cr_assert_eq(reviewed.mark != NK_MARK_NONE, option->value.result < best->value.result, "%s", about);
    if (nk_game_end(game, NULL) == NK_END_NONE)
        cr_assert_eq(nk_options(b->table, game, replies, &count, NULL), NK_OK);
    for (int m = 0; m < count; m++)
        results[replies[m].value.result + 1]++;
    cr_assert(why.replies == count && why.losing == results[0] && why.holding == results[1] &&
                  why.winning == results[2],
              "%s", about);
    nk_game_undo(game);
}

/* The choice is one of the best moves, and what the game is worth after it is what was said of the move. */
static void expect_choice(struct board_under_test *b, struct nk_game *game, uint64_t *random,
                          const struct nk_option *best, struct met *met, const char *about)
{
    struct nk_move move;
    struct nk_value after;
    const double begin = seconds();
    cr_assert_eq(nk_choose(b->table, game, random, &move, NULL), NK_OK);
    met->seconds[met->games] = seconds() - begin;
    const enum nk_colour to_move = nk_game_to_move(game);
    const struct nk_value chosen = true_move_value(&b->truth, nk_game_position(game), to_move, move);
    cr_assert(same_value(chosen, best->value), "%s: chose a move worth %d in %d", about, chosen.result,
              chosen.plies);
    cr_assert_eq(nk_game_play(game, move, NULL), NK_OK);
    cr_assert_eq(nk_game_value(b->table, game, &after, NULL), NK_OK);
    cr_assert(after.result == -chosen.result && after.plies == (chosen.plies ? chosen.plies - 1 : 0),
              "%s: then worth %d in %d", about, after.result, after.plies);
    nk_game_undo(game);
}

/* Every move of the position now has its true value. */
static void expect_options(struct board_under_test *b, struct nk_game *game, uint64_t *random,
                           struct met *met)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_value table_value, value;
    char about[1024];
    int count;
    describe(game, about);
    cr_assert_eq(nk_options(b->table, game, options, &count, NULL), NK_OK);
    for (int m = 0; m < count; m++) {
        const struct nk_value right =
            true_move_value(&b->truth, nk_game_position(game), nk_game_to_move(game), options[m].move);
        cr_assert(same_value(options[m].value, right),
                  "%s: move %d is said to be worth %d in %d, is %d in %d", about, m, options[m].value.result,
                  options[m].value.plies, right.result, right.plies);
        cr_assert(!m || !nk_value_better(options[m].value, options[m - 1].value));
    }
    const uint32_t any = nk_random_below(random, (uint32_t)count);
    expect_agreement(b, game, &options[0], &options[any], about);
    cr_assert_eq(nk_game_value(b->table, game, &value, NULL), NK_OK);
    cr_assert(same_value(value, options[0].value), "%s", about);
    cr_assert_eq(nk_table_value(b->table, nk_game_position(game), &table_value, NULL), NK_OK);
    met->changed_values += !same_value(value, table_value);
    met->changed_results += value.result != table_value.result;
    expect_choice(b, game, random, &options[0], met, about);
}

/* Every position of the board, with either side to move, has its true value. */
static void expect_all(struct board_under_test *b, const struct nk_game *game)
{
    struct nk_history history;
    struct nk_position position = {0};
    char about[1024];
    describe(game, about);
    cr_assert_eq(nk_history_init(&history, b->table, game, nk_game_plies(game), NULL, NULL), NK_OK);
    while (next_placement(nk_table_rules(b->table), &position)) {
        if (nk_position_check(nk_table_rules(b->table), position, NK_BLACK, NULL))
            continue;
        for (int to_move = NK_BLACK; to_move <= NK_WHITE; to_move++) {
            struct nk_value value;
            cr_assert_eq(nk_history_value(&history, position, (enum nk_colour)to_move, &value, NULL), NK_OK);
            const struct nk_value right = true_value(&b->truth, position, (enum nk_colour)to_move);
            cr_assert(same_value(value, right), "%s: %s is said to be worth %d in %d, is %d in %d", about,
                      position_text(nk_table_rules(b->table), position).s, value.result, value.plies,
                      right.result, right.plies);
        }
    }
    nk_history_clear(&history);
}

/* The solution holds for every history in which the same positions have occurred twice, so one solution
 * serves for several: with moves more, or none, that repeat nothing. */
static void expect_tails(struct board_under_test *b, struct nk_game *game, long games, uint64_t *random,
                         struct met *met)
{
    enum { TAILS = 20, LONGEST = 6 };
    const int plies = nk_game_plies(game);
    for (int tail = 0; tail < TAILS && met->games < games; tail++) {
        struct twice twice[MOST_PLIES + LONGEST + 1];
        bool same = true;
        for (uint32_t left = tail ? 1 + nk_random_below(random, LONGEST) : 0; left && same; left--) {
            cr_assert_eq(nk_game_play(game, shuffle(b, game, random), NULL), NK_OK);
            same = nk_game_end(game, NULL) == NK_END_NONE && find_twice(b, game, twice) == b->truth.count;
        }
        if (same) {
            expect_options(b, game, random, met);
            met->games++;
        }
        while (nk_game_plies(game) > plies)
            nk_game_undo(game);
    }
}

static int compare_seconds(const void *a, const void *b)
{
    const double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static void print_met(struct board board, long games, struct met *met)
{
    qsort(met->seconds, (size_t)games, sizeof *met->seconds, compare_seconds);
    printf("# %dx%d: %ld games; the history changes the value of the position in %ld of them, the result in "
           "%ld; ms for "
           "a choice: median %.2f, 95 %% %.2f, most %.2f\n",
           board.width, board.height, games, met->changed_values, met->changed_results,
           met->seconds[games / 2] * 1e3, met->seconds[games * 95 / 100] * 1e3,
           met->seconds[games - 1] * 1e3);

    free(met->seconds);
}

/* How many of the games have a history that changes the value of their last position. */
static long compare_board(struct board board, long games, long all, int long_plies)
{
    struct board_under_test b = open_board(board);
    struct met met = {.seconds = malloc((size_t)games * sizeof(double))};
    uint64_t random = 1;
    cr_assert(met.seconds);
    b.truth = truth_new(&b.slow);
    while (met.games < games) {
        struct twice twice[MOST_PLIES + 1];
        struct nk_game *game = random_game(&b, long_plies, &random, twice, &b.truth.count);
        if (!game)
            continue;
        b.truth.twice = twice;
        solve_for(&b.truth, NK_BLACK);
        solve_for(&b.truth, NK_WHITE);
        if (met.games < all)
            expect_all(&b, game);
        expect_tails(&b, game, games, &random, &met);
        nk_game_free(game);
    }
    print_met(board, games, &met);
    truth_free(&b.truth);
    close_board(&b);
    return met.changed_values;
}

static long prove_board(struct board board, long games, int long_plies)
{
    struct board_under_test b = {.solved = solve_board(board)};
    struct met met = {.seconds = malloc((size_t)games * sizeof(double))};
    struct nk_table *loaded; /* for the proof; the choices, which are timed, use the other one */
    uint64_t random = 4;
    long changed = 0, most_changed = 0, histories_proven = 0;
    write_table(&b.solved, "t.dat");
    cr_assert_eq(nk_table_open("t.dat", &b.table, NULL), NK_OK);
    cr_assert(!nk_table_open("t.dat", &loaded, NULL) && !nk_table_load(loaded, NULL));
    b.slow.index = nk_table_index(b.table);
    const size_t numbers = (size_t)b.slow.index->configurations * b.slow.index->configurations;
    struct proof proof = {.b = &b, .seen = calloc(2, numbers)};
    cr_assert(met.seconds && proof.seen);
    while (met.games < games) {
        struct twice twice[MOST_PLIES + 1];
        struct nk_history history;
        char about[1024];
        struct nk_game *game = random_game(&b, long_plies, &random, twice, &b.truth.count);
        if (!game)
            continue;
        describe(game, about);
        cr_assert_eq(nk_history_init(&history, loaded, game, nk_game_plies(game), NULL, NULL), NK_OK);
        proof.history = b.truth.proven = &history;
        proof.twice = twice;
        proof.count = b.truth.count;
        proof.begin = proof.end = 0;
        prove(&proof, about);
        for (size_t i = 0; i < proof.end; i++)
            proof.seen[seen_at(&proof, &proof.queue[i])] = 0;
        most_changed = (long)proof.end > most_changed ? (long)proof.end : most_changed;
        changed += (long)proof.end;
        histories_proven++;
        expect_tails(&b, game, games, &random, &met);
        nk_history_clear(&history);
        nk_game_free(game);
    }
    printf(
        "# %dx%d, proven: %ld games, of %ld sets of repeated positions; positions looked at: %ld on average, at most "
        "%ld\n",
        board.width, board.height, games, histories_proven, changed / histories_proven, most_changed);
    print_met(board, games, &met);
    free(proof.seen);
    free(proof.queue);
    nk_table_close(loaded);
    close_board(&b);
    return met.changed_values;
}

TestSuite(history, .init = enter_directory, .fini = leave_directory);

/* So few games as with sanitizers need not contain one that the history changes. */
static void expect_changes(long changed)
{
    cr_assert(changed > 0 || SHARE > 1);
}

Test(history, every_position_of_3x3)
{
    expect_changes(
        compare_board((struct board){3, 3, 3, 3, NK_WIN_LINE}, histories(2000), histories(2000), 4));
}

Test(history, every_position_of_4x4)
{
    expect_changes(compare_board((struct board){4, 4, 3, 3, NK_WIN_LINE}, histories(200), histories(200), 6));
}

Test(history, moves_of_5x5)
{
    expect_changes(compare_board(STANDARD, 60 / SHARE, 0, 14));
}

Test(history, every_position_of_5x5_by_proof)
{
    expect_changes(prove_board(STANDARD, histories(400), 14));
}

/* ---- an opponent who dithers ---- */

/* The perfect player takes over a game that has repeated, against an opponent that moves to and fro; how often what the
 * perfect player had became less. */
static int play_against_ditherer(const struct board_under_test *b, enum nk_colour perfect, uint64_t *random)
{
    struct nk_game *game = NULL;
    struct twice twice[MOST_PLIES + 1];
    struct nk_value before, after;
    int count, thrown = 0;
    while (!game)
        game = random_game(b, 14, random, twice, &count);
    cr_assert_eq(nk_game_value(b->table, game, &before, NULL), NK_OK);
    while (nk_game_end(game, NULL) == NK_END_NONE) {
        const bool mine = nk_game_to_move(game) == perfect;
        struct nk_move move = {0, 0};
        if (mine)
            cr_assert_eq(nk_choose(b->table, game, random, &move, NULL), NK_OK);
        else
            move = shuffle(b, game, random);
        cr_assert_eq(nk_game_play(game, move, NULL), NK_OK);
        cr_assert_eq(nk_game_value(b->table, game, &after, NULL), NK_OK);
        thrown += mine && -(int)after.result < (int)before.result;
        before = after;
    }
    nk_game_free(game);
    return thrown;
}

Test(history, nothing_is_given_away_to_an_opponent_who_dithers)
{
    struct board_under_test b = {.solved = solve_board(STANDARD)};
    uint64_t random = 2;
    int thrown = 0;
    write_table(&b.solved, "t.dat");
    cr_assert_eq(nk_table_open("t.dat", &b.table, NULL), NK_OK);
    for (int games = 0; games < 2000 / SHARE; games++)
        thrown += play_against_ditherer(&b, games % 2 ? NK_BLACK : NK_WHITE, &random);
    cr_assert_eq(thrown, 0);
    close_board(&b);
}

/* ---- the bound on the work ---- */

/* Beyond the bound a value is the table's or a draw, and the choice is still a legal move. */
Test(history, values_beyond_the_bound_are_those_of_the_table_or_draws)
{
    struct board_under_test b = {.solved = solve_board(STANDARD)};
    uint64_t random = 3;
    int games = 0, cut = 0;
    write_table(&b.solved, "t.dat");
    cr_assert_eq(nk_table_open("t.dat", &b.table, NULL), NK_OK);
    while (games < 300 / SHARE) {
        struct twice twice[MOST_PLIES + 1];
        struct nk_move_value exact[NK_MAX_MOVES], bounded[NK_MAX_MOVES];
        struct nk_history whole, history;
        int count;
        struct nk_game *game = random_game(&b, 14, &random, twice, &count);
        if (!game)
            continue;
        const struct nk_position position = nk_game_position(game);
        const enum nk_colour to_move = nk_game_to_move(game);
        cr_assert_eq(nk_history_init(&whole, b.table, game, nk_game_plies(game), NULL, NULL), NK_OK);
        cr_assert_eq(nk_history_init(&history, b.table, game, nk_game_plies(game), NULL, NULL), NK_OK);
        history.lookups = nk_random_below(&random, 200);
        cr_assert_eq(nk_history_moves(&whole, position, to_move, exact, &count, NULL), NK_OK);
        cr_assert_eq(nk_history_moves(&history, position, to_move, bounded, &count, NULL), NK_OK);
        for (int m = 0; m < count; m++) {
            struct nk_value reply, right;
            const struct nk_position after = nk_position_after(position, bounded[m].move);
            cr_assert_eq(nk_table_value(b.table, after, &reply, NULL), NK_OK);
            cr_assert_eq(nk_history_value(&whole, after, nk_colour_other(to_move), &right, NULL), NK_OK);
            cr_assert(bounded[m].value.result == NK_DRAW ||
                      (int)bounded[m].value.result == -(int)reply.result);
            cut += (int)bounded[m].value.result != -(int)right.result;
        }
        nk_history_clear(&whole);
        nk_history_clear(&history);
        nk_game_free(game);
        games++;
    }
    cr_assert_gt(cut, 0);
    close_board(&b);
}
