/* The format SQLite. */

#include "player/commands/export.h"

#include "player/game/describe.h"

#include <sqlite3.h>
#include <stdlib.h>

struct database {
    const char *name;
    const struct nk_rules *rules;
    sqlite3 *connection;
    sqlite3_stmt *insertion;
};

static enum nk_status fail(const struct database *database, struct nk_error *error)
{
    const int code = database->connection ? sqlite3_errcode(database->connection) : SQLITE_NOMEM;
    return nk_fail(error, code == SQLITE_NOMEM ? NK_E_MEMORY : NK_E_WRITE, 0, "cannot write " NK_PATH ": %s",
                   NK_PATH_OF(database->name),
                   database->connection ? sqlite3_errmsg(database->connection) : "out of memory");
}

/* The file is discarded after an error, so there is no journal. */
static const char begin[] = "PRAGMA journal_mode = OFF;"
                            "PRAGMA synchronous = OFF;"
                            "PRAGMA locking_mode = EXCLUSIVE;"
                            "PRAGMA application_id = " DATABASE_APPLICATION ";"
                            "CREATE TABLE positions ("
                            " position TEXT NOT NULL,"
                            " side TEXT NOT NULL,"
                            " result TEXT NOT NULL,"
                            " plies INTEGER,"
                            " best_moves TEXT NOT NULL,"
                            " trap INTEGER,"
                            " symmetric INTEGER NOT NULL);"
                            "BEGIN";
static const char insert[] = "INSERT INTO positions VALUES (?, 'black', ?, ?, ?, ?, ?)";
static const char finish[] = "CREATE UNIQUE INDEX positions_by_position ON positions (position);"
                             "CREATE INDEX positions_by_result ON positions (result, plies);"
                             "CREATE VIEW distances AS SELECT result, plies, count(*) AS positions"
                             " FROM positions GROUP BY result, plies;"
                             "COMMIT";

enum nk_status database_open(const char *path, const char *name, const struct nk_rules *rules,
                             struct database **out, struct nk_error *error)
{
    struct database *database = malloc(sizeof *database);
    if (!database)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    *database = (struct database){.name = name, .rules = rules};
    const bool failed = sqlite3_open_v2(path, &database->connection, SQLITE_OPEN_READWRITE, NULL) ||
                        sqlite3_exec(database->connection, begin, NULL, NULL, NULL) ||
                        sqlite3_prepare_v2(database->connection, insert, -1, &database->insertion, NULL);
    if (failed) {
        const enum nk_status status = fail(database, error);
        database_free(database);
        return status;
    }
    *out = database;
    return NK_OK;
}

enum nk_status database_add(struct database *database, const struct nk_listed_position *listed,
                            struct nk_error *error)
{
    char best[BEST_TEXT];
    const struct nk_text position = nk_position_text(database->rules, listed->position, NK_BLACK);
    sqlite3_stmt *insertion = database->insertion;
    const bool is_draw = listed->result == NK_DRAW;
    const char *result = nk_result_name((enum nk_result)listed->result);
    const int length = (int)(write_best(database->rules, listed, " ", best) - best);
    int failed = sqlite3_bind_text(insertion, 1, position.s, -1, SQLITE_STATIC);
    failed |= sqlite3_bind_text(insertion, 2, result, -1, SQLITE_STATIC);
    failed |= is_draw ? sqlite3_bind_null(insertion, 3) : sqlite3_bind_int(insertion, 3, listed->plies);
    failed |= sqlite3_bind_text(insertion, 4, best, length, SQLITE_STATIC);
    failed |= is_draw ? sqlite3_bind_int(insertion, 5, listed->trap) : sqlite3_bind_null(insertion, 5);
    failed |= sqlite3_bind_int(insertion, 6, (int)listed->symmetric);
    failed |= sqlite3_step(insertion) != SQLITE_DONE;
    failed |= sqlite3_reset(insertion);
    return failed ? fail(database, error) : NK_OK;
}

enum nk_status database_finish(struct database *database, struct nk_error *error)
{
    return sqlite3_exec(database->connection, finish, NULL, NULL, NULL) ? fail(database, error) : NK_OK;
}

void database_free(struct database *database)
{
    if (!database)
        return;
    sqlite3_finalize(database->insertion);
    sqlite3_close(database->connection);
    free(database);
}
