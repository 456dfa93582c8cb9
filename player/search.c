#include "player/search.h"

int nk_evaluate(const struct nk_rules *rules, struct nk_position position)
{
    int score = 0;
    for (int i = 0; i < rules->win_count && rules->win <= NK_WIN_DIAGONAL; i++) {
        const int mover = (position.mover & rules->wins[i]) != 0;
        const int other = (position.other & rules->wins[i]) != 0;
        score += mover - other; /* 0 for a line with pieces of both sides */
    }
    return score;
}

struct search {
    const struct nk_rules *rules;
    bool prune;
    uint64_t visited;
};

/* The negamax score of a position for the side to move, `depth` plies after the root and searched `plies` further. */
static int negamax(struct search *search, struct nk_position position, int plies, int depth, int alpha,
                   int beta)
{
    struct nk_move moves[NK_MAX_MOVES];
    search->visited++;
    if (nk_rules_won(search->rules, position.other))
        return depth - NK_SCORE_WIN;
    if (plies == 0)
        return nk_evaluate(search->rules, position);
    const int count = nk_position_moves(search->rules, position, moves);
    int best = count ? -NK_SCORE_WIN : 0; /* stalemate is a draw */
    for (int m = 0; m < count; m++) {
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

int nk_search(const struct nk_rules *rules, struct nk_position position, int plies, bool prune,
              int scores[NK_MAX_MOVES], uint64_t *visited)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct search search = {.rules = rules, .prune = prune};
    const int count = nk_position_moves(rules, position, moves);
    for (int m = 0; m < count; m++)
        scores[m] = -negamax(&search, nk_position_after(position, moves[m]), plies - 1, 1, -NK_SCORE_WIN,
                             NK_SCORE_WIN);
    if (visited)
        *visited += search.visited;
    return count;
}
