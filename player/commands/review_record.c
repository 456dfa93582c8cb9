/* neutreeko review --record: a game annotated with its review. */

#include "player/commands/review_game.h"

#include "common/game/tree.h"
#include "common/play/describe.h"

#include <string.h>

/* Adds a comment, unless the node has it. */
static enum nk_status add_comment(struct nk_tree *tree, int number, const char *comment,
                                  struct nk_error *error)
{
    return strstr(nk_tree_node(tree, number).comment, comment)
               ? NK_OK
               : nk_tree_comment(tree, number, comment, error);
}

/* Adds the better move after a node, and the best line after it. */
static enum nk_status add_line(struct nk_tree *tree, int number, struct nk_table *table,
                               const struct nk_reviewed *reviewed, struct nk_error *error)
{
    const int plies = reviewed->before.result == NK_DRAW ? NK_SHORT_LINE : reviewed->before.plies;
    const struct nk_game *game;
    struct nk_move move = reviewed->better;
    uint64_t random = 0;
    enum nk_status status;
    if ((status = nk_tree_add(tree, number, move, &number, error)) ||
        (status = nk_tree_comment(tree, number, nk_value_text(reviewed->before).s, error)))
        return status;
    for (int ply = 1; ply < plies; ply++) {
        if ((status = nk_tree_at(tree, number, &game, error)))
            return status;
        if (nk_game_end(game, NULL) != NK_END_NONE)
            break;
        if ((status = nk_choose(table, game, &random, &move, error)) ||
            (status = nk_tree_add(tree, number, move, &number, error)))
            return status;
    }
    return NK_OK;
}

static bool has_move(const struct nk_tree *tree, int number, struct nk_move move)
{
    for (int child = nk_tree_node(tree, number).child; child >= 0; child = nk_tree_node(tree, child).sibling)
        if (nk_move_equal(nk_tree_node(tree, child).move, move))
            return true;
    return false;
}

/* Adds the review of the move at a ply, which leads to a node. */
static enum nk_status annotate_move(const struct game_review *review, int ply, struct nk_table *table,
                                    struct nk_tree *tree, int number, struct nk_error *error)
{
    const struct nk_reviewed *reviewed = &review->moves[ply];
    const int parent = nk_tree_node(tree, number).parent;
    enum nk_status status = add_comment(tree, number, nk_value_text(reviewed->after).s, error);
    if (!status && reviewed->mark != NK_MARK_NONE)
        status = nk_tree_mark(tree, number, nk_mark_text(reviewed->mark), error);
    if (status || !nk_has_better(reviewed) || has_move(tree, parent, reviewed->better))
        return status;
    return add_line(tree, parent, table, reviewed, error);
}

enum nk_status review_annotate(const struct game_review *review, struct nk_table *table, struct nk_tree *tree,
                               struct nk_error *error)
{
    enum nk_status status = NK_OK;
    int number = 0;
    for (int ply = 0; ply < review->count && !status; ply++) {
        number = nk_tree_node(tree, number).child;
        status = annotate_move(review, ply, table, tree, number, error);
    }
    return status;
}
