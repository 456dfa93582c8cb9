/* A game with its history: moves, repetitions, the end, undo and redo. */

#include "common/game/game.h"

#include "common/base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct ply {
    struct nk_position position; /* before the move */
    struct nk_move move;
    int occurrences; /* of the position with this side to move, up to and including this ply */
    int older;       /* the ply before this one in its bucket, or NONE */
    bool repeated;   /* whether any position has occurred twice, up to and including this ply */
};

enum { NONE = -1 };

struct nk_game {
    const struct nk_rules *rules;
    enum nk_colour first; /* the side to move at ply 0 */
    struct ply *plies;    /* [room]; plies[known] has a position but no move */
    int count;            /* moves played and not undone: the current ply */
    int known;            /* moves played, including those that can be redone; count <= known < room */
    int room;             /* a power of two */
    /* [room] buckets: the last ply with a position of this hash. The plies of a bucket form a list. */
    int *newest;
    enum nk_end finished;    /* by nk_game_finish, or NK_END_NONE */
    enum nk_outcome outcome; /* then */
    int gone_on;             /* a third occurrence up to this ply did not end the game */
};

/* Allocates a game with room for that many plies. */
static enum nk_status allocate(int room, struct nk_game **out, struct nk_error *error)
{
    struct nk_game *game = calloc(1, sizeof *game);
    struct ply *plies = malloc((size_t)room * sizeof *plies);
    int *newest = malloc((size_t)room * sizeof *newest);
    if (!game || !plies || !newest) {
        free(game);
        free(plies);
        free(newest);
        return nk_fail_memory(error);
    }
    game->plies = plies;
    game->newest = newest;
    game->room = room;
    *out = game;
    return NK_OK;
}

/* ---- the occurrences of positions ---- */

/* The bucket of a position. Plies of both sides share it. */
static int *bucket_of(const struct nk_game *game, struct nk_position position)
{
    const uint64_t mixed =
        (position.mover * UINT64_C(0x9e3779b97f4a7c15)) ^ (position.other * UINT64_C(0xc2b2ae3d27d4eb4f));
    return &game->newest[(mixed ^ (mixed >> 29)) & (uint64_t)(game->room - 1)];
}

/* Makes a ply the newest one of its bucket. */
static void add_to_bucket(struct nk_game *game, int ply)
{
    int *newest = bucket_of(game, game->plies[ply].position);
    game->plies[ply].older = *newest;
    *newest = ply;
}

/* Puts the plies 0 to `last` into the buckets. */
static void fill_buckets(struct nk_game *game, int last)
{
    for (int bucket = 0; bucket < game->room; bucket++)
        game->newest[bucket] = NONE;
    for (int ply = 0; ply <= last; ply++)
        add_to_bucket(game, ply);
}

int nk_game_occurrences(const struct nk_game *game, int ply, struct nk_position position,
                        enum nk_colour to_move)
{
    for (int at = *bucket_of(game, position); at != NONE; at = game->plies[at].older)
        if (at <= ply && nk_game_to_move_at(game, at) == to_move &&
            nk_position_equal(game->plies[at].position, position))
            return game->plies[at].occurrences;
    return 0;
}

/* ---- creating, reading ---- */

enum nk_status nk_game_new(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                           struct nk_game **out, struct nk_error *error)
{
    assert(rules && out);
    enum { INITIAL_ROOM = 16 };
    struct nk_game *game;
    enum nk_status status;
    if ((status = nk_position_check(rules, position, to_move, error)) ||
        (status = allocate(INITIAL_ROOM, &game, error)))
        return status;
    game->rules = rules;
    game->first = to_move;
    game->plies[0] = (struct ply){.position = position, .occurrences = 1};
    fill_buckets(game, 0);
    *out = game;
    return NK_OK;
}

void nk_game_free(struct nk_game *game)
{
    if (!game)
        return;
    free(game->plies);
    free(game->newest);
    free(game);
}

const struct nk_rules *nk_game_rules(const struct nk_game *game)
{
    assert(game);
    return game->rules;
}

struct nk_position nk_game_position(const struct nk_game *game)
{
    assert(game);
    return game->plies[game->count].position;
}

