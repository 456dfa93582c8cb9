/* What the files of neutreeko query share. */
#ifndef NK_QUERY_H
#define NK_QUERY_H

#include "common/base/json_writer.h"
#include "common/system/file.h"
#include "common/table/lookup.h"
#include "player/terminal/display.h"

/* A position, its value, and its moves, best first. */
struct answer {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
};

/* The state of the game, as "Black to move wins in 5 plies.", without a line end. */
enum { ANSWER_TEXT = 128 };
void answer_format(const struct answer *answer, char text[ANSWER_TEXT]);

/* --svg: a picture of a position with the values of its moves. */

/* Writes the picture to a file, and closes or abandons it. NK_E_WRITE, NK_E_EXISTS, NK_E_MEMORY. */
enum nk_status query_svg_write(struct nk_writer *file, const struct nk_rules *rules,
                               const struct answer *answer, struct nk_error *error);

/* --tree: the best moves and refutations of the others. */

/* Sets *record to a game with variations: the best moves of each position up to so many plies, and each move that
 * lowers the result, with the best line after it. The caller frees it with free(). NK_E_LIMIT for a tree that is too
 * large, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status query_tree_record(struct nk_table *table, const struct answer *answer, uint64_t plies,
                                 char **record, struct nk_error *error);

/* --line: the best line from a position to the end of the game. */

struct best_line {
    struct nk_game *game;
    struct nk_value *values; /* [plies + 1] of each position, for the side to move */
};

/* Plays the line, in which one of several equally good moves is chosen at random. The same seed gives the same line.
 * The caller frees it with query_line_free, also after an error. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status query_line_play(struct nk_table *table, struct nk_position position, enum nk_colour to_move,
                               uint64_t seed, struct best_line *line, struct nk_error *error);
void query_line_free(struct best_line *line);

/* Print the line for people, and as the keys of an object. */
void query_line_print(const struct best_line *line, struct nk_board_view view);
void query_line_print_json(const struct best_line *line, struct nk_json *json);

#endif
