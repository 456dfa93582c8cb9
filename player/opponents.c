#include "player/opponents.h"

#include "player/random.h"
#include "player/search.h"

#include <assert.h>
#include <string.h>

/* What an opponent is given to choose with. */
struct turn {
    struct nk_table *table;
    const struct nk_game *game;
    const struct nk_rules *rules;
    struct nk_position position;
    struct nk_move moves[NK_MAX_MOVES];
    int count;
    uint64_t *random;
    uint64_t *visited;
    struct nk_error *error;
};

typedef enum nk_status choice(struct turn *turn, int level, struct nk_move *move);

struct nk_opponent_kind {
    const char *name;
    const char *form; /* the name, with :N where it takes a number */
    const char *about;
    int min, max; /* of the number behind the colon; 0 when there is none */
    choice *choose;
};

/* One of the moves with the highest score, by chance. */
static struct nk_move best_of(struct turn *turn, const int scores[])
{
    int chosen = 0;
    uint32_t alike = 0;
    for (int m = 0; m < turn->count; m++) {
        if (scores[m] < scores[chosen])
            continue;
        alike = m && scores[m] == scores[chosen] ? alike + 1 : 1;
        /* The n-th of those alike replaces the one chosen so far with chance 1/n. */
        if (nk_random_below(turn->random, alike) == 0)
            chosen = m;
    }
    return turn->moves[chosen];
}

static enum nk_status choose_random(struct turn *turn, int level, struct nk_move *move)
{
    (void)level;
    *move = turn->moves[nk_random_below(turn->random, (uint32_t)turn->count)];
    return NK_OK;
}

/* ---- rules of thumb ---- */

/* Moves of the mover that win at once. */
static int winning_moves(const struct nk_rules *rules, struct nk_position position)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    int winning = 0;
    for (int m = 0; m < count; m++)
        winning += nk_rules_won(rules, nk_position_after(position, moves[m]).other);
    return winning;
}

/* Whether the mover can make two winning threats at once. */
static bool can_threaten_twice(const struct nk_rules *rules, struct nk_position position)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_position after = nk_position_after(position, moves[m]);
        if (winning_moves(rules, (struct nk_position){after.other, after.mover}) >= 2)
            return true;
    }
    return false;
}

/* Nearness of the mover's pieces to the centre: steps of a king from the border, added up. */
static int centrality(const struct nk_rules *rules, uint64_t pieces)
{
    int sum = 0;
    for (; pieces; pieces &= pieces - 1) {
        const int file = nk_first(pieces) % rules->width, rank = nk_first(pieces) / rules->width;
        const int files = file < rules->width - 1 - file ? file : rules->width - 1 - file;
        const int ranks = rank < rules->height - 1 - rank ? rank : rules->height - 1 - rank;
        sum += files < ranks ? files : ranks;
    }
    return sum;
}

static enum nk_status choose_by_rules(struct turn *turn, int level, struct nk_move *move)
{
    (void)level;
    int scores[NK_MAX_MOVES];
    for (int m = 0; m < turn->count; m++) {
        const struct nk_position after = nk_position_after(turn->position, turn->moves[m]);
        const struct nk_position again = {after.other, after.mover}; /* as if the mover moved once more */
        const bool wins = nk_rules_won(turn->rules, after.other);
        const bool safe = wins || winning_moves(turn->rules, after) == 0;
        const bool threatens_twice = winning_moves(turn->rules, again) >= 2;
        const bool prevents = threatens_twice || !can_threaten_twice(turn->rules, after);
        scores[m] = 10000 * wins + 1000 * safe + 200 * threatens_twice + 100 * prevents +
                    centrality(turn->rules, after.other);
    }
    *move = best_of(turn, scores);
    return NK_OK;
}

/* ---- search ---- */

static enum nk_status choose_by_search(struct turn *turn, int plies, bool prune, struct nk_move *move)
{
    struct nk_move_score scored[NK_MAX_MOVES];
    int scores[NK_MAX_MOVES];
    nk_search(turn->rules, turn->position, plies, prune, scored, turn->visited);
    for (int m = 0; m < turn->count; m++)
        scores[m] = scored[m].score;
    *move = best_of(turn, scores);
    return NK_OK;
}

static enum nk_status choose_by_minimax(struct turn *turn, int plies, struct nk_move *move)
{
    return choose_by_search(turn, plies, false, move);
}

static enum nk_status choose_by_alpha_beta(struct turn *turn, int plies, struct nk_move *move)
{
    return choose_by_search(turn, plies, true, move);
}

/* ---- the table ---- */

static enum nk_status move_values(struct turn *turn, struct nk_value values[NK_MAX_MOVES])
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const enum nk_status status =
        nk_table_moves(turn->table, turn->position, moves, &turn->count, turn->error);
    assert(status || turn->count > 0);
    for (int m = 0; !status && m < turn->count; m++) {
        turn->moves[m] = moves[m].move;
        values[m] = moves[m].value;
    }
    return status;
}

/* Sees what is decided within level - 1 plies: takes the soonest win it sees, and of the losses it sees the
 * latest if there is nothing else. Of the other moves it draws two and prefers the one that looks better on
 * the board, so that its errors are plausible. */
