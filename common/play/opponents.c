/* The opponents: how each chooses its move, and their names. */

#include "common/play/play.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- minimax search ---- */

enum { POSITIONS_PER_QUESTION = 1 << 16 }; /* more than a search of 1 ply visits; some milliseconds */

int nk_evaluate(const struct nk_rules *rules, struct nk_position position)
{
    const int lines = nk_win_has_lines(rules->board.win) ? rules->win_count : 0;
    int score = 0;
    for (int i = 0; i < lines; i++) {
        const int mover = (position.mover & rules->wins[i]) != 0;
        const int other = (position.other & rules->wins[i]) != 0;
        score += mover - other; /* 0 for a line with pieces of both sides */
    }
    return score;
}

struct lookahead {
    const struct nk_rules *rules;
    bool prune;
    uint64_t visited;
    const struct nk_stop *stop; /* or NULL */
    bool stopped;               /* the scores that are being computed are of no use */
};

static bool must_stop(struct lookahead *search)
{
    if (search->stop && search->visited % POSITIONS_PER_QUESTION == 0)
        search->stopped = search->stop->is_wanted(search->stop->context);
    return search->stopped;
}

/* The negamax score of a position for the side to move, `depth` plies after the root and searched `plies` further. */
static int negamax(struct lookahead *search, struct nk_position position, int plies, int depth, int alpha,
                   int beta)
{
    struct nk_move moves[NK_MAX_MOVES];
    search->visited++;
    if (must_stop(search))
        return 0;
    if (nk_rules_won(search->rules, position.other))
        return depth - NK_SCORE_WIN;
    if (plies == 0)
        return nk_evaluate(search->rules, position);
    const int count = nk_position_moves(search->rules, position, moves);
    int best = count ? -NK_SCORE_WIN : 0; /* stalemate is a draw */
    for (int m = 0; m < count && !search->stopped; m++) {
        const int score =
            -negamax(search, nk_position_after(position, moves[m]), plies - 1, depth + 1, -beta, -alpha);
        if (score > best)
            best = score;
        if (!search->prune)
            continue;
        if (best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

/* Sets the scores of all moves of the position, unless it is stopped. Returns their number. */
static int score_moves(struct lookahead *search, struct nk_position position, int plies,
                       int scores[NK_MAX_MOVES])
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(search->rules, position, moves);
    for (int m = 0; m < count && !search->stopped; m++)
        scores[m] = -negamax(search, nk_position_after(position, moves[m]), plies - 1, 1, -NK_SCORE_WIN,
                             NK_SCORE_WIN);
    return count;
}

int nk_search(const struct nk_rules *rules, struct nk_position position, int plies, bool prune,
              const struct nk_stop *stop, int scores[NK_MAX_MOVES], uint64_t *visited)
{
    struct lookahead search = {.rules = rules, .prune = prune, .stop = stop};
    int found[NK_MAX_MOVES], count = 0;
    for (int depth = stop ? 1 : plies; depth <= plies && !search.stopped; depth++) {
        count = score_moves(&search, position, depth, found);
        if (!search.stopped)
            memcpy(scores, found, sizeof found);
    }
    if (visited)
        *visited += search.visited;
    return count;
}

/* ---- the choice of a move ---- */

/* A position in which an opponent chooses a move, and what the choice may depend on. */
struct nk_decision {
    struct nk_table *table;
    const struct nk_game *game; /* not over */
    const struct nk_rules *rules;
    struct nk_position position;
    int level;                          /* the number in the opponent's name */
    struct nk_move moves[NK_MAX_MOVES]; /* the legal moves, in the order of nk_position_moves */
    int count;                          /* of moves, 1 or more because the game is not over */
    uint64_t *random;                   /* the state of nk_random */
    const struct nk_stop *stop;         /* asked during a search, or NULL */
    struct nk_error *error;
};

/* One of the moves with the highest score, each with the same probability. */
static struct nk_move best_of(struct nk_decision *decision, const int scores[])
{
    struct nk_selection selection = {0};
    int chosen = 0;
    for (int m = 0; m < decision->count; m++)
        if (nk_keep_best_at_random(&selection, scores[m], decision->random))
            chosen = m;
    return decision->moves[chosen];
}

static enum nk_status choose_random(struct nk_decision *decision, struct nk_move *move)
{
    *move = decision->moves[nk_random_below(decision->random, (uint32_t)decision->count)];
    return NK_OK;
}

/* ---- heuristic rules ---- */

/* Moves that win at once. */
static int count_winning_moves(const struct nk_rules *rules, struct nk_position position)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    int winning = 0;
    for (int m = 0; m < count; m++)
        winning += nk_rules_won(rules, nk_position_after(position, moves[m]).other);
    return winning;
}

/* Whether the side to move has a move after which it threatens to win in two ways. */
static bool can_threaten_twice(const struct nk_rules *rules, struct nk_position position)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(rules, position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_position after = nk_position_after(position, moves[m]);
        if (count_winning_moves(rules, nk_position_after_pass(after)) >= 2)
            return true;
    }
    return false;
}

