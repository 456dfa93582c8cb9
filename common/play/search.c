#include "common/play/search.h"

#include <string.h>

enum { POSITIONS_PER_QUESTION = 1 << 16 }; /* more than a search of 1 ply visits; some milliseconds */

int nk_evaluate(const struct nk_rules *rules, struct nk_position position)
{
    int score = 0;
    for (int i = 0; i < rules->win_count && rules->board.win <= NK_WIN_DIAGONAL; i++) {
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
