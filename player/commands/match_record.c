#include "player/commands/match_record.h"

#include "common/system/file.h"
#include "player/game/archive.h"
#include "player/game/record.h"

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
    size_t games;       /* of all matches */
    struct part *parts; /* [count] */
    const char *event;
    char date[NK_HEADER_TEXT];

    pthread_mutex_t lock; /* of what follows */
    struct nk_writer *writer;
    char **waiting; /* [games] texts of games that ended before an earlier game did, NULL for the others */
    size_t next; /* the number of the next game to write: the file does not depend on the number of threads */
};

/* Writes the next games, as far as they have ended. */
static enum nk_status write_games(struct match_record *record, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    while (!status && record->next < record->games && record->waiting[record->next]) {
        char *text = record->waiting[record->next];
        status = nk_writer_append(record->writer, text, strlen(text), error);
        free(text);
        record->waiting[record->next++] = NULL;
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
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for a record");
    pthread_mutex_lock(&record->lock);
    record->waiting[index] = spaced;
    const enum nk_status status = write_games(record, error);
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
    struct match_record *record = calloc(1, sizeof *record);
    if (record) {
        record->games = (size_t)matches->games * count;
        record->waiting = calloc(record->games, sizeof *record->waiting);
        record->parts = calloc(count, sizeof *record->parts);
    }
    enum nk_status status = record && record->waiting && record->parts
                                ? NK_OK
                                : nk_fail(error, NK_E_MEMORY, 0, "out of memory for the record");
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
    for (size_t number = record->next; number < record->games; number++) {
        const char *text = record->waiting[number];
        if (complete && !status && text)
            status = nk_writer_append(record->writer, text, strlen(text), error);
        free(record->waiting[number]);
    }
    if (complete && !status)
        status = nk_writer_close(record->writer, NULL, error);
    else
        nk_writer_abandon(record->writer);
    pthread_mutex_destroy(&record->lock);
    free_record(record);
    return status;
}
