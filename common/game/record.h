/* Records with headers: what include/neutreeko.h does not declare.
 *
 *     [Event "Neutreeko match"]
 *     [Date "2026.05.17"]
 *     [Round "1"]
 *     [White "level:5"]
 *     [Black "perfect"]
 *     [Result "0-1"]
 *     [Board "5x5, 3 pieces, row 3, line"]
 *     [Start "1w1w1/2b2/5/2w2/1b1b1 w"]
 *
 *     1... b5-c5
 *     2. b1-c1 c4-a2
 *     0-1
 *
 * As in PGN, the notation of chess games, headers come before the moves, and the result follows them: 1-0 if White
 * has won, 0-1 if Black has won, 1/2-1/2 for a draw, and * for a game that is not over. A quotation mark or a
 * backslash in a value follows a backslash. All headers are optional, and those with other names are ignored, but for
 * FEN, SetUp and Variant of other programs, which are read as include/neutreeko.h describes. In an archive, a line that
 * begins a header after the moves of a game, and anything but a comment after its result, begins the next game. */
#ifndef NK_RECORD_H
#define NK_RECORD_H

#include "common/game/position.h"

/* The header Event of every game that this program writes begins with it. */
#define NK_EVENT "Neutreeko"

/* Part of a file: a text, the number of its first line, from 1, and how many characters that has before the text. */
struct nk_record_part {
    const char *text;
    size_t length, line, before;
};

/* Reads a record, which contains one game, and sets *headers, *game and *tree, each of which may be NULL. Lines and
 * characters in errors are those of the file. A game that is over has its outcome; the outcome of another is that of
 * the record, NK_OUTCOME_OPEN if it has none. `rules` must outlive both. The caller frees them with nk_game_free and
 * nk_tree_free. NK_E_RULES if the header Board or Variant names another one, NK_E_SYNTAX, NK_E_POSITION, NK_E_MOVE,
 * NK_E_MEMORY. */
enum nk_status nk_record_read_part(const struct nk_record_part *part, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree,
                                   struct nk_error *error);

/* Whether a text has no header, move or result: only blanks and comments, also those in parentheses and marks such as
 * <12>. It is the record of no game. */
bool nk_record_is_empty(const char *text, size_t length);

/* The length of the first record in the text of an archive: the offset of the line with which the next game begins, or
 * of the word if that follows the result in the same line, or `length` if there is none. */
size_t nk_record_length(const char *text, size_t length);

/* The outcome of a game; `otherwise` if it is not over. */
enum nk_outcome nk_outcome_of(const struct nk_game *game, enum nk_outcome otherwise);

#endif
