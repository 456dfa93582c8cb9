/* Files of games: the archives that people name, read one game after the other, and the games that neutreeko play
 * records in the user's state directory. */

#include "player/player.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/system/system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- archives ---- */

enum { FIRST_ROOM = 1 << 20 }; /* bytes to read at first */

struct archive {
    const struct nk_rules *rules;
    FILE *stream;
    const char *name;
    char *bytes; /* [room], at most MAX_RECORD + 1 */
    size_t room;
    size_t begin, end; /* of the bytes that have been read but belong to no game yet */
    size_t line;       /* of the first of them, from 1 */
    size_t before;     /* characters of that line before them */
    bool ended;        /* nothing more can be read */
    bool done;         /* the last game has been returned */
};

static enum nk_status fail(const struct archive *archive, enum nk_status status, size_t at, const char *why,
                           struct nk_error *error)
{
    return nk_fail(error, status, at, NK_PATH ": %s", NK_PATH_OF(archive->name), why);
}

enum nk_status archive_open(const char *path, const struct nk_rules *rules, struct archive **out,
                            struct nk_error *error)
{
    const bool from_input = nk_file_is_standard(path);
    struct archive *archive = calloc(1, sizeof *archive);
    if (!archive)
        return nk_fail_memory(error);
    archive->bytes = malloc(FIRST_ROOM);
    if (!archive->bytes) {
        free(archive);
        return nk_fail_memory(error);
    }
    archive->room = FIRST_ROOM;
    archive->rules = rules;
    archive->line = 1;
    archive->name = from_input ? "standard input" : path;
    archive->stream = from_input ? stdin : nk_system_open_stream(path);
    if (!archive->stream) {
        const enum nk_status status = fail(archive, NK_E_READ, 0, nk_system_error(errno).s, error);
        archive_close(archive);
        return status;
    }
    *out = archive;
    return NK_OK;
}

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    if (archive->stream && archive->stream != stdin)
        fclose(archive->stream);
    free(archive->bytes);
    free(archive);
}

/* Reads on, up to twice as many bytes of the next game as before. */
static enum nk_status read_more(struct archive *archive, struct nk_error *error)
{
    const size_t bytes = archive->end - archive->begin, most = MAX_RECORD + 1;
    memmove(archive->bytes, archive->bytes + archive->begin, bytes);
    archive->begin = 0;
    archive->end = bytes;
    if (bytes == archive->room) {
        const size_t room = bytes < most / 2 ? 2 * bytes : most;
        char *larger = realloc(archive->bytes, room);
        archive->done = !larger;
        if (!larger)
            return fail(archive, NK_E_MEMORY, 0, "out of memory", error);
        archive->bytes = larger;
        archive->room = room;
    }
    archive->end += fread(archive->bytes + bytes, 1, archive->room - bytes, archive->stream);
    archive->ended = archive->end < archive->room;
    archive->done = ferror(archive->stream);
    return archive->done ? fail(archive, NK_E_READ, 0, nk_system_error(errno).s, error) : NK_OK;
}

/* Reads on until the whole next game has been read. Sets *length to its length. */
static enum nk_status read_game_text(struct archive *archive, size_t *length, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (;;) {
        const size_t bytes = archive->end - archive->begin;
        *length = nk_record_length(archive->bytes + archive->begin, bytes);
        if (*length < bytes)
            return NK_OK;
        if (archive->ended || bytes > MAX_RECORD)
            break;
        if ((status = read_more(archive, error)))
            return status;
    }
    if (*length <= MAX_RECORD)
        return NK_OK;
    char why[80];
    archive->done = true;
    snprintf(why, sizeof why, "line %zu: more than %d MiB, too long for a game", archive->line,
             MAX_RECORD >> 20);
    return fail(archive, NK_E_SYNTAX, 0, why, error);
}

/* Continues after the text of a game. Characters of the file count after a byte order mark. */
static void skip_text(struct archive *archive, size_t length)
{
    const char *const text = archive->bytes + archive->begin;
    const bool is_first = archive->line == 1 && !archive->before;
    size_t line_begin = is_first ? nk_byte_order_mark_length(text, length) : 0;
    for (size_t at = 0; at < length; at++)
        if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == length || text[at + 1] != '\n'))) {
            archive->line++;
            archive->before = 0;
            line_begin = at + 1;
        }
    archive->before += nk_characters(text + line_begin, length - line_begin);
    archive->begin += length;
}

enum nk_status archive_next(struct archive *archive, struct nk_headers *headers, struct nk_game **game,
                            struct nk_tree **tree, struct nk_error *error)
{
    size_t length;
    struct nk_error why;
    *game = NULL;
    if (archive->done)
        return NK_OK;
    enum nk_status status = read_game_text(archive, &length, error);
    if (status)
        return status;
    archive->done = nk_record_is_empty(archive->bytes + archive->begin, length);
    if (archive->done)
        return NK_OK;
    const struct nk_record_part part = {archive->bytes + archive->begin, length, archive->line,
                                        archive->before};
    status = nk_record_read_part(&part, archive->rules, headers, game, tree, &why);
    skip_text(archive, length);
    archive->done = archive->ended && archive->begin == archive->end;
    if (!status && *headers->warning) {
        struct nk_error warning;
        (void)fail(archive, NK_OK, 0, headers->warning, &warning);
        (void)nk_put_text(headers->warning, warning.text);
    }
    return status ? fail(archive, status, why.at, why.text, error) : NK_OK;
}

