#include "player/commands/match_start.h"

#include "player/commands/common.h"
#include "player/game/fair.h"

#include <stdlib.h>
#include <string.h>

static int read_given(struct nk_table *table, const char *start, struct nk_match *match)
{
    struct nk_move moves[NK_MAX_MOVES];
    match->start = NK_START_GIVEN;
    const int status = read_position(table, start, &match->position, &match->to_move);
    if (status || nk_position_moves(nk_table_rules(table), match->position, moves))
        return status;
    return nk_usage_error(program, "--start '%s': the game is over in this position", start);
}

int match_start_read(struct nk_table *table, const char *start, struct nk_match *match)
{
    struct nk_error error;
    if (start && strcmp(start, "drawn") == 0)
        match->start = NK_START_DRAWN;
    else if (start && strcmp(start, "random") == 0)
        match->start = NK_START_RANDOM;
    else if (start && strcmp(start, "fair") == 0)
        match->start = NK_START_LISTED;
    else
        return read_given(table, start, match);
    if (match->start != NK_START_LISTED || !nk_fair_list(table, &match->starts, &match->start_count, &error))
        return EXIT_SUCCESS;
    report_error(&error);
    return EXIT_FAILURE;
}
