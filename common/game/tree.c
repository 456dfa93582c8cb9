/* Trees of moves. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct stored_node {
    struct nk_move move;
    bool resigned;
    int ply;
    int parent, child, last_child, sibling; /* nodes, or NONE */
    char *marks, *comment;                  /* NULL if there are none */
    size_t comment_length, comment_room;
};

enum { NONE = -1 };

struct nk_tree {
    struct nk_game *game; /* at the node `at`: what is added or looked at next is usually near */
    int at;
    enum nk_end finished;      /* how the game ended at `finished_at`, by nk_tree_finish, or NK_END_NONE */
    enum nk_outcome outcome;   /* then */
    int finished_at;           /* a node */
    struct stored_node *nodes; /* [room] */
    int count;
    size_t room;
};

enum nk_status nk_tree_new(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                           struct nk_tree **out, struct nk_error *error)
{
    assert(rules && out);
    enum { INITIAL_ROOM = 16 };
    struct nk_game *game;
    const enum nk_status status = nk_game_new(rules, position, to_move, &game, error);
    if (status)
        return status;
    struct nk_tree *tree = calloc(1, sizeof *tree);
    struct stored_node *nodes = malloc(INITIAL_ROOM * sizeof *nodes);
    if (!tree || !nodes) {
        nk_game_free(game);
        free(tree);
        free(nodes);
        return nk_fail_memory(error);
    }
    nodes[0] = (struct stored_node){.parent = NONE, .child = NONE, .last_child = NONE, .sibling = NONE};
    *tree = (struct nk_tree){.game = game, .nodes = nodes, .count = 1, .room = INITIAL_ROOM};
    *out = tree;
    return NK_OK;
}

void nk_tree_free(struct nk_tree *tree)
{
    if (!tree)
        return;
    for (int n = 0; n < tree->count; n++) {
        free(tree->nodes[n].marks);
        free(tree->nodes[n].comment);
    }
    nk_game_free(tree->game);
    free(tree->nodes);
    free(tree);
}

int nk_tree_count(const struct nk_tree *tree)
{
    assert(tree);
    return tree->count;
}

/* NK_E_MOVE if a tree does not have a node. */
static enum nk_status check_node(const struct nk_tree *tree, int number, struct nk_error *error)
{
    return number >= 0 && number < tree->count
               ? NK_OK
               : nk_fail(error, NK_E_MOVE, 0, "the tree has no node %d", number);
}

struct nk_node nk_tree_node(const struct nk_tree *tree, int number)
{
    assert(tree);
    if (check_node(tree, number, NULL))
        return (struct nk_node){.parent = NONE, .child = NONE, .sibling = NONE, .marks = "", .comment = ""};
    const struct stored_node *node = &tree->nodes[number];
    return (struct nk_node){.move = node->move,
                            .ply = node->ply,
                            .parent = node->parent,
                            .child = node->child,
                            .sibling = node->sibling,
                            .resigned = node->resigned,
                            .marks = node->marks ? node->marks : "",
                            .comment = node->comment ? node->comment : ""};
}

int nk_tree_last(const struct nk_tree *tree)
{
    int node = 0;
    while (!tree->nodes[node].resigned && tree->nodes[node].child != NONE)
        node = tree->nodes[node].child;
    return node;
}

/* ---- the game at a node ---- */

/* Has the game undo its moves up to the last one that also leads to a node. */
static void undo_to_common(struct nk_tree *tree, int node)
{
    nk_game_reopen(tree->game);
    while (tree->at != node) {
        const int difference = tree->nodes[tree->at].ply - tree->nodes[node].ply;
        if (difference >= 0) {
            tree->at = tree->nodes[tree->at].parent;
            nk_game_undo(tree->game);
        }
        if (difference <= 0)
            node = tree->nodes[node].parent;
    }
}

/* Has the game play the moves from its position to a node below it. */
static enum nk_status play_to(struct nk_tree *tree, int node, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    const int plies = tree->nodes[node].ply - tree->nodes[tree->at].ply;
    if (!plies)
        return NK_OK;
    int *path = calloc((size_t)plies, sizeof *path);
    if (!path)
        return nk_fail_memory(error);
    for (int ply = plies - 1, at = node; ply >= 0; ply--, at = tree->nodes[at].parent)
        path[ply] = at;
    for (int ply = 0; ply < plies && !status; ply++) {
        nk_game_go_on(tree->game); /* as it did when the node was added */
        if (!(status = nk_game_play(tree->game, tree->nodes[path[ply]].move, error)))
            tree->at = path[ply];
    }
    free(path);
    return status;
}

/* Has the game go to a node, without a resignation there. Repetition ends the game unless moves follow in the tree,
 * whatever node it was at before. */
static enum nk_status go_to(struct nk_tree *tree, int node, struct nk_error *error)
{
    enum nk_status status = check_node(tree, node, error);
    if (status)
        return status;
    undo_to_common(tree, node);
    if ((status = play_to(tree, node, error)))
        return status;
    if (tree->nodes[node].child == NONE)
        nk_game_stay_ended(tree->game);
    else
        nk_game_go_on(tree->game);
    return NK_OK;
}

