#include "player/commands/query.h"

#include "common/game/record.h"
#include "common/game/tree.h"
#include "common/play/describe.h"

enum { MOST_NODES = 1 << 17 };

/* What is being built. */
struct builder {
    struct nk_table *table;
    struct nk_tree *tree;
    struct nk_error *error;
    uint64_t random;
};

static enum nk_status add(const struct builder *builder, int parent, struct nk_move move, int *number)
{
    if (nk_tree_count(builder->tree) >= MOST_NODES)
        return nk_fail(builder->error, NK_E_LIMIT, 0,
                       "the tree has more than %d moves: expected a smaller --tree", (int)MOST_NODES);
    return nk_tree_add(builder->tree, parent, move, number, builder->error);
}

/* Adds the best line after a node, up to so many plies. */
static enum nk_status add_line(struct builder *builder, int number, uint64_t plies)
{
    for (uint64_t ply = 0; ply < plies; ply++) {
        const struct nk_game *game;
        struct nk_move move = {0, 0};
        enum nk_status status = nk_tree_at(builder->tree, number, &game, builder->error);
        if (status || nk_game_end(game, NULL) != NK_END_NONE)
            return status;
        if ((status = nk_choose(builder->table, game, &builder->random, &move, builder->error)) ||
            (status = add(builder, number, move, &number)))
            return status;
    }
    return NK_OK;
}

/* Adds a move that lowers the result, with its refutation up to so many plies, one at least. */
static enum nk_status add_mistake(struct builder *builder, int parent, const struct nk_choice *choice,
                                  bool blunder, uint64_t plies)
{
    const char *mark = nk_mark_text(blunder ? NK_MARK_BLUNDER : NK_MARK_MISTAKE);
    const struct nk_text value = nk_value_text(choice->value);
    int number;
    enum nk_status status;
    if ((status = add(builder, parent, choice->move, &number)) ||
        (status = nk_tree_mark(builder->tree, number, mark, builder->error)) ||
        (status = nk_tree_comment(builder->tree, number, value.s, builder->error)))
        return status;
    return add_line(builder, number, plies ? plies : 1);
}

/* Adds the best moves after a node and those that lower the result, and the same after each best move. */
static enum nk_status add_moves(struct builder *builder, int number, uint64_t plies)
{
    struct nk_choice choices[NK_MAX_MOVES];
    const struct nk_game *game;
    int count, next;
    enum nk_status status;
    if (!plies || (status = nk_tree_at(builder->tree, number, &game, builder->error)) ||
        nk_game_end(game, NULL) != NK_END_NONE)
        return plies ? status : NK_OK;
    if ((status = nk_choices(builder->table, game, choices, &count, builder->error)))
        return status;
    const struct nk_value best = choices[0].value;
    for (int c = 0; c < count && !status; c++) {
        const struct nk_value value = choices[c].value;
        if (value.result < best.result)
            status = add_mistake(builder, number, &choices[c],
                                 best.result == NK_WIN && value.result == NK_LOSS, plies - 1);
        else if (!nk_value_better(best, value) && !(status = add(builder, number, choices[c].move, &next)))
            status = add_moves(builder, next, plies - 1);
    }
    return status;
}

enum nk_status query_tree_record(struct nk_table *table, const struct answer *answer, uint64_t plies,
                                 char **record, struct nk_error *error)
{
    struct builder builder = {.table = table, .error = error};
    char state[ANSWER_TEXT];
    enum nk_status status =
        nk_tree_new(nk_table_rules(table), answer->position, answer->to_move, &builder.tree, error);
    if (status)
        return status;
    answer_format(answer, state);
    if (!(status = nk_tree_comment(builder.tree, 0, state, error)) &&
        !(status = add_moves(&builder, 0, plies))) {
        *record = nk_record_tree_text(builder.tree, NULL);
        status = *record ? NK_OK : nk_fail_memory(error);
    }
    nk_tree_free(builder.tree);
    return status;
}
