/* Reading the games of a file, one after the other. */
#ifndef NK_ARCHIVE_H
#define NK_ARCHIVE_H

#include "common/game/record.h"

/* Bytes of a game. Enough for a million moves, or for half a million with comments and variations; what is read as one
 * game takes up this much memory at most before it is rejected. */
enum { NK_MAX_RECORD = 1 << 26 };

struct nk_archive;

/* Opens a file, or standard input if the path is "-". NK_E_READ or NK_E_MEMORY. The caller frees the archive with
 * nk_archive_close. One thread at a time may use it. */
enum nk_status nk_archive_open(const char *path, const struct nk_rules *rules, struct nk_archive **archive,
                               struct nk_error *error);
void nk_archive_close(struct nk_archive *archive);

/* Reads the next game: sets *headers, *game and, unless it is NULL, *tree, which the caller frees with nk_game_free and
 * nk_tree_free; *game is NULL after the last game; a file with nothing but blanks and comments has none. An error
 * begins with the name of the file. After NK_E_RULES for another board, NK_E_SYNTAX, NK_E_POSITION or NK_E_MOVE in the
 * record of a game, or NK_E_MEMORY for a game, the next call reads the next game. After NK_E_READ, NK_E_MEMORY for the
 * text, or NK_E_SYNTAX with nk_error.at 0 for a game of more than NK_MAX_RECORD bytes, the next call finds no more
 * games. */
enum nk_status nk_archive_next(struct nk_archive *archive, struct nk_headers *headers, struct nk_game **game,
                               struct nk_tree **tree, struct nk_error *error);

/* Why there is no game with this number, from 1, among so many: "there is no game", or "there is no game 3, only 2
 * games". */
struct nk_text nk_archive_no_game(uint64_t number, uint64_t count);

/* Reads the game of a file with this number, from 1, or 0 for the only one. Sets *headers and *game, which the caller
 * frees with nk_game_free. NK_E_READ, NK_E_MEMORY; NK_E_RULES if the game has another board; NK_E_SYNTAX if there are
 * fewer games or, for 0, several; NK_E_SYNTAX, NK_E_POSITION or NK_E_MOVE for an invalid record. An error begins with
 * the name of the file. */
enum nk_status nk_archive_single(const char *path, const struct nk_rules *rules, uint64_t number,
                                 struct nk_headers *headers, struct nk_game **game, struct nk_error *error);

#endif