/* Ends a game that is at a node as its record says. */
static void finish(const struct nk_tree *tree, int node, struct nk_game *game)
{
    if (tree->nodes[node].resigned)
        nk_game_resign(game);
    else if (tree->finished != NK_END_NONE && tree->finished_at == node && tree->nodes[node].child == NONE)
        (void)nk_game_finish(game, tree->finished, tree->outcome, NULL);
}

enum nk_status nk_tree_at(struct nk_tree *tree, int node, const struct nk_game **game, struct nk_error *error)
{
    const enum nk_status status = go_to(tree, node, error);
    if (status)
        return status;
    finish(tree, node, tree->game);
    *game = tree->game;
    return NK_OK;
}

enum nk_status nk_tree_game(struct nk_tree *tree, int node, struct nk_game **out, struct nk_error *error)
{
    assert(tree && out);
    const struct nk_game *game;
    struct nk_game *copy;
    enum nk_status status = nk_tree_at(tree, node, &game, error);
    if (status || (status = nk_game_prefix(game, nk_game_plies(game), &copy, error)))
        return status;
    finish(tree, node, copy);
    *out = copy;
    return NK_OK;
}

/* ---- changes ---- */

/* Adds a node with a move that has been checked. */
static enum nk_status append(struct nk_tree *tree, int parent, struct nk_move move, struct nk_error *error)
{
    if (!nk_grow(&tree->nodes, &tree->room, (size_t)tree->count + 1, sizeof *tree->nodes))
        return nk_fail_memory(error);
    const int number = tree->count++;
    struct stored_node *before = &tree->nodes[parent];
    tree->nodes[number] = (struct stored_node){.move = move,
                                               .ply = before->ply + 1,
                                               .parent = parent,
                                               .child = NONE,
                                               .last_child = NONE,
                                               .sibling = NONE};
    if (before->child == NONE)
        before->child = number;
    else
        tree->nodes[before->last_child].sibling = number;
    before->last_child = number;
    return NK_OK;
}

/* Adds a move; `goes_on`, whether a repetition does not end the game. */
static enum nk_status add(struct nk_tree *tree, int parent, struct nk_move move, bool goes_on, int *node,
                          struct nk_error *error)
{
    enum nk_status status = go_to(tree, parent, error);
    if (!status && goes_on)
        nk_game_go_on(tree->game);
    if (status || (status = nk_game_play(tree->game, move, error)))
        return status;
    if ((status = append(tree, parent, move, error))) {
        nk_game_undo(tree->game);
        return status;
    }
    *node = tree->at = tree->count - 1;
    return NK_OK;
}

enum nk_status nk_tree_add(struct nk_tree *tree, int parent, struct nk_move move, int *node,
                           struct nk_error *error)
{
    assert(tree && node);
    return add(tree, parent, move, false, node, error);
}

enum nk_status nk_tree_go_on(struct nk_tree *tree, int parent, struct nk_move move, int *node,
                             struct nk_error *error)
{
    assert(tree && node);
    return add(tree, parent, move, true, node, error);
}

enum nk_status nk_tree_finish(struct nk_tree *tree, enum nk_end end, enum nk_outcome outcome,
                              struct nk_error *error)
{
    const int last = nk_tree_last(tree);
    const struct nk_game *game;
    enum nk_status status;
    if ((status = nk_tree_at(tree, last, &game, error)) ||
        (status = nk_game_finish(tree->game, end, outcome, error)))
        return status;
    tree->finished = end;
    tree->outcome = outcome;
    tree->finished_at = last;
    return NK_OK;
}

enum nk_status nk_tree_resign(struct nk_tree *tree, int node, struct nk_error *error)
{
    assert(tree);
    const enum nk_status status = go_to(tree, node, error);
    if (!status)
        tree->nodes[node].resigned = nk_game_end(tree->game, NULL) == NK_END_NONE;
    return status;
}

enum nk_status nk_tree_of_game(const struct nk_game *game, struct nk_tree **out, struct nk_error *error)
{
    struct nk_tree *tree;
    enum nk_status status = nk_tree_new(nk_game_rules(game), nk_game_position_at(game, 0),
                                        nk_game_to_move_at(game, 0), &tree, error);
    if (status)
        return status;
    for (int ply = 0; ply < nk_game_plies(game) && !status; ply++)
        status = append(tree, ply, nk_game_move_at(game, ply), error);
    const enum nk_end end = nk_game_end(game, NULL);
    tree->nodes[tree->count - 1].resigned = nk_game_resigned_in_turn(game);
    /* Those before NK_END_RESIGNED are shown by the board, or the game goes on. */
    if (!status && end >= NK_END_RESIGNED && !tree->nodes[tree->count - 1].resigned)
        status = nk_tree_finish(tree, end, nk_outcome_of(game, NK_OUTCOME_OPEN), error);
    if (status)
        nk_tree_free(tree);
    else
        *out = tree;
    return status;
}

/* ---- marks and comments ---- */

