#include "common/play/start.h"

#include "common/game/index.h"

/* The most positions to look up: codes, of which each needs a block of the table, and then values, which need the block
 * of each move. */
enum { MAX_CODES = 1000, MAX_VALUES = 100 };

/* The positions in which White's pieces are the image of Black's; `symmetric`: only those of Black that are equal to
 * their own reflection from file to file. Configurations with their pieces on the lowest ranks come first. */
struct candidates {
    const struct nk_index *index;
    bool symmetric;
    uint32_t next; /* configuration of Black's pieces */
};

static struct candidates list_candidates(const struct nk_table *table, bool symmetric)
{
    return (struct candidates){nk_table_index(table), symmetric, 0};
}

/* Sets *position to the next one in which a game can begin. Returns false if there is none. */
static bool next_candidate(struct candidates *candidates, struct nk_position *position)
{
    const struct nk_index *index = candidates->index;
    const struct nk_rules *rules = &index->rules;
    struct nk_move moves[NK_MAX_MOVES];
    while (candidates->next < index->configurations) {
        const uint64_t black = index->squares[candidates->next++];
        const uint64_t white =
            nk_rules_image(rules, NK_MIRROR_RANKS | (candidates->symmetric ? 0 : NK_MIRROR_FILES), black);
        *position = (struct nk_position){black, white};
        /* White has won where Black has, because a reflection changes no winning condition. */
        if ((!candidates->symmetric || nk_rules_image(rules, NK_MIRROR_FILES, black) == black) &&
            !(black & white) && !nk_rules_won(rules, black) && nk_position_moves(rules, *position, moves))
            return true;
    }
    return false;
}

bool nk_start_first(const struct nk_table *table, struct nk_position *position)
{
    struct candidates symmetric = list_candidates(table, true), others = list_candidates(table, false);
    return next_candidate(&symmetric, position) || next_candidate(&others, position);
}

enum { DRAWN = NK_MAX_PLIES + 1 }; /* as the distance of a draw, which is better than any win or loss */

/* Sets *plies to DRAWN or -1 if `draws`, which needs a single code, else to the distance. */
static enum nk_status measure(struct nk_table *table, struct nk_position position, bool draws, int *plies,
                              struct nk_error *error)
{
    uint8_t code = NK_CODE_WIN;
    struct nk_value value = {NK_DRAW, -1};
    const enum nk_status status =
        draws ? nk_table_code(table, nk_index_entry(nk_table_index(table), position), &code, error)
              : nk_table_value(table, position, &value, error);
    *plies = code == NK_CODE_DRAW ? DRAWN : value.plies;
    return status;
}

/* Looks for a better candidate than *best, the distance of which is *plies: for a draw, or for the one that is won or
 * lost last. */
static enum nk_status find(struct nk_table *table, bool symmetric, bool draws, struct nk_position *best,
                           int *plies, struct nk_error *error)
{
    struct candidates candidates = list_candidates(table, symmetric);
    struct nk_position position;
    const int most = draws ? MAX_CODES : MAX_VALUES;
    for (int n = 0; n < most && *plies != DRAWN && next_candidate(&candidates, &position); n++) {
        int found;
        const enum nk_status status = measure(table, position, draws, &found, error);
        if (status)
            return status;
        if (found > *plies) {
            *best = position;
            *plies = found;
        }
    }
    return NK_OK;
}

enum nk_status nk_start_proposal(struct nk_table *table, struct nk_position *position, struct nk_error *error)
{
    struct nk_position best;
    int plies = -1;
    if (nk_rules_start(nk_table_rules(table), position))
        return NK_OK;
    if (!nk_start_first(table, &best))
        return nk_fail(error, NK_E_POSITION, 0, "this board has no start position: specify a position");
    enum nk_status status = NK_OK;
    for (int round = 0; round < 4 && !status; round++)
        status = find(table, round % 2 == 0, round < 2, &best, &plies, error);
    if (!status)
        *position = best;
    return status;
}
