#include "player/commands/match_record.h"

#include "common/game/record.h"
#include "common/system/file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct match_record {
    const struct nk_match *match;
    const char *event;
    char date[NK_HEADER_TEXT];

    pthread_mutex_t lock; /* of what follows */
    struct nk_writer *writer;
    size_t next; /* the number of the next game to write: the file does not depend on the number of threads */
    struct ended *waiting; /* the games that ended before an earlier one did, by number */
};

/* The record of a game that has ended. */
struct ended {
    struct ended *after; /* the next one that waits, or NULL */
    size_t number;
    char *text;
};

static void free_ended(struct ended *ended)
{
    free(ended->text);
    free(ended);
}

/* Takes ownership of a game that has ended. Writes the next games, as far as they have ended. */
static enum nk_status add_game(struct match_record *record, struct ended *ended, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    struct ended **place = &record->waiting;
    while (*place && (*place)->number < ended->number)
        place = &(*place)->after;
    ended->after = *place;
    *place = ended;
    while (!status && record->waiting && record->waiting->number == record->next) {
        struct ended *first = record->waiting;
        status = nk_writer_append(record->writer, first->text, strlen(first->text), error);
        record->waiting = first->after;
        record->next++;
        free_ended(first);
    }
    return status;
}

static enum nk_status record_game(void *context, uint32_t number, const struct nk_game *game,
                                  struct nk_error *error)
{
    struct match_record *record = context;
    const struct nk_match *match = record->match;
    struct nk_headers headers = {.outcome = NK_OUTCOME_DRAW};
    snprintf(headers.event, sizeof headers.event, "%s", record->event);
    snprintf(headers.round, sizeof headers.round, "%zu", (size_t)number + 1);
    snprintf(headers.date, sizeof headers.date, "%s", record->date);
    for (int side = 0; side < NK_SIDES; side++)
        nk_header_set(headers.players[side == (int)(number % 2) ? NK_BLACK : NK_WHITE],
                      nk_opponent_name(match->opponents[side]).s);
    struct ended *ended = malloc(sizeof *ended);
    char *text = nk_record_text(game, &headers);
    if (!ended || !text || asprintf(&ended->text, "%s%s", number ? "\n" : "", text) < 0) {
        free(text);
        free(ended);
        return nk_fail_memory(error);
    }
    free(text);
    ended->number = number;
    pthread_mutex_lock(&record->lock);
    const enum nk_status status = add_game(record, ended, error);
    pthread_mutex_unlock(&record->lock);
    return status;
}

enum nk_status match_record_open(const char *path, bool force, const char *event, struct nk_match *match,
                                 struct match_record **out, struct nk_error *error)
{
    const time_t now = time(NULL);
    struct tm today;
    struct match_record *record = calloc(1, sizeof *record);
    const enum nk_status status =
        record ? nk_writer_open(path, force, &record->writer, error) : nk_fail_memory(error);
    if (status) {
        free(record);
        return status;
    }
    record->match = match;
    record->event = event;
    pthread_mutex_init(&record->lock, NULL);
    if (localtime_r(&now, &today))
        strftime(record->date, sizeof record->date, "%Y.%m.%d", &today);
    match->finished = record_game;
    match->context = record;
    *out = record;
    return NK_OK;
}

enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    if (!record)
        return NK_OK;
    /* After an interruption there may be games that were waiting for others. */
    for (struct ended *ended = record->waiting, *after; ended; ended = after) {
        after = ended->after;
        if (complete && !status)
            status = nk_writer_append(record->writer, ended->text, strlen(ended->text), error);
        free_ended(ended);
    }
    if (complete && !status)
        status = nk_writer_close(record->writer, NULL, error);
    else
        nk_writer_abandon(record->writer);
    pthread_mutex_destroy(&record->lock);
    free(record);
    return status;
}
