#include "player/search.h"

/* The winning lines: each is a set of rules.row_length adjacent squares in a straight line. Rules that win by other
 * means have none. */
struct lines {
    uint64_t mask[4 * NK_MAX_SQUARES];
    int count;
};

static void list_lines(const struct nk_rules *rules, struct lines *lines)
{
    lines->count = 0;
    if (rules->win == NK_WIN_EQUIDISTANT || rules->win == NK_WIN_CENTRE)
        return;
    for (int d = NK_NORTH; d <= NK_SOUTH_EAST; d++) {
        const bool diagonal = d % 2;
        if (rules->win == (diagonal ? NK_WIN_ORTHOGONAL : NK_WIN_DIAGONAL))
            continue;
        for (int first = 0; first < rules->squares; first++) {
            uint64_t line = 0;
            int square = first, length = 0;
            for (; square != NK_NO_SQUARE && length < rules->row_length;
                 square = rules->next[d][square], length++)
                line |= nk_bit(square);
            if (length == rules->row_length)
                lines->mask[lines->count++] = line;
        }
    }
}

static int evaluate(const struct lines *lines, struct nk_position position)
{
    int score = 0;
    for (int i = 0; i < lines->count; i++) {
        const int mover = (position.mover & lines->mask[i]) != 0;
        const int other = (position.other & lines->mask[i]) != 0;
        score += mover - other; /* 0 for a line with pieces of both sides */
    }
    return score;
}

int nk_evaluate(const struct nk_rules *rules, struct nk_position position)
{
    struct lines lines;
    list_lines(rules, &lines);
    return evaluate(&lines, position);
}

struct search {
    const struct nk_rules *rules;
    struct lines lines;
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
        return evaluate(&search->lines, position);
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
              struct nk_move_score scores[NK_MAX_MOVES], uint64_t *visited)
{
    struct nk_move moves[NK_MAX_MOVES];
    struct search search = {.rules = rules, .prune = prune};
    const int count = nk_position_moves(rules, position, moves);
    list_lines(rules, &search.lines);
    for (int m = 0; m < count; m++) {
        scores[m].move = moves[m];
        scores[m].score = -negamax(&search, nk_position_after(position, moves[m]), plies - 1, 1,
                                   -NK_SCORE_WIN, NK_SCORE_WIN);
    }
    if (visited)
        *visited += search.visited;
    return count;
}