struct nk_text archive_no_game(uint64_t number, uint64_t count)
{
    return count ? nk_text_of("there is no game %" PRIu64 ", only %" PRIu64 " game%s", number, count,
                              nk_plural(count))
                 : nk_text_of(NK_NO_GAME);
}

bool tree_has_more(const struct nk_tree *tree)
{
    for (int number = 0; number < nk_tree_count(tree); number++) {
        const struct nk_node node = nk_tree_node(tree, number);
        if (node.sibling >= 0 || *node.marks || *node.comment || (node.resigned && node.child >= 0))
            return true;
    }
    return false;
}

/* Reads the game with this number, from 1. Invalid games before it, whose errors have a place, are skipped. */
static enum nk_status read_numbered(struct archive *archive, uint64_t number, struct nk_headers *headers,
                                    struct nk_game **game, bool *has_more, struct nk_error *error)
{
    for (uint64_t n = 1;; n++) {
        struct nk_error why = {.text = ""};
        struct nk_tree *tree = NULL;
        const enum nk_status status = archive_next(archive, headers, game, &tree, &why);
        *has_more = tree && tree_has_more(tree);
        nk_tree_free(tree);
        if (status && (n == number || !why.at))
            return nk_fail(error, status, why.at, "%s", why.text);
        if (n == number && *game)
            return NK_OK;
        if (!status && !*game)
            return fail(archive, NK_E_SYNTAX, 0, archive_no_game(number, n - 1).s, error);
        nk_game_free(*game);
    }
}

enum nk_status archive_single(const char *path, const struct nk_rules *rules, uint64_t number,
                              struct nk_headers *headers, struct nk_game **game, bool *has_more,
                              struct nk_error *error)
{
    struct archive *archive = NULL;
    struct nk_game *found = NULL;
    enum nk_status status = archive_open(path, rules, &archive, error);
    if (status)
        return status;
    status = read_numbered(archive, number ? number : 1, headers, &found, has_more, error);
    if (!status && !number && !archive->done)
        status =
            fail(archive, NK_E_SYNTAX, 0,
                 "there are several games: choose one with 'neutreeko play --load FILE --game N'", error);
    if (status)
        nk_game_free(found);
    else
        *game = found;
    archive_close(archive);
    return status;
}

void set_date_to_today(char date[NK_HEADER_TEXT])
{
    const time_t now = time(NULL);
    struct tm today;
    if (localtime_r(&now, &today))
        (void)strftime(date, NK_HEADER_TEXT, "%Y.%m.%d", &today);
}

/* ---- recorded games ---- */

static const char extension[] = ".txt";

char *recorded_games_directory(void)
{
    return nk_system_user_path("XDG_STATE_HOME", "/.local/state", "games");
}

enum nk_status recorded_games_new_path(char **path, struct nk_error *error)
{
    static int games; /* of this process */
    const time_t now = time(NULL);
    struct tm local = {0};
    char date[32], *directory = recorded_games_directory(), *file = NULL;
    if (!directory && errno == ENOMEM)
        return nk_fail_memory(error);
    if (!directory)
        return nk_fail(error, NK_E_UNSUPPORTED, 0, "neither XDG_STATE_HOME nor HOME names a directory");
    (void)localtime_r(&now, &local);
    (void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    if (asprintf(&file, "%s/%s-%ld-%d%s", directory, date, (long)getpid(), ++games, extension) < 0)
        file = NULL;
    free(directory);
    const enum nk_status status = file ? nk_file_make_directories(file, error) : nk_fail_memory(error);
    if (status)
        free(file);
    else
        *path = file;
    return status;
}

static bool is_record(const char *name)
{
    const size_t length = strlen(name), end = sizeof extension - 1;
    return *name != '.' && length > end && strcmp(name + length - end, extension) == 0;
}

char *recorded_games_latest(bool (*accepts)(const char *path, const void *context), const void *context)
{
    char *directory = recorded_games_directory(), *latest = NULL, *path;
    int64_t when = 0;
    struct stat about;
    struct nk_listing *const listing = directory ? nk_system_list(directory) : NULL;
    for (const char *name; listing && (name = nk_system_next_name(listing));) {
        if (!is_record(name) || asprintf(&path, "%s/%s", directory, name) < 0)
            continue;
        if (nk_system_stat(path, &about) && S_ISREG(about.st_mode) &&
            (!latest || nk_system_change_time(&about) > when) && accepts(path, context)) {
            when = nk_system_change_time(&about);
            free(latest);
            latest = path;
        } else {
            free(path);
        }
    }
    nk_system_end_list(listing);
    free(directory);
    return latest;
}