enum nk_colour nk_game_to_move_at(const struct nk_game *game, int ply)
{
    assert(game);
    return ply % 2 ? nk_colour_other(game->first) : game->first;
}

enum nk_colour nk_game_to_move(const struct nk_game *game)
{
    assert(game);
    return nk_game_to_move_at(game, game->count);
}

int nk_game_plies(const struct nk_game *game)
{
    assert(game);
    return game->count;
}

int nk_game_plies_with_undone(const struct nk_game *game)
{
    assert(game);
    return game->known;
}

struct nk_move nk_game_move_at(const struct nk_game *game, int ply)
{
    assert(game);
    return game->plies[ply].move;
}

struct nk_position nk_game_position_at(const struct nk_game *game, int ply)
{
    assert(game);
    return game->plies[ply].position;
}

int nk_game_occurrences_at(const struct nk_game *game, int ply)
{
    return game->plies[ply].occurrences;
}

bool nk_game_has_repeated(const struct nk_game *game, int ply)
{
    return game->plies[ply].repeated;
}

int nk_game_repeats_at(const struct nk_game *game, int ply, struct nk_move move)
{
    return nk_game_occurrences(game, ply, nk_position_after(game->plies[ply].position, move),
                               nk_colour_other(nk_game_to_move_at(game, ply)));
}

enum nk_end nk_game_end(const struct nk_game *game, enum nk_colour *winner)
{
    assert(game);
    const struct nk_position position = nk_game_position(game);
    const enum nk_colour opponent = nk_colour_other(nk_game_to_move(game));
    struct nk_move moves[NK_MAX_MOVES];
    const bool won = nk_rules_won(game->rules, position.other);
    if (won && winner)
        *winner = opponent;
    else if (game->finished != NK_END_NONE && nk_outcome_is_win(game->outcome) && winner)
        *winner = game->outcome == NK_OUTCOME_BLACK ? NK_BLACK : NK_WHITE;
    if (won)
        return NK_END_WON;
    if (game->finished != NK_END_NONE)
        return game->finished;
    if (game->count > game->gone_on && nk_game_occurrences_at(game, game->count) >= 3)
        return NK_END_REPETITION;
    return nk_position_moves(game->rules, position, moves) ? NK_END_NONE : NK_END_STALEMATE;
}

struct nk_text nk_end_text(const struct nk_game *game)
{
    assert(game);
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const char *to_move = nk_colour_name(nk_game_to_move(game)), *won = nk_colour_name(winner);
    switch (end) {
    case NK_END_WON:
        return nk_text_of("%s wins.", won);
    case NK_END_RESIGNED:
        return nk_text_of("%s resigns: %s wins.", nk_colour_name(nk_colour_other(winner)), won);
    case NK_END_TIME:
        return nk_text_of("%s wins on time.", won);
    case NK_END_AGREED:
        return nk_text_of("Draw by agreement.");
    case NK_END_STATED:
        return game->outcome == NK_OUTCOME_DRAW ? nk_text_of("Draw, as the result says.")
                                                : nk_text_of("%s wins, as the result says.", won);
    case NK_END_REPETITION:
        return nk_text_of("Draw by threefold repetition.");
    case NK_END_STALEMATE:
        return nk_text_of("Draw: %s has no legal moves.", to_move);
    case NK_END_NONE:
        break;
    }
    return nk_text_of("The game is not over: %s is to move.", to_move);
}

enum nk_status nk_game_check_open(const struct nk_game *game, struct nk_error *error)
{
    return nk_game_end(game, NULL) == NK_END_NONE
               ? NK_OK
               : nk_fail(error, NK_E_MOVE, 0, "the game is over. %s", nk_end_text(game).s);
}

/* ---- moves ---- */

/* Makes room for one more ply. */
static enum nk_status grow(struct nk_game *game, struct nk_error *error)
{
    const size_t room = (size_t)game->room * 2;
    if (game->count + 2 <= game->room)
        return NK_OK;
    struct ply *plies = realloc(game->plies, room * sizeof *plies);
    if (plies)
        game->plies = plies;
    int *newest = plies ? realloc(game->newest, room * sizeof *newest) : NULL;
    if (!newest)
        return nk_fail_memory(error);
    game->newest = newest;
    game->room *= 2;
    fill_buckets(game, game->known);
    return NK_OK;
}