/* Closeness of the pieces to the centre: the sum of their distances from the nearest edge of the board. */
static int centrality(const struct nk_rules *rules, uint64_t pieces)
{
    int sum = 0;
    for (; pieces; pieces &= pieces - 1) {
        const int file = nk_first(pieces) % rules->board.width, rank = nk_first(pieces) / rules->board.width;
        const int files = file < rules->board.width - 1 - file ? file : rules->board.width - 1 - file;
        const int ranks = rank < rules->board.height - 1 - rank ? rank : rules->board.height - 1 - rank;
        sum += files < ranks ? files : ranks;
    }
    return sum;
}

static enum nk_status choose_heuristic(struct nk_decision *decision, struct nk_move *move)
{
    int scores[NK_MAX_MOVES] = {0};
    for (int m = 0; m < decision->count; m++) {
        const struct nk_position after = nk_position_after(decision->position, decision->moves[m]);
        const bool wins = nk_rules_won(decision->rules, after.other);
        const bool safe = wins || count_winning_moves(decision->rules, after) == 0;
        const bool threatens_twice = count_winning_moves(decision->rules, nk_position_after_pass(after)) >= 2;
        const bool prevents = threatens_twice || !can_threaten_twice(decision->rules, after);
        scores[m] = 10000 * wins + 1000 * safe + 200 * threatens_twice + 100 * prevents +
                    centrality(decision->rules, after.other);
    }
    *move = best_of(decision, scores);
    return NK_OK;
}

/* ---- search ---- */

static enum nk_status choose_by_search(struct nk_decision *decision, bool prune, struct nk_move *move)
{
    int scores[NK_MAX_MOVES] = {0};
    nk_search(decision->rules, decision->position, decision->level, prune, decision->stop, scores, NULL);
    *move = best_of(decision, scores);
    return NK_OK;
}

static enum nk_status choose_by_minimax(struct nk_decision *decision, struct nk_move *move)
{
    return choose_by_search(decision, false, move);
}

static enum nk_status choose_by_alpha_beta(struct nk_decision *decision, struct nk_move *move)
{
    return choose_by_search(decision, true, move);
}

/* ---- the table ---- */

/* Sorts the moves by value, best first, and sets their values. */
static enum nk_status sort_moves(struct nk_decision *decision, struct nk_value values[NK_MAX_MOVES])
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const enum nk_status status =
        nk_table_moves(decision->table, decision->position, moves, &decision->count, decision->error);
    assert(status || decision->count > 0);
    for (int m = 0; !status && m < decision->count; m++) {
        decision->moves[m] = moves[m].move;
        values[m] = moves[m].value;
    }
    return status;
}

/* ---- levels ---- */

/* How far each level sees, in hundredths of a ply. The numbers come from matches: each level scores about 75 % against
 * the one below, level:1 against random, and perfect against the highest level (docs/GAME.md). */
static const int horizons[] = {57, 100, 174, 251, 342, 407, 521, 634, 789, 971, 1172, 1404, 1700, 2127, 2800};
enum { LEVELS = sizeof horizons / sizeof horizons[0] };
static_assert(LEVELS == 15, "the descriptions name the highest level");