static const char *const glyphs[] = {"!", "?", "!!", "??", "!?", "?!"}; /* $1 to $6 of PGN */
enum { GLYPHS = sizeof glyphs / sizeof glyphs[0], MOST_NAG = 255, MARK_ROOM = 5 };

/* Sets `mark` to the usual form of a mark, "?" for "$2". Returns false if it is not one. */
static bool find_mark(const char *text, char mark[MARK_ROOM])
{
    unsigned number = 0;
    size_t at = 1; /* after the dollar sign */
    for (int g = 0; g < GLYPHS; g++)
        if (strcmp(text, glyphs[g]) == 0) {
            (void)nk_put_text(mark, text);
            return true;
        }
    if (*text != '$')
        return false;
    while (nk_is_digit(text[at]) && number <= MOST_NAG)
        number = 10 * number + (unsigned)(text[at++] - '0');
    if (at == 1 || text[at] || number > MOST_NAG)
        return false;
    if (number >= 1 && number <= GLYPHS)
        (void)nk_put_text(mark, glyphs[number - 1]);
    else
        (void)nk_put_text(mark, nk_text_of("$%u", number).s);
    return true;
}

/* Whether a text, words with a space between each two, has this word. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (; *text; text += strcspn(text, " "), text += *text == ' ')
        if (strcspn(text, " ") == length && memcmp(text, word, length) == 0)
            return true;
    return false;
}

/* Removes the mark that is not a number, of which a move has one at most. */
static void remove_glyph(char *marks)
{
    for (char *word = marks; *word; word += strcspn(word, " "), word += *word == ' ') {
        char *end = word + strcspn(word, " ");
        if (*word == '$')
            continue;
        if (*end)
            end++;
        else if (word > marks)
            word--; /* the space before it goes, too */
        memmove(word, end, strlen(end) + 1);
        return;
    }
}

enum nk_status nk_tree_mark(struct nk_tree *tree, int node, const char *text, struct nk_error *error)
{
    assert(tree && text);
    const enum nk_status status = check_node(tree, node, error);
    if (status)
        return status;
    char *const old = tree->nodes[node].marks, mark[MARK_ROOM];
    if (!find_mark(text, mark))
        return nk_fail(error, NK_E_SYNTAX, 1, "invalid mark: expected one such as ?! or $14");
    if (!node || (old && has_word(old, mark)))
        return NK_OK;
    char *const marks = realloc(old, (old ? strlen(old) : 0) + 1 + sizeof mark);
    if (!marks)
        return nk_fail_memory(error);
    tree->nodes[node].marks = marks;
    if (!old)
        *marks = '\0';
    if (*mark != '$')
        remove_glyph(marks);
    const size_t used = strlen(marks);
    if (used)
        marks[used] = ' ';
    (void)nk_put_text(marks + used + (used > 0), mark);
    return NK_OK;
}

enum nk_status nk_tree_comment_bytes(struct nk_tree *tree, int number, const char *text, size_t length,
                                     struct nk_error *error)
{
    struct stored_node *node = &tree->nodes[number];
    const char *const end = text + length;
    bool separated = true;
    while (text < end && (nk_is_blank(*text) || nk_is_line_end(*text)))
        text++;
    if (text == end)
        return NK_OK;
    const size_t most =
        (sizeof NK_REPLACEMENT - 1) * (size_t)(end - text) + 2; /* with a space and the final zero */
    if (!nk_grow(&node->comment, &node->comment_room, node->comment_length + most, 1))
        return nk_fail_memory(error);
    char *out = node->comment + node->comment_length;
    while (text < end) {
        char next[5] = ""; /* the next character, which ends within the text */
        memcpy(next, text, end - text < 4 ? (size_t)(end - text) : 4);
        if (nk_is_blank(*text) || nk_is_line_end(*text)) {
            separated = true;
            text++;
            continue;
        }
        if (separated && out > node->comment)
            *out++ = ' ';
        separated = false;
        char shown[NK_ESCAPED];
        text += nk_replace_first(next, shown) - next;
        out = nk_put_text(out, shown);
    }
    *out = '\0';
    node->comment_length = (size_t)(out - node->comment);
    return NK_OK;
}

void nk_tree_cut_comment(struct nk_tree *tree, int node, const char *sentence)
{
    struct stored_node *stored = &tree->nodes[node];
    const size_t length = strlen(sentence), all = stored->comment_length;
    const size_t given = all && stored->comment[all - 1] == '.' ? all - 1 : all;
    if (given && nk_has_prefix(sentence, stored->comment, given) && strchr(":.", sentence[given]))
        stored->comment_length = 0;
    else if (all > length && strcmp(stored->comment + all - length, sentence) == 0 &&
             stored->comment[all - length - 1] == ' ')
        stored->comment_length = all - length - 1;
    if (all)
        stored->comment[stored->comment_length] = '\0';
}

enum nk_status nk_tree_comment(struct nk_tree *tree, int node, const char *text, struct nk_error *error)
{
    assert(tree && text);
    const enum nk_status status = check_node(tree, node, error);
    return status ? status : nk_tree_comment_bytes(tree, node, text, strlen(text), error);
}
