#include "player/commands/match_options.h"

#include "common/system/file.h"
#include "common/system/system.h"
#include "player/commands/match_record.h"
#include "player/commands/positions.h"
#include "player/game/archive.h"
#include "player/game/fair.h"

#include <stdlib.h>
#include <string.h>

struct match_options match_options = {.games = 100, .max_plies = 1000, .start = "drawn"};

bool match_options_write_standard(void)
{
    return match_options.record && nk_file_is_standard(match_options.record);
}

int match_options_check(void)
{
    if (common_options.json && match_options_write_standard())
        return nk_usage_error(program, "--json cannot be combined with --record -");
    return EXIT_SUCCESS;
}

static int read_given(struct nk_table *table, const char *start, struct nk_match *match)
{
    struct nk_move moves[NK_MAX_MOVES];
    match->start = NK_START_GIVEN;
    const bool is_standard = strcmp(start, "standard") == 0;
    const int status =
        position_read_start(table, is_standard ? NULL : start, &match->position, &match->to_move);
    if (status || nk_position_moves(nk_table_rules(table), match->position, moves))
        return status;
    return nk_usage_error(program, "--start '%s': the game is over in this position", start);
}

static int read_start(struct nk_table *table, const char *start, struct nk_match *match)
{
    struct nk_error error;
    if (strcmp(start, "drawn") == 0)
        match->start = NK_START_DRAWN;
    else if (strcmp(start, "random") == 0)
        match->start = NK_START_RANDOM;
    else if (strcmp(start, "fair") == 0)
        match->start = NK_START_LISTED;
    else
        return read_given(table, start, match);
    if (match->start != NK_START_LISTED || !nk_fair_list(table, &match->starts, &match->start_count, &error))
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}

int match_options_read(struct nk_table *table, struct nk_match *match)
{
    match->seed = common_options.seed;
    match->games = (uint32_t)match_options.games;
    match->threads = match_options.threads ? (int)match_options.threads : nk_system_processors();
    match->max_plies = (int)match_options.max_plies;
    return read_start(table, match_options.start, match);
}

enum nk_status match_options_play(struct nk_table *table, struct nk_match matches[], uint32_t count,
                                  const char *event, const struct nk_progress_sink *progress,
                                  struct nk_score scores[], struct nk_error *error)
{
    enum nk_status status = NK_OK;
    struct match_record *record = NULL;
    const char *path = match_options.record;
    if (path)
        status = match_record_open(path, event, matches, count, &record, error);
    if (status)
        return status;
    status = nk_match_play_watched(table, matches, count, &interrupted, progress, scores, error);
    const enum nk_status closed = match_record_close(record, !status, status ? NULL : error);
    return status ? status : closed;
}
