/* Trees of moves: functions that include/neutreeko.h does not declare. */
#ifndef NK_TREE_H
#define NK_TREE_H

#include "common/game/position.h"

/* Creates a tree with the moves of a game up to the current position, and with its resignation. The caller frees it
 * with nk_tree_free. NK_E_MEMORY. */
enum nk_status nk_tree_of_game(const struct nk_game *game, struct nk_tree **tree, struct nk_error *error);

/* The node at which the game ends: the last one on the way of first moves, or the first at which a side resigns. */
int nk_tree_last(const struct nk_tree *tree);

/* Sets *game to the game at a node, which belongs to the tree and is valid until the next call with a tree that is not
 * const. NK_E_MEMORY. */
enum nk_status nk_tree_at(struct nk_tree *tree, int node, const struct nk_game **game,
                          struct nk_error *error);

/* Adds a comment of `length` bytes to a node, behind the one that it has. White space becomes single spaces, and each
 * byte that is not safe to print U+FFFD. NK_E_MEMORY. */
enum nk_status nk_tree_comment_bytes(struct nk_tree *tree, int node, const char *text, size_t length,
                                     struct nk_error *error);

#endif
