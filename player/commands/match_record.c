#include "player/commands/match_record.h"

#include "common/system/file.h"
#include "common/game/archive.h"
#include "common/game/record.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The context of a match. */
struct part {
    struct match_record *record;
    uint32_t match;
};

struct match_record {
    const struct nk_match *matches;
    uint32_t count;
    struct part *parts; /* [count] */
    const char *event;
    char date[NK_HEADER_TEXT];

    pthread_mutex_t lock; /* of what follows */
    struct nk_writer *writer;
    size_t next; /* the number of the next game to write: the file does not depend on the number of threads */
    /* [room] The texts of the games from `next` on that ended before an earlier one did, game n at n % room; NULL for
     * the others. The room, a power of two, grows with the farthest of these games, not with those to be played. */
    char **waiting;
    size_t room;
};

static char **place_of(const struct match_record *record, size_t game)
{
    return &record->waiting[game & (record->room - 1)];
}

/* GCC 12's analyzer loses the memory that *record owns when a place in it is chosen by a bit mask. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Makes room for the text of a game. */
static enum nk_status make_room(struct match_record *record, size_t game, struct nk_error *error)
{
    size_t room = record->room;
    while (game - record->next >= room)
        room *= 2;
    if (room == record->room)
        return NK_OK;
    char **waiting = calloc(room, sizeof *waiting), **old = record->waiting;
    if (!waiting)
        return nk_fail_memory(error);
    for (size_t n = record->next; n < record->next + record->room; n++)
        waiting[n & (room - 1)] = *place_of(record, n);
    record->room = room;
    record->waiting = waiting;
    free(old);
    return NK_OK;
}

/* Takes ownership of the text of a game. Writes the next games, as far as they have ended. */
static enum nk_status add_game(struct match_record *record, size_t game, char *text, struct nk_error *error)
{
    enum nk_status status = make_room(record, game, error);
    if (status) {
        free(text);
        return status;
    }
    *place_of(record, game) = text;
    while (!status && (text = *place_of(record, record->next))) {
        status = nk_writer_append(record->writer, text, strlen(text), error);
        free(text);
        *place_of(record, record->next++) = NULL;
    }
    return status;
}

static enum nk_status record_game(void *context, uint32_t number, const struct nk_game *game,
                                  struct nk_error *error)
{
    const struct part *part = context;
    struct match_record *record = part->record;
    const size_t index = (size_t)number * record->count + part->match; /* the matches take turns */
    struct nk_headers headers = {.outcome = NK_OUTCOME_DRAW};
    snprintf(headers.event, sizeof headers.event, "%s", record->event);
    snprintf(headers.round, sizeof headers.round, "%zu", index + 1);
    snprintf(headers.date, sizeof headers.date, "%s", record->date);
    for (int side = 0; side < NK_SIDES; side++)
        nk_opponent_print(record->matches[part->match].opponents[side],
                          headers.players[side == (int)(number % 2) ? NK_BLACK : NK_WHITE]);
    char *text = nk_record_text_with(game, &headers), *spaced = NULL;
    if (text && asprintf(&spaced, "%s%s", index ? "\n" : "", text) < 0)
        spaced = NULL;
    free(text);
    if (!spaced)
        return nk_fail_memory(error);
    pthread_mutex_lock(&record->lock);
    const enum nk_status status = add_game(record, index, spaced, error);
    pthread_mutex_unlock(&record->lock);
    return status;
}

static void free_record(struct match_record *record)
{
    if (!record)
        return;
    free(record->waiting);
    free(record->parts);
    free(record);
}

enum nk_status match_record_open(const char *path, const char *event, struct nk_match matches[],
                                 uint32_t count, struct match_record **out, struct nk_error *error)
{
    const time_t now = time(NULL);
    struct tm today;
    enum { INITIAL_ROOM = 64 };
    struct match_record *record = calloc(1, sizeof *record);
    if (record) {
        record->room = INITIAL_ROOM;
        record->waiting = calloc(record->room, sizeof *record->waiting);
        record->parts = calloc(count, sizeof *record->parts);
    }
    enum nk_status status = record && record->waiting && record->parts ? NK_OK : nk_fail_memory(error);
    if (!status)
        status =
            nk_writer_open(path, &(struct nk_permission){.is_own = nk_archive_is_own, .kind = "a saved game"},
                           &record->writer, error);
    if (status) {
        free_record(record);
        return status;
    }
    record->matches = matches;
    record->count = count;
    record->event = event;
    pthread_mutex_init(&record->lock, NULL);
    if (localtime_r(&now, &today))
        strftime(record->date, sizeof record->date, "%Y.%m.%d", &today);
    for (uint32_t m = 0; m < count; m++) {
        record->parts[m] = (struct part){record, m};
        matches[m].finished = record_game;
        matches[m].context = &record->parts[m];
    }
    *out = record;
    return NK_OK;
}

enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    if (!record)
        return NK_OK;
    /* After an interruption there may be games that were waiting for others. */
    for (size_t number = record->next; number < record->next + record->room; number++) {
        char *text = *place_of(record, number);
        if (complete && !status && text)
            status = nk_writer_append(record->writer, text, strlen(text), error);
        free(text);
    }
    if (complete && !status)
        status = nk_writer_close(record->writer, NULL, error);
    else
        nk_writer_abandon(record->writer);
    pthread_mutex_destroy(&record->lock);
    free_record(record);
    return status;
}
