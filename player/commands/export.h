/* The formats of neutreeko export. docs/DATA.md describes their content. */
#ifndef NK_COMMANDS_EXPORT_H
#define NK_COMMANDS_EXPORT_H

#include "common/game/notation.h"
#include "common/table/table.h"

/* A format in which a file consists of positions after a header. */
struct export_format {
    size_t max_bytes; /* of a position */

    /* Writes the header of a file with this number of positions, on which its length does not depend, to
     * out[HEADER]. Returns its length. */
    size_t (*header)(uint64_t count, char *out);

    /* Writes a position to out[max_bytes]. Returns its length. */
    size_t (*write)(const struct nk_rules *rules, const struct nk_listed_position *listed, char *out);
};
enum { HEADER = 256 };

extern const struct export_format csv_format, jsonl_format, npy_format;

/* Writes the best moves, "b1-c1 d1-c1", with any text of at most 4 bytes between them. Returns the end. */
enum { BEST_TEXT = NK_MAX_MOVES * (NK_MOVE_ROOM + 4) };
char *write_best(const struct nk_rules *rules, const struct nk_listed_position *listed, const char *between,
                 char *out);

/* A database that is being written, in a file that exists and is empty; only if the program is built with SQLite. One
 * thread at a time may use it. The functions that can fail return NK_E_WRITE or NK_E_MEMORY; `name` is that of the file
 * in their messages. */
struct database;
enum nk_status database_open(const char *path, const char *name, const struct nk_rules *rules,
                             struct database **database, struct nk_error *error);
enum nk_status database_add(struct database *database, const struct nk_listed_position *listed,
                            struct nk_error *error);

/* Completes the database with its indexes and its view. */
enum nk_status database_finish(struct database *database, struct nk_error *error);
void database_free(struct database *database); /* NULL is allowed */

/* In the header of the database, where SQLite has a number for the program that made it: "NKT" and a version. */
#define DATABASE_APPLICATION "0x4e4b5401"

#endif