/* Whether a level sees how a move is decided: always within its horizon, never beyond twice as many plies, and in
 * between with a probability that falls evenly. So it overlooks what is far away rather than what is near. */
static bool sees(struct nk_decision *decision, struct nk_value value)
{
    const int horizon = horizons[decision->level - 1], within = 2 * horizon - 100 * value.plies;
    return value.result != NK_DRAW && within > 0 &&
           nk_random_below(decision->random, (uint32_t)horizon) < (uint32_t)within;
}

/* Of two random moves, the one after which the opponent's position has the lower evaluation. */
static struct nk_move better_of_two(struct nk_decision *decision, const struct nk_move moves[], int count)
{
    struct nk_move candidates[2];
    int scores[2];
    for (int i = 0; i < 2; i++) {
        candidates[i] = moves[nk_random_below(decision->random, (uint32_t)count)];
        scores[i] = nk_evaluate(decision->rules, nk_position_after(decision->position, candidates[i]));
    }
    return candidates[scores[1] < scores[0]];
}

/* Plays the fastest win that it sees. Otherwise it plays a move whose end it does not see or, if it sees that all lose,
 * the slowest loss. */
static enum nk_status choose_by_level(struct nk_decision *decision, struct nk_move *move)
{
    struct nk_value values[NK_MAX_MOVES];
    struct nk_move unclear[NK_MAX_MOVES];
    int count = 0;
    const enum nk_status status = sort_moves(decision, values);
    if (status)
        return status;
    for (int m = 0; m < decision->count; m++) {
        const bool seen = sees(decision, values[m]);
        if (seen && values[m].result == NK_WIN) {
            *move = decision->moves[m];
            return NK_OK;
        }
        if (!seen)
            unclear[count++] = decision->moves[m];
    }
    *move = count ? better_of_two(decision, unclear, count) : decision->moves[0];
    return NK_OK;
}

/* ---- weakest and perfect ---- */

/* Plays the fastest loss, else a draw, else the slowest win. */
static enum nk_status choose_weakest(struct nk_decision *decision, struct nk_move *move)
{
    struct nk_value values[NK_MAX_MOVES];
    const enum nk_status status = sort_moves(decision, values);
    if (status)
        return status;
    int scores[NK_MAX_MOVES] = {0};
    for (int m = 0; m < decision->count; m++)
        scores[m] = values[m].result == NK_LOSS  ? NK_SCORE_WIN - values[m].plies
                    : values[m].result == NK_WIN ? values[m].plies - NK_SCORE_WIN
                                                 : 0;
    *move = best_of(decision, scores);
    return NK_OK;
}

static enum nk_status choose_perfect(struct nk_decision *decision, struct nk_move *move)
{
    return nk_choose(decision->table, decision->game, decision->random, move, decision->error);
}

/* ---- the opponents and their names ---- */

/* In the order of the help texts: first a person, then what a person chooses from. The levels with names of their own
 * are about as far apart from each other (docs/GAME.md). */