static enum nk_status choose_by_level(struct turn *turn, int level, struct nk_move *move)
{
    const int sight = level - 1;
    struct nk_value values[NK_MAX_MOVES];
    const enum nk_status status = move_values(turn, values);
    if (status)
        return status;
    int unseen[NK_MAX_MOVES], count = 0;
    for (int m = 0; m < turn->count; m++)
        if (values[m].result == NK_DRAW || values[m].plies > sight)
            unseen[count++] = m;
    const bool sees_win = values[0].result == NK_WIN && values[0].plies <= sight;
    if (sees_win || !count) { /* best first: a seen win, or the latest of seen losses */
        *move = turn->moves[0];
        return NK_OK;
    }
    const int one = unseen[nk_random_below(turn->random, (uint32_t)count)];
    const int two = unseen[nk_random_below(turn->random, (uint32_t)count)];
    const int look_one = nk_evaluate(turn->rules, nk_position_after(turn->position, turn->moves[one]));
    const int look_two = nk_evaluate(turn->rules, nk_position_after(turn->position, turn->moves[two]));
    *move = turn->moves[look_one <= look_two ? one : two];
    return NK_OK;
}

/* Minimax turned round: heads for the soonest loss, failing that a draw, failing that the latest win. */
static enum nk_status choose_weakest(struct turn *turn, int level, struct nk_move *move)
{
    (void)level;
    struct nk_value values[NK_MAX_MOVES];
    const enum nk_status status = move_values(turn, values);
    if (status)
        return status;
    int scores[NK_MAX_MOVES];
    for (int m = 0; m < turn->count; m++)
        scores[m] = values[m].result == NK_LOSS  ? NK_SCORE_WIN - values[m].plies
                    : values[m].result == NK_WIN ? values[m].plies - NK_SCORE_WIN
                                                 : 0;
    *move = best_of(turn, scores);
    return NK_OK;
}

static enum nk_status choose_perfect(struct turn *turn, int level, struct nk_move *move)
{
    (void)level;
    return nk_choose(turn->table, turn->game, turn->random, move, turn->error);
}

static const struct nk_opponent_kind kinds[] = {
    {"human", "human", "asks a person", 0, 0, NULL},
    {"random", "random", "any legal move", 0, 0, choose_random},
    {"rules", "rules", "wins at once, stops a loss, makes and prevents double threats, likes the centre", 0,
     0, choose_by_rules},
    {"minimax", "minimax:N", "looks N plies ahead, every one of them", 1, NK_MAX_SEARCH, choose_by_minimax},
    {"alphabeta", "alphabeta:N", "the same with alpha-beta pruning, far quicker", 1, NK_MAX_SEARCH,
     choose_by_alpha_beta},
    {"level", "level:N", "sees exactly N-1 plies: 1 is for beginners, 9 is hard", 1, 9, choose_by_level},
    {"weakest", "weakest", "plays to lose", 0, 0, choose_weakest},
    {"perfect", "perfect", "never errs", 0, 0, choose_perfect},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char names[] =
    "human, random, rules, minimax:N, alphabeta:N, level:N (1 to 9), weakest or perfect";

enum nk_status nk_opponent_parse(const char *name, struct nk_opponent *opponent, struct nk_error *error)
{
    const size_t length = strcspn(name, ":");
    const char *digits = name[length] ? name + length + 1 : NULL;
    for (int k = 0; k < KINDS; k++) {
        if (strlen(kinds[k].name) != length || strncmp(kinds[k].name, name, length) != 0)
            continue;
        if (!kinds[k].max && digits)
            return nk_fail(error, NK_E_SYNTAX, length + 1, "'%s' takes no number", kinds[k].name);
        int level = 0;
        bool good = !kinds[k].max || (digits && *digits);
        for (const char *d = digits; good && d && *d; d++) {
            level = 10 * level + (*d - '0');
            good = *d >= '0' && *d <= '9' && level <= kinds[k].max;
        }
        if (!good || level < kinds[k].min)
            return nk_fail(error, NK_E_SYNTAX, 0, "'%s' needs a number from %d to %d, as in %s:%d",
                           kinds[k].name, kinds[k].min, kinds[k].max, kinds[k].name, kinds[k].min + 3);
        *opponent = (struct nk_opponent){&kinds[k], level};
        return NK_OK;
    }
    return nk_fail(error, NK_E_SYNTAX, 0, "there is no opponent '%s'; there are %s", name, names);
}

bool nk_opponent_is_human(struct nk_opponent opponent)
{
    return !opponent.kind->choose;
}

void nk_opponent_print(struct nk_opponent opponent, char text[NK_OPPONENT_TEXT])
{
    size_t length = strlen(opponent.kind->name);
    memcpy(text, opponent.kind->name, length);
    if (opponent.kind->max) {
        text[length++] = ':';
        if (opponent.level >= 10)
            text[length++] = (char)('0' + opponent.level / 10);
        text[length++] = (char)('0' + opponent.level % 10);
    }
    text[length] = '\0';
}

bool nk_opponent_describe(int n, const char **form, const char **about)
{
    if (n < 0 || n >= KINDS)
        return false;
    *form = kinds[n].form;
    *about = kinds[n].about;
    return true;
}

enum nk_status nk_opponent_move(struct nk_opponent opponent, struct nk_table *table,
                                const struct nk_game *game, uint64_t *random, struct nk_move *move,
                                uint64_t *visited, struct nk_error *error)
{
    struct turn turn = {.table = table,
                        .game = game,
                        .rules = nk_game_rules(game),
                        .position = nk_game_position(game),
                        .random = random,
                        .visited = visited,
                        .error = error};
    turn.count = nk_position_moves(turn.rules, turn.position, turn.moves);
    return opponent.kind->choose(&turn, opponent.level, move);
}