enum nk_status nk_game_play(struct nk_game *game, struct nk_move move, struct nk_error *error)
{
    assert(game);
    const struct nk_position position = nk_game_position(game);
    enum nk_status status = nk_game_check_open(game, error);
    if (status || (status = nk_move_check(game->rules, position, nk_game_to_move(game), move, error)) ||
        (status = grow(game, error)))
        return status;
    const struct nk_position after = nk_position_after(position, move);
    const int occurrences = nk_game_repeats_at(game, game->count, move) + 1;
    const bool repeated = occurrences >= 2 || nk_game_has_repeated(game, game->count);
    /* The plies of the moves that have been undone are the newest ones of their buckets. */
    for (; game->known > game->count; game->known--)
        *bucket_of(game, game->plies[game->known].position) = game->plies[game->known].older;
    game->gone_on = game->gone_on < game->count ? game->gone_on : game->count;
    game->plies[game->count++].move = move;
    game->plies[game->count] =
        (struct ply){.position = after, .occurrences = occurrences, .repeated = repeated};
    game->known = game->count;
    add_to_bucket(game, game->count);
    return NK_OK;
}

enum nk_status nk_game_finish(struct nk_game *game, enum nk_end end, enum nk_outcome outcome,
                              struct nk_error *error)
{
    assert(game);
    const enum nk_status status = nk_game_check_open(game, error);
    const bool decided = nk_outcome_is_win(outcome);
    if (status)
        return status;
    if (!((end == NK_END_STATED && (decided || outcome == NK_OUTCOME_DRAW)) ||
          ((end == NK_END_RESIGNED || end == NK_END_TIME) && decided) ||
          (end == NK_END_AGREED && outcome == NK_OUTCOME_DRAW)))
        return nk_fail(error, NK_E_MOVE, 0, "a game cannot end in this way with the result %s",
                       decided || outcome == NK_OUTCOME_DRAW ? nk_outcome_text(outcome) : "*");
    game->finished = end;
    game->outcome = outcome;
    return NK_OK;
}

void nk_game_resign(struct nk_game *game)
{
    assert(game);
    (void)nk_game_finish(game, NK_END_RESIGNED, nk_outcome_won_by(nk_colour_other(nk_game_to_move(game))),
                         NULL);
}

void nk_game_go_on(struct nk_game *game)
{
    assert(game);
    if (nk_game_end(game, NULL) == NK_END_REPETITION)
        game->gone_on = game->count;
}

void nk_game_stay_ended(struct nk_game *game)
{
    if (game->gone_on >= game->count)
        game->gone_on = game->count - 1;
}

void nk_game_reopen(struct nk_game *game)
{
    game->finished = NK_END_NONE;
}

bool nk_game_resigned_in_turn(const struct nk_game *game)
{
    enum nk_colour winner = NK_BLACK;
    return nk_game_end(game, &winner) == NK_END_RESIGNED && winner != nk_game_to_move(game);
}

bool nk_game_undo(struct nk_game *game)
{
    assert(game);
    if (game->finished != NK_END_NONE) {
        nk_game_reopen(game);
        return true;
    }
    if (!game->count)
        return false;
    game->count--;
    return true;
}

bool nk_game_redo(struct nk_game *game)
{
    assert(game);
    if (game->finished != NK_END_NONE || game->count == game->known)
        return false;
    game->count++;
    return true;
}

enum nk_status nk_game_prefix(const struct nk_game *game, int ply, struct nk_game **out,
                              struct nk_error *error)
{
    struct nk_game *copy;
    const enum nk_status status = allocate(game->room, &copy, error);
    if (!status) {
        memcpy(copy->plies, game->plies, (size_t)(ply + 1) * sizeof *copy->plies);
        copy->rules = game->rules;
        copy->first = game->first;
        copy->count = copy->known = ply;
        copy->gone_on = game->gone_on;
        fill_buckets(copy, ply);
        *out = copy;
    }
    return status;
}