static const struct nk_opponent_kind kinds[] = {
    {"human", "human", "a person enters the moves", 0, 0, NULL, NULL},
    {"beginner", "beginner", "overlooks most wins in one move", 0, 0, NULL, "level:1"},
    {"easy", "easy", "sees 3 plies ahead", 0, 0, NULL, "level:5"},
    {"medium", "medium", "sees 7 plies ahead", 0, 0, NULL, "level:9"},
    {"hard", "hard", "sees 10 plies ahead", 0, 0, NULL, "level:12"},
    {"perfect", "perfect", "never makes a mistake", 0, 0, choose_perfect, NULL},
    {"level", "level:N", "overlooks what is far ahead; the last is almost perfect", 1, LEVELS,
     choose_by_level, NULL},
    {"rules", "rules", "wins at once, stops losses, makes and prevents double threats", 0, 0,
     choose_heuristic, NULL},
    {"random", "random", "plays any legal move", 0, 0, choose_random, NULL},
    {"alphabeta", "alphabeta:N", "searches N plies", 1, NK_MAX_SEARCH, choose_by_alpha_beta, NULL},
    {"minimax", "minimax:N", "the same without alpha-beta pruning, much slower", 1, NK_MAX_SEARCH,
     choose_by_minimax, NULL},
    {"weakest", "weakest", "tries to lose", 0, 0, choose_weakest, NULL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct nk_opponent nk_opponent_human = {kinds, 0};

/* Opponents to choose from on the page, strongest first as measured in docs/GAME.md. */
static const char *const ranking[] = {"perfect",  "level:15", "level:14", "level:13", "level:12",
                                      "level:11", "level:10", "level:9",  "level:8",  "alphabeta:4",
                                      "level:7",  "level:6",  "level:5",  "level:4",  "rules",
                                      "level:3",  "level:2",  "level:1",  "random",   "weakest"};
enum { RANKS = sizeof ranking / sizeof ranking[0] };

/* Reports that no opponent has this name. The kinds from `first` on are listed as those that are expected. */
static enum nk_status fail_unknown(const char *name, int first, struct nk_error *error)
{
    char forms[160];
    const size_t length = strcspn(name, ":");
    const struct nk_text kind = nk_text_of("%.*s", (int)length, name);
    struct nk_text proposed = {""};
    struct nk_strbuf list = {forms, sizeof forms, 0};
    struct nk_suggestion similar = {.typed = kind.s};
    for (int k = first; k < KINDS; k++) {
        nk_suggest(&similar, kinds[k].name);
        nk_strbuf_add(&list, "%s%s", k == first ? "" : k < KINDS - 1 ? ", " : " or ", kinds[k].form);
    }
    if (similar.name)
        proposed = nk_text_of("%s%s", similar.name, name + length);
    if (*proposed.s && nk_opponent_parse(proposed.s, &(struct nk_opponent){0}, NULL) == NK_OK)
        return nk_fail(error, NK_E_SYNTAX, 0, "unknown opponent '%s'; did you mean '%s'?", name, proposed.s);
    return nk_fail(error, NK_E_SYNTAX, 0, "unknown opponent '%s': expected %s", name, forms);
}

/* Reads the name of an opponent of a kind, which has been found. */
static enum nk_status parse_kind(const struct nk_opponent_kind *kind, const char *name,
                                 struct nk_opponent *opponent, struct nk_error *error)
{
    const char *colon = strchr(name, ':');
    const char *digits = colon ? colon + 1 : NULL;
    if (!kind->max && digits)
        return nk_fail(error, NK_E_SYNTAX, (size_t)(digits - name), "unexpected number after '%s'",
                       kind->name);
    const bool is_number = digits && !digits[strspn(digits, "0123456789")];
    const long level = is_number ? strtol(digits, NULL, 10) : 0;
    if (level < kind->min || level > kind->max)
        return nk_fail(error, NK_E_SYNTAX, 0, "'%s': expected %s with a number from %d to %d, as in %s:%d",
                       name, kind->name, kind->min, kind->max, kind->name, kind->min + 3);
    *opponent = (struct nk_opponent){kind, (int)level};
    return NK_OK;
}

/* Reads a name of one of the kinds from `first` on. */
static enum nk_status parse(const char *name, int first, struct nk_opponent *opponent, struct nk_error *error)
{
    const size_t length = strcspn(name, ":");
    for (int k = first; k < KINDS; k++) {
        if (strlen(kinds[k].name) != length || strncmp(kinds[k].name, name, length) != 0)
            continue;
        if (kinds[k].same_as && !name[length])
            return parse(kinds[k].same_as, first, opponent, error);
        return parse_kind(&kinds[k], name, opponent, error);
    }
    return fail_unknown(name, first, error);
}

enum nk_status nk_opponent_parse(const char *name, struct nk_opponent *opponent, struct nk_error *error)
{
    return parse(name, 0, opponent, error);
}

enum nk_status nk_opponent_parse_program(const char *name, struct nk_opponent *opponent,
                                         struct nk_error *error)
{
    if (strcmp(name, nk_opponent_human.kind->name) == 0)
        return nk_fail(error, NK_E_SYNTAX, 0,
                       "'%s' cannot play here: expected an opponent that chooses its own moves", name);
    return parse(name, 1, opponent, error);
}

bool nk_opponent_is_human(struct nk_opponent opponent)
{
    return opponent.kind == nk_opponent_human.kind;
}

struct nk_text nk_opponent_name(struct nk_opponent opponent)
{
    const char *name = opponent.kind->name;
    return opponent.kind->max ? nk_text_of("%s:%d", name, opponent.level) : nk_text_of("%s", name);
}

const struct nk_opponent_kind *nk_opponent_kind_at(int n)
{
    return n >= 0 && n < KINDS ? &kinds[n] : NULL;
}

const char *nk_opponent_offered_as(struct nk_opponent opponent)
{
    struct nk_opponent other;
    if (opponent.kind->choose == choose_perfect)
        return opponent.kind->name;
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].same_as && !nk_opponent_parse(kinds[k].same_as, &other, NULL) &&
            other.kind == opponent.kind && other.level == opponent.level)
            return kinds[k].name;
    return NULL;
}

/* Describes an opponent, each level differently: "sees 3 plies ahead". */
static struct nk_text describe(struct nk_opponent opponent)
{
    /* Of the levels that do not see a whole number of plies. */
    static const char *const low_levels[] = {"overlooks even some wins in one move",
                                             "sees wins in one move but nothing else",
                                             "sees wins in one move and some in three"};
    const int level = opponent.level;
    if (opponent.kind->choose == choose_by_minimax || opponent.kind->choose == choose_by_alpha_beta)
        return nk_text_of("searches %d plies", level);
    if (opponent.kind->choose != choose_by_level)
        return nk_text_of("%s", opponent.kind->about);
    assert(level >= 1);
    if (level <= (int)(sizeof low_levels / sizeof low_levels[0]))
        return nk_text_of("%s", low_levels[level - 1]);
    return nk_text_of("sees %d plies ahead", level - 2);
}

void nk_json_opponents(struct nk_json *json)
{
    nk_json_begin(json, "opponents", '[');
    for (int k = 0; k < KINDS; k++) {
        nk_json_begin(json, NULL, '{');
        nk_json_string(json, "form", kinds[k].form);
        nk_json_string(json, "about", kinds[k].about);
        nk_json_integer(json, "min", kinds[k].min);
        nk_json_integer(json, "max", kinds[k].max);
        nk_json_bool(json, "human", !kinds[k].choose && !kinds[k].same_as);
        nk_json_string(json, "same_as", kinds[k].same_as);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
    nk_json_begin(json, "ranking", '[');
    for (int n = 0; n < RANKS; n++)
        nk_json_string(json, NULL, ranking[n]);
    nk_json_end(json, ']');
}

enum nk_status nk_opponent_choose(struct nk_opponent opponent, struct nk_table *table,
                                  const struct nk_game *game, uint64_t *random, const struct nk_stop *stop,
                                  struct nk_move *move, struct nk_error *error)
{
    struct nk_decision decision = {.table = table,
                                   .game = game,
                                   .rules = nk_game_rules(game),
                                   .position = nk_game_position(game),
                                   .level = opponent.level,
                                   .random = random,
                                   .stop = stop,
                                   .error = error};
    const enum nk_status status = nk_check_board(table, game, error);
    if (status)
        return status;
    decision.count = nk_position_moves(decision.rules, decision.position, decision.moves);
    return opponent.kind->choose(&decision, move);
}

bool nk_opponent_ranked(int n, struct nk_text *name, struct nk_text *about)
{
    assert(name && about);
    struct nk_opponent opponent;
    if (n < 0 || n >= RANKS || nk_opponent_parse(ranking[n], &opponent, NULL))
        return false;
    *name = nk_opponent_name(opponent);
    *about = describe(opponent);
    return true;
}

enum nk_status nk_opponent_move(struct nk_table *table, const struct nk_game *game, const char *name,
                                uint64_t *random, struct nk_move *move, struct nk_error *error)
{
    assert(table && game && name && random && move);
    struct nk_opponent opponent;
    enum nk_status status;
    if ((status = nk_opponent_parse_program(name, &opponent, error)) ||
        (status = nk_game_check_open(game, error)))
        return status;
    return nk_opponent_choose(opponent, table, game, random, NULL, move, error);
}
